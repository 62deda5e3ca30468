"""A release that came over the network, taken by root: only what is signed, whole, for this machine and not older; and
whatever is cut off, in any step, comes to its right end when it is done again.

The releases of these tests bring a small installer of their own, which does what ``install.sh`` does to the tree and
waits where it is told to, so that a kill meets it there. ``test_appliance.py`` runs the real one in a bare tree.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import namedtuple
from pathlib import Path

import pytest

from tests.patience import until
from tests.venue.releases import PLATFORM, new_key, pack, tar_of
from venue.store import handout_files

HOME = Path(__file__).resolve().parents[2]
TAKE = HOME / "systemd" / "take_release.py"
RELEASE = "0.2.0-0123456789"
INSTALLER = """#!/bin/sh
# --stage: prepare; --switch: point, start, and go back when it does not start. $3 is the root.
set -eu
wait_at() { [ ! -e "$root/hold-$1" ] || { : >"$root/at-$1"; while [ -e "$root/hold-$1" ]; do sleep 0.02; done; }; }
while [ $# -gt 0 ]; do case $1 in --root) root=$2; shift ;; --wheelhouse) shift ;; *) action=$1 ;; esac; shift; done
opt=$root/opt/guandan; release=%(release)s; place=$opt/releases/$release
echo "$action" >>"$root/installed"
case $action in
--stage)
    [ ! -e "$root/fails" ] || { echo "pip: No space left on device"; exit 1; }
    if [ ! -e "$place/complete" ]; then
        rm -rf "$place"; mkdir -p "$place"; cp -r "$(dirname "$0")/.." "$place/half"
        wait_at half
        mv "$place/half/systemd" "$place/systemd"
        cp "$place/half/release.manifest" "$place/half/pyproject.toml" "$place/"
        rm -rf "$place/half"; : >"$place/complete"
    fi
    wait_at complete
    echo "$release" >"$opt/staged.new"; mv "$opt/staged.new" "$opt/staged"; wait_at staged ;;
--switch)
    before=$(readlink "$opt/current"); [ "$before" = "releases/$release" ] || ln -sfn "$before" "$opt/previous"
    ln -sfn "releases/$release" "$opt/current.new"; mv -Tf "$opt/current.new" "$opt/current"
    wait_at pointed
    if [ -e "$root/does-not-start" ]; then
        ln -sfn "$(readlink "$opt/previous")" "$opt/current.new"; mv -Tf "$opt/current.new" "$opt/current"
        rm -f "$opt/staged"; wait_at back; exit 3
    fi
    rm -f "$opt/staged"; wait_at started ;;
esac
"""


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    return new_key(folder), new_key(folder, "other")


class Machine:
    """A tree with a table installed, whose folder for releases holds a file and an ask."""

    def __init__(self, root: Path, keys) -> None:
        self.root, self.keys = root, keys
        self.inbox, self.place = root / "var/lib/guandan/release", root / "var/lib/guandan-release"
        self.opt = root / "opt/guandan"
        for folder in (self.inbox, self.place, root / "etc/guandan", self.opt / "releases/0.1.0-aaaaaaaaaa"):
            folder.mkdir(parents=True)
        (root / "etc/guandan/release.pub").write_bytes(keys[0][1].read_bytes())
        present = self.opt / "releases/0.1.0-aaaaaaaaaa"
        (present / "pyproject.toml").write_text('version = "0.1.0"\n')
        (present / "complete").touch()
        (self.opt / "current").symlink_to("releases/0.1.0-aaaaaaaaaa")
        self.play("free")

    def play(self, word: str) -> None:
        (self.inbox / "play").write_text(word)

    def release(self, key: Path | None = None, release: str = RELEASE, **manifest: object) -> Path:
        files = {
            "systemd/install.sh": (INSTALLER % {"release": release}).encode(), "wheels/a.whl": b"x" * 50_000,
            "pyproject.toml": f'version = "{release.partition("-")[0]}"\n'.encode(),
        }  # fmt: skip
        manifest = {"release": release, "version": release.partition("-")[0]} | manifest
        return pack(self.root / "file.release", key or self.keys[0][0], files, **manifest)

    def lay(self, file: Path | None = None, number: int = 7, **ask: object) -> None:
        """The table lays *file* into its folder and asks for it."""
        content = (file or self.release()).read_bytes()
        name = hashlib.sha256(content).hexdigest()
        (self.inbox / name).write_bytes(content)
        wanted = {"do": "stage", "id": number, "sha256": name, "release": RELEASE} | ask
        self.asked = {**wanted}
        (self.inbox / "ask.json").write_text(json.dumps(wanted))

    def ask(self, do: str) -> None:
        (self.inbox / "ask.json").write_text(json.dumps(self.asked | {"do": do}))

    def start(self) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-I", TAKE, "--root", self.root]
        return subprocess.Popen(words, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def run(self) -> dict[str, object]:
        """As the root unit is run: how it stands then. The ask is answered, and nothing lies about."""
        taking = self.start()
        _, errors = taking.communicate(timeout=60)
        assert (taking.returncode, errors) == (0, b"")
        assert not (self.inbox / "ask.json").exists()
        assert sorted(path.name for path in self.place.iterdir()) in ([], ["state.json"])
        return self.state()

    def state(self) -> dict[str, object]:
        path = self.place / "state.json"
        return json.loads(path.read_text()) if path.exists() else {}

    @property
    def current(self) -> str:
        return (self.opt / "current").readlink().name

    def check(self, file: Path) -> dict[str, object]:
        words = [sys.executable, "-I", TAKE, "--root", self.root, "--check", file]
        return json.loads(subprocess.run(words, capture_output=True, check=True).stdout)


@pytest.fixture
def machine(tmp_path, keys):
    return Machine(tmp_path / "root", keys)


def test_a_signed_release_is_prepared_started_and_told(machine):
    file = machine.release()
    assert machine.check(file) | {"sha256": "", "size": ""} == {
        "step": "good", "guandan-release": "1", "release": RELEASE, "version": "0.2.0", "made": "1764460800",
        **PLATFORM, "sha256": "", "size": "",
    }  # fmt: skip
    machine.lay(file)
    told = machine.run()
    assert told == {"id": 7, "sha256": machine.asked["sha256"], "release": RELEASE, "step": "staged"}
    assert machine.current == "0.1.0-aaaaaaaaaa" and (machine.opt / "staged").read_text().strip() == RELEASE
    machine.ask("switch")
    assert machine.run()["step"] == "running" and machine.current == RELEASE
    assert (machine.opt / "current/release.manifest").read_text().startswith("guandan-release=1\n")
    machine.ask("switch")  # asked again, because the answer was not read
    assert machine.run()["step"] == "running"
    machine.ask("stage")
    assert machine.run()["step"] == "running"
    assert (machine.root / "installed").read_text().split() == ["--stage", "--switch"]


def spoiled(path: Path, part: bytes, by: bytes) -> Path:
    content = path.read_bytes()
    assert part in content
    path.write_bytes(content.replace(part, by, 1))
    return path


WRONG = {
    "signed by somebody else": ("signature", lambda m: m.release(m.keys[1][0])),
    "manifest changed after signing": ("signature", lambda m: spoiled(m.release(), b"made=17644608", b"made=17644609")),
    "payload changed after signing": ("damaged", lambda m: spoiled(m.release(), b"x" * 5000, b"y" * 5000)),
    "cut off": ("damaged", lambda m: cut(m.release())),
    "no tar": ("damaged", lambda m: written(m.root / "x", b"hello")),
    "no payload": ("damaged", lambda m: written(m.root / "x", tar_of({"manifest": b"", "signature": b""}))),
    "no signature": (
        "damaged", lambda m: written(m.root / "x", tar_of({"manifest": b"", "signature": b"", "payload.tar": b""})),
    ),
    "for another Python": ("platform", lambda m: m.release(python="3.9")),
    "for another processor": (
        "platform", lambda m: m.release(processor={"x86_64": "aarch64", "aarch64": "x86_64"}[PLATFORM["processor"]]),
    ),
    "older": ("older", lambda m: m.release(release="0.0.9-0123456789")),
}  # fmt: skip


def cut(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[:-20_000])
    return path


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("wrong", WRONG)
def test_what_must_not_be_installed_is_refused_with_the_reason_and_runs_nothing(machine, wrong):
    why, make = WRONG[wrong]
    file = make(machine)
    assert (machine.check(file)["step"], machine.check(file)["why"]) == ("refused", why)
    machine.lay(file, release="0.0.9-0123456789" if wrong == "older" else RELEASE)
    told = machine.run()
    assert (told["step"], told["why"]) == ("refused", why)
    assert machine.current == "0.1.0-aaaaaaaaaa" and not (machine.root / "installed").exists()


def test_of_one_version_the_later_made_counts(machine):
    (machine.opt / "current/release.manifest").write_bytes(b"")
    machine.lay(machine.release(release="0.2.0-bbbbbbbbbb", made=1_764_470_000), release="0.2.0-bbbbbbbbbb")
    (machine.opt / "current/release.manifest").unlink()
    assert machine.run()["step"] == "staged"
    machine.ask("switch")
    assert machine.run()["step"] == "running"
    assert machine.check(machine.release())["why"] == "older"
    assert machine.check(machine.release(made=1_764_470_001))["step"] == "good"


def test_a_machine_without_a_key_takes_nothing(machine):
    (machine.root / "etc/guandan/release.pub").unlink()
    machine.lay()
    assert machine.run()["why"] == "key"


def test_an_ask_that_makes_no_sense_or_leads_elsewhere_is_dropped(machine, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("x" * 100)
    for text in ("", "{", "[]", '{"do": "stage"}', json.dumps({"do": "rm", "id": 1}), "x" * 9000):
        (machine.inbox / "ask.json").write_text(text)
        assert machine.run() == {}
    machine.lay()
    (machine.inbox / str(machine.asked["sha256"])).unlink()
    (machine.inbox / str(machine.asked["sha256"])).symlink_to(secret)
    assert machine.run()["why"] == "gone"
    (machine.inbox / str(machine.asked["sha256"])).unlink()
    for file in ("ask.json", "play"):
        machine.lay()
        (machine.inbox / file).unlink()
        os.mkfifo(machine.inbox / file)  # nobody ever writes into it: it must not be waited for
        machine.run()
        (machine.inbox / file).unlink(missing_ok=True)
    assert secret.read_text() == "x" * 100 and machine.current == "0.1.0-aaaaaaaaaa"


def test_a_file_that_is_not_the_asked_one_is_refused(machine):
    machine.lay()
    (machine.inbox / str(machine.asked["sha256"])).write_bytes(machine.release(machine.keys[1][0]).read_bytes())
    assert machine.run()["why"] == "damaged"
    machine.lay(machine.release(), release="0.2.0-bbbbbbbbbb")
    assert machine.run()["why"] == "damaged" and not (machine.root / "installed").exists()


def test_a_disk_that_runs_full_is_told_and_the_next_try_goes_through(machine):
    (machine.root / "fails").touch()
    machine.lay()
    told = machine.run()
    assert (told["step"], told["why"]) == ("refused", "disk") and "No space left" in str(told["detail"])
    (machine.root / "fails").unlink()
    machine.lay(number=8)
    assert machine.run()["step"] == "staged"


def test_a_disk_with_too_little_room_is_known_before_anything_is_copied(machine):
    spec = importlib.util.spec_from_file_location("take_release", TAKE)
    assert spec is not None and spec.loader is not None
    take = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(take)
    machine.lay()
    usage, before = namedtuple("usage", "total used free"), shutil.disk_usage
    take.shutil.disk_usage = lambda _: usage(10**9, 10**9, 200_000)
    try:
        take.Taker(machine.root).run()
    finally:
        shutil.disk_usage = before
    assert machine.state()["why"] == "disk" and not (machine.place / "incoming").exists()
    assert set(take.MANIFEST) == set(handout_files.MANIFEST) and take.MEMBERS == handout_files.MEMBERS
    assert all(pattern.pattern == take.MANIFEST[name] for name, pattern in handout_files.MANIFEST.items())


def test_while_a_match_is_on_nothing_is_switched(machine):
    machine.lay()
    machine.run()
    for word in ("match", "", "fre"):
        machine.play(word)
        machine.ask("switch")
        assert machine.run()["step"] == "staged" and machine.current == "0.1.0-aaaaaaaaaa"
    (machine.inbox / "play").unlink()
    machine.ask("switch")
    assert machine.run()["step"] == "staged"
    machine.play("free")
    machine.ask("switch")
    assert machine.run()["step"] == "running"


def test_one_that_does_not_start_is_left_for_the_one_before(machine):
    (machine.root / "does-not-start").touch()
    machine.lay()
    machine.run()
    machine.ask("switch")
    told = machine.run()
    assert (told["step"], told["why"]) == ("back", "start") and machine.current == "0.1.0-aaaaaaaaaa"
    machine.ask("switch")  # nothing is staged any more: it is not tried again by itself
    assert machine.run()["step"] in ("back", "refused") and machine.current == "0.1.0-aaaaaaaaaa"


def kill(taking: subprocess.Popen[bytes]) -> None:
    """The power goes: nobody who works for it is asked."""
    os.killpg(taking.pid, signal.SIGKILL)
    taking.wait()
    if taking.stderr is not None:
        taking.stderr.close()


def cut_at(machine, where: str) -> None:
    """What is asked for begins, and the power goes at the moment *where*."""
    (machine.root / f"hold-{where}").touch()
    taking = machine.start()
    until((machine.root / f"at-{where}").exists)
    kill(taking)
    (machine.root / f"hold-{where}").unlink()


STAGE = ("half", "complete", "staged")
SWITCH = ("pointed", "started")


@pytest.mark.parametrize("where", ["checking", "staging", *STAGE])
def test_cut_off_while_it_is_prepared_it_is_prepared_again(machine, where):
    machine.lay()
    if where in STAGE:
        (machine.root / f"hold-{where}").touch()
    taking = machine.start()
    if where in STAGE:
        until((machine.root / f"at-{where}").exists)
        (machine.root / f"hold-{where}").unlink()
    else:
        until(lambda: machine.state().get("step") in (where, "staged"))
    kill(taking)
    assert machine.current == "0.1.0-aaaaaaaaaa"
    if (machine.inbox / "ask.json").exists():  # systemd finds it there when the machine is on again
        assert machine.run()["step"] == "staged"
    place = machine.opt / "releases" / RELEASE
    assert (place / "complete").exists() and not (place / "half").exists()
    assert (machine.opt / "staged").read_text().strip() == RELEASE
    machine.ask("switch")
    assert machine.run()["step"] == "running"


@pytest.mark.parametrize("where", SWITCH)
def test_cut_off_while_it_is_started_it_is_started_again(machine, where):
    machine.lay()
    machine.run()
    machine.ask("switch")
    cut_at(machine, where)
    assert machine.state()["step"] == "switching" and (machine.inbox / "ask.json").exists()
    assert machine.run()["step"] == "running" and machine.current == RELEASE
    assert (machine.opt / "previous").readlink().name == "0.1.0-aaaaaaaaaa"


@pytest.mark.parametrize("where", ["pointed", "back"])
def test_cut_off_while_one_that_does_not_start_is_tried_it_ends_with_the_one_before(machine, where):
    (machine.root / "does-not-start").touch()
    machine.lay()
    machine.run()
    machine.ask("switch")
    cut_at(machine, where)
    assert machine.run()["step"] == "back" and machine.current == "0.1.0-aaaaaaaaaa"


def test_cut_after_cut_at_any_moment_loses_nothing(machine):
    """Killed again and again while it prepares and starts: each time the tree is one of the two releases, whole."""
    machine.lay()
    for cut_after in range(20):
        taking = machine.start()
        time.sleep(0.01 * cut_after)
        kill(taking)
        assert machine.current in ("0.1.0-aaaaaaaaaa", RELEASE)
        assert (machine.opt / "releases" / machine.current / "complete").exists()
        if not (machine.inbox / "ask.json").exists():
            break
    while (machine.inbox / "ask.json").exists():
        machine.run()
    assert machine.state()["step"] == "staged"
    machine.ask("switch")
    assert machine.run()["step"] == "running"
