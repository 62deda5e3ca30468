"""`guandan replay`: runs a match record and prints what came of it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from cli.main import Refused
from cli.questions import rank_in_words
from cli.telling import Teller
from cli.words import help_of, language, say
from engine.cards import SEATS
from engine.errors import GuandanError
from engine.events import Event
from engine.match import Match


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help=help_of("record"))
    parser.add_argument("--json", action="store_true", help=help_of("json"))
    parser.add_argument("--lenient", action="store_true", help=help_of("lenient"))
    parser.add_argument("--explain", action="store_true", help=help_of("explain"))


def lines_of(record: str) -> Iterator[tuple[int, bytes]]:
    """The numbered lines of a record that hold something."""
    if record == "-":
        lines = sys.stdin.buffer.read().split(b"\n")
    else:
        lines = Path(record).read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield number, line


def fold(record: str, *, lenient: bool, explain: bool = False) -> Match:
    """The match of a record; a bad line is refused, or skipped and told of. Explained, it is told line by line."""
    match = Match()
    teller = Teller(match)
    for number, line in lines_of(record):
        try:
            event = Event.from_line(number, line)
            outcome = match.apply(event)
            if explain:
                print("\n".join(teller.tell(event, outcome)))
        except GuandanError as error:
            if not lenient:
                raise Refused(f"{record}: {error}") from None
            print(say("line_skipped", error=" ".join(str(error).split())), file=sys.stderr)
    if not match.events:
        raise Refused(say("no_match", record=record))
    return match


def run(args: argparse.Namespace) -> int:
    match = fold(args.record, lenient=args.lenient, explain=args.explain and not args.json)
    if args.json:
        print(json.dumps(match.report(), ensure_ascii=False))
    elif args.explain:
        return 0
    else:
        print("\n".join(summary(match)))
    return 0


def summary(match: Match) -> Iterator[str]:
    """The match record sheet: who played by which rules, each deal, every alert, ruling and penalty, the result."""
    ruleset = match.ruleset
    title = ruleset.name_zh if language() == "zh" else ruleset.name_en
    yield say("sheet_title", id=ruleset.id, title=title, profile=say(f"profile_{match.profile}"))
    if match.names:
        yield "  ".join(f"{say(f'seat_{seat}')} {match.names[seat]}" for seat in SEATS if seat in match.names)
    for record in match.deals:
        names = " ".join(match.names.get(seat, seat) for seat in record.deal.order or ())
        yield say(
            "deal_line", n=record.deal.n, level=rank_in_words(record.deal.level), order=names, kind=record.step.kind,
            ns=rank_in_words(record.levels["NS"]), ew=rank_in_words(record.levels["EW"]),
        )  # fmt: skip
    for alert in match.alerts:
        yield say(
            "alert_line", id=alert.id, kind=say(f"kind_{alert.kind}"), seat=alert.seat or "-",
            state=say(f"state_{alert.state}"), suspected="" if alert.certain else say("suspected"),
        )  # fmt: skip
    for penalty in match.penalties:
        yield say(
            "penalty_line", alert=penalty.alert, seat=penalty.seat or "-", side=penalty.side or "-",
            effect=say(f"effect_{penalty.effect}"), levels=penalty.levels,
        )  # fmt: skip
    for line, kind, data in match.sheet:
        about = " ".join(str(data[key]) for key in ("alert", "seat", "name", "side", "seconds", "verdict", "why")
                         if data.get(key) is not None)  # fmt: skip
        yield say("sheet_line", line=line, kind=say(f"sheet_{kind}"), about=about)
    yield say("levels_line", ns=rank_in_words(match.levels["NS"]), ew=rank_in_words(match.levels["EW"]))
    if match.result is not None:
        result, winner = match.result, match.result.winner
        yield say(
            "result_line", winner=say(f"side_{winner}") if winner else say("nobody"), why=say(f"why_{result.why}")
        )
        yield say("points_line", ns=result.points["NS"], ew=result.points["EW"], sns=result.small["NS"],
                  sew=result.small["EW"])  # fmt: skip
    else:
        due = match.next
        yield say("next_line", what=say(f"next_{due['what']}"), seat=due["seat"] or "")
    if match.signed:
        yield say("signed_line", sides=say("and").join(say(f"side_{side}") for side in sorted(match.signed)))
