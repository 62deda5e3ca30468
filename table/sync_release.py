"""Releases over the line: fetched and looked at here, installed by a root unit that trusts nothing from here.

This program runs as a user that may install nothing. It puts the file into ``release/`` of its state folder and says in
``release/ask.json`` what it wants, stage or switch; ``guandan-release.path`` starts ``systemd/take_release.py``, which
copies the file out of our reach, checks it again, and tells in a folder of its own how it stands. Before each of the
two steps the venue is asked once more: between check-in and prizes it says no, and then nothing goes on.

``release/play`` says ``match`` or ``free``, for the root unit: it switches only when no match is on.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from table.refusals import Sentence
from table.sync_errands import Ties
from table.sync_fetch import Fetch, NoRoom, NotGiven
from table.sync_line import Answers
from venue.protocol import Directive

LARGEST: Final = 1 << 30
NEEDED: Final = 7
"""Times a release's size that must be free: the file twice, what it holds, and the packages as they are installed."""
CHECKED_WITHIN: Final = 600.0
TRIES: Final = 3
_HASH: Final = re.compile(r"[0-9a-f]{64}")
TAKE: Final = Path(__file__).resolve().parents[1] / "systemd" / "take_release.py"
REASONS: Final = {
    "key": Sentence("release_key"), "signature": Sentence("release_signature"), "damaged": Sentence("release_damaged"),
    "platform": Sentence("release_platform"), "older": Sentence("release_older"), "disk": Sentence("release_disk"),
    "install": Sentence("release_install"), "start": Sentence("release_start"), "gone": Sentence("file_gone"),
}  # fmt: skip
"""Why ``take_release.py`` refuses, in words."""
EVENT: Final = Sentence("release_event")


class _Order:
    def __init__(self, directive: Directive, inbox: Path) -> None:
        self.id, self.data = directive.id, directive.data
        self.sha256, self.size, self.name = (directive.data[name] for name in ("sha256", "size", "release"))
        self.fetch = Fetch(inbox, self.sha256, self.size)
        self.step = "fetching"
        self.tries = 0
        self.checking: threading.Thread | None = None
        self.verdict: Mapping[str, Any] | None = None
        """What the file was found to be; empty for other bytes than its hash says."""
        self.asked = ""
        """What the root unit was asked for last, by this process."""


class Release:
    """The errand ``release``. *inbox* is the folder for the root unit, *free* whether no match is on.

    *root* is the machine's root; tests bring a tree of their own.
    """

    does = "release"

    def __init__(self, inbox: Path, free: Callable[[], bool], root: Path = Path("/")) -> None:
        self._inbox, self._free, self._root = inbox, free, root
        self._told = root / "var/lib/guandan-release/state.json"
        self._order: _Order | None = None
        self._ties: Ties | None = None
        self._played = ""

    def begin(self, ties: Ties) -> None:
        self._ties = ties

    @property
    def installed(self) -> str:
        """The release that this machine runs, empty where it was not installed as one."""
        try:
            return (self._root / "opt/guandan/current").readlink().name
        except OSError:
            return ""

    def status(self) -> Mapping[str, Any]:
        if not self.installed:
            return {}
        told: dict[str, Any] = {"release": self.installed, "platform": " ".join(_platform())}
        order = self._order
        if order is not None:
            told["update"] = order.step
            if order.step == "fetching":
                told["fetched"] = 100 * order.fetch.have // order.size
        return told

    # -- the venue's word ---------------------------------------------------------------------------------------------

    def give(self, directive: Directive) -> None:
        assert self._ties is not None
        if self._order is not None:
            self._ties.answer(self._order.id, "refused", Sentence("newer_release"))
            self._order = None
        size, name = directive.data["size"], str(directive.data["sha256"])
        if not _HASH.fullmatch(name) or type(size) is not int or not 0 < size <= LARGEST:
            self._ties.answer(directive.id, "refused", REASONS["damaged"])
            return
        order, wanted = _Order(directive, self._inbox), (directive.data["python"], directive.data["processor"])
        if not self.installed or not self._told.parent.is_dir():
            self._refuse(order, Sentence("release_not_installed"))
        elif self.installed == order.name and self._root_says(order).get("step") != "switching":
            self._done(order)
        elif wanted != _platform():
            self._refuse(order, REASONS["platform"])
        elif not self._root_says(order) and _room(self._inbox) < NEEDED * size - order.fetch.have:
            self._refuse(order, REASONS["disk"])
        else:
            self._order = order
            self._clear(order.sha256)

    def tend(self) -> None:
        if self.installed:
            self._say_play()
        order = self._order
        if order is None:
            return
        told = self._root_says(order)
        match told.get("step"):
            case "refused" | "back":
                self._refuse(order, REASONS.get(str(told.get("why")), REASONS["install"]))
            case "running":
                self._done(order)
            case "staged":
                if order.step != "switching" or not (self._inbox / "ask.json").exists():
                    order.step = "waiting"  # a match began that very moment: the root unit let it be
            case "switching":
                order.step = "switching"
            case "checking" | "staging":
                order.step = "staging"
            case _ if order.step == "fetching" and order.fetch.done:
                self._check(order)
            case _ if order.step == "checking":
                self._checked(order)

    def step(self, line: Answers, token: str) -> float | None:
        order = self._order
        if order is None:
            return None
        try:
            if order.step == "fetching" and not order.fetch.done:
                return order.fetch.step(line, token)
            if order.step == "staging" and not order.asked and not self._root_says(order):
                return self._ask(order, "stage", line, token)
            if order.step == "waiting" and self._free():
                return self._ask(order, "switch", line, token)
        except NotGiven as refused:
            self._refuse(order, EVENT if refused.code == "not_now" else REASONS["gone"])
        except NoRoom:
            self._refuse(order, REASONS["disk"])
        return None

    # -- looking at it ------------------------------------------------------------------------------------------------

    def _check(self, order: _Order) -> None:
        order.step = "checking"
        ties = self._ties
        assert ties is not None

        def check() -> None:
            try:
                order.verdict = self._verdict(order) if order.fetch.check() else {}
            except OSError:
                order.verdict = {"step": "refused", "why": "disk"}
            finally:
                ties.wake()

        order.checking = threading.Thread(target=check, name="release", daemon=True)
        order.checking.start()

    def _verdict(self, order: _Order) -> Mapping[str, Any]:
        """What ``take_release.py`` says of the file: the same look that root takes."""
        words = [sys.executable, "-I", str(TAKE), "--root", str(self._root), "--check", str(order.fetch.whole)]
        try:
            told = subprocess.run(
                words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=CHECKED_WITHIN
            )
            found = json.loads(told.stdout)
        except (OSError, ValueError, subprocess.SubprocessError):
            found = None
        return found if isinstance(found, dict) and found.get("step") else {"step": "refused", "why": "damaged"}

    def _checked(self, order: _Order) -> None:
        assert self._ties is not None
        if order.checking is None or order.checking.is_alive() or order.verdict is None:
            return
        if not order.verdict:
            order.tries, order.step = order.tries + 1, "fetching"
            if order.tries >= TRIES:
                self._refuse(order, REASONS["damaged"])
        elif order.verdict["step"] == "refused":
            self._refuse(order, REASONS.get(str(order.verdict.get("why")), REASONS["damaged"]))
        elif order.verdict.get("release") != order.name:
            self._refuse(order, REASONS["damaged"])
        else:
            order.step = "staging"
            self._ties.answer(order.id, "shown", None)

    # -- the root unit ------------------------------------------------------------------------------------------------

    def _ask(self, order: _Order, what: str, line: Answers, token: str) -> float | None:
        """Ask the root unit for *what*, once the venue has said that it still may be."""
        assert self._ties is not None
        if (pause := order.fetch.asked(line, token)) is not None:
            return pause
        self._say_play()
        if what == "switch":
            if not self._free():
                return None
            order.step = "switching"
            self._ties.tell(Sentence("release_now"))
        order.asked = what
        ask = {"do": what, "id": order.id, "sha256": order.sha256, "release": order.name}
        _write(self._inbox / "ask.json", json.dumps(ask))
        return None

    def _root_says(self, order: _Order) -> Mapping[str, Any]:
        """How the root unit stands with this order, empty while it has not heard of it."""
        try:
            found = json.loads(self._told.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) and found.get("id") == order.id else {}

    def _say_play(self) -> None:
        """Whether a match is on, where the root unit reads it."""
        now = "free" if self._free() else "match"
        if now != self._played:
            with contextlib.suppress(OSError):
                _write(self._inbox / "play", now)
                self._played = now

    # -- its end ------------------------------------------------------------------------------------------------------

    def _refuse(self, order: _Order, why: Sentence) -> None:
        assert self._ties is not None
        self._order = None
        if why is not EVENT:  # what was fetched of it serves when it is given out again
            order.fetch.forget()
        self._ties.answer(order.id, "refused", why)

    def _clear(self, but: str) -> None:
        """What lies there of other releases goes."""
        for left in self._inbox.glob("*") if self._inbox.is_dir() else ():
            if _HASH.fullmatch(left.stem) and left.stem != but:
                left.unlink(missing_ok=True)

    def _done(self, order: _Order) -> None:
        assert self._ties is not None
        self._order = None
        order.fetch.forget()
        self._ties.answer(order.id, "done", None)


def _platform() -> tuple[str, str]:
    return f"{sys.version_info.major}.{sys.version_info.minor}", platform.machine()


def _room(folder: Path) -> int:
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free


def _write(path: Path, text: str) -> None:
    """*path* holds *text* whole or not at all, whatever happens meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    with part.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
