"""Buttons, lamps and buzzer on gpiozero's own mock pins."""

from __future__ import annotations

import os
import sys
import time
import types
from collections.abc import Iterator
from queue import Empty, Queue
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from hardware import kit
from hardware.contacts import Contacts
from hardware.devices import Press
from hardware.errors import NoPins
from hardware.lamps import PinLamps
from hardware.pins import open_factory
from hardware.wiring import Wiring, load


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = MockFactory()
    yield made
    made.reset()


def press(pin: Any, bounces: int = 3, seconds: float = 0.08) -> None:
    """A finger on a button to ground: contacts tremble, stand, tremble again."""
    for down in (True, False):
        for _ in range(bounces):
            (pin.drive_low if down else pin.drive_high)()
            (pin.drive_high if down else pin.drive_low)()
        (pin.drive_low if down else pin.drive_high)()
        time.sleep(seconds)


def test_a_press_is_heard_once(factory: MockFactory) -> None:
    wiring = load()
    heard: Queue[Press] = Queue()
    contacts = Contacts(wiring, heard.put, factory)
    contacts.start()
    for seat, pin in (("N", 5), ("E", 17), ("N", 5)):
        press(factory.pin(pin))
        assert heard.get(timeout=10) == Press(seat, "pass")
    press(factory.pin(23))
    assert heard.get(timeout=10) == Press("N", "report")
    factory.pin(22).drive_low()
    assert heard.get(timeout=10) == Press(None, "call")  # held: it fires while it is still down
    with pytest.raises(Empty):
        heard.get(timeout=0.1)
    contacts.stop()


def test_every_button_is_pulled_up_and_let_go_again(factory: MockFactory) -> None:
    contacts = Contacts(load(), lambda pressed: None, factory)
    assert {factory.pin(pin).pull for pin in (5, 6, 16, 17, 22)} == {"up"}
    with pytest.raises(NoPins, match="in use by another program"):
        PinLamps({"N": 5}, factory)
    contacts.stop()
    PinLamps({"N": 5}, factory).stop()


def test_lamps_show_the_turn(factory: MockFactory) -> None:
    lamps = PinLamps({"N": 12, "W": 13}, factory)
    lamps.light("N", "turn")
    assert factory.pin(12).state and not factory.pin(13).state
    lamps.light("W", "warning")
    lamps.light("N", "off")
    lamps.light("S", "turn")  # a lamp that this table does not have
    assert not factory.pin(12).state
    assert lamps.shown == {"N": "off", "W": "warning"}
    lamps.stop()


class Lgpio(types.ModuleType):
    """As much of lgpio as gpiozero's factory asks for: which pins are inputs, and what the outputs are driven to."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.opened: list[int] = []
        self.inputs: set[int] = set()
        self.outputs: dict[int, int] = {}

    def __getattr__(self, name: str) -> Any:
        if name.isupper():
            return 1  # some flag or other
        return lambda *given: 0

    def gpiochip_open(self, chip: int) -> int:
        self.opened.append(chip)
        return 0

    def gpio_claim_input(self, handle: int, pin: int, flags: int = 0) -> None:
        self.outputs.pop(pin, None)
        self.inputs.add(pin)

    def gpio_claim_output(self, handle: int, pin: int, level: int = 0, flags: int = 0) -> None:
        self.inputs.discard(pin)
        self.outputs[pin] = level

    def gpio_get_mode(self, handle: int, pin: int) -> int:
        return 2 if pin in self.outputs else 1 << 8

    def gpio_read(self, handle: int, pin: int) -> int:
        return self.outputs.get(pin, 1)

    def gpio_write(self, handle: int, pin: int, level: int) -> None:
        self.outputs[pin] = level


def test_pins_are_opened_by_the_library_that_is_named_and_by_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """gpiozero as it is installed, over a stand-in for the C library beneath it: the way a Pi goes."""
    beneath = Lgpio("lgpio")
    monkeypatch.setitem(sys.modules, "lgpio", beneath)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr("gpiozero.pins.local.LocalPiFactory._get_revision", lambda self: 0xC04170)  # a Pi 5
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/guandan")
    factory = open_factory()
    assert type(factory).__name__ == "LGPIOFactory" and beneath.opened == [0]
    assert os.environ["LG_WD"] == "/run/guandan", "its pipe goes where a service may write"
    whole = kit.build(Wiring(passes={"N": 5, "W": 6, "S": 16, "E": 17}, lamps={"N": 12, "W": 13, "S": 26, "E": 27}),
                      lambda press: None, factory)  # fmt: skip
    assert beneath.outputs == {12: 0, 13: 0, 26: 0, 27: 0} and {5, 6, 16, 17} <= beneath.inputs
    whole.light("S", "turn")
    assert beneath.outputs[26] == 1
    whole.stop()
    factory.close()
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio")


@pytest.mark.parametrize("kind", ["lgpio", "native", "nonsense"])
def test_a_machine_without_pins_says_so_in_one_sentence(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr("gpiozero.pins.local.LocalPiFactory._get_revision", _no_pi)
    with pytest.raises(NoPins) as refused:
        open_factory(kind)
    told = refused.value.in_language("en")
    assert "attribute" not in told and "python3-lgpio" in told and "\n" not in told


def _no_pi(self: object) -> int:
    raise OSError("this is no Pi")


def test_a_kit_from_a_pin_map(factory: MockFactory) -> None:
    heard: Queue[Press] = Queue()
    whole = kit.build(Wiring(passes={"N": 5, "W": 6, "S": 16, "E": 17}, lamps={"N": 12, "W": 13, "S": 26, "E": 27},
                             buzzer=18, tones=False), heard.put, factory)  # fmt: skip
    whole.start()
    press(factory.pin(16))
    assert heard.get(timeout=10) == Press("S", "pass")
    whole.light("S", "turn")
    assert factory.pin(26).state
    whole.sound("notice")  # this table never sounds: the buzzer keeps still
    assert not factory.pin(18).state and set(whole.states().values()) == {"ok"}
    whole.stop()


def test_a_buzzer_stands_in_for_a_loudspeaker(factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.speaker.Speaker.start", lambda self: None)  # no sound card
    whole = kit.build(Wiring(buzzer=18, tones=True), lambda pressed: None, factory)
    whole.start()
    states: Queue[bool] = Queue()
    pin, change = factory.pin(18), factory.pin(18)._change_state
    monkeypatch.setattr(pin, "_change_state", lambda value: (states.put(bool(value)), change(value))[1])
    whole.sound("notice")
    assert [states.get(timeout=10) for _ in range(3)] == [True, False, True]  # two notes with a rest between them
    whole.stop()
