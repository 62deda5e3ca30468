"""Brackets: every game stands beside the middle of those it follows, on the page and on paper; nothing is left out."""

import random
import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.venue.test_desk import competition, play_round
from venue.desk import bracket_sheet
from venue.desk.brackets import trees


def played(count, rounds, format="knockout", seed=1, **options):
    event, rng = competition(format, count, options), random.Random(seed)
    for _ in range(rounds):
        if not event.finished:
            play_round(event, rng)
    return event


@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 40), st.integers(1, 7), st.sampled_from(["knockout", "drawn_knockout"]),
    st.sampled_from(["bracket", "tables"]), st.integers(0, 99),
)  # fmt: skip
def test_every_game_has_a_place_beside_the_middle_of_those_before_it(count, rounds, format, seeding, seed):
    event = played(count, rounds, format, seed, seeding=seeding, third_place=True)
    (tree,) = trees(event.stage)
    for at, places in enumerate(tree.columns):
        rows = [place.row for place in places]
        assert all(later - earlier >= 1 for earlier, later in pairwise(rows))
        assert rows[0] >= 0 and rows[-1] <= tree.rows - 1
        if at < len(event.rounds):
            main = [game for game in event.rounds[at].games if not game.for_place]
            assert sorted(map(id, main)) == sorted(id(place.game) for place in places)
        for place in places:
            before = [tree.columns[at - 1][each] for each in place.after]
            assert not before or place.row == sum(each.row for each in before) / len(before)
            if place.game is not None:
                assert all(each.game.winner in (place.game.one, place.game.other) for each in before)
    followed = [(at, each) for at, places in enumerate(tree.columns) for place in places for each in place.after]
    assert len(set(followed)) == len(followed)
    thirds = [game for past in event.rounds for game in past.games if game.for_place]
    assert [tree.third] == thirds or (tree.third is None and not thirds)


@pytest.mark.parametrize(("count", "columns"), [(16, [8, 4, 2, 1]), (11, [8, 4, 2, 1]), (2, [1])])
def test_what_is_to_come_is_an_empty_place(count, columns):
    (tree,) = trees(played(count, 1).stage)
    assert [len(places) for places in tree.columns] == columns
    assert all(place.game is None and len(place.after) == 2 for places in tree.columns[1:] for place in places)
    drawn = trees(played(count, 1, "drawn_knockout").stage)[0]
    assert len(drawn.columns) == 1, "what is drawn afresh is not known before"
    assert len(trees(played(16, 1, until=4).stage)[0].columns) == 2


def lines_of(drawing):
    return re.findall(r'<path d="M', drawing)


def drawn(tree, **more):
    title = more.get("title", lambda side: f"名字很长的一对 / {side[0]}")
    return bracket_sheet.svg(tree, ["x"] * len(tree.columns), title, "轮空", "季军赛")


def test_on_paper_a_line_leads_from_each_game_to_the_one_its_winner_plays():
    event = played(13, 4, third_place=True)
    (tree,) = trees(event.stage)
    drawing = drawn(tree)
    ElementTree.fromstring(drawing)
    follows = sum(len(place.after) for places in tree.columns for place in places)
    assert follows == 8 + 4 + 2 and len(lines_of(drawing)) == follows
    assert drawing.count("季军赛") == 1 and drawing.count("轮空") == 3
    assert drawing.count('class="won"') >= 2 * (4 + 4 + 2 + 1)


def test_a_large_bracket_is_cut_into_parts_that_fit_and_hold_every_game_and_line():
    event = played(128, 7)
    (tree,) = trees(event.stage)
    parts = bracket_sheet.pages(tree)
    assert [(first, part.rows, len(part.columns)) for first, part in parts] == [(0, 32, 6), (0, 32, 6), (5, 2, 2)]
    assert parts[-1][1].columns[-1][0].game is tree.columns[-1][0].game
    games = {id(place.game) for _, part in parts for places in part.columns for place in places}
    assert games == {id(game) for past in event.rounds for game in past.games}
    assert sum(len(lines_of(drawn(part))) for _, part in parts) == 126
    for _, part in parts:
        _, _, wide, tall = re.search(r'viewBox="([^"]+)"', drawn(part)).group(1).split()
        assert float(wide) <= bracket_sheet.WIDE + 0.5 and float(tall) <= bracket_sheet.TALL + bracket_sheet.HEAD + 9


def test_names_that_are_markup_stay_names_and_long_ones_stay_in_their_box():
    (tree,) = trees(played(4, 2).stage)
    drawing = drawn(tree, title=lambda side: "<b>&" + "很" * 40)
    ElementTree.fromstring(drawing)
    assert "<b>" not in drawing and "…" in drawing and "textLength" in drawing


def test_behind_a_side_stands_its_level_or_the_games_it_won():
    assert bracket_sheet.marks({"levels": ["T", "3"]}) == ("10", "3")
    assert bracket_sheet.marks({"levels": ["5", "A"], "games": [["A", "3"], ["A", "9"]]}) == ("2", "0")
    assert bracket_sheet.marks({"levels": ["5", "A"], "won": [1, 2]}) == ("1", "2")
    assert bracket_sheet.marks({"levels": None, "forfeit": "one"}) == bracket_sheet.marks(None) == ("", "")
