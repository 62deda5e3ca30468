"""The journal's two files kept as one: the database, and the log from which it is built anew when it is damaged.

The database is written first, then the log, and once the log is on the disk so is the event: one wait for the disk an
input, not two. A power cut may take the database's last commits (WAL with ``synchronous=NORMAL`` stays whole but does
not wait); the log gives them back at the next opening.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from engine.errors import GuandanError
from table.journal_log import Entry, Key, Log, count, joined, log_path, read, sync_folder

SCHEMA: Final = 1
PATIENCE: Final = 3.0
"""Seconds to wait for a program that still has the file open, as one that was just killed may for a moment."""
COLUMNS: Final = "kind, payload, device, epoch, seq, monotonic, wall, evidence"
READ_ONLY: Final = (errno.EROFS, errno.EACCES, errno.EPERM)


class JournalRefused(GuandanError):
    """The journal cannot be used: damaged, of another program, or in use."""


class DiskTrouble(Exception):
    """The disk took nothing of it; *kind* is ``full``, ``readonly`` or ``broken``."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind


class Damaged(Exception):
    """The database's pages do not fit together."""


def trouble_of(error: Exception) -> str | None:
    """What kind of disk trouble an error is; None when the disk is not to blame."""
    if isinstance(error, sqlite3.Error):
        kinds = {
            sqlite3.SQLITE_FULL: "full", sqlite3.SQLITE_READONLY: "readonly", sqlite3.SQLITE_CANTOPEN: "readonly",
            sqlite3.SQLITE_IOERR: "broken",
        }  # fmt: skip
        return kinds.get(getattr(error, "sqlite_errorcode", -1) & 0xFF)
    if isinstance(error, OSError):
        return {**dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "full"), **dict.fromkeys(READ_ONLY, "readonly")}.get(
            error.errno or 0, "broken"
        )
    return None


def _is_damage(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", -1) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or isinstance(error, Damaged)


class Store:
    """The files of one journal, open for one thread.

    With *survive* a disk that cannot be written, or a damaged database without a log, is no reason to refuse: what can
    be read is read, and the rest waits in memory. *reserve* is how many bytes are kept back for a full disk.

    :raises JournalRefused: when the file is another program's, in use, or cannot be used and *survive* is not asked
    for.
    """

    def __init__(self, path: Path, survive: bool = False, reserve: int = 0) -> None:
        self.path = path
        self.on_disk = True
        self.trouble: str | None = None
        self.rebuilt: int | None = None
        """How many events were put back from the log after damage; None when nothing was damaged."""
        self.aside: Path | None = None
        """Where the damaged database lies now."""
        self._log: Log | None = None
        self._reserve = path.with_name(path.name + ".reserve")
        try:
            self.db = self._open_files(survive)
        except (sqlite3.Error, OSError, Damaged) as error:
            kind = self._kind(error)
            if not survive or kind is None:
                raise refusal(path, error) from None
            self.trouble, self.on_disk, self.db = kind, False, _in_memory(joined(_readable(path)))
        if reserve and self.on_disk:
            _set_aside(self._reserve, reserve)

    # -- reading and writing --------------------------------------------------------------------------------------

    def write(self, batches: Sequence[Sequence[Entry]], tried: int = 0) -> list[sqlite3.Error | None]:
        """Put *batches* on disk, each all or none; for each the error that is its own, or None. The first *tried* were
        to be written before, and may be there already.

        :raises DiskTrouble: when the disk took nothing; everything is to be written again later.
        """
        if not self.on_disk:
            for batch in batches:
                _insert(self.db, batch, "INSERT OR IGNORE")
            self._come_back()
        errors = self._write_all(batches, tried)
        if self._log is not None:
            good = [batch for batch, error in zip(batches, errors, strict=True) if error is None]
            try:
                self._log.append(good)
                self.trouble = None
            except OSError as error:
                self.trouble = self._kind(error)
                self._sync_database()  # the log catches up at the next opening
        return errors

    def _sync_database(self) -> None:
        """Without the log the database has to be on the disk by itself."""
        try:
            self.db.execute("PRAGMA wal_checkpoint(FULL)")
        except sqlite3.Error as error:
            kind = self._kind(error) or "broken"
            raise DiskTrouble(kind, str(error)) from error

    def _write_all(self, batches: Sequence[Sequence[Entry]], tried: int) -> list[sqlite3.Error | None]:
        error = self._write([entry for batch in batches for entry in batch])
        if error is None:
            return [None] * len(batches)
        # One of them is to blame, and the others must not suffer for it.
        errors = [self._write(batch) for batch in batches]
        for place, batch in enumerate(batches[:tried]):
            if errors[place] is not None and self._has(batch):
                errors[place] = None
        return errors

    def _write(self, entries: Sequence[Entry], again: bool = True) -> sqlite3.Error | None:
        try:
            self.db.execute("BEGIN IMMEDIATE")
            _insert(self.db, entries)
            self.db.execute("COMMIT")
            return None
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                self.db.execute("ROLLBACK")
            kind = self._kind(error)
            if _is_damage(error) and again:
                self._rebuild()
                return self._write(entries, again=False)
            if kind == "full" and self._reserve.exists():
                self._reserve.unlink()  # kept for this: the evening ends on it
                return self._write(entries, again)
            if kind is not None:
                self.trouble = kind
                raise DiskTrouble(kind, str(error)) from error
            return error

    def _has(self, entries: Sequence[Entry]) -> bool:
        return all(
            rows(self.db, "WHERE device = ? AND epoch = ? AND seq = ?", entry.key) == [entry] for entry in entries
        )

    def forget(self, last: int) -> int:
        """Let go of all matches but the last *last*; how many events went."""
        epochs = [row[0] for row in self.db.execute("SELECT DISTINCT epoch FROM events ORDER BY 1 DESC")]
        if not self.on_disk or len(epochs) <= last:
            return 0
        gone = self.db.execute("DELETE FROM events WHERE epoch < ?", (epochs[last - 1],)).rowcount
        self.db.execute("VACUUM")
        if self._log is not None:
            self._log.replace([[entry] for entry in rows(self.db)])
        return gone

    def close(self) -> None:
        self.db.close()
        if self._log is not None:
            self._log.close()

    def _kind(self, error: Exception) -> str | None:
        kind = trouble_of(error)
        with contextlib.suppress(OSError):  # the database calls a disk that was remounted an I/O error
            if kind == "broken" and os.statvfs(self.path.parent).f_flag & os.ST_RDONLY:
                return "readonly"
        return kind

    # -- opening, healing -----------------------------------------------------------------------------------------

    def _open_files(self, survive: bool) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        log, fresh = log_path(self.path), not self.path.exists()
        try:
            db = _open(self.path)
        except (sqlite3.Error, Damaged) as error:
            if not _is_damage(error) or not (survive or log.exists()):
                raise
            self._move_aside()
            db, fresh = _open(self.path), True
        try:
            self._log = Log(log)
            in_log, in_db = count(log), db.execute("SELECT count(*) FROM events").fetchone()[0]
            if in_log != in_db:
                back = self._reconcile(db)
                if fresh or back:
                    self.rebuilt = back
            elif self.aside is not None:
                self.rebuilt = 0
        except BaseException:
            db.close()
            raise
        return db

    def _reconcile(self, db: sqlite3.Connection) -> int:
        """Give each of the two what it lacks; how many events the database got back."""
        assert self._log is not None
        known: dict[Key, Entry] = {entry.key: entry for entry in rows(db)}
        logged = read(self._log.path)
        missing = [entry for entry in joined([*known.values(), *logged]) if entry.key not in known]
        if missing:
            db.execute("BEGIN IMMEDIATE")
            _insert(db, missing)
            db.execute("COMMIT")
        if len({entry.key for entry in logged}) != len(logged) or not known.keys() <= {e.key for e in logged}:
            self._log.replace([[entry] for entry in rows(db)])
        return len(missing)

    def _move_aside(self) -> None:
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        self.path.rename(aside)
        for tail in ("-wal", "-shm"):
            beside = self.path.with_name(self.path.name + tail)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + tail))
        sync_folder(self.path.parent)
        self.aside = aside

    def _rebuild(self) -> None:
        """The database broke while it was open: put what the log holds into a new one and go on."""
        self.close()
        try:
            self._move_aside()
            self.db = self._open_files(survive=True)
        except (sqlite3.Error, OSError, Damaged) as error:
            self.trouble, self.on_disk = self._kind(error) or "broken", False
            self.db = _in_memory(joined(_readable(self.path)))
            raise DiskTrouble(self.trouble, str(error)) from error

    def _come_back(self) -> None:
        """The disk could not be used so far: try once more."""
        try:
            fresh = self._open_files(survive=True)
        except (sqlite3.Error, OSError, Damaged, JournalRefused) as error:
            self.trouble = self._kind(error) or "broken"
            raise DiskTrouble(self.trouble, str(error)) from error
        self.db.close()
        self.db, self.on_disk = fresh, True


# -- SQL --------------------------------------------------------------------------------------------------------------


def rows(db: sqlite3.Connection, where: str = "", values: Iterable[Any] = (), most: int = -1) -> list[Entry]:
    """Entries in order."""
    found = db.execute(f"SELECT {COLUMNS} FROM events {where} ORDER BY device, epoch, seq LIMIT ?", (*values, most))
    return [
        Entry(kind, json.loads(payload), device, epoch, seq, monotonic, wall, json.loads(evidence))
        for kind, payload, device, epoch, seq, monotonic, wall, evidence in found
    ]


def _insert(db: sqlite3.Connection, entries: Sequence[Entry], how: str = "INSERT") -> None:
    db.executemany(
        f"{how} INTO events ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?)",
        [(e.kind, _json(e.payload), e.device, e.epoch, e.seq, e.monotonic, e.wall, _json(e.evidence))
         for e in entries],
    )  # fmt: skip


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _create(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE events (device TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,"
        " kind TEXT NOT NULL, payload TEXT NOT NULL, monotonic REAL NOT NULL, wall REAL NOT NULL,"
        " evidence TEXT NOT NULL, PRIMARY KEY (device, epoch, seq)) WITHOUT ROWID"
    )
    db.execute(f"PRAGMA user_version = {SCHEMA}")


def _in_memory(entries: Sequence[Entry]) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None)
    _create(db)
    _insert(db, entries)
    return db


def _open(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        # One program per journal: two writers would give one seq to two events.
        db.execute("PRAGMA locking_mode=EXCLUSIVE")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise Damaged("its pages do not fit together")
        db.execute("BEGIN IMMEDIATE")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise JournalRefused(f"{path} belongs to another program: give another --journal")
            _create(db)
        elif version != SCHEMA:
            raise JournalRefused(f"{path} was written by a newer version of this program: update it to read the match")
        db.execute("COMMIT")
    except BaseException:
        db.close()
        raise
    return db


def _readable(path: Path) -> list[Entry]:
    try:
        return read(log_path(path))
    except OSError:
        return []


def _set_aside(path: Path, size: int) -> None:
    """Keep *size* bytes back, unless the disk is nearly full already."""
    with contextlib.suppress(OSError):
        free = os.statvfs(path.parent)
        if path.exists() or free.f_bavail * free.f_frsize < 4 * size:
            return
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.posix_fallocate(handle, 0, size)
        finally:
            os.close(handle)


def refusal(path: Path, error: Exception) -> JournalRefused:
    """The sentence for an error that stops the table."""
    text = str(error)
    if "locked" in text or "busy" in text:
        return JournalRefused(f"{path} is in use by another table program: close that one first")
    if isinstance(error, OSError) or trouble_of(error) is not None:
        return JournalRefused(f"{path} cannot be opened for writing ({text}): give another --journal")
    return JournalRefused(f"the journal {path} is damaged or is none ({text}): move it aside, then start again")
