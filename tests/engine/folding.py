"""Records in one line each, for tests: ``fold(deal(), play("N", "S3"), …)``."""

from __future__ import annotations

from typing import Any

from engine.events import Event
from engine.match import Match

Line = tuple[str, dict[str, Any]]


def lines(*made: Line | list[Line], ruleset: str = "national", **match: Any) -> list[Event]:
    """Events numbered from 1, the match line first."""
    flat: list[Line] = [("match", {"ruleset": ruleset, **match})]
    for item in made:
        flat += item if isinstance(item, list) else [item]
    return [Event(seq, do, {k: v for k, v in data.items() if k != "t"}, data.get("t")) for seq, (do, data) in
            enumerate(flat, 1)]  # fmt: skip


def fold(*made: Line | list[Line], ruleset: str = "national", **match: Any) -> Match:
    folded = Match()
    for event in lines(*made, ruleset=ruleset, **match):
        folded.apply(event)
    return folded


def then(match: Match, *made: Line | list[Line]) -> Match:
    """Go on with a folded match."""
    for event in lines(*made)[1:]:
        match.apply(Event(match.events[-1].seq + 1, event.do, event.data, event.t))
    return match


def deal(leader: str | None = None, **more: Any) -> Line:
    return "deal", {**({"leader": leader} if leader else {}), **more}


def play(seat: str, cards: str, **more: Any) -> Line:
    return "play", {"seat": seat, "cards": cards.split(), **more}


def passes(*seats: str, **more: Any) -> list[Line]:
    return [("pass", {"seat": seat, **more}) for seat in seats]


def finish(order: str, **more: Any) -> Line:
    return "finish", {"order": list(order), **more}


def tribute(giver: str, taker: str, card: str, **more: Any) -> Line:
    return "tribute", {"from": giver, "to": taker, "card": card, **more}


def back(giver: str, taker: str, card: str, **more: Any) -> Line:
    return "return", {"from": giver, "to": taker, "card": card, **more}


def rule(alert: str, verdict: str = "uphold", **more: Any) -> Line:
    return "ruling", {"alert": alert, "verdict": verdict, **more}


def offence(seat: str, kind: str, **more: Any) -> Line:
    return "offence", {"seat": seat, "kind": kind, **more}


def last_alert(match: Match) -> str:
    return match.alerts[-1].id
