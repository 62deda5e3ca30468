"""Two workers on one PostgreSQL: what one takes in, the other shows, whether hints arrive or not."""

import threading
import time

import pytest

from tests.venue.conftest import NO_POSTGRESQL, Browser, ReferenceTable, empty_postgresql
from venue.store import Database, devices, hints, people

pytestmark = pytest.mark.skipif(NO_POSTGRESQL is not None, reason=NO_POSTGRESQL or "")
MATCH = {"do": "match", "ruleset": "national", "profile": "championship"}


@pytest.fixture
def address(postgresql_url):
    empty_postgresql(postgresql_url)
    return postgresql_url


@pytest.fixture(params=["hints", "looking"])
def workers(request, address, serve_venue, monkeypatch):
    """Two workers; without hints only the look at the log is left."""
    if request.param == "looking":

        async def deaf(*_):
            return None

        monkeypatch.setattr(hints, "listen", deaf)
    else:
        monkeypatch.setattr("venue.web.house.POLL", 300.0)
    return [serve_venue(Database(address)) for _ in range(2)]


def test_what_one_worker_takes_in_the_other_shows_and_answers(workers, address):
    database, now = Database(address), time.time()
    with database.writing() as connection:
        devices.add_place(connection, "7", "A", now, None)
        code, _ = devices.new_code(connection, "7", now, None)
        invited = people.invite(connection, "referee", "r", [], now)
    database.close()
    table = ReferenceTable(workers[0].app, code)
    referee = Browser(workers[1].app, "referee", invited)
    for event in (MATCH, {"do": "call", "seat": "E"}):
        table.append(event)
    assert table.sync().status_code == 200

    def case():
        items = referee.get("/v1/snapshot").json()["items"]
        return next((item["case"] for item in items if "case" in item), None)

    found = case()  # a snapshot looks for itself
    assert found["kind"] == "call"
    waiting = threading.Thread(target=table.sync, args=(20,))
    waiting.start()
    taken = referee.post(f"/v1/cases/{found['id']}/take")
    assert taken.status_code == 200
    waiting.join(15)
    assert not waiting.is_alive() and [each.do for each in table.carried_out] == ["case"]


def test_writers_of_two_workers_leave_no_hole_and_no_double(workers, address):
    database, now, tables = Database(address), time.time(), []
    for number in range(6):
        with database.writing() as connection:
            devices.add_place(connection, str(number), "A", now, None)
            code, _ = devices.new_code(connection, str(number), now, None)
        tables.append(ReferenceTable(workers[number % 2].app, code))

    def play(table):
        for event in [MATCH, *({"do": "extra", "seconds": n} for n in range(1, 12))]:
            table.append(event)
            assert table.sync().status_code == 200

    threads = [threading.Thread(target=play, args=(table,)) for table in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    from venue.store import log

    with database.reading() as connection:
        stored = log.after(connection, 0, 5000)
    database.close()
    assert [entry.position for entry in stored] == list(range(1, len(stored) + 1))
    for table in tables:
        mine = [entry.seq for entry in stored if entry.device == table.side.device]
        assert mine == list(range(1, 13))
    for worker in workers:
        worker.venue_catches_up()
        assert {len(board.match.events) for board in worker.venue.hall.boards.values()} == {12}
