"""The table through time: what lies where from when to when, and which hand moves how.

Times are seconds since the film began, millimetres and degrees as in :mod:`vision.mat`. Everything here is fixed once
built: the state at any time is a pure function of the timeline.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from math import cos, radians, sin
from typing import Final

from engine.cards import Card
from simulator.layout import Pose

REACH_IN: Final = {"S": (0.0, 1.0), "N": (0.0, -1.0), "E": (1.0, 0.0), "W": (-1.0, 0.0)}
"""Towards a seat's player, in mat coordinates."""
ARM: Final = {"S": 0.0, "W": 90.0, "N": 180.0, "E": 270.0}
"""Where a seat's fingers point, degrees clockwise from up."""


@dataclass(frozen=True)
class Placed:
    """A physical card and how it lies; ``card`` is its face, ``deck`` which of the decks it belongs to."""

    number: int
    card: Card
    deck: int
    up: bool
    pose: Pose


@dataclass(frozen=True)
class Change:
    """At ``t`` these cards leave the table and these lie on it, over all that lies there."""

    t: float
    gone: tuple[int, ...] = ()
    laid: tuple[Placed, ...] = ()


@dataclass(frozen=True)
class Carry:
    """Cards that go with a hand from ``start`` to ``end``; turned over half way when ``turns``."""

    start: float
    end: float
    cards: tuple[Placed, ...]
    turns: bool = False


@dataclass(frozen=True)
class Hand:
    """A hand now: its fingertips and where they point."""

    seat: str
    x: float
    y: float
    angle: float


@dataclass(frozen=True)
class Sweep:
    """One visit of a hand: key times and places of the fingertips, and what it carries between them.

    ``keys`` are (t, x, y, turn); between two keys the hand eases from one to the other.
    """

    seat: str
    keys: tuple[tuple[float, float, float, float], ...]
    carries: tuple[Carry, ...] = ()

    @property
    def start(self) -> float:
        return self.keys[0][0]

    @property
    def end(self) -> float:
        return self.keys[-1][0]

    def hand(self, t: float) -> Hand:
        place = min(max(bisect_right(self.keys, (t, 1e9)) - 1, 0), len(self.keys) - 2)
        (t0, x0, y0, a0), (t1, x1, y1, a1) = self.keys[place], self.keys[place + 1]
        part = min(max((t - t0) / max(t1 - t0, 1e-6), 0.0), 1.0)
        part = part * part * (3 - 2 * part)
        angle = ARM[self.seat] + a0 + (a1 - a0) * part
        return Hand(self.seat, x0 + (x1 - x0) * part, y0 + (y1 - y0) * part, angle)

    def carried(self, t: float) -> list[Placed]:
        """What the hand holds at *t*, where it is: each card keeps the place in the hand that its pose gives."""
        held: list[Placed] = []
        for carry in self.carries:
            if carry.start <= t < carry.end:
                hand = self.hand(t)
                face = carry.cards[0].up if carry.cards else True
                if carry.turns and t > (carry.start + carry.end) / 2:
                    face = not face
                held += [
                    replace(each, up=face, pose=in_hand(hand, each.pose.x, each.pose.y, each.pose.angle))
                    for each in carry.cards
                ]
        return held


def in_hand(hand: Hand, along: float, toward: float, turn: float) -> Pose:
    """The pose of a card held at (along, toward) mm from the fingertips in the hand's own frame."""
    angle = radians(hand.angle)
    return Pose(
        hand.x + along * cos(angle) - toward * sin(angle),
        hand.y + along * sin(angle) + toward * cos(angle),
        (hand.angle + turn) % 360,
    )


@dataclass(frozen=True)
class State:
    """The table at one time. ``version`` changes whenever ``lying`` does."""

    t: float
    version: int
    lying: tuple[Placed, ...]
    """Bottom to top."""
    held: tuple[Placed, ...]
    hands: tuple[Hand, ...]


_SNAPSHOT: Final = 64


@dataclass
class Timeline:
    """Changes and sweeps in the order of time; :meth:`at` gives the state of any moment."""

    changes: list[Change]
    sweeps: list[Sweep]
    end: float
    _times: list[float] = field(init=False, repr=False)
    _snapshots: list[dict[int, Placed]] = field(init=False, repr=False)
    _sweep_starts: list[float] = field(init=False, repr=False)
    _longest: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.changes.sort(key=lambda change: change.t)
        self.sweeps.sort(key=lambda sweep: sweep.start)
        self._times = [change.t for change in self.changes]
        self._sweep_starts = [sweep.start for sweep in self.sweeps]
        self._longest = max((sweep.end - sweep.start for sweep in self.sweeps), default=0.0)
        self._snapshots = []
        lying: dict[int, Placed] = {}
        for place, change in enumerate(self.changes):
            if place % _SNAPSHOT == 0:
                self._snapshots.append(dict(lying))
            _apply(lying, change)
        self._now: tuple[int, dict[int, Placed], tuple[Placed, ...]] = (0, {}, ())

    def lying(self, t: float) -> tuple[int, tuple[Placed, ...]]:
        """How many changes there have been until *t*, and what lies on the table then."""
        count = bisect_right(self._times, t)
        done, cards, order = self._now
        if count != done:
            if count < done or count - done > _SNAPSHOT:
                base = min(count // _SNAPSHOT, len(self._snapshots) - 1)
                done, cards = base * _SNAPSHOT, dict(self._snapshots[base])
            for change in self.changes[done:count]:
                _apply(cards, change)
            order = tuple(cards.values())
            self._now = (count, cards, order)
        return count, order

    def active(self, t: float) -> list[Sweep]:
        """The hands that are over the table at *t*."""
        low = bisect_right(self._sweep_starts, t - self._longest - 1e-9)
        high = bisect_right(self._sweep_starts, t)
        return [sweep for sweep in self.sweeps[max(0, low - 1) : high] if sweep.start <= t < sweep.end]

    def at(self, t: float) -> State:
        version, lying = self.lying(t)
        sweeps = self.active(t)
        held = tuple(card for sweep in sweeps for card in sweep.carried(t))
        return State(t, version, lying, held, tuple(sweep.hand(t) for sweep in sweeps))


def _apply(lying: dict[int, Placed], change: Change) -> None:
    for number in change.gone:
        lying.pop(number, None)
    for each in change.laid:
        lying.pop(each.number, None)
        lying[each.number] = each
