"""The fold: events in, the state of a match out. Facts are judged, never refused for breaking a rule.

Only what is malformed or impossible is refused, and then nothing has changed. Corrections and cancelled rulings fold
the match again from its first event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine import ENGINE_VERSION
from engine.alerts import RULES, Alert, Penalty
from engine.audit import VIOLATED, audit, summary
from engine.cards import RANKS, SIDES, Card, parse_cards, parse_level
from engine.clock import NO_LIMIT, Clock, limit_of
from engine.corrections import effective_events
from engine.deal import Deal
from engine.errors import GuandanError, Impossible, Unreadable
from engine.events import Event, check
from engine.findings import Finding
from engine.keys import OFFENCES
from engine.law import Law
from engine.levels import Race, other
from engine.record import DealRecord, report_of
from engine.result import Result, decide
from engine.rulesets import DEFAULT_PROFILE, Ruleset, from_dict, load
from engine.tribute import Given

PHASES: Final[dict[str, dict[str, str]]] = {
    "before": {"match": "between"},
    "between": {"deal": "deal", "scored": "between", "won": "over"},
    "deal": {"over": "between", "redeal": "deal", "stopped": "over", "won": "over"},
    "over": {"again": "between"},
}
"""A match's phases: what happens in each leads to which."""
_IN_PLAY: Final = frozenset(
    {"deal", "turn", "tribute", "return", "resist", "play", "pass", "report", "take_back", "finish", "expose", "redeal"}
)
_NEW_DUTY: Final = frozenset(
    {"deal", "tribute", "return", "resist", "play", "pass", "take_back", "ruling", "redeal", "finish"}
)


@dataclass(slots=True)
class Outcome:
    """What one event brought."""

    alerts: list[Alert] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What a correction or a cancelled ruling changed, in sentences."""


class Match:
    """A match, folded from its events; attributes are plain and cheap to read."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.ruleset: Ruleset = load("national")
        self.profile: str = DEFAULT_PROFILE
        self.names: dict[str, str] = {}
        self.phase = "before"
        self.race = Race(self.ruleset)
        self.deal: Deal | None = None
        self.deals: list[DealRecord] = []
        self.alerts: list[Alert] = []
        self.penalties: list[Penalty] = []
        self.games: list[str | None] = []
        """The winner of each finished game of the match; ``None`` for a draw."""
        self.clock = Clock()
        self.result: Result | None = None
        self.bell = False
        self.extra_deal = False
        """Whether the deal to come, or in play, decides an equal match."""
        self.signed: set[str] = set()
        self.turned: tuple[str, Card] | None = None
        self.sheet: list[tuple[int, str, Mapping[str, Any]]] = []
        """Everything that belongs on the match record beside deals: (line, kind, fields)."""
        self.moves: list[tuple[str, Any]] = []
        """What moved the levels, in order: ``deal``, ``shift``, ``game``."""
        self.lapsed: list[str] = []
        """Events that a correction has made impossible, in sentences."""
        self._by_id: dict[str, Alert] = {}
        self._was_stopped = False
        self._at = 0
        self._new: list[Alert] = []
        self._law = Law(self)
        self._start_levels: dict[str, str] | None = None
        self._game_started = 0
        """The number of deals before this game."""

    # --- what one can ask ---

    @property
    def levels(self) -> dict[str, str]:
        return self.race.levels

    @property
    def attempts(self) -> dict[str, int]:
        """Failed tries at A since arriving there."""
        return self.race.attempts

    @property
    def on_stage(self) -> str | None:
        """The side whose level is played: in a deal that deal's, between deals the next one's."""
        return self.deal.stage if self.deal is not None and self.phase == "deal" else self.race.on_stage

    @property
    def next(self) -> dict[str, str | None]:
        """What is due, and from whom: ``{"what": …, "seat": …}``."""
        if self.phase == "before":
            return {"what": "match", "seat": None}
        if self.phase == "over":
            return {"what": "end" if self.signed == set(SIDES) else "sign", "seat": None}
        if self.phase == "between" or self.deal is None:
            return {"what": "deal", "seat": None}
        if self.deal.owed:
            return {"what": self.deal.phase, "seat": self.deal.owed[0]["from"]}
        return {"what": "play", "seat": self.deal.turn}

    def report(self) -> dict[str, Any]:
        """What ``replay --json`` prints."""
        return report_of(self)

    # --- the fold ---

    def apply(self, event: Event) -> Outcome:
        """Take one fact.

        :raises Unreadable: when it is malformed; nothing has changed then.
        :raises Impossible: when it cannot be; nothing has changed then.
        """
        check(event)
        self._check_place(event)
        if event.do in ("correct", "cancel"):
            return self._fold_again(event)
        touched, at = event.t is not None and self.phase != "before", self._at
        try:
            outcome = self._take(event)
        except GuandanError as error:
            self._at = at
            if touched:  # time has gone on meanwhile, and may have rung the bell
                self._become(_folded(self.events))
            raise type(error)(f"line {event.seq}: {error}") from None
        self.events.append(event)
        return outcome

    def _check_place(self, event: Event) -> None:
        if self.events:
            last = self.events[-1].seq
            if event.seq <= last:
                raise Impossible(f"line {event.seq}: events are numbered upwards, the last was {last}")
        if (event.do == "match") == bool(self.events):
            what = "the match has begun already" if self.events else "a record begins with its match line"
            raise Impossible(f"line {event.seq}: {what}")
        if event.t is not None and event.t < self.clock.now:
            raise Impossible(f"line {event.seq}: t is {event.t}, but the time was {self.clock.now} already")

    def _take(self, event: Event) -> Outcome:
        self._at, self._new = event.seq, []
        handler = _HANDLERS[event.do]
        if event.t is not None:
            self._tick(event.t)
        if self.phase == "over" and event.do in _IN_PLAY:
            if not self.bell:
                raise Impossible("the match is over")
            return Outcome(self._new)  # cards still fall after the bell; they count no more
        handler(self, event.data)
        if event.do in _NEW_DUTY:
            self._after_play(event.do)
        return Outcome(self._new)

    def _after_play(self, do: str) -> None:
        deal = self.deal
        if deal is not None and deal.over and self.phase == "deal":
            self._close_deal(deal)
        if do != "ruling" and not any(alert.route == "both" for alert in self._new):
            self.clock.waiting = False  # play goes on
        self.clock.start(NO_LIMIT if self.phase != "deal" else limit_of(self.ruleset, self._duty()))

    def _duty(self) -> str:
        deal = self.deal
        if deal is None or self.phase != "deal":
            return ""
        if deal.phase == "play":
            return "play" if deal.trick or deal.tricks else "opening"
        return deal.phase

    # --- corrections ---

    def _fold_again(self, event: Event) -> Outcome:
        """Fold the match again with *event*, a correction or a cancelled ruling, among its events."""
        events = [*self.events, event]
        effective_events(events)  # refuses what cannot be corrected
        again = _folded(events)
        notes = again._differences(self)
        known = {alert.id for alert in self.alerts}
        self._become(again)
        return Outcome([alert for alert in self.alerts if alert.id not in known], notes)

    def _become(self, again: Match) -> None:
        self.__dict__.update(again.__dict__)
        self._law = Law(self)

    def _differences(self, before: Match) -> list[str]:
        """What stands otherwise than in *before*, in sentences."""
        found = []
        old, new = before.report(), self.report()
        for key in ("levels", "on_stage", "attempts_at_A", "result", "next"):
            if old[key] != new[key]:
                found.append(f"{key}: {old[key]} is now {new[key]}")
        for one, two in zip(old["deals"], new["deals"], strict=False):
            if one != two:
                found.append(f"deal {two['n']}: {one} is now {two}")
        if len(old["deals"]) != len(new["deals"]):
            found.append(f"deals: {len(old['deals'])} are now {len(new['deals'])}")
        for alert in old["alerts"]:
            if alert["id"] not in self._by_id:
                found.append(f"alert {alert['id']} ({alert['kind']}) is gone")
        for alert in new["alerts"]:
            if alert["id"] not in before._by_id:
                found.append(f"alert {alert['id']} ({alert['kind']}) is new")
        return found + self.lapsed

    # --- alerts ---

    def _raise(self, finding: Finding, of: str | None = None) -> Alert:
        ladder = self.ruleset.offence.get(of or finding.kind)
        route = self.ruleset.route.get(finding.kind, "referee")
        if route == "both" and not finding.certain:
            route = "referee"
        n = sum(1 for alert in self._new if alert.id.startswith(f"{self._at}.")) + 1
        deal = self.deal
        alert = Alert(
            f"{self._at}.{n}", finding.kind, finding.certain, finding.seat,
            (ladder.source if ladder and ladder.source else RULES[finding.kind]),
            finding.event or self._at, route, note=finding.note, of=of,
            deal=deal.n if deal else 0, trick=len(deal.tricks) if deal else 0,
            before_play=deal is not None and not any(deal.played.values()),
            acted=deal.acted[finding.seat] if deal and finding.seat else 0,
        )  # fmt: skip
        self.alerts.append(alert)
        self._by_id[alert.id] = alert
        self._new.append(alert)
        if route == "both":
            self.clock.waiting = self._was_stopped = True  # play stops until the referee has ruled
        if ladder is not None and ladder.automatic:
            self._law.uphold(alert)
        return alert

    def _raise_all(self, findings: list[Finding]) -> None:
        for finding in findings:
            self._raise(finding)

    # --- time ---

    def _tick(self, t: float) -> None:
        crossed = self.clock.advance(t)
        if crossed and self.deal is not None and self.phase == "deal":
            seat = self.next["seat"]
            duty = self._duty()
            note = f"{self.clock.elapsed:.0f} seconds"
            if duty in ("tribute", "return"):
                self._raise(Finding("tribute_overdue", seat, True, f"{duty}: {note}"))
            elif crossed == "foul":
                self._raise(Finding("turn_time", seat, True, note))
            else:
                alert = self._raise(Finding("turn_time", seat, True, f"warning: {note}"))
                alert.route = "count"
        if self.clock.match_left is not None and self.clock.match_left <= 0:
            self._ring()

    def _ring(self) -> None:
        """The match's time is over."""
        if self.bell or self.phase in ("before", "over"):
            return
        self.bell = True
        self._raise(Finding("match_limit", None, True, "the time of the match is over"))
        self.clock.waiting = False
        if self.phase == "deal":
            if self.ruleset.deal_at_limit == "stop" and not self.extra_deal:
                self.phase = PHASES["deal"]["over"]
                self.sheet.append((self._at, "stopped", {"deal": self.deal.n if self.deal else 0}))
                self._decide()
        elif not self.extra_deal:
            self._decide()

    def _decide(self) -> None:
        """At the limit: who has won, or is one more deal played."""
        winner, why = decide(self.ruleset, self.race)
        if why in ("extra_deal", "play_on"):
            self.extra_deal = True
        else:
            self._end_game(winner, why)

    # --- the end of a deal, a game, the match ---

    def _close_deal(self, deal: Deal) -> None:
        assert deal.order is not None
        stage = deal.stage
        step = self.race.finish(deal.order, stage)
        record = DealRecord(deal, stage, step, dict(self.race.levels), game=len(self.games))
        self.deals.append(record)
        self._law.log(("deal", record))
        self.phase = PHASES["deal"]["over"]
        self.signed = set()
        self._audit(record)
        self._look_for_winner(step.side, step.won)

    def _audit(self, record: DealRecord) -> None:
        record.verdicts = audit(record.deal)
        record.audit = summary(record.verdicts)
        for verdict in record.verdicts:
            if verdict.verdict == VIOLATED:
                self._audited(f"{verdict.what}_violated", verdict.seat, verdict.event)

    def _audited(self, kind: str, seat: str, event: int) -> None:
        """The audit has proved an offence: an earlier alert becomes certain, or one is raised."""
        for alert in self.alerts:
            if alert.kind == kind and alert.seat == seat and alert.event == event:
                alert.certain = True
                return
        self._raise(Finding(kind, seat, True, "proved by the cards seen in the deal", event))

    def _look_for_winner(self, side: str, won: str | None) -> None:
        ruleset = self.ruleset
        if won is not None:
            self._end_game(won, "passed_A" if ruleset.goal == "pass_A" else "reached_A")
        elif self.extra_deal:
            if ruleset.equal_at_limit == "play_on":
                if self.race.margin:
                    self._end_game("NS" if self.race.margin > 0 else "EW", "higher_level")
            else:
                self._end_game(side, "extra_deal")
        elif self.bell or 0 < ruleset.match_deals <= len(self.deals) - self._game_started:
            self._decide()

    def _end_game(self, winner: str | None, why: str) -> None:
        self.games.append(winner)
        self.extra_deal = False
        best_of = self.ruleset.best_of
        wins = {side: self.games.count(side) for side in SIDES}
        if best_of > 1 and max(wins.values()) <= best_of // 2 and len(self.games) < best_of:
            self._law.log(("game", winner))
            self._game_started = len(self.deals)
            self.race = Race(self.ruleset, dict(self._start_levels or {}))
            self.bell, self.turned = False, None
            self.clock.match_left = float(self.ruleset.match_seconds) if self.ruleset.match_seconds else None
            return
        if best_of > 1:
            winner = None if wins["NS"] == wins["EW"] else max(SIDES, key=lambda side: wins[side])
        self.end(winner, why)

    def end(self, winner: str | None, why: str) -> None:
        """The match is decided."""
        self.phase = "over"
        self.result = Result.of(self.ruleset, self.race, self.games, winner, why)

    # --- one handler a kind ---

    def _match(self, data: Mapping[str, Any]) -> None:
        profile = data.get("profile") or DEFAULT_PROFILE
        if data.get("resolved"):
            ruleset = from_dict(data["resolved"])
        else:
            ruleset = load(data["ruleset"], profile, data.get("options") or {})
        self.ruleset, self.profile = ruleset, profile
        self.names = dict(data.get("names") or {})
        levels = data.get("levels")
        self._start_levels = {side: parse_level(levels[side]) for side in SIDES} if levels else None
        self.race = Race(ruleset, dict(self._start_levels or {}))
        self.clock.match_left = float(ruleset.match_seconds) if ruleset.match_seconds else None
        self.phase = PHASES["before"]["match"]

    def _deal(self, data: Mapping[str, Any]) -> None:
        if self.phase == "deal" and self.deal is not None:
            raise Impossible(f"deal {self.deal.n} is not over yet")
        self._open_deal(data.get("leader"))

    def _open_deal(self, leader: str | None) -> None:
        last = self.deals[-1] if len(self.deals) > self._game_started else None
        stage = self.race.on_stage
        level = self.race.levels[stage] if stage else self._first_level()
        self.deal = Deal(
            level, self.ruleset, len(self.deals) + 1, stage, last.deal.order if last else None, leader,
            turned=self.turned,
        )  # fmt: skip
        self.turned = None
        self.phase = PHASES["between"]["deal"]

    def _first_level(self) -> str:
        """The level of a first deal: both sides' own, or of unequal ones (a match carried on) the higher."""
        return max(self.race.levels.values(), key=RANKS.index)

    def _playing(self) -> Deal:
        if self.phase != "deal" or self.deal is None:
            raise Impossible("no deal is open: a deal line comes first")
        return self.deal

    def _turn(self, data: Mapping[str, Any]) -> None:
        turned = (data["seat"], Card.parse(data["card"]))
        if self.phase == "deal" and self.deal is not None:
            self.deal.turned = turned
        else:
            self.turned = turned

    def _tribute(self, data: Mapping[str, Any]) -> None:
        given = Given(data["from"], data["to"], Card.parse(data["card"]), self._at)
        self._raise_all(self._playing().pay(given))

    def _return(self, data: Mapping[str, Any]) -> None:
        given = Given(data["from"], data["to"], Card.parse(data["card"]), self._at)
        self._raise_all(self._playing().give_back(given))

    def _resist(self, data: Mapping[str, Any]) -> None:
        self._raise_all(self._playing().resist(data["seats"], self._at))

    def _play(self, data: Mapping[str, Any]) -> None:
        deal = self._playing()
        if data.get("sure") is False:
            deal.unsure = True
        self._raise_all(deal.play(data["seat"], parse_cards(data["cards"]), data.get("as"), self._at))

    def _pass(self, data: Mapping[str, Any]) -> None:
        self._raise_all(self._playing().pass_(data["seat"], data.get("by") or "pressed", self._at))

    def _report(self, data: Mapping[str, Any]) -> None:
        self._raise_all(self._playing().report(data["seat"], data["count"]))

    def _finish(self, data: Mapping[str, Any]) -> None:
        if self.phase != "deal":
            self._open_deal(None)
        assert self.deal is not None
        self._raise_all(self.deal.score(data["order"]))

    def _expose(self, data: Mapping[str, Any]) -> None:
        seat, cards = data["seat"], parse_cards(data["cards"])
        if self.phase == "between" and self.deals:
            record = self.deals[-1]
            self._raise_all(record.deal.show_rest(seat, cards))
            self._audit(record)
        else:
            self._raise_all(self._playing().expose(seat, cards))

    def _take_back(self, data: Mapping[str, Any]) -> None:
        self._playing().take_back(data["seat"])

    def _offence(self, data: Mapping[str, Any]) -> None:
        kind, note = data["kind"], data.get("note") or ""
        known = kind in OFFENCES
        self._raise(Finding(kind if known else "conduct", data["seat"], True, note or kind), None if known else kind)

    def _call(self, data: Mapping[str, Any]) -> None:
        self._raise(Finding("call", data["seat"], True, "the referee was called"))

    def _ruling(self, data: Mapping[str, Any]) -> None:
        alert = self._by_id.get(data["alert"])
        if alert is None:
            raise Impossible(f"there is no alert {data['alert']}")
        self._law.rule(alert, data)
        self.sheet.append((self._at, "ruling", data))
        self.clock.waiting = any(each.state == "open" and each.route == "both" for each in self.alerts[-4:])
        deal = self.deal
        if deal is not None and alert.deal == deal.n and not deal.over and self.phase == "deal":
            if alert.state == "waived" and alert.kind in ("out_of_turn", "not_a_combination", "does_not_beat"):
                deal.let_stand(alert.event)
            elif "cards_stay" in alert.penalty:
                deal.ruled(alert.event)

    def _pause(self, data: Mapping[str, Any]) -> None:
        if self.clock.paused:
            raise Impossible("the match is paused already")
        self.clock.paused = self._was_stopped = True
        self.sheet.append((self._at, "pause", data))

    def _resume(self, data: Mapping[str, Any]) -> None:
        if not self._was_stopped:
            raise Impossible("the match was never paused")
        self.clock.paused = self.clock.waiting = False

    def _extra(self, data: Mapping[str, Any]) -> None:
        if self.clock.match_left is not None:
            self.clock.match_left += data["seconds"]
            if self.clock.match_left > 0 and self.phase != "over":
                self.bell = False
        self.sheet.append((self._at, "extra", data))

    def _time(self, data: Mapping[str, Any]) -> None:
        self.clock.match_left = float(data["left"])
        if self.clock.match_left <= 0:
            self._ring()

    def _redeal(self, data: Mapping[str, Any]) -> None:
        deal = self._playing()
        self.deal = Deal(
            deal.level, self.ruleset, deal.n, deal.stage, deal.previous, None if deal.previous else deal.leader,
            turned=deal.turned,
        )  # fmt: skip
        self.sheet.append((self._at, "redeal", data))

    def _deck(self, data: Mapping[str, Any]) -> None:
        self.sheet.append((self._at, "deck", data))

    def _substitute(self, data: Mapping[str, Any]) -> None:
        if not self.ruleset.substitutes:
            self._raise(Finding("conduct", data["seat"], True, "no change of players during a match"), "leaving")
        self.names[data["seat"]] = data["name"]
        self.sheet.append((self._at, "substitute", data))

    def _forfeit(self, data: Mapping[str, Any]) -> None:
        self._give_up(data, "forfeit")

    def _withdraw(self, data: Mapping[str, Any]) -> None:
        self._give_up(data, "withdrawal")

    def _give_up(self, data: Mapping[str, Any], why: str) -> None:
        if self.phase == "over":
            raise Impossible("the match is over")
        self.end(other(data["side"]), why)
        self.sheet.append((self._at, why, data))

    def _sign(self, data: Mapping[str, Any]) -> None:
        if not self.deals and self.result is None:
            raise Impossible("there is nothing to sign yet")
        self.signed.add(data["side"])


_HANDLERS: Final[dict[str, Callable[[Match, Mapping[str, Any]], None]]] = {
    "match": Match._match, "deal": Match._deal, "turn": Match._turn, "tribute": Match._tribute,
    "return": Match._return, "resist": Match._resist, "play": Match._play, "pass": Match._pass,
    "report": Match._report, "finish": Match._finish, "expose": Match._expose, "take_back": Match._take_back,
    "offence": Match._offence, "call": Match._call, "ruling": Match._ruling, "pause": Match._pause,
    "resume": Match._resume, "extra": Match._extra, "time": Match._time, "redeal": Match._redeal,
    "deck": Match._deck, "substitute": Match._substitute, "forfeit": Match._forfeit, "withdraw": Match._withdraw,
    "sign": Match._sign,
}  # fmt: skip


def _folded(events: list[Event]) -> Match:
    """A match folded from *events* with every correction in force; what a correction made impossible lapses."""
    match = Match()
    for event in effective_events(events):
        if event.do in ("correct", "cancel"):
            if event.t is not None:
                match._at, match._new = event.seq, []
                match._tick(event.t)
            continue
        try:
            match._take(event)
        except (Impossible, Unreadable) as error:
            match.lapsed.append(f"line {event.seq} ({event.do}) no longer applies: {error}")
    match.events = list(events)
    return match


def match_event(
    ruleset: str, profile: str = DEFAULT_PROFILE, names: Mapping[str, str] | None = None, *,
    options: Mapping[str, Any] | None = None, seq: int = 1, t: float | None = None,
) -> Event:  # fmt: skip
    """The first event of a match, with the resolved ruleset and the engine's version in it."""
    data: dict[str, Any] = {"ruleset": ruleset, "profile": profile}
    if names:
        data["names"] = dict(names)
    if options:
        data["options"] = dict(options)
    data["engine"] = ENGINE_VERSION
    data["resolved"] = load(ruleset, profile, options or {}).to_dict()
    return Event(seq, "match", data, t)
