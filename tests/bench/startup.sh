#!/usr/bin/env bash
# What `approval --help` costs: milliseconds (median of 50), peak memory, instructions, and the
# libraries it links. Prints figures; judges nothing.   startup.sh [folder of the programs]
set -euo pipefail
bin="${1:-build/release/bin}/approval"
"$bin" --help >/dev/null
times=()
for _ in $(seq 50); do
  start=$(date +%s%N)
  "$bin" --help >/dev/null
  times+=($((($(date +%s%N) - start) / 1000)))
done
median=$(printf '%s\n' "${times[@]}" | sort -n | sed -n 25p)
echo "start to end of --help: median $median microseconds over 50 runs"
/usr/bin/python3 - "$bin" <<'PY'
import resource, subprocess, sys
subprocess.run([sys.argv[1], '--help'], stdout=subprocess.DEVNULL, check=True)
print('peak memory: %d KiB' % resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PY
if command -v valgrind >/dev/null; then
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bin" --help 2>&1 >/dev/null |
    sed -nE 's/.*Collected : ([0-9]+).*/instructions: \1/p'
fi
echo "links: $(ldd "$bin" | awk '{print $1}' | xargs -n 1 basename | tr '\n' ' ')"
