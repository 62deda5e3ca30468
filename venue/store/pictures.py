"""Pictures and clips of alerts: announced in a table's log, sent apart by their hash, kept beside the database.

A file is taken only when the table that sends it has announced its hash, size and kind; piece after piece, so that a
line that breaks goes on where it was; and it counts only once its bytes have the hash they were announced by.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from venue.sentences import Impossible
from venue.store import schema
from venue.store.log import Entry

LARGEST: Final = 24 * 1024 * 1024
"""Bytes of one file."""
PIECE: Final = 512 * 1024
"""Bytes that one request may bring."""
MOST_FILES: Final = 24
"""Files of one alert."""
TYPES: Final = frozenset({"image/jpeg", "image/png", "image/webp", "video/mp4", "video/webm"})
_NAME: Final = re.compile(r"[0-9a-f]{64}")


def files_of(event: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The files that an ``evidence`` event announces; what cannot be one is left out."""
    given = event.get("files")
    found = []
    for each in given[:MOST_FILES] if isinstance(given, list) else []:
        if not isinstance(each, Mapping):
            continue
        name, size, kind = each.get("sha256"), each.get("size"), each.get("type")
        fits = isinstance(size, int) and not isinstance(size, bool) and 0 < size <= LARGEST
        if isinstance(name, str) and _NAME.fullmatch(name) and fits and kind in TYPES:
            told = {"sha256": name, "size": size, "type": kind, "kind": str(each.get("kind") or "")[:20]}
            for more in ("seat", "candidates"):
                if each.get(more) is not None:
                    told[more] = each[more]
            found.append(told)
    return found


def announce(connection: Connection, entries: Sequence[Entry]) -> None:
    """Note down what the new *entries* of a table's log announce."""
    for entry in entries:
        if entry.kind != "evidence":
            continue
        for each in files_of(entry.event):
            row = known(connection, each["sha256"])
            if row is not None and row.place == entry.place:  # the same table, paired anew, goes on with its file
                same = schema.pictures.c.sha256 == row.sha256
                connection.execute(sa.update(schema.pictures).where(same).values(device=entry.device))
            if row is None:
                connection.execute(
                    sa.insert(schema.pictures).values(
                        sha256=each["sha256"], device=entry.device, place=entry.place, match=entry.match,
                        alert=str(entry.event.get("alert") or ""), type=each["type"], size=each["size"], have=0,
                        made=entry.received, done=None, gone=None,
                    )
                )  # fmt: skip


def known(connection: Connection, name: str) -> Any:
    """The row of the file *name*, None when nobody announced it."""
    return connection.execute(sa.select(schema.pictures).where(schema.pictures.c.sha256 == name)).first()


def received(connection: Connection, name: str, have: int, whole: bool, now: float) -> None:
    """So many bytes of the file *name* are on the shelf, and *whole* when they are what was announced."""
    values: dict[str, Any] = {"have": have} | ({"done": now} if whole else {})
    connection.execute(sa.update(schema.pictures).where(schema.pictures.c.sha256 == name).values(values))


def gone(connection: Connection, names: Sequence[str], now: float) -> None:
    """These files were deleted; that they were there stays written down."""
    these = schema.pictures.c.sha256.in_(list(names))
    connection.execute(sa.update(schema.pictures).where(these).values(gone=now))


class Shelf:
    """The folder of the files. Names are hashes, so that nothing that came from outside is ever a path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._turn = threading.Lock()

    def path(self, name: str) -> Path:
        """Where the whole file lies.

        :raises Impossible: when *name* is no hash.
        """
        if not _NAME.fullmatch(name):
            raise Impossible("picture_name")
        return self.folder / name[:2] / name

    def put(self, name: str, size: int, offset: int, piece: bytes) -> tuple[int, bool]:
        """Put *piece* behind the *offset* bytes that are here: how many there are now, and whether the file is whole.

        0 when what came is not what the name says, or less is here than was thought: it has to come again.
        """
        whole = self.path(name)
        part = whole.with_suffix(".part")
        with self._turn:
            part.parent.mkdir(parents=True, exist_ok=True)
            with part.open("r+b" if offset and part.exists() else "wb") as file:
                if file.seek(0, os.SEEK_END) < offset:  # the database is newer than the folder
                    return 0, False
                file.seek(offset)
                file.truncate()
                file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            if offset + len(piece) < size:
                return offset + len(piece), False
            if hashlib.sha256(part.read_bytes()).hexdigest() != name:
                part.unlink()
                return 0, False
            part.replace(whole)
            return size, True

    def remove(self, name: str) -> None:
        """Delete the file *name*, whole or not."""
        self.path(name).unlink(missing_ok=True)
        self.path(name).with_suffix(".part").unlink(missing_ok=True)


def still_here(connection: Connection) -> list[Any]:
    """The rows of all files that were not deleted."""
    return list(connection.execute(sa.select(schema.pictures).where(schema.pictures.c.gone.is_(None))))
