"""A play is put right: the card that was misread, then what it really is. The eye's own second thoughts stand first."""

from __future__ import annotations

from engine.cards import Card
from table.screens import cards, frame
from table.screens.canvas import Box, Canvas
from table.screens.frame import Button
from table.view import Correction, TableView
from table.words import Words

CELL = 10.05
"""A cell of the grid, and of the play: the least that a finger hits."""
SUITS = ("S", "H", "C", "D")
ORDER = "A23456789TJQK"
PLACE = Correction("N", ())


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the play in question and all 54 cards."""
    shown = view.correction or PLACE
    colours, tall = canvas.theme.colours, canvas.theme.tall
    seat = words(f"seat.{shown.seat}")
    key = "correct.which" if shown.at is None else "correct.missing" if shown.at < 0 else "correct.is"
    canvas.text(words(key, seat=seat), (4, 1.5, canvas.width - 8, 7), 5.5, colours["text"], bold=True)
    columns = 8 if tall else 14
    rows = 7 if tall else 4
    wide = columns * CELL
    left = (canvas.width - wide) / 2
    _play(canvas, view, shown, words, (left, 10.0, wide, 40.0 if tall else 14.6))
    buttons = [Button(words("menu.close"), "close"), Button(words("correct.add"), "missing", shown.seat)]
    if shown.at is not None and shown.at >= 0 and len(shown.cards) > 1:
        buttons.append(Button(words("correct.drop"), "not_there"))
    # A short screen that a player at its side sees upright has no room for a second row.
    low = frame.foot(canvas, buttons, 44.0, 3 if canvas.height < 150.0 else None)
    top = 52.0 if tall else 26.6
    pitch = min(11.6, (low - top) / rows)
    with canvas.faded(0.45 if shown.at is None else 1.0):
        _cells(canvas, view, shown, (left, top, wide, pitch), tall)


def _cells(canvas: Canvas, view: TableView, shown: Correction, box: Box, tall: bool) -> None:
    """All cards, the eye's own second thoughts framed."""
    columns = 8 if tall else 14
    left, top, _, pitch = box
    for place, card in enumerate(_grid(tall)):
        if card is None:
            continue
        row, column = divmod(place, columns)
        spot = (left + column * CELL + 0.35, top + row * pitch + 0.35, CELL - 0.7, min(pitch, CELL + 0.6) - 0.7)
        liked = shown.at is not None and card in shown.candidates
        cards.face(canvas, card, spot, four_colours=view.four_colours, level=view.level)
        if liked:
            canvas.frame((spot[0] - 0.5, spot[1] - 0.5, spot[2] + 1, spot[3] + 1), canvas.theme.side(shown.seat),
                             radius=1.8, thick=0.9)  # fmt: skip
        if shown.at is not None:
            canvas.touch(spot, "candidate", card.name)


def _play(canvas: Canvas, view: TableView, shown: Correction, words: Words, box: Box) -> None:
    """The play as it lies, the card in question framed; behind it what else the eye thought."""
    accent = canvas.theme.side(shown.seat)
    columns = int((box[2] + 0.01) / CELL)
    left, top = box[0], box[1]
    for at, card in enumerate(shown.cards):
        row, column = divmod(at, columns)
        spot = (left + column * CELL, top + row * 15.4, CELL, 14.0)
        inner = (spot[0] + 0.3, spot[1], CELL - 0.6, 13.2)
        cards.row(canvas, [card], inner, height=13.2, level=view.level, four_colours=view.four_colours,
                  dim=shown.at is not None and shown.at != at)  # fmt: skip
        if at == shown.at:
            canvas.panel((spot[0] + 1.5, spot[1] + 13.8, CELL - 3, 0.9), accent, radius=0.4)
        canvas.touch(spot, "card", (shown.seat, at))
    used = len(shown.cards) % columns if len(shown.cards) > columns else len(shown.cards)
    row = len(shown.cards) // columns if len(shown.cards) > columns else 0
    room = columns - used - 1
    for number, card in enumerate(shown.candidates[: max(0, room)]):
        spot = (left + (columns - 1 - number) * CELL + 0.35, top + row * 15.4 + 1.4, CELL - 0.7, CELL)
        cards.face(canvas, card, spot, four_colours=view.four_colours, level=view.level)
        canvas.frame((spot[0] - 0.3, spot[1] - 0.3, spot[2] + 0.6, spot[3] + 0.6), accent, radius=1.6, thick=0.7)
        canvas.touch((spot[0], spot[1], spot[2], spot[3]), "candidate", card.name)


def _grid(tall: bool) -> list[Card | None]:
    """The 54 cards: a suit a row on a lying screen, two ranks a row on a standing one; None leaves a place empty."""
    jokers = [Card.parse("SB"), Card.parse("HR")]
    if tall:
        return [*(Card.parse(suit + rank) for rank in ORDER for suit in SUITS), *jokers]
    found: list[Card | None] = []
    for place, suit in enumerate(SUITS):
        found += [Card.parse(suit + rank) for rank in ORDER]
        found.append(jokers[place] if place < 2 else None)
    return found
