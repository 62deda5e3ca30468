"""``guandan demo``: the whole product on this machine, in a window or as figures."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.main import Refused
from cli.words import help_of, language, say

if TYPE_CHECKING:
    from cli.demo_venue import DemoVenue
    from table.sync_pairing import Pairing


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", choices=("friendly", "championship"), help=help_of("demo_profile"))
    parser.add_argument("--seed", type=int, metavar="S", help=help_of("demo_seed"))
    parser.add_argument("--speed", type=float, default=1.0, metavar="X", help=help_of("demo_speed"))
    parser.add_argument("--headless", action="store_true", help=help_of("demo_headless"))
    parser.add_argument("--matches", type=int, metavar="N", help=help_of("demo_matches"))
    parser.add_argument("--deals", type=int, metavar="D", help=help_of("demo_deals"))
    parser.add_argument("--json", action="store_true", help=help_of("demo_json"))
    parser.add_argument("--resume", action="store_true", help=help_of("demo_resume"))
    parser.add_argument("--journal", metavar="FILE", help=help_of("demo_journal"))
    parser.add_argument("--deck", metavar="DIR", help=help_of("demo_deck"))
    parser.add_argument("--deck-profile", metavar="FILE", help=help_of("deck_profile"))
    parser.add_argument("--evidence", metavar="DIR", help=help_of("keep_evidence"))
    venue = parser.add_mutually_exclusive_group()
    venue.add_argument("--no-venue", action="store_true", help=help_of("demo_no_venue"))
    venue.add_argument("--venue", action="store_true", help=help_of("demo_venue"))


def run(args: argparse.Namespace) -> int:
    if args.seed is not None and not 0 <= args.seed <= 10**9:
        raise Refused(say("demo_seed_range"))
    if args.deck_profile or args.deck:
        from table.virtual import studio_of

        studio_of(_path(args.deck), _path(args.deck_profile))  # a wrong one is told before anything opens
    return _headless(args) if args.headless else _window(args)


def _path(given: str | None) -> Path | None:
    return None if given is None else Path(given)


def _journal(args: argparse.Namespace, name: str) -> tuple[int, Path]:
    """The seed to play and the match's journal: with ``--resume`` alone the match that was played last."""
    from table.home import journal_path

    path = Path(args.journal) if args.journal else None
    if args.resume and args.seed is None and path is None:
        pattern = journal_path(f"{name}-*")
        found = [each for each in pattern.parent.glob(pattern.name) if each.stem.rpartition("-")[2].isdecimal()]
        if found:
            last = max(found, key=lambda each: each.stat().st_mtime)
            return int(last.stem.rpartition("-")[2]), last
    seed = 1 if args.seed is None else args.seed
    path = path or journal_path(f"{name}-{seed}")
    if args.resume and not path.exists():
        print(say("demo_nothing_to_resume", path=path), file=sys.stderr)
    return seed, path


def _headless(args: argparse.Namespace) -> int:
    from table.headless import Plan, run

    matches = 1 if args.matches is None else args.matches
    if matches < 1 or (args.deals is not None and args.deals < 1):
        raise Refused(say("demo_count_range"))
    profile = args.profile or "championship"
    seed, path = _journal(args, f"demo-headless-{profile}")
    with contextlib.ExitStack() as ending:
        venue = _venue(matches) if args.venue else None
        pairings: tuple[Pairing, ...] = ()
        if venue is not None:
            ending.callback(venue.close)
            venue.tell(sys.stderr)
            pairings = tuple(venue.pairings())
        plan = Plan(
            matches, seed, args.deals, profile, venue=pairings if len(pairings) == matches else (),
            deck=_path(args.deck), deck_profile=_path(args.deck_profile), evidence=_path(args.evidence),
        )  # fmt: skip
        _tell(run(plan, path, args.resume), args.json)
    return 0


def _tell(matches: Iterator[dict[str, Any]], as_json: bool) -> None:
    for figures in matches:
        if as_json:
            print(json.dumps(figures, ensure_ascii=False), flush=True)
        else:
            offences, ms = figures["offences"], figures["ms_per_play"]
            print(say(
                "demo_line", match=figures["match"], deals=figures["deals"], plays=figures["plays"],
                right=figures["right"], asked=figures["asked"], silent=figures["silent"],
                alerted=offences["alerted"], filmed=offences["filmed"], false=offences["false"],
                levels=_levels(figures["levels"]), truth=_levels(figures["truth"]), ms=round(ms["p50"] or 0),
            ), flush=True)  # fmt: skip


def _levels(levels: dict[str, str]) -> str:
    return f"{levels['NS']}-{levels['EW']}".replace("T", "10")


def _window(args: argparse.Namespace) -> int:
    for given, name in ((args.matches, "--matches"), (args.deals, "--deals"), (args.json or None, "--json"),
                        (args.evidence, "--evidence")):  # fmt: skip
        if given is not None:
            raise Refused(say("demo_only_headless", option=name))
    if not 0.25 <= args.speed <= 8:
        raise Refused(say("demo_speed_range"))
    from table.demo import run
    from table.virtual import studio_of

    studio = studio_of(_path(args.deck), _path(args.deck_profile))
    profile = args.profile or "friendly"
    seed, path = _journal(args, f"demo-{profile}")
    venue = None if args.no_venue else _venue(1)
    try:
        pairing = (lambda: _joined(venue)) if venue is not None else None
        run(seed, profile, path, language(), args.speed, args.resume, venue=pairing, studio=studio)
    finally:
        if venue is not None:
            venue.close()
    return 0


def _venue(tables: int) -> DemoVenue | None:
    from cli.demo_venue import DemoVenue, available

    if not available():
        print(say("demo_venue_missing"), file=sys.stderr)
        return None
    return DemoVenue(tables)


def _joined(venue: DemoVenue) -> Pairing | None:
    venue.tell(sys.stdout)
    return next(iter(venue.pairings()), None)
