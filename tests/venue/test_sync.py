"""Tables over real HTTP: pairing, sync, long poll, replacement, and the attacks on them."""

import json
import threading
import time

import pytest

from venue.protocol import MAX_EVENTS, SyncEvent
from venue.store import log

MATCH = {
    "do": "match",
    "ruleset": "national",
    "profile": "championship",
    "names": {"N": "甲", "E": "乙", "S": "丙", "W": "丁"},
}
FIRST_DEAL = [MATCH, {"do": "finish", "order": ["N", "S", "E", "W"]}]


def play(table, events=FIRST_DEAL):
    for event in events:
        table.append(event)


def entries(database):
    with database.reading() as connection:
        return log.after(connection, 0)


def test_a_table_pairs_plays_and_is_on_the_board(app, seat_table, enter):
    table = seat_table("7")
    play(table)
    answer = table.sync()
    assert answer.status_code == 200 and answer.json()["acked"] == 2 and table.side.state == "online"
    shown = enter("spectator").get("/v1/snapshot").json()["items"]
    board = next(item["table"] for item in shown if "table" in item)["board"]
    assert board["levels"] == {"NS": "5", "EW": "2"} and board["race"] == [{"NS": "5", "EW": "2"}]
    assert board["names"]["N"] == "甲"


def test_who_sits_at_a_table_is_told_to_the_staff(app, seat_table, enter):
    table, desk, spectator = seat_table("7"), enter("desk"), enter("spectator")

    def told(browser):
        items = browser.get("/v1/snapshot").json()["items"]
        return next(item["table"] for item in items if "table" in item).get("check_in", "not told")

    assert told(desk) is None and told(spectator) == "not told"
    for sides, kept in ((["NS"], ["NS"]), (["EW", "NS"], ["NS", "EW"]), ([], []), ("NS", []), (["N", 3, None], [])):
        table.append({"do": "check_in", "match": "c-1-1", "profile": "championship", "sides": sides}, record=False)
        assert table.sync().status_code == 200
        assert told(desk)["sides"] == kept and told(desk)["match"] == "c-1-1"
    table.append({"do": "check_in", "match": {"x": 1}, "profile": 5, "sides": ["EW"]}, record=False)
    assert table.sync().status_code == 200
    assert told(desk)["match"] is None and told(desk)["profile"] == "" and told(spectator) == "not told"


def test_a_spectator_sees_levels_and_nothing_that_helps_a_player(app, seat_table, enter):
    table = seat_table("7")
    play(
        table,
        [
            MATCH,
            {"do": "deal", "leader": "N"},
            {"do": "play", "seat": "N", "cards": ["S3"]},
            {"do": "report", "seat": "N", "count": 9},
            {"do": "call", "seat": "E"},
        ],
    )
    table.sync()
    for role in ("spectator", "announcer", "desk"):
        text = json.dumps(enter(role).get("/v1/snapshot").json(), ensure_ascii=False)
        assert "甲" in text
        for word in ("S3", "cards", "turn", "leader", "report", "evidence", "trick"):
            assert word not in text, (role, word)
    assert enter("spectator").get("/v1/feed").status_code == 403


def test_sending_again_stores_once_and_a_gap_says_what_is_missing(app, seat_table, database):
    table = seat_table("7")
    play(table)
    table.sync()
    table.side.acked = 0
    assert table.sync().json()["acked"] == 2
    table.append({"do": "sign", "side": "NS"})
    table.append({"do": "sign", "side": "EW"})
    table.side.acked = 3
    refused = table.sync()
    assert refused.status_code == 409 and refused.json()["error"]["expected"] == 3
    assert table.sync().json()["acked"] == 4
    assert [entry.seq for entry in entries(database) if entry.device == table.side.device] == [1, 2, 3, 4]


def test_the_same_name_with_other_content_is_refused_and_alarmed_once(app, seat_table, database, enter):
    table = seat_table("7")
    play(table)
    table.sync()
    table.journal[1] = SyncEvent(
        seq=2, event={"do": "finish", "order": ["E", "W", "N", "S"]}, match=table.match, line=2
    )
    table.side.acked = 0
    for _ in range(3):
        refused = table.sync()
        assert refused.status_code == 409 and refused.json()["error"]["code"] == "conflict"
    assert table.side.state == "barred"
    alarms = [entry for entry in entries(database) if entry.kind == "alarm"]
    assert len(alarms) == 1 and alarms[0].event["seq"] == 2
    notice = next(item["notice"] for item in enter("desk").get("/v1/snapshot").json()["items"] if "notice" in item)
    assert notice["alarms"][0]["alarm"] == "conflict"


def test_attacks_on_sync(app, seat_table, enter, nobody):
    one, other = seat_table("1"), seat_table("2")
    play(one)
    batch = one.side.batch(lambda after, most: one.journal, {}, 0).to_json()

    def send(token, body):
        return nobody.http.post("/v1/sync", json=body, headers={"authorization": f"Bearer {token}"} if token else {})

    mine, theirs = one.paired["token"], other.paired["token"]
    assert send(None, batch).status_code == 401
    assert send("x" * 43, batch).status_code == 401
    assert send(theirs, batch).json()["error"]["code"] == "other_device"
    assert send(mine, batch | {"protocol": 9}).status_code == 426
    assert send(mine, batch | {"events": batch["events"] * MAX_EVENTS}).status_code == 413
    assert send(mine, batch | {"events": [{"seq": 1}]}).status_code == 400
    assert enter("referee").post("/v1/sync", batch).status_code == 401  # a session is no device
    assert send(mine, batch).status_code == 200
    assert enter("desk").post(f"/v1/devices/{one.side.device}/revoke").status_code == 200
    assert send(mine, batch).status_code == 401
    assert send(theirs, batch | {"device": other.side.device}).status_code == 200


def test_a_pairing_code_replayed_pairs_nothing(app, enter, nobody):
    desk = enter("desk")
    assert desk.post("/v1/places", {"names": ["7"], "zone": "A"}).status_code == 200
    code = desk.post("/v1/places/7/code").json()["code"]
    assert nobody.post("/v1/pair", {"code": code, "name": "Pi"}).status_code == 200
    assert nobody.post("/v1/pair", {"code": code, "name": "thief"}).json()["error"]["code"] == "bad_code"
    assert desk.post("/v1/places/nowhere/code").status_code == 409


def test_a_long_poll_ends_with_the_directive_it_waited_for(app, seat_table, enter):
    table, desk = seat_table("7"), enter("desk")
    table.sync()
    thread = threading.Thread(target=table.sync, args=(20,))
    thread.start()
    time.sleep(0.3)
    began = time.monotonic()
    told = desk.post("/v1/tables/7/message", {"text": "还有五分钟"}).json()["directive"]
    thread.join(5)
    assert not thread.is_alive() and time.monotonic() - began < 2
    assert [(d.id, d.do, d.data["text"]) for d in table.carried_out] == [(told, "message", "还有五分钟")]
    table.sync()  # says that it is done
    table.side.cursor = 0
    table.sync()
    assert len(table.carried_out) == 1


def test_a_directive_comes_again_until_it_is_answered(app, seat_table, enter):
    table = seat_table("7")
    enter("referee").post("/v1/tables/7/blink")
    lost = table.side.batch(lambda after, most: [], {}, 0).to_json()
    headers = {"authorization": f"Bearer {table.paired['token']}"}
    assert (
        len(table.http.post("/v1/sync", json=lost, headers=headers).json()["directives"]) == 1
    )  # this reply gets lost
    table.sync()
    assert [directive.do for directive in table.carried_out] == ["blink"]


def test_a_dead_table_is_replaced_and_its_late_events_are_flagged(app, seat_table, enter, database):
    old, desk = seat_table("7"), enter("desk")
    play(old)
    old.sync()
    old.append({"do": "deal"})  # and then it dies
    told = desk.post("/v1/places/7/code").json()
    assert told["holder"]["device"] == old.side.device and told["holder"]["unsent"] == 0
    new = seat_table("7")
    goes_on = new.paired["continues"]
    assert goes_on["match"] == old.match and goes_on["lines"] == FIRST_DEAL
    new.match, new.line = goes_on["match"], len(goes_on["lines"])
    new.append({"do": "finish", "order": ["E", "W", "N", "S"]})
    assert new.sync().json()["lease"] == "held"
    late = old.sync()
    assert late.status_code == 200 and late.json()["lease"] == "replaced" and late.json()["acked"] == 3
    assert [entry.late for entry in entries(database) if entry.kind == "deal"] == [True]
    tile = next(item["table"] for item in desk.get("/v1/snapshot").json()["items"] if "table" in item)
    assert tile["late"] == 1 and tile["board"]["levels"] == {"NS": "5", "EW": "5"} and tile["board"]["deals"] == 2


def test_lines_that_the_engine_cannot_take_do_not_stop_the_board(app, seat_table, enter):
    table = seat_table("7")
    play(table, [MATCH, {"do": "nonsense"}, {"do": "finish", "order": ["N", "S", "E", "W"]}])
    table.sync()
    tile = next(item["table"] for item in enter("desk").get("/v1/snapshot").json()["items"] if "table" in item)
    assert tile["board"]["levels"]["NS"] == "5" and tile["refused"][0]["line"] == 2


def test_the_hall_is_the_same_after_a_restart(app, seat_table, enter, database):
    from venue.hall import Hall

    table, referee = seat_table("7"), enter("referee")
    play(table, [*FIRST_DEAL, {"do": "call", "seat": "E"}])
    table.sync()
    case = next(item["case"] for item in referee.get("/v1/snapshot").json()["items"] if "case" in item)
    referee.post(f"/v1/cases/{case['id']}/take")
    again = Hall()
    for entry in entries(database):
        again.apply(entry)
    hall = app.state.venue.hall
    assert again.position == hall.position
    assert {name: case.to_json() for name, case in again.cases.items()} == {
        name: case.to_json() for name, case in hall.cases.items()
    }
    assert {name: seat.view() for name, seat in again.tables.items()} == {
        name: seat.view() for name, seat in hall.tables.items()
    }


@pytest.mark.parametrize("hidden", [True, False])
def test_results_are_hidden_from_spectators_until_they_are_shown(app, seat_table, enter, hidden):
    table, desk = seat_table("7"), enter("desk")
    play(table)
    table.sync()
    desk.post("/v1/hide", {"hidden": hidden})
    tiles = [
        next(item["table"] for item in who.get("/v1/snapshot").json()["items"] if "table" in item)
        for who in (enter("spectator"), desk)
    ]
    assert ("levels" in tiles[0]["board"]) == (not hidden) and "levels" in tiles[1]["board"]


def test_a_ring_between_the_look_and_the_wait_is_not_slept_through():
    import asyncio

    from venue.web.house import Bell

    async def go():
        bell = Bell()
        before = bell.rings
        bell.ring()
        assert await bell.wait(5, before)
        assert not await bell.wait(0.01, bell.rings)
        waiting = asyncio.create_task(bell.wait(5, bell.rings))
        await asyncio.sleep(0)
        bell.ring()
        assert await waiting

    asyncio.run(go())
