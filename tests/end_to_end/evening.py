"""An evening at a table: the real window, loop and journal, fingers on the glass, pads, and an eye that is never wrong.

The clock is a number that the test moves on; nothing waits for the wall clock but the disk.
"""

from __future__ import annotations

import queue
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pygame

from engine.events import Event
from table import app as window_loop
from table.app import App
from table.controller import Controller
from table.effects import Alert, Effect, Sound
from table.inputs import Directed, Input, Linked, Pressed, Seen, Ticked
from table.journal import Journal
from table.ledger import Ledger, events_of
from table.settings import Settings
from table.sources import Failed
from tests.table.scripted import seen
from vision.observations import Covered, Laid, Removed, Touched, Uncovered


class Quiet:
    """A source whose time stands until it is moved."""

    def __init__(self) -> None:
        self.inputs: queue.SimpleQueue[Input] = queue.SimpleQueue()
        self.lock = threading.Lock()
        self.failed = Failed()
        self.t = 100.0
        self.done: list[Effect] = []

    def now(self) -> float:
        return self.t

    def told(self, effects: list[Effect]) -> None:
        self.done += effects

    def picture(self) -> np.ndarray | None:
        return None

    def pause(self, still: bool) -> None:
        pass

    def stop(self) -> None:
        pass


class Evening:
    """One table from the first picture to the last signature."""

    def __init__(
        self, path: Path, size: tuple[int, int] = (1280, 720), language: str = "zh", settings: Settings | None = None,
        code: str | None = None, controller: Controller | None = None, t: float = 100.0,
    ) -> None:  # fmt: skip
        window_loop.TOUCH_SLEEP = window_loop.MOVING_SLEEP = 0.004
        self.journal = Journal(path)
        self.source = Quiet()
        self.source.t = t
        self.wall = 1_700_000_000.0
        epochs = self.journal.epochs()
        ledger = Ledger(self.journal, lambda: self.wall, epoch=epochs[-1] if epochs else 0)
        controller = controller or Controller("national", "friendly", settings=settings, code=code)
        self.app = App(controller, ledger, self.source, language, size=size)
        if settings is not None:
            self.app._set(controller.desk.glass.settings)
        self.shown: list[str] = []
        self.round()

    # -- time and what comes ----------------------------------------------------------------------------------------

    def round(self) -> None:
        """Rounds of the loop until everything that was given is on the screen."""
        while True:
            self.app.turn()
            if self.source.inputs.empty() and not self.app._effects:
                break
        if not self.shown or self.shown[-1] != self.view.screen:
            self.shown.append(self.view.screen)

    def give(self, given: Input) -> None:
        self.source.inputs.put(given)
        self.round()

    def wait(self, seconds: float, step: float = 0.5) -> None:
        for _ in range(round(seconds / step)):
            self.source.t += step
            self.source.inputs.put(Ticked(self.source.t))
        self.round()

    @property
    def view(self):  # type: ignore[no-untyped-def]
        return self.app.view

    @property
    def desk(self):  # type: ignore[no-untyped-def]
        return self.app.controller.desk

    @property
    def alerts(self) -> list[Alert]:
        return [effect for effect in self.source.done if isinstance(effect, Alert)]

    @property
    def sounds(self) -> list[str]:
        return [effect.name for effect in self.source.done if isinstance(effect, Sound)]

    def stored(self, epoch: int | None = None) -> list[Event]:
        """What the journal holds of the last match, or of *epoch*."""
        return [event for event, _ in events_of(self.journal.entries(epoch or self.journal.epochs()[-1]))]

    # -- hands ----------------------------------------------------------------------------------------------------

    def tap(self, what: str, value: Any = None) -> None:
        """A finger in the middle of a target, as a pixel of the glass."""
        found = [each for each in self.app.canvas.targets if each.what == what and value in (None, each.value)]
        assert found, f"{what} {value} is not on {self.view.screen}: {[each.what for each in self.app.canvas.targets]}"
        left, top, wide, high = found[0].box
        spot = self.app.window.pixel_of(left + wide / 2, top + high / 2, self.app.settings.touch_rotation)
        self.source.t += 0.4
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=spot, touch=True))
        self.round()

    def press(self, seat: str, button: str = "pass", after: float = 1.0) -> None:
        self.source.t += after
        self.give(Pressed(self.source.t, seat, button))

    def passes(self, seats: str) -> None:
        for seat in seats:
            self.press(seat)

    def lay(self, seat: str, text: str, after: float = 2.0) -> None:
        self.source.t += after
        touched = self.source.t
        self.source.inputs.put(Seen(Touched(touched, seat)))
        self.source.t += 1.0
        cards = tuple(seen(each) for each in text.split())
        self.give(Seen(Laid(self.source.t + 0.3, seat, cards, touched, 3, True, self.source.t)))

    def lift(self, seat: str, text: str) -> None:
        self.source.t += 1.0
        self.give(Seen(Removed(self.source.t, seat, tuple(seen(each) for each in text.split()), True)))

    def cover(self, seconds: float) -> None:
        since = self.source.t
        self.source.t += 0.6
        self.give(Seen(Covered(self.source.t, since)))
        self.wait(seconds)
        self.give(Seen(Uncovered(self.source.t)))
        self.wait(0.5)

    def direct(self, do: str, **data: Any) -> None:
        self.source.t += 1.0
        self.give(Directed(self.source.t, do, data))

    def line(self, state: str) -> None:
        self.give(Linked(self.source.t, state, 0, self.source.t, "12"))

    def score(self, order: str, touches: bool = True) -> None:
        """A deal scored without the camera, by five touches."""
        self.tap("score_only")
        for seat in order:
            self.tap("pick", seat)
        self.tap("pick_done")

    def close(self) -> None:
        self.journal.close()
        pygame.display.quit()
