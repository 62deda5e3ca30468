"""Pin maps: the default plan, and every way to get one wrong as one sentence that names the place."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from hardware.errors import STRINGS, BadWiring
from hardware.wiring import DEFAULT, RESERVED, Wiring, load, parse, used

SEATS = {"N": 5, "W": 6, "S": 16, "E": 17}


def test_the_default_plan_uses_no_pin_twice_and_none_that_is_reserved() -> None:
    plan = load()
    pins = [pin for _, pin in used(plan)]
    assert len(pins) == len(set(pins)) == 14
    assert not set(pins) & set(RESERVED)
    assert plan.calls == {None: 22} and plan.buzzer == 18
    # What drives something must be dark from power-on: 9 to 27 wake pulled down.
    assert all(9 <= pin <= 27 for pin in [*plan.lamps.values(), plan.buzzer or 0])


def test_the_documented_plan_is_the_one_that_ships() -> None:
    page = (DEFAULT.parents[2] / "docs" / "wire.md").read_text("utf-8")
    told = {int(pin) for pin in re.findall(r"\| (\d+) \(\d+\)", page)}
    assert {pin for _, pin in used(load())} <= told


def test_an_empty_file_is_a_table_without_devices() -> None:
    assert parse({}) == Wiring() and not parse({}).uses_pins


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"pin": {}}, "pin is unknown; known there: pins"),
        ({"pins": {"pas": SEATS}}, "pins.pas is unknown"),
        ({"pins": 5}, "pins must be a table"),
        ({"pins": {"pass": {"N": 5}}}, "pins.pass must name pins for N, W, S and E"),
        ({"pins": {"pass": {**SEATS, "E": "17"}}}, "pins.pass.E = 17 is no GPIO number"),
        ({"pins": {"pass": {**SEATS, "E": 28}}}, "pins.pass.E = 28 is no GPIO number"),
        ({"pins": {"pass": {**SEATS, "E": True}}}, "pins.pass.E = True is no GPIO number"),
        ({"pins": {"pass": {**SEATS, "E": 3}}}, "pins.pass.E = 3 is reserved (I2C, wakes the Pi)"),
        ({"pins": {"pass": SEATS, "buzzer": 16}}, "pins.buzzer and pins.pass.S both use GPIO 16"),
        ({"pins": {"call": 14}}, "pins.call = 14 is reserved"),
        ({"contacts": {"stable_ms": 5}}, "contacts.stable_ms = 5 is out of range; give a number from 20 to 30"),
        ({"contacts": {"closes_to": "5V"}}, "contacts.closes_to = 5V is unknown; one of ground 3V3"),
        ({"serial": {"box": 1}}, "serial.box = 1 must be a text"),
        ({"printer": {"dots": 400}}, "printer.dots = 400 is unknown; one of 384 576"),
        ({"printer": {"cut": "yes"}}, "printer.cut = yes must be true or false"),
        ({"sound": {"volume": 140}}, "sound.volume = 140 is out of range"),
    ],
)
def test_what_cannot_be_is_one_sentence(given: dict[str, object], says: str) -> None:
    with pytest.raises(BadWiring) as refused:
        parse(given, "my.toml")
    sentence = str(refused.value)
    assert sentence.startswith("my.toml: ") and says in sentence and "\n" not in sentence
    assert refused.value.in_language("zh") != sentence


def test_a_file_that_is_missing_or_no_toml(tmp_path: Path) -> None:
    with pytest.raises(BadWiring, match="there is no such pin map"):
        load(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("[pins\n", "utf-8")
    with pytest.raises(BadWiring, match="this is no TOML"):
        load(tmp_path / "bad.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadWiring, match="this is no TOML"):
        load(tmp_path / "bad.toml")


def test_every_sentence_is_used() -> None:
    sentences = tomllib.loads((STRINGS / "hardware.en.toml").read_text("utf-8"))["refused"]
    code = "".join(path.read_text("utf-8") for path in (DEFAULT.parents[2] / "hardware").glob("*.py"))
    assert not {key for key in sentences if f'"{key}"' not in code}
