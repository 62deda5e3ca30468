"""The audit after a deal: were tribute, return and resisting lawful?

``violated`` only when it is true for every split of the cards nobody saw, ``clean`` when it is true for none,
otherwise ``cannot be proved``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine.cards import DECK, RED_JOKER, SEATS, Card
from engine.deal import Deal
from engine.readings import power
from engine.tribute import Given, Tribute

CLEAN: Final = "clean"
VIOLATED: Final = "violated"
UNPROVED: Final = "cannot be proved"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the audit says of one act."""

    what: str
    """``tribute``, ``return`` or ``resist``."""
    seat: str
    verdict: str
    event: int

    def to_dict(self) -> dict[str, str]:
        return {"what": self.what, "seat": self.seat, "verdict": self.verdict}


def audit(deal: Deal) -> list[Verdict]:
    """The verdicts on everything that was given or shown before the play of *deal*."""
    tribute = deal.tribute
    if tribute is None:
        return []
    unseen = _Unseen(deal)
    found = [
        Verdict("tribute", given.giver, _tribute(deal, tribute, given, unseen), given.seq) for given in tribute.paid
    ]
    found += [
        Verdict("return", given.giver, _return(deal, tribute, given, unseen), given.seq) for given in tribute.returned
    ]
    if tribute.resisted:
        found.append(Verdict("resist", tribute.resisted[0], _resist(deal, tribute, unseen), tribute.resist_seq))
    return found


def summary(verdicts: list[Verdict]) -> str | None:
    """The worst of *verdicts*; ``None`` when there was nothing to audit."""
    words = [verdict.verdict for verdict in verdicts]
    return next((word for word in (VIOLATED, UNPROVED, CLEAN) if word in words), None)


class _Unseen:
    """The cards nobody saw and how many of them each hand still holds."""

    def __init__(self, deal: Deal) -> None:
        self.slots: dict[str, int] = {}
        pool = {card: 2 - deal.count_of.get(card, 0) for card in DECK}
        for seat in SEATS:
            known = deal.held[seat]
            for card in known:
                pool[card] -= 1
            self.slots[seat] = max(0, deal.remaining[seat]) - len(known)
        self.pool = pool
        self.sound = (
            not deal.doubted
            and min(pool.values()) >= 0
            and min(self.slots.values()) >= 0
            and sum(pool.values()) == sum(self.slots.values())
        )

    def least(self, seat: str, fits: Callable[[Card], bool]) -> int:
        """How many cards that fit *seat* must hold, however the unseen cards are split."""
        fitting = sum(count for card, count in self.pool.items() if count > 0 and fits(card))
        elsewhere = sum(slots for other, slots in self.slots.items() if other != seat)
        return max(0, fitting - elsewhere)

    def most(self, seat: str, fits: Callable[[Card], bool]) -> int:
        """How many cards that fit *seat* may hold."""
        fitting = sum(count for card, count in self.pool.items() if count > 0 and fits(card))
        return min(fitting, self.slots[seat])


def _holding(deal: Deal, seat: str, fits: Callable[[Card], bool], without: list[Card]) -> int:
    """Cards that fit which *seat* is known to have held, played or not, but for one each of *without*."""
    known = deal.played[seat] + deal.held[seat]
    for card in without:
        if card in known:
            known.remove(card)  # known is a new list
    return sum(1 for card in known if fits(card))


def _verdict(known: int, least: int, most: int, excused: int = 0) -> str:
    """Of forbidden cards: those known to have been held, those the unseen add at least and at most, those excused."""
    if known + least > excused:
        return VIOLATED
    return CLEAN if known + most == 0 else UNPROVED


def _tribute(deal: Deal, tribute: Tribute, given: Given, unseen: _Unseen) -> str:
    """The payer must not have held a higher card that is no wild."""
    if given.card.is_wild(deal.level):
        return VIOLATED
    height = power(given.card.rank, deal.level)

    def higher(card: Card) -> bool:
        return power(card.rank, deal.level) > height and not card.is_wild(deal.level)

    received = [back.card for back in tribute.returned if back.taker == given.giver]
    if not unseen.sound:
        return UNPROVED
    known = _holding(deal, given.giver, higher, received)
    # A return that went over closed may be any one card that the payer holds now.
    closed = 0 if received else 1
    return _verdict(known, unseen.least(given.giver, higher), unseen.most(given.giver, higher), closed)


def _return(deal: Deal, tribute: Tribute, given: Given, unseen: _Unseen) -> str:
    """A card over the limit is lawful only from a hand with nothing low; then it is the lowest, or as the rules say."""
    if tribute.may_return(given):
        return CLEAN
    height = power(given.card.rank, deal.level)

    def better(card: Card) -> bool:
        lower = power(card.rank, deal.level) < height and not card.is_wild(deal.level)
        return tribute.is_low(card) or (lower and deal.ruleset.return_nothing_low == "lowest")

    if not unseen.sound:
        return UNPROVED
    known = _holding(deal, given.giver, better, [])
    return _verdict(known, unseen.least(given.giver, better), unseen.most(given.giver, better))


def _resist(deal: Deal, tribute: Tribute, unseen: _Unseen) -> str:
    """Both red jokers must have been with those who resisted."""
    if not unseen.sound:
        return UNPROVED

    def red(card: Card) -> bool:
        return card.rank == RED_JOKER

    others = [seat for seat in SEATS if seat not in tribute.resisted]
    known = sum(_holding(deal, seat, red, []) for seat in others)
    fitting = sum(count for card, count in unseen.pool.items() if count > 0 and red(card))
    theirs = sum(unseen.slots[seat] for seat in tribute.resisted)
    most = min(fitting, sum(unseen.slots[seat] for seat in others))
    return _verdict(known, max(0, fitting - theirs), most)
