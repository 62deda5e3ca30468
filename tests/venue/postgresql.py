"""A PostgreSQL server of the tests' own, from Debian's package: made in a temporary folder, gone afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

GIVEN = "GUANDAN_TEST_POSTGRESQL"
"""Names a server that is there already; its database is emptied."""


def programs() -> Path | None:
    """Where Debian's package puts the server, the newest version; None when it is not installed."""
    found = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if (path / "initdb").exists()]
    return max(found, key=lambda path: int(path.parent.name), default=None)


def _may_run() -> bool:
    if os.getuid() != 0:
        return True
    try:
        pwd.getpwnam("postgres")
    except KeyError:
        return False
    return shutil.which("runuser") is not None


def missing() -> str | None:
    """Why there is no server to test with, None when there is one."""
    if os.environ.get(GIVEN):
        return None
    if programs() is None:
        return f"no PostgreSQL here: apt-get install postgresql, or name a server in {GIVEN}"
    return None if _may_run() else "PostgreSQL does not run as root, and there is no user postgres"


class Server:
    """Running from the moment it is made until :meth:`stop`. It forgets, unless it is *durable*: then as it is sold."""

    def __init__(self, durable: bool = False) -> None:
        found = programs()
        assert found is not None
        self._programs = found
        self._folder = Path(tempfile.mkdtemp(prefix="guandan-postgresql-"))
        if os.getuid() == 0:  # it refuses to run as root
            shutil.chown(self._folder, "postgres", "postgres")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._data = str(self._folder / "data")
        self._run("initdb", "-D", self._data, "-A", "trust", "-U", "guandan", "--no-sync", "-E", "UTF8", "--locale=C")
        careless = "" if durable else "-c fsync=off -c full_page_writes=off "
        self._options = f"-p {port} -k {self._folder} -c listen_addresses=127.0.0.1 {careless}-c max_connections=200"
        self.url = f"postgresql://guandan@127.0.0.1:{port}/postgres"
        self.start()

    def start(self) -> None:
        """Start it, for the first time or after it was stopped."""
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", self._data, "-o", self._options, "-l", log, "-w", "-t", "60", "start")
        self.process = int((self._folder / "data" / "postmaster.pid").read_text("utf-8").splitlines()[0])

    def crash(self) -> None:
        """End at once, as in a power cut: what was committed comes back from its log with the next start."""
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "stop")

    def _run(self, program: str, *words: str) -> None:
        as_whom = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        command = [*as_whom, str(self._programs / program), *words]
        told = subprocess.run(
            command, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        assert told.returncode == 0, told.stderr

    def stop(self) -> None:
        self.crash()
        shutil.rmtree(self._folder, ignore_errors=True)
