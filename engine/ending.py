"""How a match ends: the bell, a deal more, games of a match, a forfeit; and how a ruling opens it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import phases
from engine.cards import SIDES
from engine.errors import Sentence
from engine.findings import Finding
from engine.result import Result, decided

if TYPE_CHECKING:
    from engine.match import Match


def ring(match: Match) -> None:
    """The match's time is over: what becomes of the deal in play is the ruleset's word (``deal_at_limit``)."""
    if match.bell or match.phase in ("before", "over"):
        return
    match.bell = True
    match.raise_alert(Finding("match_limit", None, True, Sentence("note_time_over")))
    match.clock.waiting = False
    if match.phase == "deal":
        if match.ruleset.deal_at_limit == "stop" and not match.extra_deal:
            match.phase = phases.MATCH["deal"]["ended"]
            match.sheet.append((match.at, "stopped", {"deal": match.deal.n if match.deal else 0}))
            decide(match)
    elif not match.extra_deal:
        decide(match)


def decide(match: Match) -> None:
    """At the limit: who has won, or is one more deal played (``equal_at_limit``)."""
    winner, why = decided(match.ruleset, match.race)
    if why in ("extra_deal", "play_on"):
        match.extra_deal = True
    else:
        _end_game(match, winner, why)


def look_for_winner(match: Match, side: str, won: str | None) -> None:
    """After a deal that *side* won: whether the game is over, because *won* has passed A, or at a limit."""
    ruleset = match.ruleset
    if won is not None:
        _end_game(match, won, "passed_A" if ruleset.goal == "pass_A" else "reached_A")
    elif match.extra_deal:
        if ruleset.equal_at_limit == "play_on":
            if match.race.margin:
                _end_game(match, "NS" if match.race.margin > 0 else "EW", "higher_level")
        else:
            _end_game(match, side, "extra_deal")
    elif match.bell or 0 < ruleset.match_deals <= len(match.deals) - match.game_started:
        decide(match)


def _end_game(match: Match, winner: str | None, why: str) -> None:
    """A game is over; of several the next begins, unless the match is decided by it."""
    match.games.append(winner)
    match.margins.append(match.race.margin)
    match.extra_deal = False
    best_of = match.ruleset.best_of
    wins = {side: match.games.count(side) for side in SIDES}
    if best_of > 1 and max(wins.values()) <= best_of // 2 and len(match.games) < best_of:
        match.law.log(("game", winner))
        match.game_started = len(match.deals)
        match.race = match.fresh_race()
        match.bell, match.turned, match.reminded = False, None, set()
        match.clock.match_left = float(match.ruleset.match_seconds) if match.ruleset.match_seconds else None
        return
    if best_of > 1:
        winner = None if wins["NS"] == wins["EW"] else max(SIDES, key=lambda side: wins[side])
    end(match, winner, why)


def end(match: Match, winner: str | None, why: str) -> None:
    """The match is decided; who had confirmed the last deal has not signed this yet."""
    match.signed = set()
    match.phase = phases.MATCH[match.phase]["decided"]
    match.result = Result.of(match.ruleset, match.race, match.games, match.margins, winner, why)


def reopen(match: Match) -> None:
    """A ruling has moved what decided the match: it is decided anew."""
    match.phase = phases.MATCH[match.phase]["reopened"]
    match.result = None
    match.games.pop()
    match.margins.pop()
