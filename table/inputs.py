"""Everything that can happen to a table: the controller's inputs. Times are seconds on the table's monotonic clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from table.view import Calibration, Fact, Learning
from vision.observations import Observation


@dataclass(frozen=True)
class Seen:
    """The eye noticed something."""

    observation: Observation
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """What goes into the journal beside the event, such as how long reading took."""

    @property
    def t(self) -> float:
        return self.observation.t


@dataclass(frozen=True)
class Pressed:
    """A pad: *button* is ``pass report confirm call``."""

    t: float
    seat: str
    button: str


@dataclass(frozen=True)
class Tapped:
    """A touch of the screen: *what* is the name of the target."""

    t: float
    what: str
    value: Any = None


@dataclass(frozen=True)
class Ticked:
    """Time went by."""

    t: float


@dataclass(frozen=True)
class Directed:
    """The referee's console or the desk: an event of the record's vocabulary, or a directive of the venue's."""

    t: float
    do: str
    data: Mapping[str, Any] = field(default_factory=dict)
    id: int | None = None
    """The venue's number of it, for the answer."""


@dataclass(frozen=True)
class Linked:
    """How the line to the venue is: *state* of ``venue.protocol.LINK``, or the lease that was lost; *contact* when the
    venue was last heard."""

    t: float
    state: str
    unsent: int
    contact: float | None
    place: str = ""


@dataclass(frozen=True)
class Measured:
    """The machine was looked at: what the diagnostics show."""

    t: float
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Learned:
    """How learning the deck stands now."""

    t: float
    learning: Learning


@dataclass(frozen=True)
class Coded:
    """The table has a code from now on: its hash."""

    t: float
    digest: str


@dataclass(frozen=True)
class Calibrated:
    """How the camera hangs now."""

    t: float
    calibration: Calibration


@dataclass(frozen=True)
class Bundled:
    """The file that helps from afar lies at *path*; empty when it could not be written."""

    t: float
    path: str


Input = Seen | Pressed | Tapped | Ticked | Directed | Linked | Measured | Learned | Calibrated | Coded | Bundled
