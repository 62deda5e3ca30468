"""What keeps a database from its work, as a sentence: a full disk, a file that is none, a silent server."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from venue.sentences import Sentence

LEAST: Final = 1 << 20
"""Bytes without which a disk counts as full."""
_SPACE: Final = {errno.ENOSPC, errno.EDQUOT}
_RIGHTS: Final = {errno.EROFS, errno.EACCES, errno.EPERM}
_FULL: Final = {"53100"}
"""PostgreSQL's own word for a full disk."""


def _no_room(where: Path | str) -> bool:
    """Whether the disk of *where* has no room: SQLite calls it a failing disk when its shared index cannot grow."""
    try:
        return shutil.disk_usage(Path(where).parent).free < LEAST
    except OSError:
        return False


def cause_of(error: BaseException, where: Path | str = "") -> Sentence | None:
    """Why the machine refused, None where it is no machine's doing but a fault. *where* names the database.

    Codes are SQLite's (sqlite.org/rescode.html), PostgreSQL's SQLSTATE classes and the system's.
    """
    if isinstance(error, SQLAlchemyError):
        inner = getattr(error, "orig", None)
        return cause_of(inner, where) if inner is not None else None
    if isinstance(error, OSError):
        if error.errno in _SPACE:
            return Sentence("disk_full")
        return Sentence("disk_read_only") if error.errno in _RIGHTS else None
    name = str(getattr(error, "sqlite_errorname", None) or "")
    if name.startswith("SQLITE_FULL"):
        return Sentence("disk_full")
    if name.startswith("SQLITE_NOTADB") or name.startswith("SQLITE_CORRUPT"):
        return Sentence("no_database", file=where)
    if name.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_CANTOPEN")):
        return Sentence("disk_read_only")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return Sentence("database_busy")
    if name.startswith("SQLITE_IOERR"):
        return Sentence("disk_full") if _no_room(where) else Sentence("disk_fails")
    state = getattr(error, "sqlstate", None)
    if state in _FULL:
        return Sentence("disk_full")
    if type(error).__module__.startswith("psycopg") and (state is None or str(state)[:2] in ("08", "28", "3D", "57")):
        return Sentence("no_server")
    return None
