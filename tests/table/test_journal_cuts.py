"""The power fails at thirty instants while a journal is written: what had been shown as final is there, in order,
once."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from table.journal import Entry, Journal
from table.journal_log import log_path
from tests.table.lossy_disk import Call, Recorder, after_a_cut, usable

pytestmark = pytest.mark.skipif(not usable(), reason="this Python's SQLite cannot be reached from outside")


def event(seq: int) -> Entry:
    return Entry("play", {"seat": "N", "cards": ["S3"] * (seq % 7)}, seq=seq, monotonic=seq / 4)


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> list[Call]:
    """Everything that reached the disk while 20 batches of one to three events were written and shown."""
    recorder, rng, seq = Recorder(), Random(2), 0
    with recorder.recording(), Journal(tmp_path_factory.mktemp("disk") / "a.journal") as journal:
        for _ in range(20):
            batch = [event(seq + n) for n in range(1, rng.randint(2, 4))]
            seq += len(batch)
            journal.append(batch).wait()
            recorder.shown(seq)
    return recorder.calls


def resumed(calls: list[Call], folder: Path, seed: int) -> tuple[int, list[Entry]]:
    folder.mkdir()
    shown = after_a_cut(calls, folder, Random(seed))
    with Journal(folder / "a.journal") as journal:
        return shown, journal.entries()


def test_thirty_power_cuts_lose_nothing_that_was_shown(calls: list[Call], tmp_path: Path) -> None:
    rng = Random(30)
    for k in range(30):
        cut = rng.randrange(len(calls) + 1)
        shown, found = resumed(calls[:cut], tmp_path / str(k), k)
        assert found == [event(seq) for seq in range(1, len(found) + 1)], (k, cut)
        ahead = next((call.at for call in calls[cut:] if call.what == "shown"), shown)
        assert len(found) in (shown, ahead), (k, cut)


def test_a_journal_that_did_not_wait_for_the_disk_would_be_caught(calls: list[Call], tmp_path: Path) -> None:
    lost = 0
    for k in range(10):
        careless = [call for call in calls if call.what != "sync"]
        shown, found = resumed(careless, tmp_path / str(k), k)
        lost += len(found) < shown
    assert lost > 5


def test_a_database_that_lost_its_syncs_gets_everything_back_from_the_log(calls: list[Call], tmp_path: Path) -> None:
    """A card that lies: what it said of the database is not there, the log is."""
    log = log_path(Path("a.journal")).name
    for k in range(5):
        lying = [call for call in calls if call.what != "sync" or call.name == log]
        shown, found = resumed(lying, tmp_path / str(k), k)
        assert len(found) == shown == calls[-1].at
