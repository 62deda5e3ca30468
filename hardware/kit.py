"""All of a table's devices as one: built from a pin map, started, told, stopped together.

A device that is away never holds up another, and never the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Protocol

from hardware.devices import Clock, Device, Lamps, Pressed, Sounder
from hardware.paper import Bitmap
from hardware.pins import open_factory
from hardware.wiring import Wiring


class Printer(Protocol):
    """Something that prints slips."""

    waiting: int

    def print(self, slip: Bitmap) -> None: ...


class Kit:
    """The devices of one table."""

    def __init__(
        self,
        devices: Sequence[Device],
        lamps: Sequence[Lamps] = (),
        sounders: Sequence[Sounder] = (),
        clocks: Sequence[Clock] = (),
        printers: Sequence[Any] = (),
        dots: int = 384,
        real: bool = True,
        maybe: frozenset[str] = frozenset(),
    ) -> None:
        """*real* is false for a kit of stand-ins; *maybe* are devices that the table may have, or never had."""
        self.devices, self.dots = list(devices), dots
        self._real, self.maybe = real, maybe
        self._lamps, self._sounders, self._clocks, self._printers = lamps, sounders, clocks, printers

    def start(self) -> None:
        for device in self.devices:
            device.start()

    def stop(self) -> None:
        for device in self.devices:
            with suppress(Exception):  # one broken device must not keep another's pins
                device.stop()

    def light(self, seat: str, state: str) -> None:
        for lamps in self._lamps:
            lamps.light(seat, state)

    def sound(self, name: str) -> None:
        """The first that can be heard sounds: the loudspeaker, else the buzzer."""
        for sounder in self._sounders:
            if getattr(sounder, "state", "ok") == "ok":
                sounder.sound(name)
                return

    def show(self, seconds: int | None, state: str) -> None:
        for clock in self._clocks:
            clock.show(seconds, state)

    @property
    def prints(self) -> bool:
        """Whether a printer belongs to this table."""
        return bool(self._printers)

    def print(self, slip: Bitmap) -> None:
        for printer in self._printers:
            printer.print(slip)

    def states(self) -> dict[str, str]:
        """Device → ``ok``, ``away`` or ``stuck``; nothing of stand-ins, and nothing of a loudspeaker that is missing
        while something else can sound."""
        found = {device.name: device.state for device in self.devices} if self._real else {}
        if sum(getattr(sounder, "state", "ok") == "ok" for sounder in self._sounders):
            found.pop("speaker", None)
        return found


def build(wiring: Wiring, pressed: Pressed, factory: Any = None) -> Kit:
    """The devices that *wiring* names; *factory* is gpiozero's, opened here when pins are asked for and none is given.

    :raises HardwareRefused: when pins are asked for and cannot be had.
    """
    devices: list[Any] = []
    lamps: list[Lamps] = []
    sounders: list[Sounder] = []
    clocks: list[Clock] = []
    printers: list[Any] = []
    try:
        if wiring.uses_pins:
            _on_pins(wiring, pressed, factory or open_factory(), devices, lamps, sounders)
        if wiring.box is not None:
            from hardware.button_box import ButtonBox

            box = ButtonBox(wiring.box, pressed)
            devices.append(box)
            lamps.append(box)
            if wiring.tones:
                sounders.append(box)
        if wiring.clock is not None:
            from hardware.shot_clock import ShotClock

            clocks.append(ShotClock(wiring.clock))
            devices.append(clocks[-1])
        if wiring.printer is not None:
            from hardware.printer import ReceiptPrinter

            printers.append(ReceiptPrinter(wiring.printer, wiring.cut))
            devices.append(printers[-1])
        if wiring.tones:
            from hardware.speaker import Speaker

            sounders.insert(0, Speaker(wiring.volume))
            devices.append(sounders[0])
    except BaseException:
        Kit(devices).stop()
        raise
    return Kit(devices, lamps, sounders, clocks, printers, wiring.dots, maybe=wiring.maybe)


def _on_pins(
    wiring: Wiring, pressed: Pressed, factory: Any, devices: list[Any], lamps: list[Lamps], sounders: list[Sounder]
) -> None:
    from hardware.buzzer import PinBuzzer
    from hardware.contacts import Contacts, specs
    from hardware.lamps import PinLamps

    if specs(wiring):
        devices.append(Contacts(wiring, pressed, factory))
    if wiring.lamps:
        on_pins = PinLamps(wiring.lamps, factory)
        devices.append(on_pins)
        lamps.append(on_pins)
    if wiring.buzzer is not None:
        buzzer = PinBuzzer(wiring.buzzer, factory)
        devices.append(buzzer)
        if wiring.tones:
            sounders.append(buzzer)


def fake(pressed: Pressed, dots: int = 384, sounder: Any = None) -> Kit:
    """A kit of fakes; its parts are in :attr:`Kit.devices`, in this order: buttons, lamps, sounder, clock, printer.

    *sounder* instead of the fake one: a machine without pads may have a loudspeaker all the same.
    """
    from hardware.fake import FakeButtons, FakeClock, FakeLamps, FakePrinter, FakeSounder

    buttons, lamps, clock, printer = FakeButtons(pressed), FakeLamps(), FakeClock(), FakePrinter()
    sounder = sounder or FakeSounder()
    return Kit([buttons, lamps, sounder, clock, printer], [lamps], [sounder], [clock], [printer], dots, real=False)
