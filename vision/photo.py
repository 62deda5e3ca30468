"""The cards in one photo of unknown scale: what ``guandan read`` says."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from vision.layout import Placed, lay_out
from vision.observations import SeenCard
from vision.scales import FindsIndices, ReadsIndices, read_all

MODELS: Final = Path(__file__).resolve().parent.parent / "assets" / "models"
LEAST: Final = 0.2
"""A card named with less than this is not worth a question."""
CANDIDATES: Final = 4
SURE_SCORE: Final = 0.5
"""Least detector score of an index that alone makes a card sure."""
JOKER_SURE: Final = 0.92
"""Least probability of a sure joker that shows one corner."""
SMALL_PX: Final = 17.0
SMALL_SURE: Final = 0.93
"""Where a card's indices are lower than the first, px of the picture, the reader is surer than it should be: such a
card needs the second."""
LEAST_PX: Final = 11.0
"""Below this height nothing is sure: a still of 640 pixels that shows a whole table."""


@dataclass(frozen=True)
class Limits:
    """What sure means, from ``assets/models/models.json`` where the training run chose it."""

    sure: float = 0.8
    """Least calibrated probability of a sure card."""
    score: float = SURE_SCORE

    def surely(self, confidence: float, score: float, height: float) -> bool:
        """Whether a card is sure: its probability, its indices' best score and greatest height in px of the picture."""
        wanted = self.sure if height >= SMALL_PX else max(self.sure, SMALL_SURE)
        return confidence >= wanted and score >= self.score and height >= LEAST_PX

    @staticmethod
    def load(folder: Path = MODELS) -> Limits:
        about = folder / "models.json"
        facts = json.loads(about.read_text("utf-8")) if about.exists() else {}
        limits = facts.get("sure", {})
        if not isinstance(limits, dict):
            limits = {"threshold": limits}
        return Limits(float(limits.get("threshold", Limits.sure)), float(limits.get("score", Limits.score)))


def read_photo(
    image: np.ndarray, detector: FindsIndices, reader: ReadsIndices, limits: Limits | None = None
) -> list[SeenCard]:
    """Every card of *image* (H, W, 3) BGR uint8, one entry for each physical card, fan by fan.

    Index places are pixels of *image*. Sure: at or above the limits' probability and, at one of its corners, score.
    """
    limits = limits or Limits.load()
    seen = [seen_card(placed, limits) for placed in lay_out(read_all(image, detector, reader))]
    return _in_company([card for card in seen if card.confidence >= LEAST])


def _in_company(cards: list[SeenCard]) -> list[SeenCard]:
    """*cards*, jokers unsure where nothing shows that cards lie there at all: much print looks like a joker's word, but
    no print is a sure plain card or shows a joker's both corners."""
    if any(card.sure and (not card.card.is_joker or len(card.indices) > 1) for card in cards):
        return cards
    return [replace(card, sure=False) for card in cards]


def seen_card(placed: Placed, limits: Limits, up: float | None = None) -> SeenCard:
    """*placed* as an observation; of a card that shows both corners the index whose top is nearer to the angle *up*
    (degrees in the picture; None: upwards) comes first and gives the angle."""
    wanted = up or 0.0

    def off(angle: float) -> float:
        return abs((angle - wanted + 180) % 360 - 180)

    angle = placed.angle
    indices = placed.indices
    if len(indices) == 2:
        if off(angle) > 90:
            angle = (angle + 180) % 360
        radians = np.radians(angle)
        dx, dy = np.sin(radians), -np.cos(radians)
        indices = tuple(sorted(indices, key=lambda i: -(i.dx * dx + i.dy * dy)))
    score, height = (max(getattr(index, part) for index in indices) for part in ("score", "size"))
    sure = limits.surely(placed.confidence, score, height)
    if placed.card.is_joker:
        # its star may be small where the deck's indices are not; one corner by itself may be print
        wanted = limits.sure if len(indices) > 1 else max(limits.sure, JOKER_SURE)
        sure = placed.confidence >= wanted and score >= limits.score
    return SeenCard(
        placed.card,
        placed.confidence,
        sure,
        placed.probs[:CANDIDATES],
        tuple((index.x, index.y) for index in indices),
        angle,
    )
