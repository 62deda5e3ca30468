"""What each role may see of the hall: the only place where that is decided."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from venue.hall.hall import Hall, Key
from venue.store.people import Person

STAFF: Final = frozenset({"chief", "referee", "desk", "announcer"})
REFEREES: Final = frozenset({"chief", "referee"})
OFFICE: Final = frozenset({"chief", "desk"})


def show(hall: Hall, key: Key, person: Person) -> dict[str, Any] | None:
    """What *person* may see of what *key* names, None for nothing."""
    kind, name = key
    if kind == "case":
        case = hall.cases.get(name)
        return {"case": case.to_json()} if case is not None and person.role in REFEREES else None
    if kind == "clock":
        clock = hall.clocks.get(name)
        return {"clock": clock.view()} if clock is not None else None
    if kind == "notice":
        told: dict[str, Any] = {"text": hall.notice, "hidden": hall.hidden}
        if person.role in OFFICE:
            told["alarms"] = hall.alarms[-50:]
        return {"notice": told}
    if kind == "table":
        return {"table": table(hall, name, person)} if name in hall.tables else {"gone": name}
    return {"desk": name} if kind == "desk" else None  # a page that shows a competition asks for it anew


def table(hall: Hall, name: str, person: Person) -> dict[str, Any]:
    """A table's tile. While results are hidden, spectators and the hall see who plays and nothing of how it stands."""
    seat = hall.tables[name]
    tile = seat.view()
    if hall.hidden and person.role not in STAFF and tile["board"] is not None:
        tile["board"] = {"match": tile["board"]["match"], "names": tile["board"]["names"], "hidden": True}
    if person.role in STAFF:
        # a hall's screen is opened by staff: what only referees may know must not stand on it
        known = [case for case in hall.cases_at(name) if case.open and case.route == "both"]
        tile["cases"] = len(known)
        tile["late"] = seat.lines_late
        tile["check_in"] = seat.check_in
        tile["device"] = seat.device is not None
        if seat.board is not None:
            tile["missing"] = seat.board.missing
            tile["refused"] = seat.board.refused[-5:]
    return tile


def snapshot(hall: Hall, person: Person) -> dict[str, Any]:
    """Everything *person* may see, and the position from which to follow."""
    keys: Iterable[Key] = (
        [("table", name) for name in hall.tables] + [("clock", zone) for zone in hall.clocks] + [("notice", "")]
        + [("case", name) for name, case in hall.cases.items() if case.open or len(hall.cases) < 200]
    )  # fmt: skip
    shown = [item for key in keys if (item := show(hall, key, person)) is not None]
    return {"position": hall.position, "items": shown}


class Written:
    """What changed, as JSON that is written once for everybody of a role: a hall has many pages and few roles."""

    MOST: Final = 20_000

    def __init__(self) -> None:
        self._known: dict[tuple[str, bool, Key], tuple[int, str]] = {}

    def since(self, hall: Hall, position: int, person: Person) -> tuple[int, list[str]]:
        """What :func:`since` gives, as the position and each item's text."""
        found = []
        for key in hall.since(position):
            name, touched = (person.role, hall.hidden, key), hall.touched(key)
            known = self._known.get(name)
            if known is None or known[0] != touched:
                item = show(hall, key, person)
                text = json.dumps(item, ensure_ascii=False, separators=(",", ":")) if item is not None else ""
                if len(self._known) >= self.MOST:
                    self._known.clear()
                known = self._known[name] = touched, text
            if known[1]:
                found.append(known[1])
        return hall.position, found


def since(hall: Hall, position: int, person: Person) -> dict[str, Any]:
    """What changed after *position*, as far as *person* may see it."""
    shown = [item for key in hall.since(position) if (item := show(hall, key, person)) is not None]
    return {"position": hall.position, "items": shown}
