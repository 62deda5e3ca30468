"""Who says at the table that they sit there: one tap a side, told to the venue as a whole each time."""

from __future__ import annotations

from engine.cards import SIDES
from table.desk import Desk
from table.effects import Send

CHECK_IN = "check_in"


def tapped(desk: Desk, side: str) -> None:
    """*side* says that it is there, or takes that back."""
    if side in SIDES:
        desk.glass.checked_in.symmetric_difference_update({side})
        _tell(desk, desk.glass.checked_in)


def begun(desk: Desk) -> None:
    """People whom no venue seated begin a match by themselves: then both sides are there."""
    if not desk.seating:
        _tell(desk, set(SIDES))


def seated_anew(desk: Desk, match: str) -> None:
    """The venue seats people for *match*: others than those who said that they are there."""
    if desk.seating.get("match") != match:
        desk.glass.checked_in.clear()


def _tell(desk: Desk, sides: set[str]) -> None:
    told = {"match": desk.seating.get("match"), "profile": desk.profile, "sides": sorted(sides, key=SIDES.index)}
    desk.effects.append(Send(CHECK_IN, told))
