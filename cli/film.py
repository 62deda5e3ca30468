"""``guandan film``: a match record filmed by the virtual camera, with the truth beside it."""

from __future__ import annotations

import argparse
import json
import sys

from cli.main import Refused
from cli.replay import fold
from cli.words import help_of, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help=help_of("record"))
    parser.add_argument("-o", "--output", required=True, metavar="VIDEO", help=help_of("film_output"))
    parser.add_argument("--deck", action="append", metavar="DIR", help=help_of("film_deck"))
    parser.add_argument("--seed", type=int, default=0, help=help_of("film_seed"))
    parser.add_argument("--fps", type=float, default=10.0, help=help_of("film_fps"))
    parser.add_argument("--size", default="2624x1972", metavar="WxH", help=help_of("film_size"))
    parser.add_argument("--think", type=float, default=0.5, metavar="FACTOR", help=help_of("film_think"))
    parser.add_argument("--light", choices=("even", "shadow", "flicker"), default="even", help=help_of("film_light"))
    parser.add_argument("--lenient", action="store_true", help=help_of("lenient"))
    parser.add_argument("--json", action="store_true", help=help_of("json"))


def run(args: argparse.Namespace) -> int:
    # OpenCV takes a moment to load: not for `--help`.
    from simulator.art import Deck
    from simulator.film import film
    from simulator.gestures import Pace
    from simulator.light import Light

    record = fold(args.record, lenient=args.lenient).events
    decks = [Deck.load(directory) for directory in args.deck] if args.deck else None
    if not 0 <= args.think <= 20:
        raise Refused(say("film_think_range"))
    light = {
        "even": Light(), "shadow": Light(hard_shadow=True, drift=0.06), "flicker": Light(flicker=0.03),
    }[args.light]  # fmt: skip
    filmed = film(
        record, args.output, decks, args.seed, args.fps, _size(args.size), Pace().quicker(args.think), light=light,
        said=_progress if sys.stderr.isatty() else None,
    )  # fmt: skip
    if sys.stderr.isatty():
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    if args.json:
        print(json.dumps({
            "video": str(filmed.video), "truth": str(filmed.truth), "frames": filmed.frames,
            "seconds": round(filmed.seconds, 1), "plays": filmed.plays, "offences": filmed.offences,
        }, ensure_ascii=False))  # fmt: skip
    else:
        print(say(
            "film_done", video=filmed.video, truth=filmed.truth, plays=filmed.plays, seconds=round(filmed.seconds),
        ))  # fmt: skip
    return 0


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().replace("×", "x").partition("x")
    if not (width.isdigit() and height.isdigit() and len(width) < 6 and len(height) < 6):
        raise Refused(say("film_size_form", size=text))
    return int(width), int(height)


def _progress(done: int, total: int) -> None:
    print(f"\r{say('film_progress', done=done, total=total, part=round(100 * done / max(1, total)))}",
          end="", file=sys.stderr, flush=True)  # fmt: skip
