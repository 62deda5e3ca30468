"""Files that the venue hands to its tables, deck profiles and releases: kept by their hash beside the database.

What comes from a browser is put together under a name that the browser chose, and gets its hash here: a page over plain
``http`` cannot compute one. What comes from a table was announced by its hash. Neither counts before it is whole and is
what it says it is (:mod:`venue.store.handout_files`).
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from venue.protocol import canonical
from venue.sentences import Impossible
from venue.store import log, schema

DECK: Final = "deck"
RELEASE: Final = "release"
DIRECTIVE: Final = {DECK: "deck_profile", RELEASE: "release"}
"""What a table is told, by the kind of the file."""
LARGEST: Final = {DECK: 8 << 20, RELEASE: 1 << 30}
"""Bytes of one file."""
MOST: Final = {DECK: 60, RELEASE: 6}
"""Files that are kept at a time."""
BROUGHT: Final = 4 << 20
"""Bytes that one request of a browser may bring."""
MOST_PARTS: Final = 24
"""Files that may be coming at the same time, and the seconds after which one that does not go on is forgotten."""
PART_LIVES: Final = 86400.0
FETCHED: Final = 512 << 10
"""Bytes that a table gets at once."""
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_UPLOAD: Final = re.compile(r"[0-9a-f]{8,64}")


class Handouts:
    """The folder of the files. Names are hashes or checked words: nothing that came from outside is ever a path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._turn = threading.Lock()

    def path(self, name: str) -> Path:
        """Where the whole file lies.

        :raises Impossible: when *name* is no hash.
        """
        if not _HASH.fullmatch(name):
            raise Impossible("file_name")
        return self.folder / name

    def part(self, source: str) -> Path:
        """Where a file lies that is still coming.

        :raises Impossible: when *source*, its sender's word for it, is none.
        """
        if not _UPLOAD.fullmatch(source):
            raise Impossible("file_name")
        return self.folder / f"{source}.part"

    def have(self, part: Path) -> int:
        """How many bytes of it are here."""
        try:
            return part.stat().st_size
        except FileNotFoundError:
            return 0

    def put(self, part: Path, offset: int, piece: bytes) -> int:
        """Put *piece* behind the *offset* bytes that are here; how many there are now.

        Another count than *offset* + the piece's: it has to go on from there. On the disk when this returns.

        :raises Impossible: when too many files are coming already.
        """
        with self._turn:
            self.folder.mkdir(parents=True, exist_ok=True)
            if not part.exists():
                self._make_room()
            if offset > self.have(part):
                return self.have(part)
            with part.open("r+b" if offset else "wb") as file:
                file.seek(offset)
                file.truncate()
                file.write(piece)
                file.flush()
                os.fsync(file.fileno())
                return file.tell()

    def _make_room(self) -> None:
        """Another file begins to come: those that somebody left half-way go."""
        left = []
        for each in self.folder.glob("*.part"):
            if time.time() - each.stat().st_mtime > PART_LIVES:
                each.unlink(missing_ok=True)
            else:
                left.append(each)
        if len(left) >= MOST_PARTS:
            raise Impossible("files_many", most=MOST_PARTS)

    def keep(self, part: Path, name: str | None = None) -> tuple[str, int]:
        """The part is whole: its hash and its size, once it lies under its hash.

        :raises Impossible: when *name*, the hash it was announced by, is another; the part is deleted then.
        """
        with part.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
        if name is not None and found != name:
            part.unlink(missing_ok=True)
            raise Impossible("file_hash")
        part.replace(self.path(found))
        return found, size

    def read(self, name: str, offset: int) -> bytes:
        """The next piece of the file *name* from *offset* on, empty behind its end.

        :raises OSError: when it is not here.
        """
        with self.path(name).open("rb") as file:
            file.seek(offset)
            return file.read(FETCHED)

    def remove(self, name: str) -> None:
        """Delete the file *name*."""
        self.path(name).unlink(missing_ok=True)


def withdraw(
    connection: Connection, kind: str, now: float, *, places: Iterable[str] | None = None, name: str | None = None
) -> None:
    """What was said of files of this *kind* and no table has heard yet is not said any more: at *places*, about *name*,
    or both."""
    told = schema.directives
    wanted = (told.c.kind == DIRECTIVE[kind]) & (told.c.state == "queued")
    if places is not None:
        wanted &= told.c.place.in_(list(places))
    if name is not None:
        wanted &= told.c.data.contains(canonical({"sha256": name})[1:-1], autoescape=True)
    rows = connection.execute(
        sa.update(told).where(wanted).values(state="withdrawn", changed=now).returning(told.c.id, told.c.place)
    )
    for row in rows.all():
        said = {"id": row.id, "state": "withdrawn", "why": None}
        log.note(connection, "directive_answered", said, now=now, place=row.place)


def note_here(
    connection: Connection, about: dict[str, Any], now: float, *, place: str | None = None, person: str | None = None
) -> log.Entry:
    """A file is here: what it is (``sha256 size kind`` and what it says of itself)."""
    return log.note(connection, "handout", about, now=now, place=place, person=person)
