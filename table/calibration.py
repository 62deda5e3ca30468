"""The calibration page as the desk sees it: who may open it, what its touches order, when it ends.

Anybody may look how the camera hangs, but never while a match is on: the picture shows more than the mat.
"""

from __future__ import annotations

from typing import Any

from table.desk import Desk
from table.effects import Calibrate
from table.view import Calibration

PAGE = "calibration"


def open_page(desk: Desk, t: float, value: Any) -> None:
    """The page opens, and the camera is looked through where no match is on."""
    if not desk.glass.calibrates:
        return
    free = desk.match.phase in ("before", "over")
    desk.glass.leave()
    desk.overlay = PAGE
    desk.glass.calibration = Calibration(busy=not free)
    if free:
        desk.effects.append(Calibrate("begin"))


def light(desk: Desk, t: float, value: Any) -> None:
    """The lamps stand as they will: exposure is found and held anew."""
    shown = desk.glass.calibration
    if desk.overlay == PAGE and shown is not None and shown.can_hold:
        desk.glass.calibration = Calibration(can_hold=True)
        desk.effects.append(Calibrate("light"))


def looked(desk: Desk, found: Calibration) -> None:
    """The camera's side tells what it sees."""
    if desk.overlay == PAGE and desk.glass.calibration is not None and not desk.glass.calibration.busy:
        desk.glass.calibration = found


def ended(before: Desk, now: Desk) -> None:
    """The page was left, whichever way, or *now* is the next match: the camera goes back to the game."""
    left = before.glass.calibration
    if left is None or (now.overlay == PAGE and now.glass.calibration is not None):
        return
    before.glass.calibration = None
    if not left.busy:
        now.effects.append(Calibrate("stop"))
