"""`guandan classify`: the readings of a set of cards."""

from __future__ import annotations

import argparse
import json
from typing import Any

from cli.questions import (
    Question,
    add_common_arguments,
    answer_batch,
    cards_in,
    level_in,
    reading_in_words,
    ruleset_in,
    single_question,
)  # fmt: skip
from cli.words import help_of, say
from engine.readings import default_reading, readings

EXAMPLE = '{"cards":["S8","D8"],"level":"5","ruleset":"national"}'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("cards", nargs="*", metavar="CARD", help=help_of("cards"))
    add_common_arguments(parser, EXAMPLE)


def classify(question: Question) -> dict[str, Any]:
    """Answer ``{"cards": …, "level": …, "ruleset": …?}``."""
    cards, ruleset = cards_in(question, "cards"), ruleset_in(question)
    found = readings(cards, level_in(question), ruleset)
    return {
        "readings": [{**reading.to_dict(), "order": list(reading.order)} for reading in found],
        "default": default_reading(found, ruleset),
    }


def run(args: argparse.Namespace) -> int:
    if args.batch:
        return answer_batch(args, args.cards, classify)
    question = single_question(args, args.cards)
    answer = classify(question)
    if args.json:
        print(json.dumps(answer, ensure_ascii=False))
        return 0
    found = readings(cards_in(question, "cards"), level_in(question), ruleset_in(question))
    if not found:
        print(say("no_combination"))
    for at, reading in enumerate(found):
        undeclared = len(found) > 1 and at == answer["default"]
        print(reading_in_words(reading) + (say("undeclared") if undeclared else ""))
    return 0
