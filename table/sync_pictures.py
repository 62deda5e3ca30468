"""Pictures of alerts on their way to the venue: named in the log after their alert, then sent apart in pieces."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from table.evidence_shelf import Kept, Shelf
from table.journal import Journal
from table.sync_line import Answers
from table.sync_log import SyncLog

PIECE: Final = 256 * 1024
"""Bytes at a time: an event waits for one piece at most."""
PATIENCE: Final = 20.0
TRIES: Final = 3
"""How often a file that the venue will not take is offered again before it is let be."""


class ShelfPictures:
    """What lies on *shelf*; :meth:`stored` is told of each alert's files once they are whole."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self._stored: queue.SimpleQueue[Sequence[Kept]] = queue.SimpleQueue()
        self._waiting: list[Sequence[Kept]] = []
        self._sending: dict[str, tuple[Kept, int]] = {}
        """By hash: the file, and how often it was offered in vain."""
        self._log: SyncLog | None = None

    def stored(self, _alert: str, files: Sequence[Kept]) -> None:
        """These files of an alert are on the disk."""
        self._stored.put(tuple(files))

    def begin(self, log: SyncLog, journal: Journal) -> None:
        """Take up what was not sent before the power went."""
        self._log, self._journal = log, journal
        groups: dict[tuple[int, str], list[Kept]] = {}
        for kept in self.shelf.kept():
            groups.setdefault((kept.epoch, kept.alert), []).append(kept)
        self._waiting += groups.values()

    @property
    def idle(self) -> bool:
        """Whether nothing waits to be sent."""
        return self._stored.empty() and not self._sending

    def ready(self) -> Iterator[tuple[Mapping[str, Any], str, int, int]]:
        """Events that name pictures whose alert the log holds already: the event, its own name, match, line."""
        assert self._log is not None
        while not self._stored.empty():
            self._waiting.append(self._stored.get())
        waiting, self._waiting = self._waiting, []
        for files in waiting:
            first = files[0]
            match = self._log.name_of(first.epoch, self._journal)
            if match is None or not self._log.said(f"{match} {first.alert}"):
                self._waiting.append(files)  # the alert goes first, whatever it costs the pictures
                continue
            for kept in files:
                if not self._log.get(_sent(kept)):
                    self._sending.setdefault(kept.sha256, (kept, 0))
            event = {"do": "evidence", "alert": first.alert, "files": [_told(kept) for kept in files]}
            yield event, f"evidence {match} {first.alert} {first.sha256}", first.epoch, first.event

    def send_one(self, line: Answers, token: str) -> bool:
        """Send the next piece; False when nothing waits.

        :raises OSError: when the line broke: it goes on from there another time.
        """
        assert self._log is not None
        for name, (kept, tries) in list(self._sending.items()):
            path = f"/v1/evidence/{quote(name)}"
            status, body = line.post(f"{path}?offset=0", b"", token, PATIENCE)
            try:
                content = self.shelf.path(kept).read_bytes()
            except OSError:
                del self._sending[name]  # its time was over
                continue
            while status == 200 and isinstance(body, dict) and not body.get("whole"):
                have = int(body.get("have", 0))
                piece = content[have : have + PIECE]
                if not piece:
                    break
                status, body = line.post(f"{path}?offset={have}", piece, token, PATIENCE)
                if status == 200 and isinstance(body, dict) and not body.get("whole"):
                    return True  # events first, then the next piece
            if status == 200 and isinstance(body, dict) and body.get("whole"):
                self._log.put(**{_sent(kept): 1})
                del self._sending[name]
                return True
            if tries + 1 >= TRIES:
                del self._sending[name]
            else:
                self._sending[name] = (kept, tries + 1)
            return False
        return False


def _sent(kept: Kept) -> str:
    return f"sent {kept.epoch} {kept.sha256}"


def _told(kept: Kept) -> dict[str, Any]:
    told: dict[str, Any] = {"sha256": kept.sha256, "size": kept.size, "type": kept.type, "kind": kept.kind}
    if kept.seat is not None:
        told["seat"] = kept.seat
    if kept.candidates:
        told["candidates"] = [[card, p] for card, p in kept.candidates]
    return told
