"""The window on the glass: its size, how it is turned, where a finger lands. It draws what it is given, knows no game.

Everything is laid out anew for the size that the window has: nothing is stretched, nothing left over at the edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pygame

from table import screens
from table.inset import WIDE_MM, Inset
from table.screens import trouble
from table.screens.canvas import Canvas, Target
from table.theme import theme
from table.view import TableView
from table.words import Words

Size = tuple[int, int]
LEAST: Size = (320, 200)
QUARTERS = {0: 0, 90: 1, 180: 2, 270: 3}


class Window:
    """One window; *size* is used as it is, otherwise the usual display's, or what the desktop has room for."""

    def __init__(
        self, title: str, size: Size | None = None, inset: bool = False, fullscreen: bool = False, rotation: int = 0
    ) -> None:
        self.title, self.inset, self.fullscreen, self.rotation = title, inset, fullscreen, rotation
        self._wanted = size
        self.surface = self._open()
        self.canvas = Canvas(theme())
        self.side: Canvas | None = None
        self.strip: Canvas | None = None
        """Where a trouble of the machine is said; the screen is laid out above it."""
        self.troubled = False
        self.whole = pygame.Surface((1, 1))
        self._laid_out: tuple[object, ...] = ()
        self.lay_out()

    def _open(self) -> pygame.Surface:
        pygame.display.set_caption(self.title)
        pygame.mouse.set_visible(not self.fullscreen)  # an arrow in the middle of a table's screen is nobody's
        if self.fullscreen:
            return pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
        if self._wanted is not None:
            return pygame.display.set_mode(self._wanted, pygame.RESIZABLE)
        look = theme()
        size = (look.width + (look.px(WIDE_MM) if self.inset else 0), look.height)
        if self.rotation in (90, 270):
            size = size[::-1]
        desktop = pygame.display.get_desktop_sizes()[0]
        if size[0] > desktop[0] or size[1] > desktop[1]:
            share = min(desktop[0] / size[0], desktop[1] * 0.92 / size[1])
            size = (int(size[0] * share), int(size[1] * share))
        return pygame.display.set_mode(size, pygame.RESIZABLE)

    def toggle_fullscreen(self) -> None:
        self.fullscreen = not self.fullscreen
        self.surface = self._open()
        self.lay_out()

    @property
    def size(self) -> Size:
        return self.surface.get_size()

    def lay_out(self) -> bool:
        """Fit the canvases to the window; whether anything had changed."""
        current = pygame.display.get_surface()
        if current is not None:
            self.surface = current
        state = (self.size, self.rotation, self.inset, self.troubled)
        if state == self._laid_out:
            return False
        self._laid_out = state
        width, height = (max(part, least) for part, least in zip(self.size, LEAST, strict=True))
        if self.rotation in (90, 270):
            width, height = height, width
        self.whole = pygame.Surface((width, height))
        beside = self.inset and width > height
        usual = theme()
        wide = round(width * WIDE_MM / (usual.width_mm + WIDE_MM)) if beside else 0
        room = theme(width - wide, height)
        high = room.px(trouble.HIGH) if self.troubled else 0
        left = theme(width - wide, height - high)
        self.canvas = Canvas(left, self.whole.subsurface((0, 0, left.width, left.height)))
        self.strip = None
        if high:
            under = (0, left.height, left.width, high)
            self.strip = Canvas(replace(room, height=high), self.whole.subsurface(under))
        if beside:
            look = theme(wide, height)
            # The column is as wide as its millimetres say, however tall the window is.
            look = replace(look, px_per_mm=wide / WIDE_MM)
            self.side = Canvas(look, self.whole.subsurface((width - wide, 0, wide, height)))
        else:
            self.side = None
        return True

    # -- drawing --------------------------------------------------------------------------------------------------

    def draw(
        self, view: TableView, words: Words, now: float, inset: Inset | None = None,
        picture: np.ndarray | None = None, held: bool = False, troubles: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """Draw *view*, under it what troubles the machine, and beside it the demo's column where there is one."""
        told = trouble.most_urgent(troubles)
        self.troubled = told is not None
        self.lay_out()
        screens.draw(self.canvas, view, words, now)
        if told is not None and self.strip is not None:
            trouble.draw(self.strip, told, words)
        if self.side is not None:
            if inset is not None:
                inset.draw(self.side, picture, words, held, view.four_colours, view.level)
            else:
                self.side.surface.fill(self.side.theme.colours["raised"])
        self.show()

    def show(self) -> None:
        """Put the picture on the glass, turned as the display hangs."""
        shown = self.whole
        if self.rotation:
            shown = pygame.transform.rotate(shown, -self.rotation)
        self.surface.blit(shown, (0, 0))
        pygame.display.flip()

    # -- hands ----------------------------------------------------------------------------------------------------

    def hit(self, x: float, y: float, touch_rotation: int = 0) -> Target | None:
        """What lies under a finger or the mouse at a pixel of the window; *touch_rotation* is the touch panel's."""
        at = self.place(x, y, touch_rotation)
        px = self.canvas.theme.px_per_mm
        if not (0 <= at[0] < self.canvas.theme.width and 0 <= at[1] < self.canvas.theme.height):
            return None
        return self.canvas.hit(at[0] / px, at[1] / px)

    def place(self, x: float, y: float, touch_rotation: int = 0) -> tuple[float, float]:
        """The pixel of the unturned picture at a pixel that the window was touched at."""
        width, height = self.size
        across, down = _turned((x + 0.5) / width, (y + 0.5) / height, QUARTERS[touch_rotation])
        across, down = _turned(across, down, -QUARTERS[self.rotation])
        return across * self.whole.get_width() - 0.5, down * self.whole.get_height() - 0.5

    def pixel_of(self, x: float, y: float, touch_rotation: int = 0) -> tuple[int, int]:
        """Where a finger must land for the millimetre (*x*, *y*) of the canvas: the way back of :meth:`place`."""
        px = self.canvas.theme.px_per_mm
        across, down = (x * px + 0.5) / self.whole.get_width(), (y * px + 0.5) / self.whole.get_height()
        across, down = _turned(across, down, QUARTERS[self.rotation])
        across, down = _turned(across, down, -QUARTERS[touch_rotation])
        return round(across * self.size[0] - 0.5), round(down * self.size[1] - 0.5)


def _turned(across: float, down: float, quarters: int) -> tuple[float, float]:
    """A place in the unit square after *quarters* turns clockwise."""
    for _ in range(quarters % 4):
        across, down = 1.0 - down, across
    return across, down
