"""Messages to outside: which addresses may be one, what they are told, and that nobody at the venue waits for them."""

import hashlib
import hmac
import http.server
import json
import logging
import socket
import threading
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa

from engine.errors import GuandanError
from tests.patience import PATIENCE, until
from tests.venue.conftest import Browser, ReferenceTable
from venue import outside
from venue.hall import Hall
from venue.store import Database, devices, hooks, people
from venue.store.log import Entry
from venue.store.telling import BUSY, HOOKS
from venue.web import hooks as addresses
from venue.web import telling

FIRST_DEAL = [
    {"do": "match", "ruleset": "national", "profile": "championship", "names": {"N": "林海", "S": "周宁"}},
    {"do": "deal", "leader": "N"}, {"do": "play", "seat": "N", "cards": ["S3"]},
]  # fmt: skip
NAMES = {
    "hooks.example": ["93.184.216.34"], "two.example": ["93.184.216.34", "10.0.0.7"], "house.lan": ["192.168.1.20"],
    "six.example": ["2606:2800:220:1::1"], "ula.lan": ["fd12:3456::7"], "meta.example": ["169.254.169.254"],
    "mapped.example": ["::ffff:169.254.169.254"], "six4.example": ["2002:7f00:1::1"],
    "nat64.example": ["64:ff9b::a00:7"], "0": ["0.0.0.0"],
    "ali.example": ["100.100.100.200"], "cgnat.example": ["100.64.3.4"], "zero.example": ["0.0.0.0"],
    "many.example": ["239.1.2.3"], "near.example": ["fe80::1%eth0"], "aws6.example": ["fd00:ec2::254"],
}  # fmt: skip


def lookup(host, port, **_):
    found = NAMES.get(host, [host] if host[0].isdecimal() or ":" in host else None)
    if found is None:
        raise socket.gaierror("no such name")
    return [(None, None, None, "", (ip, port)) for ip in found]


@pytest.mark.parametrize(
    "url", ["https://hooks.example/x?key=1", "https://six.example:8443/", "https://93.184.216.34/"]
)
@pytest.mark.parametrize("lan", [False, True])
def test_addresses_in_the_world_are_open(url, lan):
    assert outside.check(url, lan, lookup).ips


@pytest.mark.parametrize("url", ["http://192.168.1.20:5000/", "https://house.lan/", "http://10.1.2.3/", "http://ula.lan/",
                                 "http://hooks.example/", "https://two.example/", "http://172.31.0.1/"])  # fmt: skip
def test_the_organisers_own_network_is_open_only_when_he_says_so(url):
    assert outside.check(url, True, lookup).ips
    with pytest.raises(GuandanError):
        outside.check(url, False, lookup)


@pytest.mark.parametrize("url", [
    "https://127.0.0.1/", "http://127.0.0.1:8080/", "https://[::1]/", "https://meta.example/latest/meta-data",
    "http://169.254.169.254/", "https://mapped.example/", "https://six4.example/", "https://ali.example/",
    "https://cgnat.example/", "https://zero.example/", "https://many.example/", "https://near.example/",
    "https://aws6.example/", "https://nowhere.example/", "https://0/", "https://user:word@hooks.example/",
    "ftp://hooks.example/", "file:///etc/passwd", "gopher://hooks.example/", "https:///x", "hooks.example", "",
    "https://hooks.example:0/", "https://hooks.example:99999/", "https://hooks.example/\r\nhost: x",
    "https://" + "x" * 600, "https://hooks.example/a b", "javascript:alert(1)",
])  # fmt: skip
@pytest.mark.parametrize("lan", [False, True])
def test_nothing_else_is(url, lan):
    with pytest.raises(GuandanError):
        outside.check(url, lan, lookup)


def test_an_address_inside_another_is_looked_through():
    for lan in (False, True):  # NAT64 of a private address: open exactly where that one is
        if lan:
            assert outside.check("https://nat64.example/", lan, lookup)
        else:
            with pytest.raises(GuandanError):
                outside.check("https://nat64.example/", lan, lookup)


def test_a_page_or_a_log_never_sees_what_follows_the_host():
    assert outside.shown("https://hooks.example:8443/robot/send?key=SECRET#x") == "https://hooks.example:8443/…"


class Receiver:
    """A machine outside: keeps what it gets; answers *status*, or only once *gate* opens."""

    def __init__(self):
        self.got, self.status, self.gate, self.waiting = [], 200, threading.Event(), threading.Event()
        self.gate.set()
        outer = self

        class Answers(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                outer.waiting.set()
                outer.gate.wait(PATIENCE)
                outer.got.append((self.path, dict(self.headers), body))
                self.send_response(outer.status)
                self.send_header("location", "http://127.0.0.1:1/elsewhere")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self.server.server_port}/robot?key=DOOR-WORD"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def bodies(self):
        return [json.loads(body) for _, _, body in self.got]


@pytest.fixture
def receiver(monkeypatch):
    made = Receiver()
    monkeypatch.setattr(telling, "ASK_EVERY", 0.1)
    # a test's receiver lies on this very machine, where no message may go: only the look at the address is left out
    monkeypatch.setattr(outside, "check", lambda url, lan, lookup=None: outside.Address(urlsplit(url), ("127.0.0.1",)))
    yield made
    made.gate.set()
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def address(tmp_path):
    return str(tmp_path / "venue.db")


def called(table, seat="W"):
    if table.match is None:
        for line in FIRST_DEAL:
            table.append(line)
    table.append({"do": "call", "seat": seat})
    assert table.sync().status_code == 200


def test_a_call_is_told_signed_and_holds_nothing_of_the_game(app, enter, seat_table, receiver, caplog):
    caplog.set_level(logging.DEBUG, "guandan.venue")
    chief, table = enter("chief"), seat_table("7", "A")
    made = chief.post("/v1/hooks", {"url": receiver.url, "lan": True}).json()
    assert len(made["secret"]) >= 40 and "DOOR-WORD" not in made["address"]
    assert chief.post(f"/v1/hooks/{made['id']}/test").json() == {"taken": True, "why": None}
    assert receiver.bodies()[0]["test"] is True and receiver.bodies()[0]["cases"] == []
    called(table)
    until(lambda: len(receiver.got) == 2)
    path, headers, body = receiver.got[1]
    assert path == "/robot?key=DOOR-WORD"
    at, mark = (part.partition("=")[2] for part in headers[outside.SIGNATURE].split(","))
    assert mark == hmac.new(made["secret"].encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    (told,) = json.loads(body)["cases"]
    assert (told["table"], told["zone"], told["kind"], told["state"]) == ("7", "A", "call", "launched")
    assert told["text"] == {"zh": "7 号桌 A 区：呼叫裁判，待处理", "en": "Table 7 Zone A: Referee called, waiting"}
    for secret in ("林海", "S3", "trick", "evidence", made["secret"]):
        assert secret not in body.decode()
    case = told["id"]
    assert chief.post(f"/v1/cases/{case}/take").status_code == 200
    until(lambda: receiver.bodies()[-1]["cases"][0]["state"] == "in_progress")
    assert receiver.bodies()[-1]["cases"][0]["taken_by"] == ["chief"]
    listed = chief.get("/v1/hooks").text
    audit = json.dumps(chief.get("/v1/audit").json())
    for text in (listed, audit, caplog.text):
        assert made["secret"] not in text and "DOOR-WORD" not in text
    assert chief.post(f"/v1/hooks/{made['id']}/remove").status_code == 200
    assert chief.get("/v1/hooks").json() == {"hooks": []}


def test_an_address_that_fails_hears_later_how_things_stand_by_then(app, clock, database, enter, seat_table, receiver):
    chief, table = enter("chief"), seat_table("7", "A")
    receiver.status = 302  # a redirection is no answer, and nobody follows it
    chief.post("/v1/hooks", {"url": receiver.url, "lan": True})
    called(table)
    failed = until(lambda: [each for each in chief.get("/v1/hooks").json()["hooks"] if each["failures"]])
    assert failed[0]["last_error"] == "HTTP 302" and len(receiver.got) == 1
    with database.reading() as connection:
        (hook,) = hooks.everyone(connection)
    assert clock.now < hook.next_try <= clock.now + telling.FIRST_DELAY
    case = receiver.bodies()[0]["cases"][0]["id"]
    assert chief.post(f"/v1/cases/{case}/take").status_code == 200
    assert chief.post(f"/v1/cases/{case}/resolve").status_code == 200
    receiver.status = 204
    clock.now += telling.FIRST_DELAY + 1
    until(lambda: len(receiver.got) >= 2)
    assert [each["state"] for each in receiver.bodies()[1]["cases"]] == ["resolved"]  # once, as it stands now
    until(lambda: not chief.get("/v1/hooks").json()["hooks"][0]["failures"])


def test_nobody_at_the_venue_waits_for_an_address_that_hangs(app, enter, seat_table, receiver):
    chief, table = enter("chief"), seat_table("7", "A")
    receiver.gate.clear()
    chief.post("/v1/hooks", {"url": receiver.url, "lan": True})
    called(table)
    assert receiver.waiting.wait(PATIENCE)  # it has the message, and says nothing
    items = chief.get("/v1/snapshot").json()["items"]
    case = next(item["case"] for item in items if "case" in item)
    for step in ("take", "resolve", "reopen"):
        assert chief.post(f"/v1/cases/{case['id']}/{step}").status_code == 200
    called(table, "N")
    assert not receiver.got
    receiver.gate.set()
    until(lambda: receiver.got and receiver.bodies()[-1]["cases"][0]["calls"] == 2)


def test_one_worker_at_a_time_tells_and_another_follows_one_that_died(database, clock):
    with database.writing() as connection:
        hook = hooks.add(connection, "https://hooks.example/", False, clock())
        other = hooks.add(connection, "https://hooks.example/", False, clock())
    with database.writing() as connection:
        assert HOOKS.claim(connection, hook.id, ["5"], clock()) == {}
        assert HOOKS.claim(connection, hook.id, ["5"], clock() + 1) is None
        assert HOOKS.claim(connection, hook.id, ["5"], clock() + BUSY) == {}
        HOOKS.went_well(connection, hook.id, {"5": "launched"}, clock())
        assert HOOKS.claim(connection, hook.id, ["4", "5"], clock()) == {"5": "launched"}
        HOOKS.went_well(connection, hook.id, {"5": "resolved", "6": "launched"}, clock())
        assert HOOKS.claim(connection, hook.id, ["6"], clock()) == {"6": "launched"}  # what was asked, no more
        HOOKS.let_go(connection, hook.id)
        assert HOOKS.claim(connection, hook.id, ["5", "6"], clock()) == {"5": "resolved", "6": "launched"}
        assert HOOKS.claim(connection, other.id, ["5", "6"], clock()) == {}
        HOOKS.went_wrong(connection, hook.id, "x", clock() + 5)
        assert HOOKS.claim(connection, hook.id, ["5"], clock() + 4) is None
        assert HOOKS.claim(connection, hook.id, ["5"], clock() + 5) is not None
        HOOKS.went_well(connection, other.id, {"5": "launched"}, clock())
        hooks.remove(connection, hook.id)
        assert connection.execute(sa.text("SELECT COUNT(*) FROM hook_told")).scalar() == 1
        with pytest.raises(GuandanError):
            hooks.remove(connection, hook.id)
        for _ in range(hooks.MOST - 1):
            hooks.add(connection, "https://hooks.example/", False, clock())
        with pytest.raises(GuandanError):
            hooks.add(connection, "https://hooks.example/", False, clock())


def call_at(position, place="7"):
    """A call as the log holds it: its own match, so that it joins no other."""
    event = {"do": "call", "seat": "W"}
    return Entry(
        position, "d", "1", position, "alert", place, f"m{position}", None, {"id": "1", "kind": "call", **event}, None,
        float(position), False, None,
    )  # fmt: skip


def test_only_what_was_touched_since_or_became_everybodys_is_looked_at():
    hall = Hall()
    for position in range(1, 501):
        hall.apply(call_at(position))
    news = telling.News(hall)
    assert news.look(500.0) == []  # what lies before is the business of whoever comes, once
    hall.apply(call_at(501))
    assert news.look(501.0) == ["501"] and news.look(502.0) == []
    assert news.look(520.9) == [] and news.look(521.0) == ["501"] and news.look(600.0) == []  # nobody took it
    hall.cases["3"].take_step("take", 601.0, "p", "甲")
    hall._touch("case", "3")
    hall.position += 1
    hall._touch("case", "3")
    assert news.look(601.0) == ["3"] and news.look(700.0) == []


def test_a_change_costs_no_look_at_the_days_other_cases(app, enter, seat_table, receiver, monkeypatch):
    """However many calls the day has had, a new one is told by looking at itself."""
    app.state.venue.limits.wait = lambda *_: 0.0  # one address asks for a whole hall
    chief, hall, looked = enter("chief"), app.state.venue.hall, []
    tables = [seat_table(str(number), "A") for number in range(12)]
    chief.post("/v1/hooks", {"url": receiver.url, "lan": True})
    for table in tables:
        called(table)
    told = lambda: {each["id"] for body in receiver.bodies() for each in body["cases"]}  # noqa: E731
    until(lambda: told() == set(hall.cases) and len(hall.cases) == 12)
    until(lambda: chief.get("/v1/hooks").json()["hooks"][0]["last_ok"])
    real = addresses.mark_of
    monkeypatch.setattr(addresses, "mark_of", lambda case, now: looked.append(case.id) or real(case, now))
    claims, asked = HOOKS.claim, []
    monkeypatch.setattr(type(HOOKS), "claim", lambda self, connection, receiver, cases, now: (
        asked.extend(cases) or claims(connection, receiver, cases, now)))  # fmt: skip
    fresh = seat_table("new", "A")
    called(fresh)
    case = next(name for name, each in hall.cases.items() if each.place == "new")
    until(lambda: case in told())
    chief.post("/v1/notice", {"text": "开赛"})  # a change of the hall that is no case's
    assert chief.post(f"/v1/cases/{case}/take").status_code == 200
    until(lambda: receiver.bodies()[-1]["cases"][-1]["state"] == "in_progress")
    assert set(looked) == {case} and set(asked) == {case}


def test_after_a_restart_nothing_is_told_again_and_two_workers_tell_once(
    database, clock, serve_venue, receiver, monkeypatch
):
    one = serve_venue(database, clock)
    with database.writing() as connection:
        code = people.invite(connection, "chief", "chief", [], clock())
        devices.add_place(connection, "7", "A", clock(), None)
        pairing, _ = devices.new_code(connection, "7", clock(), None)
    chief, table = Browser(one.app, "chief", code), ReferenceTable(one.app, pairing)
    chief.post("/v1/hooks", {"url": receiver.url, "lan": True})
    called(table)
    until(lambda: chief.get("/v1/hooks").json()["hooks"][0]["last_ok"])
    one.stop()
    claims, claimed = type(HOOKS).claim, []

    def claim(self, connection, receiver, cases, now):
        told = claims(self, connection, receiver, cases, now)
        claimed.extend(cases if told is not None else [])
        return told

    monkeypatch.setattr(type(HOOKS), "claim", claim)
    workers = [serve_venue(Database(database.title), clock) for _ in range(2)]
    until(lambda: len(claimed) == 2)  # each has asked what the address was told of the case, and found it told
    assert len(receiver.got) == 1
    case = receiver.bodies()[0]["cases"][0]["id"]
    chief.http.base_url = workers[0].url
    assert chief.post(f"/v1/cases/{case}/take").status_code == 200
    until(lambda: len(claimed) == 4)
    assert [each["cases"][0]["state"] for each in receiver.bodies()] == ["launched", "in_progress"]
    for worker in workers:
        worker.stop()
        worker.venue.database.close()


def test_a_name_that_leads_elsewhere_meanwhile_is_not_followed(monkeypatch):
    """The checked address is spoken to, not what the name leads to at the next look."""
    spoken = []
    monkeypatch.setattr(
        socket, "create_connection", lambda where, *_: spoken.append(where) or (_ for _ in ()).throw(OSError)
    )
    found = outside.check("http://house.lan:5000/", True, lookup)
    with pytest.raises(OSError):
        outside.post(found, b"{}", {})
    assert spoken == [("192.168.1.20", 5000)]


def test_the_doors_refuse_what_must_not_be_spoken_to(app, enter):
    chief = enter("chief")
    for url, lan in (("http://127.0.0.1:8080/", True), ("https://[::1]/", True), ("http://169.254.169.254/", True),
                     ("http://10.0.0.1/", False), ("not an address", False)):  # fmt: skip
        answer = chief.post("/v1/hooks", {"url": url, "lan": lan})
        assert answer.status_code in (400, 409), url
    assert chief.get("/v1/hooks").json() == {"hooks": []}
