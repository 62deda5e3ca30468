"""The buzzer on a pin: stands in for the tones where there is no sound card."""

from __future__ import annotations

import queue
import threading
from typing import Any

from hardware.pins import busy
from hardware.tones import beeps


class PinBuzzer:
    """An active buzzer behind a transistor, driven high.

    :raises NoPins: when the pin cannot be had.
    """

    name = "buzzer"
    state = "ok"

    def __init__(self, pin: int, factory: Any) -> None:
        from gpiozero import DigitalOutputDevice
        from gpiozero.exc import GPIOZeroError

        try:
            self._out = DigitalOutputDevice(pin, active_high=True, initial_value=False, pin_factory=factory)
        except (GPIOZeroError, OSError) as error:
            raise busy(error) from None
        self._wanted: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def sound(self, name: str) -> None:
        if self._wanted.qsize() < 2:  # nobody wants to hear a queue of beeps
            self._wanted.put(name)

    def stop(self) -> None:
        self._stopped.set()
        self._wanted.put(None)
        if self._thread.is_alive():
            self._thread.join(2.0)
        self._out.close()

    def _run(self) -> None:
        while (name := self._wanted.get()) is not None:
            for sounding, seconds in beeps(name):
                self._out.value = sounding
                if self._stopped.wait(seconds):
                    break
            self._out.value = False
