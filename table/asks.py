"""Plays that were not sure: the question, its answers, and what later stills make of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.cards import Card
from engine.readings import beats, readings
from table import order
from table.desk import UNSURE_BEFORE_OFFER, Desk, Lay, cards_of
from table.judgement import judge
from table.view import Ask, Cards
from vision.observations import Revised, SeenCard


def revised(desk: Desk, seen: Revised) -> None:
    """Later stills settled or unsettled cards of a play: its question answers itself, or a new one stands."""
    deal = desk.match.deal
    lay = next((lay for lay in reversed(desk.lays[seen.seat]) if _holds(lay.cards, seen.was)), None)
    if lay is None or deal is None:
        return
    held = desk.unseen()
    for card in lay.cards:
        held[card] += 1
    rest = list(lay.cards)
    for old in seen.was:
        rest.remove(old.card)
    judged = judge(
        seen.cards, held={card: count - rest.count(card) for card, count in held.items()},
        legal=lambda cards: _legal_again(desk, lay.seq, (*rest, *cards)),
    )  # fmt: skip
    cards = _in_place(lay.cards, seen.was, judged.cards)
    if judged.sure and (lay.seq in desk.asks or Counter(cards) != Counter(lay.cards)):
        settle(desk, lay.seq, cards, seen.t)
    elif not judged.sure and Counter(cards) != Counter(lay.cards) and lay.seq not in desk.asks:
        desk.asks[lay.seq] = Ask(lay.seq, seen.seat, (lay.cards, cards))
        desk.unsure += 1


def _holds(cards: Cards, was: Sequence[SeenCard]) -> bool:
    return not Counter(card.card for card in was) - Counter(cards)


def _in_place(cards: Cards, was: Sequence[SeenCard], now: Sequence[Card]) -> Cards:
    """*cards* with those of *was* replaced by those of *now*."""
    found = list(cards)
    for old, new in zip(was, now, strict=True):
        found[found.index(old.card)] = new
    return tuple(found)


def _legal_again(desk: Desk, seq: int, cards: Cards) -> bool:
    """As :func:`_legal` when the play itself stands: it need not beat itself."""
    deal = desk.match.deal
    assert deal is not None
    found = readings(cards, deal.level, desk.match.ruleset)
    entry = next((entry for entry in deal.trick if entry.seq == seq), None)
    before = entry.before[0] if entry is not None else None
    if before is None or before.reading is None or not before.sure:
        return bool(found)
    return any(beats(reading, before.reading) for reading in found)


def joined(desk: Desk, lay: Lay, cards: Cards) -> bool:
    """Whether the play of *lay* would be a legal one with *cards* beside it."""
    return _legal_again(desk, lay.seq, (*lay.cards, *cards))


def settle(desk: Desk, seq: int, cards: Cards, t: float, evidence: Mapping[str, Any] | None = None) -> bool:
    """The play of event *seq* was *cards*: as a correction, so that the journal knows the question is closed."""
    ask = desk.asks.get(seq)
    seat = ask.seat if ask else next((s for s, lays in desk.lays.items() if any(lay.seq == seq for lay in lays)), None)
    if seat is None:
        return False
    event = next(event for event in reversed(desk.match.events) if event.seq == seq)
    names = [card.name for card in cards]
    data: dict[str, Any] = {"event": seq, **({"cards": names} if event.do == "play" else {"card": names[0]})}
    if event.data.get("sure") is False:
        data["sure"] = True
    waiting = desk.asks.pop(seq, None)
    if not desk.attempt(t, "correct", data, evidence or {"sure": True}):
        if waiting is not None:
            desk.asks[seq] = waiting
        return False
    corrected(desk, seq, data)
    return True


def corrected(desk: Desk, seq: int, data: Mapping[str, Any]) -> None:
    """A correction of event *seq* is in force: its question is closed, and what waited for it goes its way."""
    desk.asks.pop(seq, None)
    for lays in desk.lays.values():
        if data.get("void"):
            lays[:] = [lay for lay in lays if lay.seq != seq]
        for lay in lays:
            if lay.seq == seq and "cards" in data:
                lay.cards = cards_of(data["cards"])
    desk.release()
    order.catch_up(desk)


def offers_score_only(desk: Desk) -> bool:
    return desk.unsure >= UNSURE_BEFORE_OFFER and not desk.offer_dismissed and not desk.score_only
