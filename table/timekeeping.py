"""Clocks beyond the turn's: the match's reminders, what the fold must be told in time, and a camera that sees nothing.

Every time here is the table's monotonic one, which an observation carries from its frame: a changed wall clock or a
busy processor takes nobody a second.
"""

from __future__ import annotations

from dataclasses import replace

from engine.events import Event
from table.desk import Desk
from table.effects import Sound
from table.turns import go_on, halted, stop_turn

REMINDER_STANDS = 6.0
BLIND_AFTER = 1.0
"""Seconds of a covered camera after which the clocks go back to when it began, and stand."""
LATE_TOUCH = 1.5
"""Seconds that a foul waits for word of a touch that came before it: the eye looks at a touch more than once."""


def keep(desk: Desk, t: float) -> None:
    """Time went by."""
    if desk.glass.settling != -1e9 and t >= desk.glass.settling:
        desk.glass.settling = -1e9
        desk.release()
    _blind(desk, t)
    _remind(desk, t)
    _foul(desk, t)
    banner = desk.glass.banner
    if banner is not None and t >= banner.until:
        desk.glass.banner = None
    if desk.venue.message is not None and t >= desk.venue.message_until:
        desk.venue = replace(desk.venue, message=None)


def wait_for_referee(desk: Desk, t: float) -> None:
    """While a referee who was called is awaited the match's time stands too: the wait is nobody's.

    The fold lets it run, so the table says so with a pause of its own.
    """
    glass, match = desk.glass, desk.match
    awaited = any(alert.kind == "call" for alert in desk.standing_alerts())
    if (
        awaited
        and not desk.paused
        and not glass.waiting
        and match.clock.match_left is not None
        and match.phase in ("between", "deal")
    ):
        glass.waiting = match.clock.paused or bool(desk.attempt(t, "pause", {"why": "referee"}))
    elif glass.waiting and not awaited:
        glass.waiting = False
        if match.clock.paused and not glass.blind and not desk.paused:
            desk.attempt(t, "resume", {})


def _blind(desk: Desk, t: float) -> None:
    """A touch cannot be seen through a covered lens: nobody's time runs meanwhile."""
    glass, since = desk.glass, desk.covered_since
    if since is None:
        if glass.blind:
            glass.blind = False
            if not desk.paused and not glass.waiting and desk.attempt(t, "resume", {}) and not halted(desk):
                go_on(desk, t)
        return
    timed = desk.turn_clock.limit is not None or desk.match.clock.match_left is not None
    if (
        glass.blind
        or not timed
        or desk.score_only
        or desk.paused
        or desk.match.clock.stopped
        or t - since < BLIND_AFTER
    ):
        return
    if desk.match.phase == "deal" and desk.attempt(since, "pause", {"why": "camera"}):
        glass.blind = True
        if desk.turn_clock.running:
            stop_turn(desk, max(since, desk.turn_clock.since))


def _remind(desk: Desk, t: float) -> None:
    left, glass = match_left(desk, t), desk.glass
    if left is None or desk.match.phase not in ("between", "deal"):
        return
    if left > glass.reminded + 1.0:
        glass.reminded = 1e12  # the referee gave more time
    rules = desk.match.ruleset
    marks = [rules.match_seconds / 2 if mark == "half" else float(mark) for mark in rules.reminders]
    passed = [mark for mark in marks if left <= mark < glass.reminded]
    if passed and left > 0:
        # Of several that went by at once, as after a restart, only the last is news; an old one is none.
        glass.reminded = min(passed)
        if glass.reminded - left < REMINDER_STANDS:
            whole = max(1, round(glass.reminded))
            if whole % 60:
                glass.tell("seconds", t + REMINDER_STANDS, time=f"{whole // 60}:{whole % 60:02d}")
            else:
                glass.tell("reminder", t + REMINDER_STANDS, minutes=whole // 60)
            desk.effects.append(Sound("reminder"))


def tell_tries(desk: Desk, t: float) -> None:
    """A deal begins: the side that plays A and has failed at it before is told how many tries are left."""
    match, side = desk.match, desk.match.on_stage
    if side is None or match.levels[side] != "A" or not match.ruleset.A_tries or not match.attempts[side]:
        return
    left = match.ruleset.A_tries - match.attempts[side]
    desk.glass.tell("last_try" if left <= 1 else "tries", t + REMINDER_STANDS, side=side, left=left)


def match_left(desk: Desk, t: float) -> float | None:
    """Seconds of the match left at *t*; None without a limit."""
    clock = desk.match.clock
    if clock.match_left is None:
        return None
    gone = 0.0 if clock.stopped else max(0.0, t - desk.origin - clock.now)
    return clock.match_left - gone


def _foul(desk: Desk, t: float) -> None:
    """Somebody is over the time: the fold learns it now, not when somebody acts at last."""
    clock, limit = desk.turn_clock, desk.match.clock.limit
    left = match_left(desk, t)
    if not limit.foul or not clock.running or left is None or left <= LATE_TOUCH or desk.glass.beat == clock.since:
        return
    if clock.elapsed(t) >= limit.foul + LATE_TOUCH and not desk.match.clock.fouled:
        desk.glass.beat = clock.since
        desk.attempt(t, "time", {"left": round(left, 3)})


def told(desk: Desk, event: Event, t: float) -> None:
    """What the table says for a moment when time was given or taken off, or a tribute was resisted."""
    if event.do == "extra":
        minutes = round(float(event.data["seconds"]) / 60, 1)
        desk.glass.tell("extra" if minutes >= 0 else "less", t + REMINDER_STANDS, minutes=abs(minutes))
    elif event.do == "resist":
        desk.glass.tell("resisted", t + REMINDER_STANDS, seats="".join(event.data["seats"]))
