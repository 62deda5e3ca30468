"""How a play lies on the table: small to large, left to right, a wild in the place of what it stands for.

So the order of the cards can tell what a wild stands for, where a ruleset lets its place declare it.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import RANKS, Card
from engine.readings import Reading

_LENGTH = {"straight": 5, "straight_flush": 5, "tube": 3, "plate": 2}


def rows(reading: Reading, cards: Sequence[Card], level: str) -> list[list[str]]:
    """The rank of each place from left to right, for every way in which *reading* may be laid."""
    length = _LENGTH.get(reading.type)
    if length is not None and reading.rank is not None:
        top = RANKS.index(reading.rank)
        run = [RANKS[(top - length + 1 + step) % 13] for step in range(length)]
        return [[rank for rank in run for _ in range(reading.size // length)]]
    if reading.type == "full_house" and reading.rank is not None:
        pair = next((card.rank for card in cards if not card.is_wild(level) and card.rank != reading.rank), "")
        three, two = [reading.rank] * 3, [pair] * 2
        return [three + two, two + three]
    return []


def by_place(found: Sequence[Reading], cards: Sequence[Card], level: str) -> Reading | None:
    """Of several readings the one that the order of *cards* shows; ``None`` when it shows none, or more than one."""
    shown = [
        reading
        for reading in found
        if any(
            all(card.is_wild(level) or card.rank == rank for card, rank in zip(cards, row, strict=True))
            for row in rows(reading, cards, level)
        )
    ]
    kinds = {(reading.type, reading.rank) for reading in shown}
    flushes = [reading for reading in shown if reading.type == "straight_flush"]
    # A suited run laid as a run is the straight flush: its place cannot tell it from the plain straight.
    if len(kinds) == 2 and len(flushes) == 1 and len({reading.rank for reading in shown}) == 1:
        return flushes[0]
    return shown[0] if len(shown) == 1 else None
