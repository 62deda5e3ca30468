"""What was not sure is looked at again in other sizes of the same still, before anybody is asked about it.

An index is there in every size; what print or a pip made of chance in one of them is gone in the next. And a name that
one crop left open most crops agree on, or none does: nothing is decided by the luckiest of them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from vision.layout import Index

HEIGHTS: Final = (21.0, 36.0)
"""Index heights, in pixels of the finder's picture, of the looks beside the first one's 28."""
SAME: Final = 0.5
"""An index is one with a find of another look that lies nearer than this, in index heights,"""
FAINTEST: Final = 0.2
"""and that the finder is at least so sure of."""
LIKELY: Final = 0.35
"""Least product of score and probability of an index that only one of the two other looks shows."""


def seen_again(indices: Sequence[Index], doubtful: Collection[int], looks: Sequence[Sequence[Index]]) -> list[Index]:
    """*indices*, the plain ones at the places *doubtful* as all *looks* together see them: what none of them shows is
    gone. Jokers' signs, which lie and look otherwise in every deck, are all there, however many looks show them."""
    seen: dict[int, list[Index]] = {place: [] for place in doubtful}
    for look in looks:
        nearest: dict[int, tuple[float, Index]] = {}
        for found in look if indices else ():
            far, place = min((float(np.hypot(found.x - i.x, found.y - i.y)) / i.size, k) for k, i in enumerate(indices))
            if found.score >= FAINTEST and far <= SAME and far <= nearest.get(place, (SAME, found))[0]:
                nearest[place] = (far, found)
        for place, (_, found) in nearest.items():
            if place in seen:
                seen[place].append(found)
    kept = []
    for place, index in enumerate(indices):
        again = seen.get(place, [])
        if place not in seen or index.card.is_joker:
            kept.append(index)
        elif len(again) == len(looks) or (again and index.score * index.confidence >= LIKELY):
            kept.append(_agreed(index, again))
    return kept + [index for look in looks for index in look if index.card.is_joker]


def _agreed(index: Index, again: Sequence[Index]) -> Index:
    """*index* with what most looks say of it; with two looks what the more doubtful one says."""
    every = [index, *again]
    cards = {card for each in every for card in each.probs}
    said = {card: [each.probs.get(card, 0.0) for each in every] for card in cards}
    if len(every) < 3:
        surest = min(every, key=lambda each: each.confidence)
        return replace(index, probs=surest.probs, score=median(each.score for each in every))
    probs = {card: median(values) for card, values in said.items()}
    total = sum(probs.values())
    if total > 1:
        probs = {card: p / total for card, p in probs.items()}
    return replace(
        index, probs={card: p for card, p in probs.items() if p > 0} or index.probs,
        score=median(each.score for each in every), reject=median(each.reject for each in every),
    )  # fmt: skip
