"""The virtual table of one match record: what lies where at any time, which buttons are pressed, what is true.

A world is a pure function of the record, the decks, the seed and the pace: ask it about any time, in any order.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from engine.events import Event
from simulator.art import Deck
from simulator.director import Directive, Director, Press, Script, Shown
from simulator.gestures import Pace
from simulator.layout import index_reach
from simulator.motion import State


class World:
    """*record* played by people with *decks* (one design, or two); *pace* says how fast.

    Times are seconds since the record's first event; millimetres as in :mod:`vision.mat`.

    :raises GuandanError: when strict replay refuses an event of the record.
    """

    def __init__(
        self,
        record: Sequence[Event],
        decks: Sequence[Deck] | Deck | None = None,
        seed: int = 0,
        pace: Pace | None = None,
    ) -> None:
        self.record = list(record)
        if decks is None:
            decks = [Deck.own("river")]
        self.decks = [decks] if isinstance(decks, Deck) else list(decks)
        self.seed = seed
        # Players spread large indices wider.
        least = min(max(17.0, *(index_reach(deck) + 1.5 for deck in self.decks)), 22.0)
        self.script: Script = Director(seed, pace or Pace(), len(self.decks), least).film(self.record)
        self.timeline = self.script.timeline
        self._press_times = [press.t for press in self.script.presses]
        self._directive_times = [directive.t for directive in self.script.directives]
        self._moments = sorted(
            [(change.t, change.t) for change in self.timeline.changes]
            + [(sweep.start, sweep.end) for sweep in self.timeline.sweeps]
            + [(t, t) for t in self._press_times + self._directive_times]
        )
        self._moment_starts = [moment[0] for moment in self._moments]
        self._longest = max((end - start for start, end in self._moments), default=0.0)

    @property
    def end(self) -> float:
        """When there is nothing more to see."""
        return self.timeline.end

    @property
    def truth(self) -> list[Shown]:
        """Every laying, showing and taking back of cards: what it really was, and when."""
        return self.script.shown

    def at(self, t: float) -> State:
        """The table at *t*."""
        return self.timeline.at(t)

    def done(self, t: float) -> bool:
        return t > self.end

    def start_at(self, event: int) -> float:
        """The time at which event number *event* (0: the match line) begins: the table as it is before it."""
        return self.script.starts[min(max(event, 0), len(self.record))]

    def presses(self, start: float, end: float) -> list[Press]:
        """The buttons pressed from *start* on and before *end*."""
        return self.script.presses[bisect_left(self._press_times, start) : bisect_left(self._press_times, end)]

    def directives(self, start: float, end: float) -> list[Directive]:
        """What a referee or an official says from *start* on and before *end*: rulings and the like."""
        times = self._directive_times
        return self.script.directives[bisect_left(times, start) : bisect_left(times, end)]

    def quiet_until(self, t: float) -> float:
        """When something next happens at or after *t*; *t* itself while a hand is over the table."""
        low = bisect_left(self._moment_starts, t - self._longest)
        high = bisect_right(self._moment_starts, t)
        if any(start <= t < end for start, end in self._moments[low:high]):
            return t
        return self._moment_starts[high] if high < len(self._moment_starts) else self.end
