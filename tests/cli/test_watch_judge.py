"""The rules behind the verb watch: a play that goes back into the hand throws nothing after it out of its order."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from cli.watch import Judge, _alert_words
from cli.words import use_language
from engine.cards import Card
from vision.observations import Laid, Observation, Removed, SeenCard, Touched


def _card(name: str, x: float) -> SeenCard:
    card = Card.parse(name)
    return SeenCard(card, 0.99, True, ((card, 0.99),), ((x, 0.0),), 0.0, (x, 350.0), ((x - 20.0, 320.0),))


def _cards(names: str) -> tuple[SeenCard, ...]:
    return tuple(_card(name, 300.0 + 12 * place) for place, name in enumerate(names.split()))


def _laid(t: float, seat: str, names: str) -> list[Observation]:
    return [Touched(t, seat), Laid(t + 2.0, seat, _cards(names), t, 3, True, t + 1.5)]


def _gone(t: float, seat: str, names: str, emptied: bool = True) -> list[Observation]:
    return [Touched(t, seat), Removed(t + 1.0, seat, _cards(names), emptied)]


EVENING: list[Observation] = [
    *_laid(1, "E", "C4 D4 H5 C5 D5"),
    *_laid(5, "N", "C8 D8 CA CA DA"),
    *_laid(9, "E", "S3 H3 C3 H9 C9"),  # beats nothing, and is the last word of its trick
    *_gone(14, "E", "S3 H3 C3 H9 C9", emptied=False),
    *_gone(17, "E", "C4 D4 H5 C5 D5"),
    *_gone(17.2, "N", "C8 D8 CA CA DA"),
    *_laid(20, "N", "S4"),
    *_laid(23, "W", "H5"),
    *_laid(26, "S", "S8"),
    *_laid(29, "E", "HT"),
    *_laid(32, "N", "CQ"),
    *_laid(35, "W", "SK"),
]


def _alerts(told: list[Observation], ticks: float) -> list[tuple[str, str, bool]]:
    judge, found = Judge(), list[dict[str, Any]]()
    for one, after in pairwise([*told, Touched(told[-1].t + 5, "S")]):
        found += judge.judge(one)
        t = one.t
        while ticks and (t := t + ticks) < after.t:
            found += judge.wait(t)
    return [(line["kind"], line["seat"], line["certain"]) for line in found]


def test_a_play_that_is_taken_back_accuses_nobody_later() -> None:
    assert _alerts(sorted(EVENING, key=lambda seen: seen.t), 0.1) == [("does_not_beat", "E", True)]


def test_a_video_longer_than_a_match_tells_no_bell() -> None:
    judge = Judge()
    assert not judge.judge(EVENING[0]) and not judge.judge(EVENING[1])
    assert not [line for hour in range(1, 9) for line in judge.wait(3600.0 * hour)]


def test_what_rests_on_a_play_that_is_asked_about_is_not_told() -> None:
    doubted = [
        replace(seen, cards=(*seen.cards[:-1], replace(seen.cards[-1], sure=False))) if isinstance(seen, Laid) else seen
        for seen in EVENING[:4]
    ]
    assert not _alerts([*doubted, *EVENING[4:6]], 0.1)


@pytest.mark.parametrize(
    "language, seat, told",
    [("zh", "S", "提示：南 压不住"), ("en", "S", "alert: south does not beat"), ("en", None, "alert: does not beat")],
)
def test_an_alert_names_who_did_it_before_what_was_done(language: str, seat: str | None, told: str) -> None:
    use_language(language)
    try:
        assert _alert_words({"t": 12.0, "kind": "does_not_beat", "seat": seat}).endswith(told)
    finally:
        use_language("zh")
