"""Pictures of every screen, for the documents: ``python -m table.screens.gallery docs/screens [--lang zh|en]``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.cards import Card, parse_cards
from table.view import Ask, Clock, DealResult, SeatView, TableView
from table.words import LANGUAGES, Words

NOW = 100.0


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(parse_cards(text))


def _seat(seat: str, text: str = "", **more: object) -> SeatView:
    return replace(SeatView(seat, cards=_cards(text)), **more)  # type: ignore[arg-type]


def views() -> dict[str, TableView]:
    """One view for each picture, by the picture's name."""
    play = TableView(
        screen="playing", profile="championship", levels={"NS": "8", "EW": "5"}, on_stage="NS", level="8", deal=6,
        seats={
            "N": _seat("N", "S6 C6 H6 D4 S4", combination=("full_house", 5, "6"), beaten=True),
            "W": _seat("W", "SJ HJ DJ D9 C9", combination=("full_house", 5, "J"), beaten=True, report=10),
            "S": _seat("S", "D3 C3 SA DA H8", combination=("full_house", 5, "A")),
            "E": _seat("E", turn=True),
        },
        turn="E", turn_clock=Clock(NOW - 6.4, 0.0, 20.0, True), match_clock=Clock(NOW, 0.0, 2537.0, True),
    )  # fmt: skip
    unsure = Ask(41, "E", (_cards("S9 C9 D9"), _cards("S9 C9 H9")))
    friendly = replace(
        play, profile="friendly", turn_clock=None, match_clock=None, level="5", on_stage="EW", turn="N",
        seats={
            "N": _seat("N", turn=True, count=7),
            "W": _seat("W", "S7 D7 C7", combination=("triple", 3, "7"), beaten=True),
            "S": replace(_seat("S"), passed=True),
            "E": _seat("E", "S9 C9 D9", ask=unsure),
        },
    )  # fmt: skip
    bomb = replace(
        play, levels={"NS": "A", "EW": "K"}, level="A", attempts={"NS": 2, "EW": 0}, deal=14, turn="W",
        seats={
            "N": _seat("N", place=1),
            "E": _seat("E", "S5 S6 S7 S8 S9", combination=("straight_flush", 5, "9"), beaten=True),
            "S": _seat("S", "ST HT CT DT ST HT", combination=("bomb", 6, "T")),
            "W": _seat("W", turn=True, report=9),
        },
    )  # fmt: skip
    result = DealResult(
        6, ("N", "S", "W", "E"), "NS", 3, {"NS": "8", "EW": "5"}, {"NS": "J", "EW": "5"}, frozenset({"NS"})
    )
    between = {seat: SeatView(seat) for seat in play.seats}
    return {
        "start": TableView(profile="friendly"),
        "play": play,
        "unsure": friendly,
        "bomb": bomb,
        "stop": replace(play, notice="stop"),
        "look": replace(friendly, notice="look", seats={**friendly.seats, "E": _seat("E", "S6 C6 D6")}),
        "tribute": replace(play, seats=between, turn=None, tributes=(("tribute", "E", "N"),), turn_clock=None),
        "first-lead": replace(play, seats=between, turn=None, on_stage=None, level="2", deal=1, turn_clock=None,
                              levels={"NS": "2", "EW": "2"}),
        "called": replace(play, screen="halted", halt="called"),
        "paused": replace(play, screen="halted", halt="paused"),
        "deal-result": replace(play, screen="deal_result", deal_result=result),
        "match-result": replace(play, screen="match_result", match_result={"winner": "NS", "past_A": True},
                                signed=frozenset({"EW"}), levels={"NS": "A", "EW": "Q"}, deal=15),
        "menu": replace(play, screen="menu"),
        "score-only": replace(play, screen="score_only", picked=("N", "E")),
    }  # fmt: skip


def paint(folder: Path, languages: Sequence[str] = LANGUAGES) -> list[Path]:
    """Draw every screen into *folder*; the names end in the language, but Chinese ones do not."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    import pygame

    from table import screens
    from table.screens.canvas import Canvas
    from table.theme import theme

    folder.mkdir(parents=True, exist_ok=True)
    canvas, written = Canvas(theme()), []
    for language in languages:
        for name, view in views().items():
            screens.draw(canvas, view, Words(language), NOW)
            path = folder / (f"{name}.png" if language == "zh" else f"{name}.{language}.png")
            pygame.image.save(canvas.surface, str(path))
            written.append(path)
    return written


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lang", choices=LANGUAGES)
    args = parser.parse_args()
    for path in paint(args.folder, (args.lang,) if args.lang else LANGUAGES):
        print(path)


if __name__ == "__main__":
    main()
