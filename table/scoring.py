"""Score only: this deal's plays are read no more, nobody is timed or accused, and its order is tapped in.

Opening the page changes nothing yet: whoever goes back at once has lost nothing. It begins when the table says so (the
offer is taken, the first seat is tapped), when the page is left open over the play, and when a spare takes over a deal
of which it has not seen all.
"""

from __future__ import annotations

from typing import Any, Final

from table.desk import Desk
from table.turns import halted
from table.view import Clock

PAGE: Final = "score_only"
WHY: Final = "score_only"
LEFT_OPEN_S: Final = 10.0
"""Seconds after which a page that lies over the play is meant."""


def begin(desk: Desk, t: float) -> None:
    """From here on this deal is scored by its order alone."""
    if desk.match.phase != "deal" or desk.score_only or halted(desk):
        return
    if desk.attempt(t, "resume", {"why": WHY}):
        quiet(desk)


def quiet(desk: Desk) -> None:
    """Nothing of the deal's plays is known any more, so nothing of them is asked, shown or held against anybody."""
    desk.score_only = True
    desk.end_trick()
    for known in (desk.asks, desk.held, desk.early, desk.waiting, desk.reported, desk.pending_tribute):
        known.clear()
    desk.unread = desk.out_question = None
    desk.glass.blind = False
    desk.turn_clock = Clock()
    if desk.notice in ("look", "spread"):
        desk.notice = desk.notice_seat = None


def chosen(desk: Desk, t: float, value: Any) -> None:
    """The offer was taken."""
    desk.glass.leave()
    desk.offer_dismissed, desk.overlay = True, PAGE
    begin(desk, t)


def waited(desk: Desk, t: float) -> None:
    """The page has been left open over the play."""
    if desk.overlay == PAGE and t - desk.glass.opened >= LEFT_OPEN_S:
        begin(desk, t)
