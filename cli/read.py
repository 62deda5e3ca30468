"""``guandan read``: the cards in photos."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from cli.words import help_of, language, say
from vision.errors import CannotSee
from vision.observations import SeenCard

if TYPE_CHECKING:
    import numpy as np

    from vision.profiles import DeckProfile


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("images", nargs="+", metavar="IMAGE", help=help_of("images"))
    parser.add_argument("--json", action="store_true", help=help_of("json"))
    parser.add_argument("--deck-profile", metavar="FILE", help=help_of("deck_profile"))


def run(args: argparse.Namespace) -> int:
    # The networks' library takes a moment to load: not for `--help`, and not where no file is a picture.
    from vision.pictures import load
    from vision.profiles import DeckProfile

    own = DeckProfile.load(args.deck_profile) if args.deck_profile else None
    eye: Callable[[np.ndarray], list[SeenCard]] | None = None
    refused = False
    for path in args.images:
        began = time.perf_counter()
        try:
            picture = load(path)
        except CannotSee as error:
            # One bad file among many costs only itself; the exit status tells that there was one.
            refused = True
            print(error.in_language(language()), file=sys.stderr, flush=True)
            continue
        if eye is None:
            eye = _eye(own)
            began = time.perf_counter()
        cards = eye(picture.image)
        height, width = picture.image.shape[:2]
        answer = {
            "image": path,
            "width": picture.width,
            "height": picture.height,
            "ms": {"total": round((time.perf_counter() - began) * 1000, 1)},
            "cards": [as_json(card, width, height) for card in cards],
        }
        print(json.dumps(answer, ensure_ascii=False) if args.json else _words(path, cards), flush=True)
    return 2 if refused else 0


def _eye(own: DeckProfile | None) -> Callable[[np.ndarray], list[SeenCard]]:
    """The networks, loaded once for all pictures."""
    from vision.detector import Detector
    from vision.enrolment.prototypes import with_profile
    from vision.photo import Limits, read_photo
    from vision.reader import Reader

    return partial(read_photo, detector=Detector(), reader=with_profile(Reader(), own), limits=Limits.load())


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
