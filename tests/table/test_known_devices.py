"""A table misses what its own plan names and what was there once, and no box, clock or printer that it never had."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from hardware import kit, wiring
from hardware.fake import FakeButtons
from hardware.kit import Kit
from table.diagnosis import devices
from table.fittings import Fittings
from table.known_devices import KnownDevices
from table.words import Words


class Plugged(FakeButtons):
    """Something that may be pulled."""

    def __init__(self, name: str, state: str = "ok") -> None:
        super().__init__(lambda press: None)
        self.name, self.state = name, state


def fittings(path: Path, *parts: Plugged, maybe: str = "box clock printer") -> Fittings:
    made = Fittings(
        lambda pressed: Kit(parts, maybe=frozenset(maybe.split())), lambda given: None, lambda: 7.0,
        known=KnownDevices(path),
    )  # fmt: skip
    made.beat()
    return made


def test_the_default_plan_misses_nothing_that_was_never_there(tmp_path: Path) -> None:
    whole = kit.build(wiring.load(), lambda press: None, MockFactory())
    try:
        assert {name for name, state in whole.states().items() if state == "away"} >= {"box", "clock", "printer"}
        table = Fittings(lambda pressed: whole, lambda given: None, lambda: 7.0,
                         known=KnownDevices(tmp_path / "devices.txt"))  # fmt: skip
        assert not {"box", "clock", "printer"} & set(table.devices()) and table.devices()["lamps"] == "ok"
        assert [fact.key for fact in devices(table.devices(), Words("en"), sound=False)] == ["devices"]
    finally:
        whole.stop()


def test_what_was_there_once_is_missed_even_after_a_restart(tmp_path: Path) -> None:
    path, box = tmp_path / "state" / "devices.txt", Plugged("box")
    table = fittings(path, box, Plugged("clock", "away"))
    assert table.devices() == {"box": "ok"}
    box.state = "away"
    assert table.devices() == {"box": "away"}
    assert fittings(path, Plugged("box", "away"), Plugged("clock", "away")).devices() == {"box": "away"}


def test_what_the_tables_own_plan_names_is_missed_from_the_first() -> None:
    own = wiring.parse({"serial": {"box": "/dev/serial/by-id/usb-mine", "clock": "/dev/guandan/clock"}})
    assert own.maybe == {"clock"}
    assert wiring.load().maybe == {"box", "clock", "printer"}


@pytest.mark.parametrize("harm", ["gone", "no text", "a folder"])
def test_a_memory_that_cannot_be_read_or_written_keeps_nobody_from_playing(tmp_path: Path, harm: str) -> None:
    path = tmp_path / "devices.txt"
    if harm == "no text":
        path.write_bytes(b"\xff\xfe box")
    elif harm == "a folder":
        path.mkdir()
    box = Plugged("box")
    table = fittings(path, box)
    box.state = "away"
    assert table.devices() == {"box": "away"}
