"""The devices of a table without any: they remember what they were told, and press what they are asked to.

They are the product on a machine without hardware (``--hardware fake``), and the tests' hands.
"""

from __future__ import annotations

from hardware.devices import SEATS, Press, Pressed
from hardware.paper import Bitmap


class FakeButtons:
    """Pads that are pressed by calling :meth:`press`."""

    name, state = "contacts", "ok"

    def __init__(self, pressed: Pressed) -> None:
        self._pressed = pressed

    def start(self) -> None: ...
    def stop(self) -> None: ...

    def press(self, seat: str | None, button: str = "pass", age: float = 0.0) -> None:
        self._pressed(Press(seat, button, age))


class FakeLamps:
    """Lamps whose states can be looked up, and everything they were ever told."""

    name, state = "lamps", "ok"

    def __init__(self) -> None:
        self.shown = dict.fromkeys(SEATS, "off")
        self.told: list[tuple[str, str]] = []

    def start(self) -> None: ...
    def stop(self) -> None: ...

    def light(self, seat: str, state: str) -> None:
        if self.shown[seat] != state:
            self.shown[seat] = state
            self.told.append((seat, state))


class FakeSounder:
    """Remembers the tones."""

    name, state = "speaker", "ok"

    def __init__(self) -> None:
        self.played: list[str] = []

    def start(self) -> None: ...
    def stop(self) -> None: ...

    def sound(self, name: str) -> None:
        self.played.append(name)


class FakeClock:
    """Remembers what it showed."""

    name, state = "clock", "ok"

    def __init__(self) -> None:
        self.shown: list[tuple[int | None, str]] = []

    def start(self) -> None: ...
    def stop(self) -> None: ...

    def show(self, seconds: int | None, state: str) -> None:
        if not self.shown or self.shown[-1] != (seconds, state):
            self.shown.append((seconds, state))


class FakePrinter:
    """Keeps the slips."""

    name, state, waiting = "printer", "ok", 0

    def __init__(self) -> None:
        self.slips: list[Bitmap] = []

    def start(self) -> None: ...
    def stop(self) -> None: ...

    def print(self, slip: Bitmap) -> None:
        self.slips.append(slip)
