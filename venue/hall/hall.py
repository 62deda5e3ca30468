"""The fold: each entry of the log changes the hall a little, and everything it touched remembers at which position.

That memory is how pages follow: whoever has seen position n asks for everything touched after n and gets whole
objects, so a page that missed a minute, or a day, is right after one answer.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from engine.cards import SIDES
from venue.hall.boards import Board
from venue.hall.cases import EQUAL_KINDS, Case, evidence_of
from venue.hall.clocks import Clock
from venue.protocol import DIRECTIVE_STATES, TABLE_EVENTS, step
from venue.store.log import VENUE, Entry
from venue.store.pictures import files_of

Key = tuple[str, str]
"""What was touched: ("table", its name), ("case", its id), ("clock", zone), ("notice", ""), ("desk", competition)."""


class Seat:
    """One table of the hall: who is its device, which match is on."""

    def __init__(self, name: str, zone: str) -> None:
        self.name, self.zone = name, zone
        self.device: str | None = None
        self.board: Board | None = None
        self.check_in: dict[str, Any] | None = None
        """Who said at the table that they sit there: match (None: nobody was seated), profile, sides, at."""
        self.lines_late = 0
        self.heard: float | None = None

    def view(self) -> dict[str, Any]:
        """The public tile: levels only."""
        board = self.board.view() if self.board else None
        return {"place": self.name, "zone": self.zone, "board": board}


class Hall:
    """Everything the pages show, at *position* of the log."""

    def __init__(self) -> None:
        self.position = 0
        self.tables: dict[str, Seat] = {}
        self.boards: dict[str, Board] = {}
        self.cases: dict[str, Case] = {}
        self.clocks: dict[str, Clock] = {}
        self.hidden = False
        self.notice = ""
        self.people: dict[str, str] = {}
        self.alarms: list[dict[str, Any]] = []
        self.desk_listeners: list[Callable[[Entry], str | None]] = []
        """Folds that live on the same log (the tournament desk): each gives the competition it changed, or None."""
        self.result_listeners: list[Callable[[Entry, Board], str | None]] = []
        self._touched: OrderedDict[Key, int] = OrderedDict()
        self._case_of: dict[tuple[str, str], Case] = {}
        self._cases_at: dict[str, list[Case]] = {}
        self._cases_in: dict[str, list[Case]] = {}
        """By match, which may have changed its table."""
        self._case_told: dict[int, str] = {}
        self._open_directives: dict[str, set[int]] = {}
        self._speaks: set[str] = set()
        """Devices that say themselves which alerts they raise: what the fold finds in their record waits for that, as
        a table raises nothing from a play that it did not read surely."""
        self._unsaid: dict[tuple[str, str], dict[str, Any]] = {}

    # --- following ------------------------------------------------------------------------------------------------

    def since(self, position: int) -> list[Key]:
        """What has been touched after *position*, oldest first."""
        keys: list[Key] = []
        for key, touched in reversed(self._touched.items()):
            if touched <= position:
                break
            keys.append(key)
        return keys[::-1]

    def touched(self, key: Key) -> int:
        """The position at which *key* was touched last, 0 when it never was."""
        return self._touched.get(key, 0)

    def _touch(self, kind: str, name: str | int) -> None:
        key = (kind, str(name))
        self._touched[key] = self.position
        self._touched.move_to_end(key)

    def cases_at(self, place: str) -> list[Case]:
        """Every case of the table *place*, oldest first."""
        return self._cases_at.get(place, [])

    def unanswered(self, place: str) -> bool:
        """Whether something that *place* was told waits for its answer."""
        return bool(self._open_directives.get(place))

    # --- the fold -------------------------------------------------------------------------------------------------

    def apply(self, entry: Entry) -> None:
        """Take the next entry. Nothing stored can make this raise: what makes no sense changes nothing."""
        if entry.position <= self.position:
            return
        self.position = entry.position
        if entry.device == VENUE:
            said = getattr(self, f"_on_{entry.kind}", None)
            if said is not None:
                said(entry)
        elif entry.place is not None:
            self._from_table(entry)
        for listener in self.desk_listeners:
            if (competition := listener(entry)) is not None:
                self._touch("desk", competition)

    def _table(self, name: str, zone: str = "") -> Seat:
        if name not in self.tables:
            self.tables[name] = Seat(name, zone)
        return self.tables[name]

    def _from_table(self, entry: Entry) -> None:
        seat = self._table(entry.place or "")
        seat.heard = entry.received
        if entry.late:
            seat.lines_late += 1
            self._touch("table", seat.name)
            if entry.kind not in ("alert", "call"):
                return  # kept in the log; a referee decides what it is worth
        if entry.kind == "alert":
            own = self._unsaid.pop((entry.match or entry.device, str(entry.event.get("id"))), None)
            self._open_case(seat, entry, _named_alert(entry), own)
        elif entry.kind == "evidence":
            self._pictures(entry)
        elif entry.kind == "check_in":
            self._checked_in(seat, entry)
        elif entry.kind == "paired" and entry.event.get("alerts") is True:
            self._speaks.add(entry.device)
        elif entry.kind == "trouble":
            words = {"kind": "trouble", "words": entry.event.get("words"), "trouble": entry.event.get("kind")}
            self._open_case(seat, entry, {**words, "route": "referee", "certain": True}, words)
        elif entry.match is not None and entry.line is not None and entry.kind not in TABLE_EVENTS and not entry.late:
            self._record_line(seat, entry)
        elif entry.late and entry.kind == "call":
            self._open_case(seat, entry, {"kind": "call", "seat": entry.event.get("seat"), "route": "both"})

    def _checked_in(self, seat: Seat, entry: Entry) -> None:
        """What the table says counts as a whole: a side that is missing has taken its word back."""
        said, match, profile = entry.event.get("sides"), entry.event.get("match"), entry.event.get("profile")
        seat.check_in = {
            "match": match if isinstance(match, str) else None, "profile": profile if isinstance(profile, str) else "",
            "sides": [side for side in SIDES if isinstance(said, list) and side in said], "at": entry.received,
        }  # fmt: skip
        self._touch("table", seat.name)

    def _record_line(self, seat: Seat, entry: Entry) -> None:
        assert entry.match is not None and entry.line is not None
        board = self.boards.get(entry.match)
        if board is None:
            board = self.boards[entry.match] = Board(entry.match)
        if seat.board is not board and entry.kind == "match":
            seat.board = board
        alerts, new = board.take(entry.line, entry.event)
        if not new:
            return
        for alert in alerts:
            named = {
                "id": alert.id, "kind": alert.kind, "certain": alert.certain, "seat": alert.seat, "rule": alert.rule,
                "route": alert.route,
            }  # fmt: skip
            if entry.device in self._speaks and alert.kind not in ("call", "laying_order"):
                self._unsaid[entry.match, alert.id] = board.evidence(alert)
            else:
                self._open_case(seat, entry, named, board.evidence(alert))
        if entry.kind in ("ruling", "cancel", "correct"):
            self._settle(board, entry)
        if board.changed():
            self._touch("table", seat.name)
        board.final = (board.final or entry.received) if board.match.result is not None else None
        if board.match.result is not None:
            for listener in self.result_listeners:
                if (competition := listener(entry, board)) is not None:
                    self._touch("desk", competition)

    def _open_case(
        self, seat: Seat, entry: Entry, alert: Mapping[str, Any], own: Mapping[str, Any] | None = None
    ) -> None:
        if alert.get("route") == "count":
            return  # counted in the record; nobody is called for it
        name = alert.get("id")
        known = self._case_of.get((entry.match or entry.device, str(name))) if name else None
        evidence = dict(own or {}) | evidence_of(entry.event)
        if known is not None:  # the table's word for what the fold found, or the other way round: one alert, one case
            known.evidence.update(evidence)
            known.route = str(alert.get("route") or known.route)
            self._touch("case", known.id)
            return
        kind = str(alert.get("kind") or "call")
        equal = next(
            (
                case for case in self.cases_at(seat.name)
                if case.open and case.kind == kind and case.match == entry.match
            ),
            None,
        ) if kind in EQUAL_KINDS else None  # fmt: skip
        if equal is not None:
            equal.join(entry.received, str(name) if name else None)
            equal.evidence.update(evidence)
            case = equal
        else:
            case = Case(
                id=self._new_id(entry), place=seat.name,
                zone=seat.zone, match=entry.match, kind=kind, certain=bool(alert.get("certain", True)),
                seat=alert.get("seat"), rule=alert.get("rule"), route=str(alert.get("route") or "referee"),
                opened=entry.received, rang=entry.received, alerts=[str(name)] if name else [], evidence=evidence,
                late=entry.late,
            )  # fmt: skip
            self.cases[case.id] = case
            self._cases_at.setdefault(case.place, []).append(case)
            if case.match is not None:
                self._cases_in.setdefault(case.match, []).append(case)
        if name:
            self._case_of[entry.match or entry.device, str(name)] = case
        self._touch("case", case.id)
        self._touch("table", seat.name)

    def _pictures(self, entry: Entry) -> None:
        """Pictures of an alert are on their way."""
        case = self._case_of.get((entry.match or entry.device, str(entry.event.get("alert"))))
        if case is not None:
            known = {each["sha256"] for each in case.pictures}
            case.pictures += [
                {**each, "state": "coming"} for each in files_of(entry.event) if each["sha256"] not in known
            ]
            self._touch("case", case.id)

    def _picture_is(self, entry: Entry, state: str) -> None:
        case = self._case_of.get((entry.match or "", str(entry.event.get("alert"))))
        for each in case.pictures if case is not None else ():
            if case is not None and each["sha256"] == entry.event.get("sha256"):
                each["state"] = state
                self._touch("case", case.id)

    def _on_evidence_here(self, entry: Entry) -> None:
        self._picture_is(entry, "here")

    def _on_evidence_gone(self, entry: Entry) -> None:
        self._picture_is(entry, "gone")

    def _new_id(self, entry: Entry) -> str:
        name, more = str(entry.position), 1
        while name in self.cases:  # one line may raise two alerts
            more += 1
            name = f"{entry.position}-{more}"
        return name

    def _settle(self, board: Board, entry: Entry) -> None:
        """A ruling has come back as a line of the record: what the engine says of its alerts now is how it stands."""
        states = board.alert_states()
        for case in self._cases_in.get(board.id, ()):
            if not case.alerts:
                continue
            ruled = [states[alert] for alert in case.alerts if alert in states]
            if ruled and all(state != "open" for state in ruled):
                if case.ruling is None:
                    by = str(entry.event.get("who") or "")
                    case.ruling = {"verdict": entry.event.get("verdict"), "by": by, "note": "", "at": entry.received}
                if case.ruling.get("state") != "record":
                    case.ruling["state"] = "record"
                    case.ruling["penalty"] = _penalty(board, case)
                    case.take_step("resolve", entry.received, None, case.ruling["by"])
                    self._touch("case", case.id)
                    self._touch("table", case.place)
            elif case.ruling is not None and case.ruling.get("state") == "record":
                case.ruling = None  # the ruling was cancelled
                case.take_step("reopen", entry.received, None, str(entry.event.get("who") or ""))
                self._touch("case", case.id)
                self._touch("table", case.place)

    # --- what the venue says --------------------------------------------------------------------------------------

    def _on_place(self, entry: Entry) -> None:
        seat = self._table(entry.place or "")
        seat.zone = str(entry.event.get("zone", ""))
        for case in self.cases_at(seat.name):
            if case.open:
                case.zone = seat.zone
        self._touch("table", seat.name)

    def _on_place_removed(self, entry: Entry) -> None:
        seat = self.tables.get(entry.place or "")
        if seat is not None and seat.device is None and seat.heard is None:
            del self.tables[seat.name]
            self._touch("table", seat.name)

    def _on_place_renamed(self, entry: Entry) -> None:
        self._on_place_removed(entry)
        if entry.place not in self.tables:
            seat = self._table(str(entry.event.get("to")), str(entry.event.get("zone", "")))
            self._touch("table", seat.name)

    def _on_device_paired(self, entry: Entry) -> None:
        self._table(entry.place or "").device = entry.event.get("device")
        self._touch("table", entry.place or "")

    def _on_device_revoked(self, entry: Entry) -> None:
        seat = self._table(entry.place or "")
        if seat.device == entry.event.get("device"):
            seat.device = None
        self._touch("table", seat.name)

    def _on_person(self, entry: Entry) -> None:
        self.people[str(entry.event.get("person"))] = str(entry.event.get("name"))

    def _on_case(self, entry: Entry) -> None:
        case = self.cases.get(str(entry.event.get("case")))
        if case is not None:
            name = self.people.get(entry.person or "", "")
            note = str(entry.event.get("note") or "")
            case.take_step(str(entry.event.get("step")), entry.received, entry.person, name, note)
            self._touch("case", case.id)
            self._touch("table", case.place)

    def _on_directive(self, entry: Entry) -> None:
        self._open_directives.setdefault(entry.place or "", set()).add(entry.position)
        data = entry.event.get("data") or {}
        case = self.cases.get(str(data.get("case")))
        if entry.event.get("directive") != "ruling" or case is None:
            return
        name = self.people.get(entry.person or "", "")
        case.ruling = {
            "verdict": data.get("verdict"), "by": name, "note": data.get("note") or "", "at": entry.received,
            "directive": entry.position, "state": "queued",
        }  # fmt: skip
        self._case_told[entry.position] = case.id
        case.take_step("resolve", entry.received, entry.person, name, str(data.get("note") or ""))
        self._touch("case", case.id)
        self._touch("table", case.place)

    def _on_directive_answered(self, entry: Entry) -> None:
        if entry.event.get("state") != "shown":
            self._open_directives.get(entry.place or "", set()).discard(int(entry.event.get("id", 0)))
        told = self._case_told.get(int(entry.event.get("id", 0)))
        case = self.cases.get(told) if told is not None else None
        if case is None or case.ruling is None or case.ruling.get("directive") != entry.event.get("id"):
            return
        state = step(DIRECTIVE_STATES, str(case.ruling.get("state")), str(entry.event.get("state")))
        if state is None:
            return
        case.ruling["state"] = state
        if state == "refused":  # the table cannot carry it out: the referee must know at once
            case.ruling["why"] = entry.event.get("why")
            case.take_step("reopen", entry.received, None, "", str(entry.event.get("why") or ""))
        self._touch("case", case.id)

    def _on_clock(self, entry: Entry) -> None:
        zone = str(entry.event.get("zone") or "")
        self.clocks.setdefault(zone, Clock(zone)).apply(entry.event, entry.received)
        self._touch("clock", zone)

    def keep_clocks(self, competition: str, number: int | None) -> None:
        """Of *competition*'s clocks only those of round *number* go on: a round that is over has none."""
        for clock in self.clocks.values():
            if clock.competition == competition and clock.round != number:
                clock.clear()
                self._touch("clock", clock.zone)

    def _on_hide(self, entry: Entry) -> None:
        self.hidden = bool(entry.event.get("hidden"))
        self._touch("notice", "")

    def _on_notice(self, entry: Entry) -> None:
        self.notice = str(entry.event.get("text") or "")
        self._touch("notice", "")

    def _on_alarm(self, entry: Entry) -> None:
        self.alarms.append({"at": entry.received, "place": entry.place, **entry.event})
        self._touch("notice", "")


def _named_alert(entry: Entry) -> dict[str, Any]:
    return {name: entry.event.get(name) for name in ("id", "kind", "seat", "rule", "route")} | {
        "certain": entry.event.get("certain", True)
    }


def _penalty(board: Board, case: Case) -> Any:
    return next((alert.penalty for alert in board.match.alerts if alert.id in case.alerts and alert.penalty), None)
