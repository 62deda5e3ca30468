"""Training mode's whole explanation: what the last play is, whether it beats, what may follow."""

from __future__ import annotations

from table.screens import frame
from table.screens.canvas import Canvas
from table.screens.frame import Button
from table.view import Lesson, TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the sentences that belong to the last play."""
    colours, margin = canvas.theme.colours, canvas.theme.margin
    top = frame.title(canvas, words("lesson.title"))
    low = frame.foot(canvas, [Button(words("menu.close"), "close", None, colours["north_south"])])
    said = sentences(view.lesson, words, view.level)
    high = (low - top - 2) / max(1, len(said))
    for place, text in enumerate(said):
        box = (margin + 5, top + place * high, canvas.width - 2 * margin - 10, high)
        canvas.paragraph(text, box, 6.0, colours["text" if place < 2 else "quiet"], align="left")


def sentences(lesson: Lesson | None, words: Words, level: str) -> list[str]:
    """The lesson in sentences."""
    if lesson is None:
        return [words("lesson.empty")]
    seat = words(f"seat.{lesson.seat}")
    play = words.combination(*lesson.play) if lesson.play else ""
    over = words.combination(*lesson.over) if lesson.over else ""
    found = [words(f"lesson.{lesson.verdict}_long", seat=seat, play=play, over=over)]
    kind = (lesson.play or lesson.over or ("single", 1, None))[0]
    found.append(words(f"lesson.what_{kind}"))
    standing = lesson.play if lesson.verdict in ("led", "beats") else lesson.over
    if standing is not None and lesson.next is not None:
        found.append(words("lesson.may", seat=words(f"seat.{lesson.next}"), over=words.combination(*standing)))
    if lesson.wild:
        found.append(words("lesson.wild", rank=words.rank(level)))
    return found
