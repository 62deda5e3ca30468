"""Stand-ins for the people of a virtual table: the players' fingers, and the referee with the console.

They know the truth record. Players press what the record says and answer the table's questions as honest players would;
the referee rules on every alert as the record does, and waives those that the record knows nothing of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.cards import Card
from simulator.world import World
from table.desk import Desk
from table.effects import Alert, Append, Effect
from table.inputs import Directed, Input, Pressed, Tapped

ANSWER_AFTER = 1.0
"""Seconds after which somebody answers a question of the table's."""
SILENT = frozenset({"count"})
"""Routes of alerts that nobody hears of."""


@dataclass
class StandIns:
    """The people round *world*."""

    world: World
    answer_after: float = ANSWER_AFTER
    alerted: int = 0
    false: int = 0
    _open: list[Alert] = field(default_factory=list)
    _ruled: set[int] = field(default_factory=set)
    """Places in the world's alerts that one of the table's alerts was matched with."""
    _said: list[tuple[float, int, str]] = field(default_factory=list)
    """Rulings of the record that still look for their alert: (t, place, verdict)."""
    _now: float = 0.0
    _led: bool = False
    _counted: int = -1
    _loud: list[tuple[float, int, Any]] = field(default_factory=list)
    _asked: list[tuple[float, int]] = field(default_factory=list)

    def told(self, effects: Iterable[Effect], now: float) -> None:
        """What the table did: its questions and its alerts are noticed."""
        for effect in effects:
            if isinstance(effect, Append) and effect.evidence.get("sure") is False:
                self._asked.append((now + self.answer_after, effect.event.seq))
            elif isinstance(effect, Alert) and effect.route not in SILENT:
                self._open.append(effect)

    def recall(self, start: int) -> None:
        """The record goes on at event *start*: what the referee said before stands."""
        for event in self.world.record[:start]:
            if event.do == "ruling":
                self._said.append((0.0, self._place_of(event.data["alert"]), event.data["verdict"]))

    def ask_again(self, desk: Desk, now: float) -> None:
        """Questions that stood before a restart still stand."""
        self._asked = [(now + self.answer_after, number) for number in desk.asks]

    def act(self, desk: Desk, start: float, end: float) -> list[Input]:
        """What people do from *start* on and before *end*."""
        self._now = end
        done: list[Input] = []
        for press in self.world.presses(start, end):
            done.append(Pressed(press.t, press.seat, press.button))
        for directive in self.world.directives(start, end):
            if directive.what.do == "ruling":
                self._said.append(
                    (directive.t, self._place_of(directive.what.data["alert"]), directive.what.data["verdict"])
                )
            else:
                done.append(Directed(directive.t, directive.what.do, dict(directive.what.data)))
        leader = self.world.record[1].data.get("leader") if len(self.world.record) > 1 else None
        if leader and not self._led and self.world.start_at(1) < end:
            # Whoever drew the turned card leads: one tap, which means nothing once the deal has begun.
            self._led = True
            done.append(Tapped(end, "seat", leader))
        done += self._rule(end)
        done += self._answer(desk, end)
        return done

    # -- the referee ----------------------------------------------------------------------------------------------

    def _truth(self) -> Sequence[tuple[float, int, Any]]:
        # The world may have grown since: its alerts only get more.
        alerts = self.world.script.alerts
        if len(alerts) != self._counted:
            self._counted = len(alerts)
            # Cards can be judged once they lie, while the hand comes again to straighten them: from the first touch on.
            touched = {shown.event: shown.touched for shown in reversed(self.world.truth)}
            self._loud = [
                (min(t, touched.get(event, t)), event, alert) for t, event, alert in alerts if alert.route not in SILENT
            ]
        return self._loud

    def _place_of(self, alert_id: str) -> int:
        return next((place for place, (_, _, alert) in enumerate(self._truth()) if alert.id == alert_id), -1)

    def _rule(self, now: float) -> list[Input]:
        """Rulings on what the table has raised, once the record's referee has spoken."""
        done: list[Input] = []
        for alert in list(self._open):
            place = next(
                (
                    place
                    for place, (t, _, true) in enumerate(self._truth())
                    if place not in self._ruled
                    and t <= now + 0.5
                    and (true.kind, true.seat) == (alert.kind, alert.seat)
                ),
                None,
            )
            if place is None and alert.kind == "call":
                continue  # a visitor's call: the visitor says when all is well
            if place is None:
                self.false += 1
                self._open.remove(alert)
                if alert.kind != "camera_covered":
                    done.append(Directed(now, "ruling", {"alert": alert.id, "verdict": "waive"}))
                continue
            verdict = next((verdict for _, said, verdict in self._said if said == place), None)
            if verdict is not None:
                self._ruled.add(place)
                self.alerted += 1
                self._open.remove(alert)
                done.append(Directed(now, "ruling", {"alert": alert.id, "verdict": verdict}))
        return done

    # -- the players ----------------------------------------------------------------------------------------------

    def _answer(self, desk: Desk, now: float) -> list[Input]:
        """Answers to the table's questions: a tap on the right candidate, or the referee puts it right."""
        done: list[Input] = []
        for due, number in list(self._asked):
            if now < due:
                continue
            self._asked.remove((due, number))
            ask = desk.asks.get(number)
            if ask is None:
                continue
            truth = self._really(desk, number, ask.seat)
            if truth is None:
                continue
            choice = next(
                (place for place, option in enumerate(ask.options) if Counter(option) == Counter(truth)), None
            )
            names = [card.name for card in truth]
            if choice is not None:
                done.append(Tapped(now, "option", (number, choice)))
            elif self._kind(desk, number) == "play":
                done.append(Directed(now, "correct", {"event": number, "cards": names}))
            else:
                done.append(Directed(now, "correct", {"event": number, "card": names[0]}))
        return done

    @staticmethod
    def _kind(desk: Desk, number: int) -> str:
        return next((event.do for event in desk.match.events if event.seq == number), "play")

    def _really(self, desk: Desk, number: int, seat: str) -> tuple[Card, ...] | None:
        """What the play of the journal's event *number* was: of that seat's plays the one laid at that time."""
        lay = next((lay for lay in desk.lays[seat] if lay.seq == number), None)
        kind = self._kind(desk, number)
        plays = [shown for shown in self.world.truth if shown.do == kind and shown.seat == seat]
        if not plays:
            return None
        if lay is not None:
            return min(plays, key=lambda shown: abs(shown.clear - lay.t)).cards
        if kind != "play":  # the last that this seat gave away
            return next((shown.cards for shown in reversed(plays) if shown.touched <= self._now), None)
        best = max(plays, key=lambda shown: _likeness(shown.cards, desk.asks[number].options))
        return best.cards


def _likeness(cards: Sequence[Card], options: Sequence[Sequence[Card]]) -> int:
    return max(sum((Counter(cards) & Counter(option)).values()) for option in options)
