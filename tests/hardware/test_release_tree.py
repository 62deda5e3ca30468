"""A release over the network, with the real installer in a bare Debian tree: packed and signed by ``release.sh``, laid
down as the table lays it, taken by root without a network; cut off while the packages are installed, a disk that runs
full, started, and left for the one before where it does not start.

Runs where ``GUANDAN_TREE`` and ``GUANDAN_WHEELS`` name a tree and its packages, as ``test_appliance.py`` says; some
minutes. The tree needs Debian's ``openssl`` as well.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.hardware.test_appliance import HOME, TREE, WHEELS, kiosk_programs, needs_tree
from tests.venue.releases import new_key

# What stands for systemd in the tree: a table does not start while its release holds the file `cli/broken`.
SYSTEMCTL = """#!/bin/sh
echo "$*" >>/fake/asked
case $1 in restart) [ ! -e /opt/guandan/current/cli/broken ] ;; show) echo 0 ;; esac
"""
PATH = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"


class Tree:
    """The tree, with a copy of the product in ``/src`` and its packages in ``/wheels``."""

    def __init__(self, root: Path, keys: tuple[Path, Path]) -> None:
        self.root, self.source, self.keys = root, root / "src", keys
        self.inbox, self.told = root / "var/lib/guandan/release", root / "var/lib/guandan-release/state.json"
        self.opt = root / "opt/guandan"
        shutil.rmtree(self.source, ignore_errors=True)
        leave = shutil.ignore_patterns(".git", ".venv", "tests", "benchmarks", "__pycache__")
        shutil.copytree(HOME, self.source, ignore=leave)
        shutil.copytree(str(WHEELS), root / "wheels", dirs_exist_ok=True)
        shutil.copy(keys[1], root / "release.pub")
        self.number = 0

    def inside(self, *words: str, alive: bool = False) -> list[str]:
        """How *words* are run in the tree: without a network, without this machine's environment."""
        path = PATH.replace("=", "=/fake:") if alive else PATH
        return ["env", "-i", path, "GUANDAN_STEADY=1", "unshare", "-n", "chroot", str(self.root), *words]

    def install(self, *words: str) -> None:
        whole = self.inside("/src/systemd/install.sh", "--wheelhouse", "/wheels", *words)
        told = subprocess.run(whole, capture_output=True, text=True)
        assert told.returncode == 0, told.stderr

    def change(self, file: str, text: str) -> None:
        with (self.source / file).open("a", encoding="utf-8") as written:
            written.write(text)

    def lay(self, folder: Path) -> str:
        """The source as it is, packed, signed, and laid into the table's folder with an ask; its release's name."""
        out, version = folder / "new.release", self.python()
        words = [
            self.source / "systemd/release.sh",
            self.root / "wheels",
            self.keys[0],
            out,
            version,
            platform.machine(),
        ]
        subprocess.run(words, check=True, capture_output=True)
        name = subprocess.run(
            [self.source / "systemd/install.sh", "--name"], capture_output=True, text=True, check=True
        )
        content, self.number = out.read_bytes(), self.number + 1
        self.asked = {"id": self.number, "sha256": hashlib.sha256(content).hexdigest(), "release": name.stdout.strip()}
        self.inbox.mkdir(parents=True, exist_ok=True)
        (self.inbox / str(self.asked["sha256"])).write_bytes(content)
        self.ask("stage")
        return str(self.asked["release"])

    def python(self) -> str:
        words = self.inside("/usr/bin/python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])")
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()

    def ask(self, do: str) -> None:
        (self.inbox / "ask.json").write_text(json.dumps({"do": do, **self.asked}), "utf-8")

    def start(self, alive: bool = False) -> subprocess.Popen[bytes]:
        words = self.inside("/usr/bin/python3", "-I", "/usr/local/lib/guandan/take_release.py", alive=alive)
        return subprocess.Popen(words, start_new_session=True, stdout=subprocess.DEVNULL)

    def take(self, alive: bool = False) -> dict[str, object]:
        assert self.start(alive).wait(900) == 0
        assert not (self.inbox / "ask.json").exists()
        return dict(json.loads(self.told.read_text("utf-8")))

    @property
    def current(self) -> str:
        return (self.opt / "current").readlink().name

    def complete(self) -> set[str]:
        return {path.parent.name for path in self.opt.glob("releases/*/complete")}


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Tree]:
    made = Tree(Path(str(TREE)), new_key(tmp_path))
    made.install("--purge")
    yield made
    shutil.rmtree(made.root / "fake", ignore_errors=True)
    shutil.rmtree(made.root / "run/systemd", ignore_errors=True)
    made.install("--purge")


def until(happened: Callable[[], object]) -> None:
    end = time.monotonic() + 600
    while not happened():
        assert time.monotonic() < end, "it did not come so far"
        time.sleep(0.01)


@needs_tree
def test_a_release_is_taken_started_and_left_again_in_a_bare_tree(tree: Tree, tmp_path: Path) -> None:
    kiosk_programs(tree.root)
    tree.install("--release-key", "/release.pub", "--kiosk", "wayland")
    first = tree.current
    assert (tree.root / "etc/guandan/release.pub").read_bytes() == tree.keys[1].read_bytes()
    units = tree.root / "etc/systemd/system"
    assert (units / "multi-user.target.wants/guandan-release.path").is_symlink()

    # Cut off while pip installs: nothing of it counts, and the same ask goes through when the machine is on again.
    tree.change("cli/doctor.py", "# a second release\n")
    tree.change("systemd/journald.conf", "# of the second release\n")
    second = tree.lay(tmp_path)
    taking = tree.start()
    until(lambda: list(tree.opt.glob(f"releases/{second}/.venv/lib/python3*/site-packages/numpy*")))
    os.killpg(taking.pid, signal.SIGKILL)
    taking.wait()
    assert tree.current == first and tree.complete() == {first} and (tree.inbox / "ask.json").exists()
    assert tree.take()["step"] == "staged"
    assert tree.current == first and tree.complete() == {first, second}
    journal = tree.root / "etc/systemd/journald.conf.d/guandan.conf"
    assert "second" not in journal.read_text("utf-8"), "what lies outside goes with the switch, not before"

    (tree.inbox / "play").write_text("match", "utf-8")
    tree.ask("switch")
    assert tree.take()["step"] == "staged" and tree.current == first
    (tree.inbox / "play").write_text("free", "utf-8")
    tree.ask("switch")
    assert tree.take()["step"] == "running" and tree.current == second
    assert "second" in journal.read_text("utf-8")
    assert subprocess.run(tree.inside("/usr/local/bin/guandan", "--help"), capture_output=True).returncode == 0
    assert (tree.opt / "current/release.manifest").exists()
    kiosk = units / "guandan-table.service.d/wayland.conf"
    assert kiosk.exists(), "how a table shows itself is its own affair"

    # A third one that does not start: systemd says so, and the table is on the second again.
    (tree.root / "fake").mkdir()
    for name, text in (("systemctl", SYSTEMCTL), ("udevadm", "#!/bin/sh\n")):
        (tree.root / "fake" / name).write_text(text, "utf-8")
        (tree.root / "fake" / name).chmod(0o755)
    (tree.root / "run/systemd/system").mkdir(parents=True)
    tree.change("cli/broken", "x\n")
    tree.change("systemd/journald.conf", "# of the third release\n")
    updater = (tree.root / "usr/local/lib/guandan/take_release.py").read_bytes()
    tree.change("systemd/take_release.py", "# of the third release\n")
    third = tree.lay(tmp_path)
    assert tree.take(alive=True)["step"] == "staged"
    tree.ask("switch")
    told = tree.take(alive=True)
    assert (told["step"], told["why"], told["release"]) == ("back", "start", third)
    assert tree.current == second and "third" not in journal.read_text("utf-8")
    assert (tree.root / "usr/local/lib/guandan/take_release.py").read_bytes() == updater
    asked = (tree.root / "fake/asked").read_text("utf-8").splitlines()
    assert [line for line in asked if line.startswith("restart")] == ["restart guandan-table.service"] * 2

    # Mended, it starts; by hand the one before is still there.
    (tree.source / "cli/broken").unlink()
    fourth = tree.lay(tmp_path)
    tree.take(alive=True)
    tree.ask("switch")
    assert tree.take(alive=True)["step"] == "running" and tree.current == fourth
    told_back = subprocess.run(tree.inside("/src/systemd/install.sh", "--rollback", alive=True), capture_output=True)
    assert told_back.returncode == 0 and tree.current == second and kiosk.exists()


@needs_tree
def test_a_disk_that_runs_full_while_packages_are_installed_is_told(tree: Tree, tmp_path: Path) -> None:
    tree.install("--release-key", "/release.pub")
    first, releases = tree.current, tree.opt / "releases"
    size = sum(path.lstat().st_blocks * 512 for path in releases.rglob("*"))
    tree.change("cli/doctor.py", "# a second release\n")
    tree.lay(tmp_path)
    shutil.move(releases, tree.opt / "aside")
    releases.mkdir()
    room = size + (size >> 2)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={room}", "tmpfs", releases], check=True)
    try:
        shutil.copytree(tree.opt / "aside" / first, releases / first, symlinks=True)
        told = tree.take()
        assert (told["step"], told["why"]) == ("refused", "disk")
        assert tree.current == first and tree.complete() == {first}
        assert subprocess.run(tree.inside("/usr/local/bin/guandan", "--help"), capture_output=True).returncode == 0
    finally:
        subprocess.run(["umount", releases], check=True)
        releases.rmdir()
        shutil.move(tree.opt / "aside", releases)
