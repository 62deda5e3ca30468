"""The one notice under every screen while something of the machine needs a hand: never a verdict, never modal.

The screen above it is laid out in what room is left, so that nothing to touch or to read lies beneath.
"""

from __future__ import annotations

from collections.abc import Sequence

from table.screens.canvas import Canvas
from table.words import Words

HIGH = 12.5
SHOWN = ("full", "readonly", "broken", "slow", "camera", "mat", "rebuilt", "deck", "clock")
"""What is said, the most urgent first; one line at a time."""


def most_urgent(troubles: Sequence[str]) -> str | None:
    """Which of *troubles* is said; None when there is nothing to say."""
    return next((key for key in SHOWN if key in troubles), None)


def draw(canvas: Canvas, told: str, words: Words) -> None:
    """Fill *canvas*, the strip under the screen, with what is to be said."""
    colours, margin = canvas.theme.colours, canvas.theme.margin
    canvas.begin()
    box = (margin, 0.0, canvas.width - 2 * margin, canvas.height - 1.0)
    canvas.panel(box, colours["notice"], 1.5)
    inner = (box[0] + 2, box[1] + 0.5, box[2] - 4, box[3] - 1)
    canvas.paragraph(words(f"trouble.{told}"), inner, 5.0, colours["on_notice"], bold=True)
