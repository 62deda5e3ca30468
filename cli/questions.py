"""What `classify`, `beats` and `legal` share: a question from a line of JSON, and answers to many lines in order."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cli.words import help_of, say
from engine.cards import Card, check_pack, parse_cards, parse_level
from engine.errors import GuandanError, Unreadable
from engine.readings import Reading, declared, default_reading, readings
from engine.rulesets import Ruleset, load

Question = Mapping[str, Any]
Answer = Callable[[Question], dict[str, Any]]


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that all three verbs take."""
    parser.add_argument("--level", metavar="RANK", help=help_of("level"))
    parser.add_argument("--ruleset", metavar="ID", help=help_of("ruleset"))
    parser.add_argument("--batch", action="store_true", help=help_of("batch"))
    parser.add_argument("--json", action="store_true", help=help_of("json"))


def lines_of(files: list[str]) -> Iterator[bytes]:
    """The lines of *files* one after another, or of standard input."""
    if not files:
        yield from sys.stdin.buffer
    for name in files:
        if name == "-":
            yield from sys.stdin.buffer
            continue
        with Path(name).open("rb") as file:
            yield from file


def answer_batch(files: list[str], answer: Answer) -> int:
    """One line of JSON out for each line in; a bad line answers its error and the batch goes on."""
    blank = 0
    for line in lines_of(files):
        if not line.strip():
            blank += 1  # blank lines at the end are no questions
            continue
        for _ in range(blank):
            print(json.dumps({"error": "the line is empty: give one JSON object"}))
        blank = 0
        print(json.dumps(_answered(line, answer), ensure_ascii=False), flush=True)
    return 0


def _answered(line: bytes, answer: Answer) -> dict[str, Any]:
    try:
        return answer(parse_question(line))
    except GuandanError as error:
        return {"error": " ".join(str(error).split())}


def parse_question(line: bytes | str) -> Question:
    """The JSON object of one line.

    :raises Unreadable: when it is none.
    """
    try:
        question = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the line is no JSON: {str(error) or 'nested too deep'}") from None
    if not isinstance(question, dict):
        raise Unreadable("the line is no JSON object: write {...}")
    return question


def cards_in(question: Question, field: str) -> list[Card]:
    """The cards of a field: a list of names or one string of them, none more than twice."""
    if field not in question:
        raise Unreadable(f"{field} is missing: give a list of cards")
    texts = question[field]
    if not isinstance(texts, (list, str)):
        raise Unreadable(f"{field} must be a list of cards, not {json.dumps(texts)[:60]}")
    try:
        cards = parse_cards(texts)
        check_pack(cards)
    except GuandanError as error:
        raise type(error)(f"{field}: {error}") from None
    return cards


def level_in(question: Question) -> str:
    if "level" not in question:
        raise Unreadable('level is missing: give the rank that is played, such as "9"')
    return parse_level(question["level"])


def ruleset_in(question: Question) -> Ruleset | None:
    """The ruleset that the question names; ``None`` when it names none, and every reading counts."""
    name = question.get("ruleset")
    if name is None:
        return None
    if not isinstance(name, str):
        raise Unreadable(f"ruleset must be an id, not {json.dumps(name)[:60]}")
    return load(name)


def reading_in(
    question: Question, cards: list[Card], level: str, ruleset: Ruleset | None
) -> tuple[list[Reading], Reading | None]:
    """Every reading of the cards and the one that was declared, if any was."""
    found = readings(cards, level, ruleset)
    wanted = question.get("reading")
    return found, None if wanted is None else declared(found, wanted)


def play_in(question: Question, field: str, level: str, ruleset: Ruleset | None) -> tuple[
    list[Reading], Reading | None, Reading | None
]:  # fmt: skip
    """Of a field ``{"cards": …, "reading": …?}``: its readings, the declared one, and that or the default."""
    inner = question.get(field)
    if isinstance(inner, (list, str)):
        inner = {"cards": inner}
    if not isinstance(inner, dict):
        raise Unreadable(f'{field} must be an object with cards, such as {{"cards":["S8","D8"]}}')
    try:
        found, chosen = reading_in(inner, cards_in(inner, "cards"), level, ruleset)
    except GuandanError as error:
        raise type(error)(f"{field}: {error}") from None
    default = default_reading(found, ruleset)
    return found, chosen, chosen or (None if default is None else found[default])


def single_question(args: argparse.Namespace, cards: list[str], field: str = "cards") -> Question:
    """The question that the arguments ask; without cards it is read from standard input as JSON."""
    if not cards and not sys.stdin.isatty():
        question = dict(parse_question(sys.stdin.read()))
    else:
        question = {field: " ".join(cards).replace(",", " ")}
    for key in ("level", "ruleset"):
        if getattr(args, key) is not None:
            question[key] = getattr(args, key)
    return question


def reading_in_words(reading: Reading) -> str:
    """A reading as people say it."""
    return say(f"type_{reading.type}", rank=rank_in_words(reading.rank), size=reading.size)


def rank_in_words(rank: str | None) -> str:
    return {None: "", "SB": say("black_joker"), "HR": say("red_joker"), "T": "10"}.get(rank, rank or "")
