"""An eye for tests that knows the truth: what lies on the virtual table becomes observations, without a picture.

The whole flow of the table can be tested with it before, and apart from, the models. A *doubt* makes it unsure of some
cards, as the real one is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from engine.cards import DECK, SEATS, Card
from simulator.motion import Placed
from simulator.world import World
from table.virtual import Studio
from vision import mat
from vision.camera import Box, Camera, Frame
from vision.observations import Laid, Observation, Removed, SeenCard, Touched

SETTLES = 0.5
"""Seconds after the hand is gone until the reading is complete."""


class PerfectEye:
    """Watches *world* by its own record; *now* is asked for the time."""

    def __init__(self, world: World, doubt: float = 0.0, wrong: float = 0.0, seed: int = 0) -> None:
        self.world, self.doubt, self.wrong = world, doubt, wrong
        self._rng = Random(seed)
        self._known: dict[str, dict[int, SeenCard]] = {seat: {} for seat in SEATS}
        self._touched: dict[str, float] = {}
        self._quiet: dict[str, float] = {}

    def step(self, camera: Camera) -> list[Observation]:
        camera.motion()
        t = camera.camera.clock()  # type: ignore[attr-defined]
        state = self.world.at(t)
        told: list[Observation] = []
        for seat in SEATS:
            if any(hand.seat == seat for hand in state.hands):
                if seat not in self._touched:
                    self._touched[seat] = t
                    told.append(Touched(t, seat))
                self._quiet.pop(seat, None)
                continue
            since = self._quiet.setdefault(seat, t)
            if t - since >= SETTLES:
                told += self._settled(t, seat, since, _in_zone(state.lying, seat))
                self._touched.pop(seat, None)
        return told

    def _settled(self, t: float, seat: str, since: float, lying: Sequence[Placed]) -> list[Observation]:
        known, now = self._known[seat], {each.number: each for each in lying}
        told: list[Observation] = []
        gone = [known.pop(number) for number in list(known) if number not in now]
        if gone:
            told.append(Removed(t, seat, tuple(gone), not now))
        new = [each for number, each in now.items() if number not in known]
        if new:
            right = mat.RIGHT[seat]
            new.sort(key=lambda each: each.pose.x * right[0] + each.pose.y * right[1])
            seen = [self._seen(each.card) for each in new]
            known.update({each.number: card for each, card in zip(new, seen, strict=True)})
            told.append(Laid(t, seat, tuple(seen), self._touched.get(seat, since), 3, True, since))
        return told

    def _seen(self, card: Card) -> SeenCard:
        if self._rng.random() >= self.doubt:
            return SeenCard(card, 0.999, True, ((card, 0.999),), ((0, 0),), 0.0)
        other = self._rng.choice([each for each in DECK if each is not card and each.suit == card.suit] or list(DECK))
        first, second = (other, card) if self._rng.random() < self.wrong else (card, other)
        return SeenCard(first, 0.7, False, ((first, 0.7), (second, 0.28)), ((0, 0),), 0.0)


def _in_zone(lying: Sequence[Placed], seat: str) -> list[Placed]:
    zone = mat.PLAY[seat]
    return [
        each for each in lying if each.up and zone.distance(each.pose.x, each.pose.y) < 30 and _nearest(each) == seat
    ]


def _nearest(each: Placed) -> str:
    return min(SEATS, key=lambda seat: mat.PLAY[seat].distance(each.pose.x, each.pose.y))


class NoCamera:
    """A camera whose pictures nobody looks at."""

    def __init__(self, world: World, clock: Callable[[], float], seed: int) -> None:
        self.world, self.clock = world, clock

    def motion(self) -> Frame | None:
        return Frame(self.clock(), np.zeros((48, 64, 3), np.uint8))

    def still(self, box: Box | None = None) -> Frame:
        return Frame(self.clock(), np.zeros((480, 640, 3), np.uint8))

    def close(self) -> None:
        pass


def studio(doubt: float = 0.0, wrong: float = 0.0, seed: int = 0) -> Studio:
    """A virtual table without pictures, watched by a perfect eye, or by one with doubts."""
    return Studio(NoCamera, lambda world: PerfectEye(world, doubt, wrong, seed))
