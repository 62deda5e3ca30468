"""What the journal said is on disk is there after any death; what is no journal is refused in one sentence."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from table.journal import Entry, Journal, JournalRefused

ROOT = Path(__file__).resolve().parents[2]

WRITER = """
import sys
from table.journal import Entry, Journal
journal = Journal(sys.argv[1])
start = len(journal.entries())
for batch in range(100000):
    first = start + batch * 3 + 1
    entries = [Entry("play", {"seat": "N", "cards": ["S3"] * n}, seq=first + n) for n in range(3)]
    journal.append(entries).wait()
    print(first + 2, flush=True)
"""


def test_reads_back_in_order_what_it_wrote(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.journal") as journal:
        for seq in (1, 2, 3):
            journal.append([Entry("pass", {"seat": "西"}, seq=seq, monotonic=seq / 2, evidence={"ms": 4.5})]).wait()
    with Journal(tmp_path / "a.journal") as journal:
        found = journal.entries()
    assert [entry.seq for entry in found] == [1, 2, 3]
    assert found[1] == Entry("pass", {"seat": "西"}, seq=2, monotonic=1.0, evidence={"ms": 4.5})


def test_a_batch_is_all_or_nothing(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.journal") as journal:
        journal.append([Entry("match", {}, seq=1)]).wait()
        ticket = journal.append([Entry("pass", {}, seq=2), Entry("pass", {}, seq=1)])
        with pytest.raises(JournalRefused):
            ticket.wait()
        good, bad = journal.append([Entry("pass", {}, seq=3)]), journal.append([Entry("pass", {}, seq=3)])
        good.wait()
        with pytest.raises(JournalRefused):
            bad.wait()
        assert [entry.seq for entry in journal.entries()] == [1, 3]


def test_epochs_tell_matches_apart(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.journal") as journal:
        journal.append([Entry("match", {"ruleset": "national"}, epoch=epoch, seq=1) for epoch in (1, 2)]).wait()
        assert journal.epochs() == [1, 2]
        assert [entry.epoch for entry in journal.entries(2)] == [2]


def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path) -> None:
    path, rng, told = tmp_path / "a.journal", random.Random(5), 0
    for _ in range(6):
        child = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        for _line in range(rng.randint(1, 80)):
            told = int(child.stdout.readline())
        child.send_signal(signal.SIGKILL)
        rest = child.stdout.read().split()
        told = int(rest[-1]) if rest else told
        child.wait()
        with Journal(path) as journal:
            numbers = [entry.seq for entry in journal.entries()]
        assert numbers == list(range(1, len(numbers) + 1)), "no gap, no half batch"
        assert len(numbers) >= told and len(numbers) % 3 == 0


def test_a_damaged_file_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    path.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    with pytest.raises(JournalRefused, match=r"damaged.*move it aside"):
        Journal(path)


def test_other_programs_files_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE mine (x)")
    db.commit()
    db.close()
    with pytest.raises(JournalRefused, match="another program"):
        Journal(path)


def test_two_programs_cannot_write_one_journal(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.journal"), pytest.raises(JournalRefused, match="in use"):
        Journal(tmp_path / "a.journal")
