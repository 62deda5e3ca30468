"""The desk's pure core: draws repeat, brackets hold, Swiss keeps its rules whenever a legal pairing exists."""

import hashlib
import io
import itertools
import random
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Impossible, Unreadable
from venue.desk import draw, drawing, entries, knockout, prizes, roundrobin, sheets, standings, swiss
from venue.desk.competition import Competition, check_options
from venue.desk.exports import sheet
from venue.desk.matching import best_pairs
from venue.desk.prizes import Prize
from venue.desk.standings import Outcome
from venue.desk.views import view


def competition(format, count, options=None, clubs=0):
    """A competition of *count* pairs, entered and ready to be drawn."""
    made = Competition("c", {"title": "t", "format": format, "options": options or {}})
    entrants = [
        {"number": n, "names": [f"{n}a", f"{n}b"], "club": f"c{n % clubs}" if clubs else ""}
        for n in range(1, count + 1)
    ]
    assert made.apply({"act": "enter", "entrants": entrants}, 0, "")
    return made


def play_round(event, rng, draws=False):
    """Draw a round and give every game a result."""
    number = len(event.rounds) + 1
    drawn = drawing.next_round(event, f"s{number}")
    for place, game in enumerate(drawn["games"]):
        game["match"] = f"m{number}-{place}"
    assert event.apply({"act": "draw", **drawn}, 0, "")
    for place, game in enumerate(drawn["games"]):
        if game["other"] is not None:
            winner = rng.choice(["one", "other", *([None] if draws else [])])
            levels = rng.sample("23456789TJQKA", 2)
            act = {"act": "result", "round": number, "game": place, "levels": levels, "winner": winner}
            assert event.apply(act | {"source": "paper"}, 0, "")


def test_a_swiss_of_37_pairs_runs_to_the_prize_list_and_replays_the_same():
    rng, acts = random.Random(3), []
    prizes_ = [{"name": "一等奖", "count": 1}, {"name": "二等奖", "count": 2}]
    event = competition("swiss", 37, {"rounds": 5, "prizes": prizes_}, 9)
    plain = event.apply
    event.apply = lambda act, at, by: acts.append(act) or plain(act, at, by)
    for _ in range(5):
        play_round(event, rng, draws=True)
    with pytest.raises(Impossible, match="over"):
        drawing.next_round(event, "s")
    assert event.finished and event.awards()[0].rank == 1
    byes = [game.one for past in event.rounds for game in past.games if game.other is None]
    assert len(byes) == len(set(byes)) == 5
    met = [frozenset((game.one, game.other)) for past in event.rounds for game in past.games if game.other]
    assert len(met) == len(set(met)) == 5 * 18
    again = competition("swiss", 37, event.options, 9)
    for act in acts:
        again.apply(act, 0, "")
    assert view(again) == view(event)


def test_a_round_robin_with_a_withdrawal_gives_byes_instead():
    event, rng = competition("round_robin", 6), random.Random(1)
    play_round(event, rng)
    assert event.apply({"act": "withdraw", "number": 3, "why": "ill"}, 0, "")
    for _ in range(4):
        play_round(event, rng)
        numbers = [n for game in event.rounds[-1].games for n in (game.one, game.other) if n is not None]
        assert 3 not in numbers and len(numbers) == 5
    assert event.finished and len(event.standing()) == 6


def test_a_bracket_of_11_runs_to_its_winner_and_wants_a_winner_in_every_game():
    event, rng = competition("knockout", 11), random.Random(2)
    play_round(event, rng)
    assert sum(game.other is None for game in event.rounds[0].games) == 5
    while not event.finished:
        play_round(event, rng)
    assert [len(rank) for rank in event.ranks()] == [1, 1, 2, 4, 3]
    tied = competition("knockout", 2)
    play_round(tied, rng)
    draw_ = {"act": "result", "round": 1, "game": 0, "levels": ["5", "5"], "winner": None, "source": "paper"}
    assert tied.apply(draw_, 0, "") and not tied.finished
    with pytest.raises(Impossible, match="needs a winner"):
        drawing.next_round(tied, "s")


@pytest.mark.parametrize(
    "act",
    [
        {"act": "enter", "entrants": [{"number": 4, "names": ["x"]}]},
        {"act": "draw", "round": 1, "games": []},
        {"act": "draw", "round": 3, "games": []},
        {"act": "undraw", "round": 1},
        {"act": "result", "round": 9, "game": 0},
        {"act": "result", "round": 1, "game": 99},
        {"act": "withdraw", "number": 99},
        {"act": "dance"},
        {},
    ],
)
def test_acts_that_make_no_sense_change_nothing(act):
    event = competition("swiss", 4)
    play_round(event, random.Random(2))
    before = view(event)
    assert not event.apply(act, 0, "") and view(event) == before


def test_a_correction_keeps_the_old_value_and_paper_is_not_overruled_by_a_table():
    event = competition("swiss", 2)
    play_round(event, random.Random(2))
    act = {"act": "result", "round": 1, "game": 0}
    assert event.apply(act | {"levels": ["A", "2"], "winner": "one", "source": "paper", "why": "sheet"}, 5, "甲")
    assert not event.apply(act | {"levels": ["2", "A"], "winner": "other", "source": "table"}, 6, "")
    game = event.rounds[0].games[0]
    assert game.result["winner"] == "one" and game.result["by"] == "甲" and len(game.history) == 2


def test_exports_hold_no_formulas():
    event = competition("swiss", 2)
    event.entrants[1] = entries.Entrant(1, ("=HYPERLINK(1)", "b"), "@x")
    play_round(event, random.Random(2))
    text = sheet(event, {})
    assert "'=HYPERLINK" in text and "'@x" in text and ",=" not in text and ",@" not in text


@pytest.mark.parametrize(
    "options",
    [
        {"rounds": 0},
        {"rounds": True},
        {"chain": ["luck"]},
        {"chain": "points"},
        {"points": {"win": "2"}},
        {"points": {"bribe": 1}},
        {"prizes": [{"name": "x", "count": 0}]},
        {"prizes": "x"},
        {"colour": "red"},
        {"ruleset": 5},
    ],
)
def test_options_that_no_competition_could_have_are_refused(options):
    with pytest.raises(Unreadable):
        check_options("swiss", options)


def test_a_lot_is_what_the_published_recipe_gives():
    assert draw.lot("2026春", 17) == hashlib.sha256("2026春:17".encode()).hexdigest()
    assert draw.order("2026春", range(1, 9)) == sorted(range(1, 9), key=lambda n: draw.lot("2026春", n))


@given(st.text(max_size=8), st.sets(st.integers(1, 500), min_size=1), st.randoms())
@settings(deadline=None, max_examples=60)
def test_the_same_seed_draws_the_same_whatever_the_order_of_entry(seed, numbers, rng):
    shuffled = list(numbers)
    rng.shuffle(shuffled)
    assert draw.order(seed, shuffled) == draw.order(seed, numbers)
    assert sorted(draw.order(seed, shuffled)) == sorted(numbers)


def test_tags_of_zhongqing():
    tags = draw.tags("s", range(1, 129))
    assert {tag for tag, _ in tags.values()} == {f"{letter}{n}" for letter in "AB" for n in range(1, 17)}
    for tag in {tag for tag, _ in tags.values()}:
        assert sorted(colour for other, colour in tags.values() if other == tag) == [
            "green",
            "green",
            "orange",
            "orange",
        ]
    with pytest.raises(Impossible):
        draw.tags("s", range(1, 127))


def test_partners_and_seats():
    pairs = draw.partners("s", range(1, 11))
    assert sorted(n for pair in pairs for n in pair) == list(range(1, 11))
    with pytest.raises(Impossible):
        draw.partners("s", [1, 2, 3])
    assert draw.north_south("s", 4, 7, 9) == draw.north_south("s", 4, 9, 7)
    assert {draw.north_south("s", table, 7, 9)[0] for table in range(40)} == {7, 9}


@given(st.integers(2, 300))
@settings(deadline=None, max_examples=60)
def test_a_bracket_spreads_its_byes_and_keeps_the_first_two_apart(count):
    lines = knockout.bracket(list(range(1, count + 1)))
    games = knockout.first_round(lines)
    assert sorted(n for game in games for n in game if n is not None) == list(range(1, count + 1))
    byes = [one for one, other in games if other is None]
    assert sorted(byes) == list(range(1, len(lines) - count + 1))
    played, rounds = [(one, other, one) for one, other in games], 0
    survivors = [min(one, other or one) for one, other, _ in played]
    while len(survivors) > 1:
        meeting = knockout.next_round(survivors)
        if len(survivors) > 2:
            assert (1, 2) not in meeting and (2, 1) not in meeting
        survivors, rounds = [min(game) for game in meeting], rounds + 1
    assert survivors == [1] and len(lines) == 2 ** (rounds + 1)


def test_the_invitational_goes_14_7_4_2_with_one_bye():
    event = competition("drawn_knockout", 14, {"prizes": [{"name": "1", "count": 2}, {"name": "2", "count": 2}]})
    sizes, byes = [], []
    while not event.finished:
        play_round(event, random.Random(7))
        games = event.rounds[-1].games
        sizes.append(sum(2 if game.other else 1 for game in games))
        byes += [game.one for game in games if game.other is None]
    assert sizes == [14, 7, 4, 2] and len(byes) == 1
    ranks = event.ranks()
    assert [len(rank) for rank in ranks] == [1, 1, 2, 3, 7]
    assert sorted(n for rank in ranks for n in rank) == list(range(1, 15))
    assert [award.prize for award in event.awards()] == ["1", "1", "2", "2"]


@given(st.integers(2, 40))
@settings(deadline=None, max_examples=60)
def test_a_round_robin_meets_everybody_once(count):
    made = roundrobin.rounds(list(range(1, count + 1)))
    met = [frozenset(game) for games in made for game in games if game[1] is not None]
    assert len(met) == len(set(met)) == count * (count - 1) // 2
    for games in made:
        assert sorted(n for game in games for n in game if n is not None) == list(range(1, count + 1))
    if count % 2:
        assert sorted(one for games in made for one, other in games if other is None) == list(range(1, count + 1))


@given(st.integers(2, 60), st.integers(1, 8), st.integers(1, 6), st.integers(0, 99))
@settings(deadline=None, max_examples=60)
def test_groups_are_even_and_keep_clubs_apart_as_far_as_that_goes(count, wanted, clubs, seed):
    if wanted > count:
        return
    rng = random.Random(seed)
    club = {n: f"c{rng.randrange(clubs)}" for n in range(1, count + 1)}
    made = roundrobin.groups(list(club), wanted, club)
    assert sorted(n for group in made for n in group) == list(club)
    assert max(map(len, made)) - min(map(len, made)) <= 1


def play(rng, players_count, rounds, clubs, withdraw=0.0):
    """A Swiss event with random results; yields (players, games or the refusal) of each round."""
    club = {n: f"c{rng.randrange(clubs)}" if clubs else "" for n in range(1, players_count + 1)}
    points, met, byes, way = dict.fromkeys(club, 0), {n: set() for n in club}, set(), {}
    for number in range(rounds):
        here = [n for n in club if rng.random() >= withdraw] or list(club)
        players = [swiss.Player(n, points[n], frozenset(met[n]), club[n], n in byes, way.get(n, 0)) for n in here]
        if len(players) < 2:
            continue
        try:
            games = swiss.pair(players, f"seed/{number}")
        except Impossible as refusal:
            yield players, refusal
            return
        yield players, games
        way = swiss.floats(games, points)
        for one, other in games:
            if other is None:
                byes.add(one)
                points[one] += 2
                continue
            met[one].add(other)
            met[other].add(one)
            points[rng.choice([one, other])] += 2


@given(st.integers(0, 2**32), st.integers(2, 24), st.integers(1, 9), st.integers(0, 6))
@settings(max_examples=60, deadline=None)
def test_swiss_keeps_its_rules_whenever_a_legal_pairing_exists(seed, count, rounds, clubs):
    for players, games in play(random.Random(seed), count, rounds, clubs, withdraw=0.05):
        known = {player.number: player for player in players}
        odd = len(players) % 2
        if isinstance(games, Impossible):  # then even the bare rules leave nothing

            def allowed(i, j, players=players, odd=odd):
                if j == len(players):
                    return None if players[i].had_bye else 0
                return None if players[j].number in players[i].met else 0

            assert best_pairs(len(players) + odd, allowed) is None
            continue
        assert sorted(n for game in games for n in game if n is not None) == sorted(known)
        assert sum(other is None for _, other in games) == odd
        assert not [what for what, _ in swiss.warnings(games, known) if what in ("rematch", "second_bye", "twice")]


def test_swiss_keeps_clubs_apart_and_points_together():
    for seed in range(20):
        for players, games in play(random.Random(seed), 32, 5, 8):
            known = {player.number: player for player in players}
            assert not isinstance(games, Impossible)
            assert not [what for what, _ in swiss.warnings(games, known) if what in ("same_club", "far_apart")]


def test_swiss_keeps_its_rules_in_a_large_hall():
    for players, games in play(random.Random(8), 301, 4, 20, withdraw=0.02):
        known = {player.number: player for player in players}
        assert sorted(n for game in games for n in game if n is not None) == sorted(known)
        assert not [what for what, _ in swiss.warnings(games, known) if what in ("rematch", "second_bye", "same_club")]


def test_swiss_gives_the_bye_to_the_lowest_who_had_none():
    players = [swiss.Player(n, points) for n, points in ((1, 6), (2, 4), (3, 4), (4, 2), (5, 0))]
    assert swiss.pair(players, "s")[-1] == (5, None)
    players[-1] = swiss.Player(5, 0, had_bye=True)
    assert swiss.pair(players, "s")[-1] == (4, None)
    with pytest.raises(Impossible, match="bye"):
        swiss.pair([swiss.Player(n, 0, had_bye=True) for n in (1, 2, 3)], "s")


def test_swiss_says_what_stands_in_the_way():
    players = [swiss.Player(1, 0, frozenset({2})), swiss.Player(2, 0, frozenset({1}))]
    with pytest.raises(Impossible, match="number 1 has met everybody"):
        swiss.pair(players, "s")


def test_swiss_repeats_by_its_seed():
    players = [swiss.Player(n, n % 3) for n in range(1, 38)]
    one = swiss.pair(players, "s")
    assert swiss.pair(list(reversed(players)), "s") == one
    assert any(swiss.pair(players, f"t{n}") != one for n in range(3))


def games_of(results):
    """(round, one, other, points, points, margin) to each one's outcomes."""
    games = {}
    for number, one, other, mine, theirs, margin in results:
        games.setdefault(one, []).append(Outcome(number, other, mine, margin, won=mine > theirs))
        if other is not None:
            games.setdefault(other, []).append(Outcome(number, one, theirs, -margin, won=theirs > mine))
    return games


def test_standings_follow_the_chain_and_explain_each_figure():
    games = games_of(
        [
            (1, 1, 2, 2, 0, 3),
            (1, 3, 4, 2, 0, 5),
            (2, 1, 3, 0, 2, -1),
            (2, 2, 4, 2, 0, 2),
            (3, 1, 4, 2, 0, 9),
            (3, 2, 3, 2, 0, 1),
        ]
    )
    lines = standings.table(games, ["points", "head_to_head", "net_levels"])
    assert [line.number for line in lines] == [1, 3, 2, 4]
    assert [line.rank for line in lines] == [1, 2, 3, 4] and not any(line.shared for line in lines)
    assert lines[0].figures == (4, 2, 11) and lines[0].explained[2] == "3 - 1 + 9"
    assert lines[1].decided == "net_levels" and lines[3].decided == "points"


def test_head_to_head_is_silent_when_not_all_of_the_tied_have_met():
    games = games_of(
        [(1, 1, 4, 2, 0, 1), (1, 2, 5, 2, 0, 1), (1, 3, 6, 2, 0, 1), (2, 1, 2, 1, 1, 0), (2, 3, 4, 1, 1, 0)]
    )
    lines = {line.number: line for line in standings.table(games, ["points", "head_to_head"])}
    assert lines[1].figures[1] == "–" and lines[1].shared and lines[1].rank == lines[2].rank == lines[3].rank == 1


@given(
    st.lists(
        st.tuples(
            st.integers(1, 4),
            st.integers(1, 12),
            st.integers(13, 24),
            st.sampled_from([(2, 0), (1, 1), (0, 2)]),
            st.integers(-12, 12),
        ),
        min_size=1,
    ),
    st.permutations(list(standings.TIE_BREAKS)),
    st.booleans(),
)
@settings(deadline=None, max_examples=60)
def test_standings_are_a_pure_order(results, chain, drawn):
    games = games_of([(number, one, other, *points, margin) for number, one, other, points, margin in results])
    lines = standings.table(games, [*chain, *(["lot"] if drawn else [])], "s")
    assert sorted(line.number for line in lines) == sorted(games)
    for above, below in itertools.pairwise(lines):
        shared = above.rank == below.rank
        if not drawn:
            assert (above.figures >= below.figures) and (above.figures == below.figures) == shared
        assert not (drawn and shared)
    shuffled = dict(sorted(games.items(), key=lambda item: -item[0]))
    assert standings.table(shuffled, [*chain, *(["lot"] if drawn else [])], "s") == lines


def test_cumulative_without_first_leaves_the_drawn_round_out():
    games = {1: [Outcome(1, 2, 2), Outcome(2, 3, 0), Outcome(3, 4, 2)]}
    assert standings.cumulative(games, 1) == (8, "2 + 2 + 4")
    assert standings.cumulative_without_first(games, 1) == (2, "0 + 2")


def test_chains_that_make_no_sense_are_refused():
    for chain in ([], ["points", "points"], ["luck"]):
        with pytest.raises(Unreadable):
            standings.table({1: []}, chain)


def test_prizes_of_zhongqing_and_shared_places():
    ranks = [[1], [2], [3, 4], [5, 6, 7, 8], list(range(9, 17)), list(range(17, 33))]
    classes = [Prize("1", 1), Prize("2", 1), Prize("3", 2), Prize("4", 4), Prize("5", 8)]
    given_ = prizes.award(ranks, classes, "参与奖")
    assert [sum(award.prize == name for award in given_) for name in ("1", "2", "3", "4", "5", "参与奖")] == [
        1,
        1,
        2,
        4,
        8,
        16,
    ]
    assert not any(award.contested for award in given_)
    shared = prizes.award([[1], [2, 3], [4], [5]], [Prize("1", 1), Prize("2", 1), Prize("3", 2)])
    assert [(award.number, award.rank, award.prize, award.contested) for award in shared] == [
        (1, 1, "1", False),
        (2, 2, "2", True),
        (3, 2, "2", True),
        (4, 4, "3", False),
    ]


def test_entries_from_what_organisers_have():
    text = "序号,姓名1,姓名2,单位\n7,张三,李四,红星\n,王五/赵六,,\n7,张三,周 七,红星\n,,,只有单位\n"
    for encoding in ("utf-8", "utf-8-sig", "gb18030"):
        made, aside = entries.read_entries(sheets.read_table(text.encode(encoding), "名单.csv"))
        assert [entrant.names for entrant in made] == [("张三", "李四"), ("王五", "赵六")]
        assert [entrant.number for entrant in made] == [7, 1] and made[0].club == "红星"
        assert [(row.line, row.names, [doubt.what for doubt in doubts]) for row, doubts in aside] == [
            (4, ("张三", "周七"), ["known_name", "known_number"]),
            (5, (), ["no_name"]),
        ]
    made, aside = entries.read_entries(sheets.read_table("甲;乙\n丙;丁".encode(), "x"), made)
    assert [entrant.number for entrant in made] == [2, 3] and not aside


def workbook(sheet, shared=""):
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as book:
        book.writestr("xl/worksheets/sheet1.xml", f"<worksheet {space}><sheetData>{sheet}</sheetData></worksheet>")
        if shared:
            book.writestr("xl/sharedStrings.xml", f"<sst {space}>{shared}</sst>")
    return held.getvalue()


def test_entries_from_a_spreadsheet():
    content = workbook(
        '<row><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>编号</t></is></c></row>'
        '<row><c r="A2" t="s"><v>1</v></c><c r="C2"><v>12.0</v></c></row>',
        "<si><t>姓名</t></si><si><r><t>张</t></r><r><t>三</t></r></si>",
    )
    made, aside = entries.read_entries(sheets.read_table(content, "x", "x.xlsx"), singles=True)
    assert [(entrant.names, entrant.number) for entrant in made] == [(("张三",), 12)] and not aside


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04 broken",
        b"\x89PNG\r\n\x1a\n\0\0",
        "甲\0乙".encode(),
        workbook("<row"),
        workbook('<row><c r="ZZZZ1"/></row>'),
        workbook('<row><c t="s"><v>9</v></c></row>'),
    ],
)
def test_what_is_no_sheet_is_refused_in_one_sentence(content):
    with pytest.raises(Unreadable):
        sheets.read_table(content, "x")


def test_a_sheet_with_entities_is_refused():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as book:
        book.writestr("xl/worksheets/sheet1.xml", '<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>')
    with pytest.raises(Unreadable, match="entities"):
        sheets.read_table(held.getvalue(), "x")
