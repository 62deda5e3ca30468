"""A release from the organiser's file to the table that runs it: the real venue, the real table, the real root program
in a tree of its own; told at each step, held back by an event, cut off, refused, gone back from."""

import subprocess
import sys
import threading

import pytest

from table.sync_errands import Errands
from table.sync_pairing import pair
from table.sync_release import Release
from tests.hardware.test_take_release import RELEASE, TAKE, Machine
from tests.venue.releases import PLATFORM, bring, listed, new_key
from tests.venue.test_handouts import begin_event, hand
from tests.venue.test_table_link import Bench
from venue.store import devices


@pytest.fixture
def address(tmp_path):
    return str(tmp_path / "venue.db")


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    return new_key(folder), new_key(folder, "other")


class Unit:
    """``guandan-release.path``: whenever an ask lies there, the root program is run."""

    def __init__(self, machine):
        self.machine, self.stopped, self.off = machine, threading.Event(), False
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        while not self.stopped.wait(0.02):
            if not self.off and (self.machine.inbox / "ask.json").exists():
                words = [sys.executable, "-I", TAKE, "--root", self.machine.root]
                subprocess.run(words, check=True, capture_output=True)


@pytest.fixture
def tables(app, database, clock, tmp_path, keys, monkeypatch):
    """``start("7")``: the appliance at that place; again: after a restart. Each has its tree and its root unit."""
    monkeypatch.setattr("table.sync.LOOKS", 0.05)
    machines, pairings, units, benches = {}, {}, [], []

    def start(place):
        folder = tmp_path / f"table-{place}"
        if place not in machines:
            machines[place] = Machine(folder / "root", keys)
            units.append(Unit(machines[place]))
            with database.writing() as connection:
                devices.add_place(connection, place, "A", clock(), None)
                code = devices.new_code(connection, place, clock(), None)[0]
            pairings[place] = pair(app.state.url, code, "Pi")[0]
        table = Bench(folder)
        benches.append(table)
        table.machine, table.busy, table.unit = machines[place], False, units[list(machines).index(place)]
        table.release = Release(machines[place].inbox, lambda: not table.busy, machines[place].root)
        table.link.errands = Errands([table.release])
        table.link.join(pairings[place])
        return table

    yield start
    for each in units:
        each.stopped.set()
    for each in benches:
        each.close()


@pytest.fixture
def file(tmp_path, keys):
    (tmp_path / "made").mkdir()
    return Machine(tmp_path / "made" / "root", keys).release


def state(chief, place):
    return listed(chief)["told"]["release"][place]["state"]


def why(chief, place):
    return listed(chief)["told"]["release"][place]["why"]


def test_two_tables_run_it_and_then_all_may_have_it(app, tables, enter, file):
    one, two, three, chief = tables("1"), tables("2"), tables("3"), enter("chief")
    name = bring(chief, "release", file().read_bytes()).json()["file"]["sha256"]
    assert hand(chief, name).status_code == 409
    assert hand(chief, name, "1", "2").status_code == 200
    for place, table in (("1", one), ("2", two)):
        table.until(lambda table=table: table.machine.current == RELEASE)
        table.until(lambda place=place: state(chief, place) == "done")
        assert not list(table.machine.inbox.glob("*.part")) and not (table.machine.inbox / name).exists()
        table.until(lambda table=table: (table.controller.view.venue.message or "").startswith("本桌正在换用新版本"))
    assert three.machine.current == "0.1.0-aaaaaaaaaa"
    assert hand(chief, name).json()["told"] == ["3"]
    three.until(lambda: state(chief, "3") == "done")
    assert three.machine.current == RELEASE
    three.until(lambda: app.state.venue.seen["3"]["status"].get("release") == RELEASE)
    assert app.state.venue.seen["3"]["status"]["platform"] == " ".join(PLATFORM.values())


def test_it_waits_for_the_matchs_end_and_an_event_calls_it_off(tables, enter, file):
    table, chief = tables("7"), enter("chief")
    name = bring(chief, "release", file().read_bytes()).json()["file"]["sha256"]
    table.busy = True
    hand(chief, name, "7")
    table.until(lambda: table.release.status().get("update") == "waiting")
    assert state(chief, "7") == "shown" and table.machine.current == "0.1.0-aaaaaaaaaa"
    assert (table.machine.inbox / "play").read_text() == "match"
    event = begin_event(chief)
    chief.post(f"{event}/checkin", {"numbers": [1], "here": True})
    table.busy = False
    table.until(lambda: state(chief, "7") == "refused")
    assert "检录" in why(chief, "7") and table.machine.current == "0.1.0-aaaaaaaaaa"
    assert hand(chief, name, "7").status_code == 409
    chief.post(f"{event}/checkin", {"numbers": [1], "here": False})
    fetched = table.machine.inbox / name
    assert fetched.exists()  # it need not come again
    hand(chief, name, "7")
    table.until(lambda: state(chief, "7") == "done")
    assert table.machine.current == RELEASE


def fetching(table):
    return any(part.stat().st_size > 0 for part in table.machine.inbox.glob("*.part")) or asked(table)


def asked(table):
    return (table.machine.inbox / "ask.json").exists()


def waiting(table):
    return table.release.status().get("update") == "waiting"


def test_a_table_that_is_cut_off_in_any_step_goes_on_where_it_was(tables, enter, file, monkeypatch):
    monkeypatch.setattr("venue.store.handouts.FETCHED", 2_000)
    table, chief = tables("7"), enter("chief")
    name = bring(chief, "release", file().read_bytes()).json()["file"]["sha256"]
    table.unit.off = True
    hand(chief, name, "7")
    for reached in (fetching, asked, waiting):
        table.busy, table.unit.off = True, reached is not waiting
        table.until(lambda reached=reached, table=table: reached(table))
        table.close()
        table = tables("7")
    # By now nobody plays: it starts the release, and is itself started anew by that.
    table.until(lambda: table.machine.current == RELEASE)
    table.close()
    table = tables("7")
    table.until(lambda: state(chief, "7") == "done")


def test_each_refusal_reaches_the_fleet_page_in_one_sentence(tables, enter, file, keys):
    table, chief = tables("7"), enter("chief")
    cases = (({"key": keys[1][0]}, "公钥"), ({"release": "0.0.9-0123456789"}, "旧"), ({"python": "3.9"}, "Python"))
    for made, words in cases:
        name = bring(chief, "release", file(**made).read_bytes()).json()["file"]["sha256"]
        hand(chief, name, "7")
        table.until(lambda name=name: listed(chief)["told"]["release"]["7"]["sha256"] == name)
        table.until(lambda: state(chief, "7") == "refused")
        assert words in why(chief, "7")
        chief.post(f"/v1/releases/{name}/remove")
        assert not (table.machine.inbox / "ask.json").exists() and not (table.machine.root / "installed").exists()


def test_one_that_does_not_start_is_told_as_refused_and_the_next_two_may_try(tables, enter, file):
    table, chief = tables("7"), enter("chief")
    (table.machine.root / "does-not-start").touch()
    name = bring(chief, "release", file().read_bytes()).json()["file"]["sha256"]
    hand(chief, name, "7")
    table.until(lambda: state(chief, "7") == "refused")
    assert "退回" in why(chief, "7") and table.machine.current == "0.1.0-aaaaaaaaaa"


def test_a_table_that_is_no_appliance_says_so(tables, enter, file):
    table, chief = tables("7"), enter("chief")
    (table.machine.opt / "current").unlink()
    assert table.release.status() == {}
    name = bring(chief, "release", file().read_bytes()).json()["file"]["sha256"]
    hand(chief, name, "7")
    table.until(lambda: state(chief, "7") == "refused")
    assert "install.sh" in why(chief, "7")
