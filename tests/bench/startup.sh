#!/usr/bin/env bash
# What `approval --help` costs: milliseconds beside those of /bin/true in the same run, peak memory,
# instructions when valgrind is there, and the libraries it links. Prints figures; judges nothing.
#   startup.sh [folder of the programs]
set -euo pipefail
bin="${1:-build/release/bin}/approval"
/usr/bin/python3 - "$bin" <<'PY'
import os, resource, statistics, sys, time

def median_ms(command, runs=60):
    samples = []
    quiet = [(os.POSIX_SPAWN_OPEN, 1, '/dev/null', os.O_WRONLY, 0)]
    for _ in range(runs):
        start = time.perf_counter()
        os.waitpid(os.posix_spawn(command[0], command, os.environ, file_actions=quiet), 0)
        samples.append((time.perf_counter() - start) * 1000)
    return statistics.median(samples)

base = median_ms(['/bin/true'])
ours = median_ms([sys.argv[1], '--help'])
print('/bin/true: %.1f ms; approval --help: %.1f ms (median of 60, ratio %.1f)' %
      (base, ours, ours / base))
print('peak memory: %d KiB' % resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PY
if command -v valgrind >/dev/null; then
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bin" --help 2>&1 >/dev/null |
    sed -nE 's/.*Collected : ([0-9]+).*/instructions: \1/p'
fi
echo "links: $(ldd "$bin" | awk '{print $1}' | xargs -n 1 basename | tr '\n' ' ')"
