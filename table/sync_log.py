"""What travels between this table and the venue, on the table's own disk beside the journal.

The journal is the log. This file only gives its lines the numbers under which they travel, keeps what the table says
between them (alerts with their evidence), and what the venue has told. Lost with the card, it is made again from the
journal under a new epoch, and the venue knows the match by the same name.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from table.journal import Entry, Journal, JournalRefused
from venue.protocol import Acknowledgement, Directive, SyncEvent, canonical

SCHEMA: Final = 1
READ_AT_ONCE: Final = 200
REMEMBERED: Final = 100
"""Answers that are given once more after a restart: whether they arrived is not known."""


def match_name(first: Entry) -> str:
    """The name of a match by its first line: the venue's where it gave one, else the same from the same journal."""
    given = first.evidence.get("match")
    if isinstance(given, str) and given:
        return given
    text = f"{first.device}|{first.wall!r}|{first.monotonic!r}|{json.dumps(first.payload, sort_keys=True)}"
    return "m-" + hashlib.sha256(text.encode()).hexdigest()[:12]


class SyncLog:
    """An open sync file; any thread may use it.

    :raises JournalRefused: when the file cannot be used.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = threading.RLock()
        self._names: dict[int, str] = {}
        self.acked = 0
        """The last number that the venue has on its disk; kept on ours now and then, as it may be forgotten."""
        self.deals, self.asked = 0, 0
        """Deals and plays asked about since this program started, for the fleet page."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=3, isolation_level=None, check_same_thread=False)
            self._prepare()
        except (sqlite3.Error, OSError) as error:
            raise JournalRefused(f"{self.path} cannot be used ({error}): move it aside, then start again") from None

    def _prepare(self) -> None:
        db = self._db
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, SCHEMA):
            raise sqlite3.DatabaseError("it was written by a newer version of this program")
        db.executescript(
            "CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL);"
            # a line of the journal has `own` NULL: its words stand there, once
            "CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, epoch INTEGER, line INTEGER, own TEXT,"
            " wall REAL NOT NULL, name TEXT UNIQUE);"
            "CREATE UNIQUE INDEX IF NOT EXISTS one_number ON events (epoch, line) WHERE own IS NULL;"
            # a venue restored from an old backup may use an id again: only with the same content is it the same
            "CREATE TABLE IF NOT EXISTS told (number INTEGER PRIMARY KEY, id INTEGER NOT NULL, kind TEXT NOT NULL,"
            " data TEXT NOT NULL, state TEXT NOT NULL, why TEXT, UNIQUE (id, kind, data));"
            f"PRAGMA user_version = {SCHEMA};"
        )

    def close(self) -> None:
        with self._lock, contextlib.suppress(sqlite3.ProgrammingError):  # closed already
            if self.epoch:
                self.put(acked=self.acked)
            self._db.close()

    # -- where we stand -------------------------------------------------------------------------------------------

    def get(self, name: str, otherwise: str = "") -> str:
        with self._lock:
            row = self._db.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else otherwise

    def put(self, **values: object) -> None:
        with self._writing():
            self._put(values)

    def _put(self, values: Mapping[str, object]) -> None:
        rows = [(name, str(value)) for name, value in values.items()]
        self._db.executemany("INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)", rows)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise

    @property
    def epoch(self) -> str:
        return self.get("epoch")

    @property
    def last(self) -> int:
        """The newest number given."""
        with self._lock:
            return int(self._db.execute("SELECT COALESCE(MAX(seq), 0) FROM events").fetchone()[0])

    def oldest(self, acked: int) -> float | None:
        """The wall time of the oldest event that is not acknowledged."""
        with self._lock:
            row = self._db.execute("SELECT wall FROM events WHERE seq > ? ORDER BY seq LIMIT 1", (acked,)).fetchone()
        return float(row[0]) if row else None

    def open(self, device: str, journal: Journal, continues: tuple[str, int] | None = None) -> None:
        """Make ready for *device*: goes on where the file stands, or begins a new epoch for another device or journal.

        A new epoch begins with the match that is on, behind those of its lines that the venue has: *continues* is the
        match's name and its last line there. Older matches are the affair of whoever sent them.
        """
        first = journal.after(0, 0, 1)
        identity = match_name(first[0]) if first else ""
        if self.epoch and self.get("device") == device and self.get("journal") in ("", identity):
            self.put(journal=identity)
            self.acked = int(self.get("acked", "0"))
            return
        epochs = journal.epochs()
        place = (max(epochs[-1] - 1, 0), 1 << 40) if epochs else (0, 0)
        if epochs and continues is not None and continues[0] == self.name_of(epochs[-1], journal):
            place = (epochs[-1], continues[1])
        self.acked = 0
        with self._writing():
            self._db.execute("DELETE FROM events")
            if self.get("device") != device:
                self._db.execute("DELETE FROM told")
                # another venue has none of our pictures and decks
                self._db.execute("DELETE FROM state WHERE name LIKE 'sent %' OR name LIKE 'deck %'")
                self._put({"cursor": 0})
            self._put(
                {"device": device, "journal": identity, "epoch": secrets.token_hex(8), "acked": 0,
                 "followed_epoch": place[0], "followed_line": place[1]}
            )  # fmt: skip

    # -- up -------------------------------------------------------------------------------------------------------

    def name_of(self, epoch: int, journal: Journal) -> str | None:
        """The name of match *epoch* of the journal."""
        if epoch not in self._names:
            first = journal.after(epoch, 0, 1)
            if not first or first[0].epoch != epoch:
                return None
            self._names[epoch] = match_name(first[0])
        return self._names[epoch]

    def follow(self, journal: Journal) -> bool:
        """Give numbers to what the journal holds beyond the last look; whether there was anything.

        A line that carries out a directive says so in its evidence: then that directive is done.
        """
        found = False
        with self._lock:  # mouth and ear both look: a line gets one number
            place = (int(self.get("followed_epoch", "0")), int(self.get("followed_line", "0")))
            while entries := journal.after(*place, READ_AT_ONCE):
                found, place = True, (entries[-1].epoch, entries[-1].seq)
                self._number(entries)
        return found

    def _number(self, entries: Sequence[Entry]) -> None:
        done = [each for entry in entries if isinstance(each := entry.evidence.get("directive"), int)]
        self.deals += sum(entry.kind == "deal" for entry in entries)
        self.asked += sum(entry.evidence.get("sure") is False for entry in entries)
        with self._writing():
            seq = self.last
            self._db.executemany(
                "INSERT INTO events (seq, epoch, line, own, wall, name) VALUES (?, ?, ?, NULL, ?, NULL)",
                [(seq + n, entry.epoch, entry.seq, entry.wall) for n, entry in enumerate(entries, 1)],
            )
            self._db.executemany(
                "UPDATE told SET state = 'done' WHERE id = ? AND state = 'open'", [(each,) for each in done]
            )
            self._put(
                {"followed_epoch": entries[-1].epoch, "followed_line": entries[-1].seq, "acked": self.acked}
            )  # fmt: skip
            if not self.get("journal"):
                self._put({"journal": match_name(entries[0])})

    def say(self, event: Mapping[str, Any], wall: float, name: str | None, epoch: int = 0, line: int = 0) -> bool:
        """An event beside the record, about *line* of match *epoch*; False when *name* was said before."""
        own = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
        with self._lock:
            added = self._db.execute(
                "INSERT OR IGNORE INTO events (seq, epoch, line, own, wall, name) VALUES (?, ?, ?, ?, ?, ?)",
                (self.last + 1, epoch or None, line or None, own, wall, name),
            )
        return added.rowcount > 0

    def said(self, name: str) -> bool:
        """Whether the event called *name* has its number."""
        with self._lock:
            return self._db.execute("SELECT 1 FROM events WHERE name = ?", (name,)).fetchone() is not None

    def events(self, journal: Journal, after: int, most: int) -> Sequence[SyncEvent]:
        """The events numbered behind *after*, at most *most*, as they travel."""
        with self._lock:
            rows = self._db.execute(
                "SELECT seq, epoch, line, own, wall FROM events WHERE seq > ? ORDER BY seq LIMIT ?", (after, most)
            ).fetchall()
        lines = [(epoch, line) for _, epoch, line, own, _ in rows if own is None]
        found: dict[tuple[int, int], Entry] = {}
        if lines:  # in one piece: the journal has no other lines between them
            entries = journal.after(lines[0][0], lines[0][1] - 1, len(lines))
            found = {(entry.epoch, entry.seq): entry for entry in entries}
        events: list[SyncEvent] = []
        for seq, epoch, line, own, wall in rows:
            entry = found.get((epoch, line)) if own is None else None
            if own is None and entry is None:
                break  # a journal that lost lines: what is gone cannot be sent
            event = json.loads(own) if entry is None else {"do": entry.kind, **entry.payload}
            match = self.name_of(epoch, journal) if epoch else None
            events.append(
                SyncEvent(seq=seq, event=event, match=match, line=line if match else None, wall=round(wall, 3))
            )
        return events

    # -- down -----------------------------------------------------------------------------------------------------

    def keep(self, directives: Iterable[Directive]) -> list[Directive]:
        """Put what the venue told on disk; those that are new."""
        new: list[Directive] = []
        with self._writing():
            for each in directives:
                row = (each.id, each.do, canonical(dict(each.data)))
                added = self._db.execute(
                    "INSERT OR IGNORE INTO told (id, kind, data, state) VALUES (?, ?, ?, 'open')", row
                )
                if added.rowcount:
                    new.append(each)
                self._put({"cursor": each.id})
        return new

    def settle(self, directive: int, state: str, why: str | None = None) -> bool:
        """*directive* is ``done`` or ``refused``; False when that was known."""
        with self._lock:
            changed = self._db.execute(
                "UPDATE told SET state = ?, why = ? WHERE id = ? AND state = 'open'", (state, why, directive)
            )
        return changed.rowcount > 0

    def unsettled(self) -> list[Directive]:
        """What is still to be carried out, oldest first."""
        with self._lock:
            rows = self._db.execute("SELECT id, kind, data FROM told WHERE state = 'open' ORDER BY number").fetchall()
        return [Directive(id=number, do=kind, data=json.loads(data)) for number, kind, data in rows]

    def answers(self) -> list[Acknowledgement]:
        """The last answers, oldest first."""
        with self._lock:
            rows = self._db.execute(
                "SELECT id, state, why FROM told WHERE state <> 'open' ORDER BY number DESC LIMIT ?", (REMEMBERED,)
            ).fetchall()
        return [Acknowledgement(id=number, state=state, why=why) for number, state, why in reversed(rows)]
