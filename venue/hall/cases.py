"""Cases: a call or an alert from the moment it is raised until a referee has dealt with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from venue.protocol import CASE_STATES, step

ESCALATE_TO_ALL: Final = 20.0
"""Seconds nobody takes a case: then it rings with every referee of the hall, not its zone's alone."""
EQUAL_KINDS: Final = frozenset({"call", "camera_covered", "looked_back", "trouble", "tribute_overdue"})
"""Kinds of which a table's second one joins the first while it is open. Two illegal plays are two cases; two presses
of the call button are one, which rings again."""

VERDICTS: Final = ("uphold", "waive", "other")


@dataclass
class Case:
    """One case. *id* names the log position that opened it; *alerts* the record's alerts it holds, joined ones too."""

    id: str
    place: str
    zone: str
    match: str | None
    kind: str
    certain: bool
    seat: str | None
    rule: str | None
    route: str
    opened: float
    alerts: list[str] = field(default_factory=list)
    state: str = "launched"
    joined: int = 0
    rang: float = 0.0
    """When it last rang: opened, joined again or released."""
    taken: list[dict[str, Any]] = field(default_factory=list)
    """Who is at it: name, person, at."""
    history: list[dict[str, Any]] = field(default_factory=list)
    ruling: dict[str, Any] | None = None
    """verdict, by, note, at, directive, and how far it got: queued, shown, done, refused, record."""
    evidence: dict[str, Any] = field(default_factory=dict)
    pictures: list[dict[str, Any]] = field(default_factory=list)
    """Files of the alert: sha256, kind, type, size, and state: coming, here or gone."""
    late: bool = False

    @property
    def open(self) -> bool:
        return self.state != "resolved"

    def take_step(self, happening: str, at: float, person: str | None, name: str, note: str = "") -> bool:
        """Let *happening* change the state; False, and nothing changed, where the table has no such step."""
        state = step(CASE_STATES, self.state, happening)
        if state is None:
            return False
        if happening in ("take", "reopen") and person is not None:
            if any(taker["person"] == person for taker in self.taken):
                if self.state == state:
                    return False
            else:
                self.taken.append({"person": person, "name": name, "at": at})
        if happening == "release":
            self.taken = [taker for taker in self.taken if taker["person"] != person]
            if self.taken:
                state = "in_progress"  # the colleague stays at it
            else:
                self.rang = at
        self.state = state
        self.history.append({"what": happening, "by": name, "at": at, "note": note})
        return True

    def join(self, at: float, alert: str | None) -> None:
        """An equal one: no second case, but it rings again unless somebody is at it."""
        self.joined += 1
        if alert and alert not in self.alerts:
            self.alerts.append(alert)
        if self.state == "deferred":
            self.state = "launched"
        if self.state == "launched":
            self.rang = at
        self.history.append({"what": "joined", "by": "", "at": at, "note": ""})

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id, "place": self.place, "zone": self.zone, "match": self.match, "kind": self.kind,
            "certain": self.certain, "seat": self.seat, "rule": self.rule, "route": self.route, "opened": self.opened,
            "rang": self.rang, "alerts": self.alerts, "state": self.state, "joined": self.joined, "taken": self.taken,
            "history": self.history, "ruling": self.ruling, "evidence": self.evidence, "pictures": self.pictures,
            "late": self.late,
        }  # fmt: skip


def escalated(state: str, rang: float, now: float) -> bool:
    """Whether a case is every referee's by now, and no longer its zone's alone."""
    return state == "launched" and now - rang >= ESCALATE_TO_ALL


def evidence_of(event: Mapping[str, Any]) -> dict[str, Any]:
    """What a table sent with its alert, and nothing that is no evidence."""
    evidence = event.get("evidence")
    return dict(evidence) if isinstance(evidence, Mapping) else {}
