"""Round clocks: one for the hall or one a zone; started, stopped and lengthened by facts, not by a ticking process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass
class Clock:
    """A round's clock. Running: it ends at *ends* (venue time). Stopped: *left* seconds remain. *total* is what it was
    given in all. *competition* and *round* say which round the desk started it for; without them it is the office's.
    """

    zone: str
    title: str = ""
    ends: float | None = None
    left: float | None = None
    total: float = 0.0
    competition: str = ""
    round: int = 0

    def apply(self, event: Mapping[str, Any], at: float) -> None:
        """Take ``start {seconds, title, competition, round}``, ``stop``, ``resume``, ``extra {seconds}`` or ``clear``
        at venue time.
        """
        seconds = _seconds(event)
        match event.get("action"):
            case "start" if seconds:
                self.title, self.ends, self.left = str(event.get("title") or ""), at + seconds, None
                self.total = seconds
                number = event.get("round")
                self.competition, self.round = str(event.get("competition") or ""), number if type(number) is int else 0
            case "stop" if self.ends is not None:
                self.left, self.ends = max(0.0, self.ends - at), None
            case "resume" if self.left is not None:
                self.ends, self.left = at + self.left, None
            case "extra" if self.ends is not None:
                self.ends = max(at, self.ends) + seconds
                self.total += seconds
            case "extra" if self.left is not None:
                self.left = max(0.0, self.left + seconds)
                self.total += seconds
            case "clear":
                self.clear()

    def clear(self) -> None:
        """No time is shown any more."""
        self.title, self.ends, self.left, self.total, self.competition, self.round = "", None, None, 0.0, "", 0

    def remaining(self, now: float) -> float | None:
        """Seconds left at venue time *now*, never below zero; None while no time is shown."""
        return self.left if self.ends is None else max(0.0, self.ends - now)

    def view(self) -> dict[str, Any]:
        """The clock for pages: they count down by themselves against the venue's time."""
        return {
            "zone": self.zone, "title": self.title, "ends": self.ends, "left": self.left, "total": self.total,
            "competition": self.competition, "round": self.round,
        }  # fmt: skip


def _seconds(event: Mapping[str, Any]) -> float:
    value = event.get("seconds")
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e6 else 0.0
