"""Fix turn: one tap says whose turn it is; what the passes between were follows from that."""

from __future__ import annotations

from engine.cards import SEATS
from table.desk import Desk
from table.order import imply_passes
from table.turns import start_turn


def give_turn(desk: Desk, seat: str, t: float) -> None:
    """It is *seat*'s turn.

    If the seat has passed in the run of passes that stands last, those from there on were none and are struck out;
    otherwise those before it have passed.
    """
    deal = desk.match.deal
    if (
        deal is None
        or deal.over
        or desk.score_only
        or desk.match.phase != "deal"
        or seat not in SEATS
        or deal.turn == seat
    ):
        return
    passes = _last_passes(desk)
    own = next((at for at, (who, _) in enumerate(passes) if who == seat), None)
    if own is not None:
        for _, number in passes[: own + 1]:
            desk.attempt(t, "correct", {"event": number, "void": True, "why": "turn"})
    else:
        imply_passes(desk, seat, t)
    start_turn(desk, t)


def _last_passes(desk: Desk) -> list[tuple[str, int]]:
    """Seat and event of the passes after the last play, latest first."""
    found: list[tuple[str, int]] = []
    struck = {int(event.data["event"]) for event in desk.match.events if event.do == "correct" and _void(event.data)}
    for event in reversed(desk.match.events):
        if event.seq in struck or event.do not in ("pass", "play", "deal", "take_back", "tribute", "return", "finish"):
            continue
        if event.do != "pass":
            break
        found.append((str(event.data["seat"]), event.seq))
    return found


def _void(data: object) -> bool:
    return isinstance(data, dict) and data.get("void") is True
