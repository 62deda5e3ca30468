"""The picture of the demo that stands in the README: ``python -m table.portrait docs/screens/demo.png``.

It is the demo itself, models and all, stopped at a full trick.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import tempfile
from pathlib import Path

from table.demo import stage
from table.journal import Journal

SIZE = (1661, 720)
ROUNDS = 40_000
"""Rounds of the loop after which no trick was full enough, and what there is has to do."""


def paint(path: Path, language: str, profile: str, seed: int) -> None:
    """Play the demo until a trick fills the table, and keep that picture."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    import pygame

    with tempfile.TemporaryDirectory() as folder, contextlib.closing(Journal(Path(folder) / "a.journal")) as journal:
        app = stage(journal, seed, profile, language)
        pygame.display.set_mode(SIZE, pygame.RESIZABLE)
        full = 0
        for _ in range(ROUNDS):
            app.turn()
            view = app.view
            laid = [seat for seat in view.seats.values() if len(seat.cards) >= 3 and seat.ask is None]
            full = full + 1 if len(laid) >= 3 and view.notice is None and view.turn is not None else 0
            if full >= 90:
                break
        app.held = False
        app.turn()
        pygame.image.save(app.window.surface, str(path))
        app.source.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--lang", default="zh", choices=("zh", "en"))
    parser.add_argument("--profile", default="championship", choices=("friendly", "championship"))
    parser.add_argument("--seed", type=int, default=11)
    args = parser.parse_args()
    paint(args.path, args.lang, args.profile, args.seed)


if __name__ == "__main__":
    main()
