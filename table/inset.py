"""The demo's side column: what the camera sees, and what was read from it. Never on a real table."""

from __future__ import annotations

from collections import deque

import numpy as np
import pygame

from engine.cards import Card, parse_cards
from engine.events import Event
from table.screens import cards
from table.screens.canvas import Canvas
from table.words import Words

WIDE_MM = 46.0
LINES = 3
KEYS = (("key_space", "space"), ("arrows", "pads"), ("R", "r"), ("C", "c"), ("L", "l"), ("4", "4"), ("F", "f"),
        ("Q", "q"))  # fmt: skip
"""The keys of the demo and the words of what they do."""


class Inset:
    """The column at the right of the demo's window; ``open`` is toggled by a key."""

    def __init__(self) -> None:
        self.open = True
        self._lines: deque[tuple[str, tuple[Card, ...], str]] = deque(maxlen=LINES)

    def note(self, event: Event, words: Words) -> None:
        """An event has been read or pressed: keep the last few."""
        if event.do in ("play", "tribute", "return"):
            names = event.data.get("cards") or [event.data["card"]]
            self._lines.append((str(event.data.get("seat") or event.data["from"]), tuple(parse_cards(names)), ""))
        elif event.do == "pass":
            self._lines.append((str(event.data["seat"]), (), "pass"))

    def draw(
        self, canvas: Canvas, picture: np.ndarray | None, words: Words, held: bool, four_colours: bool, level: str
    ) -> None:
        """Draw the column on *canvas*, which is as wide as it."""
        canvas.begin()
        look = canvas.theme
        colours, wide = look.colours, canvas.width
        canvas.surface.fill(colours["raised"])
        head = words("demo.held" if held else "demo.camera")
        if held:
            canvas.panel((1.6, 1.6, wide - 3.2, 6.4), colours["notice"], radius=1.4)
        canvas.text(head, (3.0, 1.8, wide - 6, 6), 4.2, colours["on_notice" if held else "quiet"], bold=held,
                    align="centre" if held else "left")  # fmt: skip
        side = wide - 5
        self._picture(canvas, picture, (2.5, 8.8, side, side), words)
        foot = canvas.height - 4 * 5.2 - 1.2
        top = 8.8 + side + 1.4
        for place, (seat, laid, kind) in enumerate(reversed(self._lines)):
            box_top = top + place * 6.0
            if box_top + 5.4 > foot:
                break
            ink = look.side(seat)
            canvas.text(words(f"seat.{seat}"), (2.5, box_top, 5, 5.4), 4.2, ink, bold=True, align="left")
            if kind:
                canvas.text(words("play.pass"), (8.5, box_top, 30, 5.4), 4.0, colours["quiet"], align="left")
            else:
                cards.row(canvas, laid, (8.5, box_top, wide - 11, 5.4), align="left", height=5.4, level=level,
                          four_colours=four_colours)  # fmt: skip
        self._keys(canvas, words, held, foot)

    def _keys(self, canvas: Canvas, words: Words, held: bool, top: float) -> None:
        """The keys, two a row: what to press on a small plate, what it does beside it."""
        colours, half = canvas.theme.colours, (canvas.width - 5) / 2
        for place, (key, name) in enumerate(KEYS):
            left, line = 2.5 + place % 2 * half, top + place // 2 * 5.2
            said = words(f"demo.{key}") if key in ("key_space", "arrows") else key
            plate = max(4.6, canvas.measure(said, 3.0) + 2.0)
            lit = held and name == "space"
            canvas.panel((left, line + 0.3, plate, 4.4), colours["notice" if lit else "line"], radius=0.9)
            canvas.text(said, (left + 0.6, line + 0.3, plate - 1.2, 4.4), 3.0,
                        colours["on_notice" if lit else "text"])  # fmt: skip
            room = half - plate - 2.0
            canvas.text(words(f"demo.{name}"), (left + plate + 1.2, line, room, 5.0), 3.2,
                        colours["text" if lit else "quiet"], align="left")  # fmt: skip

    def _picture(
        self, canvas: Canvas, picture: np.ndarray | None, box: tuple[float, float, float, float], words: Words
    ) -> None:
        look = canvas.theme
        canvas.panel(box, look.colours["ground"], radius=1.2)
        if picture is None:
            canvas.text(words("demo.no_camera"), box, 3.6, look.colours["quiet"])
            return
        height, width = picture.shape[:2]
        spare = max(0, width - height) // 2
        square = np.ascontiguousarray(picture[:, spare : width - spare, ::-1])
        image = pygame.image.frombuffer(square.tobytes(), (square.shape[1], square.shape[0]), "RGB")
        size = (look.px(box[2]), look.px(box[3]))
        canvas.surface.blit(pygame.transform.smoothscale(image, size), (look.px(box[0]), look.px(box[1])))
