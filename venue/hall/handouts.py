"""The files that the venue has for its tables, and how each table stands with what it was told: a fold of the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from venue.protocol import DIRECTIVE_STATES, step
from venue.store.handouts import DECK, DIRECTIVE, LARGEST, RELEASE
from venue.store.log import VENUE, Entry

NONE: Final[Mapping[str, Any]] = {"sha256": "", "size": 0, "name": ""}
"""The common cards, as a table is told of them."""
NAMED: Final = ("sha256", "size", "name", "release", "version", "python", "processor")
_KIND: Final = {directive: kind for kind, directive in DIRECTIVE.items()}


@dataclass
class Told:
    """What a table was told last of one kind of file."""

    id: int
    data: Mapping[str, Any]
    at: float
    state: str = "queued"
    why: str | None = None

    @property
    def sha256(self) -> str:
        return str(self.data.get("sha256"))

    @property
    def open(self) -> bool:
        """Whether the table has not come to its end with it."""
        return bool(DIRECTIVE_STATES[self.state])


class Handouts:
    """The fold. :meth:`take` gets every entry of the log, in order."""

    def __init__(self) -> None:
        self.files: dict[str, dict[str, Any]] = {}
        """By hash: ``sha256 size kind at``, who brought it (``person`` or ``place``), and what it says of itself."""
        self.announced: dict[str, tuple[str, int, str]] = {}
        """Deck profiles that tables have learned: device, size, table."""
        self.told: dict[str, dict[str, Told]] = {DECK: {}, RELEASE: {}}
        """By kind and table."""
        self.running: dict[str, set[str]] = {}
        """By hash of a release: the tables that have run it."""
        self.house: Mapping[str, Any] | None = None
        """The deck profile that every table reads with, those of tomorrow as well; None: nobody has said."""

    def take(self, entry: Entry) -> None:
        """Take the next entry; what makes no sense changes nothing."""
        if entry.device == VENUE:
            said = getattr(self, f"_on_{entry.kind}", None)
            if said is not None:
                said(entry)
        elif entry.kind == "deck_learned":
            name, size = entry.event.get("sha256"), entry.event.get("size")
            if isinstance(name, str) and type(size) is int and 0 < size <= LARGEST[DECK]:
                self.announced[name] = entry.device, size, entry.place or ""

    def _on_handout(self, entry: Entry) -> None:
        name = str(entry.event.get("sha256"))
        self.files[name] = {**entry.event, "at": entry.received, "place": entry.place, "person": entry.person}

    def _on_handout_removed(self, entry: Entry) -> None:
        name = str(entry.event.get("sha256"))
        self.files.pop(name, None)
        if self.house is not None and self.house.get("sha256") == name:
            self.house = None

    def _on_house_deck(self, entry: Entry) -> None:
        self.house = dict(entry.event)

    def _on_directive(self, entry: Entry) -> None:
        kind = _KIND.get(str(entry.event.get("directive")))
        if kind is not None and entry.place is not None:
            data = entry.event.get("data") or {}
            self.told[kind][entry.place] = Told(entry.position, data, entry.received)

    def _on_directive_answered(self, entry: Entry) -> None:
        for kind, tables in self.told.items():
            told = tables.get(entry.place or "")
            if told is None or told.id != entry.event.get("id"):
                continue
            told.state = step(DIRECTIVE_STATES, told.state, str(entry.event.get("state"))) or told.state
            told.why, told.at = entry.event.get("why"), entry.received
            if kind == RELEASE and told.state == "done":
                self.running.setdefault(told.sha256, set()).add(entry.place or "")

    # --- asked ----------------------------------------------------------------------------------------------------

    def data(self, name: str) -> dict[str, Any]:
        """What a table is told of the file *name*."""
        return {key: self.files[name][key] for key in NAMED if key in self.files[name]}

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        """The files of this *kind*, the newest first."""
        return sorted((each for each in self.files.values() if each["kind"] == kind), key=lambda each: -each["at"])

    def deck_for(self, place: str) -> Mapping[str, Any] | None:
        """What a new device at *place* has to be told: nothing, where nobody has said or it hears it anyway."""
        told = self.told[DECK].get(place)
        if told is not None and told.open:
            return None
        wanted = told.data if told is not None and told.state != "withdrawn" else self.house
        return wanted if wanted is None or wanted.get("sha256") in {"", *self.files} else None

    def trying(self, name: str) -> set[str]:
        """The tables that run the release *name*, or are on their way to it."""
        under_way = {place for place, told in self.told[RELEASE].items() if told.sha256 == name and told.open}
        return under_way | self.running.get(name, set())
