"""Buttons, lamps and buzzer on gpiozero's own mock pins."""

from __future__ import annotations

import time
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
