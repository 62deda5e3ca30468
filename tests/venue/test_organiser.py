"""An organiser's day as it goes: slips of the finger, people who do not come, results that change too late."""

import itertools
import re

import pytest

from tests.venue.test_desk_trouble import enter_list, games_of, new, started
from venue.protocol import SyncEvent
from venue.web.limits import RATES


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """These organisers type faster than anybody."""
    for name in RATES:
        monkeypatch.setitem(RATES, name, (10_000, 10_000))


def result(desk, path, number, game, levels, winner, **more):
    said = {"round": number, "game": game, "levels": levels, "winner": winner} | more
    return desk.post(f"{path}/result", said)


def finish(desk, path, levels=("A", "5")):
    number = len(desk.get(path).json()["rounds"])
    for place, game in enumerate(games_of(desk, path)):
        if game["other"] is not None and game["result"] is None:
            assert result(desk, path, number, place, list(levels), "one").status_code == 200


def code_of(answer):
    return answer.status_code, answer.json()["error"]["code"]


@pytest.mark.parametrize(
    ("levels", "winner"), [(["2", "A"], "one"), (["A", "2"], "other"), (["9", "3"], None)]
)  # fmt: skip
def test_what_looks_like_a_slip_is_asked_about_once(app, enter, levels, winner):
    desk, path = started(enter)
    assert code_of(result(desk, path, 1, 0, levels, winner)) == (409, "doubts")
    assert games_of(desk, path)[0]["result"] is None
    assert result(desk, path, 1, 0, levels, winner, sure=True).status_code == 200
    assert result(desk, path, 1, 1, ["T", "T"], None).status_code == 200  # level: nothing to ask


def test_a_result_on_the_wrong_row_is_erased_and_the_tables_own_counts_again(app, enter, seat_table):
    table = seat_table("1")
    desk, path = started(enter)
    desk.post(f"{path}/seat")
    table.sync()
    place = next(at for at, game in enumerate(games_of(desk, path)) if game["place"] == "1")
    assert result(desk, path, 1, place, ["A", "9"], "one").status_code == 200
    erased = {"round": 1, "game": place}
    assert desk.post(f"{path}/erase", erased | {"why": ""}).status_code == 409
    assert desk.post(f"{path}/erase", erased | {"why": "录错行"}).status_code == 200
    game = games_of(desk, path)[place]
    assert game["result"] is None and [past.get("why") for past in game["history"]] == ["", "录错行"]
    assert desk.post(f"{path}/erase", erased | {"why": "又一次"}).status_code == 409
    # the table plays to its end; a person types over it, and takes that back
    table.match, table.line = game["match"], 0
    table.journal.clear()
    record = {"do": "match", "ruleset": "national", "profile": "championship", "options": {"start_level": "A"}}
    for line, event in enumerate((record, {"do": "finish", "order": ["E", "W", "N", "S"]}), 1):
        table.line = line
        table.journal.append(SyncEvent(seq=line, event=event, match=game["match"], line=line))
    table.sync()
    assert games_of(desk, path)[place]["result"]["source"] == "table"
    assert result(desk, path, 1, place, ["A", "3"], "one", why="抄错了").status_code == 200
    assert desk.post(f"{path}/erase", erased | {"why": "以桌上为准"}).status_code == 200
    now = games_of(desk, path)[place]["result"]
    assert (now["source"], now["winner"]) == ("table", "other")


def test_a_knock_out_is_put_right_two_rounds_later_step_by_step(app, enter):
    desk, path = started(enter, "\n".join(f"a{n},b{n}" for n in range(8)), format="knockout", options={})
    finish(desk, path)
    desk.post(f"{path}/draw", {"seed": "2"})
    finish(desk, path)
    wrong = result(desk, path, 1, 0, ["A", "5"], "other", why="录反了", sure=True)
    assert code_of(wrong) == (409, "refused") and "下一轮" in wrong.text
    assert result(desk, path, 1, 0, ["A", "K"], "one", why="级数抄错").status_code == 200  # the winner stays
    assert desk.post(f"{path}/undraw").status_code == 409
    for place in range(2):
        assert desk.post(f"{path}/erase", {"round": 2, "game": place, "why": "首轮录反"}).status_code == 200
    assert desk.post(f"{path}/erase", {"round": 1, "game": 0, "why": "x"}).status_code == 409
    assert desk.post(f"{path}/undraw").status_code == 200
    assert result(desk, path, 1, 0, ["5", "A"], "other", why="录反了").status_code == 200
    loser = desk.get(path).json()["rounds"][0]["games"][0]
    desk.post(f"{path}/draw", {"seed": "2"})
    drawn = {who for game in games_of(desk, path) for who in (game["one"], game["other"])}
    assert loser["other"] in drawn and loser["one"] not in drawn


def test_a_swiss_result_that_changes_after_the_next_draw_says_that_the_pairings_stay(app, enter):
    desk, path = started(enter)
    finish(desk, path)
    desk.post(f"{path}/draw", {"seed": "2"})
    pairings = [(game["one"], game["other"]) for game in games_of(desk, path)]
    assert code_of(result(desk, path, 1, 0, ["5", "A"], "other", why="录反了")) == (409, "doubts")
    assert result(desk, path, 1, 0, ["A", "K"], "one", why="级数抄错").status_code == 200  # nothing to ask
    assert result(desk, path, 1, 0, ["5", "A"], "other", why="录反了", sure=True).status_code == 200
    game = desk.get(path).json()["rounds"][0]["games"][0]
    assert [past["levels"] for past in game["history"]] == [["A", "5"], ["A", "K"], ["5", "A"]]
    assert [(each["one"], each["other"]) for each in games_of(desk, path)] == pairings


def test_a_tables_later_word_takes_no_drawn_player_out_of_a_bracket(app, enter):
    desk, path = started(enter, format="knockout", options={})
    event = app.state.venue.desk.competitions[path.rpartition("/")[2]]
    told = lambda match, winner, levels: app.state.venue.desk.match_over(match, levels, winner, 0.0)  # noqa: E731
    for game in games_of(desk, path):
        told(game["match"], "NS", {"NS": "A", "EW": "5"})
    desk.post(f"{path}/draw", {"seed": "2"})
    first = event.rounds[0].games[0]
    assert told(first.match, "EW", {"NS": "5", "EW": "A"}) and first.winner == first.one
    assert desk.get(path).json()["rounds"][0]["games"][0]["claim"]["winner"] == "other"
    assert told(first.match, "EW", {"NS": "5", "EW": "A"}) is None  # said once
    assert result(desk, path, 1, 0, ["A", "5"], "one", why="裁判长维持原判").status_code == 200
    assert first.claim is None


def test_who_has_not_come_is_asked_about_and_left_out_with_one_word(app, enter):
    desk = enter("desk")
    path = new(desk, {"format": "swiss", "options": {"rounds": 3}})
    enter_list(desk, path, "\n".join(f"a{n},b{n}" for n in range(7)))
    desk.post(f"{path}/checkin", {"numbers": [1, 2, 3, 4, 5]})
    refused = desk.post(f"{path}/draw", {"seed": "s"})
    assert code_of(refused) == (409, "doubts") and "2" in refused.json()["error"]["detail"]
    assert desk.post(f"{path}/withdraw", {"numbers": [6, 7, 99]}).status_code == 404
    assert desk.post(f"{path}/withdraw", {"numbers": [6, 7], "why": "未到"}).status_code == 200
    assert desk.post(f"{path}/draw", {"seed": "s"}).status_code == 200
    drawn = {who for game in games_of(desk, path) for who in (game["one"], game["other"])}
    assert drawn == {1, 2, 3, 4, 5, None}
    assert desk.post(f"{path}/return", {"number": 6}).status_code == 200  # late, but here
    finish(desk, path)
    desk.post(f"{path}/draw", {"seed": "t"})
    assert 6 in {who for game in games_of(desk, path) for who in (game["one"], game["other"])}


def test_a_pair_that_comes_to_the_second_round_plays_from_there_on(app, enter):
    desk, path = started(enter)
    assert enter_list(desk, path, "迟,到\na,x")["entered"] == 1  # the other line waits: that player is in
    edited = {"number": 5, "names": ["别", "人"]}
    assert desk.post(f"{path}/entries/edit", edited).status_code == 409
    assert len(games_of(desk, path)) == 2  # not this round
    finish(desk, path)
    by_hand = {"games": [[1, 5], [2, 3], [4, None]], "sure": True}
    assert desk.post(f"{path}/pair", by_hand).status_code == 200
    finish(desk, path)
    standings = {line["number"]: line["figures"][0] for line in desk.get(path).json()["standings"]}
    assert standings[5] == 0 and len(standings) == 5
    desk.post(f"{path}/undraw")
    desk.post(f"{path}/draw", {"seed": "3"})
    assert 5 in {who for game in games_of(desk, path) for who in (game["one"], game["other"])}
    assert code_of(desk.http.post(f"{path}/entries", content=b"x,y", headers={"x-guandan-csrf": desk.csrf})) == (
        409, "refused",
    )  # fmt: skip


def test_two_events_of_one_hall_sit_at_different_tables(app, enter):
    enter("chief").post("/v1/places", {"names": [str(n) for n in range(1, 6)]})
    desk, first = started(enter)
    second = new(desk, {"format": "swiss", "title": "副赛"})
    enter_list(desk, second, "k,l\nm,n\no,p\nq,r")
    desk.post(f"{second}/draw", {"seed": "s"})
    assert [game["place"] for game in games_of(desk, first) + games_of(desk, second)] == ["1", "2", "3", "4"]
    finish(desk, second)
    assert result(desk, first, 1, 0, ["A", "2"], "one").status_code == 200
    desk.post(f"{second}/draw", {"seed": "t"})
    assert [game["place"] for game in games_of(desk, second)] == ["1", "3"]  # 2 is played at yet


def test_a_substitute_who_comes_before_the_start_sits_under_his_own_name(app, enter, seat_table):
    table = seat_table("1")
    desk, path = started(enter, "a,b\nc,d", options={"rounds": 1, "ruleset": "tongsu"})
    desk.post(f"{path}/seat")
    table.sync()
    said = {"number": 1, "out": "a", "name": "替补", "why": "生病"}
    assert desk.post(f"{path}/substitute", said).status_code == 200
    table.sync()
    names = [each.data["record"]["names"] for each in table.carried_out if each.do == "seat"]
    assert len(names) == 2 and "a" in names[0].values() and "替补" in names[1].values()


def test_a_draw_where_nobody_checks_in_asks_nothing(app, enter):
    desk, path = started(enter)
    assert len(games_of(desk, path)) == 2


def test_best_of_three_is_what_its_games_say(app, enter):
    desk, path = started(enter, format="knockout", options={"best_of": 3})
    three = [["A", "5"], ["3", "A"], ["A", "K"]]
    assert desk.post(f"{path}/result", {"round": 1, "game": 0, "games": three, "winner": "one"}).status_code == 200
    four = desk.post(f"{path}/result", {"round": 1, "game": 1, "games": [*three, ["A", "2"]], "winner": "one"})
    assert four.status_code == 400
    turned = {"round": 1, "game": 1, "games": three[:1] + [["A", "3"]], "winner": "other"}
    assert code_of(desk.post(f"{path}/result", turned)) == (409, "doubts")
    assert desk.post(f"{path}/result", turned | {"winner": "one"}).status_code == 200


def test_best_of_three_at_a_table_comes_to_the_desk_as_games_won_and_all_their_levels(app, enter, seat_table):
    table = seat_table("1")
    desk, path = started(enter, "a,b\nc,d", format="swiss", options={"best_of": 3, "rounds": 1})
    desk.post(f"{path}/seat")
    table.sync()
    seat = next(each for each in table.carried_out if each.do == "seat")
    record = seat.data["record"] | {"options": seat.data["record"]["options"] | {"start_level": "A"}}
    table.match, wins = seat.data["match"], (["N", "S", "E", "W"], ["E", "W", "N", "S"], ["N", "S", "E", "W"])
    for line, event in enumerate((record, *({"do": "finish", "order": order} for order in wins)), 1):
        table.journal.append(SyncEvent(seq=len(table.journal) + 1, event=event, match=table.match, line=line))
    table.sync()
    (game,) = games_of(desk, path)
    assert (game["result"]["winner"], game["result"]["won"]) == ("one", [2, 1])
    board = app.state.venue.hall.boards[table.match].match
    assert game["result"]["margin"] == sum(board.margins)
    assert "2 : 1" in desk.get(f"{path}/print/results").text


def figures_add_up(line):
    """Every figure is the value of the sum beside it."""
    for figure, why in zip(line["figures"], line["explained"], strict=True):
        if why and "/" not in why:
            assert sum(int(part) for part in re.findall(r"-? ?\d+", why.replace(" ", ""))) == figure or (
                eval(why) == figure
            ), line  # fmt: skip
        elif not why:
            assert figure in ("–", ""), line


@pytest.mark.parametrize(
    ("template", "entrants"), [("club-swiss", 37), ("club-groups", 18), ("invitational", 14), ("points-league", 22)]
)
def test_every_figure_of_the_standings_is_explained_on_page_and_paper(app, enter, database, template, entrants):
    if database.kind != "sqlite":
        pytest.skip("no figure comes from the database")
    desk = enter("desk")
    path = new(desk, {"template": template})
    single = desk.get(path).json()["entry"] == "singles"
    enter_list(desk, path, "\n".join(f"甲{n}" if single else f"甲{n},乙{n},队{n % 5}" for n in range(entrants)))
    levels = itertools.cycle([("A", "5"), ("K", "Q"), ("9", "2"), ("A", "K"), ("T", "9")])
    while (state := desk.get(path).json()["state"]) != "finished":
        if state == "level":
            level = desk.get(path).json()["stages"][-1]["level"]
            assert desk.post(f"{path}/decide", {"numbers": level, "why": "加赛"}).status_code == 200
        answer = desk.post(f"{path}/draw", {"seed": "s"})
        assert answer.status_code == 200, answer.text
        finish(desk, path, next(levels))
    event = desk.get(path).json()
    lines = [line for stage in event["stages"] for each in stage["groups"] or [stage] for line in each["standings"]]
    assert len(lines) >= entrants
    for line in lines:
        figures_add_up(line)
    sheet = desk.get(f"{path}/print/standings").text
    for stage in event["stages"]:
        if not stage["bracket"]:
            for line in [line for each in stage["groups"] or [stage] for line in each["standings"]]:
                assert all(why in sheet for why in line["explained"])
    names = {name for stage in event["plans"] for name in [stage["name"].get("zh")] if name}
    assert len(event["stages"]) == 1 or all(name in sheet for name in names)
