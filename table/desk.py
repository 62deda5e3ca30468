"""The table's state: the fold of its events, and the little that is no event (what lies where, what is asked)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.cards import DECK, SEATS, SIDES, Card, parse_cards
from engine.errors import GuandanError
from engine.events import Event
from engine.match import Match
from table.effects import Alert, Append, Effect, Light, Send, Sound
from table.glass import Glass
from table.judgement import Judged
from table.view import Ask, Cards, Clock, VenueView

UNSURE_BEFORE_OFFER = 3
"""Plays that could not be read surely in one deal before score-only is offered."""
ALWAYS = frozenset({"call", "match_limit", "turn_time", "tribute_overdue", "camera_covered", "looked_back", "conduct"})
"""Alerts that no card has a part in: an unsure play does not hold them back."""


COUNTED = frozenset({"third_copy", "too_many_cards", "count_mismatch", "report_missed", "tribute_violated",
                     "return_violated", "resist_violated"})  # fmt: skip
"""Alerts that rest on all the cards of a deal: any open question holds them back."""


@dataclass
class Lay:
    """A play as it lies in a seat's zone: the event that says so and its cards."""

    seq: int
    cards: Cards
    t: float
    first: Cards = ()
    """As the eye read it, whatever it was put right to."""

    def __post_init__(self) -> None:
        self.first = self.first or self.cards


@dataclass
class Desk:
    """State of one table for one match; every change that matters is an event through :meth:`append`."""

    ruleset: str = "national"
    profile: str = "friendly"
    names: dict[str, str] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    match: Match = field(default_factory=Match)
    seq: int = 0
    origin: float = 0.0
    """When the match began, on the table's clock; an event's ``t`` counts from here."""
    last: float = 0.0
    """The ``t`` of the last event: it never falls."""
    effects: list[Effect] = field(default_factory=list)
    lays: dict[str, list[Lay]] = field(default_factory=lambda: {seat: [] for seat in SEATS})
    last_trick: dict[str, list[Card]] = field(default_factory=dict)
    """What lay there when the last trick ended: it may not have been turned down yet."""
    restarted_at: float | None = None
    """After a restart, until the first new play: cards of the last trick may still lie there."""
    looked_at: set[str] = field(default_factory=set)
    """Seats whose zone has been read since the restart."""
    expected: dict[str, list[Card]] = field(default_factory=dict)
    """After a restart: cards that lay there before, and are no new play."""
    lifted: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Seats whose cards left though nothing said that the trick was over: when, and when the hand had come for them."""
    touched: dict[str, float] = field(default_factory=dict)
    """When a hand last came to each seat's cards."""
    read_at: dict[str, float] = field(default_factory=dict)
    """When the eye last told what lies before each seat."""
    waiting: list[tuple[Any, Mapping[str, Any]]] = field(default_factory=list)
    """Plays that were read before one that was laid earlier."""
    early: dict[str, float] = field(default_factory=dict)
    """Seats that pressed pass when it was not their turn for all that the table knew, and when."""
    presses: set[int] = field(default_factory=set)
    """Events of passes that were pressed, or followed from what was seen."""
    reported: dict[str, float] = field(default_factory=dict)
    """Seats that reported while their cards left too many for it, and when."""
    blurred: bool = False
    """Whether the camera did not see all of this trick."""
    astray: bool = False
    """Whether the table has lost track of this deal's order: a play was not seen."""
    asks: dict[int, Ask] = field(default_factory=dict)
    held: list[Any] = field(default_factory=list)
    """Alerts of the fold that wait for an unsure play."""
    unread: str | None = None
    """A seat before which a face lies that nobody can read: until it is spread or the trick is over, what seems wrong
    may come of it."""
    raised: set[str] = field(default_factory=set)
    unsure: int = 0
    offer_dismissed: bool = False
    score_only: bool = False
    notice: str | None = None
    notice_seat: str | None = None
    out_question: str | None = None
    pending_tribute: dict[str, Judged] = field(default_factory=dict)
    turn_clock: Clock = field(default_factory=Clock)
    turn_began: float = -1e9
    """When the turn came to whoever has it, on the table's clock."""
    covered_since: float | None = None
    covered_told: bool = False
    overlay: str | None = None
    picked: list[str] = field(default_factory=list)
    ended_at: float = 0.0
    """When the last deal ended, on the table's clock."""
    ended: int = 0
    """Deals whose end has been noticed."""
    paused: bool = False
    hall_stopped: bool = False
    """The hall stands: it goes on when the hall does, not by a tap here."""
    four_colours: bool = False
    told_seconds: int = 0
    """The last turn-clock threshold that was acted on in this turn."""
    venue: VenueView = field(default_factory=VenueView)
    seating: dict[str, Any] = field(default_factory=dict)
    """The venue's word for who plays here next: ``match``, its name, and ``record``, the line that begins it."""
    glass: Glass = field(default_factory=Glass)
    match_name: str | None = None
    """The venue's name of the match that is on, where it seated it."""

    # -- events ---------------------------------------------------------------------------------------------------

    def append(self, t: float, do: str, data: Mapping[str, Any], evidence: Mapping[str, Any] | None = None) -> int:
        """Fold an event in, have it journaled, and let its alerts go where they go; its seq.

        :raises GuandanError: when the fold finds it impossible; nothing has changed then.
        """
        if do == "match":
            self.origin, self.last, self.seq = t, 0.0, 0
        at = max(self.last, round(t - self.origin, 3))
        event = Event(self.seq + 1, do, dict(data), at)
        self.effects.append(Append(event, t, dict(evidence or {})))
        try:
            self.fold(event)
        except GuandanError:
            self.effects.pop()
            raise
        return event.seq

    def fold(self, event: Event) -> None:
        """Fold an event in, new or from the journal."""
        deal = self.match.deal
        trick = deal.trick if deal is not None else None
        outcome = self.match.apply(event)
        self.seq, self.last = event.seq, max(self.last, event.t or 0.0)
        now = self.match.deal.trick if self.match.deal is not None else None
        if event.do == "pass" and event.data.get("by") != "referee":
            self.presses.add(event.seq)
        if event.do == "take_back" and self.notice == "look":
            self.notice = None  # what was asked about is back in the hand
        # A play taken back may open its trick again: what lies there lies there still.
        if event.do not in ("correct", "cancel", "take_back") and trick is not now:
            self.end_trick()
        self.route(outcome.alerts)

    def attempt(self, t: float, do: str, data: Mapping[str, Any], evidence: Mapping[str, Any] | None = None) -> int:
        """As :meth:`append`, but what is impossible is let go; 0 then."""
        try:
            return self.append(t, do, data, evidence)
        except GuandanError:
            return 0

    def end_trick(self) -> None:
        """The trick is over: its cards are no plays any more, open questions go to the margin."""
        for seat in SEATS:
            self.last_trick[seat] = [card for lay in self.lays[seat] for card in lay.cards]
            self.lays[seat] = []
        self.lifted.clear()
        self.expected.clear()
        self.blurred = False
        if self.unread is not None:
            # Nobody is accused of anything in a trick in which cards stayed unread.
            self.held, self.unread = [], None
        for number, ask in list(self.asks.items()):
            self.asks[number] = Ask(ask.id, ask.seat, ask.options, margin=True)
        if self.notice == "spread":
            self.notice = self.notice_seat = None

    # -- alerts ---------------------------------------------------------------------------------------------------

    @property
    def friendly(self) -> bool:
        return self.profile == "friendly"

    def route(self, alerts: Iterable[Any]) -> None:
        """Send each alert where it goes; those that rest on a play that is unsure, or is being put right, wait."""
        settling = self.origin + self.last < self.glass.settling
        for alert in alerts:
            if settling and alert.kind not in ALWAYS:
                self.held.append(alert)
                continue
            doubts = (
                not ask.margin or ask.id == alert.event or alert.kind in COUNTED for ask in self.asks.values()
            )  # fmt: skip
            if alert.event in self.presses and alert.kind != "report_missed":
                continue  # a press that was in turn when it came; what was read since makes it no offence
            if alert.kind in COUNTED and self.match.deal is not None and not self.match.deal.counted:
                continue  # something of this deal was not seen: nothing can be counted
            if alert.kind not in ALWAYS and (any(doubts) or self.unread is not None):
                self.held.append(alert)
            else:
                self.raise_alert(alert)

    def release(self) -> None:
        """A question was answered: let go the alerts that still stand."""
        held, self.held = self.held, []
        standing = {alert.id: alert for alert in self.match.alerts if alert.state == "open"}
        self.route(standing[alert.id] for alert in held if alert.id in standing)

    def raise_alert(self, alert: Any) -> None:
        if alert.id in self.raised:
            return
        self.raised.add(alert.id)
        if self.training and alert.kind != "call":
            return  # whoever learns is told what a play was, and judged by nobody
        if self.friendly and alert.kind != "call":
            # Among friends nothing travels and nobody is accused: one friendly look, gone with the next play.
            if alert.certain and alert.kind in ("does_not_beat", "not_a_combination"):
                self.notice, self.notice_seat = "look", None
            # It stays here; only a demo's line passes it on.
            self.effects.append(Send("alert", {**_told(alert), "rule": self.rule_of(alert)}))
            return
        if alert.route == "count":
            if alert.kind == "turn_time" and alert.seat:
                self.effects.append(Light(alert.seat, "warning"))
            return
        self.effects.append(
            Alert(alert.id, alert.kind, alert.seat, bool(alert.certain), alert.route, self.rule_of(alert))
        )
        if alert.route == "both" and alert.kind != "match_limit":  # the bell has told of that one
            self.effects.append(Sound("call" if alert.kind == "call" else "notice"))

    def rule_of(self, alert: Any) -> str:
        """The rule that *alert* is about, in the table's language."""
        return str(alert.article.in_language(self.glass.settings.language))

    @property
    def training(self) -> bool:
        """Whether this table teaches: never where results count."""
        return self.friendly and self.glass.settings.training

    @property
    def waits_for_hall(self) -> bool:
        """Whether only the hall can end the pause; a table that it cannot reach may end it itself."""
        return self.paused and self.hall_stopped and self.venue.hears

    def standing_alerts(self) -> list[Any]:
        """Raised alerts that wait for a ruling."""
        return [alert for alert in self.match.alerts if alert.state == "open" and alert.id in self.raised]

    @property
    def result_due(self) -> bool:
        """Whether a deal that is over still waits for the sides to confirm it."""
        match = self.match
        return match.phase in ("between", "over") and bool(match.deals) and match.signed != set(SIDES)

    # -- what is known --------------------------------------------------------------------------------------------

    def unseen(self) -> dict[Card, int]:
        """How many copies of each card no play of this deal has shown."""
        left = dict.fromkeys(DECK, 2)
        deal = self.match.deal
        if deal is not None:
            for cards in deal.played.values():
                for card in cards:
                    left[card] -= 1
            # What is only supposed to lie there takes no card away from others.
            for ask in self.asks.values():
                for card in ask.options[0]:
                    left[card] += 1
        return left


def _told(alert: Any) -> dict[str, Any]:
    return {name: getattr(alert, name) for name in ("id", "kind", "certain", "seat", "route")}


def cards_of(names: Sequence[str]) -> Cards:
    return tuple(parse_cards(names))
