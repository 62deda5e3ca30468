"""The one line over every screen while something of the machine needs a hand: never a verdict, never modal."""

from __future__ import annotations

from collections.abc import Sequence

from table.screens.canvas import Canvas
from table.words import Words

HIGH = 9.0
SHOWN = ("full", "readonly", "broken", "slow", "camera", "mat", "rebuilt", "clock")
"""What is said, the most urgent first; one line at a time."""


def draw(canvas: Canvas, troubles: Sequence[str], words: Words) -> None:
    """Draw the most urgent of *troubles* along the lower edge, if any."""
    told = next((key for key in SHOWN if key in troubles), None)
    if told is None:
        return
    colours, margin = canvas.theme.colours, canvas.theme.margin
    box = (margin, canvas.height - HIGH - 1.0, canvas.width - 2 * margin, HIGH)
    canvas.panel(box, colours["notice"], 1.5)
    canvas.text(
        words(f"trouble.{told}"), (box[0] + 2, box[1], box[2] - 4, box[3]), 5.0, colours["on_notice"], bold=True
    )
