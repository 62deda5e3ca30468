"""The turned card of the first deal: whoever cut or drew it shows it, and whoever drew it leads later.

Shown on the mat it looks like a lead. However long it lies there while the cards are dealt, it is none until somebody
else has acted: nobody's time runs (:func:`table.turns.may_be_shown`), and once it goes back, or the lead is laid beside
it, no deal had begun.
"""

from __future__ import annotations

from table.deals import open_deal
from table.desk import Desk, Lay
from table.turns import may_be_shown, stop_turn


def was_shown(desk: Desk, seat: str, lay: Lay, t: float) -> bool:
    """Take in that *seat*'s only card left at *t*: if it was the turned card, no deal has begun yet."""
    if not may_be_shown(desk) or desk.match.events[-1].seq != lay.seq:
        return False
    sure, card = lay.seq not in desk.asks, lay.cards[0]
    stop_turn(desk, t)
    for event in reversed(desk.match.events[-2:]):
        desk.attempt(t, "correct", {"event": event.seq, "void": True, "why": "turned"})
    desk.asks.pop(lay.seq, None)
    desk.lays[seat].remove(lay)
    desk.unsure = 0
    if sure:
        desk.attempt(t, "turn", {"seat": seat, "card": card.name})
    return True


def lies_beside(desk: Desk, seat: str, t: float) -> None:
    """*seat* lays cards at *t* that are no part of the single one that lies there: if that was the turned card, these
    are the lead and open the deal."""
    lays = desk.lays[seat]
    if lays and was_shown(desk, seat, lays[-1], t):
        open_deal(desk, t)
