"""What a table's devices are to the program: small interfaces, each with a fake beside the real one.

Seats are ``N E S W``; a press without a seat comes from a button that belongs to the whole table. Nothing here knows
the game: who may pass is the controller's business.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

SEATS: Final = ("N", "W", "S", "E")
"""In the order of play, which is the order of the wiring."""
BUTTONS: Final = ("pass", "report", "call", "confirm")
LIGHTS: Final = ("off", "turn", "warning", "call")
"""States of a seat's lamp: dark, steady, quick, slow."""


@dataclass(frozen=True)
class Press:
    """A button was pressed, *age* seconds before it was heard of (a box that was unplugged tells it late)."""

    seat: str | None
    button: str
    age: float = 0.0


Pressed = Callable[[Press], None]
"""Who wants to know of presses; called from a device's own thread."""


class Device(Protocol):
    """Whatever runs beside the game until it is stopped; *state* is ``ok``, ``away`` or a reason's key."""

    name: str

    @property
    def state(self) -> str: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...


class Lamps(Protocol):
    """A lamp at each edge of the table."""

    def light(self, seat: str, state: str) -> None:
        """Put *seat*'s lamp into one of ``LIGHTS``."""


class Sounder(Protocol):
    """Something that can be heard: a loudspeaker or a buzzer."""

    def sound(self, name: str) -> None:
        """Play a tone of :mod:`hardware.tones`; an unknown name is silence."""


class Clock(Protocol):
    """A display of the turn clock that everybody at the table sees."""

    def show(self, seconds: int | None, state: str) -> None:
        """*seconds* left, or none; *state* is ``run``, ``warning`` or ``stop``."""
