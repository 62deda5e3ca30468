"""The camera's side of learning a deck: while the page is open it has the camera, and tells after each picture.

Frames are taken on the thread that has the camera; a picture is read on a thread of its own, so that frames go on
meanwhile and nobody takes the table for hung.
"""

from __future__ import annotations

import queue
import threading
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
        self._orders: queue.SimpleQueue[Learn] = queue.SimpleQueue()
        self._open = False
        self._stillness = Stillness()
        self._thread: threading.Thread | None = None
        self._result: Learning | Exception | None = None
        self._learning = Learning()

    def told(self, effects: Iterable[Effect]) -> None:
        """Orders of the page, from any thread."""
        for effect in effects:
            if isinstance(effect, Learn):
                self._orders.put(effect)

    @property
    def wanted(self) -> bool:
        """Whether the camera is needed: the page is open, or about to be."""
        return self._open or not self._orders.empty()

    def taken_up(self) -> DeckProfile | None:
        """The profile that was saved since this was last asked."""
        kept, self.kept = self.kept, None
        return kept

    def step(self, camera: Camera, now: Callable[[], float]) -> Sequence[Learned]:
        """Carry out what was ordered and take the next frame; how it stands, if that has changed.

        :raises CannotSee: when the camera is lost.
        """
        was = self._learning
        if self._thread is None:
            self._obey()
        if self._open:
            frame = camera.motion()
            if self._thread is not None:
                self._fetch()
            elif frame is not None and self.enrolment.step != "done" and self._stillness.see(frame):
                self._look(camera.still().image)
        return () if self._learning is was or not self._open else (Learned(now(), self._learning),)

    # -- orders -----------------------------------------------------------------------------------------------------

    def _obey(self) -> None:
        while not self._orders.empty() and self._thread is None:
            order = self._orders.get()
            if order.what in ("begin", "again"):
                self._open, self.enrolment, self.looks = True, Enrolment(self._reader), 0
                self._stillness, self._learning = Stillness(), Learning()
            elif order.what == "stop":
                self._open = False
            elif order.what == "answer":
                self._answer(*order.value)
            elif order.what == "save" and self.enrolment.seen:
                self._save()

    def _answer(self, number: int, name: str | None) -> None:
        if number in {question.id for question in self.enrolment.doubtful}:
            self.enrolment.answer(number, Card.parse(name) if name else None)
            self._learning = self._standing("answered", 0)

    def _save(self) -> None:
        profile = self.enrolment.profile(self.path.stem, self._made())
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            profile.save(self.path)
        except OSError:
            self._learning = self._standing("unsaved", 0)
            return
        self.kept = profile
        self._learning = self._standing("saved", 0, str(self.path))

    # -- pictures ---------------------------------------------------------------------------------------------------

    def _look(self, image: np.ndarray) -> None:
        self._learning = _busy(self._learning)
        self._thread = threading.Thread(target=self._read, args=(image,), name="enrolment", daemon=True)
        self._thread.start()

    def _fetch(self) -> None:
        assert self._thread is not None
        if self._thread.is_alive():
            return
        self._thread, result = None, self._result
        if isinstance(result, Exception):
            raise result
        if result is not None:
            self.looks += 1
            self._learning = result

    def _read(self, image: np.ndarray) -> None:
        try:
            self._quietly()
            self._result = self._proved(image) if self.enrolment.step == "prove" else self._shown(image)
        except Exception as error:
            self._result = error

    def _shown(self, image: np.ndarray) -> Learning:
        view = View.from_markers(image)
        look = Look("", image, view)
        before = self.enrolment.step, self.enrolment.joker_looks
        shown = self.enrolment.show(
            look.sightings(self._detector, self._reader, self.enrolment.index_mm), look.px_per_mm
        )
        if not shown.sightings:
            return self._standing("none", 0)
        same = before == (self.enrolment.step, self.enrolment.joker_looks)
        return self._standing("added" if shown.new else "same" if same else "varied", len(shown.new))

    def _proved(self, image: np.ndarray) -> Learning:
        cards = read_photo(image, self._detector, self.enrolment.reader())
        if len(cards) < FEW:
            return self._standing("few", len(cards))
        self.enrolment.prove(cards)
        return self._standing("proved", 0)

    def _standing(self, said: str, count: int, saved: str = "") -> Learning:
        """How the enrolment stands."""
        enrolment, proof, doubtful = self.enrolment, self.enrolment.proof, self.enrolment.doubtful
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


def _busy(learning: Learning) -> Learning:
    return replace(learning, busy=True, said="", question=None, crop=b"")
