"""The launcher itself, on copies of the house with a lock of one tiny wheel: first start, second, killed, changed."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

HOME = Path(__file__).resolve().parent.parent.parent
QUESTION = '{"cards":["S8","D8"],"level":"2"}\n'


def wheel(folder: Path, name: str = "tiny", version: str = "1.0") -> str:
    """A wheel of one empty module in *folder*; its sha256."""
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": f'version = "{version}"\n',
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    for path, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(text)}\n"
    files[f"{info}/RECORD"] = record + f"{info}/RECORD,,\n"
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as made:
        for inner, text in files.items():
            made.writestr(inner, text)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def spent() -> float:
    """Processor seconds of all children so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class House:
    """A copy of the launcher and of what the verb ``classify`` needs."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "the house 掼蛋"
        self.wheels = folder / "wheels"
        self.wheels.mkdir()
        for package in ("cli", "engine"):
            shutil.copytree(HOME / package, self.home / package, ignore=shutil.ignore_patterns("__pycache__"))
        for part in ("strings", "rulesets"):
            shutil.copytree(HOME / "assets" / part, self.home / "assets" / part)
        shutil.copy(HOME / "guandan", self.home / "guandan")
        (self.home / "requirements").mkdir()
        self.lock(wheel(self.wheels))
        self.extra("venue", "hall", wheel(self.wheels, "hall"))
        self.extra("table", "pads", "0" * 64)  # one that cannot be had stops nobody
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "PYTHON"))},
            "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels), "PIP_CONFIG_FILE": os.devnull,
            "GUANDAN_LANG": "en",
            # the interpreter under test, not whichever comes first on the path
            "GUANDAN_PYTHON": str(Path(sys.executable).resolve()),
        }  # fmt: skip

    def lock(self, digest: str, version: str = "1.0") -> None:
        text = f"tiny=={version} \\\n    --hash=sha256:{digest}\n"
        for name in ("lock.txt", "lock-bookworm-picamera2.txt"):
            (self.home / "requirements" / name).write_text(text, "utf-8")

    def extra(self, name: str, package: str, digest: str) -> None:
        text = f"{package}==1.0 \\\n    --hash=sha256:{digest}\n"
        (self.home / "requirements" / f"lock-{name}.txt").write_text(text, "utf-8")

    def start(self, *words: str, stdin: str = "", cwd: Path | None = None, launcher: Path | None = None):
        """Runs the launcher; what it said and the processor seconds it took, which other programs do not stretch."""
        began = spent()
        told = subprocess.run(
            [str(launcher or self.home / "guandan"), *words],
            input=stdin, capture_output=True, encoding="utf-8", env=self.environment, cwd=cwd or self.home, timeout=400,
        )  # fmt: skip
        return told, spent() - began


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(tmp_path_factory.mktemp("launcher"))


@pytest.fixture(scope="module")
def first(house: House) -> subprocess.CompletedProcess[str]:
    """The very first start, with a question waiting on standard input."""
    return house.start("classify", "--batch", stdin=QUESTION)[0]


def test_the_first_start_prepares_and_then_answers(first: subprocess.CompletedProcess[str], house: House) -> None:
    assert first.returncode == 0, first.stderr
    assert "preparing" in first.stderr and "ready" in first.stderr
    assert json.loads(first.stdout)["readings"][0]["type"] == "pair"  # nothing but the answer on standard output
    assert (house.home / ".venv" / "guandan-running.stamp").exists()


def test_the_first_start_brings_what_a_hall_without_a_network_will_need(first: object, house: House) -> None:
    assert (house.home / ".venv" / "guandan-venue.stamp").exists()
    assert not (house.home / ".venv" / "guandan-table.stamp").exists()


def test_the_second_start_is_quick_and_says_nothing(first: object, house: House) -> None:
    house.environment["PIP_FIND_LINKS"] = "/nowhere"  # and asks nobody for anything
    told, took = house.start("classify", "--level", "2", "S8", "D8")
    house.environment["PIP_FIND_LINKS"] = str(house.wheels)
    assert (told.returncode, told.stderr) == (0, "")
    assert "pair" in told.stdout
    assert took < 1, f"{took:.1f} s"


def test_it_works_through_links_from_a_folder_full_of_traps(first: object, house: House, tmp_path: Path) -> None:
    """Modules that lie in the user's folder are not ours, and paths that the user gives are relative to it."""
    for name in ("cli.py", "engine.py", "json.py", "argparse.py"):
        (tmp_path / name).write_text("raise SystemExit('wrong module')\n", "utf-8")
    (tmp_path / "questions.jsonl").write_text(QUESTION, "utf-8")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "inner").symlink_to(house.home / "guandan")
    (tmp_path / "outer").symlink_to("links/inner")
    told, _ = house.start("classify", "--batch", "questions.jsonl", cwd=tmp_path, launcher=tmp_path / "outer")
    assert (told.returncode, told.stderr) == (0, "")
    assert json.loads(told.stdout)["default"] == 0


def test_a_verb_explains_itself_without_the_packages_it_would_need(first: object, house: House) -> None:
    for verb in ("venue", "test"):
        told = house.start(verb, "--help")[0]
        assert told.returncode == 0 and f"guandan {verb}" in told.stdout and told.stderr == ""


def test_status_and_arguments_pass_through(first: object, house: House) -> None:
    told, _ = house.start("classify", "--level", "2", "S99")
    assert told.returncode == 2
    assert len(told.stderr.strip().splitlines()) == 1
    told, _ = house.start("--lang", "zh", "classify", "--level", "2", "S8  D8")
    assert told.returncode == 0
    assert "对" in told.stdout


def test_a_new_lock_is_installed_into_the_environment(first: object, house: House) -> None:
    house.lock(wheel(house.wheels, version="2.0"), "2.0")
    told, _ = house.start("classify", "--level", "2", "S8")
    assert told.returncode == 0, told.stderr
    assert "tiny-2.0" in told.stderr
    assert house.start("classify", "--level", "2", "S8")[0].stderr == ""


def test_a_package_that_is_not_the_locked_one_is_refused(first: object, house: House) -> None:
    good = (house.home / "requirements" / "lock.txt").read_text("utf-8")
    house.lock("0" * 64, "1.0")
    told, _ = house.start("classify", "--level", "2", "S8")
    assert told.returncode == 1
    assert told.stdout == ""
    assert "could not be installed" in told.stderr.splitlines()[-1]
    for name in ("lock.txt", "lock-bookworm-picamera2.txt"):
        (house.home / "requirements" / name).write_text(good, "utf-8")
    assert house.start("classify", "--level", "2", "S8")[0].returncode == 0


@pytest.mark.parametrize("moment", ["early", "late"])
def test_a_first_start_that_was_killed_is_done_again(moment: str, tmp_path: Path) -> None:
    house = House(tmp_path)
    venv = house.home / ".venv"
    started = subprocess.Popen(
        [str(house.home / "guandan"), "classify", "--level", "2", "S8"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=house.environment, start_new_session=True,
    )  # fmt: skip
    waited_for = venv / "guandan-unfinished" if moment == "early" else venv / "bin" / "pip"
    for _ in range(2400):
        if waited_for.exists():
            break
        time.sleep(0.05)  # a loaded machine takes its time
    assert waited_for.exists()
    os.killpg(started.pid, signal.SIGKILL)
    started.wait()
    assert not (venv / "guandan-running.stamp").exists()
    told, _ = house.start("classify", "--level", "2", "S8", "D8")
    assert told.returncode == 0, told.stderr
    assert "pair" in told.stdout
    assert not (venv / "guandan-unfinished").exists()


def test_a_python_that_does_not_fit_is_named(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.environment["GUANDAN_PYTHON"] = "/bin/false"
    told, _ = house.start("classify", "S8")
    assert told.returncode == 1
    assert "GUANDAN_PYTHON=/bin/false is no 64-bit Python 3.11 to 3.14." in told.stderr


def test_it_is_plain_posix_shell() -> None:
    told = subprocess.run(["sh", "-n", str(HOME / "guandan")], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert os.access(HOME / "guandan", os.X_OK)
    assert (HOME / "guandan").read_text("utf-8").startswith("#!/bin/sh\n")
