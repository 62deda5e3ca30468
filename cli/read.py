"""``guandan read``: the cards in photos."""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from cli.main import Refused
from cli.words import help_of, language, say
from vision.errors import CannotSee
from vision.observations import SeenCard


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("images", nargs="+", metavar="IMAGE", help=help_of("images"))
    parser.add_argument("--json", action="store_true", help=help_of("json"))


def run(args: argparse.Namespace) -> int:
    # The networks' library takes a moment to load: not for `--help`, and not for a file that is no picture.
    from vision.pictures import load

    try:
        # Every file is looked at before the first answer, so that a bad one among many leaves nothing half said.
        for path in args.images:
            load(path)
        from vision.detector import Detector
        from vision.photo import Limits, read_photo
        from vision.reader import Reader

        detector, reader, limits = Detector(), Reader(), Limits.load()
        for path in args.images:
            began = time.perf_counter()
            picture = load(path)
            cards = read_photo(picture.image, detector, reader, limits)
            height, width = picture.image.shape[:2]
            answer = {
                "image": path,
                "width": picture.width,
                "height": picture.height,
                "ms": {"total": round((time.perf_counter() - began) * 1000, 1)},
                "cards": [as_json(card, width, height) for card in cards],
            }
            print(json.dumps(answer, ensure_ascii=False) if args.json else _words(path, cards), flush=True)
    except CannotSee as error:
        raise Refused(error.in_language(language())) from error
    return 0


def as_json(card: SeenCard, width: int, height: int) -> dict[str, Any]:
    """One card as the contract writes it: index centres as fractions of the picture."""
    line: dict[str, Any] = {
        "card": card.card.name,
        "confidence": round(min(1.0, card.confidence), 4),
        "sure": card.sure,
        "indices": [[round((x + 0.5) / width, 5), round((y + 0.5) / height, 5)] for x, y in card.indices],
        "angle": round(card.angle % 360, 1),
    }
    if not card.sure:
        line["candidates"] = [[name.name, round(min(1.0, p), 4)] for name, p in card.candidates]
    return line


def _words(path: str, cards: list[SeenCard]) -> str:
    if not cards:
        return say("read_no_cards", image=path)
    named = " ".join(card.card.name if card.sure else f"{card.card.name}?" for card in cards)
    asked = sum(not card.sure for card in cards)
    line = say("read_cards", image=path, count=len(cards), cards=named)
    return line + say("read_asked", count=asked) if asked else line
