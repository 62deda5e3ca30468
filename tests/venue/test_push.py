"""Web push: off until the chief says so, sealed for one browser, and nobody at the venue waits for it."""

import json
import logging
import sys

import pytest
import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric import ec

from engine.errors import GuandanError
from tests.patience import until
from tests.venue.pushes import PushService, claims_of, opened, raw, text
from venue import sealed
from venue.hall.cases import Case
from venue.store import people, push, schema
from venue.store.telling import PHONES
from venue.web import push as pushing
from venue.web import telling

SQLITE = pytest.mark.parametrize("address", ["sqlite"], indirect=True)
FIRST_DEAL = [
    {"do": "match", "ruleset": "national", "profile": "championship", "names": {"N": "林海", "S": "周宁"}},
    {"do": "deal", "leader": "N"}, {"do": "play", "seat": "N", "cards": ["S3"]},
]  # fmt: skip
# RFC 8291, section 5 and appendix A
EXAMPLE = {
    "own": "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "salt": "DGv6ra1nlYgDCS1FRnbzlw",
    "public": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "private": "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    "message": b"When I grow up, I want to be a watermelon",
    "body": "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6"
            "PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
}  # fmt: skip


@pytest.fixture(scope="module")
def one_service(tmp_path_factory):
    made = PushService(tmp_path_factory.mktemp("push"))
    yield made
    made.stop()


@pytest.fixture
def service(one_service, monkeypatch, app):
    app.state.venue.limits.wait = lambda *_: 0.0  # one address asks for a whole hall
    one_service.got.clear()
    one_service.status, one_service.headers, one_service.asked = 201, {}, 0
    one_service.join(monkeypatch)
    monkeypatch.setattr(telling, "ASK_EVERY", 0.1)
    yield one_service
    one_service.gate.set()


def called(table, seat="W"):
    if table.match is None:
        for line in FIRST_DEAL:
            table.append(line)
    table.append({"do": "call", "seat": seat})
    assert table.sync().status_code == 200


def turned_on(chief, **more):
    answer = chief.post("/v1/push/on", {"contact": "chief@club.example", **more})
    assert answer.status_code == 200, answer.text
    return answer.json()["key"]


def subscribed(browser, phone, lang="en"):
    answer = browser.post("/v1/push/phone", phone.subscription(), headers={"x-guandan-language": lang})
    assert answer.status_code == 200, answer.text
    return phone


def phones_of(chief):
    return sorted(chief.get("/v1/push").json()["phones"], key=lambda each: each["last_ok"] or 0, reverse=True)


def the_case(chief):
    return next(item["case"] for item in chief.get("/v1/snapshot").json()["items"] if "case" in item)


# --- sealing ----------------------------------------------------------------------------------------------------------


def test_a_message_is_sealed_as_the_standards_example():
    salt = raw(EXAMPLE["salt"])
    body = sealed.seal(EXAMPLE["message"], EXAMPLE["public"], EXAMPLE["auth"], EXAMPLE["own"], salt, padded=0)
    assert text(body) == EXAMPLE["body"]
    key = ec.derive_private_key(int.from_bytes(raw(EXAMPLE["private"]), "big"), ec.SECP256R1())
    assert opened(body, key, raw(EXAMPLE["auth"])) == EXAMPLE["message"]


def test_two_messages_share_nothing_and_are_equally_long():
    bodies = [sealed.seal(said, EXAMPLE["public"], EXAMPLE["auth"]) for said in (b"a", b"a", b"b" * 300)]
    assert len({len(body) for body in bodies}) == 1 and len({body[:16] for body in bodies}) == 3
    assert len({body[21:86] for body in bodies}) == 3
    with pytest.raises(ValueError):
        sealed.seal(b"x" * 4096, EXAMPLE["public"], EXAMPLE["auth"])


@pytest.mark.parametrize("public, auth", [
    ("", EXAMPLE["auth"]), (EXAMPLE["public"], ""), (EXAMPLE["public"], "AAAA"),
    (EXAMPLE["public"][:-4], EXAMPLE["auth"]),
    (text(b"\x04" + b"\x01" * 64), EXAMPLE["auth"]), (text(b"\x02" + raw(EXAMPLE["public"])[1:33]), EXAMPLE["auth"]),
    ("<script>", EXAMPLE["auth"]), (text(b"\x00"), EXAMPLE["auth"]), (EXAMPLE["public"], "钥匙"),
])  # fmt: skip
def test_keys_that_seal_nothing_are_refused(public, auth):
    sealed.check_keys(EXAMPLE["public"], EXAMPLE["auth"])
    with pytest.raises(GuandanError, match="no keys"):
        sealed.check_keys(public, auth)


def test_a_suspicion_is_told_as_one_and_a_name_never():
    seen = {"seat": "E", "rule": "x", "route": "referee", "evidence": {"who": "林海"}}
    case = Case("5", "7", "A", "m", "report_missed", False, opened=10.0, rang=10.0, **seen)
    assert pushing.told_of([case], "zh", 12.0) == {
        "table": "7", "kind": "report_missed", "title": "7 号桌", "body": "未报牌?", "lang": "zh",
    }  # fmt: skip
    assert pushing.told_of([case, case], "en", 40.0)["body"] == "Report missed? · nobody has taken it · 1 more waiting"


# --- what travels -----------------------------------------------------------------------------------------------------


@SQLITE
def test_a_call_reaches_the_locked_phones_of_its_zone_and_then_everybodys(
    app, clock, enter, seat_table, service, caplog
):
    caplog.set_level(logging.DEBUG, "guandan.venue")
    chief, near, far, table = enter("chief"), enter("referee", ["A"]), enter("referee", ["B"]), seat_table("7", "A")
    key = turned_on(chief)
    assert near.get("/v1/push").json() == {"on": True, "key": key}
    mine, other = subscribed(near, service.phone("near-PLACE")), subscribed(far, service.phone("far"), "zh")
    called(table)
    until(mine.got)
    (headers, told), *_ = mine.got()
    assert told == {"table": "7", "kind": "call", "title": "Table 7", "body": "Referee called", "lang": "en"}
    assert (headers["ttl"], headers["urgency"], headers["content-encoding"]) == ("300", "high", "aes128gcm")
    assert 0 < len(headers["topic"]) <= 32
    claims = claims_of(headers["authorization"], key)
    assert claims["aud"] == service.url and claims["sub"] == "mailto:chief@club.example"
    assert clock.now < claims["exp"] <= clock.now + 24 * 3600
    for secret in ("林海", "Table 7", "call"):
        assert all(secret.encode() not in body for _, _, body in service.got)
    assert not other.got()
    until(lambda: phones_of(chief)[0]["last_ok"])  # it is written down: from here on its rest counts
    clock.now += 21  # nobody took it: everybody's now, and said once more where it had rung
    until(lambda: other.got() and len(mine.got()) == 2)
    assert other.got()[0][1]["body"] == "呼叫裁判 · 还没有人去" and other.got()[0][1]["title"] == "7 号桌"
    until(lambda: [each["last_ok"] for each in phones_of(chief)] == [clock.now] * 2)
    shown = phones_of(chief)
    assert [each["failures"] for each in shown] == [0, 0]
    audit = json.dumps(chief.get("/v1/audit").json())
    assert "POST /v1/push/on" in audit and "POST /v1/push/phone" in audit
    with app.state.venue.database.reading() as connection:
        private = push.switch(connection).private
    for told in (audit, json.dumps(shown), caplog.text, chief.get("/v1/push").text, near.get("/v1/push").text):
        assert private not in told and "near-PLACE" not in told


@SQLITE
def test_what_somebody_takes_or_is_old_wakes_nobody(app, clock, enter, seat_table, service):
    chief, table = enter("chief"), seat_table("7", "A")
    turned_on(chief)
    phone = subscribed(chief, service.phone("one"))
    service.status, service.headers = 429, {"retry-after": "30"}
    called(table)
    failed = until(lambda: [each for each in chief.get("/v1/push").json()["phones"] if each["failures"]])
    assert failed[0]["last_error"] == "HTTP 429" and service.asked == 1
    with app.state.venue.database.reading() as connection:
        assert push.everyone(connection, clock.now)[0].next_try >= clock.now + 30  # as long as the service asked for
    service.status, service.headers = 201, {}
    case = the_case(chief)
    assert chief.post(f"/v1/cases/{case['id']}/take").status_code == 200
    clock.now += 60
    other = seat_table("8", "A")
    called(other)
    until(phone.got)
    assert [told["table"] for _, told in phone.got()] == ["8"]  # the first was taken meanwhile
    until(lambda: phones_of(chief)[0]["last_ok"] == clock.now)
    service.status = 500
    clock.now += pushing.REST
    called(seat_table("9", "A"))
    until(lambda: phones_of(chief)[0]["failures"])
    service.status = 201
    clock.now += pushing.LIVES + 1
    called(seat_table("10", "A"))
    until(lambda: len(phone.got()) == 2)
    assert phone.got()[1][1]["table"] == "10"


@SQLITE
def test_many_calls_at_once_are_one_message_and_then_a_rest(app, clock, enter, seat_table, service):
    chief, tables = enter("chief"), [seat_table(name, "A") for name in "123"]
    turned_on(chief)
    phone = subscribed(chief, service.phone("one"))
    service.status = 500
    called(tables[0])
    until(lambda: phones_of(chief)[0]["failures"])
    for table in tables[1:]:
        clock.now += 0.1
        called(table)
    service.status = 201
    clock.now += 5
    until(phone.got)
    assert phone.got()[0][1]["table"] == "1" and phone.got()[0][1]["body"] == "Referee called · 2 more waiting"
    until(lambda: phones_of(chief)[0]["last_ok"] == clock.now)
    called(seat_table("4", "A"))
    called(seat_table("5", "A"))
    with app.state.venue.database.reading() as connection:
        assert push.everyone(connection, clock.now)[0].next_try == clock.now + pushing.REST
    clock.now += pushing.REST
    until(lambda: len(phone.got()) == 2)
    assert phone.got()[1][1]["table"] == "4" and "1 more waiting" in phone.got()[1][1]["body"]


@SQLITE
@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_takes_no_more_is_forgotten(app, enter, seat_table, service, status):
    chief = enter("chief")
    turned_on(chief)
    phone = subscribed(chief, service.phone("one"))
    service.status = status
    called(seat_table("7", "A"))
    until(lambda: not chief.get("/v1/push").json()["phones"])
    with app.state.venue.database.reading() as connection:
        assert not connection.execute(sa.select(schema.phones)).all()
    assert chief.post("/v1/push/test", {"endpoint": phone.endpoint}).status_code == 409
    subscribed(chief, phone)
    assert chief.post("/v1/push/test", {"endpoint": phone.endpoint}).json() == {"taken": False, "why": "gone"}
    assert not chief.get("/v1/push").json()["phones"]


@SQLITE
def test_nobody_at_the_venue_waits_for_a_service_that_hangs(app, enter, seat_table, service):
    chief, table = enter("chief"), seat_table("7", "A")
    turned_on(chief)
    referees = [enter("referee") for _ in range(12)]  # more than may speak outside at once
    for number, referee in enumerate(referees):
        subscribed(referee, service.phone(number))
    service.gate.clear()
    called(table)
    until(lambda: service.asked >= 8)
    case = the_case(chief)
    for step in ("take", "resolve", "reopen"):
        assert chief.post(f"/v1/cases/{case['id']}/{step}").status_code == 200
    called(table, "N")
    assert not service.got


# --- who may, and where to --------------------------------------------------------------------------------------------


@SQLITE
def test_it_is_off_until_the_chief_turns_it_on_and_then_stays_the_same(app, enter, service):
    chief, referee, desk = enter("chief"), enter("referee"), enter("desk")
    phone = service.phone("one")
    assert referee.get("/v1/push").json() == {"on": False, "key": None} and desk.get("/v1/push").status_code == 403
    assert referee.post("/v1/push/phone", phone.subscription()).status_code == 409
    assert referee.post("/v1/push/on", {"contact": "a@b.example"}).status_code == 403
    for contact in ("", "nobody", "a@b", "a@b.example\r\nx: y", "mailto:a@b.example", "a b@c.example", "<a@b.example>"):
        assert chief.post("/v1/push/on", {"contact": contact}).status_code == 400, contact
    key = turned_on(chief)
    assert len(raw(key)) == 65
    subscribed(referee, phone)
    assert chief.post("/v1/push/off").status_code == 200
    assert chief.get("/v1/push").json() == {
        "on": False, "key": None, "contact": "chief@club.example", "lan": False, "phones": [],
    }  # fmt: skip
    with app.state.venue.database.reading() as connection:
        assert not connection.execute(sa.select(schema.phones)).all()
    assert turned_on(chief) == key  # browsers know it
    assert not chief.get("/v1/push").json()["phones"]  # who wants it says so again


@SQLITE
@pytest.mark.parametrize("endpoint", [
    "http://push.example:1/x", "https://127.0.0.1/x", "https://[::1]/x", "https://169.254.169.254/x",
    "https://10.0.0.7/x", "https://house.lan/x", "https://meta.example/x", "https://nowhere.example/x",
    "ftp://push.example:1/x", "not one", "", "https://user:word@push.example:1/x",
    "https://push.example:1/" + "x" * 1024,
])  # fmt: skip
def test_no_phone_leads_the_venue_to_where_it_must_not_speak(app, enter, service, endpoint):
    chief = enter("chief")
    turned_on(chief)
    answer = chief.post("/v1/push/phone", {**service.phone("x").subscription(), "endpoint": endpoint})
    assert answer.status_code in (400, 409), endpoint
    assert not chief.get("/v1/push").json()["phones"]


@SQLITE
def test_a_service_in_the_organisers_network_has_to_be_allowed_and_never_goes_unencrypted(app, enter, service):
    chief = enter("chief")
    phone = service.phone("x").subscription()
    turned_on(chief, lan=True)
    assert chief.post("/v1/push/phone", {**phone, "endpoint": "https://house.lan/x"}).status_code == 200
    for endpoint in ("http://house.lan/x", "https://127.0.0.1/x", "https://meta.example/x"):
        assert chief.post("/v1/push/phone", {**phone, "endpoint": endpoint}).status_code in (400, 409), endpoint


@SQLITE
def test_a_phone_is_told_in_the_name_of_who_is_in_and_only_while_he_is(app, clock, enter, seat_table, service):
    chief, gone = enter("chief"), enter("referee")
    clock.now += 1
    left = enter("referee")
    turned_on(chief)
    phones = [subscribed(browser, service.phone(n)) for n, browser in enumerate((gone, left))]
    for number in range(push.MOST_OF_ONE):
        subscribed(chief, service.phone(f"chief-{number}"))
    assert chief.post("/v1/push/phone", service.phone("more").subscription()).status_code == 409
    assert len(chief.get("/v1/push").json()["phones"]) == push.MOST_OF_ONE + 2
    first = [each["id"] for each in chief.get("/v1/people").json()["people"] if each["role"] == "referee"][-1]
    assert chief.post(f"/v1/people/{first}/revoke").status_code == 200
    assert left.post("/v1/leave").status_code == 200
    assert len(chief.get("/v1/push").json()["phones"]) == push.MOST_OF_ONE
    assert chief.post("/v1/push/leave", {"endpoint": phones[0].endpoint}).status_code == 200  # another's: nothing
    mine = service.phone("chief-0")
    assert chief.post("/v1/push/leave", {"endpoint": mine.endpoint}).status_code == 200
    assert len(chief.get("/v1/push").json()["phones"]) == push.MOST_OF_ONE - 1
    called(seat_table("7", "A"))
    until(lambda: len({path for path, _, _ in service.got}) == push.MOST_OF_ONE - 1)
    assert not any(path in (phones[0].path, phones[1].path, mine.path) for path, _, _ in service.got)
    again = subscribed(chief, phones[0])  # the same phone in another's hands
    assert len(chief.get("/v1/push").json()["phones"]) == push.MOST_OF_ONE
    assert chief.post("/v1/push/test", {"endpoint": again.endpoint}).json() == {"taken": True, "why": None}
    said = {"title": "It works", "body": "Calls reach this phone when it is locked.", "lang": "en"}
    assert again.got()[-1][1] == {"table": "", "kind": "test", **said}


@SQLITE
def test_without_the_package_the_venue_says_what_is_missing(app, enter, monkeypatch):
    chief = enter("chief")
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric", None)
    answer = chief.post("/v1/push/on", {"contact": "a@b.example"}, headers={"x-guandan-language": "en"})
    assert answer.status_code == 409 and "cryptography" in answer.json()["error"]["detail"]
    assert chief.get("/v1/push").json()["on"] is False


def test_the_phones_of_those_whose_session_is_over_are_forgotten(database, clock):
    """On both engines: who is kept, told, and swept."""
    with database.writing() as connection:
        words = {}
        for role in ("referee", "chief", "desk"):
            code = people.invite(connection, role, role, ["A"], clock())
            words[role] = people.accept(connection, code, role, clock())[1]
        with pytest.raises(GuandanError, match="is off"):
            push.subscribe(connection, words["chief"], "https://a.example/1", "p", "a", "zh", clock())
        push.turn_on(connection, "a@b.example", False, clock(), lambda: "first")
        assert push.turn_on(connection, "c@d.example", True, clock(), lambda: "other").private == "first"
        names = [
            push.subscribe(connection, words[role], f"https://a.example/{role}", "p", "a", "zh", clock())
            for role in ("referee", "chief")
        ]
        again = push.subscribe(connection, words["referee"], "https://a.example/referee", "q", "b", "en", clock())
        assert again == names[0]
        referee, chief = sorted(push.everyone(connection, clock()), key=lambda each: each.person.role, reverse=True)
        assert (referee.public, referee.lang, referee.person.role) == ("q", "en", "referee")
        assert referee.person.zones == ("A",)
        assert chief.switch.lan and chief.switch.contact == "c@d.example" and "a.example" not in repr(chief)
        assert PHONES.claim(connection, chief.id, ["1", "2"], clock()) == {}
        PHONES.went_well(connection, chief.id, {"1": "x"}, clock(), 3.0)
        assert PHONES.claim(connection, chief.id, ["1"], clock() + 2) is None
        assert PHONES.claim(connection, chief.id, ["1", "2"], clock() + 3) == {"1": "x"}
        assert push.sweep(connection, clock()) == 0
        people.leave(connection, words["chief"], clock())
        assert [phone.id for phone in push.everyone(connection, clock())] == [referee.id]
        assert push.sweep(connection, clock()) == 1
        assert not connection.execute(sa.select(schema.phone_told)).all()
        assert push.everyone(connection, clock() + people.SESSION_LIVES) == []
        push.turn_off(connection)
        assert push.everyone(connection, clock()) == [] and push.sweep(connection, clock()) == 0
