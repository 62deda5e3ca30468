"""The second look at what was not sure: chance goes, what is there stays, and no single crop decides."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card
from tests.vision.test_layout import index
from vision.layout import Index
from vision.second_look import seen_again

CQ, SQ = Card.parse("CQ"), Card.parse("SQ")


def queen(p: float, score: float = 0.6) -> Index:
    found = index(100, 100, 0, 50, CQ)
    return replace(found, score=score, probs={CQ: p, SQ: 0.98 - p})


def test_an_index_that_most_looks_name_surely_is_sure() -> None:
    (again,) = seen_again([queen(0.45)], {0}, [[queen(0.97)], [queen(0.96)]])
    assert again.card is CQ and again.confidence > 0.9
    (again,) = seen_again([queen(0.45)], {0}, [[queen(0.97)], [queen(0.5)]])
    assert again.confidence < 0.6


def test_with_one_other_look_the_more_doubtful_one_counts() -> None:
    (again,) = seen_again([queen(0.8)], {0}, [[queen(0.99)], []])
    assert again.confidence == 0.8


def test_what_no_other_look_shows_is_gone_and_what_is_not_doubtful_stays() -> None:
    ghost = queen(0.6, 0.3)
    assert seen_again([ghost], {0}, [[], []]) == [] and seen_again([ghost], (), [[], []]) == [ghost]
    elsewhere = replace(queen(0.9), x=140.0)
    assert seen_again([ghost], {0}, [[elsewhere], [elsewhere]]) == []
    assert seen_again([ghost], {0}, [[queen(0.9, 0.1)], [queen(0.9, 0.1)]]) == []


def test_a_faint_index_must_show_in_both_other_looks() -> None:
    faint, likely = queen(0.5, 0.4), queen(0.7, 0.6)
    assert seen_again([faint], {0}, [[queen(0.6)], []]) == []
    assert len(seen_again([likely], {0}, [[queen(0.6)], []])) == 1
    assert len(seen_again([faint], {0}, [[queen(0.6)], [queen(0.6)]])) == 1


def test_a_joker_that_only_another_look_shows_is_there() -> None:
    joker = index(300, 100, 0, 60, Card.parse("SB"))
    assert [each.card.name for each in seen_again([queen(0.6)], {0}, [[joker], []])] == ["SB"]


def test_without_any_index_the_looks_jokers_are_all_there_is() -> None:
    joker = index(300, 100, 0, 60, Card.parse("HR"))
    assert seen_again([], (), [[joker, queen(0.9)], []]) == [joker]
