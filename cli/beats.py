"""`guandan beats`: whether one play beats another."""

from __future__ import annotations

import argparse
import json
from typing import Any

from cli.main import Refused
from cli.questions import (
    Question,
    add_common_arguments,
    answer_batch,
    level_in,
    play_in,
    reading_in_words,
    ruleset_in,
    single_question,
    words_of,
)  # fmt: skip
from cli.words import help_of, say
from engine.readings import Reading, beats

EXAMPLE = '{"a":{"cards":["S8","D8"]},"b":{"cards":["H7","C7"]},"level":"5","ruleset":"national"}'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("plays", nargs="*", metavar="PLAY", help=help_of("plays"))
    add_common_arguments(parser, EXAMPLE)


def answer(question: Question) -> dict[str, Any]:
    """Answer ``{"a": {"cards": …, "reading": …?}, "b": …, "level": …, "ruleset": …?}``."""
    level, ruleset = level_in(question), ruleset_in(question)
    found, declared, a = play_in(question, "a", level, ruleset)
    _, _, b = play_in(question, "b", level, ruleset)
    if a is None:
        return {"beats": False, "why": say("why_a_is_nothing")}
    if b is None:
        return {"beats": False, "why": say("why_b_is_nothing")}
    stronger = [reading for reading in ([declared] if declared else found) if beats(reading, b)]
    shown = stronger[0] if stronger else a
    words = {"a": reading_in_words(shown), "b": reading_in_words(b)}
    return {"beats": bool(stronger), "why": say(_why(shown, b), **words)}


def _why(a: Reading, b: Reading) -> str:
    """The key of the sentence that says how *a* stands to *b*."""
    if beats(a, b):
        if not b.is_bomb and a.is_bomb:
            return "why_bomb"
        return "why_higher" if a.type == b.type and a.size == b.size else "why_larger_bomb"
    if a.order == b.order and a.type == b.type and a.size == b.size:
        return "why_equal"
    if a.is_bomb and b.is_bomb and (a.type, a.size) != (b.type, b.size):
        return "why_smaller_bomb"
    if b.is_bomb and not a.is_bomb:
        return "why_not_a_bomb"
    return "why_lower" if a.type == b.type and a.size == b.size else "why_other_kind"


def run(args: argparse.Namespace) -> int:
    if args.batch:
        return answer_batch(args, args.plays, answer)
    question = _from_arguments(args) if args.plays else single_question(args, [])
    result = answer(question)
    print(json.dumps(result, ensure_ascii=False) if args.json else result["why"])
    return 0


def _from_arguments(args: argparse.Namespace) -> Question:
    if len(args.plays) != 2:
        raise Refused(say("beats_usage"))
    a, b = ({"cards": words_of([play])} for play in args.plays)
    return {**single_question(args, args.plays), "a": a, "b": b}
