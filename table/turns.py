"""The turn's clock: from the moment the cards lie still to the next player's first touch; doubt favours the player."""

from __future__ import annotations

from table.desk import Desk
from table.effects import Light, Sound
from table.view import Clock


def limit_of(desk: Desk) -> float | None:
    """Seconds that whoever is to act has, or None where the ruleset counts none."""
    deal, rules = desk.match.deal, desk.match.ruleset
    if deal is None or deal.over or desk.match.phase != "deal":
        return None
    if deal.phase == "tribute":
        seconds = rules.tribute_seconds
    elif deal.phase == "return":
        seconds = rules.return_seconds
    elif rules.opening_seconds and not any(deal.played.values()):
        seconds = rules.opening_seconds
    else:
        seconds = rules.turn_seconds
    return float(seconds) if seconds else None


def start_turn(desk: Desk, t: float) -> None:
    """Somebody has acted: the next one's time begins at *t*."""
    if desk.score_only:
        return
    running = desk.match.phase == "deal" and not halted(desk)
    desk.turn_clock = Clock(since=t, used=0.0, limit=limit_of(desk), running=running)
    desk.told_seconds, desk.turn_began = 0, t


def touch(desk: Desk, t: float, seat: str) -> None:
    """The player to act touched the cards: that player's time has stopped."""
    deal = desk.match.deal
    if deal is not None and deal.turn == seat and desk.turn_clock.running:
        stop_turn(desk, t)


def stop_turn(desk: Desk, t: float) -> None:
    clock = desk.turn_clock
    desk.turn_clock = Clock(since=t, used=clock.elapsed(t), limit=clock.limit, running=False)


def go_on(desk: Desk, t: float) -> None:
    """The turn's clock runs again from *t*, with the time it had."""
    clock = desk.turn_clock
    if not clock.running and desk.match.phase == "deal" and not desk.score_only:
        desk.turn_clock = Clock(since=t, used=clock.used, limit=clock.limit, running=True)


def halted(desk: Desk) -> bool:
    """Whether play stands still: paused, a referee called, or a notice asks to stop."""
    return desk.paused or any(alert.kind == "call" or alert.route == "both" for alert in desk.standing_alerts())


def warn(desk: Desk, t: float) -> None:
    """Light the lamp when the player to act is past the first mark."""
    deal, rules = desk.match.deal, desk.match.ruleset
    if deal is None or deal.turn is None or not desk.turn_clock.running or deal.phase != "play":
        return
    used = desk.turn_clock.elapsed(t)
    if rules.turn_warning and used >= rules.turn_warning > desk.told_seconds:
        desk.told_seconds = rules.turn_warning
        desk.effects += [Light(deal.turn, "warning"), Sound("warning")]


def report(desk: Desk, t: float, seat: str) -> None:
    """A seat reports its count: the table fills in the number that the cards played leave."""
    deal = desk.match.deal
    if deal is None or deal.over or desk.score_only:
        return
    left = deal.remaining[seat]
    if 0 < left <= desk.match.ruleset.report_at and seat not in deal.reports:
        desk.attempt(t, "report", {"seat": seat, "count": left, "by": "pressed"})
    else:
        desk.reported[seat] = t  # of a play, it may be, that is not read yet
