#!/bin/sh
# Installs the Guandan table as an appliance: a release of its own under /opt/guandan, a service that owns the screen.
#
#   sudo systemd/install.sh                     install or update from this copy; run it as often as you like
#   sudo systemd/install.sh --wheelhouse DIR    the same without a network (systemd/wheelhouse.sh fills DIR)
#   sudo systemd/install.sh --stage             prepare a release and switch to it later
#   sudo systemd/install.sh --switch            switch to what was staged
#   sudo systemd/install.sh --rollback          back to the release before
#   sudo systemd/install.sh --uninstall         undo all of it; the matches in /var/lib/guandan and /etc/guandan stay
#   sudo systemd/install.sh --purge             those too
#   systemd/install.sh --name, --files          how the release of this copy is called, and what it consists of
#   … --kiosk wayland|console                   inside cage, or on the bare screen; without it, as it is (bare at first);
#                                               cage, seatd and xwayland are installed, or named where there is no network
#   … --release-key FILE                        take releases over the hall's network that carry this key's signature
#   … --root DIR                                into a tree that is not running (images)
#
# A table that is in play is never switched: a running service only stages unless --now is given. A release that does not
# start, or does not stay, is left for the one before (exit status 3). What is cut off is put right by the same command.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
root= wheels= kiosk= key= action=install now=no
while [ $# -gt 0 ]; do
    case $1 in
    --wheelhouse) wheels=$(CDPATH='' cd -- "$2" && pwd -P) && shift ;;
    --root) root=$(CDPATH='' cd -- "$2" && pwd -P) && shift ;;
    --kiosk) kiosk=$2 && shift ;;
    --release-key) key=$2 && shift ;;
    --now) now=yes ;;
    --stage | --switch | --rollback | --uninstall | --purge | --name | --files) action=${1#--} ;;
    *) echo "install.sh: unknown: $1 (see the head of this file)" >&2 && exit 2 ;;
    esac
    shift
done
case $kiosk in '' | console | wayland) ;; *) echo "install.sh: --kiosk is console or wayland" >&2 && exit 2 ;; esac
[ -z "$key" ] || [ -r "$key" ] || { echo "install.sh: there is no key $key" >&2 && exit 2; }

opt=$root/opt/guandan
units=$root/etc/systemd/system
say() { printf '%s\n' "guandan: $*"; }
fail() { printf '%s\n' "guandan: $*" >&2 && exit 1; }

files() { # the product's files, without what a working copy leaves about
    (cd "$here" && find guandan LICENSE NOTICE README.md README.zh.md pyproject.toml assets cli docs engine firmware \
        hardware requirements simulator systemd table venue vision \
        -name __pycache__ -prune -o -type f ! -name '*.pyc' -print | LC_ALL=C sort)
}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/pyproject.toml")
name() { printf '%s\n' "$version-$(files | (cd "$here" && tr '\n' '\0' | xargs -0 sha256sum) | sha256sum | cut -c1-10)"; }
[ "$action" != name ] || { name && exit 0; }
[ "$action" != files ] || { files && exit 0; }
[ "$(id -u)" = 0 ] || fail "please run it with sudo"

in_root() { if [ -n "$root" ]; then chroot "$root" "$@"; else "$@"; fi; }
alive() { [ -z "$root" ] && [ -d /run/systemd/system ]; } # systemd is running here, and it is ours
running() { alive && systemctl is-active --quiet guandan-table.service; }

reload() {
    alive || return 0
    systemctl daemon-reload
    udevadm control --reload && udevadm trigger --subsystem-match=tty --subsystem-match=gpio --subsystem-match=usbmisc || true
}

point() { # point LINK RELEASE: in one step that a power cut cannot split
    ln -sfn "releases/$2" "$opt/$1.new"
    mv -Tf "$opt/$1.new" "$opt/$1"
}

put() { # put FROM TO: only when it differs, so that a second run changes nothing
    [ -f "$1" ] || return 0 # a release from before there was such a file
    mkdir -p "$(dirname "$2")"
    cmp -s "$1" "$2" || install -m "${3:-0644}" "$1" "$2"
}

system() { # system RELEASE: what of it lies outside its own folder
    from=$opt/releases/$1
    drop_in=$units/guandan-table.service.d/wayland.conf
    [ -n "$kiosk" ] || { [ ! -f "$drop_in" ] || kiosk=wayland; }
    for unit in guandan-table.service guandan-table-failed.service guandan-release.service guandan-release.path; do
        put "$from/systemd/$unit" "$units/$unit"
    done
    put "$from/systemd/70-guandan.rules" "$root/etc/udev/rules.d/70-guandan.rules"
    put "$from/systemd/journald.conf" "$root/etc/systemd/journald.conf.d/guandan.conf"
    if [ "$kiosk" = wayland ]; then
        put "$from/systemd/guandan-table-wayland.conf" "$drop_in"
    else
        rm -rf "$units/guandan-table.service.d"
    fi
    # Settings are the machine's own: written once, never over.
    [ -f "$root/etc/guandan/table.env" ] || put "$from/systemd/table.env" "$root/etc/guandan/table.env"
    [ -f "$root/etc/guandan/pins.toml" ] || put "$from/assets/wiring/default.toml" "$root/etc/guandan/pins.toml"
    mkdir -p "$root/usr/local/bin" "$units/multi-user.target.wants" "$root/var/lib/guandan-release"
    for unit in guandan-table.service guandan-release.path; do
        ln -sfn "../$unit" "$units/multi-user.target.wants/$unit"
    done
    printf '#!/bin/sh\nPYTHONPATH=/opt/guandan/current PYTHONNOUSERSITE=1 exec /opt/guandan/current/.venv/bin/python -P -m cli.main "$@"\n' \
        >"$root/usr/local/bin/guandan"
    chmod 0755 "$root/usr/local/bin/guandan"
    reload
}

steady() { # the table starts, and is still there a while later without having been started anew
    systemctl restart guandan-table.service || return 1
    starts=$(systemctl show --property NRestarts --value guandan-table.service)
    left=${GUANDAN_STEADY:-20}
    while [ "$left" -gt 0 ]; do
        sleep 1
        left=$((left - 1))
        systemctl is-active --quiet guandan-table.service || return 1
        [ "$(systemctl show --property NRestarts --value guandan-table.service)" = "$starts" ] || return 1
    done
}

switch_to() { # switch_to RELEASE; cut off anywhere, it is done again from its beginning
    before=$(readlink "$opt/current" 2>/dev/null || true)
    before=${before#releases/}
    [ "$before" = "$1" ] || { [ -z "$before" ] || point previous "$before"; }
    point current "$1"
    system "$1"
    sync
    say "this is now release $1"
    if alive; then
        systemctl enable --quiet guandan-table.service guandan-release.path
        systemctl start guandan-release.path || true
        steady || {
            before=$(readlink "$opt/previous" 2>/dev/null || true)
            before=${before#releases/}
            if [ -n "$before" ] && [ "$before" != "$1" ]; then
                say "it did not start: back to $before"
                point current "$before"
                system "$before"
                rm -f "$opt/staged"
                sync
                systemctl reset-failed guandan-table.service || true # its failed starts are not this release's
                systemctl restart guandan-table.service || true
            fi
            exit 3
        }
    fi
    # What takes the next release is this one's only now that it is known to start.
    put "$opt/releases/$1/systemd/take_release.py" "$root/usr/local/lib/guandan/take_release.py" 0755
    rm -f "$opt/staged"
    sync
}

undo() { # undo purge?
    if alive; then
        systemctl disable --now --quiet guandan-table.service guandan-release.path 2>/dev/null || true
    fi
    rm -rf "$opt" "$units/guandan-table.service.d" "$root/usr/local/lib/guandan" "$root/var/lib/guandan-release"
    for unit in guandan-table.service guandan-table-failed.service guandan-release.service guandan-release.path; do
        rm -f "$units/$unit" "$units/multi-user.target.wants/$unit"
    done
    rm -f "$root/etc/udev/rules.d/70-guandan.rules" "$root/etc/systemd/journald.conf.d/guandan.conf" \
        "$root/usr/local/bin/guandan"
    if [ "$1" = purge ]; then
        rm -rf "$root/var/lib/guandan" "$root/etc/guandan"
        in_root userdel guandan 2>/dev/null || true
    fi
    reload
    say "removed"
    [ "$1" = purge ] || say "matches stay in /var/lib/guandan, settings in /etc/guandan"
    exit 0
}

missing() { # the packages that a Wayland kiosk still needs: cage does not start without Xwayland
    [ -x "$root/usr/bin/cage" ] || printf ' cage'
    [ -x "$root/usr/sbin/seatd" ] || [ -x "$root/usr/bin/seatd" ] || printf ' seatd'
    [ -x "$root/usr/bin/Xwayland" ] || printf ' xwayland'
}

kiosk_packages() { # before anything is changed: a kiosk that cannot start is a dark screen
    wanted=$(missing)
    [ -n "$wanted" ] || return 0
    if [ -z "$wheels" ]; then
        say "installing$wanted for the Wayland kiosk"
        # shellcheck disable=SC2086 # words without spaces
        in_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $wanted >&2 || true
        wanted=$(missing)
    fi
    [ -z "$wanted" ] || fail "the Wayland kiosk needs more packages: sudo apt-get install$wanted"
}

case $action in
uninstall) undo keep ;;
purge) undo purge ;;
esac
[ "$kiosk" != wayland ] || kiosk_packages
case $action in
rollback)
    before=$(readlink "$opt/previous" 2>/dev/null) || fail "there is no release before this one"
    switch_to "${before#releases/}"
    exit 0
    ;;
switch)
    staged=$(cat "$opt/staged" 2>/dev/null || true)
    [ -n "$staged" ] && [ -f "$opt/releases/$staged/complete" ] || fail "nothing is staged"
    switch_to "$staged"
    exit 0
    ;;
esac

# --- what must be there ------------------------------------------------------------------------------------------

python=$root/usr/bin/python3
[ -x "$python" ] || fail "python3 is missing: sudo apt-get install python3 python3-venv"
in_root /usr/bin/python3 -c 'import sys, venv, ensurepip; sys.exit(not ((3, 11) <= sys.version_info[:2] <= (3, 14) and sys.maxsize > 2**32))' \
    || fail "a 64-bit Python 3.11 to 3.14 with venv is needed (Debian 12 or 13): sudo apt-get install python3-venv"

for group in video render input gpio dialout audio lp; do
    in_root getent group "$group" >/dev/null || in_root groupadd --system "$group"
done
in_root getent passwd guandan >/dev/null || in_root useradd --system --user-group --home-dir /var/lib/guandan \
    --no-create-home --shell /usr/sbin/nologin --comment "Guandan table" guandan

# --- the release -------------------------------------------------------------------------------------------------

release=$(name)
place=$opt/releases/$release

if [ ! -f "$place/complete" ]; then
    say "preparing release $release"
    rm -rf "$place" && mkdir -p "$place"
    files | (cd "$here" && tar -cf - -T -) | tar -xf - -C "$place"
    visible=
    lock=lock.txt
    if [ -d "$root/usr/lib/python3/dist-packages/picamera2" ]; then
        visible=--system-site-packages # picamera2 and lgpio are the system's
        in_root /usr/bin/python3 -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' && lock=lock-bookworm-picamera2.txt
    elif [ -d "$root/usr/lib/python3/dist-packages/lgpio" ] || [ -f "$root/usr/lib/python3/dist-packages/lgpio.py" ]; then
        visible=--system-site-packages
    fi
    inside=/opt/guandan/releases/$release
    in_root /usr/bin/python3 -m venv $visible "$inside/.venv"
    source=
    if [ -n "$wheels" ]; then
        mkdir -p "$place/wheels" && cp "$wheels"/*.whl "$place/wheels/"
        source="--no-index --find-links $inside/wheels"
    fi
    for each in $lock lock-table.txt; do
        # shellcheck disable=SC2086 # words without spaces
        in_root "$inside/.venv/bin/python" -m pip install --quiet --no-deps --require-hashes --only-binary=:all: \
            --no-input --disable-pip-version-check --no-compile $source -r "$inside/requirements/$each" \
            || fail "the packages could not be installed: give a network, or --wheelhouse DIR"
    done
    rm -rf "$place/wheels"
    # It must at least rule and see before anybody is switched to it.
    printf '{"cards":["S8","D8"],"level":"2"}\n' | in_root env PYTHONPATH="$inside" "$inside/.venv/bin/python" -P -m cli.main \
        classify --batch | grep -q pair || fail "the release does not work: nothing was switched"
    in_root env PYTHONPATH="$inside" "$inside/.venv/bin/python" -P -c \
        'import cv2, numpy, onnxruntime, pygame, gpiozero, serial, segno' >/dev/null || fail "a package does not load"
    in_root "$inside/.venv/bin/python" -m compileall -q "$inside/cli" "$inside/engine" "$inside/table" "$inside/vision" \
        "$inside/hardware" "$inside/simulator" || true
    put "$here/release.manifest" "$place/release.manifest" # of a signed release: what it is older or newer than
    chmod -R u=rwX,go=rX "$place"
    sync
    : >"$place/complete"
    sync
fi

# --- the system --------------------------------------------------------------------------------------------------

[ -z "$key" ] || put "$key" "$root/etc/guandan/release.pub"

# Three releases are kept: this one, the one before, and one more.
for old in $(ls -1t "$opt/releases" 2>/dev/null | tail -n +4); do
    case "releases/$old" in
    "$(readlink "$opt/current" || true)" | "$(readlink "$opt/previous" || true)") ;;
    *) [ "$old" = "$release" ] || rm -rf "$opt/releases/$old" ;;
    esac
done

if [ "$action" = stage ] || { running && [ "$now" = no ] && [ "$(readlink "$opt/current")" != "releases/$release" ]; }; then
    printf '%s\n' "$release" >"$opt/staged.new"
    sync
    mv -f "$opt/staged.new" "$opt/staged"
    say "release $release is ready; switch when no match is on: sudo systemd/install.sh --switch"
    exit 0
fi
switch_to "$release"
say "done: it starts with the machine; settings are in /etc/guandan/table.env"
