"""`guandan legal`: the plays that a hand allows."""

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
    play_in,
    reading_in_words,
    ruleset_in,
    single_question,
    words_of,
)  # fmt: skip
from cli.words import help_of, say
from engine.errors import Impossible, Sentence
from engine.plays import Play, legal_plays

EXAMPLE = '{"hand":["S8","D8","H9"],"over":{"cards":["C7"]},"level":"5","ruleset":"national"}'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("cards", nargs="*", metavar="CARD", help=help_of("hand"))
    parser.add_argument("--over", metavar="PLAY", help=help_of("over"))
    add_common_arguments(parser, EXAMPLE)


def plays_of(question: Question) -> list[Play]:
    """The plays that ``{"hand": …, "over": …?, "level": …, "ruleset": …?}`` allows."""
    level, ruleset = level_in(question), ruleset_in(question)
    hand = cards_in(question, "hand")
    over = None
    if question.get("over") is not None:
        over = play_in(question, "over", level, ruleset)[2]
        if over is None:
            raise Impossible("within", name="over", error=Sentence("nothing_over_that"))
    return legal_plays(hand, over, level, ruleset)


def answer(question: Question) -> dict[str, Any]:
    return {"plays": [play.to_dict() for play in plays_of(question)]}


def run(args: argparse.Namespace) -> int:
    if args.batch:
        return answer_batch(args, args.cards, answer)
    question = dict(single_question(args, args.cards, "hand"))
    if args.over is not None:
        question["over"] = {"cards": words_of([args.over])}
    if args.json:
        print(json.dumps(answer(question), ensure_ascii=False))
        return 0
    plays = plays_of(question)
    for play in plays:
        print(f"{' '.join(card.name for card in play.cards):<32}{reading_in_words(play.reading)}")
    if not plays:
        print(say("no_play"))
    return 0
