"""The button box on USB: pads, lamps and buzzer on a microcontroller (``firmware/button_box``).

The box numbers its presses and keeps each until it is told that the number was heard; the table hears every number
once. So a line may be pulled and plugged at any moment without a press lost or doubled. The words are in
``docs/wire.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from hardware.devices import BUTTONS, LIGHTS, SEATS, Press, Pressed
from hardware.serial_line import SerialLine

FIRMWARE: Final = "guandan-box"
VERSION: Final = 1


class Conversation:
    """The table's end of the protocol, pure: a line comes in, presses and answers come out."""

    def __init__(self) -> None:
        self.session: str | None = None
        """The number that the box threw when it was switched on; another one means that it counts anew."""
        self.last = 0
        """The last press that was heard."""

    def hear(self, words: str) -> tuple[list[Press], list[str], bool]:
        """What a line says: the presses it brings, the lines to answer, whether the box has just said who it is."""
        kind, *rest = words.split() or [""]
        if kind == "HELLO" and len(rest) == 3 and rest[0] == FIRMWARE:
            if rest[2] != self.session:
                self.session, self.last = rest[2], 0
            return [], [f"A {self.last}"], True
        if kind != "P" or self.session is None:
            return [], ["HELLO"] if self.session is None else [], False
        try:
            number, oldest, age = int(rest[0]), int(rest[1]), int(rest[4])
            seat, button = rest[2], rest[3]
        except (IndexError, ValueError):
            return [], [], False
        # Only the next one counts: a later one that overtook a disturbed line comes again after it. What the box no
        # longer has cannot be waited for.
        if number == max(self.last + 1, oldest):
            self.last = number
            known = button in BUTTONS and (seat in SEATS or seat == "-")
            presses = [Press(None if seat == "-" else seat, button, age / 1000)] if known else []
            return presses, [f"A {number}"], False
        return [], [f"A {self.last}"], False


class ButtonBox:
    """A button box at the device file *path*; lamps and buzzer on it are told anew whenever it comes back."""

    name = "box"

    def __init__(self, path: str, pressed: Pressed, line: Callable[..., SerialLine] = SerialLine, **how: Any) -> None:
        self._pressed, self._talk = pressed, Conversation()
        self._lights = dict.fromkeys(SEATS, "off")
        self._line = line(path, self._heard, self._opened, "box", **how)

    @property
    def state(self) -> str:
        return self._line.state if self._talk.session is not None else "away"

    def start(self) -> None:
        self._line.start()

    def stop(self) -> None:
        self._line.stop()

    def light(self, seat: str, state: str) -> None:
        if state in LIGHTS and self._lights.get(seat, state) != state:
            self._lights[seat] = state
            self._line.say(f"L {seat} {state}")

    def sound(self, name: str) -> None:
        self._line.say(f"B {name}")

    def _opened(self) -> None:
        self._line.say("HELLO")

    def _heard(self, words: str) -> None:
        presses, answers, hello = self._talk.hear(words)
        for press in presses:
            self._pressed(press)
        for answer in answers:
            self._line.say(answer)
        if hello:
            for seat, state in self._lights.items():
                self._line.say(f"L {seat} {state}")
