#!/bin/sh
# Fills a folder with every package that install.sh needs, for machines without a network:
#
#   systemd/wheelhouse.sh DIR [PYTHON [PROCESSOR]]     PYTHON 3.13 (Trixie) or 3.11 (Bookworm), PROCESSOR aarch64 or x86_64
#
# Run it on any computer with a network; each wheel is checked against its hash here and again when it is installed.
set -eu
[ $# -ge 1 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
home=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
python=${2:-3.13}
processor=${3:-aarch64}
mkdir -p "$1"
locks="lock.txt lock-table.txt"
[ "$python" = 3.11 ] && [ "$processor" = aarch64 ] && locks="$locks lock-bookworm-picamera2.txt"
platforms=
for glibc in 2_28 2_27 2_26 2_24 2_17; do platforms="$platforms --platform manylinux_${glibc}_$processor"; done
for lock in $locks; do
    # shellcheck disable=SC2086 # words without spaces
    "${GUANDAN_PYTHON:-python3}" -m pip download --quiet --no-deps --require-hashes --only-binary=:all: --implementation cp \
        --python-version "$python" $platforms --platform "manylinux2014_$processor" --dest "$1" \
        --disable-pip-version-check -r "$home/requirements/$lock"
done
echo "guandan: $(ls "$1" | wc -l) packages for Python $python on $processor in $1"
