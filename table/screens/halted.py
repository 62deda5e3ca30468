"""Play is halted: a referee was called, or the table paused. Clocks stand, cards lie."""

from __future__ import annotations

from table.screens import frame
from table.screens.canvas import Canvas
from table.screens.frame import Button
from table.screens.playing import clock_text
from table.view import TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the halt: two calm lines, who is coming, and the way on."""
    colours, wide, margin = canvas.theme.colours, canvas.width, canvas.theme.margin
    kind = kind_of(view)
    low = frame.foot(canvas, ways_on(canvas, view, words), widest=60.0)
    middle = (low + margin) / 2 - 4
    radius = 13.0
    canvas.ring(wide / 2, middle - 16, radius, 0.0, colours["quiet"])
    for offset in (-3.2, 3.2):
        canvas.panel((wide / 2 + offset - 1.3, middle - 21.5, 2.6, 11.0), colours["text"], radius=1.1)
    room = wide - 2 * margin
    canvas.text(head(view, words), (margin, middle + 1, room, 12), 11.0, colours["text"], bold=True)
    lines = canvas.wrapped(words(f"halted.{kind}2"), room, 8.0)
    for place, line in enumerate(lines):
        canvas.text(line, (margin, middle + 13.5 + place * 9.4, room, 9), 8.0, colours["quiet"])
    below = middle + 13.5 + len(lines) * 9.4 + 1
    if kind == "called" and view.venue.referee is not None:
        state, who = view.venue.referee
        key = f"halted.{'comes' if state == 'take' else 'later'}"
        spare = room - canvas.measure(words(key, who=""), 8.0, True)
        text = words(key, who=canvas.cut(who or words("halted.somebody"), spare - 1.0, 8.0, True))
        canvas.text(text, (margin, below, room, 9), 8.0, colours["north_south"], bold=True)
    elif view.match_clock is not None:
        left = clock_text(view.match_clock.left(now) or 0.0)
        canvas.paragraph(words("halted.kept", left=left), (margin, below, room, 16.0), 5.5, colours["quiet"])


def head(view: TableView, words: Words) -> str:
    """What has happened; a call that nobody hears of is none yet."""
    kind = kind_of(view)
    aloud = kind == "called" and view.venue.referee is None and not view.venue.hears
    return words(f"halted.{'aloud' if aloud else kind}1")


def kind_of(view: TableView) -> str:
    """Why play stands: a referee was ``called``, the ``hall`` has paused, or the table is ``paused``."""
    return "hall" if view.halt != "called" and view.waits_for_hall else view.halt or "paused"


def ways_on(canvas: Canvas, view: TableView, words: Words) -> list[Button]:
    """How play goes on from here; with the hall, by no tap."""
    kind = kind_of(view)
    if kind == "hall":
        return []
    if kind == "called":
        return [Button(words("halted.back"), "resume")]
    return [Button(words("halted.resume"), "resume", None, canvas.theme.colours["north_south"])]
