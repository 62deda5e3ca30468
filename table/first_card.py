"""The turned card of the first deal: whoever drew it shows it and takes it into the hand, and leads later.

Shown on the mat it looks like a lead, and is taken for one at first; that it goes back before anybody has acted tells.
"""

from __future__ import annotations

from typing import Final

from table.desk import Desk, Lay
from table.turns import stop_turn

SHOWN_S: Final = 8.0
"""Seconds for which a card is shown at most: a single that lay there for longer was led, and its trick is over."""


def was_shown(desk: Desk, seat: str, lay: Lay, t: float) -> bool:
    """Take in that *seat*'s only card left at *t*: if it was the turned card, no deal has begun yet."""
    match, events = desk.match, desk.match.events
    if match.deals or match.turned is not None or match.ruleset.first_lead != "turned_card" or len(lay.cards) != 1:
        return False
    opened = [event.do for event in events[-2:]] == ["deal", "play"] and not events[-2].data.get("leader")
    acted = desk.early or desk.waiting or desk.unread is not None  # somebody answered it, though not in order
    if not opened or acted or events[-1].seq != lay.seq or t - lay.t > SHOWN_S:
        return False
    sure, card = lay.seq not in desk.asks, lay.cards[0]
    stop_turn(desk, t)
    for number in (events[-1].seq, events[-2].seq):
        desk.attempt(t, "correct", {"event": number, "void": True, "why": "turned"})
    desk.asks.pop(lay.seq, None)
    desk.lays[seat].remove(lay)
    desk.unsure = 0
    if sure:
        desk.attempt(t, "turn", {"seat": seat, "card": card.name})
    return True
