"""The picture of the first start: a code to scan, and that one tap goes past it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import pygame
import segno

from table.first_run import Answers, SetUp, address
from table.screens.canvas import Canvas
from table.window import Window
from table.words import Words

LOOK_S = 2.0
"""Seconds between two looks for a network."""
QUIET = 4


def draw(canvas: Canvas, words: Words, url: str | None) -> None:
    """Draw the code of *url*, or that there is no network to be found in."""
    colours, margin = canvas.theme.colours, canvas.theme.margin
    wide = canvas.width - 2 * margin
    canvas.begin()
    canvas.text(words("setup.scan"), (margin, margin, wide, 9), 8.0, colours["text"], bold=True)
    foot = canvas.height - margin - 6
    canvas.text(words("setup.skip"), (margin, foot, wide, 6), 5.0, colours["quiet"])
    if url is None:
        canvas.text(words("setup.network"), (margin, margin + 12, wide, foot - margin - 14), 6.0, colours["notice"])
        return
    canvas.text(words("setup.address", url=url), (margin, foot - 7, wide, 6), 5.0, colours["quiet"])
    code = segno.make(url, micro=False, error="m")
    modules = [list(row) for row in code.matrix_iter(border=QUIET)]
    room = canvas.theme.px(min(wide, foot - 7 - margin - 12))
    scale = max(1, room // len(modules))
    side = scale * len(modules)
    left, top = (canvas.surface.get_width() - side) // 2, canvas.theme.px(margin + 11)
    pygame.draw.rect(canvas.surface, (255, 255, 255), (left, top, side, side))
    for y, row in enumerate(modules):
        for x, black in enumerate(row):
            if black:
                pygame.draw.rect(canvas.surface, (0, 0, 0), (left + x * scale, top + y * scale, scale, scale))


def run(
    apply: Callable[[Answers], None],
    language: str,
    fullscreen: bool,
    host: Callable[[], str | None] = address,
    now: Callable[[], float] = time.monotonic,
    beat: Callable[[], None] = lambda: None,
    venues: Callable[[], Sequence[str]] = tuple,
) -> bool:
    """Show the code until the page was filled in, or somebody taps; whether it was filled in. *beat* is called in every
    round: the machine's watchdog waits here as well. *venues* looks for venues to offer."""
    pygame.display.init()
    pygame.font.init()
    window, words = Window("Guandan", fullscreen=fullscreen), Words(language)
    setup = SetUp(apply, language, venues=venues)
    shown: object = 0
    looked = -LOOK_S
    try:
        while not setup.done.is_set():
            for event in pygame.event.get():
                if event.type in (pygame.MOUSEBUTTONDOWN, pygame.KEYDOWN, pygame.QUIT):
                    return False
            if now() - looked >= LOOK_S:
                looked, found = now(), host()
                url = setup.url(found) if found is not None else None
                if window.lay_out() or url != shown:
                    shown = url
                    draw(window.canvas, words, url)
                    window.show()
            beat()
            setup.done.wait(0.05)
        return True
    finally:
        setup.close()
