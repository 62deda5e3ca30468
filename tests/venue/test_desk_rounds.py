"""From one round to the next: its clock, and what the tables were told."""

from tests.venue.test_desk_trouble import games_of, started


def clocks_of(desk):
    """The clocks that show a time, as every page gets them."""
    found = [item["clock"] for item in desk.get("/v1/snapshot").json()["items"] if "clock" in item]
    return [each for each in found if each["ends"] is not None or each["left"] is not None]


def finish(desk, path, number):
    for place, game in enumerate(games_of(desk, path)):
        if game["other"] is not None:
            said = {"round": number, "game": place, "levels": ["A", "2"], "winner": "one"}
            assert desk.post(f"{path}/result", said).status_code == 200


def test_a_rounds_clock_ends_with_the_round(app, enter, clock):
    desk, path = started(enter)
    desk.post(f"{path}/clock", {"action": "start", "minutes": 50, "title": "第 1 轮"})
    desk.post("/v1/clock", {"action": "start", "seconds": 600, "zone": "B", "title": "午饭"})
    first, lunch = clocks_of(desk)
    assert (first["title"], first["round"], first["competition"]) == ("第 1 轮", 1, path.split("/")[-1])
    desk.post(f"{path}/result", {"round": 1, "game": 0, "levels": ["A", "2"], "winner": "one"})
    assert clocks_of(desk) == [first, lunch]  # a game is missing yet
    desk.post(f"{path}/result", {"round": 1, "game": 1, "levels": ["A", "2"], "winner": "one"})
    assert clocks_of(desk) == [lunch]
    desk.post(f"{path}/draw", {"seed": "t"})
    assert clocks_of(desk) == [lunch] and desk.get(path).json()["state"] == "drawn"
    desk.post(f"{path}/clock", {"action": "start", "minutes": 40, "title": "第 2 轮"})
    assert [(each["round"], each["ends"]) for each in clocks_of(desk) if not each["zone"]] == [(2, clock.now + 2400)]
    finish(desk, path, 2)
    assert clocks_of(desk) == [lunch]


def test_a_round_that_is_taken_back_takes_its_clock_with_it(app, enter):
    desk, path = started(enter)
    desk.post(f"{path}/clock", {"action": "start", "minutes": 50})
    desk.post("/v1/clock", {"action": "extra", "seconds": 300})
    assert [each["round"] for each in clocks_of(desk)] == [1]
    assert desk.post(f"{path}/undraw").status_code == 200 and clocks_of(desk) == []


def test_what_is_said_of_the_seats_is_what_tables_have(app, enter, seat_table):
    free, playing = seat_table("1"), seat_table("2")
    playing.append({"do": "match", "ruleset": "national", "profile": "championship"})
    assert playing.sync().status_code == 200  # robots, or friends: no match of this event
    chief = enter("chief")
    chief.post("/v1/places", {"names": ["3"]})
    desk, path = started(enter, "\n".join(f"a{n},b{n}" for n in range(8)))
    told = desk.post(f"{path}/seat").json()
    assert told == {"seated": 2, "busy": ["2"], "unpaired": ["3"], "nowhere": 1}
    free.sync()
    assert [each.do for each in free.carried_out] == ["seat"]
    for place, game in enumerate(games_of(desk, path)):
        if game["place"] == "3":
            desk.post(f"{path}/result", {"round": 1, "game": place, "levels": ["A", "2"], "winner": "one"})
    assert desk.post(f"{path}/seat").json() == {"seated": 2, "busy": ["2"], "unpaired": [], "nowhere": 1}
