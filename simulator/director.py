"""From a match record to motions on the table: who does what, where and when.

The engine's own fold tells what each event means (where a trick ends, at which level, what a wild stands for); people's
hands do the rest. Every event has its own random numbers, so that a record filmed from its middle looks as it does when
it is filmed from its beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from engine.cards import SEATS, Card, parse_cards, side_of
from engine.corrections import effective_events
from engine.deal import Deal
from engine.events import Event
from engine.match import Match
from engine.readings import Reading, default_reading, readings
from simulator import gestures, layout
from simulator.gestures import Gesture, Pace
from simulator.layout import Pose
from simulator.motion import Change, Placed, Sweep, Timeline
from vision import mat

SHOWN: Final = frozenset({"play", "tribute", "return", "resist", "expose", "turn", "take_back"})
PRESSED: Final = {"pass": "pass", "report": "report", "sign": "confirm", "call": "call"}


@dataclass(frozen=True)
class Press:
    """A player's button: ``pass``, ``report``, ``confirm`` or ``call``; ``event`` its event's place in the record."""

    t: float
    seat: str
    button: str
    event: int


@dataclass(frozen=True)
class Directive:
    """An event that is said and not shown: a ruling, a correction, a pause."""

    t: float
    event: int
    what: Event


@dataclass(frozen=True)
class Shown:
    """Cards that were laid or taken: what really lay there and when. ``place`` of the event is ``event``."""

    event: int
    do: str
    seat: str
    cards: tuple[Card, ...]
    """Left to right as the player sees them."""
    touched: float
    released: float
    clear: float
    """From here the hand is out of sight."""
    reading: Reading | None = None


@dataclass
class Script:
    """All that happens, with its times."""

    timeline: Timeline
    starts: list[float]
    """When each event of the record begins; one more for the end."""
    presses: list[Press]
    directives: list[Directive]
    shown: list[Shown]
    alerts: list[tuple[float, int, Any]]
    """(t, event, alert): what the rules find wrong, at the time at which it lies on the table."""


@dataclass
class Director:
    """Works through a record, event by event."""

    seed: int
    pace: Pace = field(default_factory=Pace)
    decks: int = 1
    least_mm: float = 17.0
    """Distance of neighbouring cards at which the lower one's index shows."""

    def __post_init__(self) -> None:
        self._t = 1.0
        self._number = 0
        self._deal_number = 0
        self._used: dict[str, list[int]] = {}
        self._zones: dict[str, list[list[Placed]]] = {seat: [] for seat in SEATS}
        self._heaps: dict[str, list[Placed]] = {seat: [] for seat in SEATS}
        self._changes: list[Change] = []
        self._sweeps: list[Sweep] = []
        self._presses: list[Press] = []
        self._directives: list[Directive] = []
        self._shown: list[Shown] = []
        self._alerts: list[tuple[float, int, Any]] = []
        self._trick_over = False
        self._rng = Random(0)

    def film(self, events: Sequence[Event]) -> Script:
        """The whole record as one script.

        :raises GuandanError: at the first event that strict replay refuses.
        """
        match = Match()
        starts: list[float] = []
        # What a later correction says is what really lay there; what it strikes out never did.
        real = {event.seq: event for event in effective_events(events)}
        for place, event in enumerate(events):
            self._rng = Random(f"{self.seed}:{place}")
            was, before = match.deal, _tricks_over(match.deal)
            outcome = match.apply(event)
            deal = match.deal
            over = _tricks_over(deal) - before
            if over:
                # A trick that a play taken back opens again (over < 0) stays on the table.
                self._trick_over = over > 0
            if self._trick_over and event.do == "play" and _lies(deal, event.seq):
                self._turn_all_down()  # it opens the next trick
            if deal is not was and event.do not in ("correct", "cancel"):  # those fold the match anew
                self._clear()
            starts.append(self._t)
            shown = len(self._shown)
            if event.seq in real or event.do not in SHOWN:
                self._act(place, real.get(event.seq, event), match, event)
            when = self._shown[shown].released if len(self._shown) > shown else self._t
            self._alerts += [(when, place, alert) for alert in outcome.alerts]
            if self._trick_over and event.do in ("pass", "take_back") and deal is not None and not deal.over:
                self._turn_all_down()
        starts.append(self._t)
        timeline = Timeline(self._changes, self._sweeps, self._t + 2.0)
        return Script(timeline, starts, self._presses, self._directives, self._shown, self._alerts)

    # --- events ----------------------------------------------------------------------------------------------------

    def _act(self, place: int, event: Event, match: Match, told: Event) -> None:
        """Do what *event* says; *told* is how the record had it before corrections."""
        do, data = event.do, event.data
        if do == "play":
            self._play(place, event, match, event is told)
        elif do in ("tribute", "return"):
            self._hand_over(place, event)
        elif do == "resist":
            seats = list(data["seats"])
            for seat in seats:
                self._show(place, event, seat, parse_cards(["HR"] * (2 // len(seats))))
        elif do == "expose":
            self._show(place, event, data["seat"], parse_cards(data["cards"]))
        elif do == "turn":
            self._show(place, event, data["seat"], parse_cards([data["card"]]), at_centre=True)
        elif do == "take_back":
            self._take_back(place, data["seat"])
        elif do == "pass" and (data.get("by") or "pressed") == "pressed":
            self._t += self._rng.uniform(*self.pace.passing)
            self._presses.append(Press(self._t, data["seat"], "pass", place))
            self._t += 0.15
        elif do == "pass":
            if data["by"] != "implied":
                self._direct(place, event)
        elif do in ("report", "call"):
            self._t += self._rng.uniform(*self.pace.press)
            self._presses.append(Press(self._t, data["seat"], PRESSED[do], place))
            self._t += 0.15
        elif do == "sign":
            self._t += self._rng.uniform(*self.pace.press)
            seat = self._rng.choice([seat for seat in SEATS if side_of(seat) == data["side"]])
            self._presses.append(Press(self._t, seat, "confirm", place))
            self._t += 0.15
        elif do == "deal":
            self._t += self.pace.shuffle
            self._deal_number += 1
            self._used = {}
        elif do != "match":
            self._direct(place, event)

    def _direct(self, place: int, event: Event) -> None:
        self._t += self._rng.uniform(*self.pace.ruling)
        self._directives.append(Directive(self._t, place, event))
        self._t += 0.2

    def _play(self, place: int, event: Event, match: Match, as_told: bool) -> None:
        seat, cards = event.data["seat"], parse_cards(event.data["cards"])
        deal = match.deal
        tricks = [*deal.tricks[-1:], deal.trick] if deal is not None else []
        entry = next((each for trick in tricks for each in trick if each.seq == event.seq), None)
        reading = entry.reading if entry is not None and as_told else None
        if not as_told and deal is not None:
            meanings = readings(cards, deal.level, deal.ruleset)
            best = default_reading(meanings, deal.ruleset)
            reading = meanings[best] if best is not None else None
        order = layout.in_order(cards, reading, deal.level) if deal is not None else cards
        leads = not any(self._zones.values())
        self._t += self._rng.uniform(*(self.pace.lead if leads else self.pace.follow))
        gesture = self._lay(seat, order, tidy=self._rng.random() < 0.12)
        if self._rng.random() < 0.06:
            gesture = self._tidy_later(seat, gesture)
        self._record(place, event.do, seat, order, gesture, reading)

    def _tidy_later(self, seat: str, first: Gesture) -> Gesture:
        group = self._zones[seat][-1]
        again, moved = gestures.straighten(seat, group, first.end + self._rng.uniform(0.1, 0.5), self.pace, self._rng)
        self._zones[seat][-1] = moved
        self._do(again)
        return Gesture((), (), first.touched, again.released, again.end)

    def _record(
        self, place: int, do: str, seat: str, cards: Sequence[Card], gesture: Gesture, reading: Reading | None = None
    ) -> None:
        self._shown.append(
            Shown(place, do, seat, tuple(cards), gesture.touched, gesture.released, gesture.end, reading)
        )
        self._t = gesture.end + self.pace.still

    def _hand_over(self, place: int, event: Event) -> None:
        giver, taker = event.data["from"], event.data["to"]
        cards = parse_cards([event.data["card"]])
        self._t += self._rng.uniform(*self.pace.follow)
        gesture = self._lay(giver, cards)
        self._record(place, event.do, giver, cards, gesture)
        group = self._zones[giver].pop()
        taking = gestures.carry_off(taker, group, self._t, self.pace, self._rng)
        self._do(taking)
        self._put_back(cards)
        self._t = taking.end + 0.5

    def _show(self, place: int, event: Event, seat: str, cards: Sequence[Card], at_centre: bool = False) -> None:
        """Cards are shown and taken back."""
        self._t += self._rng.uniform(*self.pace.follow)
        gesture = self._lay(seat, cards, at_centre=at_centre)
        self._record(place, event.do, seat, cards, gesture)
        self._t += 0.8
        group = self._zones[seat].pop()
        taking = gestures.carry_off(seat, group, self._t, self.pace, self._rng)
        self._do(taking)
        self._put_back(cards)
        self._t = taking.end + 0.5

    def _take_back(self, place: int, seat: str) -> None:
        self._t += self._rng.uniform(*self.pace.press)
        if not self._zones[seat]:
            return
        group = self._zones[seat].pop()
        gesture = gestures.carry_off(seat, group, self._t, self.pace, self._rng)
        self._do(gesture)
        cards = [each.card for each in group]
        self._put_back(cards)
        self._record(place, "take_back", seat, cards, gesture)

    # --- hands and cards -------------------------------------------------------------------------------------------

    def _lay(self, seat: str, cards: Sequence[Card], tidy: bool = False, at_centre: bool = False) -> Gesture:
        poses = layout.lay(seat, len(cards), self._rng, len(self._zones[seat]), least_mm=self.least_mm)
        if at_centre:
            shift = (mat.SIZE_MM / 2 - poses[0].x, mat.SIZE_MM / 2 - poses[0].y)
            poses = [Pose(pose.x + shift[0], pose.y + shift[1], pose.angle) for pose in poses]
        placed = [self._physical(card, pose) for card, pose in zip(cards, poses, strict=True)]
        gesture = gestures.lay(seat, placed, self._t, self.pace, self._rng, tidy)
        self._do(gesture)
        lying = {each.number: each for change in gesture.changes for each in change.laid}
        self._zones[seat].append(list(lying.values()))
        return gesture

    def _physical(self, card: Card, pose: Pose) -> Placed:
        """One of the two copies of *card*: the one that is not on the table already."""
        first = Random(f"{self.seed}:{self._deal_number}:{card.name}").randrange(2)
        used = self._used.setdefault(card.name, [])
        copy = first if first not in used else 1 - first
        used.append(copy)
        self._number += 1
        return Placed(self._number, card, copy % self.decks, True, pose)

    def _put_back(self, cards: Sequence[Card]) -> None:
        """*cards* are in a hand again."""
        for card in cards:
            self._used[card.name].pop()

    def _do(self, gesture: Gesture) -> None:
        self._sweeps += gesture.sweeps
        self._changes += gesture.changes

    def _turn_all_down(self) -> None:
        """The trick is over: each player turns own cards down, nearly together."""
        self._trick_over = False
        busy = self._t
        for seat in self._rng.sample(SEATS, 4):
            cards = [card for group in self._zones[seat] for card in group]
            if not cards:
                continue
            gesture, lying = gestures.turn_down(seat, cards, self._t, self.pace, self._rng)
            self._do(gesture)
            self._heaps[seat] += lying
            self._zones[seat] = []
            busy = max(busy, gesture.end)
            self._t += self._rng.uniform(0.15, 0.5)
        self._t = busy + 0.5

    def _clear(self) -> None:
        """Between deals all cards leave the table."""
        self._trick_over = False
        busy = self._t
        for seat in SEATS:
            piles = (self._heaps[seat], [card for group in self._zones[seat] for card in group])
            begin = self._t + self._rng.uniform(0, 0.5)
            for cards in piles:
                if cards:
                    gesture = gestures.carry_off(seat, cards, begin, self.pace, self._rng)
                    self._do(gesture)
                    begin = gesture.end + 0.1
                    busy = max(busy, gesture.end)
            self._heaps[seat], self._zones[seat] = [], []
        self._t = busy + (0.5 if busy > self._t else 0.0)


def _tricks_over(deal: Deal | None) -> int:
    return len(deal.tricks) if deal is not None else 0


def _lies(deal: Deal | None, line: int) -> bool:
    """Whether the play of *line* belongs to the trick that is open now."""
    return deal is not None and any(entry.seq == line for entry in deal.trick)
