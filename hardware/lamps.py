"""The lamps at the table's four edges: whose turn it is, seen without reading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hardware.pins import busy

BLINKS: Final = {"warning": (0.2, 0.2), "call": (0.8, 0.8)}
"""Seconds on and off of the states that blink."""


class PinLamps:
    """Lamps on pins, *pins* by seat; driven high, because the pins wake pulled down.

    :raises NoPins: when a pin cannot be had.
    """

    name = "lamps"
    state = "ok"

    def __init__(self, pins: Mapping[str, int], factory: Any) -> None:
        from gpiozero import LED
        from gpiozero.exc import GPIOZeroError

        self._leds: dict[str, Any] = {}
        self.shown = dict.fromkeys(pins, "off")
        try:
            for seat, pin in pins.items():
                self._leds[seat] = LED(pin, active_high=True, initial_value=False, pin_factory=factory)
        except (GPIOZeroError, OSError) as error:
            self.stop()
            raise busy(error) from None

    def start(self) -> None:
        """Lamps need no thread until they blink."""

    def light(self, seat: str, state: str) -> None:
        if self.shown.get(seat, state) == state:
            return
        self.shown[seat] = state
        led = self._leds[seat]
        if state in BLINKS:
            on, off = BLINKS[state]
            led.blink(on, off, background=True)
        else:
            led.value = state == "turn"

    def stop(self) -> None:
        for led in self._leds.values():
            led.close()
