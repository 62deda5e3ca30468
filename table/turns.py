"""The turn's clock: from the moment the cards lie still to the next player's first touch; doubt favours the player."""

from __future__ import annotations

from table.desk import Desk
from table.effects import Light, Sound
from table.view import Cards, Clock


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


def may_be_turned(desk: Desk, cards: Cards) -> bool:
    """Whether *cards*, about to be the first play of a deal that has just begun, may be the turned card of the first
    deal: one card, and nobody named who leads. A joker is turned anew; once a card was turned, another one is led."""
    match, deal = desk.match, desk.match.deal
    if match.deals or deal is None or match.ruleset.first_lead != "turned_card" or len(cards) != 1:
        return False
    last = match.events[-1]
    if last.do != "deal" or last.data.get("leader") or (cards[0].is_joker and match.ruleset.first_draw != "mod4"):
        return False
    return deal.turned is None or deal.turned[1] == cards[0]


def may_be_shown(desk: Desk) -> bool:
    """Whether all that has been laid may be the turned card, shown while the cards are dealt: nobody has answered it,
    in its turn or out of it."""
    last = desk.match.events[-1]
    answered = desk.early or desk.waiting or desk.unread is not None
    return last.do == "play" and bool(last.data.get("untimed")) and not answered


def start_turn(desk: Desk, t: float) -> None:
    """Somebody has acted: the next one's time begins at *t*."""
    if desk.score_only:
        return
    running = desk.match.phase == "deal" and not halted(desk) and not may_be_shown(desk)
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
    if not clock.running and desk.match.phase == "deal" and not desk.score_only and not may_be_shown(desk):
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
