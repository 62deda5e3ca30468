"""A play laid in two movements: cards that the same seat adds before anybody else has acted belong to what it laid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from table.asks import joined, settle
from table.desk import Desk, Lay
from table.judgement import judge
from table.lifting import accused
from table.view import Ask
from vision.observations import Laid

SOON: Final = 6.0
"""Seconds after a play within which more cards of the same seat are its rest."""


def added(desk: Desk, seen: Laid) -> Lay | None:
    """The play that the cards of *seen* may be the rest of: the last thing done in the trick, by the same seat, not
    long ago, its cards still there."""
    deal, lays = desk.match.deal, desk.lays[seen.seat]
    if deal is None or deal.phase != "play" or not lays or not deal.trick or seen.seat == deal.turn:
        return None
    last = lays[-1]
    if deal.trick[-1].seq != last.seq or seen.seat in desk.lifted or accused(desk, last):
        return None
    if desk.unread not in (None, seen.seat) or any(seat != seen.seat for seat in desk.early):
        return None  # somebody else has acted, though the table cannot tell how
    return last if 0 <= seen.touched_at - last.t <= SOON else None


def join(desk: Desk, lay: Lay, seen: Laid, evidence: Mapping[str, Any]) -> bool:
    """Make *lay* one play with the cards of *seen*, if together they are one that may be played; whether they are."""
    held = desk.unseen()
    judged = judge(seen.cards, held=held, legal=lambda cards: joined(desk, lay, cards))
    if not joined(desk, lay, judged.cards):
        return False
    sure, asked = judged.sure and seen.steady, desk.asks.get(lay.seq)
    options = asked.options if asked is not None else (lay.cards,)
    whole = (*lay.cards, *judged.cards)
    if not settle(desk, lay.seq, whole, seen.t, {"sure": sure and asked is None, **evidence}):
        return False
    lay.first = (*lay.first, *judged.cards)
    lay.t = seen.t
    if asked is not None or not sure:
        more = judged.options or (judged.cards,)
        both = [(*one, *two) for one in options for two in more]
        desk.asks[lay.seq] = Ask(lay.seq, seen.seat, tuple(both[:2]))
        desk.unsure += asked is None
    return True
