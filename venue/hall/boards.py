"""Boards: one match at one table, folded by the engine from the lines that the table sends."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Final

from engine.alerts import Alert
from engine.cards import side_of
from engine.errors import GuandanError
from engine.events import Event
from engine.match import Match

COURSE: Final = frozenset({"play", "pass", "report", "take_back", "expose"})
LANGUAGES: Final = ("zh", "en")
COURSE_LINES: Final = 16
"""So many of a deal's last lines go with a case."""


class Board:
    """The match *id* as far as its record has arrived. A line that comes twice counts once."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.match = Match()
        self.line = 0
        """The newest line of the record that is folded."""
        self.missing = 0
        """How many lines were skipped."""
        self.refused: list[dict[str, Any]] = []
        """Lines that the engine could not take: line and why. The others still count."""
        self.final: float | None = None
        """When the match's result came."""
        self._view: dict[str, Any] | None = None
        self._shown: Any = None

    def take(self, line: int, event: Mapping[str, Any]) -> tuple[list[Any], bool]:
        """Fold *event*, line *line* of the record: the alerts that came of it, and whether the line is new.

        Sync keeps the order, so a line that is skipped was never sent: it is counted, the record goes on.
        """
        if line <= self.line:
            return [], False
        self.missing += line - self.line - 1
        self.line = line
        self._view = None
        try:
            outcome = self.match.apply(_event(line, event))
        except GuandanError as error:
            self.refused.append({"line": line, "why": str(error)})
            return [], True
        return list(outcome.alerts), True

    def changed(self) -> bool:
        """Whether the view has changed since this was last asked: most lines are plays, which no hall sees."""
        match = self.match
        shown = (
            dict(match.levels), match.on_stage, dict(match.attempts), match.result, match.names, len(match.deals),
            len(self.refused), self.extra,
        )  # fmt: skip
        if shown == self._shown:
            return False
        self._shown = shown
        return True

    @property
    def extra(self) -> float:
        """Seconds that were added to the match's time, those taken off subtracted: what its record holds of it."""
        return sum(float(data["seconds"]) for _, what, data in self.match.sheet if what == "extra")

    def alert_states(self) -> dict[str, str]:
        """Every alert of the record and whether it is open, upheld or waived."""
        return {alert.id: alert.state for alert in self.match.alerts}

    def view(self) -> dict[str, Any]:
        """What a hall may see: names, levels, their race, attempts at A, the result. No card, no turn, no count."""
        if self._view is None:
            match = self.match
            if not match.events:
                self._view = {"match": self.id, "names": {}, "levels": {}, "race": [], "deals": 0, "result": None}
            else:
                self._view = {
                    "match": self.id,
                    "names": dict(match.names),
                    "levels": dict(match.levels),
                    "on_stage": match.on_stage,
                    "attempts": dict(match.attempts),
                    "race": [dict(record.levels) for record in match.deals],
                    "deals": len(match.deals),
                    "result": match.result.to_dict() if match.result is not None else None,
                    "extra": self.extra,
                }
        return self._view

    def evidence(self, about: Alert) -> dict[str, Any]:
        """What the record itself tells a referee of this moment: what happened and the article word for word, the
        trick, who passed how, reports with their times, how the deal went, what the side was found guilty of before."""
        deal, seat = self.match.deal, about.seat
        told: dict[str, Any] = {
            "article": {lang: about.article.in_language(lang) for lang in LANGUAGES},
            "what": {lang: about.note.in_language(lang) for lang in LANGUAGES} if about.note.key != "none" else None,
        }  # fmt: skip
        if deal is None:
            return told
        trick = [
            {
                "seat": entry.seat, "kind": entry.kind, "cards": [str(card) for card in entry.cards or ()],
                "by": entry.by, "reading": _reading(entry.reading),
            }
            for entry in deal.trick
        ]  # fmt: skip
        told |= {
            "trick": trick, "level": deal.level, "turn": deal.turn, "leader": deal.leader, "deal": deal.n,
            "ruleset": self.match.ruleset.id, **self._course(),
            "ruleset_name": {"zh": self.match.ruleset.name_zh, "en": self.match.ruleset.name_en},
        }  # fmt: skip
        if seat is not None:
            side = side_of(seat)
            told["earlier"] = [
                {"kind": alert.kind, "seat": alert.seat, "deal": alert.deal, "penalty": list(alert.penalty)}
                for alert in self.match.alerts if alert.state == "upheld" and alert.seat and side_of(alert.seat) == side
            ]  # fmt: skip
        return told

    def _course(self) -> dict[str, Any]:
        """The deal's last lines with their times, and its reports."""
        course: list[dict[str, Any]] = []
        reports: list[dict[str, Any]] = []
        for event in reversed(self.match.events):
            if event.do in ("deal", "match"):
                break
            if event.do == "report":
                reports.append({"seat": event.data["seat"], "count": event.data["count"], "t": event.t})
            if event.do in COURSE and len(course) < COURSE_LINES:
                more = {name: event.data[name] for name in ("cards", "by", "settled", "count") if name in event.data}
                course.append({"do": event.do, "seat": event.data.get("seat"), "t": event.t, **more})
        return {"reports": reports[::-1], "course": course[::-1]}

    def preview(self, ruling: Mapping[str, Any]) -> dict[str, Any]:
        """What the ruling line would change: levels and penalties before and after; the board itself stays as it is.

        :raises GuandanError: when the engine would refuse it.
        """
        trial = copy.deepcopy(self.match)
        before = trial.report()
        trial.apply(_event(self.line + 1, {"do": "ruling", **ruling}))
        after = trial.report()
        had = len(before.get("penalties", []))
        return {
            "levels": {"before": before.get("levels"), "after": after.get("levels")},
            "penalties": after.get("penalties", [])[had:],
            "result": after.get("result"),
        }


def _event(line: int, source: Mapping[str, Any]) -> Event:
    """A line of the record as the engine takes it; the engine checks what it holds."""
    data = dict(source)
    return Event(line, data.pop("do"), data, data.pop("t", None))


def _reading(reading: Any) -> dict[str, Any] | None:
    if reading is None:
        return None
    return {"type": str(reading.type), "size": reading.size, "rank": reading.rank}
