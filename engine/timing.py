"""Time in a match: it goes on with the events, warns, reminds, and rings the bell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.clock import NO_LIMIT, limit_of
from engine.ending import ring
from engine.errors import Sentence
from engine.events import Event
from engine.findings import Finding

if TYPE_CHECKING:
    from engine.match import Match


def duty_of(match: Match) -> str:
    """What the clock of the seat on turn measures: ``opening``, ``play``, ``tribute``, ``return``, or nothing."""
    deal = match.deal
    if deal is None or match.phase != "deal":
        return ""
    if deal.phase == "play":
        return "play" if deal.trick or deal.tricks else "opening"
    return deal.phase


def start_duty(match: Match, event: Event) -> None:
    """*event* gave somebody something new to do: its time begins."""
    if event.data.get("untimed"):
        match.clock.start(NO_LIMIT)
        return
    # A play's time is its first touch; what it says of settling later is when the next one's time begins.
    settled = event.data.get("settled") if match.ruleset.turn_starts == "settled" else None
    wait = settled - event.t if isinstance(settled, (int, float)) and event.t is not None else 0.0
    match.clock.start(limit_of(match.ruleset, duty_of(match)), max(0.0, wait))


def tick(match: Match, t: float) -> None:
    """The time is now *t*: who took too long, and whether the match's time is over."""
    crossed = match.clock.advance(t)
    if crossed and match.deal is not None and match.phase == "deal":
        seat, duty = match.next["seat"], duty_of(match)
        seconds = round(match.clock.elapsed)
        if duty in ("tribute", "return"):
            match.raise_alert(Finding("tribute_overdue", seat, True, Sentence(f"note_{duty}_time", seconds=seconds)))
        elif crossed == "foul":
            match.raise_alert(Finding("turn_time", seat, True, Sentence("note_turn_time", seconds=seconds)))
        else:
            note = Sentence("note_turn_warning", seconds=seconds)
            match.raise_alert(Finding("turn_time", seat, True, note), "count")
    look_at_the_time(match)


def look_at_the_time(match: Match) -> None:
    """The match's time may be over, or so far gone that the ruleset reminds of it: once at each mark."""
    left = match.clock.match_left
    if left is None:
        return
    if left <= 0:
        ring(match)
        return
    half = match.ruleset.match_seconds / 2
    marks = {half if mark == "half" else float(mark) for mark in match.ruleset.reminders}
    crossed = {mark for mark in marks if left <= mark and mark not in match.reminded}
    if crossed and match.phase not in ("before", "over"):
        match.reminded |= crossed
        key = "note_half_time" if min(crossed) == half and "half" in match.ruleset.reminders else "note_reminder"
        minutes, seconds = divmod(round(left), 60)
        told = Sentence("note_seconds", count=round(left)) if seconds else Sentence("note_minutes", count=minutes)
        match.raise_alert(Finding("match_limit", None, True, Sentence(key, left=told)), "count")
