"""What the controller wants done, in order: nothing after an :class:`Append` happens before it is on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.events import Event
from table.view import TableView


@dataclass(frozen=True)
class Append:
    """Put an event into the journal."""

    event: Event
    monotonic: float
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Show:
    """Put this on the screen."""

    view: TableView


@dataclass(frozen=True)
class Light:
    """A seat's lamp: *state* is ``turn warning off``."""

    seat: str
    state: str


@dataclass(frozen=True)
class Sound:
    """A tone, by its name in :data:`hardware.tones.TONES`; silent unless sound is on."""

    name: str


@dataclass(frozen=True)
class Alert:
    """Something for the referee: an alert of the fold, by its id."""

    id: str
    kind: str
    seat: str | None
    certain: bool
    route: str
    rule: str = ""


@dataclass(frozen=True)
class Send:
    """Something for the venue, in the sync vocabulary's terms."""

    topic: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Learn:
    """Something for whatever learns the deck from the camera: *what* is ``begin stop again answer save``; an answer's
    *value* is the question's number and the card's name, None for no card."""

    what: str
    value: Any = None


@dataclass(frozen=True)
class Calibrate:
    """Something for whatever judges the camera's place: ``begin``, ``light`` (find the exposure anew), ``stop``."""

    what: str


@dataclass(frozen=True)
class NewCode:
    """Keep *code* as this table's, and tell its hash."""

    code: str = field(repr=False)


@dataclass(frozen=True)
class MakeBundle:
    """Write the one file that helps from afar."""


Effect = Append | Show | Light | Sound | Alert | Send | Learn | Calibrate | NewCode | MakeBundle
