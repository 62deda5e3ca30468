"""Tribute, return and resistance as they are seen on the mat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import RED_JOKER, next_seat
from engine.readings import power
from table.desk import Desk
from table.judgement import Judged, judge
from table.turns import start_turn
from table.view import Ask
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
        desk.pending_tribute[seen.seat] = judged
        return _pair_of_tributes(desk, seen.t, evidence)
    return _give(desk, seen.t, seen.seat, owed[seen.seat] or _left_over(desk), judged, evidence)


def _give(desk: Desk, t: float, giver: str, taker: str, judged: Judged, evidence: Mapping[str, Any]) -> bool:
    """The event of one card that goes over; if it was not read sure, with its question in the margin."""
    deal = desk.match.deal
    assert deal is not None
    known = {"sure": judged.sure, **evidence}
    if not judged.sure:
        known["options"] = [[card.name for card in option] for option in judged.options]
        desk.asks[desk.seq + 1] = Ask(desk.seq + 1, giver, judged.options, margin=True)
    data: dict[str, Any] = {"from": giver, "to": taker, "card": judged.cards[0].name}
    if not judged.sure:
        data["sure"] = False  # the audit after the deal must know
    if not desk.attempt(t, deal.phase, data, known):
        desk.asks.pop(desk.seq + 1, None)
        return False
    return _next(desk, t)


def _next(desk: Desk, t: float) -> bool:
    start_turn(desk, t)
    return True


def _pair_of_tributes(desk: Desk, t: float, evidence: Mapping[str, Any]) -> bool:
    deal = desk.match.deal
    assert deal is not None and deal.tribute is not None
    if len(desk.pending_tribute) < 2:
        return True
    judged = dict(desk.pending_tribute)
    cards = {seat: each.cards[0] for seat, each in judged.items()}
    desk.pending_tribute.clear()
    if all(card.name == RED_JOKER for card in cards.values()):
        return bool(desk.attempt(t, "resist", {"seats": list(cards)}, evidence)) and _next(desk, t)
    first, second = deal.tribute.takers
    high, low = sorted(cards, key=lambda seat: -power(cards[seat].rank, deal.level))
    if power(cards[high].rank, deal.level) == power(cards[low].rank, deal.level):
        # Equal cards: to the winner next clockwise, which is the seat before in the order of play.
        high, low = (high, low) if next_seat(first) == high else (low, high)
    return _give(desk, t, high, first, judged[high], evidence) and _give(desk, t, low, second, judged[low], {})


def _left_over(desk: Desk) -> str:
    """Whoever is still without a card, where the fold leaves it open."""
    deal = desk.match.deal
    assert deal is not None and deal.tribute is not None
    if deal.phase == "tribute":
        return next(seat for seat in deal.tribute.takers if seat not in [given.taker for given in deal.tribute.paid])
    return next(seat for seat in deal.tribute.payers if seat not in [given.taker for given in deal.tribute.returned])
