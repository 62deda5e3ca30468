"""What the table knows ranks the eye's own candidates; it never adds a card.

At most two of each card, 27 a hand, whose turn it is and which readings are legal: of all the plays that the eye's
candidates allow, these say which is meant. A play is sure only when the eye is sure of every card, the counts agree,
and no candidate of the eye's would make a play legal that is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from engine.cards import Card
from vision.observations import SeenCard

WORTH_NAMING = 0.004
"""A candidate less likely than this is noise: it neither saves a play nor asks a question."""
LIKELY = 0.1
SOME_CARD = 0.95
"""The eye's candidates together: below, it may be no card at all."""
IMPOSSIBLE = 1e-6
UNLIKELY = 0.02
"""Weight of a reading of the eye's that breaks a count, and of one that is no legal play."""
MOST = 4096
"""Plays weighed at most; beyond that the least sure cards keep their first candidate."""

Cards = tuple[Card, ...]


@dataclass(frozen=True)
class Judged:
    """A play as the table takes it: its cards left to right, and what to ask if it is not sure."""

    cards: Cards
    sure: bool
    options: tuple[Cards, ...] = ()
    """The two likeliest plays, best first, when not sure and the eye offers a second one."""


def judge(
    seen: Sequence[SeenCard],
    *,
    held: Mapping[Card, int] | None = None,
    legal: Callable[[Cards], bool] | None = None,
) -> Judged:
    """The play that *seen* most likely is.

    *held* says how many of each card are still unseen (two at first), *legal* whether a set of cards is a legal play
    now. Both only rank.
    """
    if not seen:
        return Judged((), False)
    choices = _choices(seen, held)
    weighed: dict[Cards, float] = {}
    order: dict[Cards, Cards] = {}
    for picks in product(*choices):
        cards = tuple(card for card, _ in picks)
        weight = prod(chance for _, chance in picks)
        if held is not None and not _fits(cards, held):
            weight *= IMPOSSIBLE
        if legal is not None and not legal(cards):
            weight *= UNLIKELY
        key = tuple(sorted(cards))
        if weight > weighed.get(key, 0.0):
            weighed[key], order[key] = weight, cards
    ranked = sorted(weighed, key=lambda key: -weighed[key])
    best = order[ranked[0]]
    plain = tuple(card.card for card in seen)
    sure = all(card.sure or _by_count(card, choice) for card, choice in zip(seen, choices, strict=True)) and (
        best == plain or _settled(seen, best, choices)
    )
    if sure and held is not None and not _fits(best, held):
        # A third copy is first of all a misreading, now or before: ask.
        sure = False
    if sure and legal is not None and not legal(best):
        # Nobody is accused over a card that the eye thinks might be another, or knows only by what is left.
        sure = all(card.sure for card in seen) and not any(legal(order[key]) for key in ranked[1:])
    if sure:
        return Judged(best, True)
    return Judged(best, False, tuple(order[key] for key in ranked[:2]))


def _choices(seen: Sequence[SeenCard], held: Mapping[Card, int] | None) -> list[list[tuple[Card, float]]]:
    """Each card's candidates worth naming; those that are gone already fall away where another is left."""
    found = []
    for card in seen:
        named = [(each, chance) for each, chance in card.candidates if chance >= WORTH_NAMING]
        named = named or [(card.card, max(card.confidence, WORTH_NAMING))]
        if held is not None and not card.sure:
            left = [(each, chance) for each, chance in named if held.get(each, 0) > 0]
            # The first candidate must be among those that are left: the table ranks, it does not overrule the eye.
            if left and (left[0] == named[0] or sum(chance for _, chance in left) >= 0.2):
                named = left
        found.append(named)
    while prod(len(each) for each in found) > MOST:
        widest = max(range(len(found)), key=lambda place: (len(found[place]), found[place][0][1]))
        found[widest] = found[widest][:-1]
    return found


def _fits(cards: Cards, held: Mapping[Card, int]) -> bool:
    return all(held.get(card, 0) >= count for card, count in Counter(cards).items())


def _by_count(card: SeenCard, choice: Sequence[tuple[Card, float]]) -> bool:
    """Whether the eye wavered between cards of which the count leaves one: that there is a card it did not doubt."""
    named = [chance for _, chance in card.candidates if chance >= WORTH_NAMING]
    return len(choice) == 1 < len(named) and sum(named) >= SOME_CARD


def _settled(seen: Sequence[SeenCard], best: Cards, choices: Sequence[Sequence[tuple[Card, float]]]) -> bool:
    """Whether every card of *best* that is not the eye's first is the only candidate left."""
    return all(
        chosen is card.card or len(choice) == 1
        for card, chosen, choice in zip(seen, best, choices, strict=True)
    )  # fmt: skip


def could_be(card: SeenCard) -> list[Card]:
    """What a card may be known again as: itself if it was sure, else its likely candidates."""
    if card.sure or not card.candidates:
        return [card.card]
    return [each for each, chance in card.candidates if chance >= LIKELY] or [card.card]
