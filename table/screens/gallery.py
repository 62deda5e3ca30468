"""Pictures of every screen, size and language: ``python -m table.screens.gallery docs/screens [--size 800x480]``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from table.screens.samples import NOW, views
from table.words import LANGUAGES, Words

SIZES = ("1280x720", "800x480", "720x1280")


def paint(
    folder: Path, languages: Sequence[str] = LANGUAGES, sizes: Sequence[str] = SIZES, names: Sequence[str] = ()
) -> Iterator[Path]:
    """Draw the screens (those of *names*, or all) into ``folder/SIZE/NAME.LANGUAGE.png``."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    import cv2
    import pygame

    from table import screens
    from table.screens.canvas import Canvas
    from table.theme import theme

    for size in sizes:
        place = folder / size
        place.mkdir(parents=True, exist_ok=True)
        width, height = map(int, size.split("x"))
        canvas = Canvas(theme(width, height))
        for language in languages:
            for name, view in views().items():
                if names and name not in names:
                    continue
                view = replace(view, settings=replace(view.settings, language=language))
                screens.draw(canvas, view, Words(language), NOW)
                path = place / f"{name}.{language}.png"
                pixels = pygame.surfarray.array3d(canvas.surface).swapaxes(0, 1)
                cv2.imwrite(str(path), pixels[:, :, ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 9])
                yield path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lang", choices=LANGUAGES)
    parser.add_argument("--size", choices=SIZES)
    parser.add_argument("--screen", action="append", default=[])
    args = parser.parse_args()
    languages = (args.lang,) if args.lang else LANGUAGES
    for path in paint(args.folder, languages, (args.size,) if args.size else SIZES, args.screen):
        print(path)


if __name__ == "__main__":
    main()
