"""Stills that vote, and what is new in a zone: laid in two movements, straightened, covered, taken back."""

from dataclasses import replace

import pytest

from engine.cards import Card
from vision.changes import Lying, compare, with_known
from vision.observations import SeenCard
from vision.votes import vote


def seen(name: str, x: float, y: float = 550.0, angle: float = 0.0, p: float = 0.99) -> SeenCard:
    card = Card.parse(name)
    other = Card.parse("H3") if name != "H3" else Card.parse("H8")
    return SeenCard(card, p, p >= 0.8, ((card, p), (other, 1 - p)), ((x, y),), angle, (x, y))


def lying(*cards: SeenCard) -> tuple[Lying, ...]:
    return tuple(Lying(card) for card in cards)


def names(cards: tuple[SeenCard, ...]) -> list[str]:
    return [card.card.name for card in cards]


def test_three_sure_stills_are_sure() -> None:
    verdict = vote([[seen("S8", 300), seen("S8", 312)]] * 3)
    assert names(verdict.cards) == ["S8", "S8"] and verdict.steady
    assert all(card.sure for card in verdict.cards)


def test_two_stills_are_never_sure() -> None:
    assert not any(card.sure for card in vote([[seen("S8", 300)]] * 2).cards)


@pytest.mark.parametrize("odd", [seen("S3", 300), seen("S8", 300, p=0.6)])
def test_one_dissenting_still_makes_doubt(odd: SeenCard) -> None:
    verdict = vote([[seen("S8", 300)], [odd], [seen("S8", 301)]])
    assert names(verdict.cards) == ["S8"] and not verdict.cards[0].sure
    assert verdict.cards[0].confidence < 0.95


def test_a_card_missed_by_one_still_stays_in_doubt_and_a_ghost_goes() -> None:
    verdict = vote([[seen("S8", 300)], [], [seen("S8", 300)]])
    assert names(verdict.cards) == ["S8"] and not verdict.cards[0].sure and not verdict.steady
    assert vote([[seen("S8", 300, p=0.5)], [], []]).cards == ()


def test_three_sure_stills_of_five_are_sure_if_the_others_name_the_same_card() -> None:
    hardly = replace(seen("S8", 300, p=0.78), sure=False)
    stills = [[hardly], [seen("S8", 300)], [seen("S8", 301)], [seen("S8", 300)]]
    assert vote(stills).cards[0].sure and vote([*stills, [hardly]]).cards[0].sure
    assert not vote(stills[:3]).cards[0].sure and not vote([*stills[:3], [hardly], [hardly]]).cards[0].sure
    assert not vote([*stills, [replace(seen("S3", 300, p=0.6), sure=False)]]).cards[0].sure
    assert not vote([*stills, []]).cards[0].sure


def test_what_one_still_of_five_shows_by_chance_unsettles_nothing() -> None:
    ghost = replace(seen("D4", 380, p=0.5), sure=False)
    verdict = vote([[seen("S8", 300), ghost], *[[seen("S8", 300)]] * 4])
    assert names(verdict.cards) == ["S8"] and verdict.steady and verdict.cards[0].sure
    assert not vote([[seen("S8", 300), ghost]] * 2 + [[seen("S8", 300)]] * 3).steady
    assert not vote([[seen("S8", 300), ghost], [seen("S8", 300)], [seen("S8", 300)]]).steady
    assert not vote([[seen("S8", 300), seen("D4", 380)], *[[seen("S8", 300)]] * 4]).steady


def test_all_new_on_an_empty_zone() -> None:
    change = compare((), [seen("S5", 300), seen("H5", 320)])
    assert names(change.new) == ["S5", "H5"] and not change.gone and len(change.lying) == 2


def test_laid_in_two_movements_and_straightened() -> None:
    first = compare((), [seen("S5", 300), seen("H5", 320)])
    second = compare(first.lying, [seen("S5", 296), seen("H5", 312), seen("D5", 330)])
    assert names(second.new) == ["D5"] and not second.gone and not second.renamed


def test_a_whole_play_pushed_aside_is_no_new_play() -> None:
    before = lying(seen("S5", 300), seen("H5", 320), seen("D5", 340))
    change = compare(before, [seen("S5", 360, 520), seen("H5", 378, 521), seen("D5", 399, 522)])
    assert not change.new and not change.gone


def test_a_second_play_over_the_first() -> None:
    before = lying(seen("S5", 300, 570), seen("H5", 320, 570))
    change = compare(before, [seen("S9", 302, 545), seen("H9", 322, 545)])
    assert names(change.new) == ["S9", "H9"] and not change.gone
    assert [x.covered for x in change.lying] == [True, True, False, False]
    gone = compare(change.lying, [])
    assert sorted(names(gone.gone)) == ["H5", "H9", "S5", "S9"] and gone.lying == ()


def test_an_equal_card_of_the_other_deck_over_the_first_play_is_new() -> None:
    before = lying(seen("S5", 300, 590), seen("S6", 320, 590))
    change = compare(before, [seen("S6", 300, 560), seen("S7", 320, 560)])
    assert names(change.new) == ["S6", "S7"]


def test_taken_back_and_turned_down() -> None:
    before = lying(seen("S5", 260), seen("H9", 380))
    change = compare(before, [seen("S5", 260)])
    assert names(change.gone) == ["H9"] and not change.new and len(change.lying) == 1
    assert names(compare(before, []).gone) == ["S5", "H9"]


def test_a_later_look_settles_an_unsure_card() -> None:
    before = lying(seen("S3", 300, p=0.6), seen("H9", 340))
    change = compare(before, [seen("S8", 300), seen("H9", 340)])
    assert not change.new and not change.gone
    assert names(change.renamed) == ["S8"] and names(change.was) == ["S3"] and change.renamed[0].sure


def test_a_sure_card_is_not_quietly_renamed() -> None:
    """Two sure readings that differ in one place are two cards, the later one over the earlier."""
    change = compare(lying(seen("S3", 300)), [seen("S8", 300)])
    assert names(change.new) == ["S8"] and not change.renamed and [x.covered for x in change.lying] == [True, False]


def test_a_passing_glare_does_not_unsettle_a_sure_card() -> None:
    change = compare(lying(seen("S3", 300)), [replace(seen("S3", 300, p=0.7), sure=False)])
    assert not change.renamed and change.lying[0].seen.sure


def test_a_card_under_a_resting_hand_is_not_gone_while_its_place_looks_as_it_did() -> None:
    known = lying(seen("D2", 330))
    new = [seen("SK", 366, 500), seen("H3", 347, 500)]
    hidden = compare(known, new, lambda each: True)
    assert names(hidden.new) == ["SK", "H3"] and not hidden.gone
    first = hidden.lying[0]
    assert (first.seen.card.name, first.covered) == ("D2", True)
    again = compare(hidden.lying, [*new, seen("D2", 330)], lambda each: True)
    assert not again.new and not again.gone and not any(each.covered for each in again.lying)
    assert names(compare(known, new, lambda each: False).gone) == ["D2"]


def four(name: str, x: float, y: float, shown: tuple[tuple[int, int], ...]) -> SeenCard:
    """A card of a deck with an index in each corner, of which these are seen."""
    corners = tuple((x + 23.5 * aside, y + 30.0 * below) for aside, below in shown)
    return replace(seen(name, x, y), indices=corners, corners=corners)


ALL = ((-1, -1), (1, 1), (1, -1), (-1, 1))


@pytest.mark.parametrize("left", [((-1, 1), (1, 1)), ((-1, 1),), ((1, -1), (1, 1)), ((-1, -1), (1, 1))])
def test_the_corners_that_a_later_card_leaves_of_a_known_one_are_no_new_cards(
    left: tuple[tuple[int, int], ...],
) -> None:
    """Each by itself seems to be a card of its own, with a centre that follows from its direction."""
    known = lying(four("CT", 350, 560, ALL))
    rest = []
    for aside, below in left:
        corner = four("CT", 350, 560, ((aside, below),))
        rest.append(replace(corner, place=(corner.corners[0][0] + 20, 560.0), angle=180.0 if below > 0 else 0.0))
    over = four("HR", 365, 520, ALL)
    change = compare(known, with_known(known, [*rest, over]))
    assert names(change.new) == ["HR"] and not change.gone and not change.renamed
    ten = change.lying[0].seen
    assert ten.place == (350, 560) and len(ten.corners) == len(left) and ten.sure
    again = with_known(change.lying, [four("CT", 350, 560, ALL), over])
    assert not compare(change.lying, again).new


def test_an_equal_card_beside_a_known_one_is_new() -> None:
    known = lying(four("CT", 350, 560, ALL))
    beside = [four("CT", 350, 560, ((-1, -1), (-1, 1))), four("CT", 371, 560, ALL)]
    change = compare(known, with_known(known, beside))
    assert names(change.new) == ["CT"] and len(change.lying) == 2
    upside_down = replace(four("CT", 350, 560, ((-1, 1),)), angle=0.0, place=(370.0, 620.0))
    there = with_known(known, [four("CT", 350, 560, ALL[:1]), upside_down])
    assert names(compare(known, there).new) == ["CT"]


def test_a_half_hidden_corner_of_a_known_card_is_no_other_card() -> None:
    known = lying(four("H3", 350, 560, ALL[:2]))
    doubtful = replace(four("H7", 350, 560, ALL[1:2]), angle=180.0, place=(350.0, 565.0), sure=False, confidence=0.6)
    change = compare(known, with_known(known, [four("H3", 350, 560, ALL[:1]), doubtful]))
    assert not change.new and not change.renamed and change.lying[0].seen.sure
    only = replace(doubtful, candidates=((Card.parse("H7"), 0.6), (Card.parse("H3"), 0.3)))
    change = compare(known, with_known(known, [only]))
    assert not change.new and not change.gone and not change.renamed
    # A card that was put in its place is another matter.
    strange = replace(four("D7", 350, 560, ALL[:1]), sure=False, confidence=0.6, candidates=((Card.parse("D7"), 0.6),))
    assert names(compare(known, with_known(known, [strange])).renamed) == ["D7"]
    sure = replace(strange, sure=True)
    assert names(compare(known, with_known(known, [sure])).new) == ["D7"]


def test_a_card_whose_corners_two_later_cards_hide_is_not_gone() -> None:
    """Of a fan's lower card one side shows; the next play's cards lie over its upper and its lower corner."""
    king = four("HK", 350, 560, ((-1, -1), (-1, 1)))
    over = [four("S2", 345, 533, ALL), four("C2", 355, 601, ALL)]
    change = compare(lying(king), over)
    assert names(change.new) == ["S2", "C2"] and not change.gone and change.lying[0].covered
    assert names(compare(lying(king), over[:1]).gone) == ["HK"]
