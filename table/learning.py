"""Learning the venue's own deck, as the desk sees it: who may open the page, what its touches order, when it ends."""

from __future__ import annotations

from typing import Any

from table.desk import Desk
from table.effects import Learn
from table.view import Learning

PAGE = "enrol"


def allowed(desk: Desk) -> bool:
    """Whether whoever stands at the glass may open the page: as guarded as the settings are."""
    return bool(desk.glass.learns) and (desk.glass.code is None or desk.glass.admitted)


def free(desk: Desk) -> bool:
    """Whether the camera has time for it: cards that are shown would be taken for plays of a match."""
    return desk.glass.learns == "any" or desk.match.phase in ("before", "over")


def open_page(desk: Desk, t: float, value: Any) -> None:
    """The page opens, and learning begins where no match is on."""
    if not allowed(desk):
        return
    begins = free(desk)
    desk.glass.leave()
    desk.overlay = PAGE
    desk.glass.learning = Learning() if begins else Learning(step="match")
    if begins:
        desk.effects.append(Learn("begin"))


def order(desk: Desk, t: float, value: Any) -> None:
    """A touch on the page: ``again``, ``save``, or (question, name of the card or None)."""
    learning = desk.glass.learning
    if desk.overlay != PAGE or learning is None or learning.step == "match":
        return
    if value in ("again", "save"):
        desk.effects.append(Learn(str(value)))
    elif isinstance(value, tuple) and learning.question is not None and value[0] == learning.question[0]:
        desk.effects.append(Learn("answer", value))


def learned(desk: Desk, learning: Learning) -> None:
    """The camera's side tells how it stands."""
    if desk.overlay == PAGE and desk.glass.learning is not None and desk.glass.learning.step != "match":
        desk.glass.learning = learning


def ended(before: Desk, now: Desk) -> None:
    """The page was left, whichever way, or *now* is the next match: the camera goes back to the game."""
    left = before.glass.learning
    if left is None or (now.overlay == PAGE and now.glass.learning is not None):
        return
    before.glass.learning = None
    if left.step != "match":
        now.effects.append(Learn("stop"))
