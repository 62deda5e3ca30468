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
from pathlib import Path
from typing import Protocol

import numpy as np
import pygame

from engine.errors import GuandanError
from table import screens
from table.controller import Controller
from table.effects import Append, Effect, Show
from table.inputs import Input, Pressed, Tapped
from table.inset import Inset
from table.journal import Ticket
from table.ledger import Ledger
from table.screens import trouble
from table.screens.canvas import Canvas
from table.sources import Failed
from table.sync import Link
from table.theme import theme
from table.view import TableView
from table.words import Words

PADS = {
    pygame.K_UP: "N", pygame.K_RIGHT: "E", pygame.K_DOWN: "S", pygame.K_LEFT: "W",
    pygame.K_n: "N", pygame.K_e: "E", pygame.K_s: "S", pygame.K_w: "W",
}  # fmt: skip
"""Keys that stand for the four pass pads; with shift they report, with control they confirm."""
TOUCH_SLEEP = 0.012
"""Seconds between two looks for touches while nothing moves; whatever comes from pads or the eye wakes at once."""
MOVING_SLEEP = 1 / 60
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
    ) -> None:
        self.controller, self.ledger, self.source = controller, ledger, source
        self.words = Words(language)
        pygame.display.init()
        pygame.font.init()
        look = theme()
        self.inset = Inset(look) if demo else None
        wide = look.width + (self.inset.width if self.inset else 0)
        self.fullscreen = fullscreen
        self.size = (wide, look.height)
        self.window = self._open(title)
        self.canvas = Canvas(look)
        self.whole = pygame.Surface(self.size)
        self.view: TableView = controller.view
        self._effects: deque[tuple[Ticket | None, float, Effect]] = deque()
        self._slow = False
        self.machine: Callable[[], Sequence[str]] = tuple
        """Troubles of the machine that the screen says, by the keys of :mod:`table.screens.trouble`."""
        self._drawn: tuple[object, ...] = ()
        self.frames = 0
        self.running = True
        self.held = False
        self.link: Link | None = None
        """The line to a venue, where there is one."""

    def _open(self, title: str) -> pygame.Surface:
        pygame.display.set_caption(title)
        desktop = pygame.display.get_desktop_sizes()[0]
        size = self.size
        if size[0] > desktop[0] or size[1] > desktop[1]:
            share = min(desktop[0] / size[0], desktop[1] * 0.92 / size[1])
            size = (int(size[0] * share), int(size[1] * share))
        flags = pygame.FULLSCREEN if self.fullscreen else pygame.RESIZABLE
        return pygame.display.set_mode((0, 0) if self.fullscreen else size, flags)

    # -- the loop -------------------------------------------------------------------------------------------------

    def run(self, seconds: float | None = None, until: Callable[[], bool] | None = None) -> None:
        """Work until the window is closed, for *seconds*, or *until* says so; a dead camera thread ends it."""
        end = None if seconds is None else time.monotonic() + seconds
        try:
            while self.running and self.source.failed.error is None:
                self.turn()
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

    def take(self, given: Input) -> None:
        """Hand an input to the controller; its effects wait for the disk in their order."""
        with self.source.lock:
            try:
                effects = self.controller.handle(given)
            except GuandanError as refused:  # a directive that no longer applies
                if self.link is not None:
                    self.link.handled(given, str(refused))
                return
        if self.link is not None:
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
                self.hold()
            elif isinstance(effect, Append) and self.inset is not None:
                self.inset.note(effect.event, self.words)
        if done:
            self.source.told(done)
            if self.link is not None:
                self.link.told(done)

    def hold(self) -> None:
        """In a demo the robots wait while a visitor has halted the table."""
        if self.inset is not None:
            self.source.pause(self.held or self.view.screen in ("halted", "menu", "score_only"))

    # -- drawing --------------------------------------------------------------------------------------------------

    def _draw(self) -> bool:
        now = self.source.now()
        picture = self.source.picture() if self.inset is not None and self.inset.open else None
        # What moves is drawn at each new instant; while a demo is held its clock stands, and so does the picture.
        instant = now if self.canvas.moving else int(now * 2)
        troubles = self._troubles()
        state = (
            id(self.view), instant, self.words.language, id(picture), self.window.get_size(), self.held, troubles
        )  # fmt: skip
        if state == self._drawn:
            return False
        self._drawn = state
        screens.draw(self.canvas, self.view, self.words, now)
        trouble.draw(self.canvas, troubles, self.words)
        self.frames += 1
        self.whole.blit(self.canvas.surface, (0, 0))
        if self.inset is not None:
            self.inset.draw(self.whole, picture, self.words, self.held)
        target = self.window.get_size()
        if target == self.size:
            self.window.blit(self.whole, (0, 0))
        else:
            place = self._placed()
            self.window.fill(theme().colours["ground"])
            self.window.blit(pygame.transform.smoothscale(self.whole, place.size), place.topleft)
        pygame.display.flip()
        return self.canvas.moving

    def _troubles(self) -> tuple[str, ...]:
        disk = self.ledger.trouble or ("slow" if self._slow else None)
        return (*((disk,) if disk else ()), *self.machine())

    def _placed(self) -> pygame.Rect:
        """Where the logical surface lies in a window of another size."""
        width, height = self.window.get_size()
        share = min(width / self.size[0], height / self.size[1])
        size = (max(1, round(self.size[0] * share)), max(1, round(self.size[1] * share)))
        return pygame.Rect(((width - size[0]) // 2, (height - size[1]) // 2), size)

    # -- hands ----------------------------------------------------------------------------------------------------

    def _event(self, event: pygame.event.Event) -> None:
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            # One family of events: a finger comes as a mouse too, and only that is listened to.
            self.tap(*event.pos)
        elif event.type == pygame.KEYDOWN:
            self._key(event)

    def tap(self, x: int, y: int) -> None:
        """A finger or the mouse at a pixel of the window."""
        place = self._placed()
        if not place.collidepoint(x, y):
            return
        share = place.width / self.size[0]
        px = theme().px_per_mm
        hit = self.canvas.hit((x - place.left) / share / px, (y - place.top) / share / px)
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
            turn = self.view.turn or "N"
            self.take(Pressed(now, turn, "call"))
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self.view.screen == "start":
            self.take(Tapped(now, "start"))
        elif event.key == pygame.K_l:
            self.words = Words("en" if self.words.language == "zh" else "zh")
        elif event.key == pygame.K_4:
            self.take(Tapped(now, "four_colours"))
        elif event.key == pygame.K_c and self.inset is not None:
            self.inset.open = not self.inset.open
        elif event.key == pygame.K_SPACE and self.inset is not None:
            self.held = not self.held
            self.hold()
        elif event.key in (pygame.K_f, pygame.K_F11):
            self.fullscreen = not self.fullscreen
            self.window = self._open(pygame.display.get_caption()[0])
        elif event.key == pygame.K_ESCAPE:
            if self.fullscreen:
                self.fullscreen = False
                self.window = self._open(pygame.display.get_caption()[0])
            else:
                self.running = False


UNSEEN = ("offscreen", "dummy", "evdev")
"""Video drivers that show nothing to anybody."""


class CannotShow(GuandanError):
    """There is no display to open a window on."""


def check_display() -> None:
    """Make sure that a window can be opened, before anything slow begins.

    :raises CannotShow: when it cannot.
    """
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    wanted = os.environ.get("SDL_VIDEODRIVER")
    shown = wanted or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform == "linux" and not shown and not any(Path("/dev/dri").glob("card*")):
        raise CannotShow(_no_window("there is no display"))
    try:
        pygame.display.init()
        driver, reason = pygame.display.get_driver(), "there is no display"
    except pygame.error as error:
        driver, reason = "", str(error)
    # Without a display the library may draw into nothing, which only helps those who asked for it.
    if not driver or (driver in UNSEEN and driver != wanted):
        pygame.display.quit()
        raise CannotShow(_no_window(reason))


def _no_window(reason: str) -> str:
    return f"no window can be opened here ({reason}): start it on a desktop or a screen, or use demo --headless"
