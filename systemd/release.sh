#!/bin/sh
# Packs this copy and its packages into one signed file that a hall's tables take over their network:
#
#   systemd/release.sh --new-key DIR                          once: DIR/release.key and DIR/release.pub
#   systemd/release.sh WHEELS KEY OUT [PYTHON [PROCESSOR]]    PYTHON 3.13 (Trixie) or 3.11 (Bookworm), PROCESSOR aarch64 or x86_64
#
# WHEELS is the folder that systemd/wheelhouse.sh filled for the same PYTHON and PROCESSOR. Who has release.key decides what
# runs as root on every table: it stays with whoever makes releases, on no table and not at the venue. release.pub goes to
# each table: sudo systemd/install.sh --release-key release.pub
set -eu
home=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
fail() { printf '%s\n' "release.sh: $*" >&2 && exit 2; }
command -v openssl >/dev/null || fail "openssl is missing: sudo apt-get install openssl"
if [ "${1:-}" = --new-key ] && [ $# -eq 2 ]; then
    mkdir -p "$2"
    [ ! -e "$2/release.key" ] || fail "$2/release.key is there already; tables that trust it would take nothing signed by another"
    (umask 077 && openssl genpkey -algorithm ed25519 -out "$2/release.key")
    openssl pkey -in "$2/release.key" -pubout -out "$2/release.pub"
    echo "guandan: $2/release.key signs releases: keep it where no table and no venue is; $2/release.pub goes to every table"
    exit 0
fi
[ $# -ge 3 ] && [ $# -le 5 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
wheels=$1 key=$2 out=$3 python=${4:-3.13} processor=${5:-aarch64}
[ -r "$key" ] || fail "there is no key $key"
tag=cp$(printf '%s' "$python" | tr -d .)
ls "$wheels"/numpy-*-"$tag"-*_"$processor".whl >/dev/null 2>&1 \
    || fail "$wheels holds no packages for Python $python on $processor: systemd/wheelhouse.sh $wheels $python $processor"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
release=$("$home/systemd/install.sh" --name)
made=$(date +%s)
mkdir "$work/tree"
"$home/systemd/install.sh" --files | (cd "$home" && tar -cf - -T -) | tar -xf - -C "$work/tree"
mkdir "$work/tree/wheels"
cp "$wheels"/*.whl "$work/tree/wheels/"
pack() { tar --format=ustar --owner=0 --group=0 --numeric-owner --mtime="@$made" --mode=u=rwX,go=rX "$@"; }
pack --sort=name -cf "$work/payload.tar" -C "$work/tree" .
cat >"$work/manifest" <<EOF
guandan-release=1
release=$release
version=${release%-*}
made=$made
python=$python
processor=$processor
sha256=$(sha256sum "$work/payload.tar" | cut -d ' ' -f 1)
size=$(stat -c %s "$work/payload.tar")
EOF
openssl pkeyutl -sign -inkey "$key" -rawin -in "$work/manifest" -out "$work/signature" || fail "$key signs nothing"
pack -cf "$out.part" -C "$work" manifest signature payload.tar
mv -f "$out.part" "$out"
echo "guandan: $out is release $release for Python $python on $processor, $(($(stat -c %s "$out") >> 20)) MB"
