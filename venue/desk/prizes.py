"""Prize lists: classes of prizes with how many pairs each is for, given along the standings, shared places included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Prize:
    """A class of prizes: its *name*, for how many entrants; the rest get *consolation* of the list, if any."""

    name: str
    count: int


@dataclass(frozen=True)
class Award:
    """Who gets which prize. *contested* marks a place that is shared across the edge of a class: people must decide."""

    number: int
    rank: int
    prize: str
    contested: bool = False


def award(ranks: Sequence[Sequence[int]], prizes: Sequence[Prize], consolation: str = "") -> list[Award]:
    """Give *prizes* along *ranks*, best first, each holding the numbers that share that place.

    Who shares a place gets the same prize: the better one when its class has room for one of them at least. Then that
    class is larger than it was meant to be, the next ones smaller, and each of those who share is marked.
    """
    classes = [prize.name for prize in prizes for _ in range(prize.count)]
    """What the 1st, the 2nd, … of the list gets."""
    given: list[Award] = []
    before = 0
    for sharing in ranks:
        due = classes[before : before + len(sharing)]
        name = due[0] if due else consolation
        contested = bool(due) and (len(due) < len(sharing) or due[-1] != name)
        given += [Award(number, before + 1, name, contested) for number in sharing if name]
        before += len(sharing)
    return given
