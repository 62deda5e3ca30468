"""A person before the virtual camera: lays what the enrolment asks for, and names the crops it asks about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from vision.enrolment.labels import HR, SB
from vision.enrolment.looks import Look
from vision.enrolment.session import Enrolment, Question
from vision.enrolment.sightings import Sighting
from vision.mat import View

STILL = (3280, 2464)
MOST_LOOKS = 10


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
            enrolment = self._enrolment
            if enrolment.step == "done":
                return
            if number == 1:
                self._laid = suit_by_suit(self._rng)
            elif enrolment.step == "jokers":
                self._laid = _aside(self._rng)
            elif enrolment.step == "prove" or number % 2 == 0:
                self._laid = shuffled(self._rng)
            else:
                self._laid = _alone(enrolment.wanted, self._rng)
            spread = Spread(self._deck, [self._laid])
            image = VirtualCamera(cast(World, spread), lambda: 2.0, STILL, seed=self._seed + number).still().image
            self._view = View.from_markers(image)
            yield Look(str(number), image, self._view)

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


def _aside(rng: Random) -> Laid:
    """The jokers alone somewhere on the table, a little turned, the small one on the left."""
    x, y = rng.uniform(180, 400), rng.uniform(150, 550)
    return [(SB, Pose(x, y, rng.gauss(0, 8) % 360)), (HR, Pose(x + 120, y + rng.gauss(0, 15), rng.gauss(0, 8) % 360))]


def _alone(cards: Sequence[Card], rng: Random) -> Laid:
    """*cards* apart from each other, at most five in a row."""
    rows = [cards[start : start + 5] for start in range(0, len(cards), 5)][:6]
    return in_rows(rows, rng)
