"""What a person's rows tell about faces that nobody can read, and what stays a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.cards import DECK, Card
from vision.enrolment.labels import Label, in_order, label
from vision.enrolment.sightings import Sighting
from vision.reader import IndexRead

ACE_TO_KING = "A23456789TJQK"


def says(name: str, p: float = 0.99) -> dict[Card, float]:
    return {Card.parse(name): p}


def row_of(suit: str, ranks: str = ACE_TO_KING, **misread: str) -> list[dict[Card, float]]:
    """A row as the reader names it; ``J="8"``: it takes the J for an 8."""
    return [says(suit + misread.get(rank, rank)) for rank in ranks]


def read_as(card: Card, p: float = 0.99) -> IndexRead:
    ranks, suits, colours = np.zeros(13), np.zeros(4), np.zeros(2)
    if card.is_joker:
        colours[card.index - 52] = p
        return IndexRead(ranks, suits, colours, p, 1 - p)
    ranks[card.index % 13], suits[card.index // 13] = p, 1.0
    return IndexRead(ranks, suits, colours, 0.0, 1 - p)


def at(name: str, x: float, y: float, up: tuple[float, float] = (0.0, -1.0), p: float = 0.99) -> Sighting:
    return Sighting(x, y, *up, 40.0, 0.9, read_as(Card.parse(name), p), np.zeros((84, 60, 3), np.uint8))


def names(found: Sequence[tuple[int, Card]]) -> list[str]:
    return [card.name for _, card in found]


def test_between_ten_and_queen_lies_the_jack_whatever_is_printed_on_it() -> None:
    assert names(in_order(row_of("S", J="8", Q="T"))) == ["S" + rank for rank in ACE_TO_KING]


def test_a_suit_may_be_laid_from_either_end_and_in_part() -> None:
    for order in (ACE_TO_KING, ACE_TO_KING[::-1], "23456789TJQKA", "456789TJQ"):
        assert names(in_order(row_of("H", order, J="7"))) == ["H" + rank for rank in order]


def test_a_card_that_was_not_found_and_a_find_that_is_none_do_not_shift_the_rest() -> None:
    row = row_of("C")
    del row[4]
    assert names(in_order(row)) == ["C" + rank for rank in ACE_TO_KING if rank != "5"]
    row = row_of("C")
    row.insert(6, says("D9"))
    assert names(in_order(row)) == ["C" + rank for rank in ACE_TO_KING]


def test_beside_a_gap_nothing_is_named_by_its_place() -> None:
    row = row_of("D", J="8")
    del row[11]  # the queen was not found: is what lies there a jack or a queen?
    assert "DJ" not in names(in_order(row)) and "DQ" not in names(in_order(row))


def test_a_shuffled_row_names_nobody() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        cards = [DECK[k] for k in rng.permutation(52)[:11]]
        assert in_order([says(card.name) for card in cards]) == []


def test_two_equal_names_in_one_picture_are_a_question_but_two_corners_are_not() -> None:
    seen = [at("S8", 100, 100), at("S8", 500, 100), at("H9", 300, 400), at("H9", 420, 600, (0.0, 1.0))]
    first, second, third, fourth = label(seen)
    assert first is not None and first.card is None and second is not None and second.card is None
    assert third is not None and fourth is not None and third.card is fourth.card is Card.parse("H9")


def test_of_two_equal_names_the_row_wins() -> None:
    cards = [at(f"S{'8' if rank == 'J' else rank}", 100 + 90 * place, 100) for place, rank in enumerate(ACE_TO_KING)]
    labels = label(cards)
    assert [each.card.name if each and each.card else "?" for each in labels] == ["S" + rank for rank in ACE_TO_KING]
    assert labels[10] == Label(Card.parse("SJ"), "row")


def test_grey_jokers_are_told_by_their_side_and_asked_about() -> None:
    small, big = at("SB", 100, 100), at("SB", 400, 100)
    left, right = label([small, big])
    assert left is not None and left.card is Card.parse("SB")
    assert right is not None and right.card is None and right.candidates[0] is Card.parse("HR")
    coloured = label([at("SB", 100, 100), at("HR", 400, 100)])
    assert [each.card.name if each and each.card else "?" for each in coloured] == ["SB", "HR"]


def test_jokers_of_one_colour_laid_alone_are_told_by_their_side() -> None:
    # Three px a millimetre: two cards 120 mm apart, of each both corners found; a sign like that has no direction.
    corner = [(100, 100, (0.0, -1.0)), (240, 310, (1.0, 0.0)), (460, 110, (0.0, 1.0)), (600, 320, (-0.6, 0.8))]
    seen = [at("SB", x, y, way) for x, y, way in corner]
    assert label(seen, by_side=3.0) == [Label(Card.parse(name), "side") for name in ("SB", "SB", "HR", "HR")]
    # One card's corners are not two cards, colours that tell are believed, and among cards nobody lies alone.
    assert all(each is None or each.how != "side" for each in label(seen[:2], by_side=3.0))
    coloured = [at("HR" if x < 300 else "SB", x, y, way) for x, y, way in corner]
    assert all(each is None or each.how != "side" for each in label(coloured, by_side=3.0))
    among = [*seen, *(at("C5", 800 + 90 * place, 700) for place in range(3))]
    assert all(each is None or each.how != "side" for each in label(among, by_side=3.0))


def test_a_pip_among_cards_is_neither_a_joker_nor_a_question() -> None:
    plain = [at("C5", 300, 300), at("C6", 420, 300)]
    faint, sure = replace(at("HR", 340, 340, p=0.85), score=0.5), replace(at("HR", 340, 340, p=0.97), score=0.8)
    assert label([*plain, faint])[-1] is None
    assert label([*plain, sure])[-1] == Label(Card.parse("HR"), "read")


def test_what_the_reader_is_not_sure_of_is_asked() -> None:
    (only,) = label([at("C4", 100, 100, p=0.5)])
    assert only is not None and only.how == "ask" and only.candidates[0] is Card.parse("C4")


def two_rows(**misread: str) -> list[Sighting]:
    return [
        at(suit + misread.get(rank, rank), 100 + 90 * place, 100 + 300 * line)
        for line, suit in enumerate("SH")
        for place, rank in enumerate(ACE_TO_KING)
    ]


def test_outside_the_rows_a_letter_means_what_the_rows_say_it_means() -> None:
    swapped = label([*two_rows(J="Q", Q="J"), at("CJ", 400, 900, (0.0, 1.0))])
    assert swapped[-1] == Label(Card.parse("CQ"), "read")
    doubtful = label([*two_rows(J="8"), at("C8", 400, 900, (0.0, 1.0)), at("C5", 700, 900)])
    assert doubtful[-2] is not None and doubtful[-2].card is None, "an 8 or a jack: nobody can know"
    assert doubtful[-1] == Label(Card.parse("C5"), "read")


def test_a_strange_find_at_a_jokers_corner_is_its_part_only_where_the_joker_lies_alone() -> None:
    joker = at("HR", 400, 400)
    nothing = IndexRead(np.zeros(13), np.zeros(4), np.zeros(2), 0.0, 0.95)
    part = Sighting(405, 440, 0.0, -1.0, 25.0, 0.2, nothing, np.zeros((84, 60, 3), np.uint8), closer=True)
    plain = [at("C5", 1900, 300), at("C6", 2000, 300)]
    assert label([joker, part, *plain])[1] == Label(Card.parse("HR"), "read")
    assert label([joker, part, *plain, at("S6", 330, 430)])[1] is None, "a neighbour's corner may look like that"
