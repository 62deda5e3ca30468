"""Learning this venue's own deck: what to lay now, which of the 54 faces are still wanted, a question, the proof."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pygame

from engine.cards import SUITS, Card
from table.screens import cards, frame
from table.screens.canvas import Box, Canvas
from table.screens.frame import Button
from table.view import Learning, Proven, TableView
from table.words import Words

RANKS = "A23456789TJQK"
PLACES = {"show": 1, "jokers": 2, "prove": 3, "done": 3}
CROP = (84, 60, 3)
SIDE = 50.0
"""Width of what stands beside the grid on a lying screen."""


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw how far the enrolment has come, and what is wanted next."""
    learning, margin = view.learning or Learning(), canvas.theme.margin
    place = PLACES.get(learning.step)
    head = words("enrol.title")
    if place is not None and not learning.saved:
        key = "enrol.short" if canvas.theme.tall else "enrol.head"
        head = words(key, n=place, step=words(f"enrol.step{place}"))
    top = frame.title(canvas, head)
    low = frame.foot(canvas, _buttons(canvas, learning, words))
    wide = canvas.width - 2 * margin
    if learning.step == "match":
        canvas.paragraph(words("enrol.match"), (margin + 6, top, wide - 12, low - top), 6.0,
                         canvas.theme.colours["quiet"])  # fmt: skip
        return
    if canvas.theme.tall:
        high = min(low - top - 50.0, 62.0)
        said: Box = (margin + 1, top, wide - 2, 47.0)
        grid: Box = (margin, said[1] + said[3] + 2, wide, high)
    else:
        said = (canvas.width - margin - SIDE, top, SIDE, low - top)
        grid = (margin, top, wide - SIDE - 4, low - top)
    _grid(canvas, view, learning, words, grid)
    if learning.question is not None:
        _question(canvas, learning, words, said, view.four_colours)
    else:
        _said(canvas, learning, words, said)


def _buttons(canvas: Canvas, learning: Learning, words: Words) -> list[Button]:
    bright = canvas.theme.colours["north_south"]
    if learning.step == "match" or learning.saved:
        return [Button(words("menu.close"), "close", None, bright)]
    found = [Button(words("menu.close"), "close")]
    if learning.seen:
        found.append(Button(words("enrol.again"), "learn", "again"))
        proven = learning.step == "done"
        found.append(Button(words("enrol.save" if proven else "enrol.save_early"), "learn", "save",
                            bright if proven else None))  # fmt: skip
    return found


def _grid(canvas: Canvas, view: TableView, learning: Learning, words: Words, box: Box) -> None:
    """Every face of a deck: filled when it is known, an outline while it is wanted."""
    colours, gap = canvas.theme.colours, 0.9
    left, top, wide, high = box
    step, row = wide / (len(RANKS) + 1), high / 5
    for line, suit in enumerate(SUITS):
        red = suit in "HD"
        ink = canvas.theme.suit(suit, view.four_colours) if red else colours["text"]
        cards.pip(canvas, suit, (left, top + line * row, step, row - gap), ink)
        for place, rank in enumerate(RANKS):
            cell = (left + (place + 1) * step, top + line * row, step - gap, row - gap)
            card = Card.parse(suit + rank)
            text = "10" if rank == "T" else rank
            _cell(canvas, text, cell, card in learning.seen, canvas.theme.suit(suit, view.four_colours))
    for place, name in enumerate(("SB", "HR")):
        cell = (left + (1 + place * 4) * step, top + 4 * row, 4 * step - gap, row - gap)
        ink = canvas.theme.suit("H" if name == "HR" else "S", False)
        _cell(canvas, words(f"enrol.{name}"), cell, Card.parse(name) in learning.seen, ink)
    spot = (left + 9 * step, top + 4 * row, 5 * step - gap, row - gap)
    canvas.text(words("enrol.known", n=len(learning.seen)), spot, 5.0, colours["quiet"], align="right")


def _cell(canvas: Canvas, text: str, box: Box, known: bool, ink: tuple[int, int, int]) -> None:
    colours = canvas.theme.colours
    if known:
        canvas.panel(box, colours["card"], radius=1.0)
    else:
        canvas.panel(box, colours["ground"], radius=1.0, outline=colours["faint"])
    canvas.text(text, box, 4.6, ink if known else colours["quiet"], bold=known, touched=True)


def _said(canvas: Canvas, learning: Learning, words: Words, box: Box) -> None:
    """What to do now, what came of the last picture, and in the end how the proof went."""
    colours = canvas.theme.colours
    left, top, wide, high = box
    proof = learning.proof
    if learning.saved:
        half = high * 0.5
        canvas.paragraph(words("enrol.saved"), (left, top, wide, half), 6.5, colours["north_south"], bold=True)
        copy = words("enrol.copy", file=Path(learning.saved).name)
        canvas.paragraph(copy, (left, top + half, wide, high - half), 4.8, colours["quiet"])
        return
    proved = proof is not None and learning.said in ("proved", "unsaved") and not learning.busy
    below = high * 0.6 if proved else 9.0 if learning.busy or learning.said else 0.0
    canvas.paragraph(_wish(learning, words), (left, top, wide, high - below - 1), 6.0, colours["text"], align="left",
                     least=4.4)  # fmt: skip
    spot = (left, top + high - below, wide, below)
    if learning.busy:
        canvas.text(words("enrol.busy"), (left, spot[1], wide, 9.0), 5.5, colours["east_west"], bold=True, align="left")
    elif proved and proof is not None:
        _proof(canvas, proof, words, spot, learning.said)
    elif learning.said:
        text = words(f"enrol.{learning.said}", n=learning.count)
        canvas.paragraph(text, (left, spot[1], wide, below), 5.5, colours["north_south"], align="left", bold=True)


def _wish(learning: Learning, words: Words) -> str:
    """What is to be laid next."""
    if learning.step == "show" and learning.seen:
        return words("enrol.more", n=54 - len(learning.seen))
    return words(f"enrol.{learning.step}", n=learning.jokers)


def _proof(canvas: Canvas, proof: Proven, words: Words, box: Box, said: str) -> None:
    colours = canvas.theme.colours
    ink = colours["north_south" if proof.passed and said == "proved" else "east_west"]
    key = "unsaved" if said == "unsaved" else "passed" if proof.passed else "doubted" if proof.wrong else "failed"
    verdict = words(f"enrol.{key}")
    wrong = words("enrol.wrong", cards=" ".join(map(spoken, proof.wrong[:4]))) if proof.wrong else ""
    counts = words("enrol.proof", cards=proof.cards, right=proof.right, asked=proof.asked, wrong=len(proof.wrong))
    half = box[3] * 0.52
    canvas.paragraph(f"{counts} {wrong}".strip(), (box[0], box[1], box[2], half), 4.6, colours["quiet"], align="left")
    canvas.paragraph(verdict, (box[0], box[1] + half, box[2], box[3] - half), 5.5, ink, bold=True, align="left")


def spoken(card: Card) -> str:
    """``♠10``; a joker as it is notated."""
    if card.is_joker:
        return card.name
    return {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}[card.suit] + card.rank.replace("T", "10")


def _question(canvas: Canvas, learning: Learning, words: Words, box: Box, four_colours: bool) -> None:
    """The index that nobody could name, as the camera saw it, and what it may be."""
    assert learning.question is not None
    number, candidates = learning.question
    left, top, wide, _ = box
    canvas.text(words("enrol.question"), (left, top, wide, 8.0), 6.0, canvas.theme.colours["text"], bold=True,
                align="left")  # fmt: skip
    high = 23.2
    _crop(canvas, learning.crop, (left, top + 8.6, high * CROP[1] / CROP[0], high))
    start = left + high * CROP[1] / CROP[0] + 2.0
    spots = frame.grid((start, top + 8.6, left + wide - start, high), 3, 2, 1.6)
    for spot, card in zip(spots, candidates, strict=False):
        cards.face(canvas, card, spot, four_colours=four_colours)
        canvas.touch(spot, "learn", (number, card.name))
    frame.put(canvas, (left, top + 10.4 + high, wide, 10.6), Button(words("enrol.no_card"), "learn", (number, None)),
              size=5.0)  # fmt: skip


def _crop(canvas: Canvas, crop: bytes, box: Box) -> None:
    px = canvas.theme.px
    picture = np.frombuffer(crop, np.uint8)
    if picture.size != CROP[0] * CROP[1] * CROP[2]:
        return
    surface = pygame.surfarray.make_surface(picture.reshape(CROP)[:, :, ::-1].swapaxes(0, 1))
    canvas.surface.blit(pygame.transform.smoothscale(surface, (px(box[2]), px(box[3]))), (px(box[0]), px(box[1])))
