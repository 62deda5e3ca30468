"""Every event of the documents runs from its template to the prize list, by the document's own numbers."""

import random

import pytest

from engine.errors import Impossible, Unreadable
from engine.events import Event
from engine.match import Match
from engine.rulesets import load
from venue.desk import drawing, templates
from venue.desk.competition import Competition
from venue.desk.drawing import groups_apart
from venue.desk.views import state, view

SIZES = {
    "club-swiss": 37, "club-groups": 18, "group-event": 14, "zhongqing": 128, "round-robin": 6, "hefei": 12,
    "hr-cup": 11, "teahouse-week": 32, "teahouse-month": 4, "teahouse-year": 12, "huaer": 9, "bestwestern": 8,
    "baoding": 8, "points-league": 22, "tongsu": 13, "invitational": 14, "office": 7, "lianyungang": 16,
}  # fmt: skip


def start(template, count=None):
    made = templates.templates()[template]
    event = Competition("c", {"title": made.name["zh"], "format": made.format, "options": made.options("zh")})
    entrants = [
        {"number": n, "names": [f"{n}"] if event.entry != "pairs" else [f"{n}a", f"{n}b"]}
        for n in range(1, (count or SIZES[template]) + 1)
    ]
    assert event.apply({"act": "enter", "entrants": entrants}, 0, "")
    if event.entry in ("drawn_partners", "tags"):
        assert state(event) == "singles"
        assert event.apply({"act": "partners", "seed": "p", "pairs": drawing.next_partners(event, "p")}, 0, "")
    return event


def draw(event, seed=None):
    number = len(event.rounds) + 1
    drawn = drawing.next_round(event, seed or f"s{number}")
    for place, game in enumerate(drawn["games"]):
        game["match"], game["place"] = f"m{number}-{place}", str(place + 1)
    assert event.apply({"act": "draw", **drawn}, 0, "")
    return event.rounds[-1]


def settle(event, place, levels, winner, **more):
    act = {"act": "result", "round": len(event.rounds), "game": place, "levels": levels, "winner": winner}
    assert event.apply(act | {"source": "paper"} | more, 0, "")


def play(event, rng):
    """Draw a round and play it; those who are level at a stage's edge play an extra game."""
    if level := event.stage.level_at_the_edge() if event.stage.finished else []:
        with pytest.raises(Impossible, match="extra deal"):
            drawing.next_round(event, "s")
        assert state(event) == "level"
        assert event.apply({"act": "decide", "numbers": rng.sample(level, len(level)), "why": "加赛"}, 0, "")
    for place, game in enumerate(draw(event).games):
        if game.other is not None:
            winner = rng.choice(["one", "other"])
            low, high = sorted(rng.sample("23456789", 2))
            settle(event, place, [high, low] if winner == "one" else [low, high], winner)


@pytest.mark.parametrize("template", sorted(templates.templates()))
def test_it_runs_to_the_prize_list(template):
    assert set(SIZES) == set(templates.templates())
    for seed in range(3):
        event, rng, rounds = start(template), random.Random(seed), 0
        for stage in event.plans:
            load(event.options["ruleset"], "championship", dict(stage.ruleset_options))
        while not event.finished:
            play(event, rng)
            rounds += 1
            assert rounds < 20
        ranks = event.ranks()
        assert sorted(who for rank in ranks for who in rank) == sorted(event.entrants)
        prizes = event.options["prizes"]
        given = [award.prize for award in event.awards()]
        assert not prizes or given[0] == prizes[0]["name"]
        assert view(event)["state"] == "finished"


def test_zhongqing_by_its_numbers():
    event, rng, sizes = start("zhongqing"), random.Random(5), []
    first = draw(event)
    for game in first.games:  # orange sits north-south against green of the same tag
        one, other = event.entrants[game.one], event.entrants[game.other]
        assert one.tag == other.tag and (one.colour, other.colour) == ("orange", "green")
    for place in range(len(first.games)):
        settle(event, place, ["9", "4"], "one")
    sizes.append(len(first.games) * 2)
    winners = [game.winner for game in first.games]
    second = draw(event)
    neighbours = [frozenset(pair) for pair in zip(winners[::2], winners[1::2], strict=True)]
    assert [frozenset((game.one, game.other)) for game in second.games] == neighbours
    for place in range(len(second.games)):
        settle(event, place, ["9", "4"], "one")
    sizes.append(len(second.games) * 2)
    while not event.finished:
        play(event, rng)
        sizes.append(2 * len(event.rounds[-1].games))
    assert sizes == [64, 32, 16, 8, 4, 2] and len(event.stages) == 2
    given = [award.prize for award in event.awards()]
    names = ("掼神", "亚军", "季军", "四等奖", "五等奖", "六等奖", "鼓励奖")
    assert [given.count(name) for name in names] == [1, 1, 2, 4, 8, 16, 32]
    assert not any(award.contested for award in event.awards())


def test_the_points_league_scores_each_player_by_the_margin():
    event = start("points-league", 16)
    first = draw(event)
    assert all(game.mates for game in first.games) and len(first.games) == 4
    for place in range(4):
        settle(event, place, ["9", "4"], "one")
    went_on = {who for game in first.games for who in game.sides[0]}
    assert set(event.stage.qualifiers()) == went_on and len(went_on) == 8
    for _ in range(3):
        past = draw(event)
        assert {who for game in past.games for side in game.sides for who in side} == went_on
        settle(event, 0, ["9", "4"], "one")
        settle(event, 1, ["3", "8"], "other")
    points = {line.number: line.figures[0] for line in event.standing()}
    assert sum(points.values()) == 3 * 2 * (5 + 5) and set(points.values()) <= {0, 5, 10, 15}
    level = event.stage.level_at_the_edge()
    if level:
        assert event.apply({"act": "decide", "numbers": level, "why": "加赛"}, 0, "")
    final = draw(event)
    assert len(final.games) == 1 and len({who for side in final.games[0].sides for who in side}) == 4


def test_the_invitational_shares_places_across_a_class():
    event, rng = start("invitational"), random.Random(7)
    while not event.finished:
        play(event, rng)
    awards = event.awards()
    # 2, 3 and 4 prizes for places shared by 1, 1, 2, 3 and 7: where a class ends amid a place, people have to agree
    assert [award.prize for award in awards[:4]] == ["一等奖", "一等奖", "二等奖", "二等奖"]
    assert [award.contested for award in awards] == [False] * 4 + [True] * 10


def test_the_office_event_lets_an_extra_deal_decide_who_is_in_the_final():
    event = start("office", 6)
    draw(event)
    for place, levels in enumerate((["K", "9"], ["J", "5"], ["J", "4"])):
        settle(event, place, levels, "one")
    level = event.stage.level_at_the_edge()
    assert len(level) == 2 and state(event) == "level"
    assert event.apply({"act": "decide", "numbers": level[::-1], "why": "加赛一局"}, 0, "")
    final = draw(event)
    best = event.rounds[0].games[0].winner
    assert {final.games[0].one, final.games[0].other} == {best, level[-1]} and event.is_knockout


def test_the_office_event_warns_at_half_time_and_five_minutes_before_the_end():
    for stage in start("office").plans:
        match, told = Match(), []
        match.apply(Event(1, "match", {"ruleset": "national", "options": dict(stage.ruleset_options)}))
        match.apply(Event(2, "deal", {"leader": "N"}))
        for number, t in enumerate((1799.0, 1801.0, 3299.0, 3301.0), 3):
            alerts = match.apply(Event(number, "call", {"seat": "N"}, t)).alerts
            told += [(t, alert.route) for alert in alerts if alert.kind == "match_limit"]
        assert told == [(1801.0, "count"), (3301.0, "count")]


def test_groups_stay_apart_in_the_first_round_of_the_knockout():
    for count, size in ((4, 2), (3, 2), (8, 2), (4, 1), (2, 4)):
        groups = [[10 * mark + n for n in range(size)] for mark in range(1, count + 1)]
        entered = [group[n] for n in range(size) for group in groups]
        apart = groups_apart(entered, groups)
        assert sorted(apart) == sorted(entered)
        lines = 1 << (len(apart) - 1).bit_length()
        for place, who in enumerate(apart):
            against = lines - 1 - place
            if place < against < len(apart):
                assert who // 10 != apart[against] // 10


def test_best_of_three_counts_games_and_margins():
    event = start("huaer", 4)
    draw(event)
    settle(event, 0, ["A", "9"], "one", games=[["A", "5"], ["7", "A"], ["A", "9"]])
    assert view(event)["rounds"][0]["games"][0]["result"]["games"][1] == ["7", "A"]
    assert event.stage.outcome(event.rounds[0].games[0].result, 1, 2, "one").margin == 9 - 7 + 5


def test_a_game_for_third_place_decides_it():
    event, rng = start("baoding"), random.Random(1)
    while not event.finished:
        play(event, rng)
    last = event.rounds[-1].games
    assert [game.for_place for game in last] == [0, 3]
    assert event.ranks()[2:4] == [[last[1].winner], [last[1].loser]]
    assert [len(rank) for rank in event.ranks()] == [1, 1, 1, 1, 4]


def test_both_absent_in_a_knockout_lets_the_neighbour_go_on():
    event = start("lianyungang", 8)
    draw(event)
    settle(event, 0, None, "nobody", forfeit=None)
    for place in (1, 2, 3):
        settle(event, place, ["A", "3"], "one")
    second = draw(event)
    assert sorted(game.other is None for game in second.games) == [False, True]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "order = 1",
        'order = 1\nname = {zh="x",en="x"}\ntext = {zh="x",en="x"}\nsource = "x"\n[[stage]]\nformat = "poker"',
    ],
)
def test_a_template_that_makes_no_sense_is_refused_by_its_name(tmp_path, text):
    path = tmp_path / "odd.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(Unreadable, match=r"odd\.toml"):
        templates.read(path)
