"""Training mode: says of every play what it was and what may follow, and judges nobody."""

from __future__ import annotations

from typing import Any

from engine.readings import beats, default_reading, readings
from table.desk import Desk
from table.view import Lesson


def lesson(desk: Desk) -> Lesson | None:
    """What the last play on the table teaches; None while there is nothing to say."""
    deal = desk.match.deal
    if not desk.training or deal is None or desk.match.phase != "deal":
        return None
    trick = deal.trick or (deal.tricks[-1] if deal.tricks and desk.notice == "look" else [])
    plays = [entry for entry in trick if entry.kind == "play" and not entry.taken_back]
    if not plays or any(not ask.margin for ask in desk.asks.values()):
        return None
    last = plays[-1]
    before = last.before[0]
    over = before.reading if before is not None else None
    found = readings(last.cards, deal.level, desk.match.ruleset)
    wild = any(card.is_wild(deal.level) for card in last.cards)
    if not found:
        return Lesson(last.seat, "nothing", None, _named(over), deal.turn, wild)
    able = [each for each in found if over is None or beats(each, over)]
    best = (able or found)[default_reading(able or found, desk.match.ruleset) or 0]
    verdict = "led" if over is None else "beats" if able else "short"
    return Lesson(last.seat, verdict, _named(best), _named(over), deal.turn, wild)


def _named(reading: Any) -> tuple[str, int, str | None] | None:
    return None if reading is None else (reading.type, reading.size, reading.rank)
