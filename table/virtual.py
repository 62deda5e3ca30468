"""A whole table that exists only here: the virtual camera's world, the eye that watches it, people, and the controller.

Time is a number that :meth:`VirtualTable.step` moves on: the demo without a window steps as fast as it can, the demo
with a window as fast as the wall clock lets it. Nothing here reads a clock but for the ``ms`` of the evidence.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from engine.events import Event
from simulator.art import Deck
from simulator.camera import VirtualCamera
from simulator.gestures import Pace
from simulator.truth import play_match, play_on
from simulator.world import World
from table.desk import Desk
from table.evidence import Recorder
from table.inputs import Input, Seen, Ticked
from table.stand_ins import StandIns
from vision.camera import Box, Camera, Frame
from vision.mat import View
from vision.observations import Laid, Observation
from vision.profiles import DeckProfile

FRAME = 0.1
"""Seconds between two frames of the small stream."""
STILL = (3280, 2464)


class Sees(Protocol):
    """What watches a table: the eye, or in tests one that knows the truth."""

    def step(self, camera: Camera) -> list[Observation]: ...


@dataclass(frozen=True)
class Studio:
    """How a virtual table is watched: its camera, and the eye that looks through it. Tests bring their own."""

    camera: Callable[[World, Callable[[], float], int], Camera] = lambda world, clock, seed: VirtualCamera(
        world, clock, STILL, seed=seed
    )
    eye: Callable[[World], Sees] = lambda world: _eye()
    decks: Callable[[], Sequence[Deck]] = lambda: (Deck.own("river"),)


class TimedCamera:
    """A camera that counts the time its pictures take: drawing a virtual table is no part of reading it."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self.spent = 0.0
        self.stills = 0
        self.last: np.ndarray | None = None

    def motion(self) -> Frame | None:
        start = time.perf_counter()
        frame = self.camera.motion()
        self.spent += time.perf_counter() - start
        self.last = frame.image if frame is not None else None
        return frame

    def still(self, box: Box | None = None) -> Frame:
        start = time.perf_counter()
        frame = self.camera.still(box)
        self.spent += time.perf_counter() - start
        self.stills += 1
        return frame

    def close(self) -> None:
        self.camera.close()


def record_of(seed: int, number: int, profile: str, deals: int | None = None, ruleset: str = "national") -> list[Event]:
    """The truth record of match *number* of a demo: the same for the same arguments."""
    # Robots do not know when to stop: the match is played to its end, not to its hour.
    options = {"match_seconds": 0}
    return play_match(seed * 1000 + number, ruleset, profile, deals=deals, offences=True, options=options)


def record_after(lines: Sequence[Event], seed: int, number: int, deals: int | None = None) -> list[Event]:
    """The truth record of match *number*, that began with *lines* on another machine: robots play it to its end."""
    return play_on(lines, seed * 1000 + number, deals)


class VirtualTable:
    """One match of robots, filmed and watched; *start* is the event of *record* at which it goes on."""

    def __init__(
        self,
        record: Sequence[Event],
        seed: int,
        start: int = 0,
        pace: Pace | None = None,
        studio: Studio | None = None,
        answer_after: float = 1.0,
        evidence: Recorder | None = None,
    ) -> None:
        self.record = list(record)
        studio = studio or Studio()
        self.world = World(self.record, studio.decks(), seed, pace)
        self.now = self.world.start_at(start)
        self._acted = self.now
        self.eye = studio.eye(self.world)
        self._evidence_of = evidence
        self._filmed = studio.camera(self.world, lambda: self.now, seed)
        looked_through = self._filmed if evidence is None else evidence.watch(self._filmed, self._view)
        self.camera = TimedCamera(looked_through)
        self.people = StandIns(self.world, answer_after)
        self._reading = 0.0
        self.lock = threading.Lock()
        """Held while people look at the desk: with a window the desk lives on another thread."""

    def extend(self, world: World) -> None:
        """Go on in *world*, whose record begins with this one's and is longer."""
        with self.lock:
            self.record, self.world, self.people.world = world.record, world, world
            self._filmed.world = world  # type: ignore[attr-defined]

    @property
    def done(self) -> bool:
        """Nothing more will happen here."""
        return self.world.done(self.now)

    def step(self, desk: Desk, seconds: float = FRAME) -> list[Input]:
        """Time moves on by *seconds*: what people did and what the eye noticed in it, in order."""
        self.now += seconds
        with self.lock:
            inputs: list[Input] = list(self.people.act(desk, self._acted, self.now))
        self._acted = self.now
        inputs += [Seen(seen, self._evidence(seen)) for seen in self._look()]
        inputs.append(Ticked(self.now))
        return inputs

    def _look(self) -> list[Observation]:
        spent, stills, start = self.camera.spent, self.camera.stills, time.perf_counter()
        noticed = self.eye.step(self.camera)
        took = time.perf_counter() - start - (self.camera.spent - spent)
        if self.camera.stills > stills:
            self._reading += took
        if self._evidence_of is not None:
            self._evidence_of.noticed(noticed, self._view())
        return noticed

    def _view(self) -> View | None:
        return getattr(self.eye, "view", None)

    def _evidence(self, seen: Observation) -> Mapping[str, Any]:
        if not isinstance(seen, Laid):
            return {}
        took, self._reading = self._reading, 0.0
        return {"ms": round(1000 * took, 1)}


def studio_of(deck: Path | None = None, profile: Path | None = None) -> Studio | None:
    """A studio with the cards in the folder *deck*, read with the deck profile at *profile*; None: as it is.

    :raises Unreadable: when *deck* is no folder of card pictures.
    :raises CannotSee: when *profile* is no deck profile.
    """
    if deck is None and profile is None:
        return None
    cards = (Deck.own("river"),) if deck is None else (Deck.load(deck),)
    own = None if profile is None else DeckProfile.load(profile)
    return Studio(decks=lambda: cards, eye=lambda world: _eye(own))


def _eye(own: DeckProfile | None = None) -> Sees:
    return eyes_of(own)()


def eyes_of(own: DeckProfile | None) -> Callable[[], Sees]:
    """What makes eyes that read with the deck profile *own*, None for common cards; loads the models once."""
    from vision.detector import Detector
    from vision.enrolment.prototypes import with_profile
    from vision.eye import Eye
    from vision.reader import Reader

    detector, reader = Detector(), with_profile(Reader(), own)
    return lambda: Eye(detector, reader)
