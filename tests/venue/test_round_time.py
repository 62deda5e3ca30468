"""What the organiser does with a round's time reaches the hall's clock and the tables together, and nobody else."""

import pytest

from tests.venue.test_desk_rounds import clocks_of
from tests.venue.test_desk_trouble import games_of, started


@pytest.fixture
def hall(enter, seat_table):
    """``hall(options)``: two zones with a table each, a round drawn and seated: desk, path, tables by zone."""

    def make(**options):
        tables = {"A": seat_table("1", "A"), "B": seat_table("2", "B")}
        desk, path = started(enter, options={"rounds": 3} | options)
        desk.post(f"{path}/seat")
        for table in tables.values():
            table.sync()
            table.carried_out.clear()
        return desk, path, tables

    return make


def told(table):
    """What *table* is told now, without what its time is not about; the round's match is left out."""
    table.carried_out.clear()
    table.sync()
    return [(each.do, {name: value for name, value in each.data.items() if name != "match"})
            for each in table.carried_out]  # fmt: skip


def test_minutes_travel_with_the_start_and_with_every_change(app, hall, clock):
    desk, path, tables = hall()
    assert desk.post(f"{path}/clock", {"action": "start", "minutes": 50}).json() == {"tables": 2}
    for table in tables.values():
        assert told(table) == [("start", {"seconds": 3000})]
    clock.now += 600
    desk.post(f"{path}/clock", {"action": "extra", "minutes": 5})
    desk.post(f"{path}/clock", {"action": "extra", "minutes": -2})
    for table in tables.values():
        assert told(table) == [("extra", {"seconds": 300}), ("extra", {"seconds": -120})]
        assert {each.data["match"] for each in table.carried_out} <= {game["match"] for game in games_of(desk, path)}
    (shown,) = clocks_of(desk)
    assert shown["ends"] - clock.now == 3000 - 600 + 180 and shown["total"] == 3180
    assert desk.post(f"{path}/clock", {"action": "extra", "minutes": 500}).status_code == 400


def test_a_zone_is_a_zone_and_the_whole_hall_is_all_of_them(app, hall, clock):
    desk, path, tables = hall()
    desk.post(f"{path}/clock", {"action": "start", "minutes": 50})
    desk.post(f"{path}/clock", {"action": "start", "minutes": 30, "zone": "B"})
    assert told(tables["A"]) == [("start", {"seconds": 3000})]
    assert told(tables["B"]) == [("start", {"seconds": 3000}), ("start", {"seconds": 1800})]
    desk.post(f"{path}/clock", {"action": "extra", "minutes": 5, "zone": "B"})
    assert told(tables["A"]) == [] and told(tables["B"]) == [("extra", {"seconds": 300})]
    desk.post(f"{path}/clock", {"action": "extra", "minutes": 1})
    assert told(tables["A"]) == told(tables["B"]) == [("extra", {"seconds": 60})]
    assert {each["zone"]: each["ends"] - clock.now for each in clocks_of(desk)} == {"": 3060, "B": 2160}
    desk.post(f"{path}/clock", {"action": "stop"})
    assert [each["ends"] for each in clocks_of(desk)] == [None, None]
    desk.post(f"{path}/clock", {"action": "start", "minutes": 20})
    assert [(each["zone"], each["ends"] - clock.now) for each in clocks_of(desk)] == [("", 1200)]


@pytest.mark.parametrize(("ruleset", "word"), [("national", "stop"), ("tongsu", "finish_if_drawn")])
def test_a_round_is_not_ended_by_taking_minutes_away_unless_that_is_said(app, hall, clock, ruleset, word):
    desk, path, tables = hall(ruleset=ruleset)
    desk.post(f"{path}/clock", {"action": "start", "minutes": 50})
    desk.post(f"{path}/clock", {"action": "start", "minutes": 5, "zone": "B"})
    for table in tables.values():
        told(table)
    less = {"action": "extra", "minutes": -5}
    for refused in (less, less | {"zone": "B"}, less | {"end": "no"}):
        answer = desk.post(f"{path}/clock", refused)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "round_would_end")
    office = desk.post("/v1/clock", {"action": "extra", "zone": "B", "seconds": -300})
    assert office.json()["error"]["code"] == "round_would_end"
    assert told(tables["A"]) == told(tables["B"]) == []
    assert {each["zone"]: each["ends"] - clock.now for each in clocks_of(desk)} == {"": 3000, "B": 300}
    assert desk.get(path).json()["at_limit"] == word  # what the page says before it asks twice
    assert desk.post(f"{path}/clock", less | {"zone": "B", "end": True}).status_code == 200
    assert told(tables["A"]) == [] and told(tables["B"]) == [("extra", {"seconds": -300})]


def test_the_offices_buttons_on_a_rounds_clock_reach_its_tables(app, hall, clock):
    desk, path, tables = hall()
    desk.post(f"{path}/clock", {"action": "start", "minutes": 50})
    desk.post("/v1/clock", {"action": "start", "zone": "B", "seconds": 600, "title": "午饭"})
    for table in tables.values():
        told(table)
    desk.post("/v1/clock", {"action": "extra", "zone": "B", "seconds": 60})
    assert told(tables["A"]) == told(tables["B"]) == []  # lunch is nobody's match
    desk.post("/v1/clock", {"action": "extra", "seconds": 120})
    desk.post("/v1/clock", {"action": "stop"})
    for table in tables.values():
        assert [do for do, _ in told(table)] == ["extra", "stop"]


def test_who_comes_when_the_hall_goes_on_has_what_is_left_to_everybody(app, hall, clock):
    desk, path, tables = hall()
    desk.post(f"{path}/clock", {"action": "start", "minutes": 50})
    playing = tables["A"]
    told(playing)
    match = next(game["match"] for game in games_of(desk, path) if game["place"] == "1")
    playing.append({"do": "match", "ruleset": "national", "profile": "championship"})
    playing.journal[-1] = type(playing.journal[-1])(
        seq=playing.journal[-1].seq, event=playing.journal[-1].event, match=match, line=1
    )  # fmt: skip
    told(playing), told(tables["B"])
    clock.now += 900
    desk.post(f"{path}/clock", {"action": "stop"})
    clock.now += 300
    desk.post(f"{path}/clock", {"action": "resume"})
    assert [data for do, data in told(playing) if do == "start"] == [{}]
    assert [data for do, data in told(tables["B"]) if do == "start"] == [{"seconds": 2100}]


@pytest.mark.parametrize(
    ("options", "limit", "minutes"),
    [
        ({"minutes": 45}, 2700, 45),
        ({}, None, 60),  # the ruleset's own hour
        ({"ruleset": "hr-cup"}, None, 40),
        ({"minutes": 60}, None, 60),
        ({"minutes": 45, "best_of": 3}, None, 45),
        ({"minutes": 45, "ruleset_options": {"match_seconds": 0}}, None, 45),
    ],
)
def test_a_stages_minutes_are_its_matches_limit(app, enter, seat_table, options, limit, minutes):
    table = seat_table("1", "A")
    desk, path = started(enter, options={"rounds": 3} | options)
    desk.post(f"{path}/seat")
    table.sync()
    seat = next(each for each in table.carried_out if each.do == "seat")
    given = seat.data["record"].get("options", {})
    assert given.get("match_seconds") == (limit if limit else options.get("ruleset_options", {}).get("match_seconds"))
    assert desk.get(path).json()["round_minutes"] == minutes


def test_a_tables_own_extra_is_of_its_match_and_the_desk_sees_it_arrive(app, hall):
    desk, _, tables = hall()
    table = tables["A"]
    table.append({"do": "match", "ruleset": "national", "profile": "championship"})
    table.sync()
    desk.post("/v1/tables/1/extra", {"seconds": 300})
    table.sync()
    (order,) = [each for each in table.carried_out if each.do == "extra"]
    assert order.data == {"seconds": 300, "match": table.match}
    table.sync()
    boards = [item["table"]["board"] for item in desk.get("/v1/snapshot").json()["items"] if "table" in item]
    assert [board["extra"] for board in boards if board] == [300]
