"""Pictures of every screen, size and language, gathered on sheets: ``python -m table.screens.gallery docs/screens``.

With ``--single`` each screen is a picture of its own, ``SIZE/NAME.LANGUAGE.png``.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from table.screens.samples import NOW, views
from table.words import LANGUAGES, Words

SIZES = ("1280x720", "800x480", "720x1280")
ACROSS = 2400
"""Pixels that a sheet is wide."""
COLUMNS = {"1280x720": 5, "800x480": 5, "720x1280": 9}
GAP = 14
GROUND = 58


def pictures(size: str, language: str, names: Sequence[str] = ()) -> Iterator[tuple[str, np.ndarray]]:
    """Name and picture (rows, columns, BGR) of each screen, or of those in *names*."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    import pygame

    from table import screens
    from table.screens.canvas import Canvas
    from table.theme import theme

    canvas = Canvas(theme(*map(int, size.split("x"))))
    for name, view in views().items():
        if not names or name in names:
            view = replace(view, settings=replace(view.settings, language=language))
            screens.draw(canvas, view, Words(language), NOW)
            yield name, pygame.surfarray.array3d(canvas.surface).swapaxes(0, 1)[:, :, ::-1]


def sheet(shown: Sequence[tuple[str, np.ndarray]], columns: int) -> np.ndarray:
    """*shown* in rows on one picture."""
    wide = (ACROSS - GAP * (columns + 1)) // columns
    high = round(wide * shown[0][1].shape[0] / shown[0][1].shape[1])
    rows = -(-len(shown) // columns)
    whole = np.full((GAP + rows * (high + GAP), ACROSS, 3), GROUND, np.uint8)
    for place, (_, picture) in enumerate(shown):
        row, column = divmod(place, columns)
        top, left = GAP + row * (high + GAP), GAP + column * (wide + GAP)
        whole[top : top + high, left : left + wide] = cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA)
    return whole


def paint(
    folder: Path, languages: Sequence[str] = LANGUAGES, sizes: Sequence[str] = SIZES, names: Sequence[str] = (),
    single: bool = False,
) -> Iterator[Path]:  # fmt: skip
    """Draw the screens into *folder*; a path for each file that was written."""
    folder.mkdir(parents=True, exist_ok=True)
    for size in sizes:
        for language in languages:
            shown = list(pictures(size, language, names))
            if not single:
                path = folder / f"table-{size}.{language}.jpg"
                cv2.imwrite(str(path), sheet(shown, COLUMNS[size]), [cv2.IMWRITE_JPEG_QUALITY, 86])
                yield path
                continue
            (folder / size).mkdir(exist_ok=True)
            for name, picture in shown:
                path = folder / size / f"{name}.{language}.png"
                cv2.imwrite(str(path), picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])
                yield path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lang", choices=LANGUAGES)
    parser.add_argument("--size", choices=SIZES)
    parser.add_argument("--screen", action="append", default=[])
    parser.add_argument("--single", action="store_true")
    args = parser.parse_args()
    languages = (args.lang,) if args.lang else LANGUAGES
    for path in paint(args.folder, languages, (args.size,) if args.size else SIZES, args.screen, args.single):
        print(path)


if __name__ == "__main__":
    main()
