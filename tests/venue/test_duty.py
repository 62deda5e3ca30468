"""The referees' console over HTTP: calls and alerts become cases, are taken, ruled upon, and come back as lines."""

import json
import threading
import time

import httpx
import pytest

from venue.hall import cases
from venue.web import stream

MATCH = {"do": "match", "ruleset": "tongsu", "profile": "championship"}
ILLEGAL = [
    MATCH,
    {"do": "deal", "leader": "N"},
    {"do": "play", "seat": "N", "cards": ["S9"]},
    {"do": "play", "seat": "E", "cards": ["S3"]},  # out of turn: it is west's
]


def shown(browser):
    return [item["case"] for item in browser.get("/v1/snapshot").json()["items"] if "case" in item]


def put(table, events):
    for event in events:
        table.append(event)
    assert table.sync().status_code == 200


def test_a_call_is_a_case_and_a_second_press_joins_it(app, seat_table, enter, clock):
    table, referee = seat_table("7", "A"), enter("referee", ["A"])
    put(table, [MATCH, {"do": "call", "seat": "E"}])
    (case,) = shown(referee)
    assert (case["kind"], case["place"], case["state"], case["seat"]) == ("call", "7", "launched", "E")
    clock.now += 15
    put(table, [{"do": "call", "seat": "W"}])
    (case,) = shown(referee)
    assert case["joined"] == 1 and case["rang"] == clock.now and case["state"] == "launched"
    assert referee.post(f"/v1/cases/{case['id']}/take").json()["case"]["state"] == "in_progress"
    put(table, [{"do": "call", "seat": "N"}])
    (case,) = shown(referee)
    assert case["joined"] == 2 and case["state"] == "in_progress" and case["taken"][0]["name"] == "referee"
    referee.post(f"/v1/cases/{case['id']}/resolve", {"note": "questions about the count"})
    put(table, [{"do": "call", "seat": "S"}])
    assert [case["state"] for case in shown(referee)] == ["resolved", "launched"]


def test_the_first_to_take_is_at_it_and_the_second_joins(app, seat_table, enter):
    table, one, other = seat_table("7"), enter("referee"), enter("chief")
    put(table, [MATCH, {"do": "call", "seat": "E"}])
    case = shown(one)[0]["id"]
    one.post(f"/v1/cases/{case}/take")
    taken = other.post(f"/v1/cases/{case}/take").json()["case"]
    assert [taker["name"] for taker in taken["taken"]] == ["referee", "chief"]
    released = one.post(f"/v1/cases/{case}/release").json()["case"]
    assert released["state"] == "in_progress" and [taker["name"] for taker in released["taken"]] == ["chief"]
    assert other.post(f"/v1/cases/{case}/release").json()["case"]["state"] == "launched"


def test_the_tables_word_and_the_folds_finding_are_one_case(app, seat_table, enter):
    table, referee = seat_table("7"), enter("referee")
    put(table, ILLEGAL)
    (case,) = shown(referee)
    assert case["kind"] == "out_of_turn" and case["seat"] == "E"
    assert case["evidence"]["trick"][0]["cards"] == ["S9"]
    alert = case["alerts"][0]
    table.append(
        {
            "do": "alert",
            "id": alert,
            "kind": "out_of_turn",
            "certain": True,
            "seat": "E",
            "route": "both",
            "evidence": {"touched": 12.5},
        },
        record=False,
    )
    table.sync()
    (case,) = shown(referee)
    assert case["evidence"]["touched"] == 12.5 and case["evidence"]["trick"] and case["alerts"] == [alert]


def test_what_only_referees_may_know_is_on_no_other_screen(app, seat_table, enter):
    table, others = seat_table("7"), [enter("desk"), enter("announcer"), enter("spectator")]
    put(table, [MATCH, {"do": "deal", "leader": "N"}])
    table.append(
        {"do": "alert", "id": "2.1", "kind": "report_missed", "certain": False, "seat": "E", "route": "referee"},
        record=False,
    )
    table.sync()
    assert shown(enter("referee"))[0]["kind"] == "report_missed"
    for browser in others:
        items = browser.get("/v1/snapshot").json()["items"]
        assert not shown(browser) and not next(item["table"] for item in items if "table" in item).get("cases")
        assert "report_missed" not in json.dumps(items)
    put(table, [{"do": "call", "seat": "E"}])
    tiles = [item["table"] for item in others[1].get("/v1/snapshot").json()["items"] if "table" in item]
    assert tiles[0]["cases"] == 1


def test_a_ruling_is_previewed_sent_and_comes_back_as_a_line(app, seat_table, enter):
    table, referee = seat_table("7"), enter("referee")
    put(table, ILLEGAL)
    case = shown(referee)[0]["id"]
    preview = referee.post(f"/v1/cases/{case}/preview", {"verdict": "uphold"}).json()["preview"]
    assert preview["levels"] == {"before": {"NS": "2", "EW": "2"}, "after": {"NS": "3", "EW": "2"}}
    assert referee.post(f"/v1/cases/{case}/preview", {"verdict": "waive"}).json()["preview"]["penalties"] == []
    assert referee.post(f"/v1/cases/{case}/ruling", {"verdict": "uphold"}).json()["case"]["ruling"]["state"] == "queued"
    assert referee.post(f"/v1/cases/{case}/ruling", {"verdict": "waive"}).status_code == 409
    table.sync()  # gets the directive, appends the ruling
    assert [directive.do for directive in table.carried_out] == ["ruling"]
    table.sync()  # sends the line and the answer
    (ruled,) = shown(referee)
    assert (
        ruled["state"] == "resolved" and ruled["ruling"]["state"] == "record" and ruled["ruling"]["verdict"] == "uphold"
    )
    tile = next(item["table"] for item in referee.get("/v1/snapshot").json()["items"] if "table" in item)
    assert tile["board"]["levels"] == {"NS": "3", "EW": "2"}


def test_a_ruling_that_the_table_refuses_opens_the_case_again(app, seat_table, enter):
    table, referee = seat_table("7"), enter("referee")
    put(table, ILLEGAL)
    case = shown(referee)[0]["id"]
    directive = referee.post(f"/v1/cases/{case}/ruling", {"verdict": "uphold"}).json()["case"]["ruling"]["directive"]
    body = table.side.batch(lambda after, most: [], {}, 0).to_json()
    body["acks"] = [{"id": directive, "state": "refused", "why": "this match is over"}]
    table.http.post("/v1/sync", json=body, headers={"authorization": f"Bearer {table.paired['token']}"})
    (again,) = shown(referee)
    assert again["state"] == "in_progress" and again["ruling"]["why"] == "this match is over"
    assert referee.post(f"/v1/cases/{case}/ruling", {"verdict": "waive"}).status_code == 200


def test_the_chief_decides_what_is_the_chiefs(app, seat_table, enter):
    table, referee, chief = seat_table("7"), enter("referee"), enter("chief")
    put(table, ILLEGAL)
    case = shown(referee)[0]["id"]
    assert referee.post(f"/v1/cases/{case}/ruling", {"verdict": "other"}).json()["error"]["code"] == "chief_only"
    assert referee.post(f"/v1/cases/{case}/ruling", {"verdict": "guilty"}).status_code == 400
    referee.post(f"/v1/cases/{case}/ruling", {"verdict": "uphold"})
    assert referee.post(f"/v1/cases/{case}/cancel", {"why": "x"}).status_code == 403
    assert chief.post(f"/v1/cases/{case}/cancel", {"why": "wrong seat"}).json()["error"]["code"] == "not_yet"
    table.sync()
    table.sync()
    assert chief.post(f"/v1/cases/{case}/cancel", {"why": ""}).status_code == 409
    assert chief.post(f"/v1/cases/{case}/cancel", {"why": "wrong seat"}).status_code == 200
    table.sync()
    cancel = table.carried_out[-1]
    assert cancel.do == "cancel"
    table.sync()
    (again,) = shown(chief)
    assert again["state"] == "in_progress" and again["ruling"] is None


def test_another_ruling_says_what_it_is(app, seat_table, enter):
    table, chief = seat_table("7"), enter("chief")
    put(table, ILLEGAL)
    case = shown(chief)[0]["id"]
    for note in ("", "  "):
        refused = chief.post(f"/v1/cases/{case}/ruling", {"verdict": "other", "note": note})
        assert refused.status_code == 400 and refused.json()["error"]["code"] == "no_words"
    assert shown(chief)[0]["ruling"] is None
    assert chief.post(f"/v1/cases/{case}/preview", {"verdict": "other"}).status_code == 200
    ruled = chief.post(f"/v1/cases/{case}/ruling", {"verdict": "other", "note": "本副重打"})
    assert ruled.json()["case"]["ruling"]["note"] == "本副重打"
    table.sync()
    assert table.carried_out[-1].data["note"] == "本副重打"


def test_a_referee_acts_in_his_zone_until_a_call_escalates(app, seat_table, enter, clock):
    table, other = seat_table("7", "A"), enter("referee", ["B"])
    put(table, [MATCH, {"do": "call", "seat": "E"}])
    case = shown(other)[0]["id"]
    assert other.post(f"/v1/cases/{case}/take").json()["error"]["code"] == "other_zone"
    assert other.post("/v1/tables/7/blink").status_code == 403
    clock.now += cases.ESCALATE_TO_ALL
    assert other.post(f"/v1/cases/{case}/take").json()["case"]["state"] == "in_progress"


@pytest.mark.parametrize("age, expected", [(0, False), (19.9, False), (20, True), (600, True)])
def test_escalation_is_by_age_and_ends_when_somebody_goes(age, expected):
    assert cases.escalated("launched", 100, 100 + age) is expected
    assert not cases.escalated("in_progress", 100, 100 + age)


def test_an_offence_seen_by_the_referee_goes_to_the_table(app, seat_table, enter):
    table, referee = seat_table("7"), enter("referee")
    assert referee.post("/v1/tables/7/offence", {"seat": "N", "kind": "conduct"}).json()["error"]["code"] == "no_match"
    put(table, [MATCH])
    assert referee.post("/v1/tables/7/offence", {"seat": "X", "kind": "conduct"}).status_code == 400
    assert referee.post("/v1/tables/7/offence", {"seat": "N", "kind": "conduct", "note": "signals"}).status_code == 200
    table.sync()
    told = table.carried_out[-1]
    assert told.do == "offence" and told.data["note"] == "signals" and told.data["who"] == "referee"
    assert referee.post("/v1/tables/99/blink").status_code == 404


def test_trouble_at_a_device_reaches_referees(app, seat_table, enter):
    table, referee = seat_table("7"), enter("referee")
    for _ in range(3):
        table.append({"do": "trouble", "kind": "undervoltage", "words": "5 V rail low"}, record=False)
    table.sync()
    (case,) = shown(referee)
    assert case["kind"] == "trouble" and case["joined"] == 2 and case["evidence"]["words"] == "5 V rail low"


class Follower(threading.Thread):
    """Reads a stream until told to stop; ``got`` are (event, data, id)."""

    def __init__(self, browser, app, last=None):
        super().__init__(daemon=True)
        self.got, self.stop = [], False
        headers = {"last-event-id": str(last)} if last is not None else {}
        self.request = browser.http.build_request("GET", "/v1/stream", headers=headers)
        self.cookies = dict(browser.http.cookies)
        self.url = app.state.url
        self.start()

    def run(self):
        with (
            httpx.Client(base_url=self.url, cookies=self.cookies, timeout=20, verify=False) as http,
            http.stream("GET", "/v1/stream", headers=self.request.headers) as answer,
        ):
            event = {}
            for line in answer.iter_lines():
                if self.stop:
                    return
                if line:
                    name, _, value = line.partition(": ")
                    event[name] = value
                else:
                    self.got.append((event.get("event"), json.loads(event["data"]), event.get("id")))
                    event = {}

    def wait_for(self, test, seconds=5):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if found := next((each for each in self.got if test(each)), None):
                return found
            time.sleep(0.01)
        raise AssertionError(self.got)


def test_a_stream_begins_with_a_snapshot_and_an_alert_arrives_unasked(app, seat_table, enter):
    table, referee = seat_table("7"), enter("referee")
    follower = Follower(referee, app)
    follower.wait_for(lambda each: each[0] == "snapshot")
    beat = follower.wait_for(lambda each: each[0] == "beat")
    assert beat[1]["presence"][0]["place"] == "7"
    put(table, [MATCH, {"do": "call", "seat": "E"}])  # how fast is benchmarks/venue.py's to say, not a busy machine's
    follower.wait_for(lambda each: each[0] == "change" and any("case" in item for item in each[1]["items"]), 60)
    follower.stop = True


def test_a_stream_resumes_where_it_was_cut(app, seat_table, enter):
    table, referee = seat_table("7"), enter("referee")
    put(table, [MATCH, {"do": "call", "seat": "E"}])
    position = referee.get("/v1/snapshot").json()["position"]
    case = shown(referee)[0]["id"]
    referee.post(f"/v1/cases/{case}/take")
    follower = Follower(referee, app, last=position)
    _, data, number = follower.wait_for(lambda each: each[0] == "change")
    assert [item["case"]["state"] for item in data["items"] if "case" in item] == ["in_progress"]
    assert int(number) == data["position"] > position
    follower.stop = True
    ahead = Follower(referee, app, last=10**9)  # this venue came back from an older backup
    ahead.wait_for(lambda each: each[0] == "snapshot")
    ahead.stop = True


def test_a_stream_ends_when_the_session_does(app, enter, monkeypatch):
    monkeypatch.setattr(stream, "HEARTBEAT", 0.2)
    chief, referee = enter("chief"), enter("referee")
    follower = Follower(referee, app)
    follower.wait_for(lambda each: each[0] == "beat")
    person = next(each["id"] for each in chief.get("/v1/people").json()["people"] if each["role"] == "referee")
    chief.post(f"/v1/people/{person}/revoke")
    follower.wait_for(lambda each: each[0] == "leave")
    follower.join(3)
    assert not follower.is_alive()


def test_clocks_run_by_the_venues_time(app, enter, clock):
    desk = enter("desk")

    def left():
        (told,) = [item["clock"] for item in desk.get("/v1/snapshot").json()["items"] if "clock" in item]
        return told["ends"] - clock.now if told["ends"] is not None else told["left"]

    assert desk.post("/v1/clock", {"action": "start", "seconds": 3600, "title": "第一轮"}).status_code == 200
    clock.now += 600
    assert left() == 3000
    desk.post("/v1/clock", {"action": "stop"})
    clock.now += 100
    assert left() == 3000
    desk.post("/v1/clock", {"action": "extra", "seconds": 300})
    desk.post("/v1/clock", {"action": "resume"})
    assert left() == 3300
    desk.post("/v1/clock", {"action": "clear"})
    assert left() is None
    assert desk.post("/v1/clock", {"action": "explode"}).status_code == 400
