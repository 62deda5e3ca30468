"""Several settled stills vote: what all of them say is sure, what only some say is doubted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.cards import Card
from vision.observations import Point, SeenCard

NEEDED: Final = 3
MOST: Final = 5
"""Stills that are asked at most, where the first three do not agree or are not sure."""
CHANCE: Final = 0.25
"""What less than this share of the stills saw, none of them surely, does not unsettle the others."""
SAME_MM: Final = 9.0
"""Two stills' cards nearer than this, and turned alike, may be one card; the nearest are."""
SAME_TURN: Final = 25.0


@dataclass(frozen=True)
class Verdict:
    """The stills' common answer; ``steady`` when all of them saw the same cards, but for what chance shows once."""

    cards: tuple[SeenCard, ...]
    steady: bool


def vote(stills: Sequence[Sequence[SeenCard]]) -> Verdict:
    """One answer from the readings of the same zone in several stills.

    A card is sure when every still names it so and three of them are sure; with fewer than three stills nothing is. A
    card that less than half of the stills saw is left out, unless one of them was sure of it: then it stays, doubted.
    """
    groups = _gather(_rejoined(stills))
    cards, steady = [], True
    for group in groups:
        names = {card.card for card in group}
        complete = len(group) == len(stills)
        by_chance = len(group) < CHANCE * len(stills) and not any(card.sure for card in group)
        steady = steady and ((complete and len(names) == 1) or by_chance)
        if 2 * len(group) <= len(stills) and len(stills) > 1 and not any(card.sure for card in group):
            continue
        cards.append(_one(group, len(stills)))
    return Verdict(tuple(cards), steady)


def _rejoined(stills: Sequence[Sequence[SeenCard]]) -> list[list[SeenCard]]:
    """The stills with cards joined whose two corners another still saw as one card's."""
    whole = [card for still in stills for card in still if len(card.corners) == 2]
    joined = []
    for still in stills:
        cards = list(still)
        for one in whole:
            ends = [_at(cards, one, corner) for corner in one.corners]
            if ends[0] is not None and ends[1] is not None and ends[0] is not ends[1]:
                best = max(ends[0], ends[1], key=lambda card: card.confidence)
                cards = [card for card in cards if card is not ends[0] and card is not ends[1]]
                both = ends[0].indices + ends[1].indices
                cards.append(replace(best, indices=both, corners=one.corners, place=one.place, angle=one.angle))
        joined.append(cards)
    return joined


def _at(cards: Sequence[SeenCard], whole: SeenCard, corner: Point) -> SeenCard | None:
    """The card of *cards* that shows only this *corner* of *whole*, under the same name."""
    for card in cards:
        if len(card.corners) == 1 and card.card is whole.card:
            x, y = card.corners[0]
            if np.hypot(x - corner[0], y - corner[1]) <= SAME_MM / 2:
                return card
    return None


def _gather(stills: Sequence[Sequence[SeenCard]]) -> list[list[SeenCard]]:
    """The stills' cards by physical card: each still adds at most one to a group, equal names first, then the near."""
    groups: list[list[SeenCard]] = []
    for still in stills:
        pairs = sorted(
            (distance_mm(group[-1], card) + (0.0 if group[-1].card is card.card else SAME_MM), g, c)
            for g, group in enumerate(groups)
            for c, card in enumerate(still)
            if same_place(group[-1], card)
        )
        taken: set[int] = set()
        full: set[int] = set()
        for _, g, c in pairs:
            if g not in full and c not in taken:
                groups[g].append(still[c])
                full.add(g)
                taken.add(c)
        groups.extend([card] for c, card in enumerate(still) if c not in taken)
    return groups


def _one(group: Sequence[SeenCard], stills: int) -> SeenCard:
    mass: dict[Card, float] = {}
    for seen in group:
        for card, p in seen.candidates:
            mass[card] = mass.get(card, 0.0) + p / stills
    ranked = tuple(sorted(mass.items(), key=lambda pair: (-pair[1], pair[0].index)))
    best = max(group, key=lambda seen: (seen.card is ranked[0][0], seen.confidence))
    agreed = len(group) == stills and all(s.card is ranked[0][0] for s in group)
    sure = agreed and sum(s.sure for s in group) >= NEEDED
    return replace(best, card=ranked[0][0], confidence=ranked[0][1], sure=sure, candidates=ranked)


def distance_mm(a: SeenCard, b: SeenCard) -> float:
    """Millimetres between two cards as they lie; infinite when one has no place on a mat.

    Measured between their nearest indices, which are known to a millimetre: a lone index gives the card's centre only
    as well as its direction. Of cards that show several the centres count too: they may show different ones.
    """
    between = [float(np.hypot(p[0] - q[0], p[1] - q[1])) for p in a.corners for q in b.corners]
    if a.place is not None and b.place is not None and (not between or min(len(a.corners), len(b.corners)) > 1):
        between.append(float(np.hypot(a.place[0] - b.place[0], a.place[1] - b.place[1])))
    return min(between, default=float("inf"))


def turned_apart(a: SeenCard, b: SeenCard) -> float:
    """Degrees between two cards' long sides, 0..90: which end is up does not matter to where a card lies."""
    return abs((a.angle - b.angle + 90) % 180 - 90)


def same_place(a: SeenCard, b: SeenCard, mm: float = SAME_MM) -> bool:
    if distance_mm(a, b) > mm:
        return False
    # How a joker is turned is the less certain the fewer of its signs show.
    joker = a.card is b.card and a.card.is_joker and min(len(a.corners), len(b.corners)) > 1
    return joker or turned_apart(a, b) <= SAME_TURN
