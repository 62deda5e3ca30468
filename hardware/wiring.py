"""The pin map: which button, lamp and device hangs where, from a TOML file that is checked to the last key.

The default plan is ``assets/wiring/default.toml``; ``docs/wire.md`` draws it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hardware.debounce import HOLD, STABLE
from hardware.devices import SEATS
from hardware.errors import BadWiring

DEFAULT: Final = Path(__file__).resolve().parent.parent / "assets" / "wiring" / "default.toml"
RESERVED: Final = {
    0: "board identity", 1: "board identity", 2: "I2C with fixed pull-ups", 3: "I2C, wakes the Pi",
    14: "serial console", 15: "serial console",
}  # fmt: skip
"""GPIO numbers that must stay free, and why."""
PINS: Final = ("pass", "report", "confirm", "call", "lamp", "buzzer")
ANY_TABLES: Final = "/dev/guandan/"
WIDTHS: Final = (384, 576)
"""Dots across receipt paper of 58 and 80 mm."""


@dataclass(frozen=True)
class Wiring:
    """A table's devices. Seats map to GPIO numbers; a call button may have no seat. Paths are device files."""

    passes: Mapping[str, int] = field(default_factory=dict)
    reports: Mapping[str, int] = field(default_factory=dict)
    confirms: Mapping[str, int] = field(default_factory=dict)
    calls: Mapping[str | None, int] = field(default_factory=dict)
    lamps: Mapping[str, int] = field(default_factory=dict)
    buzzer: int | None = None
    stable: float = STABLE
    hold: float = HOLD
    closes_to: str = "ground"
    box: str | None = None
    clock: str | None = None
    printer: str | None = None
    dots: int = 384
    cut: bool = True
    tones: bool = True
    volume: float = 0.5

    @property
    def maybe(self) -> frozenset[str]:
        """The devices under the names that our udev rules give: wired for where one is plugged in, on many tables none
        is. A name of the table's own says that it has one."""
        paths = {"box": self.box, "clock": self.clock, "printer": self.printer}
        return frozenset(name for name, path in paths.items() if path is not None and path.startswith(ANY_TABLES))

    @property
    def uses_pins(self) -> bool:
        return bool(self.passes or self.reports or self.confirms or self.calls or self.lamps) or self.buzzer is not None


def load(path: str | Path = DEFAULT) -> Wiring:
    """The wiring that a pin map describes.

    :raises BadWiring: when it is missing, no TOML, or asks for what cannot be.
    """
    try:
        given = tomllib.loads(Path(path).read_text("utf-8"))
    except (FileNotFoundError, IsADirectoryError):
        raise BadWiring("no_file", file=path) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadWiring("not_toml", file=path, why=error) from None
    return parse(given, str(path))


def parse(given: Mapping[str, Any], file: str = "pins.toml") -> Wiring:
    """As :func:`load`, from what the TOML holds; *file* is for the errors."""
    read = _Reader(file)
    read.known("", given, ("pins", "contacts", "serial", "printer", "sound"))
    pins, contacts, serial, printer, sound = (
        read.table(given, name) for name in ("pins", "contacts", "serial", "printer", "sound")
    )
    read.known("pins", pins, PINS)
    read.known("contacts", contacts, ("stable_ms", "hold_ms", "closes_to"))
    read.known("serial", serial, ("box", "clock"))
    read.known("printer", printer, ("device", "dots", "cut"))
    read.known("sound", sound, ("tones", "volume"))
    wiring = Wiring(
        passes=read.seats(pins, "pass"),
        reports=read.seats(pins, "report"),
        confirms=read.seats(pins, "confirm"),
        calls=read.seats_or_one(pins, "call"),
        lamps=read.seats(pins, "lamp"),
        buzzer=read.pin("pins.buzzer", pins["buzzer"]) if "buzzer" in pins else None,
        stable=read.number(contacts, "contacts", "stable_ms", 20, 30, 1000 * STABLE) / 1000,
        hold=read.number(contacts, "contacts", "hold_ms", 200, 2000, 1000 * HOLD) / 1000,
        closes_to=read.choice(contacts, "contacts", "closes_to", ("ground", "3V3")),
        box=read.text(serial, "serial", "box"),
        clock=read.text(serial, "serial", "clock"),
        printer=read.text(printer, "printer", "device"),
        dots=int(read.choice(printer, "printer", "dots", WIDTHS)),
        cut=read.switch(printer, "printer", "cut", True),
        tones=read.switch(sound, "sound", "tones", True),
        volume=read.number(sound, "sound", "volume", 0, 100, 50) / 100,
    )
    _no_pin_twice(wiring, file)
    return wiring


class _Reader:
    """Reads one file's fields, and names the file in whatever is wrong."""

    def __init__(self, file: str) -> None:
        self.file = file

    def wrong(self, key: str, **values: object) -> BadWiring:
        return BadWiring(key, file=self.file, **values)

    def known(self, table: str, given: Mapping[str, Any], names: tuple[str, ...]) -> None:
        for name in given:
            if name not in names:
                raise self.wrong("unknown", field=f"{table}.{name}".lstrip("."), known=" ".join(names))

    def table(self, given: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        found = given.get(name, {})
        if not isinstance(found, dict):
            raise self.wrong("not_a_table", field=name)
        return found

    def pin(self, field: str, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 27:
            raise self.wrong("not_a_pin", field=field, value=value)
        if value in RESERVED:
            raise self.wrong("reserved", field=field, pin=value, why=RESERVED[value])
        return value

    def seats(self, pins: Mapping[str, Any], name: str) -> dict[str, int]:
        if name not in pins:
            return {}
        given = pins[name]
        if not isinstance(given, dict) or set(given) != set(SEATS):
            raise self.wrong("not_seats", field=f"pins.{name}")
        return {seat: self.pin(f"pins.{name}.{seat}", given[seat]) for seat in SEATS}

    def seats_or_one(self, pins: Mapping[str, Any], name: str) -> dict[str | None, int]:
        if name in pins and not isinstance(pins[name], dict):
            return {None: self.pin(f"pins.{name}", pins[name])}
        return dict(self.seats(pins, name).items())

    def number(
        self, given: Mapping[str, Any], table: str, name: str, least: float, most: float, usual: float
    ) -> float:  # fmt: skip
        value = given.get(name, usual)
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not least <= value <= most:
            raise self.wrong("range", field=f"{table}.{name}", value=value, least=least, most=most)
        return float(value)

    def choice(self, given: Mapping[str, Any], table: str, name: str, known: tuple[Any, ...]) -> Any:
        value = given.get(name, known[0])
        if value not in known:
            raise self.wrong("choice", field=f"{table}.{name}", value=value, known=" ".join(map(str, known)))
        return value

    def text(self, given: Mapping[str, Any], table: str, name: str) -> str | None:
        value = given.get(name)
        if value is not None and (not isinstance(value, str) or not value):
            raise self.wrong("not_text", field=f"{table}.{name}", value=value)
        return value

    def switch(self, given: Mapping[str, Any], table: str, name: str, usual: bool) -> bool:
        value = given.get(name, usual)
        if not isinstance(value, bool):
            raise self.wrong("not_a_switch", field=f"{table}.{name}", value=value)
        return value


def used(wiring: Wiring) -> Iterator[tuple[str, int]]:
    """Every pin in use with the field that says so."""
    for name, pins in (("pass", wiring.passes), ("report", wiring.reports), ("confirm", wiring.confirms),
                       ("call", wiring.calls), ("lamp", wiring.lamps)):  # fmt: skip
        for seat, pin in pins.items():
            yield f"pins.{name}.{seat}" if seat else f"pins.{name}", pin
    if wiring.buzzer is not None:
        yield "pins.buzzer", wiring.buzzer


def _no_pin_twice(wiring: Wiring, file: str) -> None:
    owners: dict[int, str] = {}
    for name, pin in used(wiring):
        if pin in owners:
            raise BadWiring("double", file=file, field=name, other=owners[pin], pin=pin)
        owners[pin] = name
