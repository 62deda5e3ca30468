"""``guandan demo``: the whole product on this machine, in a window or as figures."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from cli.main import Refused
from cli.words import help_of, language, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", choices=("friendly", "championship"), help=help_of("demo_profile"))
    parser.add_argument("--seed", type=int, default=1, metavar="S", help=help_of("demo_seed"))
    parser.add_argument("--speed", type=float, default=1.0, metavar="X", help=help_of("demo_speed"))
    parser.add_argument("--headless", action="store_true", help=help_of("demo_headless"))
    parser.add_argument("--matches", type=int, metavar="N", help=help_of("demo_matches"))
    parser.add_argument("--deals", type=int, metavar="D", help=help_of("demo_deals"))
    parser.add_argument("--json", action="store_true", help=help_of("demo_json"))
    parser.add_argument("--resume", action="store_true", help=help_of("demo_resume"))
    parser.add_argument("--journal", metavar="FILE", help=help_of("demo_journal"))


def run(args: argparse.Namespace) -> int:
    if args.seed < 0 or args.seed > 10**9:
        raise Refused(say("demo_seed_range"))
    return _headless(args) if args.headless else _window(args)


def _headless(args: argparse.Namespace) -> int:
    from table.headless import Plan, run
    from table.home import journal_path

    matches = 1 if args.matches is None else args.matches
    if matches < 1 or (args.deals is not None and args.deals < 1):
        raise Refused(say("demo_count_range"))
    profile = args.profile or "championship"
    path = Path(args.journal) if args.journal else journal_path(f"demo-headless-{profile}-{args.seed}")
    for figures in run(Plan(matches, args.seed, args.deals, profile), path, args.resume):
        if args.json:
            print(json.dumps(figures, ensure_ascii=False), flush=True)
        else:
            offences, ms = figures["offences"], figures["ms_per_play"]
            print(say(
                "demo_line", match=figures["match"], deals=figures["deals"], plays=figures["plays"],
                right=figures["right"], asked=figures["asked"], silent=figures["silent"],
                alerted=offences["alerted"], filmed=offences["filmed"], false=offences["false"],
                levels=_levels(figures["levels"]), truth=_levels(figures["truth"]), ms=round(ms["p50"] or 0),
            ), flush=True)  # fmt: skip
    return 0


def _levels(levels: dict[str, str]) -> str:
    return f"{levels['NS']}-{levels['EW']}".replace("T", "10")


def _window(args: argparse.Namespace) -> int:
    for given, name in ((args.matches, "--matches"), (args.deals, "--deals"), (args.json or None, "--json")):
        if given is not None:
            raise Refused(say("demo_only_headless", option=name))
    if not 0.25 <= args.speed <= 8:
        raise Refused(say("demo_speed_range"))
    from table.demo import run
    from table.home import journal_path

    profile = args.profile or "friendly"
    path = Path(args.journal) if args.journal else journal_path(f"demo-{profile}-{args.seed}")
    run(args.seed, profile, path, language(), args.speed, args.resume)
    return 0
