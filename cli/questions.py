"""What `classify`, `beats` and `legal` share: a question from a line of JSON, and answers to many lines in order."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cli.words import help_of, language, say
from engine.cards import Card, check_pack, parse_cards, parse_level, shown
from engine.errors import GuandanError, Sentence, Unreadable
from engine.events import read_object
from engine.readings import Reading, declared, default_reading, readings
from engine.rulesets import Ruleset, load

Question = Mapping[str, Any]
Answer = Callable[[Question], dict[str, Any]]


def add_common_arguments(parser: argparse.ArgumentParser, example: str) -> None:
    """The options that all three verbs take; *example* is a question as a line of JSON, which the help shows."""
    parser.epilog = f"{say('question_shape')}\n{example}"
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


def answer_batch(args: argparse.Namespace, files: list[str], answer: Answer) -> int:
    """One line of JSON out for each line in; a bad line answers its error and the batch goes on.

    Level and ruleset of the command line hold for the lines that name none.
    """
    given = {key: getattr(args, key) for key in ("level", "ruleset") if getattr(args, key) is not None}
    for line in lines_of(files):
        print(json.dumps(_answered(line, given, answer), ensure_ascii=False), flush=True)
    return 0


def _answered(line: bytes, given: Question, answer: Answer) -> dict[str, Any]:
    try:
        return answer({**given, **parse_question(line)})
    except GuandanError as error:
        return {"error": " ".join(error.in_language(language()).split())}


def parse_question(line: bytes | str) -> Question:
    """The JSON object of one line.

    :raises Unreadable: when it is none.
    """
    if not line.strip():
        raise Unreadable("line_empty")
    return read_object(line)


def cards_in(question: Question, field: str) -> list[Card]:
    """The cards of a field: a list of names, none more than twice."""
    if field not in question:
        raise Unreadable("question_lacks", name=field, reason=Sentence("list_of_cards"))
    texts = question[field]
    if not isinstance(texts, list):
        raise Unreadable("field", name=field, value=shown(texts), reason=Sentence("list_of_cards"))
    try:
        cards = parse_cards(texts)
        check_pack(cards)
    except GuandanError as error:
        raise type(error)("within", name=field, error=error) from None
    return cards


def level_in(question: Question) -> str:
    if "level" not in question:
        raise Unreadable("level_missing")
    try:
        return parse_level(question["level"])
    except GuandanError as error:
        raise type(error)("within", name="level", error=error) from None


def ruleset_in(question: Question) -> Ruleset | None:
    """The ruleset that the question names; ``None`` when it names none, and every reading counts."""
    name = question.get("ruleset")
    if name is None:
        return None
    if not isinstance(name, str):
        raise Unreadable("field", name="ruleset", value=shown(name), reason=Sentence("ruleset_id"))
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
    if field not in question:
        raise Unreadable("question_lacks", name=field, reason=Sentence("object_with_cards"))
    inner = question[field]
    if not isinstance(inner, dict):
        raise Unreadable("field", name=field, value=shown(inner), reason=Sentence("object_with_cards"))
    try:
        found, chosen = reading_in(inner, cards_in(inner, "cards"), level, ruleset)
    except GuandanError as error:
        raise type(error)("within", name=field, error=error) from None
    default = default_reading(found, ruleset)
    return found, chosen, chosen or (None if default is None else found[default])


def single_question(args: argparse.Namespace, cards: list[str], field: str = "cards") -> Question:
    """The question that the arguments ask; without cards it is read from standard input as JSON."""
    if cards:
        question: dict[str, Any] = {field: words_of(cards)}
    else:
        text = b"" if sys.stdin.isatty() else sys.stdin.buffer.read()
        if not text.strip():
            raise Unreadable("nothing_asked")
        question = dict(parse_question(text))
    for key in ("level", "ruleset"):
        if getattr(args, key) is not None:
            question[key] = getattr(args, key)
    return question


def words_of(texts: Iterable[str]) -> list[str]:
    """The cards that the arguments name: apart by spaces or commas, several in one argument as well."""
    return " ".join(texts).replace(",", " ").replace("，", " ").split()


def reading_in_words(reading: Reading) -> str:
    """A reading as people say it."""
    return reading.sentence.in_language(language())


def rank_in_words(rank: str | None) -> str:
    return "10" if rank == "T" else rank or ""
