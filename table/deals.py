"""From deal to deal: what opens one, what is forgotten then, what the next one owes."""

from __future__ import annotations

from engine.tribute import Tribute
from table.desk import Desk
from table.timekeeping import tell_tries
from table.turns import start_turn


def tribute_due(desk: Desk) -> Tribute | None:
    """The tribute that the next deal will owe."""
    match = desk.match
    if not match.deals or not match.deals[-1].deal.order:
        return None
    return Tribute(match.deals[-1].deal.order, match.levels[match.on_stage or "NS"], match.ruleset)


def open_deal(desk: Desk, t: float, leader: str | None = None) -> bool:
    """A deal begins; nothing of the last one is left."""
    if not desk.attempt(t, "deal", {"leader": leader} if leader else {}):
        return False
    fresh_deal(desk)
    start_turn(desk, t)
    tell_tries(desk, t)
    return True


def fresh_deal(desk: Desk) -> None:
    """Forget what belonged to the last deal."""
    desk.end_trick()
    desk.asks.clear()
    desk.held.clear()
    desk.pending_tribute.clear()
    desk.early.clear()
    desk.reported.clear()
    desk.waiting.clear()
    desk.astray = False
    desk.unsure, desk.offer_dismissed, desk.score_only = 0, False, False
    desk.out_question = desk.overlay = None
    desk.picked.clear()
    if desk.notice in ("look", "spread"):
        desk.notice = desk.notice_seat = None


def may_begin(desk: Desk, seat: str) -> bool:
    """Whether cards before *seat* can open a deal: the last one is confirmed, and who owes tribute comes first."""
    if desk.result_due:
        return False
    due = tribute_due(desk)
    return due is None or seat in due.payers
