"""``guandan watch``: the plays in a recorded video."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from cli.main import Refused
from cli.words import help_of, language, say
from vision.camera import VideoCamera
from vision.errors import CannotSee
from vision.mat import View
from vision.observations import (
    Covered,
    Hidden,
    Laid,
    Moved,
    Observation,
    Removed,
    Revised,
    SeenCard,
    Uncovered,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("video", metavar="VIDEO", help=help_of("video"))
    parser.add_argument("--json", action="store_true", help=help_of("json"))
    parser.add_argument("--corners", nargs=4, metavar="X,Y", help=help_of("corners"))


def run(args: argparse.Namespace) -> int:
    try:
        camera = VideoCamera(args.video)
        view = _view(args, camera)
    except CannotSee as error:
        raise Refused(error.in_language(language())) from error
    from vision.detector import Detector
    from vision.eye import Eye
    from vision.reader import Reader

    eye = Eye(Detector(), Reader(), view)
    plays = 0
    while not eye.ended:
        for seen in eye.step(camera):
            plays += isinstance(seen, Laid)
            line = as_json(seen)
            if line:
                print(json.dumps(line, ensure_ascii=False) if args.json else _words(seen), flush=True)
    camera.close()
    if not plays and not args.json:
        print(say("watch_none", video=args.video))
    return 0


def _view(args: argparse.Namespace, camera: VideoCamera) -> View | None:
    """The mat as the person pointed it out; None when its markers are there to be found; else the middle square."""
    image = camera.still().image
    height, width = image.shape[:2]
    if args.corners:
        try:
            points = [tuple(float(part) for part in corner.split(",")) for corner in args.corners]
            corners = [(x * width, y * height) for x, y in points]
        except ValueError as error:
            raise Refused(say("watch_bad_corners")) from error
        return View.from_corners(corners, (width, height))
    if View.from_markers(image) is not None:
        return None
    print(say("watch_no_mat", video=args.video), file=sys.stderr)
    side, x0, y0 = min(width, height), (width - min(width, height)) / 2, (height - min(width, height)) / 2
    square = [(x0, y0), (x0 + side, y0), (x0 + side, y0 + side), (x0, y0 + side)]
    return View.from_corners(square, (width, height))


def _card(card: SeenCard) -> dict[str, Any]:
    line: dict[str, Any] = {
        "card": card.card.name,
        "confidence": round(min(1.0, card.confidence), 4),
        "sure": card.sure,
    }
    if not card.sure:
        line["candidates"] = [[name.name, round(min(1.0, p), 4)] for name, p in card.candidates[:4]]
    return line


def as_json(seen: Observation) -> dict[str, Any] | None:
    """One observation as a line; None for what is of no use to a reader."""
    line: dict[str, Any] = {"t": round(seen.t, 3)}
    if isinstance(seen, Laid):
        line |= {"see": "play", "seat": seen.seat, "cards": [_card(c) for c in seen.cards]}
        line |= {"sure": all(c.sure for c in seen.cards), "touched": round(seen.touched_at, 3)}
    elif isinstance(seen, Revised):
        line |= {"see": "revised", "seat": seen.seat, "cards": [_card(c) for c in seen.cards]}
        line["was"] = [_card(c) for c in seen.was]
    elif isinstance(seen, Removed):
        line |= {"see": "removed", "seat": seen.seat, "cards": [c.card.name for c in seen.cards]}
        line["emptied"] = seen.emptied
    elif isinstance(seen, Hidden):
        line |= {"see": "hidden", "seat": seen.seat, "why": seen.why}
    elif isinstance(seen, Covered | Uncovered | Moved):
        line["see"] = type(seen).__name__.lower()
    else:
        return None
    return line


def _names(cards: tuple[SeenCard, ...]) -> str:
    return " ".join(card.card.name if card.sure else f"{card.card.name}?" for card in cards)


def _words(seen: Observation) -> str:
    time = f"{int(seen.t // 60)}:{seen.t % 60:04.1f}"
    if isinstance(seen, Laid | Revised):
        return say("watch_play", time=time, seat=seen.seat, cards=_names(seen.cards))
    if isinstance(seen, Removed):
        return say("watch_removed", time=time, seat=seen.seat, cards=_names(seen.cards))
    if isinstance(seen, Hidden):
        return say("watch_hidden", time=time, seat=seen.seat)
    return say(f"watch_{type(seen).__name__.lower()}", time=time)
