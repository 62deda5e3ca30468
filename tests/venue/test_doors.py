"""No door opens without its role: every route is listed, tried by everybody, and attacked."""

import re

import pytest
from starlette.routing import Mount, Route

from venue.protocol import MAX_BODY
from venue.store import people
from venue.web import probes
from venue.web.doors import DOORS
from venue.web.guard import DEVICE, OPEN, Guard

OPEN_TO_ALL = {
    ("POST", "/v1/pair"), ("POST", "/v1/enter"), ("GET", "/"), ("GET", "/enter"), ("GET", "/v1/words/{lang}"),
    ("GET", "/theme.css"), ("GET", "/t/{place}"), ("GET", "/worker.js"),
} | {("GET", path) for path in probes.ANSWERS}  # fmt: skip


@pytest.fixture
def address(tmp_path):
    """Which door opens to whom is no affair of the database's: one kind is enough here."""
    return str(tmp_path / "venue.db")


def call(browser, door):
    path = re.sub(r"\{\w+\}", "x", door.path)
    if door.path == "/v1/stream":
        path += "?after=x"  # refused after the guard, so that the test does not hang on an endless answer
    return browser.get(path) if door.method == "GET" else browser.post(path)


def test_every_route_is_a_door_with_its_guard(app):
    listed = {(door.method, door.path) for door in DOORS}
    assert len(listed) == len(DOORS)
    served = set()
    for route in app.routes:
        if isinstance(route, Mount):
            assert route.path in ("/assets/web", "/assets/fonts")
            continue
        assert isinstance(route, Route) and isinstance(route.app, Guard)
        served |= {(method, route.path) for method in route.methods}
    assert served == listed
    assert {(door.method, door.path) for door in DOORS if door.roles == OPEN} == OPEN_TO_ALL
    assert [(door.method, door.path) for door in DOORS if door.roles == DEVICE] == [
        ("POST", "/v1/sync"),
        ("POST", "/v1/evidence/{name}"),
        ("POST", "/v1/decks/{name}"),
        ("GET", "/v1/handouts/{name}"),
    ]


def test_no_door_opens_without_its_role(app, enter, nobody):
    browsers = {role: enter(role) for role in people.ROLES}
    for door in DOORS:
        if isinstance(door.roles, str):
            continue
        assert door.roles <= set(people.ROLES)
        answer = call(nobody, door)
        if door.page:
            assert (answer.status_code, answer.headers["location"]) == (303, "/enter"), door.path
        else:
            assert answer.status_code == 401, door.path
        for role, browser in browsers.items():
            if door.path == "/v1/leave":
                continue
            app.state.venue.limits._buckets.clear()
            status = call(browser, door).status_code
            assert (status == 403) == (role not in door.roles), (door.path, role, status)
            assert status < 500, (door.path, role)
    for browser in browsers.values():
        assert browser.post("/v1/leave").status_code == 200
        assert browser.get("/v1/snapshot").status_code == 401


def test_a_person_without_the_sessions_word_changes_nothing(app, enter):
    chief = enter("chief")
    for door in DOORS:
        if door.method != "GET" and isinstance(door.roles, frozenset):
            path = re.sub(r"\{\w+\}", "x", door.path)
            app.state.venue.limits._buckets.clear()
            for headers in ({}, {"x-guandan-csrf": "x"}, {"x-guandan-csrf": ""}):
                assert chief.http.post(path, json={}, headers=headers).status_code == 403, path
            elsewhere = {"origin": "http://evil.test"}
            assert chief.post(path, headers=elsewhere).json()["error"]["code"] == "csrf", path
    same = {"origin": app.state.url}
    assert chief.post("/v1/notice", {"text": "开赛"}, headers=same).status_code == 200


def test_stolen_words_open_nothing_after_they_are_revoked(app, enter, database, clock):
    chief, referee = enter("chief"), enter("referee")
    person = next(each["id"] for each in chief.get("/v1/people").json()["people"] if each["role"] == "referee")
    assert referee.get("/v1/snapshot").status_code == 200
    assert chief.post(f"/v1/people/{person}/revoke").status_code == 200
    assert referee.get("/v1/snapshot").status_code == 401
    clock.now += people.SESSION_LIVES + 1
    assert chief.get("/v1/snapshot").status_code == 401


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(app, nobody, database, clock):
    for scheme in ("http", "https"):
        with database.writing() as connection:
            code = people.invite(connection, "desk", "", [], clock())
        forwarded = {"x-forwarded-proto": scheme}  # uvicorn believes a proxy on this machine
        answer = nobody.http.post("/v1/enter", json={"code": code}, headers=forwarded)
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie and "samesite=lax" in cookie and ("secure" in cookie) == (scheme == "https")


def test_codes_are_not_guessed(app, nobody):
    answers = [nobody.post("/v1/enter", {"code": f"{n:06d}"}).status_code for n in range(15)]
    assert answers[:10] == [403] * 10 and answers[10:] == [429] * 5
    assert nobody.post("/v1/pair", {"code": "12345678", "name": "x"}).status_code == 429
    refused = nobody.post("/v1/pair", {"code": "12345678", "name": "x"})
    assert int(refused.headers["retry-after"]) >= 1


def test_what_is_too_large_or_no_json_is_refused(app, enter, nobody):
    desk = enter("desk")
    assert desk.post("/v1/notice", {"text": "x" * 70_000}).status_code == 413
    assert nobody.http.post("/v1/pair", content=b"x" * 5000).status_code == 413
    assert nobody.http.post("/v1/sync", content=b"x" * (MAX_BODY + 1)).status_code == 413

    def parts():
        for _ in range(MAX_BODY // 60_000 + 1):
            yield b"[" * 60_000

    assert nobody.http.post("/v1/sync", content=parts()).status_code == 413
    for body in (b"{", b"\xff\xfe", b"[" * 4000, b'{"text": NaN}', b"nul", b""):
        answer = desk.http.post("/v1/notice", content=body, headers={"x-guandan-csrf": desk.csrf})
        assert answer.status_code == 400, body
    for body in ([], "x", 3, {"text": 3}, {"text": "a\nb"}, {"text": ["x"]}):
        answer = desk.http.post("/v1/notice", json=body, headers={"x-guandan-csrf": desk.csrf})
        assert answer.status_code == 400, body


def test_every_answer_carries_the_headers_that_keep_a_page_closed(app, nobody, enter):
    chief = enter("chief")
    for answer in (
        nobody.get("/enter"),
        nobody.get("/v1/feed"),
        nobody.get("/none"),
        chief.get("/duty"),
        nobody.get("/assets/web/house.css"),
    ):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert chief.get("/v1/snapshot").headers["cache-control"] == "no-store"


def test_names_that_are_markup_stay_text(nobody, database, clock):
    with database.writing() as connection:
        code = people.invite(connection, "chief", "", [], clock())
    nobody.http.post("/v1/enter", json={"code": code, "name": '"><script>alert(1)</script>'})
    page = nobody.get("/duty").text
    assert "<script>alert" not in page and "&lt;script&gt;" in page


def test_probes_answer_as_phones_expect(nobody):
    assert nobody.get("/generate_204").status_code == 204 and nobody.get("/generate_204").content == b""
    apple = nobody.get("/hotspot-detect.html").text
    assert apple == "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
    assert nobody.get("/connecttest.txt").text == "Microsoft Connect Test"


def test_the_audit_holds_every_change_and_every_door_that_stayed_shut(app, enter, nobody):
    chief, spectator = enter("chief"), enter("spectator")
    chief.post("/v1/notice", {"text": "secret words"})
    spectator.post("/v1/notice", {"text": "x"})
    nobody.get("/v1/audit")
    lines = [(line["action"], line["outcome"], line["role"]) for line in chief.get("/v1/audit").json()["audit"]]
    for expected in (
        ("POST /v1/notice", 200, "chief"),
        ("POST /v1/notice", 403, "spectator"),
        ("GET /v1/audit", 401, None),
        ("POST /v1/enter", 200, None),
    ):
        assert expected in lines
    assert "secret words" not in str(lines)


@pytest.mark.parametrize("role", ["chief", "referee"])
def test_only_the_chief_makes_referees(enter, role):
    desk, someone = enter("desk"), enter("chief")
    assert desk.post("/v1/people", {"role": role, "name": "x"}).status_code == 403
    made = someone.post("/v1/people", {"role": role, "name": "x", "zones": ["A"]})
    assert made.status_code == 200 and made.json()["path"].startswith("/enter#")
    assert desk.post("/v1/people", {"role": "spectator"}).status_code == 200


def test_codes_to_scan_lead_to_a_table_and_hold_addresses_only(app, enter, nobody):
    desk = enter("desk")
    picture = desk.get("/v1/scan", params={"text": "http://venue:8080/enter#word"})
    assert picture.headers["content-type"].startswith("image/svg+xml") and picture.text.startswith("<svg")
    assert "script" not in picture.text and "word" not in picture.text
    for wrong in ("", "javascript:alert(1)", "http://" + "x" * 300):
        assert desk.get("/v1/scan", params={"text": wrong}).status_code == 400
    where = {"referee": "/duty", "chief": "/duty", "desk": "/office", "spectator": "/board"}
    for role, page in where.items():
        assert enter(role).get("/t/7").headers["location"] == f"{page}#table=7"
    assert nobody.get("/t/7").headers["location"] == "/enter"
