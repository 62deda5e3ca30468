"""Evidence for referees: each alert gets the seconds around it and the corners that it is about.

The recorder looks through the camera with the eye and is told what the controller did. Only where the match's rules
keep pictures of alerts does it remember anything at all. Writing happens on a thread of its own, or, where time is a
number (the demo without a window), at once.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from table.desk import Desk
from table.effects import Alert, Append, Effect
from table.evidence_shelf import UNFINISHED_S, Kept, Shelf
from table.field import Field
from vision.camera import Box, Camera, Frame
from vision.evidence import INDEX_MM, IndexCrop, Ring, clip, index_crops
from vision.mat import View
from vision.observations import Laid, Observation, Revised

LOG: Final = logging.getLogger(__name__)
PLAYS: Final = 40
"""Plays whose corners are remembered."""
CARDS: Final = 20
"""Corners of one alert that are stored: its play and the one that it was to beat."""
WAITING: Final = 24
"""Frames that may wait for the writing thread; more are left out."""
SWEEP_S: Final = 600.0
FINISHED: Final = frozenset({"sign", "forfeit", "withdraw"})


@dataclass
class _Due:
    """An alert whose clip is not complete yet."""

    alert: Alert
    epoch: int
    match: str | None
    at: float
    seconds: float
    crops: list[tuple[str, IndexCrop]]


class Recorder:
    """Keeps evidence on *shelf*; *wall* tells the time of day, *threaded* whether frames wait for a thread.

    *ready* hears of each alert's files once they are on the disk (on the writing thread).
    """

    def __init__(
        self,
        shelf: Shelf,
        wall: Callable[[], float],
        threaded: bool = True,
        ready: Callable[[str, Sequence[Kept]], None] | None = None,
        field: Field | None = None,
    ) -> None:
        self.shelf = shelf
        self._wall, self._ready, self._field = wall, ready, field
        self._desk: Callable[[], Desk] | None = None
        self._epoch: Callable[[], int] = lambda: 0
        self._ring = Ring(1.0)
        self._stills: list[Frame] = []
        """What the eye read since the last frame of the small stream."""
        self._laid: OrderedDict[str, list[IndexCrop]] = OrderedDict()
        self._plays: OrderedDict[int, tuple[str, list[IndexCrop]]] = OrderedDict()
        self._due: list[_Due] = []
        self._turn = threading.RLock()
        self._swept = -SWEEP_S
        self._waiting: queue.Queue[tuple[Frame, View] | None] | None = queue.Queue(WAITING) if threaded else None
        self._thread: threading.Thread | None = None

    def start(self, desk: Callable[[], Desk], epoch: Callable[[], int]) -> None:
        """Begin; *desk* is the controller's, *epoch* the journal's number of the match that is on."""
        self._desk, self._epoch = desk, epoch
        if self._waiting is not None and self._thread is None:
            self._thread = threading.Thread(target=self._work, name="evidence", daemon=True)
            self._thread.start()
        self._sweep()

    # -- on the eye's thread ----------------------------------------------------------------------------------------

    def watch(self, camera: Camera, view: Callable[[], View | None]) -> Camera:
        """*camera* with the recorder looking on; another camera's time begins."""
        self.flush()
        return _Watched(camera, view, self)

    def seen(self, frame: Frame, view: View | None) -> None:
        """A frame of the small stream."""
        self._stills.clear()
        seconds = self._seconds()
        if seconds <= 0 or view is None:
            with self._turn:
                self._ring.clear()
            return
        with self._turn:
            if self._ring.seconds < seconds + 1:
                self._ring = Ring(seconds + 1)
            if not self._ring.wants(frame.t):
                return
        if self._waiting is None:
            self._keep(frame, view)
            return
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait((frame, view))

    def still(self, frame: Frame) -> None:
        """A full still that the eye reads."""
        if self._seconds() > 0 or (self._field is not None and self._field.agreed):
            self._stills.append(frame)

    def noticed(self, observations: Sequence[Observation], view: View | None, index_mm: float = INDEX_MM) -> None:
        """What the eye made of it: the corners of new cards are kept while they may be disputed."""
        if self._field is not None and observations:
            self._field.noticed(observations, self._stills, view, index_mm)
        for each in observations:
            if isinstance(each, Laid | Revised) and self._stills and self._seconds() > 0:
                crops = max((index_crops(each.cards, still, view) for still in self._stills), key=len)
                with self._turn:
                    self._laid[each.seat] = crops
        self._stills.clear()

    # -- on the controller's thread ---------------------------------------------------------------------------------

    def told(self, effects: Sequence[Effect]) -> None:
        """What the controller did: plays get their corners, alerts their clips, rulings and results their say."""
        if self._field is not None:
            self._field.told(effects)
        for effect in effects:
            if isinstance(effect, Append):
                self._appended(effect)
            elif isinstance(effect, Alert):
                self._alerted(effect)

    def _appended(self, effect: Append) -> None:
        event = effect.event
        if event.do in ("play", "tribute", "return"):
            seat = str(event.data.get("seat") or event.data.get("from"))
            with self._turn:
                self._plays[event.seq] = (seat, self._laid.pop(seat, []))
                while len(self._plays) > PLAYS:
                    self._plays.popitem(last=False)
        elif event.do == "ruling":
            self.shelf.ruled(self._epoch(), str(event.data.get("alert")))
        elif event.do == "match":
            with self._turn:
                self._plays.clear()
        if event.do in FINISHED and self._desk is not None:
            match = self._desk().match
            if match.result is not None and match.signed >= {"NS", "EW"}:
                self.flush()
                self.shelf.final(self._epoch(), self._wall(), match.ruleset.clip_hours)
        if event.do in ("deal", "match", *FINISHED):
            self._sweep()

    def _alerted(self, alert: Alert) -> None:
        seconds = self._seconds()
        line = alert.id.partition(".")[0]
        if seconds <= 0 or not line.isdecimal():
            return
        with self._turn:
            at = self._ring.latest
            if at is None:
                return
            crops = self._crops_of(int(line))
            name = self._desk().match_name if self._desk is not None else None
            self._due.append(_Due(alert, self._epoch(), name, at, seconds, crops))

    def _crops_of(self, line: int) -> list[tuple[str, IndexCrop]]:
        """The corners of the play of *line* and of the play before it."""
        lines = [number for number in self._plays if number <= line][-2:]
        found = [(self._plays[number][0], crop) for number in reversed(lines) for crop in self._plays[number][1]]
        return found[:CARDS]

    def _seconds(self) -> float:
        """How long a clip is by the match's rules; 0: no pictures."""
        if self._desk is None:
            return 0.0
        match = self._desk().match
        if match.phase == "before":
            return 0.0
        return float(match.ruleset.clip_seconds) if match.ruleset.pictures == "alerts" else 0.0

    # -- writing ----------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        assert self._waiting is not None
        while (given := self._waiting.get()) is not None:
            try:
                self._keep(*given)
            except Exception:
                LOG.exception("evidence could not be kept")

    def _keep(self, frame: Frame, view: View) -> None:
        with self._turn:
            self._ring.add(frame, view)
            done = [due for due in self._due if frame.t >= due.at + due.seconds / 2]
            self._due = [due for due in self._due if due not in done]
            frames = [self._ring.between(due.at - due.seconds / 2, due.at + due.seconds / 2) for due in done]
        for due, clipped in zip(done, frames, strict=True):
            self._store(due, clipped)

    def flush(self) -> None:
        """Write what is due with the seconds there are, and forget the frames: the camera or the match is over."""
        with self._turn:
            due, self._due = self._due, []
            frames = [self._ring.between(each.at - each.seconds / 2, each.at + each.seconds / 2) for each in due]
            self._ring.clear()
            self._laid.clear()
        for each, clipped in zip(due, frames, strict=True):
            self._store(each, clipped)

    def _store(self, due: _Due, frames: list[tuple[float, bytes]]) -> None:
        made = self._wall()

        def about(kind: str, **more: Any) -> Callable[[str], Kept]:
            alert = due.alert
            line = int(alert.id.partition(".")[0])
            return lambda name: Kept(
                name, kind, alert.id, line, due.epoch, due.match, made, made + UNFINISHED_S, **more
            )  # fmt: skip

        files = []
        try:
            if frames:
                files.append(self.shelf.add(clip(frames), "webp", about("clip", seat=due.alert.seat)))
            for seat, crop in due.crops:
                named = tuple((card.name, round(min(1.0, p), 4)) for card, p in crop.candidates)
                files.append(self.shelf.add(crop.data, "jpg", about("crop", seat=seat, candidates=named)))
        except OSError as error:
            # A full disk costs pictures, never the game.
            LOG.warning("evidence of alert %s could not be kept: %s", due.alert.id, error)
        if files and self._ready is not None:
            self._ready(due.alert.id, files)

    def _sweep(self) -> None:
        now = self._wall()
        if now - self._swept >= SWEEP_S:
            self._swept = now
            self.shelf.sweep(now)

    def close(self) -> None:
        """Write what is due and end."""
        if self._thread is not None and self._waiting is not None:
            self._waiting.put(None)
            self._thread.join(20.0)
            self._thread = None
        self.flush()


class _Watched:
    """A camera with a recorder looking on."""

    def __init__(self, camera: Camera, view: Callable[[], View | None], recorder: Recorder) -> None:
        self._camera, self._view, self._recorder = camera, view, recorder

    def motion(self) -> Frame | None:
        frame = self._camera.motion()
        if frame is not None:
            self._recorder.seen(frame, self._view())
        return frame

    def still(self, box: Box | None = None) -> Frame:
        frame = self._camera.still(box)
        self._recorder.still(frame)
        return frame

    def close(self) -> None:
        self._camera.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._camera, name)  # what a camera has besides, such as what a service tells of itself
