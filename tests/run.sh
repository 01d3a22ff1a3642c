#!/usr/bin/env bash
# Installs what is missing, builds and runs every test. The last line reads "N passed, M failed".
#   tests/run.sh [preset]     dev (default), asan, tsan
set -euo pipefail
cd "$(dirname "$0")/.."
preset="${1:-dev}"
jobs=$(nproc)

tools/install_packages.sh test
if [ ! -d tests/e2e/page/node_modules/playwright-core ]; then
  (cd tests/e2e/page && npm install --no-audit --no-fund --no-package-lock --silent)
fi

cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" -j "$jobs"

report=$(mktemp)
trap 'rm -f "$report"' EXIT
status=0
ctest --test-dir "build/$preset" -j "$jobs" --schedule-random --output-on-failure \
  --no-tests=error >"$report" 2>&1 || status=$?
grep -vE '^ *(Start +[0-9]+:|[0-9]+/[0-9]+ Test +#[0-9]+: .* Passed)' "$report" || true

# ctest's own count, in one line that names both numbers.
total=$(sed -nE 's/^[0-9]+% tests passed, [0-9]+ tests? failed out of ([0-9]+)$/\1/p' "$report")
failed=$(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests? failed out of [0-9]+$/\1/p' "$report")
if [ -z "$total" ]; then
  echo "0 passed, 1 failed"
  exit 1
fi
echo "$((total - failed)) passed, $failed failed"
exit "$status"
