"""Cards in the order in which they lie: fan by fan, each left to right as one who reads it sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from vision.mat import CARD_MM

if TYPE_CHECKING:
    from vision.layout import Placed


def order(cards: Sequence[Placed]) -> list[Placed]:
    """Fan by fan (top to bottom, left to right in the picture), each fan left to right as one who reads it sees it."""
    fans = _fans(cards)
    ordered = [_along(fan) for fan in fans]
    ordered.sort(key=lambda fan: (round(min(c.y for c in fan) / (4 * fan[0].size)), min(c.x for c in fan)))
    return [card for fan in ordered for card in fan]


def _fans(cards: Sequence[Placed]) -> list[list[Placed]]:
    """Groups of cards that lie within a card's width of each other and point much the same way (either end up)."""
    group = list(range(len(cards)))

    def root(place: int) -> int:
        while group[place] != place:
            place = group[place]
        return place

    for one, a in enumerate(cards):
        for two in range(one + 1, len(cards)):
            b = cards[two]
            near = CARD_MM[0] * (a.px_per_mm + b.px_per_mm) / 2
            if np.hypot(a.x - b.x, a.y - b.y) < near and abs(a.dx * b.dx + a.dy * b.dy) > 0.6:
                group[root(two)] = root(one)
    fans: dict[int, list[Placed]] = {}
    for place, card in enumerate(cards):
        fans.setdefault(root(place), []).append(card)
    return list(fans.values())


def _along(fan: list[Placed]) -> list[Placed]:
    first = fan[0]
    flips = [1.0 if c.dx * first.dx + c.dy * first.dy >= 0 else -1.0 for c in fan]
    ux = sum(c.dx * flip for c, flip in zip(fan, flips, strict=True))
    uy = sum(c.dy * flip for c, flip in zip(fan, flips, strict=True))
    # Which way up the reader sits: where most lone indices point; with both corners everywhere, up in the picture.
    lone = [c for c in fan if len(c.indices) == 1]
    votes = sum(c.dx * ux + c.dy * uy for c in lone) if lone else -uy
    if votes < 0:
        ux, uy = -ux, -uy
    return left_to_right(fan, (-uy, ux))


def left_to_right(cards: Sequence[Placed], right: tuple[float, float]) -> list[Placed]:
    """*cards* by the place of their centres along *right* (a direction in the picture)."""
    return sorted(cards, key=lambda c: c.x * right[0] + c.y * right[1])
