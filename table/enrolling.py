"""The camera's side of learning a deck: while the page is open it has the camera, and tells after each picture.

Frames are taken on the thread that has the camera; a picture is read on a thread of its own, so that frames go on
meanwhile and nobody takes the table for hung.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.cards import Card
from table.effects import Effect, Learn
from table.inputs import Learned
from table.view import Learning, Proven
from vision.camera import Camera
from vision.enrolment.looks import Look
from vision.enrolment.session import Enrolment
from vision.enrolment.watching import Stillness
from vision.mat import View
from vision.photo import read_photo
from vision.profiles import DeckProfile

if TYPE_CHECKING:
    from vision.detector import Detector
    from vision.reader import Reader

FEW = 30
"""A proof of fewer cards is none: they are being laid or gathered up."""


class Enrolling:
    """What a source asks for when it may have its camera back; *path* is where a profile is kept, *made* its date.

    *quietly* is called on the reading thread first: it gives way to whatever draws.
    """

    def __init__(
        self, path: Path, detector: Detector, reader: Reader, made: Callable[[], str] = str,
        quietly: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self.path = path
        self.enrolment = Enrolment(reader)
        self.looks = 0
        """Pictures that were learned from, or proved on."""
        self.kept: DeckProfile | None = None
        """What was saved last and the eye has not taken up yet."""
        self._detector, self._reader, self._made, self._quietly = detector, reader, made, quietly
        self._orders: deque[Learn] = deque()
        self._open = False
        self._stillness = Stillness()
        self._reading: _Reading | None = None
        self._learning = Learning()

    def told(self, effects: Iterable[Effect]) -> None:
        """Orders of the page, from any thread."""
        for effect in effects:
            if isinstance(effect, Learn):
                self._orders.append(effect)

    @property
    def wanted(self) -> bool:
        """Whether the camera is needed: the page is open, or about to be."""
        return self._open or bool(self._orders)

    def taken_up(self) -> DeckProfile | None:
        """The profile that was saved since this was last asked."""
        kept, self.kept = self.kept, None
        return kept

    def step(self, camera: Camera, now: Callable[[], float]) -> Sequence[Learned]:
        """Carry out what was ordered and take the next frame; how it stands, if that has changed.

        :raises CannotSee: when the camera is lost.
        """
        was = self._learning
        self._obey()
        if self._open:
            frame = camera.motion()
            if self._reading is not None:
                self._fetch(self._reading)
            elif frame is not None and self.enrolment.step != "done" and self._stillness.see(frame):
                self._look(camera.still().image)
        return () if self._learning is was or not self._open else (Learned(now(), self._learning),)

    # -- orders -----------------------------------------------------------------------------------------------------

    def _obey(self) -> None:
        """Orders wait for a picture that is being read, but for the one that gives the camera back: what is read then
        concerns nobody any more."""
        while self._orders and (self._reading is None or any(order.what == "stop" for order in self._orders)):
            order = self._orders.popleft()
            if order.what == "stop":
                self._open, self._reading = False, None
            elif self._reading is not None:
                continue
            elif order.what in ("begin", "again"):
                self._open, self.enrolment, self.looks = True, Enrolment(self._reader), 0
                self._stillness, self._learning = Stillness(), Learning()
            elif order.what == "answer":
                self._answer(*order.value)
            elif order.what == "save" and self.enrolment.seen:
                self._save()

    def _answer(self, number: int, name: str | None) -> None:
        if number in {question.id for question in self.enrolment.doubtful}:
            self.enrolment.answer(number, Card.parse(name) if name else None)
            self._learning = self._standing(self.enrolment, "answered")

    def _save(self) -> None:
        profile = self.enrolment.profile(self.path.stem, self._made())
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            profile.save(self.path)
        except OSError:
            self._learning = self._standing(self.enrolment, "unsaved")
            return
        self.kept = profile
        self._learning = self._standing(self.enrolment, "saved", saved=str(self.path))

    # -- pictures ---------------------------------------------------------------------------------------------------

    def _look(self, image: np.ndarray) -> None:
        self._learning = replace(self._learning, busy=True, said="", question=None, crop=b"")
        enrolment, read = self.enrolment, self._proved if self.enrolment.step == "prove" else self._shown
        self._reading = _Reading(lambda: read(enrolment, image), self._quietly)
        self._reading.start()

    def _fetch(self, reading: _Reading) -> None:
        if reading.is_alive():
            return
        self._reading = None
        if reading.error is not None:
            raise reading.error
        self.looks += 1
        assert reading.found is not None
        self._learning = reading.found

    def _shown(self, enrolment: Enrolment, image: np.ndarray) -> Learning:
        look = Look("", image, View.from_markers(image))
        before = enrolment.step, enrolment.joker_looks
        shown = enrolment.show(look.sightings(self._detector, self._reader, enrolment.index_mm), look.px_per_mm)
        if not shown.sightings:
            return self._standing(enrolment, "none")
        same = before == (enrolment.step, enrolment.joker_looks)
        return self._standing(enrolment, "added" if shown.new else "same" if same else "varied", len(shown.new))

    def _proved(self, enrolment: Enrolment, image: np.ndarray) -> Learning:
        cards = read_photo(image, self._detector, enrolment.reader())
        if len(cards) < FEW:
            return self._standing(enrolment, "few", len(cards))
        enrolment.prove(cards)
        return self._standing(enrolment, "proved")

    def _standing(self, enrolment: Enrolment, said: str, count: int = 0, saved: str = "") -> Learning:
        """How *enrolment* stands."""
        proof, doubtful = enrolment.proof, enrolment.doubtful
        return Learning(
            step=enrolment.step, seen=frozenset(enrolment.seen), said=said, count=count,
            jokers=enrolment.joker_looks,
            question=(doubtful[0].id, doubtful[0].candidates) if doubtful else None,
            crop=doubtful[0].crop.tobytes() if doubtful else b"",
            proof=None if proof is None else Proven(
                proof.cards, proof.right, len(proof.asked), proof.wrong, proof.passed
            ),
            saved=saved or self._learning.saved,
        )  # fmt: skip


class _Reading(threading.Thread):
    """One picture being read: in the end :attr:`found`, or the :attr:`error` that ended it."""

    def __init__(self, read: Callable[[], Learning], quietly: Callable[[], None]) -> None:
        super().__init__(name="enrolment", daemon=True)
        self.found: Learning | None = None
        self.error: Exception | None = None
        self._read, self._quietly = read, quietly

    def run(self) -> None:
        try:
            self._quietly()
            self.found = self._read()
        except Exception as error:
            self.error = error
