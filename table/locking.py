"""The code before the settings, tapped in: the one that the installation made, or a new one where there is none."""

from __future__ import annotations

from typing import Any

from table.desk import Desk
from table.effects import NewCode
from table.glass import WAIT, WRONG_CODES
from table.settings import MOST_DIGITS, fits, weakness


def digit(desk: Desk, t: float, value: Any) -> None:
    """One more digit."""
    glass = desk.glass
    if t >= glass.locked_until and not glass.admitted and len(glass.entered) < MOST_DIGITS:
        glass.entered += str(value)


def rub_out(desk: Desk, t: float, value: Any) -> None:
    """The last digit goes."""
    desk.glass.entered = desk.glass.entered[:-1]


def enter(desk: Desk, t: float, value: Any) -> None:
    """The code is tried; after wrong ones in a row there is a wait. Without one, this is it."""
    glass = desk.glass
    if glass.code is None:
        _choose(desk)
        return
    if not glass.entered or t < glass.locked_until:
        return
    glass.admitted, glass.entered = fits(glass.entered, glass.code), ""
    glass.wrong = 0 if glass.admitted else glass.wrong + 1
    if glass.wrong >= WRONG_CODES:
        glass.locked_until = t + WAIT * 2 ** (glass.wrong - WRONG_CODES)


def may_choose(desk: Desk) -> bool:
    """Whether a code can be made on the glass: at a table of one's own, and in no match. A hall's tables get theirs
    from whoever installs them."""
    return desk.venue.state == "unpaired" and desk.match.phase in ("before", "over")


def _choose(desk: Desk) -> None:
    """Whoever hangs the table makes a code, and taps it in twice."""
    glass = desk.glass
    entered, glass.entered = glass.entered, ""
    if not may_choose(desk) or glass.admitted:
        return
    if not glass.chosen:
        wrong = weakness(entered)
        glass.chosen, glass.choosing = "" if wrong else entered, wrong or "again"
    elif entered != glass.chosen:
        glass.chosen, glass.choosing = "", "differs"
    else:
        glass.chosen, glass.choosing, glass.admitted = "", "new", True
        desk.effects.append(NewCode(entered))
