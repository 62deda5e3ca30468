"""What the eye finds on a table, kept on disk, so that joining can be measured again without looking again.

A line of ``looks-….jsonl`` is one table: what finder and reader said of the whole photo, and of each seat's zone when
it was read. :func:`indices` and :func:`retold` make the product's own code read it again from that.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.eye_tables import Table
from engine.cards import SEATS, Card
from vision.camera import Frame
from vision.detector import Detector, Found
from vision.layout import FoundIndex, Index, to_indices
from vision.mat import View
from vision.observations import SeenCard
from vision.reader import Place, Pose, Reader
from vision.scales import is_credible, read_all
from vision.zones import MIDDLE, ZoneReader

HOME = Path(__file__).resolve().parent.parent
_LOOKED_WITH = (
    "assets/models/detector.onnx", "assets/models/reader.onnx", "assets/models/models.json", "vision/detector.py",
    "vision/reader.py", "benchmarks/eye_tables.py",
)  # fmt: skip
FORMAT = 2
"""Of a line of looks."""
PLACES = (*SEATS, MIDDLE.seat)


@dataclass(frozen=True)
class Named:
    """What the reader said of an index."""

    candidates: tuple[tuple[Card, float], ...]
    reject: float
    place: Place | None = None


class Heard:
    """Finder and reader in one that remember what they said."""

    def __init__(self, detector: Detector, reader: Reader) -> None:
        self._detector, self._reader = detector, reader
        self.said: list[list[Any]] = []

    def find(self, image: np.ndarray, scale: float = 1.0) -> Sequence[Found]:
        found = self._detector.find(image, scale)
        self.said.append([scale, [[each.x, each.y, each.dx, each.dy, each.size, each.score] for each in found]])
        return found

    def read(self, image: np.ndarray, founds: Sequence[FoundIndex]) -> list[Named]:
        reads = [Named(each.candidates, each.reject, each.place) for each in self._reader.read(image, founds)]
        told = [[each.reject, _probs(dict(each.candidates)), _row(each.place)] for each in reads]
        self.said.append([len(founds), told])
        return reads


class AskedOtherwise(Exception):
    """The product's code asks something else than when the table was looked at: it must be looked at again."""


class Retold:
    """The same again, without a picture.

    :raises AskedOtherwise: when something else is asked.
    """

    def __init__(self, said: list[list[Any]]) -> None:
        self._said = list(said)

    def _next(self, asked: float) -> Any:
        if not self._said or abs(self._said[0][0] - asked) > 1e-3 * abs(asked):
            raise AskedOtherwise
        return self._said.pop(0)[1]

    def find(self, image: np.ndarray, scale: float = 1.0) -> Sequence[Found]:
        return [Found(*row) for row in self._next(scale)]

    def read(self, image: np.ndarray, founds: Sequence[Pose]) -> list[Named]:
        return [
            Named(tuple((Card.parse(name), p) for name, p in probs.items()), reject, Place(*place) if place else None)
            for reject, probs, place in self._next(len(founds))
        ]


def kept(folder: Path | None = None) -> Path:
    """The file of looks that belongs to the models and the code of now."""
    digest = hashlib.sha256(b"".join((HOME / name).read_bytes() for name in _LOOKED_WITH)).hexdigest()[:12]
    folder = folder or Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "guandan-table" / "eye-joins"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"looks-{FORMAT}-{digest}.jsonl"


def load(path: Path) -> dict[int, dict[str, Any]]:
    """Table number to what was seen there; a line that was cut off is looked at again."""
    looks = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            each = json.loads(line)
        except json.JSONDecodeError:
            continue
        looks[each["table"]] = each
    return looks


def look(table: Table, detector: Detector, reader: Reader) -> dict[str, Any]:
    """Look at *table* once: as a photo of unknown scale, and seat by seat as a watched table."""
    image = table.picture()
    heard = Heard(detector, reader)
    read_all(image, heard, heard)
    photo, heard.said = heard.said, []
    view = View.from_markers(image)
    seats: dict[str, Any] = {}
    if view is not None:
        zones = ZoneReader(heard, heard)
        for seat in PLACES:
            zones.read(Frame(0.0, image), view, seat)
            seats[seat], heard.said = heard.said, []
    told = None if view is None else [view.to_mm_matrix.tolist(), list(view.size), list(view.markers), view.bend]
    return {"table": table.number, "photo": _rounded(photo), "view": told, "seats": _rounded(seats)}


def indices(seen: dict[str, Any], size: tuple[int, int]) -> list[Index]:
    """The photo's named indices; *size* is the picture's."""
    again = Retold(seen["photo"])
    return read_all(_blank(size), again, again)


def retold(seen: dict[str, Any], size: tuple[int, int]) -> tuple[dict[str, list[SeenCard]], list[Index]]:
    """The cards of every zone as the product's own code makes them of what was seen, and the indices behind them, in
    px of the picture; nothing where the mat was not found.

    :raises AskedOtherwise: when that code asks for other looks than were kept.
    """
    if seen["view"] is None:
        return {}, []
    matrix, _, markers, bend = seen["view"]
    view = View(np.array(matrix), size, tuple(markers), bend)
    again = Retold([each for seat in PLACES for each in seen["seats"][seat]])
    zones = ZoneReader(again, again)
    blank = _blank(size)
    cards = {seat: zones.read(Frame(0.0, blank), view, seat) for seat in PLACES}
    named: list[Index] = []
    for seat in PLACES:
        x0, y0, _, _ = zones.box(view, seat)
        first = Retold(seen["seats"][seat][:2])  # further looks at what is doubtful find more
        founds = first.find(blank, seen["seats"][seat][0][0])
        here = to_indices(founds, first.read(blank, founds))
        named += [replace(index, x=index.x + x0, y=index.y + y0) for index in here if is_credible(index)]
    return cards, named


def _probs(probs: dict[Card, float]) -> dict[str, float]:
    return {card.name: p for card, p in probs.items()}


def _row(place: Place | None) -> list[float] | None:
    return None if place is None else [place.x, place.y, place.dx, place.dy, place.size]


def _blank(size: tuple[int, int]) -> np.ndarray:
    """A picture of *size* that takes no memory: nobody looks at it."""
    return np.broadcast_to(np.zeros(1, np.uint8), (size[1], size[0], 3))


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return round(value, 4) if isinstance(value, float) else value
