"""A table driven by hand: plays, passes and taps in a line each, with a clock that goes on by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.cards import Card, parse_cards
from engine.events import Event
from table.controller import Controller
from table.effects import Alert, Append, Effect, Light
from table.inputs import Directed, Input, Pressed, Seen, Tapped, Ticked
from table.view import TableView
from vision.observations import Laid, Observation, Removed, SeenCard, Touched

SURE = 0.999


def seen(text: str) -> SeenCard:
    """``S8`` is sure; ``S8?D8`` is unsure, S8 likelier; ``S8~D8`` is sure, yet the eye names D8 too."""
    if "?" in text:
        first, second = (Card.parse(name) for name in text.split("?"))
        return SeenCard(first, 0.62, False, ((first, 0.62), (second, 0.36)), ((0, 0),), 0.0)
    first, *more = (Card.parse(name) for name in text.split("~"))
    return SeenCard(first, SURE, True, ((first, SURE), *((card, 0.02) for card in more)), ((0, 0),), 0.0)


class Scripted:
    """A controller, what it did, and a clock."""

    def __init__(self, profile: str = "championship", ruleset: str = "national", **options: Any) -> None:
        self.controller = Controller(ruleset, profile, {"N": "甲"}, options or None)
        self.t = 100.0
        self.effects: list[Effect] = []
        self.inputs: list[Input] = []
        self.tap("start")

    def give(self, given: Input) -> list[Effect]:
        self.inputs.append(given)
        new = self.controller.handle(given)
        self.effects += new
        return new

    @property
    def view(self) -> TableView:
        return self.controller.view

    @property
    def events(self) -> list[Event]:
        return [effect.event for effect in self.effects if isinstance(effect, Append)]

    @property
    def did(self) -> list[str]:
        return [event.do for event in self.events]

    @property
    def alerts(self) -> list[Alert]:
        return [effect for effect in self.effects if isinstance(effect, Alert)]

    @property
    def lights(self) -> list[Light]:
        return [effect for effect in self.effects if isinstance(effect, Light)]

    def see(self, observation: Observation) -> list[Effect]:
        return self.give(Seen(observation))

    def touch(self, seat: str, after: float = 2.0) -> None:
        self.t += after
        self.see(Touched(self.t, seat))

    def lay(self, seat: str, text: str, after: float = 2.0, laying: float = 1.0, steady: bool = True) -> list[Effect]:
        self.touch(seat, after)
        touched = self.t
        self.t += laying
        cards = tuple(seen(each) for each in text.split())
        return self.see(Laid(self.t + 0.3, seat, cards, touched, 3, steady, self.t))

    def lift(self, seat: str, text: str, emptied: bool = True) -> list[Effect]:
        self.t += 1.0
        return self.see(Removed(self.t, seat, tuple(seen(each) for each in text.split()), emptied))

    def press(self, seat: str, button: str = "pass", after: float = 1.0) -> list[Effect]:
        self.t += after
        return self.give(Pressed(self.t, seat, button))

    def passes(self, seats: str) -> None:
        for seat in seats:
            self.press(seat)

    def tap(self, what: str, value: Any = None) -> list[Effect]:
        self.t += 1.0
        return self.give(Tapped(self.t, what, value))

    def rule(self, alert: str, verdict: str = "uphold") -> list[Effect]:
        self.t += 3.0
        return self.give(Directed(self.t, "ruling", {"alert": alert, "verdict": verdict}))

    def finish(self, order: str) -> None:
        self.t += 60.0
        self.give(Directed(self.t, "finish", {"order": list(order)}))

    def wait(self, seconds: float, step: float = 0.5) -> list[Effect]:
        found = []
        for _ in range(round(seconds / step)):
            self.t += step
            found += self.give(Ticked(self.t))
        return found


def cards(text: str) -> Sequence[Card]:
    return tuple(parse_cards(text))
