"""The appliance: units that systemd takes without a word, hardening that leaves the devices usable, an installer that
can be run again and undone.

The installer itself runs where ``GUANDAN_TREE`` names a bare Debian tree (``debootstrap --variant=minbase
--include=python3,python3-venv,openssl bookworm DIR``) and ``GUANDAN_WHEELS`` a folder that
``systemd/wheelhouse.sh`` filled for it.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hardware import wiring
from table import home

HOME = Path(__file__).resolve().parents[2]
UNITS = sorted((HOME / "systemd").glob("*.service"))
WATCHES = sorted((HOME / "systemd").glob("*.path"))
SCRIPTS = sorted((HOME / "systemd").glob("*.sh"))
needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")


@pytest.fixture
def units(tmp_path: Path) -> list[Path]:
    """The units with a program that exists on any machine in place of the installed one."""
    made = []
    for unit in UNITS:
        text = unit.read_text("utf-8").replace("/opt/guandan/current/.venv/bin/python", "/usr/bin/env")
        made.append(tmp_path / unit.name)
        made[-1].write_text(text, "utf-8")
    return made


@needs_systemd
def test_systemd_takes_the_units_without_a_word(units: list[Path]) -> None:
    """The exit status alone hides unknown keys; so does a quiet run."""
    watches = [shutil.copy(path, units[0].parent) for path in WATCHES]
    told = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=yes", *units, *watches], capture_output=True, text=True
    )
    ours = [line for line in told.stderr.splitlines() if "guandan" in line]
    assert (told.returncode, ours) == (0, [])


@needs_systemd
def test_a_typing_error_in_a_unit_would_be_noticed(units: list[Path]) -> None:
    units[0].write_text(units[0].read_text("utf-8").replace("NoNewPrivileges", "NoNewPriviliges"), "utf-8")
    told = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=yes", units[0]], capture_output=True, text=True
    )
    assert "NoNewPriviliges" in told.stderr


@needs_systemd
def test_the_units_are_exposed_by_at_most_four(units: list[Path]) -> None:
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=40", *units], capture_output=True, text=True
    )
    exposed = re.findall(r"Overall exposure level for (\S+): ([\d.]+)", told.stdout)
    assert len(exposed) == len(UNITS)
    assert told.returncode == 0 and all(float(level) <= 4.0 for _, level in exposed), exposed


KIOSK = HOME / "systemd" / "guandan-table-wayland.conf"


@pytest.fixture
def kiosk(units: list[Path], tmp_path: Path) -> dict[str, str]:
    """The environment in which systemd-analyze sees the table's unit with the drop-in of the Wayland kiosk."""
    folder = tmp_path / "guandan-table.service.d"
    folder.mkdir()
    text = re.sub(r"/usr/bin/cage|/opt/guandan/current/.venv/bin/python", "/usr/bin/env", KIOSK.read_text("utf-8"))
    (folder / "wayland.conf").write_text(text, "utf-8")
    return {**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"}


@needs_systemd
def test_the_wayland_kiosk_is_taken_without_a_word_and_as_hardened(kiosk: dict[str, str], tmp_path: Path) -> None:
    unit = tmp_path / "guandan-table.service"
    told = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=yes", unit], capture_output=True, text=True, env=kiosk
    )
    ours = [line for line in told.stderr.splitlines() if "guandan" in line and "seatd.service" not in line]
    assert ours == []
    (tmp_path / "guandan-table.service.d" / "wayland.conf").write_text("[Service]\nNotifyAcces=all\n", "utf-8")
    wrong = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, env=kiosk)
    assert "NotifyAcces" in wrong.stderr, "the drop-in is read"


def test_in_the_kiosk_the_sign_of_life_comes_from_cages_child(tmp_path: Path) -> None:
    """systemd names cage in WATCHDOG_PID; the table is another process, and would keep silent."""
    (started,) = [line for line in keys(KIOSK)["ExecStart"] if line]
    words = started.partition(" -- ")[2].split()
    program = words.index("/opt/guandan/current/.venv/bin/python")
    told = "import time; from table.watchdog import Watchdog; Watchdog(time.monotonic).turned(time.monotonic())"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(20)
        environment = {
            "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1",
            "PYTHONPATH": str(HOME),
        }  # fmt: skip
        subprocess.run([*words[:program], sys.executable, "-c", told], check=True, env={**os.environ, **environment})
        assert systemd.recv(100) == b"WATCHDOG=1"


def keys(unit: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in unit.read_text("utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            found.setdefault(line.partition("=")[0], []).append(line.partition("=")[2])
    return found


def test_nothing_in_the_hardening_takes_a_device_away() -> None:
    table = keys(HOME / "systemd" / "guandan-table.service")
    closing = {"PrivateDevices", "DevicePolicy", "DeviceAllow", "ProtectClock", "PrivateUsers", "DynamicUser",
               "MemoryDenyWriteExecute", "PrivateNetwork"}  # fmt: skip
    assert not closing & set(table)
    assert set(table["SupplementaryGroups"][0].split()) >= {"video", "render", "input", "gpio", "dialout", "lp"}
    assert table["Type"] == ["notify"] and int(table["WatchdogSec"][0]) <= 60
    environment = " ".join(table["Environment"])
    assert "GPIOZERO_PIN_FACTORY=lgpio" in environment and "LG_WD=/run/guandan" in environment
    assert "network" not in " ".join(table.get("After", []) + table.get("Wants", []))


def test_what_the_table_asks_for_is_what_the_root_unit_watches() -> None:
    (watch,) = WATCHES
    ask = keys(watch)["PathExists"][0]
    unit = keys(HOME / "systemd" / f"{watch.stem}.service")
    program = HOME / "systemd" / Path(unit["ExecStart"][0].split()[-1]).name
    text = program.read_text("utf-8")
    assert ask == "/var/lib/guandan/release/ask.json"
    assert 'root / "var/lib/guandan/release"' in text and "ask.json" in text
    assert home.release_directory().name == Path(ask).parent.name
    # It may write where it has to, and speaks to nobody.
    written = " ".join(unit["ReadWritePaths"]).replace("-/", "/").split()
    needed = {"/opt", "/etc/systemd/system", "/usr/local/lib", "/var/lib/guandan", "/var/lib/guandan-release"}
    assert needed <= set(written)
    assert unit["PrivateNetwork"] == ["yes"] and unit["Type"] == ["oneshot"] and "User" not in unit


def test_the_groups_of_the_service_are_made_by_the_installer() -> None:
    groups = keys(HOME / "systemd" / "guandan-table.service")["SupplementaryGroups"][0].split()
    made = re.search(r"for group in (.*); do", (HOME / "systemd" / "install.sh").read_text("utf-8"))
    assert made is not None and set(groups) == set(made.group(1).split())


def test_the_names_of_the_wiring_plan_are_made_by_the_udev_rules() -> None:
    rules = (HOME / "systemd" / "70-guandan.rules").read_text("utf-8")
    plan = wiring.load()
    for path in (plan.box, plan.clock, plan.printer):
        assert path is not None and f'SYMLINK+="{path.removeprefix("/dev/")}"' in rules
    for line in rules.splitlines():
        if line and not line.startswith("#"):
            parts = line.split(", ")
            assert all(re.fullmatch(r'[A-Z]+(\{\w+\})?(==|=|\+=|!=)"[^"]*"', part) for part in parts), line


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_the_scripts_are_plain_shell(script: Path) -> None:
    assert os.access(script, os.X_OK)
    subprocess.run(["sh", "-n", script], check=True)


def test_an_unknown_option_is_one_sentence() -> None:
    told = subprocess.run([HOME / "systemd" / "install.sh", "--unistall"], capture_output=True, text=True)
    assert told.returncode == 2 and told.stderr == "install.sh: unknown: --unistall (see the head of this file)\n"


PROGRAMS = {"cage": "usr/bin/cage", "seatd": "usr/sbin/seatd", "xwayland": "usr/bin/Xwayland"}
"""Debian's package → its program."""


def kiosk_programs(root: Path, *packages: str) -> None:
    """Lay what stands for the programs of *packages*, all three if none is named, into the tree at *root*."""
    for package in packages or PROGRAMS:
        program = root / PROGRAMS[package]
        program.parent.mkdir(parents=True, exist_ok=True)
        if not program.exists():
            program.write_text("#!/bin/sh\n", "utf-8")
            program.chmod(0o755)


# What stands for the tree's own programs: apt-get lays what it can get, $GET, and the rest of the tree is not there.
CHROOT = """#!/bin/sh
root=$1 && shift
echo "$*" >>"$root/asked"
case $* in *apt-get*)
    for each in $GET; do
        mkdir -p "$root/usr/bin" "$root/usr/sbin"
        case $each in xwayland) at=usr/bin/Xwayland ;; seatd) at=usr/sbin/seatd ;; *) at=usr/bin/$each ;; esac
        echo >"$root/$at" && chmod 0755 "$root/$at"
    done
    [ -n "$GET" ] ;;
esac
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="the installer wants root")
@pytest.mark.parametrize(
    ("there", "get", "wheels", "asks", "says"),
    [
        ("", "cage seatd xwayland", False, "cage seatd xwayland", "python3 is missing"),
        ("cage", "seatd xwayland", False, "seatd xwayland", "python3 is missing"),
        ("cage seatd xwayland", "", False, None, "python3 is missing"),
        ("", "", False, "cage seatd xwayland", "sudo apt-get install cage seatd xwayland"),
        ("cage seatd", "xwayland", True, None, "sudo apt-get install xwayland"),
    ],
)
def test_a_wayland_kiosk_has_its_packages_or_they_are_named(
    tmp_path: Path, there: str, get: str, wheels: bool, asks: str | None, says: str
) -> None:
    """Before anything else is looked for or changed; the tree here has nothing else, not even Python."""
    tree, programs = tmp_path / "tree", tmp_path / "programs"
    tree.mkdir()
    programs.mkdir()
    (programs / "chroot").write_text(CHROOT, "utf-8")
    (programs / "chroot").chmod(0o755)
    if there:
        kiosk_programs(tree, *there.split())
    told = subprocess.run(
        [HOME / "systemd/install.sh", "--root", tree, "--kiosk", "wayland",
         *(("--wheelhouse", tmp_path) if wheels else ())],
        capture_output=True, text=True, env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "GET": get},
    )  # fmt: skip
    asked = (tree / "asked").read_text("utf-8") if (tree / "asked").exists() else None
    assert told.returncode == 1 and says in told.stderr.splitlines()[-1]
    assert (asked is None) == (asks is None)
    assert asked is None or asked.rstrip().endswith(f"apt-get install -y -q --no-install-recommends {asks}")
    assert not (tree / "opt").exists() and not (tree / "etc").exists()


TREE, WHEELS = os.environ.get("GUANDAN_TREE"), os.environ.get("GUANDAN_WHEELS")


needs_tree = pytest.mark.skipif(not (TREE and WHEELS and os.geteuid() == 0), reason="no bare tree was given")


@needs_tree
def test_a_bare_tree_is_installed_updated_rolled_back_and_cleaned() -> None:
    root = Path(str(TREE))
    source = root / "src"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(HOME, source, ignore=shutil.ignore_patterns(".git", ".venv", "tests", "benchmarks", "__pycache__"))
    shutil.copytree(str(WHEELS), root / "wheels", dirs_exist_ok=True)

    def inside(*words: str) -> subprocess.CompletedProcess[str]:
        """Without a network, without this machine's environment."""
        return subprocess.run(
            ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "unshare", "-n", "chroot", str(root), *words],
            capture_output=True, text=True,
        )  # fmt: skip

    def install(*words: str) -> str:
        told = inside("/src/systemd/install.sh", "--wheelhouse", "/wheels", *words)
        assert told.returncode == 0, told.stderr
        return (root / "opt/guandan/current").readlink().name if (root / "opt/guandan/current").is_symlink() else ""

    install("--purge")
    first = install()
    assert inside("/usr/local/bin/guandan", "--help").returncode == 0
    kept = {path: path.stat().st_mtime_ns for path in (root / "opt").rglob("*") if path.is_file()}
    (root / "etc/guandan/table.env").write_text("GUANDAN_OPTIONS=--camera ribbon\n", "utf-8")
    assert install() == first
    assert kept == {path: path.stat().st_mtime_ns for path in (root / "opt").rglob("*") if path.is_file()}
    assert "ribbon" in (root / "etc/guandan/table.env").read_text("utf-8"), "a machine's settings are its own"
    with (source / "cli/doctor.py").open("a", encoding="utf-8") as file:
        file.write("# another release\n")
    assert install("--stage") == first
    second = install("--switch")
    assert second != first
    assert install("--rollback") == first
    install("--uninstall")
    left = [str(path.relative_to(root)) for path in (root / "etc").rglob("*guandan*")]
    assert left == ["etc/guandan"] and not (root / "opt/guandan").exists()
    install("--purge")
    assert not (root / "etc/guandan").exists()
