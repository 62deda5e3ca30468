"""Where a window's inputs come from: a thread that looks through a camera, real or virtual, and never at the screen."""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Sequence

import numpy as np

from engine.events import Event
from simulator.gestures import Pace
from simulator.shown_deck import ShownDeck
from simulator.world import World
from table.calibrating import Calibrating
from table.desk import Desk
from table.effects import Effect, Learn
from table.enrolling import Enrolling
from table.evidence import Recorder
from table.inputs import Input, Seen, Tapped, Ticked
from table.next_eye import NextEye
from table.virtual import FRAME, Sees, Studio, VirtualTable, record_after, record_of
from vision.camera import Camera
from vision.eye import Eye
from vision.mat import INDEX_MM, View
from vision.profiles import DeckProfile

BETWEEN_MATCHES = 6.0
"""Seconds for which a demo's result stands before the next match begins."""
FIRST_PLAY = 2
"""The event at which a new match is joined: cards are dealt, the first player thinks."""
DECK_STILL = (2624, 1972)
"""Pixels of a picture of a demo's deck that is shown to be learned."""
VISITOR = 6.0
"""Seconds a demo leaves a question to whoever looks on, before a robot answers it."""


class Failed:
    """A thread that died says why, so that the window can."""

    def __init__(self) -> None:
        self.error: Exception | None = None


class CameraSource:
    """A real camera, or a recorded video, watched by the eye on a thread of its own; times are the camera's."""

    def __init__(
        self, camera: Camera, eye: Eye, evidence: Recorder | None = None, enrolling: Enrolling | None = None,
        eye_of: Callable[[DeckProfile], Eye] | None = None,
    ) -> None:  # fmt: skip
        """*enrolling* gets the camera while a deck is learned; *eye_of* makes the eye that reads with what it saved."""
        self._enrolling, self._eye_of = enrolling, eye_of
        self.calibrating: Calibrating | None = None
        """Gets the camera while somebody looks how it hangs."""
        self.inputs: queue.SimpleQueue[Input] = queue.SimpleQueue()
        self.lock = threading.Lock()
        self.failed = Failed()
        self.ended = False
        self._camera, self._eye, self._evidence = camera, eye, evidence
        self.next_eye = NextEye()
        self._desk: Callable[[], Desk] = Desk
        self._stopped = threading.Event()
        self._frame: np.ndarray | None = None
        self._t, self._at = 0.0, time.monotonic()
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)

    def begins(self, t: float) -> None:
        """It is *t* by the camera's clock, which may have begun long before: nothing may count from zero meanwhile."""
        self._t, self._at = t, time.monotonic()

    def start(self, desk: Callable[[], Desk]) -> None:
        self._desk = desk
        self._thread.start()

    @property
    def looked_at(self) -> float:
        """When the eye's loop last had a frame, on the machine's monotonic clock."""
        return self._at

    def sees(self) -> tuple[np.ndarray | None, View | None, float]:
        """The last frame of the small stream, how full pictures see the mat, the deck's index height in millimetres."""
        return self._frame, self._eye.view, self._eye.index_mm

    def now(self) -> float:
        """The camera's time: that of the last frame and what has gone by since."""
        return self._t + (0.0 if self.ended else min(1.0, time.monotonic() - self._at))

    def told(self, effects: list[Effect]) -> None:
        """A real table's people read the screen themselves."""
        if self._enrolling is not None:
            self._enrolling.told(effects)
        if self.calibrating is not None:
            self.calibrating.told(effects)
        if self._evidence is not None:
            self._evidence.told(effects)

    def picture(self) -> np.ndarray | None:
        return None

    def pause(self, still: bool) -> None:
        """A real table cannot be held."""

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(5.0)
        self._camera.close()

    def _run(self) -> None:
        yield_to_the_window()
        try:
            camera: Camera = _Stamped(self._camera, self)
            if self._evidence is not None:
                camera = self._evidence.watch(camera, lambda: self._eye.view)
            while not self._stopped.is_set() and not self._eye.ended:
                began = time.monotonic()
                if (eye_of := self.next_eye.due(self._desk().match.phase)) is not None:
                    self._eye = eye_of()
                noticed = () if self._lent(camera) else self._eye.step(camera)
                if self._evidence is not None:
                    self._evidence.noticed(noticed, self._eye.view, self._eye.index_mm)
                for seen in noticed:
                    self.inputs.put(Seen(seen))
                self.inputs.put(Ticked(self._t))
                # A video has no pace of its own.
                spare = FRAME - (time.monotonic() - began)
                if spare > 0:
                    self._stopped.wait(spare)
            self.ended = True
        except Exception as error:
            self.failed.error = error

    def _lent(self, camera: Camera) -> bool:
        """Whether a page has the camera, with its next frame; the eye then sees nothing of it."""
        if self.calibrating is not None and self.calibrating.wanted:
            for seen in self.calibrating.step(camera, self.now):
                self.inputs.put(seen)
            return True
        learner = self._enrolling
        if learner is None or not learner.wanted:
            return False
        for told in learner.step(camera, self.now):
            self.inputs.put(told)
        deck = learner.taken_up()
        if deck is not None and self._eye_of is not None:
            self._eye = self._eye_of(deck)
        return True


def yield_to_the_window() -> None:
    """This thread gives way: a touch is on the screen at once, a play may take a few milliseconds longer to be read."""
    sys.setswitchinterval(0.0002)
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + 10)


class _Stamped:
    """The camera, noting when its last frame was taken."""

    def __init__(self, camera: Camera, source: CameraSource) -> None:
        self._camera, self._source = camera, source

    def motion(self):  # type: ignore[no-untyped-def]
        frame = self._camera.motion()
        if frame is not None:
            self._source._t, self._source._at, self._source._frame = frame.t, time.monotonic(), frame.image
        return frame

    def still(self, box=None):  # type: ignore[no-untyped-def]
        return self._camera.still(box)

    def close(self) -> None:
        self._camera.close()


class VirtualSource:
    """The demo's table: robots play match after match; time goes with the wall clock, or slower where reading is slow.

    *start* is the event at which match *number* goes on.
    """

    def __init__(
        self,
        seed: int,
        profile: str,
        ruleset: str = "national",
        speed: float = 1.0,
        number: int = 1,
        start: int = 0,
        studio: Studio | None = None,
        evidence: Recorder | None = None,
        enrolling: Callable[[], Enrolling] | None = None,
        continues: Sequence[Event] = (),
    ) -> None:
        """*continues* are the lines with which match *number* began on another machine."""
        self._continues, self._first = continues, number
        self._enrolling_of = enrolling
        self._enrolling: Enrolling | None = None
        self._deck_camera: ShownDeck | None = None
        self._deck_picture: np.ndarray | None = None
        self.inputs: queue.SimpleQueue[Input] = queue.SimpleQueue()
        self.failed = Failed()
        self.next_eye = NextEye()
        self._eye_of: Callable[[], Sees] | None = None
        """What makes the eye of the deck that the venue handed out."""
        self.seed, self.profile, self.ruleset, self.speed, self.number = seed, profile, ruleset, speed, number
        self._studio, self._evidence = studio, evidence
        self._record = self._whole(number) if start else self._opening(number)
        self.table = self._table(self._record, start)
        self.lock = self.table.lock
        self._offset = 0.0
        self._stepped = time.monotonic()
        self._held = False
        self._stopped = threading.Event()
        self._desk: Callable[[], Desk] = Desk
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)

    def _opening(self, number: int) -> list[Event]:
        return self._record_of(number, 1)

    def _whole(self, number: int) -> list[Event]:
        return self._record_of(number, None)

    def _record_of(self, number: int, deals: int | None) -> list[Event]:
        if self._continues and number == self._first:
            return record_after(self._continues, self.seed, number, deals)
        return record_of(self.seed, number, self.profile, deals, self.ruleset)

    def _table(self, record: Sequence[Event], start: int) -> VirtualTable:
        return VirtualTable(
            record, self.seed * 1000 + self.number, max(FIRST_PLAY, start), Pace().quicker(0.8), self._studio, VISITOR,
            self._evidence,
        )  # fmt: skip

    def start(self, desk: Callable[[], Desk]) -> None:
        """Begin; *desk* gives the controller's desk, read under :attr:`lock` only."""
        self._desk = desk
        self._thread.start()
        threading.Thread(target=self._grow, args=(self.table,), name="robots", daemon=True).start()

    def _grow(self, table: VirtualTable) -> None:
        """While the first deal is played the robots work out the rest of the match."""
        whole = self._whole(self.number)
        if len(whole) > len(table.record):
            decks = (self._studio or Studio()).decks()
            world = World(whole, decks, self.seed * 1000 + self.number, Pace().quicker(0.8))
            table.extend(world)

    def now(self) -> float:
        gone = 0.0 if self._held else (time.monotonic() - self._stepped) * self.speed
        return self._offset + self.table.now + min(gone, FRAME)

    def told(self, effects: list[Effect]) -> None:
        if self._enrolling_of is not None and any(isinstance(effect, Learn) for effect in effects):
            if self._enrolling is None:
                self._enrolling = self._enrolling_of()
            self._enrolling.told(effects)
        if self._evidence is not None:
            self._evidence.told(effects)
        with self.lock:
            self.table.people.told(effects, self.table.now)

    def sees(self) -> tuple[np.ndarray | None, View | None, float]:
        """As a real table's camera sees it."""
        eye = self.table.eye
        return self.table.camera.last, getattr(eye, "view", None), getattr(eye, "index_mm", INDEX_MM)

    def picture(self) -> np.ndarray | None:
        learns = self._enrolling is not None and self._enrolling.wanted
        return self._deck_picture if learns else self.table.camera.last

    def pause(self, still: bool) -> None:
        self._held = still

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(20.0)

    def _run(self) -> None:
        try:
            while not self._stopped.is_set():
                if self._held:
                    self._learn()
                    self._stopped.wait(0.05)
                    self._stepped = time.monotonic()
                    continue
                self._stepped = time.monotonic()
                if (eye_of := self.next_eye.due(self._desk().match.phase)) is not None:
                    self._eye_of, self.table.eye = eye_of, eye_of()
                for given in self.table.step(self._desk()):
                    self.inputs.put(_later(given, self._offset))
                if self.table.done:
                    self._next_match()
                spare = FRAME / self.speed - (time.monotonic() - self._stepped)
                if spare > 0:
                    self._stopped.wait(spare)
        except Exception as error:
            self.failed.error = error

    def _learn(self) -> None:
        """While a visitor has the page open, somebody shows the demo's cards to a camera of their own."""
        learner = self._enrolling
        if learner is None or not learner.wanted:
            return
        if self._deck_camera is None:
            deck = (self._studio or Studio()).decks()[0]
            self._deck_camera = ShownDeck(deck, self.seed, lambda: learner.enrolment, lambda: learner.looks, DECK_STILL)
        for told in learner.step(self._deck_camera, self.now):
            self.inputs.put(told)
        self._deck_picture = self._deck_camera.last

    def _next_match(self) -> None:
        self._stopped.wait(BETWEEN_MATCHES / self.speed)
        if self._stopped.is_set():
            return
        self.number += 1
        before = self.now() + 1.0
        self._record = self._whole(self.number)
        table = self._table(self._record, 0)
        table.lock = self.lock
        if self._eye_of is not None:
            table.eye = self._eye_of()
        self._offset = before - table.now
        self.table = table
        self.inputs.put(Tapped(before, "restart"))


def _later(given: Input, offset: float) -> Input:
    """*given* on the table's clock, which runs on from match to match."""
    if not offset:
        return given
    from dataclasses import replace

    if isinstance(given, Seen):
        seen = given.observation
        moved = {name: getattr(seen, name) + offset for name in ("t", "touched_at", "settled_at", "since")
                 if hasattr(seen, name)}  # fmt: skip
        return replace(given, observation=replace(seen, **moved))
    return replace(given, t=given.t + offset)
