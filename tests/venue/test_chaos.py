"""Bad links and sudden deaths: nothing lost, nothing doubled, the board equals a pure fold of the tables' own logs."""

import contextlib
import http.client
import json
import random
import threading
import time

import pytest

from engine.errors import Impossible
from engine.events import Event
from engine.match import Match
from venue.protocol import SyncEvent, TableSide
from venue.store import Database, devices, log
from venue.web.limits import RATES

TABLES, EVENTS = 4, 40


class FlakyTable(threading.Thread):
    """Plays on whatever the line does: requests and replies get lost, repeated, come late; now and then it reboots."""

    def __init__(self, address, device, token, seed):
        super().__init__(daemon=True)
        self.address, self.token, self.rng = address, token, random.Random(seed)
        self.side, self.log, self.tries = TableSide(device, "e"), [], 0
        self.finished = threading.Event()
        self.stale = None

    def play(self):
        line = len(self.log) + 1
        event = {"do": "match", "ruleset": "national"} if line == 1 else {
            "do": "finish", "order": self.rng.choice([["N", "S", "E", "W"], ["E", "W", "N", "S"], ["W", "N", "E", "S"]])
        }  # fmt: skip
        self.log.append(SyncEvent(seq=line, event=event, match=f"m-{self.side.device}", line=line))

    def run(self):
        while len(self.log) < EVENTS or self.side.acked < EVENTS:
            if len(self.log) < EVENTS and self.rng.random() < 0.7:
                self.play()
            if self.rng.random() < 0.03:  # pulled out and put back in: the journal is all that is left
                acked = self.rng.choice([0, self.side.acked])
                self.side = TableSide(self.side.device, "e", acked=acked, cursor=self.side.cursor)
            self.exchange()
        self.finished.set()

    def exchange(self):
        self.tries += 1
        assert self.tries < 5000
        batch = self.side.batch(
            lambda after, most: self.log[after : after + self.rng.randrange(1, 20)], {}, 0
        ).to_json()
        if self.stale is not None and self.rng.random() < 0.3:
            self.send(self.stale)  # an old request arrives after newer ones
        self.stale = batch
        if self.rng.random() < 0.2:
            return self.side.failed()
        answer = self.send(batch)
        if self.rng.random() < 0.1:
            answer = self.send(batch)
        if answer is None or self.rng.random() < 0.2:
            self.side.failed()
        else:
            self.side.received(*answer)

    def send(self, batch):
        line = http.client.HTTPConnection(self.address(), timeout=5)
        try:
            line.request("POST", "/v1/sync", json.dumps(batch), {"authorization": f"Bearer {self.token}"})
            answer = line.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, ValueError, http.client.HTTPException):
            time.sleep(0.02)
            return None
        finally:
            line.close()


def pure_fold(table):
    match = Match()
    for event in table.log:
        data = {name: value for name, value in event.event.items() if name != "do"}
        with contextlib.suppress(Impossible):  # a deal after the match is over
            match.apply(Event(event.line, event.event["do"], data))
    return match


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1])
def test_links_that_drop_repeat_and_reorder_and_a_server_that_dies(address, serve_venue, seed, monkeypatch):
    monkeypatch.setitem(RATES, "device", (1000, 1000))  # these tables are in a hurry
    database = Database(address)
    tables = []
    running = serve_venue(database)
    where = [running.url.removeprefix("http://")]
    with database.writing() as connection:
        for number in range(TABLES):
            devices.add_place(connection, str(number), "A", 0, None)
            code, _ = devices.new_code(connection, str(number), time.time(), None)
            device, token, _ = devices.pair(connection, code, "x", time.time())
            tables.append(FlakyTable(lambda: where[0], device.id, token, seed * 100 + number))
    for table in tables:
        table.start()
    for _ in range(2):
        time.sleep(0.4)
        running.kill()  # in the middle of whatever it was doing
        running = serve_venue(Database(address))
        where[0] = running.url.removeprefix("http://")
    for table in tables:
        table.join(60)
        assert table.finished.is_set(), (
            table.tries,
            len(table.log),
            table.side.acked,
            table.side.state,
            table.side.refusal,
        )
    with database.reading() as connection:
        stored = log.after(connection, 0, 10_000)
    for table in tables:
        mine = [entry for entry in stored if entry.device == table.side.device]
        assert [entry.seq for entry in mine] == list(range(1, EVENTS + 1))
        assert [dict(entry.event) for entry in mine] == [event.event for event in table.log]
        running.venue_catches_up()
        board = running.venue.hall.boards[f"m-{table.side.device}"]
        match = pure_fold(table)
        assert board.view()["levels"] == match.levels and board.line == EVENTS
        assert [record["NS"] for record in board.view()["race"]] == [record.levels["NS"] for record in match.deals]
    assert [entry.position for entry in stored] == list(range(1, len(stored) + 1))
    database.close()
