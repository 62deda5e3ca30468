"""The real table and the files that the venue hands it: fetched over a line that breaks, checked, kept, used once a
deal is over, answered; and a deck that was learned here goes up by itself."""

import errno
import hashlib
import threading

import numpy as np
import pytest

from engine.cards import DECK
from table.next_eye import NextEye
from table.sync_decks import Decks
from table.sync_errands import Errands, in_words
from table.sync_pairing import pair
from tests.venue.releases import bring, deck, listed
from tests.venue.test_table_link import Bench
from venue.store import devices
from vision.errors import CannotSee
from vision.profiles import Crop, DeckProfile


@pytest.fixture
def address(tmp_path):
    return str(tmp_path / "venue.db")


class Reads:
    """A table's camera side: an eye is a word, the deck that it reads with."""

    def __init__(self, path, fixed=False):
        self.next_eye, self.eyes = NextEye(), []
        self.decks = Decks(path, self.eye_of, self.next_eye.hand, fixed)

    @staticmethod
    def eye_of(file):
        name = "common" if file is None else DeckProfile.load(file).name
        return lambda: name

    def look(self, phase):
        if (eye_of := self.next_eye.due(phase)) is not None:
            self.eyes.append(eye_of())


def profile(name, seed=0):
    rng = np.random.default_rng(seed)
    return DeckProfile(name, tuple(Crop(card, rng.integers(0, 255, (84, 60, 3), np.uint8)) for card in DECK[:9]))


@pytest.fixture
def saved(tmp_path):
    def save(name, seed=0):
        return profile(name, seed).save(tmp_path / f"{name}.deck").read_bytes()

    return save


@pytest.fixture
def reading(app, database, clock, tmp_path):
    """A table at place 7 with a camera side; ``start("one")`` again is the same table after a restart."""
    pairings, benches = {}, []

    def code(place):
        with database.writing() as connection:
            devices.add_place(connection, place, "A", clock(), None)
            return devices.new_code(connection, place, clock(), None)[0]

    def start(name="one", place="7", fixed=False):
        (tmp_path / name).mkdir(exist_ok=True)
        table = Bench(tmp_path / name)
        benches.append(table)
        table.reads = Reads(tmp_path / name / "venue.deck", fixed)
        table.link.errands = Errands([table.reads.decks])
        if name not in pairings:
            pairings[name] = pair(app.state.url, code(place), "Pi")[0]
        table.link.join(pairings[name])
        return table

    yield start
    for each in benches:
        each.close()


def state(desk, kind="deck", place="7"):
    return listed(desk)["told"][kind].get(place, {}).get("state")


def why(desk, kind="deck", place="7"):
    return listed(desk)["told"][kind][place]["why"]


def test_a_profile_is_read_with_from_the_next_deal_on_and_never_before(app, reading, enter, saved, tmp_path):
    table, desk = reading(), enter("desk")
    content = saved("馆牌")
    name = bring(desk, "deck", content).json()["file"]["sha256"]
    desk.post(f"/v1/decks/{name}/hand", {"places": ["7"]})
    table.until(lambda: state(desk) == "shown")
    kept = tmp_path / "one" / "venue.deck"
    for _ in range(3):
        table.reads.look("deal")
    assert not table.reads.eyes and not kept.exists()
    table.reads.look("between")
    assert table.reads.eyes == ["馆牌"]
    table.until(lambda: state(desk) == "done")
    assert kept.read_bytes() == content and not list((tmp_path / "one" / "handed").glob("*"))
    table.until(lambda: app.state.venue.seen["7"]["status"].get("deck") == name)
    desk.post("/v1/decks/none/hand", {"places": ["7"]})
    table.until(lambda: state(desk) == "shown")
    table.reads.look("before")
    table.until(lambda: state(desk) == "done")
    assert table.reads.eyes == ["馆牌", "common"] and not kept.exists()


def test_a_table_that_is_cut_off_in_a_deal_goes_on_where_it_was(reading, enter, saved, tmp_path):
    table, desk = reading(), enter("desk")
    content = saved("house")
    name = bring(desk, "deck", content).json()["file"]["sha256"]
    desk.post(f"/v1/decks/{name}/hand", {"places": ["7"]})
    table.until(lambda: state(desk) == "shown")
    table.close()  # the power goes: fetched, looked at, and the deal is not over
    assert not (tmp_path / "one" / "venue.deck").exists()
    again = reading()
    again.reads.look("deal")
    again.until(lambda: again.reads.next_eye._waiting is not None)
    again.reads.look("deal")
    assert not again.reads.eyes
    again.reads.look("between")
    again.until(lambda: state(desk) == "done")
    assert (tmp_path / "one" / "venue.deck").read_bytes() == content
    again.close()
    third = reading()
    desk.post(f"/v1/decks/{name}/hand", {"places": ["7"]})  # it reads with it already
    third.until(lambda: state(desk) == "done")
    assert not third.reads.eyes


class Cut:
    """A line that breaks after each piece, and whose pieces are small."""

    def __init__(self, line, breaks):
        self.line, self.breaks, self.asked = line, breaks, []

    def get(self, path, token, seconds):
        self.asked.append(path)
        if self.breaks and len(self.asked) % 2:
            self.breaks.pop()
            raise OSError("the line broke")
        return self.line.get(path, token, seconds)

    def __getattr__(self, name):
        return getattr(self.line, name)


def test_a_download_over_a_line_that_breaks_goes_on(reading, enter, saved, app, monkeypatch):
    monkeypatch.setattr("venue.store.handouts.FETCHED", 20_000)
    table, desk = reading(), enter("desk")
    table.link._lines[0] = cut = Cut(table.link._lines[0], list(range(4)))
    content = saved("house")
    assert len(content) > 5 * 20_000
    name = bring(desk, "deck", content).json()["file"]["sha256"]
    monkeypatch.setattr("table.sync.LOOKS", 0.05)
    desk.post(f"/v1/decks/{name}/hand", {"places": ["7"]})
    table.until(lambda: state(desk) == "shown")
    offsets = [int(path.rpartition("=")[2]) for path in cut.asked]
    assert offsets == sorted(offsets) and len(set(offsets)) == -(-len(content) // 20_000) and not cut.breaks


def test_nonsense_is_refused_with_the_reason_and_nothing_of_it_stays(reading, enter, tmp_path):
    table, desk = reading(), enter("desk")
    name = bring(desk, "deck", deck()).json()["file"]["sha256"]  # the venue takes it for one; an eye cannot
    desk.post(f"/v1/decks/{name}/hand", {"places": ["7"]})
    table.until(lambda: state(desk) == "refused")
    assert why(desk).startswith("house") and "损坏" in why(desk)
    assert not list((tmp_path / "one" / "handed").glob("*")) and not (tmp_path / "one" / "venue.deck").exists()
    assert table.link.side.state == "online"


def test_other_bytes_than_the_hash_says_are_refused(reading, enter, saved, app):
    table, desk = reading(), enter("desk")
    name = bring(desk, "deck", saved("house")).json()["file"]["sha256"]
    file = app.state.venue.files.path(name)
    file.write_bytes(bytes(file.stat().st_size))  # somebody on the way, or a disk that fails
    desk.post(f"/v1/decks/{name}/hand", {"places": ["7"]})
    table.until(lambda: state(desk) == "refused")
    assert "不符" in why(desk)


def test_a_full_disk_refuses_and_the_game_goes_on(reading, enter, saved, tmp_path, monkeypatch):
    table, desk = reading(), enter("desk")
    name = bring(desk, "deck", saved("house")).json()["file"]["sha256"]
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr("table.sync_fetch.os.fsync", lambda _: (_ for _ in ()).throw(full))
    desk.post(f"/v1/decks/{name}/hand", {"places": ["7"]})
    table.until(lambda: state(desk) == "refused")
    assert "磁盘" in why(desk) and table.link.side.state == "online"
    monkeypatch.undo()
    desk.post(f"/v1/decks/{name}/hand", {"places": ["7"]})
    table.until(lambda: state(desk) == "shown")


def test_a_table_that_was_told_its_deck_at_the_start_keeps_it(reading, enter, saved):
    table, desk = reading(fixed=True), enter("desk")
    name = bring(desk, "deck", saved("house")).json()["file"]["sha256"]
    desk.post(f"/v1/decks/{name}/hand", {"places": ["7"]})
    table.until(lambda: state(desk) == "refused")
    assert "--deck-profile" in why(desk)


def test_what_was_learned_here_goes_up_and_the_other_tables_can_have_it(reading, enter, tmp_path):
    one, desk = reading(), enter("desk")
    other = reading("two", "8")
    path = profile("学会的").save(tmp_path / "one" / "venue.deck")
    one.reads.decks.learned()
    one.link._wake.set()
    one.until(lambda: listed(desk)["decks"])
    (file,) = listed(desk)["decks"]
    assert (file["place"], file["name"]) == ("7", "学会的")
    assert file["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    desk.post(f"/v1/decks/{file['sha256']}/hand")
    other.until(lambda: state(desk, place="8") == "shown")
    other.reads.look("before")
    other.until(lambda: state(desk, place="8") == "done" and state(desk) == "done")
    assert other.reads.eyes == ["学会的"] and not one.reads.eyes
    one.close()
    again = reading()  # known: it is not sent twice
    again.sent()
    assert len(listed(desk)["decks"]) == 1


def test_a_later_word_replaces_one_that_waits_for_the_deal(reading, enter, saved):
    table, desk = reading(), enter("desk")
    names = [bring(desk, "deck", saved(each, n), f"{n}" * 16).json()["file"]["sha256"] for n, each in enumerate("ab")]
    desk.post(f"/v1/decks/{names[0]}/hand", {"places": ["7"]})
    table.until(lambda: state(desk) == "shown")
    desk.post(f"/v1/decks/{names[1]}/hand", {"places": ["7"]})
    table.until(lambda: listed(desk)["told"]["deck"]["7"]["sha256"] == names[1] and state(desk) == "shown")
    table.reads.look("between")
    table.until(lambda: state(desk) == "done")
    assert table.reads.eyes == ["b"]


def test_the_eye_that_waits_is_taken_once_and_by_whoever_looks():
    waiting, taken = NextEye(), threading.Event()
    assert waiting.due("between") is None
    waiting.hand(lambda: "one", lambda: pytest.fail("replaced before its turn"))
    waiting.hand(lambda: "two", taken.set)
    assert waiting.due("deal") is None and not taken.is_set()
    assert waiting.due("over")() == "two" and taken.is_set() and waiting.due("over") is None


def test_what_the_table_refuses_is_in_words_of_both_languages():
    error = CannotSee("profile_damaged", file="house")
    assert in_words(error, "zh").startswith("house：") and in_words(error, "en").startswith("house: ")
    assert in_words(None, "zh") is None


def test_a_spare_that_takes_a_deal_over_reads_with_its_deck_at_once_and_only_the_first_time():
    waiting = NextEye()
    waiting.at_once = True
    assert waiting.due("deal") is None
    waiting.hand(lambda: "one", lambda: None)
    assert waiting.due("deal")() == "one"
    waiting.hand(lambda: "two", lambda: None)
    assert waiting.due("deal") is None and waiting.due("between")() == "two"
