"""The demo's side column: what the camera sees, and what was read from it. Never on a real table."""

from __future__ import annotations

from collections import deque

import numpy as np
import pygame

from engine.cards import Card, parse_cards
from engine.events import Event
from table.screens import cards
from table.screens.canvas import Canvas
from table.theme import Theme
from table.words import Words

WIDE_MM = 46.0
LINES = 3


class Inset:
    """The column at the right of the demo's window; ``open`` is toggled by a key."""

    def __init__(self, look: Theme) -> None:
        self.look = look
        self.width = look.px(WIDE_MM)
        self.open = True
        self._lines: deque[tuple[str, tuple[Card, ...], str]] = deque(maxlen=LINES)
        surface = pygame.Surface((self.width, look.height))
        self._canvas = Canvas(look, surface)

    def note(self, event: Event, words: Words) -> None:
        """An event has been read or pressed: keep the last few."""
        if event.do in ("play", "tribute", "return"):
            names = event.data.get("cards") or [event.data["card"]]
            self._lines.append((str(event.data.get("seat") or event.data["from"]), tuple(parse_cards(names)), ""))
        elif event.do == "pass":
            self._lines.append((str(event.data["seat"]), (), "pass"))

    def draw(self, target: pygame.Surface, picture: np.ndarray | None, words: Words, held: bool) -> None:
        """Draw the column onto the right of *target*."""
        canvas, look = self._canvas, self.look
        canvas.begin()
        colours = look.colours
        canvas.surface.fill(colours["raised"])
        if not self.open:
            canvas.text(words("demo.camera") + " · C", (2, 2, WIDE_MM - 4, 6), 3.6, colours["faint"])
            target.blit(canvas.surface, (target.get_width() - self.width, 0))
            return
        canvas.text(words("demo.camera"), (2.5, 2, WIDE_MM - 5, 6), 3.9, colours["quiet"], align="left")
        side = WIDE_MM - 5
        self._picture(picture, 2.5, 8.6, side, words)
        top = 8.6 + side + 2.2
        for place, (seat, laid, kind) in enumerate(reversed(self._lines)):
            box_top = top + place * 6.0
            ink = look.side(seat)
            canvas.text(words(f"seat.{seat}"), (2.5, box_top, 5, 5.4), 4.2, ink, bold=True, align="left")
            if kind:
                canvas.text(words("play.pass"), (8.5, box_top, 30, 5.4), 4.0, colours["quiet"], align="left")
            else:
                cards.row(canvas, laid, (8.5, box_top, WIDE_MM - 11, 5.4), align="left", height=5.4)
        hints = [part.strip() for part in words("demo.hint").split("·")]
        foot = look.height_mm - 13.5
        for place, part in enumerate(hints):
            box = (2.5 + place % 3 * 14.2, foot + place // 3 * 5.2, 13.8, 4.6)
            canvas.text(part, box, 3.0, colours["text" if held and place == 0 else "faint"], align="left")
        target.blit(canvas.surface, (target.get_width() - self.width, 0))

    def _picture(self, picture: np.ndarray | None, left: float, top: float, side: float, words: Words) -> None:
        canvas, look = self._canvas, self.look
        box = (left, top, side, side)
        canvas.panel(box, look.colours["ground"], radius=1.2)
        if picture is None:
            canvas.text(words("demo.no_camera"), box, 3.6, look.colours["faint"])
            return
        height, width = picture.shape[:2]
        spare = max(0, width - height) // 2
        square = np.ascontiguousarray(picture[:, spare : width - spare, ::-1])
        image = pygame.image.frombuffer(square.tobytes(), (square.shape[1], square.shape[0]), "RGB")
        size = (look.px(side), look.px(side))
        canvas.surface.blit(pygame.transform.smoothscale(image, size), (look.px(left), look.px(top)))
