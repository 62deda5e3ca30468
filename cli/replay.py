"""`guandan replay`: runs a match record and prints what came of it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from cli.consequences import result_in_words
from cli.main import Refused
from cli.questions import rank_in_words
from cli.spoken import (
    alert_in_words,
    levels_in_words,
    one_line,
    order_in_words,
    penalty_in_words,
    seat_in_words,
    verdict_in_words,
)  # fmt: skip
from cli.telling import Teller
from cli.words import help_of, language, say
from engine import ENGINE_VERSION
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
            event = _with_its_rules(record, Event.from_line(number, line))
            outcome = match.apply(event)
            _look_at_version(record, event)
            if explain:
                print("\n".join(teller.tell(event, outcome)))
        except GuandanError as error:
            if not lenient:
                raise Refused(f"{record}{say('colon')}{error.in_language(language())}") from None
            print(say("line_skipped", error=" ".join(error.in_language(language()).split())), file=sys.stderr)
    if not match.events:
        raise Refused(say("no_match", record=record))
    return match


def _with_its_rules(record: str, event: Event) -> Event:
    """A ruleset's file is looked for beside the record, which is copied with it, and only then where the user is."""
    name = event.data.get("ruleset") if event.do == "match" else None
    if record == "-" or not isinstance(name, str) or not name.endswith(".toml"):
        return event
    beside = Path(record).parent / name
    with suppress(OSError):  # a name that no file can have
        if beside.is_file():
            return replace(event, data={**event.data, "ruleset": str(beside)})
    return event


def _look_at_version(record: str, event: Event) -> None:
    """Say so when the match was played under rules that this version may not know."""
    version = str(event.data.get("engine") or "") if event.do == "match" else ""
    if version.isdecimal() and len(version) < 9 and int(version) > int(ENGINE_VERSION):
        print(say("record_newer", record=record, version=version, ours=ENGINE_VERSION), file=sys.stderr)


def run(args: argparse.Namespace) -> int:
    match = fold(args.record, lenient=args.lenient, explain=args.explain and not args.json)
    if args.json:
        print(json.dumps(match.report(language()), ensure_ascii=False))
    elif args.explain:
        return 0
    else:
        print("\n".join(map(one_line, summary(match))))
    return 0


def summary(match: Match) -> Iterator[str]:
    """The match record sheet: who played by which rules, each deal, every alert, ruling and penalty, the result."""
    ruleset, names = match.ruleset, match.names
    title = ruleset.name_zh if language() == "zh" else ruleset.name_en
    yield say("sheet_title", id=ruleset.id, title=title, profile=say(f"profile_{match.profile}"))
    if names:
        yield say("comma").join(seat_in_words(seat, names) for seat in SEATS if seat in names)
    for record in match.deals:
        yield say(
            "deal_line", n=record.deal.n, level=rank_in_words(record.deal.level),
            order=order_in_words(record.deal.order or (), names), levels=levels_in_words(record.levels),
        )  # fmt: skip
    for alert in match.alerts:
        about = [alert_in_words(alert), *([seat_in_words(alert.seat, names)] if alert.seat else [])]
        yield say("alert_line", id=alert.id, about=say("comma").join(about), state=say(f"state_{alert.state}"))
    for penalty in match.penalties:
        effect = penalty_in_words(penalty)
        yield say("penalty_line", alert=penalty.alert, effect=effect, seat=seat_in_words(penalty.seat, names))
    for line, kind, data in sorted([*match.sheet, *_taken_back(match)], key=lambda entry: entry[0]):
        yield say("sheet_line", line=line, what=_on_sheet(match, kind, data))
    yield say("levels_line", levels=levels_in_words(match.levels))
    if match.result is not None:
        yield from result_in_words(match)
    else:
        due = match.next
        yield say("next_line", what=say(f"next_{due['what']}", seat=seat_in_words(due["seat"], names)))
    if match.signed:
        yield say("signed_line", sides=say("and").join(say(f"side_{side}") for side in sorted(match.signed)))


def _taken_back(match: Match) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    """What a sheet keeps though the match knows it no more: corrections, and rulings cancelled or lapsed."""
    known = {line for line, _, _ in match.sheet}
    for event in match.events:
        if event.do in ("correct", "cancel"):
            struck = event.do == "correct" and event.data.get("void") is True
            yield event.seq, "struck" if struck else event.do, event.data
        elif event.do == "ruling" and event.seq not in known:
            yield event.seq, "ruling_gone", event.data


def _on_sheet(match: Match, kind: str, data: Mapping[str, Any]) -> str:
    """One line of the sheet beside deals and alerts: a ruling, a pause, a change."""
    words = {key: value for key, value in data.items() if isinstance(value, (str, int, float))}
    words["why"] = say("why", why=data["why"]) if data.get("why") else ""
    if kind in ("ruling", "ruling_gone"):
        by = say(f"by_{data['by']}") if data.get("by") in ("table", "chief") else say("by_referee")
        gone = say("sheet_ruling_gone") if kind == "ruling_gone" else ""
        return by + verdict_in_words(data["verdict"], data["alert"]) + gone
    if kind == "substitute":
        words["seat"] = say(f"seat_{data['seat']}")
    if kind in ("forfeit", "withdrawal"):
        words["side"] = say(f"side_{data['side']}")
    return say(f"sheet_{kind}", **words)
