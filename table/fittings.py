"""What hangs at the table's edge: presses become inputs, what the screen shows becomes light, tone and paper.

Which lamp burns is worked out anew from each view, so that a lamp never disagrees with the screen, whatever was missed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from engine.cards import SEATS, SIDES
from hardware.devices import Press
from hardware.errors import HardwareRefused
from hardware.kit import Kit
from hardware.paper import Bitmap
from table.effects import Effect, Light, Show, Sound
from table.inputs import Input, Pressed
from table.known_devices import KnownDevices
from table.view import TableView

if TYPE_CHECKING:
    import numpy as np

    from table.app import Source

MEET_EVERY = 1.0
"""Seconds between two looks at which devices are there."""


def lamps(view: TableView, warned: str | None, now: float) -> dict[str, str]:
    """What each seat's lamp shows; *warned* is the seat whose clock has warned in this turn."""
    if view.venue.blink_until > now:
        return dict.fromkeys(SEATS, "warning")  # the table shows where it stands
    if view.halt == "called" or (view.screen == "playing" and view.notice == "stop"):
        return dict.fromkeys(SEATS, "call")
    shown = dict.fromkeys(SEATS, "off")
    if view.screen == "playing" and view.turn is not None:
        shown[view.turn] = "warning" if warned == view.turn else "turn"
    return shown


def clock(view: TableView, warned: str | None, now: float) -> tuple[int | None, str]:
    """What the shot clock shows: seconds left and ``run``, ``warning`` or ``stop``."""
    left = view.turn_clock.left(now) if view.turn_clock is not None else None
    if left is None or view.turn is None:
        return None, "stop"
    if view.turn_clock is None or not view.turn_clock.running:
        return math.ceil(left), "stop"
    return math.ceil(left), "warning" if warned == view.turn else "run"


class Fittings:
    """A kit wired to a controller's inputs and effects. Only :meth:`pressed` may be called from other threads."""

    def __init__(
        self,
        build: Callable[[Callable[[Press], None]], Kit],
        put: Callable[[Input], None],
        now: Callable[[], float],
        slip: Callable[[int], Bitmap] | None = None,
        known: KnownDevices | None = None,
    ) -> None:
        self._put, self._now, self._slip = put, now, slip
        self._known, self._met_at = known, -math.inf
        self._view, self._printed = TableView(), False
        self._warned: str | None = None
        self.trouble: HardwareRefused | None = None
        """Why the last slip could not be drawn."""
        self.kit = build(self.pressed)

    def start(self) -> None:
        self.kit.start()

    def stop(self) -> None:
        for seat in SEATS:
            self.kit.light(seat, "off")
        self.kit.stop()

    def pressed(self, press: Press) -> None:
        """A button was pressed; one that belongs to the whole table speaks for whoever's turn it is."""
        seat = press.seat or self._view.turn or "N"
        self._put(Pressed(self._now() - press.age, seat, press.button))

    def told(self, effects: Iterable[Effect]) -> None:
        """Carry out what concerns the devices; the rest is the screen's."""
        for effect in effects:
            if isinstance(effect, Show):
                if effect.view.turn != self._view.turn:
                    self._warned = None
                self._view = effect.view
            elif isinstance(effect, Light) and effect.state == "warning":
                if effect.seat == self._view.turn:
                    self._warned = effect.seat
            elif isinstance(effect, Sound) and self._view.settings.sound:
                self.kit.sound(effect.name)
        self._print_once()

    def beat(self) -> None:
        """Bring lamps and clock up to date; called in every round of the loop, and cheap when nothing changed."""
        now = self._now()
        for seat, state in lamps(self._view, self._warned, now).items():
            self.kit.light(seat, state)
        self.kit.show(*clock(self._view, self._warned, now))
        if self._known is not None and now - self._met_at >= MEET_EVERY:
            self._met_at = now
            self._known.meet(self.kit.states())

    def devices(self) -> Mapping[str, str]:
        """Device → ``ok``, ``away`` or ``stuck``; what a table may have and never had is left out."""
        states = self.kit.states()
        return states if self._known is None else self._known.missed(states, self.kit.maybe)

    def _print_once(self) -> None:
        if self._view.match_result is None:
            self._printed = False
        elif not self._printed and self._view.signed == set(SIDES) and self.kit.prints and self._slip is not None:
            self._printed = True
            try:
                self.kit.print(self._slip(self.kit.dots))
            except HardwareRefused as refused:
                self.trouble = refused


class Fitted:
    """A source of inputs whose table has devices at its edge: the window's, with the fittings told as well."""

    def __init__(self, source: Source, fittings: Fittings) -> None:
        self.inputs, self.lock, self.failed = source.inputs, source.lock, source.failed
        self._source, self._fittings = source, fittings

    def now(self) -> float:
        return self._source.now()

    def told(self, effects: list[Effect]) -> None:
        self._source.told(effects)
        self._fittings.told(effects)

    def picture(self) -> np.ndarray | None:
        return self._source.picture()

    def pause(self, still: bool) -> None:
        self._source.pause(still)

    def stop(self) -> None:
        self._source.stop()
        self._fittings.stop()

    def devices(self) -> Mapping[str, str]:
        """Device → ``ok``, ``away`` or ``stuck``, for the diagnostics."""
        return self._fittings.devices()
