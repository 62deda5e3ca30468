"""A play that was read wrong, put right by anybody at the table: tap the card, tap what it is.

Only what lies on the table can be tapped: players never see earlier tricks, so those are the referee's to correct.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.cards import Card
from table.asks import settle
from table.desk import Desk, Lay
from table.view import Cards, Correction

SHOWN = 6.0
"""Seconds for which a correction is shown to all."""
CANDIDATES = 4
"""Other thoughts of the eye's that are offered first."""


def open_at(desk: Desk, seat: str, at: int | None) -> None:
    """Open the page on the play before *seat*, on its card number *at*."""
    lay = _lay(desk, seat)
    if lay is None or (at is not None and not -1 <= at < len(lay.cards)):
        return
    if desk.overlay != "correct":
        desk.glass.leave()
    desk.overlay, desk.glass.seat = "correct", seat
    desk.glass.card = _doubted(desk, seat, lay) if at is None else at


def card(desk: Desk, t: float, value: Any) -> None:
    """A card on the screen was tapped: (seat, its place from the left)."""
    seat, at = value
    open_at(desk, str(seat), at)


def missing(desk: Desk, t: float, value: Any) -> None:
    """The eye did not see one of the play's cards: which one follows."""
    open_at(desk, str(value), -1)


def candidate(desk: Desk, t: float, value: Any) -> None:
    """The card in question is *value*."""
    shown = correction(desk)
    if shown is None or shown.at is None:
        return
    true, cards = Card.parse(str(value)), list(shown.cards)
    if shown.at < 0:
        old, cards = None, [*cards, true]
    else:
        old, cards[shown.at] = cards[shown.at], true
    _put_right(desk, t, shown.seat, tuple(cards), old, true)


def not_there(desk: Desk, t: float, value: Any) -> None:
    """The card in question does not belong to the play."""
    shown = correction(desk)
    if shown is not None and shown.at is not None and shown.at >= 0 and len(shown.cards) > 1:
        rest = shown.cards[: shown.at] + shown.cards[shown.at + 1 :]
        _put_right(desk, t, shown.seat, rest, shown.cards[shown.at], None)


def _put_right(desk: Desk, t: float, seat: str, cards: Cards, old: Card | None, new: Card | None) -> None:
    lay = _lay(desk, seat)
    if lay is None or max(Counter(cards).values()) > 2:
        return
    # A play with two wrong cards is put right one card after the other.
    desk.glass.settling = t + SHOWN
    done = Counter(cards) == Counter(lay.cards) or settle(desk, lay.seq, cards, t)
    desk.glass.leave()
    desk.overlay = None
    if done and old is not new:
        if desk.notice == "look":
            desk.notice = None  # what was asked about was not what lay there
        desk.glass.tell("corrected", t + SHOWN, seat=seat, old=old.name if old else "", new=new.name if new else "")


def correction(desk: Desk) -> Correction | None:
    """What the page shows, while it is open and its play still lies there."""
    seat = desk.glass.seat
    lay = _lay(desk, seat) if seat is not None and desk.overlay == "correct" else None
    if seat is None or lay is None:
        return None
    at = desk.glass.card
    if at is not None and at >= len(lay.cards):
        at = None
    return Correction(seat, lay.cards, at, _thoughts(desk, seat, lay, at))


def _doubted(desk: Desk, seat: str, lay: Lay) -> int | None:
    """The card that is most likely meant: the only one, or the one that the eye itself thought twice about."""
    if len(lay.cards) == 1:
        return 0
    thoughts = {at: _weighed(desk, seat, meant) for at, meant in enumerate(lay.cards)}
    doubts = {at: max(found.values()) for at, found in thoughts.items() if found}
    return max(doubts, key=lambda at: doubts[at]) if doubts else None


def _thoughts(desk: Desk, seat: str, lay: Lay, at: int | None) -> Cards:
    """What else the eye thought that card might be, the likeliest first."""
    if at is None or at < 0:
        return ()
    found = _weighed(desk, seat, lay.cards[at])
    return tuple(sorted(found, key=lambda each: -found[each])[:CANDIDATES])


def _weighed(desk: Desk, seat: str, meant: Card) -> dict[Card, float]:
    """What the eye thought beside *meant*, and how likely."""
    found: dict[Card, float] = {}
    for seen in desk.glass.seen[seat]:
        if seen.card is meant or any(each is meant for each, _ in seen.candidates):
            for each, chance in ((seen.card, seen.confidence), *seen.candidates):
                if each is not meant:
                    found[each] = max(found.get(each, 0.0), chance)
    return found


def _lay(desk: Desk, seat: str | None) -> Lay | None:
    lays = desk.lays.get(seat, []) if seat is not None else []
    return lays[-1] if lays and desk.match.phase == "deal" else None
