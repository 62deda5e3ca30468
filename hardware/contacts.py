"""Pass pads, report buttons and referee buttons on the Pi's pins.

gpiozero's own debouncing is left off: it means another thing in every pin factory, and a lost edge loses the next
press. Edges only wake a thread that samples all contacts until they stand; a slow round in between heals whatever an
edge missed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hardware.debounce import Button, Debounce
from hardware.devices import Press, Pressed
from hardware.pins import busy
from hardware.wiring import Wiring

CLOSE: Final = 0.004
"""Seconds between two samples while a contact moves."""
FAR: Final = 0.25
"""Seconds between two samples while all stand still."""


@dataclass(frozen=True)
class Spec:
    """One button and where it hangs."""

    seat: str | None
    button: str
    pin: int
    hold: float = 0.0


def specs(wiring: Wiring) -> list[Spec]:
    """Every button that *wiring* has on pins."""
    return [
        *(Spec(seat, "pass", pin) for seat, pin in wiring.passes.items()),
        *(Spec(seat, "report", pin) for seat, pin in wiring.reports.items()),
        *(Spec(seat, "confirm", pin) for seat, pin in wiring.confirms.items()),
        *(Spec(seat, "call", pin, wiring.hold) for seat, pin in wiring.calls.items()),
    ]


class Panel:
    """The buttons as a pure machine: levels at an instant go in, presses come out."""

    def __init__(self, specs: Iterable[Spec], stable: float, down: Sequence[bool]) -> None:
        # Whatever is down at the start is stuck or leant on: it is no press until it was up.
        self.buttons = [(spec, Button(Debounce(stable, level), spec.hold))
                        for spec, level in zip(specs, down, strict=True)]  # fmt: skip

    def moved(self, t: float) -> None:
        """Some contact had an edge at *t*."""
        for _, button in self.buttons:
            if not button.debounce.settled:
                button.debounce.moved(t)

    def sample(self, t: float, levels: Sequence[bool]) -> list[Press]:
        """All contacts' levels at *t* (down is true): the buttons that fire."""
        return [
            Press(spec.seat, spec.button)
            for (spec, button), level in zip(self.buttons, levels, strict=True)
            if button.sample(t, level)
        ]

    @property
    def busy(self) -> bool:
        return any(button.busy for _, button in self.buttons)

    def stuck(self, t: float) -> list[Spec]:
        """Buttons with something lying on them."""
        return [spec for spec, button in self.buttons if button.stuck(t)]


class Contacts:
    """The buttons on the pins, heard by a thread of their own.

    :raises NoPins: when a pin cannot be had.
    """

    name = "contacts"

    def __init__(self, wiring: Wiring, pressed: Pressed, factory: Any) -> None:
        from gpiozero import DigitalInputDevice
        from gpiozero.exc import GPIOZeroError

        self._pressed, self._specs = pressed, specs(wiring)
        self._devices: list[Any] = []
        try:
            for spec in self._specs:
                self._devices.append(
                    DigitalInputDevice(
                        spec.pin, pull_up=wiring.closes_to == "ground", bounce_time=None, pin_factory=factory
                    )
                )
        except (GPIOZeroError, OSError) as error:
            self._close()
            raise busy(error) from None
        self._edge, self._stopped = threading.Event(), threading.Event()
        self.panel = Panel(self._specs, wiring.stable, self._levels())
        for device in self._devices:
            device.when_activated = device.when_deactivated = self._edge.set
        self._thread = threading.Thread(target=self._run, name="contacts", daemon=True)

    @property
    def state(self) -> str:
        return "stuck" if self.panel.stuck(time.monotonic()) else "ok"

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._edge.set()
        if self._thread.is_alive():
            self._thread.join(2.0)
        self._close()

    def _levels(self) -> list[bool]:
        return [bool(device.value) for device in self._devices]

    def _run(self) -> None:
        while not self._stopped.is_set():
            if self._edge.wait(CLOSE if self.panel.busy else FAR):
                self._edge.clear()
                self.panel.moved(time.monotonic())
            for press in self.panel.sample(time.monotonic(), self._levels()):
                self._pressed(press)

    def _close(self) -> None:
        for device in self._devices:
            device.close()
