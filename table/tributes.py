"""Tribute, return and resistance as they are seen on the mat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import RED_JOKER, next_seat
from engine.readings import power
from table.desk import Desk
from table.judgement import judge
from table.turns import start_turn
from vision.observations import Laid


def handed_over(desk: Desk, seen: Laid, evidence: Mapping[str, Any]) -> bool:
    """A card for another player lies on the mat: who owes one, and to whom, the fold knows."""
    deal = desk.match.deal
    assert deal is not None
    owed = {each["from"]: each["to"] for each in deal.owed}
    judged = judge(seen.cards, held=dict.fromkeys(desk.unseen(), 2))
    red = [card for card in judged.cards if card.name == RED_JOKER]
    if seen.seat not in owed:
        return False
    known = {"sure": judged.sure, **evidence}
    if deal.phase == "tribute" and len(red) == len(judged.cards) == 2:
        return bool(desk.attempt(seen.t, "resist", {"seats": [seen.seat]}, known)) and _next(desk, seen.t)
    if len(judged.cards) != 1:
        return False
    if deal.phase == "tribute" and len(owed) == 2:
        # Of two tributes who gets which shows only with both; and two red jokers are no tribute but resistance.
        desk.pending_tribute[seen.seat] = (judged.cards[0], seen.t)
        return _pair_of_tributes(desk, seen.t, known)
    card, taker = judged.cards[0], owed[seen.seat]
    data = {"from": seen.seat, "to": taker or _left_over(desk), "card": card.name}
    return bool(desk.attempt(seen.t, deal.phase, data, known)) and _next(desk, seen.t)


def _next(desk: Desk, t: float) -> bool:
    start_turn(desk, t)
    return True


def _pair_of_tributes(desk: Desk, t: float, known: Mapping[str, Any]) -> bool:
    deal = desk.match.deal
    assert deal is not None and deal.tribute is not None
    pending = desk.pending_tribute
    if len(pending) < 2:
        return True
    cards = {seat: card for seat, (card, _) in pending.items()}
    pending.clear()
    if all(card.name == RED_JOKER for card in cards.values()):
        return bool(desk.attempt(t, "resist", {"seats": list(cards)}, known)) and _next(desk, t)
    first, second = deal.tribute.takers
    high, low = sorted(cards, key=lambda seat: -power(cards[seat].rank, deal.level))
    if power(cards[high].rank, deal.level) == power(cards[low].rank, deal.level):
        # Equal cards: to the winner next clockwise, which is the seat before in the order of play.
        high, low = (high, low) if next_seat(first) == high else (low, high)
    for giver, taker in ((high, first), (low, second)):
        desk.attempt(t, "tribute", {"from": giver, "to": taker, "card": cards[giver].name}, known)
    return _next(desk, t)


def _left_over(desk: Desk) -> str:
    """Whoever is still without a card, where the fold leaves it open."""
    deal = desk.match.deal
    assert deal is not None and deal.tribute is not None
    if deal.phase == "tribute":
        return next(seat for seat in deal.tribute.takers if seat not in [given.taker for given in deal.tribute.paid])
    return next(seat for seat in deal.tribute.payers if seat not in [given.taker for given in deal.tribute.returned])
