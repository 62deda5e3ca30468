"""Whether an event is on: from the first who checked in to the prizes no table is given a release."""

from __future__ import annotations

from typing import Final

from venue.desk.competition import Competition
from venue.desk.desk import Desk
from venue.hall import Hall
from venue.store.log import VENUE, Entry

GIVEN_UP: Final = 3 * 86400.0
"""Seconds without an act or a result after which an event that never came to its end holds nothing up any more: it was
given up, or it is a league between two evenings."""


class Underway:
    """Follows the desk's acts in the log to know when each event was last worked on."""

    def __init__(self, hall: Hall, desk: Desk) -> None:
        self._hall, self._desk = hall, desk
        self._acted: dict[str, float] = {}

    def note(self, entry: Entry) -> None:
        """Take the next entry of the log."""
        if entry.kind == "desk" and entry.device == VENUE:
            self._acted[str(entry.event.get("competition"))] = entry.received

    def titles(self, now: float) -> list[str]:
        """The events that are on at *now*, venue time; a round clock that the office started is one as well."""
        found = [each.title or each.id for each in self._desk.competitions.values() if self._is_on(each, now)]
        clocks = [clock for clock in self._hall.clocks.values() if clock.ends is not None and clock.ends > now]
        return found or [clock.title or clock.zone or "…" for clock in clocks]

    def _is_on(self, event: Competition, now: float) -> bool:
        begun = bool(event.here or event.partners_seed or event.rounds)
        # Results that are hidden wait for the ceremony: the prizes have not been given.
        if not begun or (event.finished and not self._hall.hidden):
            return False
        results = (game.result["at"] for past in event.rounds for game in past.games if game.result is not None)
        return now - max([self._acted.get(event.id, 0.0), *results]) <= GIVEN_UP
