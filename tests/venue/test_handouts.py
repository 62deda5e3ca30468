"""Files for tables: brought in pieces, looked at, given out where somebody says so, releases never during an event."""

import asyncio
import hashlib

import pytest

from tests.venue.releases import PLATFORM, bring, deck, listed, new_key, pack, send, tar_of
from venue.protocol import Acknowledgement
from venue.store import devices
from venue.store.handouts import LARGEST


@pytest.fixture
def address(tmp_path):
    """The files lie beside the database whatever its kind; the log's fold is tried on both elsewhere."""
    return str(tmp_path / "venue.db")


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    return pack(folder / "a.release", new_key(folder)[0], {"VERSION": b"x" * 700_000}).read_bytes()


def fetch(table, name, offset=0):
    headers = {"authorization": f"Bearer {table.paired['token']}"}
    return table.http.get(f"/v1/handouts/{name}?offset={offset}", headers=headers)


def told(table, kind):
    table.sync()
    return [each for each in table.carried_out if each.do == kind]


def test_a_profile_that_broke_off_goes_on_and_reaches_the_tables_it_is_given_to(app, enter, seat_table):
    seven, eight, desk = seat_table("7"), seat_table("8"), enter("desk")
    content = deck(crop=b"\x00" * 300_000)
    name = hashlib.sha256(content).hexdigest()
    assert send(desk, "deck", b"", 0, len(content)).json() == {"have": 0}
    assert send(desk, "deck", content[:200_000], 0, len(content)).json() == {"have": 200_000}
    assert send(desk, "deck", b"", 0, len(content)).json() == {"have": 200_000}
    file = send(desk, "deck", content[200_000:], 200_000, len(content)).json()["file"]
    assert (file["sha256"], file["name"], file["faces"], file["crops"]) == (name, "house", 2, 2)
    assert file["proof"] == {"right": 53, "asked": 1, "wrong": 0}
    assert fetch(seven, name).status_code == 404  # nobody gave it to anybody
    assert desk.post(f"/v1/decks/{name}/hand", {"places": ["7"]}).json() == {"told": ["7"]}
    (directive,) = told(seven, "deck_profile")
    assert directive.data == {"sha256": name, "size": len(content), "name": "house"}
    assert not told(eight, "deck_profile") and fetch(eight, name).json()["error"]["code"] == "gone"
    assert listed(desk)["told"]["deck"]["7"]["state"] == "queued"
    got = b""
    while piece := fetch(seven, name, len(got)).content:
        got += piece
    assert got == content
    seven.sync()  # its answer goes up
    assert listed(desk)["told"]["deck"]["7"]["state"] == "done"
    assert fetch(seven, name).status_code == 404  # it has it


def test_what_is_no_profile_or_too_large_is_refused_in_a_sentence_and_leaves_nothing(app, enter):
    desk = enter("desk")
    for wrong in (b"PK nonsense", deck(cards=()), tar_of({"profile.json": b"{}"}), deck()[:-30]):
        answer = bring(desk, "deck", wrong)
        assert answer.status_code == 400 and "牌面档案" in answer.json()["error"]["detail"]
    assert not list(app.state.venue.files.folder.glob("*"))
    much = LARGEST["deck"] + 1
    assert send(desk, "deck", b"x", 0, much).status_code == 413
    assert send(desk, "deck", b"", 0, 0).status_code == 400  # an empty one is not too large
    for offset, size in ((-1, 9), (8, 9), ("a", 9), (0, ""), ("", 9), (0, "1e9")):
        assert send(desk, "deck", b"xx", offset, size).status_code == 400
    for source in ("..", "x", "%2e%2e%2fetc", "A" * 16):
        assert bring(desk, "deck", b"x", source).status_code in (404, 405, 409)
    assert not listed(desk)["decks"]


def test_all_tables_read_with_it_and_a_spare_and_tomorrows_tables_as_well(app, enter, seat_table, database, clock):
    seven, desk = seat_table("7"), enter("desk")
    name = bring(desk, "deck", deck()).json()["file"]["sha256"]
    assert desk.post(f"/v1/decks/{name}/hand").json() == {"told": ["7"]}
    told(seven, "deck_profile")
    seven.sync()
    for place in ("7", "9"):  # a spare for 7; a table that nobody had thought of
        later = seat_table(place)
        assert [each.data["sha256"] for each in told(later, "deck_profile")] == [name]
        later.sync()
    other = bring(desk, "deck", deck("other"), "f" * 16).json()["file"]["sha256"]
    desk.post(f"/v1/decks/{other}/hand", {"places": ["9"]})
    spare = seat_table("9")
    assert [each.data["sha256"] for each in told(spare, "deck_profile")] == [other]
    desk.post("/v1/decks/none/hand", {"places": ["9"]})
    assert [each.data["sha256"] for each in told(spare, "deck_profile")] == [other, ""]
    desk.post(f"/v1/decks/{name}/remove")
    assert not told(seat_table("10"), "deck_profile") and listed(desk)["house"] is None
    assert desk.post(f"/v1/decks/{name}/hand").status_code == 404


def test_the_newest_word_counts_for_a_table_that_was_away(app, enter, seat_table):
    seven, desk = seat_table("7"), enter("desk")
    first = bring(desk, "deck", deck("one")).json()["file"]["sha256"]
    second = bring(desk, "deck", deck("two"), "f" * 16).json()["file"]["sha256"]
    for name in (first, second):
        desk.post(f"/v1/decks/{name}/hand", {"places": ["7"]})
    assert [each.data["sha256"] for each in told(seven, "deck_profile")] == [second]


def test_a_profile_that_a_table_learned_comes_by_itself_and_is_given_to_nobody(app, enter, seat_table):
    seven, eight, desk = seat_table("7"), seat_table("8"), enter("desk")
    content = deck("learned")
    name = hashlib.sha256(content).hexdigest()

    def up(table, piece, offset=0):
        headers = {"authorization": f"Bearer {table.paired['token']}"}
        return table.http.post(f"/v1/decks/{name}?offset={offset}", content=piece, headers=headers)

    assert up(seven, content).status_code == 400  # not announced
    seven.append({"do": "deck_learned", "sha256": name, "size": len(content), "name": "learned"}, record=False)
    seven.sync()
    assert up(eight, content).status_code == 400  # another table's
    assert up(seven, content + b"more").status_code == 413
    assert up(seven, bytes(len(content))).status_code == 400  # other bytes than its hash says
    assert up(seven, content[:50]).json() == {"have": 50, "whole": False}
    assert up(seven, b"").json() == {"have": 50, "whole": False}
    assert up(seven, content[50:], 50).json() == {"have": len(content), "whole": True}
    assert up(seven, b"").json()["whole"] is True
    (file,) = listed(desk)["decks"]
    assert (file["place"], file["by"], file["name"]) == ("7", "7", "learned")
    assert not told(eight, "deck_profile")


def hand(chief, name, *places):
    return chief.post(f"/v1/releases/{name}/hand", {"places": list(places)} if places else {})


def test_a_release_goes_to_two_tables_first_and_then_to_all(app, enter, seat_table, release):
    tables = {place: seat_table(place) for place in "1234"}
    chief, desk = enter("chief"), enter("desk")
    assert bring(desk, "release", release).status_code == 403
    file = bring(chief, "release", release, piece=200_000).json()["file"]
    name = file["sha256"]
    assert (file["release"], file["version"], file["size"]) == ("0.2.0-0123456789", "0.2.0", len(release))
    assert desk.post(f"/v1/releases/{name}/hand", {"places": ["1"]}).status_code == 403
    assert not told(tables["1"], "release")
    for places in ((), ("1", "2", "3"), ("1-4",)):
        assert hand(chief, name, *places).json()["error"]["code"] == "two_first"
    assert hand(chief, name, "1").status_code == 200
    assert hand(chief, name, "2", "3").json()["error"]["code"] == "two_first"
    assert hand(chief, name, "2").status_code == 200
    assert hand(chief, name).status_code == 409  # they are on their way: that is not running it
    for place in "12":
        assert [each.data["release"] for each in told(tables[place], "release")] == ["0.2.0-0123456789"]
        assert fetch(tables[place], name).content == release[: 512 << 10]
    assert hand(chief, name).status_code == 409
    for place in "12":
        tables[place].sync()  # done
    seen = app.state.venue.seen
    seen["1"]["status"]["release"], seen["4"]["status"]["platform"] = "0.2.0-0123456789", "3.9 sparc"
    assert hand(chief, name).json() == {"told": ["2", "3"]}
    seen["4"]["status"]["platform"] = " ".join(PLATFORM.values())
    assert hand(chief, name).json() == {"told": ["2", "3", "4"]}  # 2 may be another machine by now: it does not say so
    assert told(tables["3"], "release") and told(tables["4"], "release")
    assert listed(chief)["releases"][0]["running"] == ["1", "2"]


def test_a_table_that_refused_leaves_its_place_among_the_first(app, enter, seat_table, release, database, clock):
    for place in "123":
        seat_table(place)
    chief = enter("chief")
    name = bring(chief, "release", release).json()["file"]["sha256"]
    hand(chief, name, "1", "2")
    position = next(each.id for place, each in app.state.venue.handouts.told["release"].items() if place == "1")

    async def refuse():
        ack = Acknowledgement(id=position, state="refused", why="磁盘空间不够")
        await app.state.venue.write(lambda connection: devices.answered(connection, "1", [ack], clock()))

    asyncio.run_coroutine_threadsafe(refuse(), app.state.venue.loop).result(20)
    assert listed(chief)["told"]["release"]["1"] | {"at": 0} == {
        "sha256": name, "state": "refused", "why": "磁盘空间不够", "at": 0,
    }  # fmt: skip
    assert hand(chief, name, "3").status_code == 200


def begin_event(desk):
    """An event with four pairs, nobody of them checked in."""
    made = desk.post("/v1/competitions", {"title": "冬季赛", "format": "swiss", "options": {"rounds": 2}}).json()["id"]
    lines = "\n".join(f"甲{n},乙{n}" for n in range(4)).encode()
    headers = {"x-guandan-csrf": desk.csrf}
    assert desk.http.post(f"/v1/competitions/{made}/entries", content=lines, headers=headers).json()["entered"] == 4
    return f"/v1/competitions/{made}"


def test_between_check_in_and_prizes_no_release_passes_any_door(app, enter, seat_table, release, clock):
    seven, eight, chief = seat_table("7"), seat_table("8"), enter("chief")
    name = bring(chief, "release", release).json()["file"]["sha256"]
    event = begin_event(chief)
    assert hand(chief, name, "7", "8").status_code == 200 and listed(chief)["events"] == []
    assert told(seven, "release")  # 7 has heard of it and fetches, 8 is away
    assert fetch(seven, name).status_code == 200
    chief.post(f"{event}/checkin", {"numbers": [1], "here": True})
    assert listed(chief)["events"] == ["冬季赛"]
    refused = fetch(seven, name, 1000)
    assert refused.status_code == 409 and refused.json()["error"]["code"] == "not_now"
    assert not told(eight, "release")
    assert listed(chief)["told"]["release"]["8"]["state"] == "refused"
    assert "冬季赛" in listed(chief)["told"]["release"]["8"]["why"]
    answer = hand(chief, name, "8")
    assert answer.json()["error"]["code"] == "event_on" and "冬季赛" in answer.json()["error"]["detail"]
    chief.post(f"{event}/checkin", {"numbers": [1], "here": False})
    assert hand(chief, name, "8").status_code == 200 and told(eight, "release")
    chief.post(f"{event}/checkin", {"numbers": [1], "here": True})
    assert fetch(eight, name).status_code == 409
    clock.now += 3 * 86400 + 60  # nobody ever went on with it
    assert listed(enter("chief"))["events"] == [] and fetch(eight, name).status_code == 200


def test_an_event_holds_releases_back_until_its_results_are_shown(app, enter, seat_table):
    chief = enter("chief")
    event = begin_event(chief)
    for number in (1, 2, 3, 4, 5):
        if chief.post(f"{event}/draw", {"seed": str(number)}).status_code != 200:
            break
        assert listed(chief)["events"] == ["冬季赛"]
        games = chief.get(event).json()["rounds"][-1]["games"]
        for game in range(len(games)):
            won = {"round": number, "game": game, "winner": "one", "levels": ["A", "5"]}
            assert chief.post(f"{event}/result", won).status_code == 200
    assert chief.get(event).json()["finished"] and listed(chief)["events"] == []
    chief.post("/v1/hide", {"hidden": True})
    assert listed(chief)["events"] == ["冬季赛"]  # the ceremony is still to come


def test_a_round_clock_of_the_office_is_an_event_too(app, enter, seat_table, release, clock):
    seat_table("7")
    chief = enter("chief")
    name = bring(chief, "release", release).json()["file"]["sha256"]
    chief.post("/v1/clock", {"action": "start", "zone": "", "seconds": 3000, "title": "晚场"})
    assert hand(chief, name, "7").json()["error"]["code"] == "event_on" and listed(chief)["events"] == ["晚场"]
    clock.now += 3001
    assert hand(chief, name, "7").status_code == 200


def test_what_is_no_release_is_refused(app, enter, release):
    chief = enter("chief")
    cut = release[: len(release) // 2]
    spoiled = release.replace(b"x" * 5000, b"y" * 5000, 1)
    for wrong in (cut, spoiled, tar_of({"manifest": b"x", "signature": b"y", "payload.tar": b""}), b"", deck()):
        if wrong:
            assert bring(chief, "release", wrong).json()["error"]["code"] == "refused"
    assert not listed(chief)["releases"] and not list(app.state.venue.files.folder.glob("*"))
