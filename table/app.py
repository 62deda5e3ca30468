"""The window: draws what the controller shows, and carries touches, pads and what the eye notices to it.

Drawing has a thread of its own for nothing: it is the main thread, and it sleeps until there is something new. Camera
and eye work on another; the journal on a third. A view is drawn only once the events before it are on disk.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import numpy as np
import pygame

from engine.errors import GuandanError
from table import diagnosis
from table.controller import Controller
from table.effects import Append, Effect, MakeBundle, NewCode, Show
from table.evidence import Recorder
from table.inputs import Bundled, Coded, Input, Measured, Pressed, Tapped
from table.inset import Inset
from table.journal import Ticket
from table.ledger import Ledger
from table.screens.canvas import Canvas
from table.settings import Settings, hashed, keep_hashed, save
from table.sources import Failed
from table.sync import Link
from table.view import TableView
from table.window import Size, Window
from table.words import Words

PADS = {
    pygame.K_UP: "N", pygame.K_RIGHT: "E", pygame.K_DOWN: "S", pygame.K_LEFT: "W",
    pygame.K_n: "N", pygame.K_e: "E", pygame.K_s: "S", pygame.K_w: "W",
}  # fmt: skip
"""Keys that stand for the four pass pads; with shift they report, with control they confirm."""
TOUCH_SLEEP = 0.012
"""Seconds between two looks for touches while nothing moves; whatever comes from pads or the eye wakes at once."""
MOVING_SLEEP = 1 / 60
MEASURED_EVERY = 1.0
"""Seconds between two looks at the machine while the diagnostics are open."""
FAREWELL = 1.6
"""Seconds for which a demo that ends says how to go on."""
QUICK_DISK = 0.004
"""Seconds for which a new picture is held back for the disk's answer."""
DISK_WAIT = 3.0
"""Seconds without an answer from the disk before the window says so."""


class Source(Protocol):
    """Where inputs come from besides the window: a camera with its eye, real or virtual."""

    inputs: queue.SimpleQueue[Input]
    lock: threading.Lock
    """Held while the controller works: people of a virtual table look at its desk."""
    failed: Failed

    def now(self) -> float: ...
    def told(self, effects: list[Effect]) -> None: ...
    def picture(self) -> np.ndarray | None: ...
    def pause(self, still: bool) -> None: ...
    def stop(self) -> None: ...


class App:
    """One window on one controller.

    *demo* adds the inset with the camera's picture: newcomers see cards being laid and read. Never on a real table.
    """

    def __init__(
        self,
        controller: Controller,
        ledger: Ledger,
        source: Source,
        language: str = "zh",
        demo: bool = False,
        fullscreen: bool = False,
        title: str = "Guandan",
        size: Size | None = None,
        settings_path: Path | None = None,
    ) -> None:
        """*settings_path* is where the screen's settings are kept; without it *language* and the rest last a run."""
        self.controller, self.ledger, self.source = controller, ledger, source
        if settings_path is None or not settings_path.exists():
            glass = controller.desk.glass
            glass.settings = replace(glass.settings, language=language if language in ("zh", "en") else "zh")
        self.settings_path = settings_path
        self.settings: Settings = controller.desk.glass.settings
        self.words = Words(self.settings.language)
        pygame.display.init()
        pygame.font.init()
        self.inset = Inset() if demo else None
        self.window = Window(title, size, demo, fullscreen, self.settings.rotation)
        self.view: TableView = controller.view
        self._effects: deque[tuple[Ticket | None, float, Effect]] = deque()
        self._slow = False
        self.machine: Callable[[], Sequence[str]] = tuple
        """Troubles of the machine that the screen says, by the keys of :mod:`table.screens.trouble`."""
        self.deck_lost: Callable[[], bool] = lambda: False
        """Whether the venue's own deck lies aside and cards are read as common ones."""
        self.bundle: Callable[[], Path] | None = None
        """Writes the one file that helps from afar and says where; OSError where it cannot."""
        self._drawn: tuple[object, ...] = ()
        self.frames = 0
        self.running = True
        self.held = False
        self.touched_at: float | None = None
        self._measured_at = -1e9
        self.link: Link | None = None
        """The line to a venue, where there is one."""
        self.evidence: Recorder | None = None
        """What keeps pictures of alerts, where the profile lets it."""

    @property
    def canvas(self) -> Canvas:
        """Where the view is drawn: its targets are what can be touched."""
        return self.window.canvas

    # -- the loop -------------------------------------------------------------------------------------------------

    def run(self, seconds: float | None = None, until: Callable[[], bool] | None = None) -> None:
        """Work until the window is closed, for *seconds*, or *until* says so; a dead camera thread ends it."""
        end = None if seconds is None else time.monotonic() + seconds
        try:
            while self.running and self.source.failed.error is None:
                self.turn()
                if not self.running and self.inset is not None:
                    self._farewell()
                if (end is not None and time.monotonic() > end) or (until is not None and until()):
                    break
        finally:
            self.source.stop()
            pygame.display.quit()

    def turn(self) -> None:
        """Take in what has come, carry out what is due, draw if anything changed, then sleep a little."""
        for event in pygame.event.get():
            self._event(event)
        while not self.source.inputs.empty():
            self.take(self.source.inputs.get())
        self._measure()
        self._carry_out()
        if self._effects:  # a disk that answers at once saves the drawing of a picture that is already old
            receipt = self._effects[0][0]
            if receipt is not None and receipt.look(QUICK_DISK):
                self._carry_out()
        moving = self._draw()
        self._sleep(MOVING_SLEEP if moving else TOUCH_SLEEP)

    def _sleep(self, seconds: float) -> None:
        """Until something is to be done: the disk has answered, an input has come, or the time is over."""
        waits = self._effects[0][0] if self._effects else None
        if waits is not None and not waits.done:
            waits.look(seconds)
            return
        with contextlib.suppress(queue.Empty):
            self.take(self.source.inputs.get(timeout=seconds))

    def _measure(self) -> None:
        """While the diagnostics are open, the machine is looked at each second."""
        now = time.monotonic()
        if self.view.screen == "diagnosis" and now - self._measured_at >= MEASURED_EVERY:
            self._measured_at = now
            since = None if self.touched_at is None else now - self.touched_at
            self.take(Measured(self.source.now(), diagnosis.facts(self, since)))

    def take(self, given: Input) -> None:
        """Hand an input to the controller; its effects wait for the disk in their order."""
        with self.source.lock:
            try:
                effects = self.controller.handle(given)
            except GuandanError as refused:  # a directive that no longer applies
                if self.link is not None:
                    self.link.handled(given, refused.in_language(self.words.language))
                return
        if self.link is not None:
            self.link.language = self.words.language
            self.link.handled(given)
        if not effects:
            return
        receipt = self.ledger.put(effects)
        now = time.monotonic()
        self._effects.extend((receipt, now, effect) for effect in effects)

    def _carry_out(self) -> None:
        done: list[Effect] = []
        self._slow = False
        while self._effects:
            receipt, since, effect = self._effects[0]
            if receipt is not None and not receipt.done:
                self._slow = time.monotonic() - since > DISK_WAIT
                # A disk that takes nothing does not stop the game: it goes on, and the screen says that it is not kept.
                if self.ledger.trouble is None:
                    break
            if receipt is not None and receipt.error is not None:
                receipt.wait()
            self._effects.popleft()
            done.append(effect)
            if isinstance(effect, Show):
                self.view = effect.view
                self._set(effect.view.settings)
                self.hold()
            elif isinstance(effect, NewCode):
                self._keep(effect.code)
            elif isinstance(effect, MakeBundle):
                threading.Thread(target=self._bundle, name="bundle", daemon=True).start()
            elif isinstance(effect, Append) and self.inset is not None:
                self.inset.note(effect.event, self.words)
        if done:
            self.source.told(done)
            if self.link is not None:
                self.link.told(done)

    def _bundle(self) -> None:
        """Looking at the machine takes seconds: on a thread of its own."""
        path = ""
        with contextlib.suppress(OSError):
            path = str(self.bundle()) if self.bundle is not None else ""
        self.source.inputs.put(Bundled(self.source.now(), path))

    def _set(self, settings: Settings) -> None:
        """The screen is set otherwise: it is drawn so at once, and so the next time."""
        if settings == self.settings:
            return
        self.settings = settings
        self.words = Words(settings.language)
        self.window.rotation = settings.rotation
        if self.settings_path is not None:
            with contextlib.suppress(OSError):  # a disk that takes nothing stops no game
                save(self.settings_path, settings)

    def _keep(self, code: str) -> None:
        """The table's code, as a hash, beside its settings."""
        digest = hashed(code)
        if self.settings_path is not None:
            with contextlib.suppress(OSError):
                keep_hashed(self.settings_path.with_suffix(".code"), digest)
                save(self.settings_path, self.settings)
        self.source.inputs.put(Coded(self.source.now(), digest))

    def hold(self) -> None:
        """In a demo the robots wait while a visitor has halted the table."""
        if self.inset is not None:
            self.source.pause(self.held or self.view.overlaid or self.view.screen == "halted")

    # -- drawing --------------------------------------------------------------------------------------------------

    def _draw(self) -> bool:
        now = self.source.now()
        if self.inset is not None:
            self.window.inset = self.inset.open
        self.window.lay_out()
        picture = self.source.picture() if self.window.side is not None else None
        # What moves is drawn at each new instant; while a demo is held its clock stands, and so does the picture.
        instant = now if self.canvas.moving else int(now * 2)
        troubles = self._troubles()
        state = (id(self.view), instant, self.words.language, id(picture), self.window.size, self.window.rotation,
                 self.window.inset, self.held, troubles)  # fmt: skip
        if state == self._drawn:
            return False
        self._drawn = state
        self.window.draw(self.view, self.words, now, self.inset, picture, self.held, troubles)
        self.frames += 1
        return bool(self.canvas.moving)

    def _troubles(self) -> tuple[str, ...]:
        disk = self.ledger.trouble or ("slow" if self._slow else None)
        return (*((disk,) if disk else ()), *self.machine())

    def _farewell(self) -> None:
        """A demo that is closed says for a moment how to go on where it stands."""
        canvas, look = self.canvas, self.canvas.theme
        high = 15.0
        box = (look.margin, (canvas.height - high) / 2, canvas.width - 2 * look.margin, high)
        canvas.panel(box, look.colours["notice"], radius=3.0)
        inner = (box[0] + 4, box[1] + 1, box[2] - 8, high - 2)
        canvas.paragraph(self.words("demo.leaving"), inner, 5.5, look.colours["on_notice"], bold=True)
        self.window.show()
        pygame.time.wait(round(1000 * FAREWELL))

    # -- hands ----------------------------------------------------------------------------------------------------

    def _event(self, event: pygame.event.Event) -> None:
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type == pygame.MOUSEMOTION:
            pygame.mouse.set_visible(not getattr(event, "touch", False))  # whoever moves a mouse wants to see it
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            # One family of events: a finger comes as a mouse too, and only that is listened to.
            x, y = event.pos
            self.tap(x, y, bool(getattr(event, "touch", False)))
        elif event.type == pygame.KEYDOWN:
            self._key(event)

    def tap(self, x: int, y: int, touch: bool = False) -> None:
        """A finger or the mouse at a pixel of the window; a finger's pixel is turned as the touch panel is."""
        self.touched_at = time.monotonic()
        hit = self.window.hit(x, y, self.settings.touch_rotation if touch else 0)
        if hit is not None:
            self.take(Tapped(self.source.now(), hit.what, hit.value))

    def _key(self, event: pygame.event.Event) -> None:
        now = self.source.now()
        if event.key in PADS:
            button = (
                "report" if event.mod & pygame.KMOD_SHIFT else "confirm" if event.mod & pygame.KMOD_CTRL else "pass"
            )
            self.take(Pressed(now, PADS[event.key], button))
        elif event.key == pygame.K_r:
            self.take(Tapped(now, "call"))
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self.view.screen == "start":
            self.take(Tapped(now, "start"))
        elif event.key == pygame.K_l:
            self.take(Tapped(now, "set", "language"))
        elif event.key == pygame.K_4:
            self.take(Tapped(now, "four_colours"))
        elif event.key == pygame.K_c and self.inset is not None:
            self.inset.open = not self.inset.open
        elif event.key == pygame.K_SPACE and self.inset is not None:
            self.held = not self.held
            self.hold()
        elif event.key in (pygame.K_f, pygame.K_F11):
            self.window.toggle_fullscreen()
        elif event.key == pygame.K_q and self.inset is not None:
            self.running = False
        elif event.key == pygame.K_ESCAPE:
            self._escape(now)

    def _escape(self, now: float) -> None:
        """Back a step: out of an open page, out of full screen, out of the window."""
        if self.view.overlaid:
            self.take(Tapped(now, "close"))
        elif self.window.fullscreen:
            self.window.toggle_fullscreen()
        else:
            self.running = False


def welcome(language: str, title: str, inset: bool = False, fullscreen: bool = False, rotation: int = 0) -> None:
    """Open the window at once on a picture that says what is coming: models and journal take a moment."""
    pygame.display.init()
    Window(title, None, inset, fullscreen, rotation).draw(TableView(screen="loading"), Words(language), 0.0)
    pygame.event.pump()


UNSEEN = ("offscreen", "dummy", "evdev")
"""Video drivers that show nothing to anybody."""


class CannotShow(GuandanError):
    """There is no display to open a window on; *reason* is what the display's own library said, if it spoke."""

    def __init__(self, reason: str = "") -> None:
        super().__init__("no_window")
        self.reason = reason

    def in_language(self, language: str) -> str:
        """What is wrong and what to do, in ``zh`` or ``en``."""
        words = Words(language)
        return words("trouble.no_window", reason=self.reason or words("trouble.no_display"))


def check_display() -> None:
    """Make sure that a window can be opened, before anything slow begins.

    :raises CannotShow: when it cannot.
    """
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    wanted = os.environ.get("SDL_VIDEODRIVER")
    shown = wanted or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform == "linux" and not shown and not any(Path("/dev/dri").glob("card*")):
        raise CannotShow()
    try:
        pygame.display.init()
        driver, reason = pygame.display.get_driver(), ""
    except pygame.error as error:
        driver, reason = "", str(error)
    # Without a display the library may draw into nothing, which only helps those who asked for it.
    if not driver or (driver in UNSEEN and driver != wanted):
        pygame.display.quit()
        raise CannotShow(reason)
