"""An event for everybody's screen: written once, never torn, never older than what its reader has heard of."""

import asyncio
import gzip
import json
import random

import httpx
import pytest

from tests.venue.test_desk import competition, play_round
from tests.venue.test_desk_trouble import enter_list, games_of, started
from venue.hall import Hall
from venue.store import Database
from venue.web import shown


class Changing(Hall):
    """A hall whose only event changes when told to."""

    def __init__(self):
        super().__init__()
        self.at = 1

    def touched(self, key):
        return self.at


@pytest.fixture
def written(monkeypatch):
    """What was written, in order: each call of the writer, which may do something first."""
    calls, write = [], shown._write

    def counted(event, version, hidden, staff):
        calls.append((version, hidden, staff))
        return write(event, version, hidden, staff)

    monkeypatch.setattr(shown, "_write", counted)
    return calls


def test_many_who_ask_together_are_answered_with_one_writing(written):
    event, hall = competition("swiss", 40, {"rounds": 2}), Changing()
    play_round(event, random.Random(1))

    async def asks():
        made = shown.Shown(hall)
        together = await asyncio.gather(*(made.of(event, hidden=False, staff=False) for _ in range(50)))
        hidden = await made.of(event, hidden=True, staff=False)
        hall.at = 2
        return together, hidden, await made.of(event, hidden=False, staff=False)

    together, hidden, later = asyncio.run(asks())
    assert written == [(1, False, False), (1, True, False), (2, False, False)]
    assert len({id(each) for each in together}) == 1 and later is not together[0]
    assert json.loads(together[0].plain)["standings"] and not json.loads(hidden.plain)["standings"]
    assert gzip.decompress(together[0].packed) == together[0].plain
    assert len(together[0].packed) < len(together[0].plain) / 5


def test_what_changes_while_it_is_written_is_written_anew(monkeypatch):
    event, hall, write = competition("swiss", 4), Changing(), shown._write
    left = [RuntimeError("dictionary changed size during iteration"), None]

    def disturbed(*how):
        if left:
            hall.at += 1
            if (fault := left.pop(0)) is not None:
                raise fault
        return write(*how)

    monkeypatch.setattr(shown, "_write", disturbed)
    made = asyncio.run(shown.Shown(hall).of(event, hidden=False, staff=True))
    assert made.version == 3 and json.loads(made.plain)["id"] == "c"
    left[:] = [None] * 10  # it never holds still: then nothing moves while it is written
    assert json.loads(asyncio.run(shown.Shown(hall).of(event, hidden=False, staff=True)).plain)["id"] == "c"


def test_a_fault_of_its_own_is_no_change(monkeypatch):
    def broken(*how):
        raise KeyError("names")

    monkeypatch.setattr(shown, "_write", broken)
    with pytest.raises(KeyError):
        asyncio.run(shown.Shown(Changing()).of(competition("swiss", 4), hidden=False, staff=True))


def test_every_page_sees_each_result_at_once_packed_or_not(app, enter):
    desk, path = started(enter, "\n".join(f"甲{n},乙{n}" for n in range(30)))
    people, spectator = enter("announcer"), enter("spectator")
    for place in range(3):
        said = {"round": 1, "game": place, "levels": ["A", "5"], "winner": "one"}
        assert desk.post(f"{path}/result", said).status_code == 200
        for each in (desk, people, spectator):
            assert games_of(each, path)[place]["winner"] is not None
    packed = spectator.get(path, headers={"accept-encoding": "gzip"})
    plain = spectator.get(path, headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
    assert packed.json() == plain.json() and "by" not in packed.json()["rounds"][0]["games"][0]["result"]
    assert desk.get(path).json()["rounds"][0]["games"][0]["result"]["by"] == "desk"
    desk.post("/v1/hide", {"hidden": True})
    assert spectator.get(path).json()["hidden"] and not desk.get(path).json()["hidden"]


def test_who_heard_of_a_change_from_one_worker_is_not_shown_less_by_another(app, enter, serve_venue, clock, database):
    desk, path = started(enter)
    if database.kind != "postgresql":
        assert desk.get(f"{path}?at=999999").status_code == 200 and desk.get(f"{path}?at=x").status_code == 200
        return
    other = serve_venue(Database(database.listening_address), clock)
    other.venue.closing = True  # it hears of nothing by itself any more
    enter_list(desk, path, "迟,到")
    position = app.state.venue.hall.position
    word = "; ".join(f"{name}={value}" for name, value in desk.http.cookies.items())
    told = httpx.get(f"{other.url}{path}?at={position}", headers={"cookie": word}, timeout=30)
    assert len(told.json()["entrants"]) == 5
