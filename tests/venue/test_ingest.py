"""Many tables' requests in one transaction: each is answered as if it had come alone."""

import random
import threading

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from tests.venue.test_store import events, paired
from venue.protocol import Acknowledgement, Batch, SyncError
from venue.store import devices, ingest, log, schema, secrets
from venue.store.ingest import Sent, Taken
from venue.store.writer import Writer


def sent(device, token, batch=(), epoch="e", now=100.0, listening=True, **more):
    made = Batch(device=device.id, epoch=epoch, after=0, events=tuple(batch), **more)
    return Sent(secrets.hashed(token), made, now, listening)


def take(database, *requests):
    with database.writing() as connection:
        return ingest.take(connection, requests)


def stored(database, device):
    with database.reading() as connection:
        return [entry.seq for entry in log.after(connection, 0) if entry.device == device.id]


def test_requests_of_many_tables_are_stored_in_their_order_without_holes(database):
    tables = [paired(database, str(n)) for n in range(3)]
    with database.reading() as connection:
        before = log.last(connection)
    answers = take(database, *(sent(*table, events(1, n + 2, str(n))) for n, table in enumerate(tables)))
    assert [answer.acked for answer in answers] == [2, 3, 4] and answers[0].device.place == "0"
    with database.reading() as connection:
        new = log.after(connection, before)
    assert [entry.position for entry in new] == list(range(before + 1, before + 10))
    assert [entry.event["tag"] for entry in new] == ["0"] * 2 + ["1"] * 3 + ["2"] * 4


def test_a_device_that_speaks_twice_in_one_transaction_is_stored_once(database):
    device, token = paired(database)
    take(database, sent(device, token, events(1, 2)))
    answers = take(
        database,
        sent(device, token, events(2, 4)),
        sent(device, token, events(1, 5)),  # stored, waiting to be stored, and new
        sent(device, token, events(3, 3)),
        sent(device, token, events(1, 1), epoch="f"),
    )
    assert [answer.acked for answer in answers] == [4, 5, 5, 1]
    assert stored(database, device) == [1, 2, 3, 4, 5, 1]


def test_a_refused_request_leaves_no_trace_and_harms_no_other(database):
    (one, one_token), (two, two_token) = paired(database, "1"), paired(database, "2")
    take(database, sent(one, one_token, events(1, 3)))
    answers = take(
        database,
        sent(one, one_token, events(5, 6)),
        sent(one, one_token, [*events(2, 2, "other"), *events(3, 4)]),
        sent(one, "no such word", events(4, 4)),
        sent(one, two_token, events(4, 4)),
        sent(two, two_token, events(1, 1)),
        sent(one, one_token, events(4, 4)),
        sent(one, one_token, events(4, 4, "other")),  # against what waits to be stored
    )
    codes = [answer.code if isinstance(answer, SyncError) else answer.acked for answer in answers]
    assert codes == ["gap", "conflict", "unknown_device", "other_device", 1, 4, "conflict"]
    assert answers[0].facts == {"expected": 4} and answers[1].facts == {"seq": 2} and answers[6].facts == {"seq": 4}
    assert stored(database, one) == [1, 2, 3, 4] and stored(database, two) == [1]


def test_whose_token_it_is_each_transaction_asks_anew(database):
    device, token = paired(database)
    assert isinstance(take(database, sent(device, token, events(1, 1)))[0], Taken)
    other, other_token = paired(database)  # replaces it
    late, held = take(database, sent(device, token, events(2, 2)), sent(other, other_token, events(1, 1)))
    assert late.device.lease == "replaced" and held.device.lease == "held"
    with database.writing() as connection:
        devices.revoke(connection, device.id, 5, None)
    refused, held = take(database, sent(device, token, events(3, 3)), sent(other, other_token, events(2, 2)))
    assert refused.code == "unknown_device" and held.acked == 2 and stored(database, device) == [1, 2]
    with database.reading() as connection:
        assert [entry.late for entry in log.after(connection, 0) if entry.device == device.id] == [False, True]


def test_directives_are_told_to_their_table_alone_and_answers_end_them(database):
    tables = [paired(database, str(n)) for n in range(2)]
    with database.writing() as connection:
        told = devices.direct(connection, "1", "blink", {}, 1.0, None).position
    quiet, answer = take(database, *(sent(*table) for table in tables))
    assert not quiet.told and [each.id for each in answer.told] == [told]
    assert not take(database, sent(*tables[1], listening=False))[0].told
    assert [each.id for each in take(database, sent(*tables[1], cursor=10**6))[0].told] == [told]  # from another log
    done = Acknowledgement(id=told, state="done")
    assert not take(database, sent(*tables[1], acks=(done,)))[0].told
    with database.reading() as connection:
        assert connection.execute(sa.select(schema.directives.c.state)).scalar_one() == "done"


def test_how_a_device_fares_is_kept_now_and_then(database):
    device, token = paired(database)
    for now, kept in ((100.0, 100.0), (103.0, 100.0), (105.0, 105.0)):
        take(database, sent(device, token, now=now, status={"unsent": now}))
        with database.reading() as connection:
            found = devices.by_id(connection, device.id)
        assert (found.seen, found.status["unsent"]) == (kept, kept)


@pytest.mark.parametrize("breaks", [False, True])
def test_any_mixture_of_requests_comes_to_what_they_come_to_one_by_one(database, monkeypatch, breaks):
    """In groups as chance has it, and when the disk refuses every group of more than one: nothing lost or doubled."""
    rng, tables = random.Random(7), [paired(database, str(n)) for n in range(4)]
    whole = ingest.take

    def refuse(connection, requests):
        found = whole(connection, requests)
        if len(requests) > 1:
            connection.execute(sa.text("INSERT INTO counters (name, value) VALUES ('position', 0)"))
        return found

    if breaks:
        monkeypatch.setattr(ingest, "take", refuse)
    writer, acked = Writer(database), [0] * 4
    while min(acked) < 12:
        group, begun, gate = [], threading.Event(), threading.Event()

        def hold(_, begun=begun, gate=gate):
            begun.set()
            gate.wait(30)

        held = writer.submit(hold)
        assert begun.wait(30)
        for _ in range(rng.randint(1, 6)):
            n = rng.randrange(4)
            first = max(1, acked[n] + rng.randint(-2, 2))
            group.append((n, writer.submit(sent(*tables[n], events(first, first + rng.randint(0, 3))))))
        gate.set()
        held.result(30)
        for n, future in group:
            try:
                acked[n] = future.result(30).result.acked
            except SyncError as error:
                assert error.code == "gap" and error.facts["expected"] - 1 >= acked[n]
    writer.close()
    for n, (device, _) in enumerate(tables):
        assert stored(database, device) == list(range(1, acked[n] + 1))
    with database.reading() as connection:
        positions = [entry.position for entry in log.after(connection, 0)]
    assert positions == list(range(1, len(positions) + 1))


def test_a_writer_whose_database_is_gone_says_so_to_everybody(database, monkeypatch):
    device, token = paired(database)
    writer = Writer(database)
    with database.writing() as connection:
        connection.execute(sa.text("DROP TABLE devices"))
    with pytest.raises(SQLAlchemyError):
        writer.submit(sent(device, token, events(1, 1))).result(30)
    writer.close()
