"""What was said of a file and not heard is taken back, on either engine; and the files' own folder."""

import os

import pytest

from venue.hall.handouts import Handouts as Fold
from venue.sentences import Impossible
from venue.store import devices, handouts, log
from venue.store.handouts import DECK, RELEASE, Handouts

ONE, TWO = "a" * 64, "b" * 64


def deck(name):
    return {"sha256": name, "size": 5, "name": "x"}


def test_only_what_nobody_has_heard_of_that_file_and_those_tables_is_taken_back(database, clock):
    with database.writing() as connection:
        for place in "123":
            devices.add_place(connection, place, "A", clock(), None)
        told = {
            (place, name): devices.direct(connection, place, "deck_profile", deck(name), clock(), None).position
            for place in "123" for name in (ONE, TWO)
        }  # fmt: skip
        devices.direct(connection, "1", "message", {"text": ONE}, clock(), None)
        devices.sent(connection, [told["3", ONE]], clock())
        handouts.withdraw(connection, DECK, clock(), name=ONE)
        handouts.withdraw(connection, DECK, clock(), places=["2"])
        handouts.withdraw(connection, RELEASE, clock(), places=["1", "2", "3"])
    fold = Fold()
    with database.reading() as connection:
        left = {place: [each.data for each in devices.pending(connection, place, 0)] for place in "123"}
        for entry in log.after(connection, 0):
            fold.take(entry)
    assert left == {"1": [deck(TWO), {"text": ONE}], "2": [], "3": [deck(ONE), deck(TWO)]}
    assert {place: each.state for place, each in fold.told[DECK].items()} == {
        "1": "queued", "2": "withdrawn", "3": "queued",
    }  # fmt: skip


def test_a_file_grows_only_at_its_end_and_counts_only_whole(tmp_path):
    store = Handouts(tmp_path / "files")
    part = store.part("0123456789ab")
    assert store.have(part) == 0 and store.put(part, 5, b"late") == 0 and not part.exists()
    assert store.put(part, 0, b"hello") == 5 and store.put(part, 9, b"x") == 5
    assert store.put(part, 3, b"p") == 4  # its sender goes back: what stood behind is of another try
    assert store.put(part, 0, b"hello") == 5
    with pytest.raises(Impossible):
        store.keep(part, ONE)
    assert not part.exists()
    store.put(part, 0, b"hello")
    name, size = store.keep(part)
    assert size == 5 and store.path(name).read_bytes() == b"hello" and not part.exists()
    assert store.read(name, 0) == b"hello" and store.read(name, 5) == b""
    store.remove(name)
    with pytest.raises(OSError):
        store.read(name, 0)
    for number in range(handouts.MOST_PARTS):
        store.put(store.part(f"{number:08x}"), 0, b"x")
    with pytest.raises(Impossible):
        store.put(store.part("f" * 8), 0, b"x")
    assert store.put(store.part(f"{0:08x}"), 1, b"y") == 2  # one that is coming goes on
    os.utime(store.part(f"{1:08x}"), (1, 1))
    assert store.put(store.part("f" * 8), 0, b"x") == 1 and not store.part(f"{1:08x}").exists()
    for wrong in ("..", "/etc/passwd", "A" * 64, ""):
        with pytest.raises(Impossible):
            store.path(wrong)
        with pytest.raises(Impossible):
            store.part(wrong)
