"""Fixtures: a database of each kind there is (SQLite always, PostgreSQL where Debian's package or a server is)."""

import os
import re
import socket
import threading
import time

import httpx
import pytest
import sqlalchemy as sa
import uvicorn

from tests.venue import postgresql
from venue.protocol import Acknowledgement, SyncEvent, TableSide, line_of
from venue.store import Database, devices, log, people
from venue.web.app import make_app
from venue.web.house import Venue

NO_POSTGRESQL = postgresql.missing()
KINDS = [
    "sqlite",
    pytest.param("postgresql", marks=pytest.mark.skipif(NO_POSTGRESQL is not None, reason=NO_POSTGRESQL or "")),
]


@pytest.fixture(scope="session")
def postgresql_url():
    """The address of a PostgreSQL server: the one that was named, or one of our own."""
    if url := os.environ.get(postgresql.GIVEN):
        yield url
        return
    server = postgresql.Server()
    yield server.url
    server.stop()


def empty_postgresql(url):
    """Drop everything in the database at *url*; who is still connected loses the line."""
    engine = sa.create_engine("postgresql+psycopg://" + url.split("://", 1)[1], isolation_level="AUTOCOMMIT")
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    with engine.connect() as connection:
        connection.execute(sa.text(f"{others} AND datname = current_database()"))
        connection.execute(sa.text("DROP SCHEMA public CASCADE"))
        connection.execute(sa.text("CREATE SCHEMA public"))
    engine.dispose()


@pytest.fixture(params=KINDS)
def address(request, tmp_path):
    """The address of an empty database."""
    if request.param == "sqlite":
        yield str(tmp_path / "venue.db")
        return
    url = request.getfixturevalue("postgresql_url")
    empty_postgresql(url)
    yield url


@pytest.fixture
def database(address):
    made = Database(address)
    yield made
    made.close()


class Clock:
    """Venue time that tests move."""

    def __init__(self):
        self.now = 1_764_460_800.0

    def __call__(self):
        return self.now


class Browser:
    """A person's browser: cookies and the word that must come back with everything that changes."""

    def __init__(self, app, role=None, code=None):
        self.http = httpx.Client(base_url=app.state.url, timeout=30, verify=False)
        self.csrf = ""
        if code is not None:
            assert self.http.post("/v1/enter", json={"code": code, "name": role}).status_code == 200
            page = self.http.get("/board").text
            self.csrf = re.search(r'name="csrf" content="([^"]+)"', page).group(1)

    def get(self, path, **more):
        return self.http.get(path, **more)

    def post(self, path, body=None, **more):
        headers = {"x-guandan-csrf": self.csrf} | more.pop("headers", {})
        return self.http.post(path, json=body if body is not None else {}, headers=headers, **more)


class ReferenceTable:
    """The smallest table there can be: a list for a journal, the protocol's own end for a head, HTTP for a mouth."""

    def __init__(self, app, code, name="reference"):
        self.http = httpx.Client(base_url=app.state.url, timeout=30, verify=False)
        self.paired = self.http.post("/v1/pair", json={"code": code, "name": name}).json()
        self.side = TableSide(self.paired["device"], os.urandom(8).hex())
        self.journal, self.carried_out, self.match, self.line = [], [], None, 0

    def append(self, event, record=True):
        """Write an event to the journal; a line of the record unless *record* is false."""
        if event["do"] == "match":
            self.match, self.line = f"m-{os.urandom(4).hex()}", 0
        if record:
            self.line += 1
        where = {"match": self.match, "line": self.line} if self.match is not None else {}
        self.journal.append(SyncEvent(seq=len(self.journal) + 1, event=event, **where))

    def sync(self, wait=0.0):
        """One request; carries out what it is told."""
        batch = self.side.batch(lambda after, most: self.journal[after : after + most], {"unsent": 0}, wait)
        headers = {"authorization": f"Bearer {self.paired['token']}"}
        answer = self.http.post("/v1/sync", json=batch.to_json(), headers=headers)
        for directive in self.side.received(answer.status_code, answer.json()):
            if directive in self.carried_out:
                continue
            self.carried_out.append(directive)
            self.side.kept(directive.id)
            if (line := line_of(directive)) is not None and directive.data.get("match", self.match) == self.match:
                self.append(line)
            self.side.answer(Acknowledgement(id=directive.id, state="done"))
        return answer


@pytest.fixture
def clock():
    return Clock()


class Running:
    """A venue that serves real HTTP on a port of its own."""

    def __init__(self, database, clock=time.time):
        self.venue = Venue(database, clock)
        self.app = make_app(self.venue)
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        self.url = self.app.state.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        config = uvicorn.Config(self.app, log_level="critical", timeout_graceful_shutdown=1, ws="none")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, args=([listening],), daemon=True)
        self.thread.start()
        until = time.monotonic() + 20
        while not self.server.started and time.monotonic() < until:
            time.sleep(0.005)
        assert self.server.started

    def stop(self):
        self.venue.hang_up()
        self.server.should_exit = True
        self.thread.join(20)

    def kill(self):
        """End without waiting for anybody: requests in flight are cut off."""
        self.server.force_exit = True
        self.stop()

    def venue_catches_up(self):
        """Wait until the hall has folded the whole log."""
        with self.venue.database.reading() as connection:
            last = log.last(connection)
        until = time.monotonic() + 10
        while self.venue.hall.position < last and time.monotonic() < until:
            time.sleep(0.02)
        assert self.venue.hall.position == last


@pytest.fixture
def serve_venue():
    """``serve_venue(database)`` starts a venue on it; all are stopped afterwards."""
    running = []

    def start(database, clock=time.time):
        running.append(Running(database, clock))
        return running[-1]

    yield start
    for each in running:
        each.stop()


@pytest.fixture
def app(database, clock, serve_venue):
    """A venue that serves, with nobody in it yet; ``app.state`` has its ``url`` and its ``venue``."""
    return serve_venue(database, clock).app


@pytest.fixture
def enter(app, database, clock):
    """``enter("referee", ["A"])``: a browser of somebody with that role."""

    def come_in(role, zones=()):
        with database.writing() as connection:
            code = people.invite(connection, role, role, list(zones), clock())
        return Browser(app, role, code)

    return come_in


@pytest.fixture
def nobody(app):
    return Browser(app)


@pytest.fixture
def seat_table(app, database, clock):
    """``seat_table("7", "A")``: a table of the hall with the reference table at it."""

    def put(place, zone="A"):
        with database.writing() as connection:
            devices.add_place(connection, place, zone, clock(), None)
            code, _ = devices.new_code(connection, place, clock(), None)
        return ReferenceTable(app, code)

    return put
