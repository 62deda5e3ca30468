"""Errands: what the venue tells a table that takes more than a line of the record or a word on the screen.

A file has to be fetched, looked at and taken into use when the game allows it, and the power may go at any moment. The
directive stays open in the sync file until its errand is done or refused; given again after a restart, it goes on from
what lies on the disk. The link's mouth runs errands when it has nothing else to say, so no event ever waits for one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from table.sync_line import Answers
from table.sync_log import SyncLog
from venue.protocol import Directive


class Reason(Protocol):
    """Why something is refused: a sentence, or an error that is one."""

    def in_language(self, language: str) -> str: ...


@dataclass(frozen=True)
class Ties:
    """What ties an errand to its link."""

    log: SyncLog
    answer: Callable[[int, str, Reason | None], None]
    """Directive, ``shown done refused``, why."""
    wall: Callable[[], float]
    tell: Callable[[Reason], None]
    """Shows the players one line."""
    wake: Callable[[], None]
    """There is something to be looked at: from any thread."""


class Errand(Protocol):
    """One kind of them. All of it is called on the thread of the link's mouth, but for ``status``."""

    does: str
    """The directive."""

    def begin(self, ties: Ties) -> None:
        """The link has been joined."""

    def give(self, directive: Directive) -> None:
        """Begin with *directive*, or go on with it."""

    def tend(self) -> None:
        """Look how it stands, with or without a line."""

    def step(self, line: Answers, token: str) -> float | None:
        """Use the line once; seconds until it is wanted again, None while it is not.

        :raises OSError: when the line broke.
        """

    def status(self) -> Mapping[str, Any]:
        """What the fleet page is told, by the names of ``venue.protocol.STATUS``."""


class Errands:
    """All of a table's errands."""

    def __init__(self, errands: Sequence[Errand] = ()) -> None:
        self._errands = tuple(errands)

    def begin(self, ties: Ties) -> None:
        for each in self._errands:
            each.begin(ties)

    def does(self, do: str) -> bool:
        """Whether the directive *do* is an errand here."""
        return any(each.does == do for each in self._errands)

    def give(self, directive: Directive) -> None:
        """Begin with *directive*."""
        for each in self._errands:
            if each.does == directive.do:
                each.give(directive)

    def tend(self) -> None:
        for each in self._errands:
            each.tend()

    def step(self, line: Answers, token: str) -> float | None:
        """Let each use the line once; seconds until one of them wants it again, None when none does."""
        pauses = [pause for each in self._errands if (pause := each.step(line, token)) is not None]
        return min(pauses, default=None)

    def status(self) -> dict[str, Any]:
        return {name: value for each in self._errands for name, value in each.status().items()}


def in_words(why: Reason | None, language: str) -> str | None:
    """*why* in words, as long as an answer may be."""
    return None if why is None else why.in_language(language)[:200]
