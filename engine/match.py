"""The fold: events in, the state of a match out. Facts are judged, never refused for breaking a rule.

Only what is malformed or impossible is refused, and then nothing has changed. Corrections and cancelled rulings fold
the match again from its first event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine import ENGINE_VERSION, ending, phases
from engine.alerts import Alert, Article, Penalty
from engine.audit import VIOLATED, summary
from engine.audit import audit as audit_of
from engine.cards import RANKS, SIDES, Card, parse_level
from engine.clock import NO_LIMIT, Clock
from engine.corrections import Change, differences, effective_events
from engine.deal import Deal
from engine.errors import GuandanError, Impossible, Sentence, Unreadable
from engine.events import Event, check
from engine.facts import HANDLERS
from engine.findings import Finding
from engine.law import Law
from engine.levels import Race
from engine.record import DealRecord, report_of
from engine.result import Result
from engine.rulesets import DEFAULT_PROFILE, Ruleset, load
from engine.timing import start_duty, tick

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
    changes: list[Change] = field(default_factory=list)
    """What a correction or a cancelled ruling changed."""


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
        self.margins: list[int] = []
        """Levels that NS was ahead at the end of each finished game."""
        self.clock = Clock()
        self.result: Result | None = None
        self.bell = False
        self.extra_deal = False
        """Whether the deal to come, or in play, decides an equal match."""
        self.signed: set[str] = set()
        self.reminded: set[float] = set()
        """Seconds left of which everybody has been reminded."""
        self.turned: tuple[str, Card] | None = None
        self.sheet: list[tuple[int, str, Mapping[str, Any]]] = []
        """Everything that belongs on the match record beside deals: (line, kind, fields)."""
        self.moves: list[tuple[str, Any]] = []
        """What moved the levels, in order: ``deal``, ``shift``, ``game``."""
        self.lapsed: dict[int, Sentence] = {}
        """Events that a correction has made impossible: line and reason."""
        self.by_id: dict[str, Alert] = {}
        self.was_stopped = False
        self.at = 0
        self._new: list[Alert] = []
        self.law = Law(self)
        self.start: dict[str, dict[str, Any]] = {}
        """Levels and tries of a match that another table began: the first game goes on from them."""
        self.game_started = 0
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

    def report(self, language: str = "en") -> dict[str, Any]:
        """What ``replay --json`` prints; its sentences in ``zh`` or ``en``."""
        return report_of(self, language)

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
        touched, at = event.t is not None and self.phase != "before", self.at
        try:
            outcome = self._take(event)
        except GuandanError as error:
            self.at = at
            if touched:  # time has gone on meanwhile, and may have rung the bell
                self._become(_folded(self.events))
            raise type(error)("line", line=event.seq, error=error.sentence) from None
        self.events.append(event)
        return outcome

    def note(self, do: str, /, *, t: float | None = None, **data: Any) -> Outcome:
        """Apply the fact *do* as the next event: ``match.note("play", seat="N", cards=["S3"])``."""
        seq = self.events[-1].seq + 1 if self.events else 1
        return self.apply(Event(seq, do, data, t))

    @property
    def last_deal_ended(self) -> bool:
        """Whether the deal that was opened last is over and scored: what is shown now was left in its hands."""
        return self.phase != "deal" and bool(self.deals) and self.deal is self.deals[-1].deal

    def finish_deal(self, order: Sequence[str]) -> Outcome:
        """Score a deal by the *order* in which the four seats finished, its plays seen or not."""
        return self.note("finish", order=list(order))

    def _check_place(self, event: Event) -> None:
        if self.events:
            last = self.events[-1].seq
            if event.seq <= last:
                raise _refused(event, "numbered_upwards", last=last)
        if (event.do == "match") == bool(self.events):
            raise _refused(event, "begun_already" if self.events else "match_line_first")
        if event.t is not None and event.t < self.clock.now:
            raise _refused(event, "time_falls", t=event.t, now=self.clock.now)

    def _take(self, event: Event) -> Outcome:
        self.at, self._new = event.seq, []
        handler = HANDLERS[event.do]
        if event.do == "finish" and self.phase == "between":
            self.open_deal(None)  # a deal scored without its plays was in progress until now
        was_over = self.phase == "over"
        if event.do == "finish":
            self.clock.limit = NO_LIMIT  # its plays were not seen: nobody is known to have taken too long
        if event.t is not None:
            settled = event.data.get("settled") if self.ruleset.turn_ends == "settled" else None
            tick(self, max(event.t, settled) if isinstance(settled, (int, float)) else event.t)
        if self.phase == "over" and event.do in _IN_PLAY and not (event.do == "expose" and self.last_deal_ended):
            if not self.bell or (was_over and event.do in ("deal", "redeal")):
                raise Impossible("match_over")
            return Outcome(self._new)  # cards still fall after the bell; they count no more
        handler(self, event.data)
        if event.do in _NEW_DUTY:
            self._after_play(event)
        return Outcome(self._new)

    def _after_play(self, event: Event) -> None:
        deal = self.deal
        if deal is not None and deal.over and self.phase == "deal":
            self._close_deal(deal)
        if event.do != "ruling" and not any(alert.route == "both" for alert in self._new):
            self.clock.waiting = False  # play goes on
        start_duty(self, event)

    # --- corrections ---

    def _fold_again(self, event: Event) -> Outcome:
        """Fold the match again with *event*, a correction or a cancelled ruling, among its events."""
        events = [*self.events, event]
        effective_events(events)  # refuses what cannot be corrected
        try:
            again = _folded(events)
        except GuandanError as error:  # other rules, and none that could be played by
            raise _refused(event, "corrected_so", error=error.sentence) from None
        changes = differences(self.report(), again.report(), again.lapsed)
        known = {alert.id for alert in self.alerts}
        self._become(again)
        return Outcome([alert for alert in self.alerts if alert.id not in known], changes)

    def _become(self, again: Match) -> None:
        self.__dict__.update(again.__dict__)
        self.law = Law(self)

    # --- alerts ---

    def raise_alert(self, finding: Finding, route: str = "") -> Alert:
        """Make an alert of what was found; automatic consequences follow at once. *route* goes before the ruleset's."""
        ladder = self.law.ladder_of(finding.of or finding.kind)
        route = route or self.ruleset.route.get(finding.kind, "referee")
        if route == "both" and (not finding.certain or finding.of):
            route = "referee"  # a suspicion, or mere conduct, stops no play
        n = sum(1 for alert in self._new if alert.id.startswith(f"{self.at}.")) + 1
        deal = self.deal
        alert = Alert(
            f"{self.at}.{n}", finding.kind, finding.certain, finding.seat,
            Article.of(finding.of or finding.kind, ladder, (self.ruleset.name_zh, self.ruleset.name_en)),
            finding.event or self.at, route, note=finding.note, of=finding.of,
            deal=deal.n if deal else 0, trick=len(deal.tricks) if deal else 0,
            before_play=deal is not None and not any(deal.played.values()),
            acted=deal.acted[finding.seat] if deal and finding.seat else 0,
        )  # fmt: skip
        self.alerts.append(alert)
        self.by_id[alert.id] = alert
        self._new.append(alert)
        if route == "both" and not (ladder is not None and ladder.automatic):
            self.clock.waiting = self.was_stopped = True  # play stops until the referee has ruled
        if ladder is not None and ladder.automatic:
            self.law.uphold(alert)
        return alert

    def raise_alerts(self, findings: list[Finding]) -> None:
        """Make alerts of all that was found."""
        for finding in findings:
            self.raise_alert(finding)

    # --- the end of a deal ---

    def _close_deal(self, deal: Deal) -> None:
        assert deal.order is not None
        stage = deal.stage
        step = self.race.finish(deal.order, stage)
        record = DealRecord(deal, stage, step, dict(self.race.levels), game=len(self.games))
        self.deals.append(record)
        self.law.log(("deal", record))
        self.phase = phases.MATCH["deal"]["ended"]
        self.signed = set()
        self.audit(record)
        ending.look_for_winner(self, step.side, step.won)

    def audit(self, record: DealRecord) -> None:
        """Audit a deal that is over by what is known now; what is proved becomes an alert."""
        record.verdicts = audit_of(record.deal)
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
        self.raise_alert(Finding(kind, seat, True, Sentence("note_proved"), event))

    # --- what the facts need ---

    def open_deal(self, leader: str | None) -> None:
        """A deal begins, at the level of the side on stage."""
        last = self.deals[-1] if len(self.deals) > self.game_started else None
        stage = self.race.on_stage
        level = self.race.levels[stage] if stage else self._first_level()
        self.deal = Deal(
            level, self.ruleset, len(self.deals) + 1, stage, last.deal.order if last else None, leader,
            turned=self.turned,
        )  # fmt: skip
        self.turned = None
        self.phase = phases.MATCH["between"]["deal"]

    def fresh_race(self) -> Race:
        """The levels at the beginning of this game."""
        begun = {} if self.games else self.start
        levels = {side: parse_level(level) for side, level in begun.get("levels", {}).items()}
        race = Race(self.ruleset, levels)
        race.attempts.update(begun.get("attempts_at_A", {}))
        return race

    def _first_level(self) -> str:
        """The level of a first deal: both sides' own, or of unequal ones (a match carried on) the higher."""
        return max(self.race.levels.values(), key=RANKS.index)

    def playing(self) -> Deal:
        """The deal in play.

        :raises Impossible: when none is open.
        """
        if self.phase != "deal" or self.deal is None:
            raise Impossible("no_deal")
        return self.deal


def _refused(event: Event, key: str, /, **values: Any) -> Impossible:
    return Impossible("line", line=event.seq, error=Sentence(key, **values))


def _folded(events: list[Event]) -> Match:
    """A match folded from *events* with every correction in force; what a correction made impossible lapses.

    :raises GuandanError: when the match line itself is what a correction made impossible.
    """
    match = Match()
    for event in effective_events(events):
        if event.do in ("correct", "cancel"):
            if event.t is not None:
                match.at, match._new = event.seq, []
                tick(match, event.t)
            continue
        try:
            match._take(event)
        except (Impossible, Unreadable) as error:
            if event.do == "match":
                raise type(error)("line", line=event.seq, error=error.sentence) from None
            match.lapsed[event.seq] = Sentence("lapsed", do=Sentence(f"do_{event.do}"), error=error.sentence)
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
