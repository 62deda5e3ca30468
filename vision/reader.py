"""The reader: names the card of every corner index that the detector found, and says how sure it is.

Each index is cut from the full-resolution picture, turned upright and scaled to one size, and a small network gives a
rank, a suit and a "this is no index I can read". Probabilities are calibrated by the temperatures in ``models.json``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np

from engine.cards import DECK, Card
from vision.networks import opened

MODELS: Final = Path(__file__).resolve().parent.parent / "assets" / "models"
PATCH_WIDTH: Final = 40
PATCH_HEIGHT: Final = 56
INDEX_HEIGHT: Final = 42.0
"""Height in px to which an index is scaled within its patch."""
SHIFT_UNIT: Final = 0.125
TURN_UNIT: Final = 10.0
SIZE_UNIT: Final = 0.2
"""What the network's pose answers count in: index heights, degrees, log of the height."""
_SHRINK_FROM: Final = 1.5
"""From this many times INDEX_HEIGHT on, a patch is cut from a smaller copy of the picture, so that it cannot alias."""
_BATCH: Final = 64
DOUBT: Final = 0.97
"""An index read with less than this is looked at again where the first look says that it really lies."""
HOPELESS: Final = 0.9
"""What is rejected more surely than this is not looked at again."""
SECOND_LOOK: Final = 2 / 3
"""The second look's share in the answer; the first keeps a veto on its certainty."""


class Pose(Protocol):
    """What the reader needs to know of an index: centre and size in px, unit vector of its up."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def dx(self) -> float: ...
    @property
    def dy(self) -> float: ...
    @property
    def size(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Place:
    """A :class:`Pose` that the reader has put straight."""

    x: float
    y: float
    dx: float
    dy: float
    size: float


@dataclass(frozen=True)
class IndexRead:
    """What one index says.

    *rank_probs* (13: 2 … A), *joker* and *reject* sum to 1; *suit_probs* (4: S H C D) and *colour_probs* (2: black,
    red) sum to 1 together: the mass on a suit speaks for a plain card, the mass on a colour for a joker.
    """

    rank_probs: np.ndarray
    suit_probs: np.ndarray
    colour_probs: np.ndarray
    joker: float
    reject: float
    place: Place | None = None
    """Where the index really lies, as the reader sees it, px of the picture; None where only patches were given."""

    @cached_property
    def candidates(self) -> tuple[tuple[Card, float], ...]:
        """Cards with their probabilities, best first, down to 0.001 and at least one."""
        plain = np.outer(self.suit_probs, self.rank_probs).reshape(-1)
        # a joker's colour is asked among the two jokers only: a monogram in spade black is still a joker
        jokers = self.joker * self.colour_probs / max(float(self.colour_probs.sum()), 1e-6)
        probs = np.concatenate([plain, jokers])
        order = [k for k in np.argsort(-probs)[:8] if probs[k] >= 1e-3] or [int(np.argmax(probs))]
        return tuple((DECK[k], float(probs[k])) for k in order)

    @property
    def card(self) -> Card:
        """The best candidate."""
        return self.candidates[0][0]

    @property
    def confidence(self) -> float:
        """The best candidate's probability."""
        return self.candidates[0][1]


def patch_matrix(x: float, y: float, dx: float, dy: float, size: float) -> np.ndarray:
    """2x3 float64 matrix from the picture to the upright patch of an index at (*x*, *y*) whose up is (*dx*, *dy*)."""
    scale = INDEX_HEIGHT / size
    # the index's right is its up turned a quarter clockwise: (-dy, dx); rows map onto the patch's x and y axes
    linear = scale * np.array([[-dy, dx], [-dx, -dy]])
    centre = np.array([(PATCH_WIDTH - 1) / 2, (PATCH_HEIGHT - 1) / 2])
    return np.column_stack([linear, centre - linear @ np.array([x, y])])


def cut_patches(image: np.ndarray, founds: Sequence[Pose]) -> np.ndarray:
    """(n, 56, 40, 3) uint8 upright patches of *founds* from *image* (H, W, 3) BGR."""
    patches = np.empty((len(founds), PATCH_HEIGHT, PATCH_WIDTH, 3), np.uint8)
    copies = {0: image}
    for k, found in enumerate(founds):
        level = 0
        while found.size / 2**level > INDEX_HEIGHT * _SHRINK_FROM and min(copies[level].shape[:2]) > 1:
            level += 1
            if level not in copies:
                above = copies[level - 1]
                half = (max(above.shape[1] // 2, 1), max(above.shape[0] // 2, 1))
                copies[level] = cv2.resize(above, half, interpolation=cv2.INTER_AREA)
        source = copies[level]
        across, down = source.shape[1] / image.shape[1], source.shape[0] / image.shape[0]
        x, y = (found.x + 0.5) * across - 0.5, (found.y + 0.5) * down - 0.5
        matrix = patch_matrix(x, y, found.dx, found.dy, found.size * down)
        size = (PATCH_WIDTH, PATCH_HEIGHT)
        cv2.warpAffine(source, matrix, size, dst=patches[k], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return patches


def straightened(pose: Pose, off: Sequence[float]) -> Place:
    """*pose* moved by *off*, the reader's answer for it: right, down, turn and growth in their units."""
    right, down, turn, grown = (float(part) for part in off)
    ahead, aside = -pose.size * SHIFT_UNIT * down, pose.size * SHIFT_UNIT * right
    x, y = pose.x + ahead * pose.dx - aside * pose.dy, pose.y + ahead * pose.dy + aside * pose.dx
    angle = math.atan2(pose.dx, -pose.dy) + math.radians(TURN_UNIT * turn)
    return Place(x, y, math.sin(angle), -math.cos(angle), pose.size * math.exp(SIZE_UNIT * grown))


def softmax(logits: np.ndarray) -> np.ndarray:
    """Probabilities along the last axis."""
    shifted = np.exp(logits - logits.max(-1, keepdims=True))
    result: np.ndarray = shifted / shifted.sum(-1, keepdims=True)
    return result


class Reader:
    """The reading network; ``Reader().read(image, founds)`` gives one :class:`IndexRead` for each found index."""

    def __init__(self, model_path: str | Path | None = None, threads: int = 1) -> None:
        path = Path(model_path) if model_path else MODELS / "reader.onnx"
        self._session = opened(path, threads)
        about = path.with_name("models.json")
        facts = json.loads(about.read_text())["reader"] if about.exists() else {}
        self.rank_temperature = float(facts.get("rank_temperature", 1.0))
        self.suit_temperature = float(facts.get("suit_temperature", 1.0))

    def logits(self, patches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Raw rank (n, 15) and suit (n, 6) scores of (n, 56, 40, 3) uint8 *patches*."""
        ranks, suits = self._run(["ranks", "suits"], patches)
        return ranks, suits

    def features(self, patches: np.ndarray) -> np.ndarray:
        """What the network sees in each of (n, 56, 40, 3) uint8 *patches* before it names it: (n, 144) float32, >= 0.

        Patches that look alike lie close together, whether or not the network knows their name: the first 96 numbers
        are what it tells the rank by, the other 48 what it tells the suit or the joker's colour by.
        """
        return self._run(["features"], patches)[0]

    def _run(self, outputs: list[str], patches: np.ndarray) -> list[np.ndarray]:
        """The network's *outputs* for all *patches*, at least one, looked at a batch at a time."""
        parts = [
            self._session.run(outputs, {"patches": patches[start : start + _BATCH]})
            for start in range(0, len(patches), _BATCH)
        ]
        return [np.concatenate(each) for each in zip(*parts, strict=True)]

    def read_patches(self, patches: np.ndarray) -> list[IndexRead]:
        """One reading for each of (n, 56, 40, 3) uint8 *patches*."""
        return self._named(*self.logits(patches)) if len(patches) else []

    def read_with_features(self, patches: np.ndarray) -> tuple[list[IndexRead], np.ndarray]:
        """:meth:`read_patches` and :meth:`features` of (n, 56, 40, 3) uint8 *patches*, n > 0, for the price of one."""
        ranks, suits, features = self._run(["ranks", "suits", "features"], patches)
        return self._named(ranks, suits), features

    def _named(self, rank_logits: np.ndarray, suit_logits: np.ndarray) -> list[IndexRead]:
        ranks = softmax(rank_logits / self.rank_temperature)
        suits = softmax(suit_logits / self.suit_temperature)
        return [
            IndexRead(rank[:13], suit[:4], suit[4:], float(rank[13]), float(rank[14]))
            for rank, suit in zip(ranks, suits, strict=True)
        ]

    def read(self, image: np.ndarray, founds: Sequence[Pose]) -> list[IndexRead]:
        """One reading for each of *founds* (positions and sizes in px of *image*, (H, W, 3) BGR uint8).

        The first look also tells how each index lies off its pose; what it leaves in doubt is cut and read again there.
        """
        if not founds:
            return []
        ranks, suits, off = self._run(["ranks", "suits", "poses"], cut_patches(image, founds))
        places = [straightened(found, each) for found, each in zip(founds, off, strict=True)]
        first = self._named(ranks, suits)
        doubtful = [k for k, read in enumerate(first) if read.confidence < DOUBT and read.reject < HOPELESS]
        if doubtful:
            again = self.logits(cut_patches(image, [places[k] for k in doubtful]))
            for scores, second in zip((ranks, suits), again, strict=True):
                scores[doubtful] += SECOND_LOOK * (second - scores[doubtful])
        reads = self._named(ranks, suits) if doubtful else first
        return [replace(read, place=place) for read, place in zip(reads, places, strict=True)]
