"""The store: append-only and idempotent, pairing once, one voice a table, late events flagged, people by invitation."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from engine.errors import Impossible, Unreadable
from venue.protocol import Acknowledgement, SyncError, SyncEvent
from venue.store import Database, devices, log, migrations, people, schema
from venue.store.writer import Writer


def events(first, last, tag=""):
    return [SyncEvent(seq=n, event={"do": "pass", "n": n, "tag": tag}) for n in range(first, last + 1)]


def append(database, batch, device="d", epoch="e", late=False):
    with database.writing() as connection:
        return log.append(connection, device, epoch, batch, "1", 100.0, late)


def positions(database):
    with database.reading() as connection:
        return [entry.position for entry in log.after(connection, 0)]


def paired(database, place="1", now=0.0, name="Pi"):
    with database.writing() as connection:
        devices.add_place(connection, place, "A", now, None)
        code, _ = devices.new_code(connection, place, now, None)
        device, token, _ = devices.pair(connection, code, name, now)
    return device, token


def test_migrations_make_exactly_what_the_schema_names(database):
    with database.reading() as connection:
        found = sa.MetaData()
        found.reflect(connection)
    assert set(found.tables) == set(schema.metadata.tables) | {"migrations"}
    for name, table in schema.metadata.tables.items():
        assert {c.name: c.nullable for c in found.tables[name].columns if not c.primary_key} == {
            c.name: c.nullable for c in table.columns if not c.primary_key
        }


def test_opening_twice_migrates_once_and_a_newer_database_is_refused(address):
    Database(address).close()
    database = Database(address)
    with database.writing() as connection:
        connection.execute(sa.text("INSERT INTO migrations VALUES (:n)"), {"n": len(migrations.STEPS) + 1})
    database.close()
    with pytest.raises(Impossible, match="newer program"):
        Database(address)


def test_an_address_that_is_none_is_refused(tmp_path):
    for bad in ("mysql://x", str(tmp_path / "nowhere" / "venue.db")):
        with pytest.raises(Unreadable):
            Database(bad)
    with pytest.raises(Impossible, match="cannot be opened"):
        Database(str(tmp_path))


def test_a_repeat_is_acknowledged_and_stored_once(database):
    assert append(database, events(1, 3))[1] == 3
    fresh, acked = append(database, events(2, 5))
    assert acked == 5 and [entry.seq for entry in fresh] == [4, 5]
    assert append(database, events(1, 2)) == ((), 5)
    assert append(database, []) == ((), 5)
    assert positions(database) == [1, 2, 3, 4, 5]


def test_a_gap_is_refused_with_what_is_expected_and_nothing_is_stored(database):
    append(database, events(1, 3))
    with pytest.raises(SyncError) as refusal:
        append(database, events(6, 8))
    assert refusal.value.code == "gap" and refusal.value.facts == {"expected": 4}
    assert positions(database) == [1, 2, 3]


def test_the_same_name_with_other_content_is_refused_whole(database):
    append(database, events(1, 3))
    with pytest.raises(SyncError) as refusal:
        append(database, events(3, 3, "forged") + events(4, 4))
    assert refusal.value.code == "conflict" and refusal.value.facts == {"seq": 3}
    assert positions(database) == [1, 2, 3]


def test_a_new_epoch_begins_at_one(database):
    append(database, events(1, 3))
    assert append(database, events(1, 2), epoch="f")[1] == 2
    assert len(positions(database)) == 5


def test_positions_have_no_holes_when_an_append_fails(database):
    append(database, events(1, 2))
    with pytest.raises(ZeroDivisionError), database.writing() as connection:
        log.append(connection, "d", "e", events(3, 9), "1", 1.0, False)
        raise ZeroDivisionError
    append(database, events(3, 3))
    with database.writing() as connection:
        log.note(connection, "message", {"text": "x"}, now=1.0)
    assert positions(database) == [1, 2, 3, 4]


def test_many_devices_and_repeats_at_once_lose_and_double_nothing(database):
    batches = [(f"d{n}", events(first, first + 4)) for n in range(6) for first in (1, 6, 11)]
    sent = batches * 2
    random.Random(5).shuffle(sent)
    lock, waiting = threading.Lock(), list(sent)

    def work(_):
        while True:
            with lock:
                if not waiting:
                    return
                device, batch = waiting.pop()
            try:
                append(database, batch, device)
            except (SyncError, IntegrityError):  # a gap: its turn comes later
                with lock:
                    waiting.insert(0, (device, batch))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    with database.reading() as connection:
        got = log.after(connection, 0)
    assert [entry.position for entry in got] == list(range(1, 91))
    for n in range(6):
        assert [entry.seq for entry in got if entry.device == f"d{n}"] == list(range(1, 16))


def test_a_pairing_code_works_once_and_for_five_minutes(database):
    with database.writing() as connection:
        devices.add_place(connection, "1", "A", 0, None)
        code, held = devices.new_code(connection, "1", 0, None)
        assert held is None and code.isdecimal() and len(code) == 8
        device, token, _ = devices.pair(connection, code, "Pi", 299)
        assert devices.by_token(connection, token) == device and device.lease == "held"
        for again in (code, "00000000", ""):
            with pytest.raises(SyncError):
                devices.pair(connection, again, "thief", 300)
        code, held = devices.new_code(connection, "1", 0, None)
        assert held is not None and held.id == device.id
        with pytest.raises(SyncError):
            devices.pair(connection, code, "late", 301)
        old, _ = devices.new_code(connection, "1", 0, None)
        new, _ = devices.new_code(connection, "1", 0, None)
        with pytest.raises(SyncError):
            devices.pair(connection, old, "two codes at once", 1)
        devices.pair(connection, new, "Pi 2", 1)
        with pytest.raises(Impossible):
            devices.new_code(connection, "99", 0, None)


def test_digits_that_were_drawn_before_are_drawn_again(database, monkeypatch):
    draws = iter(["11111111", "11111111", "22222222"])
    monkeypatch.setattr("venue.store.secrets.digits", lambda: next(draws))
    with database.writing() as connection:
        for place in ("1", "2"):
            devices.add_place(connection, place, "A", 0, None)
        first, _ = devices.new_code(connection, "1", 0, None)
        other, _ = devices.new_code(connection, "2", 0, None)
        assert (first, other) == ("11111111", "22222222")
        assert devices.pair(connection, first, "Pi", 1)[0].place == "1"


def test_no_word_that_opens_a_door_is_in_the_database(database):
    _, token = paired(database)
    with database.writing() as connection:
        link = people.invite(connection, "chief", "", [], 0)
        _, word = people.accept(connection, link, "甲", 1)
        code, _ = devices.new_code(connection, "1", 0, None)
        rows = [
            str(tuple(row)) for table in schema.metadata.tables.values() for row in connection.execute(sa.select(table))
        ]
    assert len(rows) > 5
    for secret in (token, link, word, code):
        assert not any(secret in row for row in rows)


def test_a_replaced_device_keeps_its_late_voice_and_a_revoked_one_has_none(database):
    old, old_token = paired(database)
    _, new_token = paired(database)
    with database.writing() as connection:
        assert devices.by_token(connection, old_token).lease == "replaced"
        assert devices.by_token(connection, new_token).lease == "held"
        devices.revoke(connection, old.id, 5, None)
        assert devices.by_token(connection, old_token) is None
        assert devices.by_token(connection, new_token) is not None
        kinds = [entry.kind for entry in log.after(connection, 0)]
    assert kinds.count("device_replaced") == 1 and kinds.count("device_paired") == 2


def test_late_lines_are_kept_and_left_out_of_the_record(database):
    line = [SyncEvent(seq=1, event={"do": "match"}, match="m", line=1)]
    append(database, line, "old", late=True)
    append(database, line, "new")
    with database.reading() as connection:
        assert [entry.device for entry in log.of_match(connection, "m")] == ["new"]
        assert [entry.late for entry in log.after(connection, 0)] == [True, False]


def test_directives_wait_until_they_are_answered(database):
    paired(database)
    with database.writing() as connection:
        first = devices.direct(connection, "1", "blink", {}, 1, None).position
        second = devices.direct(connection, "1", "message", {"text": "开赛"}, 1, None).position
        devices.direct(connection, "2", "blink", {}, 1, None)
        assert [told.id for told in devices.pending(connection, "1", 0)] == [first, second]
        devices.sent(connection, [first, second], 2)
        assert [told.id for told in devices.pending(connection, "1", first)] == [second]
        done = Acknowledgement(id=first, state="done")
        assert len(devices.answered(connection, "1", [done, done], 3)) == 1
        assert devices.answered(connection, "1", [done, Acknowledgement(id=999, state="done")], 4) == []
        assert devices.answered(connection, "2", [Acknowledgement(id=second, state="refused")], 4) == []
        assert [told.id for told in devices.pending(connection, "1", 0)] == [second]
        with pytest.raises(SyncError):
            devices.direct(connection, "1", "ruling", {"match": "m"}, 1, None)


def test_an_invitation_opens_once_and_a_spectators_for_many(database):
    with database.writing() as connection:
        assert not people.anybody(connection, "chief")
        link = people.invite(connection, "referee", "", ["A"], 0)
        person, word = people.accept(connection, link, "裁判甲", 1)
        assert people.accept(connection, link, "thief", 2) is None
        assert people.by_session(connection, word, 3) == person
        assert person.sees("A") and not person.sees("B") and person.role == "referee"
        assert people.by_session(connection, word, 1 + people.SESSION_LIVES) is None
        assert people.by_session(connection, "x", 3) is None
        code = people.invite(connection, "spectator", "", [], 0, many=True)
        assert people.accept(connection, code, None, 1) and people.accept(connection, code, None, 2)
        assert people.accept(connection, code, None, people.INVITATION_LIVES + 1) is None
        people.leave(connection, word, 4)
        assert people.by_session(connection, word, 5) is None
        for role, many in (("king", False), ("chief", True)):
            with pytest.raises(Impossible):
                people.invite(connection, role, "", [], 0, many=many)


def test_revoking_a_person_ends_every_session(database):
    with database.writing() as connection:
        person, word = people.accept(connection, people.invite(connection, "chief", "甲", [], 0), None, 1)
        assert person.name == "甲" and people.anybody(connection, "chief")
        people.revoke(connection, person.id, 2)
        assert people.by_session(connection, word, 3) is None and not people.anybody(connection, "chief")


def test_a_running_database_is_copied_whole(tmp_path):
    database = Database(str(tmp_path / "venue.db"))
    append(database, events(1, 50))
    database.backup(tmp_path / "copy.db")
    copy = Database(str(tmp_path / "copy.db"))
    assert positions(copy) == list(range(1, 51))


def note(kind):
    return lambda connection: log.note(connection, kind, {}, now=1.0)


def refused(connection):
    log.note(connection, "never", {}, now=1.0)
    raise Impossible("no")


@pytest.fixture
def together(database):
    """``together(works)``: their futures, after all of them waited for the same turn."""
    writer = Writer(database)

    def run(*works, meanwhile=lambda: None):
        gate, begun = threading.Event(), threading.Event()

        def slow(connection):
            begun.set()
            gate.wait(10)

        writer.submit(slow)
        assert begun.wait(10)
        futures = [writer.submit(work) for work in works]
        meanwhile()
        gate.set()
        for future in futures:
            future.exception(10)
        return futures

    yield run
    writer.close()


def test_works_that_wait_together_share_a_transaction(database, together):
    for future in together(note("a"), note("b"), note("c")):
        written = future.result()
        assert [entry.kind for entry in written.entries] == ["a", "b", "c"] and written.last == 3
    with database.reading() as connection:
        assert [(entry.position, entry.kind) for entry in log.after(connection, 0)] == [(1, "a"), (2, "b"), (3, "c")]


def test_one_of_a_group_that_is_refused_leaves_no_trace_and_harms_no_other(database, together):
    one, two, three = together(note("a"), refused, note("b"))
    assert isinstance(two.exception(), Impossible)
    assert (one.result().last, three.result().last) == (1, 2)
    with database.reading() as connection:
        assert [entry.kind for entry in log.after(connection, 0)] == ["a", "b"]


def test_a_group_that_the_disk_refuses_is_refused_as_a_whole(database, together, monkeypatch):
    def breaks():
        monkeypatch.setattr(log, "begin_group", lambda connection: 1 / 0)

    lost = together(note("lost"), note("lost"), meanwhile=breaks)
    assert all(isinstance(future.exception(), ZeroDivisionError) for future in lost)
    monkeypatch.undo()
    assert together(note("kept"))[0].result().last == 1


def test_no_other_user_of_the_machine_reads_the_database(tmp_path):
    path, copy = tmp_path / "venue.db", tmp_path / "copy.db"
    database = Database(str(path))
    database.backup(copy)
    made = [*tmp_path.glob("venue.db*"), copy]
    assert len(made) >= 3 and not any(each.stat().st_mode & 0o077 for each in made)
    database.close()
    path.chmod(0o640)  # whoever opened it to a group meant it
    Database(str(path)).close()
    assert path.stat().st_mode & 0o777 == 0o640
