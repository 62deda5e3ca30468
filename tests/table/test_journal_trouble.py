"""What a journal survives: damage to either file, a full disk, one that cannot be written, a clock far in the past."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from table import journal_log
from table.journal import Entry, Journal, JournalRefused
from table.journal_log import log_path


def events(count: int, epoch: int = 1, first: int = 1) -> list[Entry]:
    return [
        Entry("play", {"seat": "西", "note": "x" * 150}, epoch=epoch, seq=seq, monotonic=seq / 8, wall=1e9 + seq)
        for seq in range(first, first + count)
    ]


def written(path: Path, entries: list[Entry], batch: int = 30) -> Path:
    with Journal(path) as journal:
        for at in range(0, len(entries), batch):
            journal.append(entries[at : at + batch]).wait()
    return path


def read(path: Path) -> list[Entry]:
    with Journal(path) as journal:
        return journal.entries()


# -- damage -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("harm", ["zeros", "head", "gone", "cut", "noise"])
def test_a_damaged_database_is_moved_aside_and_built_anew(harm: str, tmp_path: Path) -> None:
    whole = events(400)
    path = written(tmp_path / "a.journal", whole)
    body = bytearray(path.read_bytes())
    if harm == "zeros":
        body[8192:16384] = bytes(8192)
    elif harm == "head":
        body[:100] = b"?" * 100
    elif harm == "cut":
        del body[len(body) // 2 :]
    elif harm == "noise":
        for place in range(4096, len(body), 97):
            body[place] ^= 0x55
    path.write_bytes(body)
    if harm == "gone":
        path.unlink()
    with Journal(path) as journal:
        assert journal.entries() == whole
        assert journal.rebuilt == 400
        assert (journal.aside is None) == (harm == "gone")
        if journal.aside is not None:
            assert journal.aside.read_bytes() == bytes(body), "what was damaged is kept for whoever wants to look"
        journal.append(events(1, first=401)).wait()
    with Journal(path) as journal:
        assert len(journal.entries()) == 401 and journal.rebuilt is None


def test_a_damaged_log_is_written_anew_from_the_database(tmp_path: Path) -> None:
    whole, rng = events(60), Random(4)
    path = written(tmp_path / "a.journal", whole)
    log = log_path(path)
    body = bytearray(log.read_bytes())
    for _ in range(5):
        body[rng.randrange(len(body))] ^= 0x10
    log.write_bytes(body)
    assert len(journal_log.read(log)) < 60
    assert read(path) == whole and journal_log.read(log) == whole
    log.unlink()
    assert read(path) == whole and journal_log.read(log) == whole


def test_a_log_cut_off_anywhere_gives_its_whole_batches(tmp_path: Path) -> None:
    path = written(tmp_path / "a.journal", events(12), batch=3)
    log = log_path(path)
    body = log.read_bytes()
    for length in range(0, len(body), 41):
        log.write_bytes(body[:length])
        found = journal_log.read(log)
        assert len(found) % 3 == 0 and found == events(12)[: len(found)]
        assert journal_log.count(log) == len(found)


def test_both_damaged_gives_each_match_up_to_its_first_missing_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.journal", [*events(9), *events(9, epoch=2)], batch=3)
    log = log_path(path)
    lines = log.read_bytes().split(b"\n")
    lines[4] = lines[4].replace(b"x", b"y", 1)
    log.write_bytes(b"\n".join(lines))
    path.write_bytes(b"SQLite format 3\0" + bytes(4000))
    found = read(path)
    assert [(entry.epoch, entry.seq) for entry in found] == [
        *((1, n) for n in (1, 2, 3)),
        *((2, n) for n in range(1, 10)),
    ]


def test_a_damaged_database_without_a_log_is_refused_unless_the_table_must_go_on(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    path.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    with pytest.raises(JournalRefused, match=r"damaged.*move it aside"):
        Journal(path)
    with Journal(path, survive=True) as journal:
        assert journal.entries() == [] and journal.rebuilt == 0 and journal.aside is not None


def test_damage_while_it_is_open_is_healed_and_nothing_lost(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with Journal(path) as journal:
        journal.append(events(300)).wait()

        def harm(store) -> None:  # type: ignore[no-untyped-def]
            store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            store.db.execute("PRAGMA cache_size=0")
            body = bytearray(path.read_bytes())
            body[4096:] = b"\xa5" * (len(body) - 4096)
            path.write_bytes(body)
            store.db.execute("PRAGMA shrink_memory")

        journal._ask(harm)
        journal.append(events(1, first=301)).wait()
        assert [entry.seq for entry in journal.entries()] == list(range(1, 302))


# -- the disk ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 400 kB of its own."""
    place = tmp_path / "disk"
    place.mkdir()
    if os.geteuid() or subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "none", place], capture_output=True, check=False
    ).returncode:  # fmt: skip
        pytest.skip("no disk can be mounted here")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def test_a_full_disk_keeps_everything_in_order_until_there_is_room(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.journal.AGAIN", 0.01)
    path = small_disk / "a.journal"
    ballast = small_disk / "films"
    with Journal(path) as journal:
        journal.append(events(30)).wait()
        ballast.write_bytes(bytes(os.statvfs(small_disk).f_bavail * 4096))
        tickets = [journal.append(events(30, first=31 + 30 * n)) for n in range(10)]
        journal.epochs()  # a read goes on, and comes after what was asked before it
        assert journal.trouble == "full" and journal.unsaved and not tickets[-1].done
        ballast.unlink()
        for ticket in tickets:
            ticket.wait(20)
        assert journal.trouble is None and not journal.unsaved
    assert read(path) == events(330)


def test_the_reserve_is_let_go_before_a_full_disk_is_felt(small_disk: Path) -> None:
    path = small_disk / "a.journal"
    with Journal(path, reserve=64 << 10) as journal:
        assert path.with_name("a.journal.reserve").stat().st_size == 64 << 10
        journal.append(events(10)).wait()
        (small_disk / "films").write_bytes(bytes(os.statvfs(small_disk).f_bavail * 4096))
        for n in range(3):
            journal.append(events(5, first=11 + 5 * n)).wait(20)
        assert journal.trouble is None
    (small_disk / "films").unlink()
    assert read(path) == events(25)


def test_a_disk_that_became_read_only_is_played_on_and_caught_up(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.journal.AGAIN", 0.01)
    path = written(small_disk / "a.journal", events(30))

    def mounted(how: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{how}", small_disk], check=True)

    mounted("ro")
    with pytest.raises(JournalRefused, match="cannot be opened for writing"):
        Journal(path)
    with Journal(path, survive=True) as journal:
        assert journal.trouble == "readonly"
        assert journal.entries() == events(30), "the match goes on where it stood"
        ticket = journal.append(events(3, first=31))
        assert len(journal.entries()) == 33 and journal.trouble == "readonly" and not ticket.done
        mounted("rw")
        ticket.wait(20)
        assert journal.trouble is None
        journal.append(events(1, first=34)).wait(20)
    assert read(path) == events(34)


def test_a_disk_that_never_comes_back_is_said_to_whoever_waits(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", "utf-8")
    journal = Journal(tmp_path / "file" / "a.journal", survive=True)
    ticket = journal.append(events(3))
    assert journal.entries() == events(3) and journal.trouble
    journal.close()
    with pytest.raises(JournalRefused, match="closed before the disk took it"):
        ticket.wait(20)


def test_a_log_that_cannot_be_written_stops_nobody_and_catches_up(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with Journal(path) as journal:
        journal.append(events(3)).wait(20)
        full = os.open("/dev/full", os.O_WRONLY)
        journal._ask(lambda store: os.dup2(full, store._log._handle))
        os.close(full)
        journal.append(events(3, first=4)).wait(20)
        assert journal.trouble == "full"
    assert len(journal_log.read(log_path(path))) == 3
    assert read(path) == events(6) == journal_log.read(log_path(path))


# -- time and space ---------------------------------------------------------------------------------------------------


def test_a_clock_far_in_the_past_changes_no_order(tmp_path: Path) -> None:
    path = written(tmp_path / "a.journal", events(3))
    late = [Entry("pass", {}, epoch=1, seq=4, monotonic=0.5, wall=12.0), Entry("match", {}, epoch=2, seq=1, wall=3.0)]
    written(path, late)
    path.write_bytes(b"")  # damaged as well
    log = log_path(path)
    assert read(path) == [*events(3), *late] == journal_log.read(log)


def test_old_matches_are_let_go_and_the_last_ones_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    for epoch in range(1, 8):
        written(path, events(20, epoch))
    with Journal(path) as journal:
        before = log_path(path).stat().st_size
        assert journal.forget(3) == 80 and journal.epochs() == [5, 6, 7]
        assert journal.forget(3) == 0
        assert log_path(path).stat().st_size < before / 2
        journal.append(events(1, 7, 21)).wait()
    assert [entry.epoch for entry in journal_log.read(log_path(path))] == [5] * 20 + [6] * 20 + [7] * 21
    with Journal(path) as journal:
        assert journal.rebuilt is None and journal.epochs() == [5, 6, 7]
