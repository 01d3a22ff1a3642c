#!/usr/bin/env bash
# Installs the Debian 12 packages that the build ("build"), the build and its tests ("test") or its
# fuzz targets and benchmarks ("fuzz") need, and only those that are missing. Needs root only when
# something is missing.
set -euo pipefail

build=(g++ cmake ninja-build ccache pkg-config libboost1.81-dev libboost-json1.81-dev
  libcurl4-openssl-dev libgmime-3.0-dev libidn2-dev libsecret-1-dev libssl-dev libfyaml-dev
  libexpected-dev libfmt-dev libhowardhinnant-date-dev)
walkthrough=(python3 python3-aiosmtpd curl openssl)
test=(libgtest-dev libgmock-dev libicu-dev chromium gnome-keyring libsecret-tools
  dbus dbus-bin strace tmux postfix dovecot-core libnss-wrapper libidn12 libnsl2 libgnutls-dane0)
fuzz=(clang libclang-rt-14-dev libgtest-dev libicu-dev libbenchmark-dev)

case "${1:-build}" in
  build) wanted=("${build[@]}") ;;
  walkthrough) wanted=("${build[@]}" "${walkthrough[@]}") ;;
  test) wanted=("${build[@]}" "${walkthrough[@]}" "${test[@]}") ;;
  fuzz) wanted=("${build[@]}" "${fuzz[@]}") ;;
  *) echo "usage: $0 [build|walkthrough|test|fuzz]" >&2; exit 2 ;;
esac

# Any Node.js of version 18 or later serves; Debian's is taken when there is none.
if [ "${1:-build}" = test ] && ! { command -v node && command -v npm; } >/dev/null; then
  wanted+=(nodejs npm)
fi

missing=()
for package in "${wanted[@]}"; do
  state=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [ "$state" = "install ok installed" ] || missing+=("$package")
done

# The third mail server of the tests excludes the first as a package; unpacked it stands beside it.
unpack_exim() {
  local to="$HOME/.cache/approval-test-servers/exim" from
  if [ -x /usr/sbin/exim4 ] || [ -x "$to/usr/sbin/exim4" ]; then return; fi
  from=$(mktemp -d)
  (cd "$from" && apt-get download -qq exim4-daemon-light 2>/dev/null)
  mkdir -p "$to"
  dpkg-deb -x "$from"/exim4-daemon-light_*.deb "$to"
  rm -r "$from"
}

if [ ${#missing[@]} -eq 0 ]; then
  if [ "${1:-build}" = test ]; then unpack_exim; fi
  exit 0
fi

echo "installing: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "run as root, or install sudo, to install packages" >&2; exit 1; }
  as_root=(sudo)
fi
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
if [ "${1:-build}" = test ]; then unpack_exim; fi
