"""Deck profiles over the line: the venue's is fetched, looked at, kept and read with from the next deal on; one that
was learned at this table goes up, so that the other tables can have it.

On the disk: ``venue.deck`` is what this table reads with; beside it ``handed/<hash>`` is what the venue handed out and
no deal has begun with yet. A cut at any moment leaves one of them whole, and the directive open.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from table.refusals import Sentence
from table.sync_errands import Ties
from table.sync_fetch import Fetch, NoRoom, NotGiven
from table.sync_line import Answers
from venue.protocol import Directive
from vision.errors import CannotSee
from vision.profiles import MOST_BYTES, name_in

MakesEye = Callable[[], Any]
PIECE: Final = 256 * 1024
PATIENCE: Final = 20.0
TRIES: Final = 3
"""How often a file that turns out to be another one is fetched again, and one that the venue will not take offered."""


class _Order:
    """A directive on its way."""

    def __init__(self, directive: Directive) -> None:
        self.id, self.sha256, self.name = directive.id, str(directive.data["sha256"]), str(directive.data["name"])
        self.fetch: Fetch | None = None
        self.tries = 0
        self.looking: threading.Thread | None = None
        self.ready: list[MakesEye] = []
        """What makes the eye that reads with it, once it has been looked at."""
        self.why: Sentence | CannotSee | None = None
        self.handed, self.taken = False, threading.Event()


class Decks:
    """The errand ``deck_profile``.

    *path* is where this machine's profile lies. *eye_of* gives what makes an eye that reads with the one in a file
    (None: as common cards), and raises :class:`CannotSee`; *wear* has it put on between two deals and calls back then.
    *fixed*: whoever started this table said which deck it reads, and the venue's word does not change that.
    *reads* is the hash of the profile that it begins with, where that is not the one at *path*.
    """

    does = "deck_profile"

    def __init__(
        self, path: Path, eye_of: Callable[[Path | None], MakesEye],
        wear: Callable[[MakesEye, Callable[[], None]], None], fixed: bool = False,
        reads: str | None = None,
    ) -> None:  # fmt: skip
        self._path, self._eye_of, self._wear, self._fixed = path, eye_of, wear, fixed
        self._folder = path.with_name("handed")
        self._order: _Order | None = None
        self._ties: Ties | None = None
        self._own: tuple[int, int] | None = None
        self._reads = _hash(path) if reads is None else reads
        self._learned = threading.Event()
        self._rising: tuple[str, int] | None = None
        """Hash of the profile that is on its way up, and how often it was offered in vain."""

    def begin(self, ties: Ties) -> None:
        self._ties = ties
        self._look_at_own()

    def learned(self) -> None:
        """The table has learned a deck and reads with it: it is on the disk."""
        self._learned.set()

    def status(self) -> Mapping[str, Any]:
        return {} if self._fixed else {"deck": self._reads}

    # -- down -----------------------------------------------------------------------------------------------------

    def give(self, directive: Directive) -> None:
        assert self._ties is not None
        if self._order is not None:
            self._ties.answer(self._order.id, "refused", Sentence("newer_deck"))
            self._order = None
        order, size = _Order(directive), directive.data["size"]
        if self._fixed:
            self._ties.answer(order.id, "refused", Sentence("deck_fixed"))
        elif order.sha256 == self._reads:
            self._ties.answer(order.id, "done", None)
        elif not _is_hash(order.sha256) or type(size) is not int or not 0 < size <= MOST_BYTES:
            if order.sha256:
                self._ties.answer(order.id, "refused", Sentence("deck_size", most=MOST_BYTES >> 20))
            else:
                self._order = order
                self._look(order, None)
        else:
            self._order = order
            order.fetch = Fetch(self._folder, order.sha256, size)

    def step(self, line: Answers, token: str) -> float | None:
        order = self._order
        if order is not None and order.fetch is not None and order.looking is None and not order.fetch.done:
            try:
                return order.fetch.step(line, token)
            except NotGiven:
                self._refuse(order, Sentence("file_gone"))
            except NoRoom:
                self._refuse(order, Sentence("no_room"))
        return self._send_own(line, token)

    def tend(self) -> None:
        order = self._order
        if order is not None:
            self._further(order)
        self._look_at_own()

    def _further(self, order: _Order) -> None:
        ties = self._ties
        assert ties is not None
        if order.looking is None:
            if order.fetch is not None and order.fetch.done:
                self._look(order, order.fetch)
        elif not order.looking.is_alive():
            if order.why is not None:
                self._refuse(order, order.why)
            elif not order.ready:  # other bytes than the hash says
                order.looking, order.tries = None, order.tries + 1
                if order.tries >= TRIES:
                    self._refuse(order, Sentence("file_damaged"))
            elif not order.handed:
                order.handed = True

                def taken() -> None:
                    order.taken.set()
                    ties.wake()

                ties.answer(order.id, "shown", None)
                self._wear(order.ready[0], taken)
            if order.taken.is_set():
                self._keep(order)

    def _look(self, order: _Order, fetch: Fetch | None) -> None:
        """Is it the file, and can the eye read with it: on a thread of its own, for that takes seconds."""
        ties = self._ties
        assert ties is not None

        def look() -> None:
            try:
                if fetch is not None and not fetch.check():
                    return
                order.ready.append(self._eye_of(fetch.whole if fetch is not None else None))
            except CannotSee as error:
                order.why = CannotSee(error.key, **{**error.values, "file": order.name})  # not where it lies here
            except OSError:
                order.why = Sentence("no_room")
            finally:
                ties.wake()

        order.looking = threading.Thread(target=look, name="deck", daemon=True)
        order.looking.start()

    def _keep(self, order: _Order) -> None:
        """The eye reads with it: it becomes this machine's. A disk that refuses is asked again."""
        assert self._ties is not None
        before = self._path.with_name(self._path.name + ".before")
        try:
            if order.fetch is not None:
                order.fetch.whole.replace(self._path)
            elif self._path.exists():
                self._path.replace(before)
            handle = os.open(self._path.parent, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        except FileNotFoundError:
            pass
        except OSError:
            return
        self._order, self._reads, self._own = None, order.sha256, _stamp(self._path)
        if order.sha256:
            self._ties.log.put(**{f"deck {order.sha256}": 1})  # the venue has it
        self._clear()
        self._ties.answer(order.id, "done", None)

    def _refuse(self, order: _Order, why: Sentence | CannotSee) -> None:
        assert self._ties is not None
        self._order = None
        if order.fetch is not None:
            order.fetch.forget()
        self._ties.answer(order.id, "refused", why)

    def _clear(self) -> None:
        for left in self._folder.glob("*") if self._folder.is_dir() else ():
            left.unlink(missing_ok=True)

    # -- up -------------------------------------------------------------------------------------------------------

    def _look_at_own(self) -> None:
        """A profile that was learned here and that the venue has not got yet is announced."""
        assert self._ties is not None
        stamp = _stamp(self._path)
        if stamp == self._own and not self._learned.is_set():
            return
        self._own = stamp
        name = _hash(self._path)
        if self._learned.is_set() and not self._fixed:
            self._learned.clear()
            self._reads = name
        if not name or stamp is None or stamp[1] > MOST_BYTES or self._ties.log.get(f"deck {name}"):
            return
        event = {"do": "deck_learned", "sha256": name, "size": stamp[1], "name": name_in(self._path)}
        self._ties.log.say(event, self._ties.wall(), f"deck {name}")
        self._rising = name, 0

    def _send_own(self, line: Answers, token: str) -> float | None:
        if self._rising is None:
            return None
        assert self._ties is not None
        name, tries = self._rising
        try:
            content = self._path.read_bytes()
        except OSError:
            content = b""
        if hashlib.sha256(content).hexdigest() != name:
            self._rising = None  # another one was learned meanwhile: that one is announced by itself
            return None
        status, body = line.post(f"/v1/decks/{name}?offset=0", b"", token, PATIENCE)
        while status == 200 and isinstance(body, dict) and not body.get("whole"):
            have = int(body.get("have", 0))
            status, body = line.post(f"/v1/decks/{name}?offset={have}", content[have : have + PIECE], token, PATIENCE)
            if status == 200 and isinstance(body, dict) and not body.get("whole") and int(body.get("have", 0)) > have:
                return 0.0  # events first, then the next piece
        if status == 200 and isinstance(body, dict) and body.get("whole"):
            self._ties.log.put(**{f"deck {name}": 1})
            self._rising = None
            return None
        self._rising = None if tries + 1 >= TRIES else (name, tries + 1)
        return 1.0


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _hash(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _is_hash(text: str) -> bool:
    return len(text) == 64 and not set(text) - set("0123456789abcdef")
