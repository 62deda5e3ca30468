"""A person before the virtual camera: lays what the enrolment asks for, and names the crops it asks about.

:class:`ShownDeck` is that person with the camera above the hands: what a table's enrolment looks through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import cast

import numpy as np

from engine.cards import Card
from simulator.art import Deck
from simulator.camera import VirtualCamera
from simulator.layout import Pose
from simulator.spread import Look as Laid
from simulator.spread import Spread, in_rows, shuffled, suit_by_suit
from simulator.world import World
from vision.camera import Box, Camera, Frame
from vision.enrolment.labels import HR, SB
from vision.enrolment.looks import Look
from vision.enrolment.session import Enrolment, Question
from vision.enrolment.sightings import Sighting
from vision.mat import View

STILL = (3280, 2464)
MOST_LOOKS = 10
FRAME = 0.1


class VirtualPerson:
    """Shows *deck*: suit by suit first, then what is still wanted, in the end shuffled."""

    def __init__(self, deck: Deck, seed: int, enrolment: Enrolment) -> None:
        self._deck, self._rng, self._enrolment = deck, Random(seed), enrolment
        self._seed = seed
        self._laid: Laid = []
        self._view: View | None = None

    def looks(self) -> Iterator[Look]:
        """Arrangement after arrangement, until the enrolment is done or patience is."""
        for number in range(1, MOST_LOOKS + 1):
            if self._enrolment.step == "done":
                return
            spread = self.lay(number)
            image = VirtualCamera(cast(World, spread), lambda: 2.0, STILL, seed=self._seed + number).still().image
            self._view = View.from_markers(image)
            yield Look(str(number), image, self._view)

    def lay(self, number: int) -> Spread:
        """The arrangement *number*, from 1: what is asked for now."""
        enrolment = self._enrolment
        if number == 1:
            self._laid = suit_by_suit(self._rng)
        elif enrolment.step == "jokers":
            self._laid = _aside(self._rng)
        elif enrolment.step in ("prove", "done") or number % 2 == 0:
            self._laid = shuffled(self._rng)
        else:
            self._laid = _alone(enrolment.wanted, self._rng)
        return Spread(self._deck, [self._laid])

    def name(self, question: Question, seen: Sequence[Sighting]) -> Card | None:
        """What the crop shows: the card whose corner lies there; None when it is no card's index."""
        one = next((each for each in seen if each.crop is question.crop), None)
        if one is None or self._view is None:
            return None
        x, y = self._view.to_mm([(one.x, one.y)])[0]
        width, height = self._deck.size_mm
        for card, pose in reversed(self._laid):
            turn = np.radians(pose.angle)
            up = np.array([np.sin(turn), -np.cos(turn)])
            away = np.array([x - pose.x, y - pose.y])
            along, across = float(away @ up), float(away @ (-up[1], up[0]))
            if abs(along) <= height / 2 and abs(across) <= width / 2:
                corner = along * across < 0 and abs(across) > width / 5 and abs(along) > height / 12
                return card if corner else None
        return None


class ShownDeck:
    """A camera above a virtual person who shows *deck* to *enrolment*; *looks* tells how many pictures it has learned
    from, and after each the person lays the next arrangement. Another enrolment is shown the deck from the start."""

    def __init__(
        self, deck: Deck, seed: int, enrolment: Callable[[], Enrolment], looks: Callable[[], int],
        size: tuple[int, int] = STILL,
    ) -> None:  # fmt: skip
        self._deck, self._seed, self._of, self._looks, self._size = deck, seed, enrolment, looks, size
        self._t = 0.0
        self._number, self._seen = 0, -1
        self._shown: Enrolment | None = None
        self._camera: Camera | None = None
        self._person: VirtualPerson | None = None
        self.last: np.ndarray | None = None

    def motion(self) -> Frame:
        """The next frame of the small stream, a tenth of a second after the last."""
        self._t += FRAME
        now = self._of()
        if now is not self._shown:
            self._shown, self._person, self._number, self._seen = now, VirtualPerson(self._deck, self._seed, now), 0, -1
        if self._looks() != self._seen and now.step != "done":
            self._seen = self._looks()
            self._number += 1
            assert self._person is not None
            spread = self._person.lay(self._number)
            self._camera = VirtualCamera(
                cast(World, spread), lambda: 2.0, self._size, seed=self._seed + self._number
            )  # fmt: skip
            self.last = self._camera.motion().image  # type: ignore[union-attr]
        assert self.last is not None
        return Frame(self._t, self.last)

    def still(self, box: Box | None = None) -> Frame:
        """The full picture of what lies there."""
        assert self._camera is not None
        return Frame(self._t, self._camera.still(box).image)

    def close(self) -> None:
        """There is no device to give back."""


def _aside(rng: Random) -> Laid:
    """The jokers alone somewhere on the table, a little turned, the small one on the left."""
    x, y = rng.uniform(180, 400), rng.uniform(150, 550)
    return [(SB, Pose(x, y, rng.gauss(0, 8) % 360)), (HR, Pose(x + 120, y + rng.gauss(0, 15), rng.gauss(0, 8) % 360))]


def _alone(cards: Sequence[Card], rng: Random) -> Laid:
    """*cards* apart from each other, at most five in a row."""
    rows = [cards[start : start + 5] for start in range(0, len(cards), 5)][:6]
    return in_rows(rows, rng)
