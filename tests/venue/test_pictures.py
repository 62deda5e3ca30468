"""Pictures of alerts: announced, sent in pieces, seen by referees alone, gone when their time is over."""

import asyncio
import hashlib

import pytest

from venue.web import pictures

MATCH = {"do": "match", "ruleset": "tongsu", "profile": "championship"}
CLIP = bytes(range(256)) * 300


@pytest.fixture
def address(tmp_path):
    """The files lie beside the database whatever its kind; one is enough here."""
    return str(tmp_path / "venue.db")


@pytest.fixture
def table(seat_table):
    made = seat_table("7", "A")
    for event in (MATCH, {"do": "call", "seat": "E"}):
        made.append(event)
    assert made.sync().status_code == 200
    return made


def announce(table, content=CLIP, alert="2.1", **more):
    name = hashlib.sha256(content).hexdigest()
    file = {"sha256": name, "size": len(content), "type": "video/mp4", "kind": "clip"} | more
    event = {"do": "evidence", "alert": alert, "files": [file]}
    table.journal.append(type(table.journal[0])(seq=len(table.journal) + 1, event=event, match=table.match, line=2))
    assert table.sync().status_code == 200
    return name


def send(table, name, piece, offset=0):
    headers = {"authorization": f"Bearer {table.paired['token']}"}
    return table.http.post(f"/v1/evidence/{name}?offset={offset}", content=piece, headers=headers)


def case(browser):
    return next(item["case"] for item in browser.get("/v1/snapshot").json()["items"] if "case" in item)


def test_a_clip_comes_in_pieces_goes_on_where_it_was_and_is_seen_by_referees_alone(app, table, enter, nobody):
    name, referee = announce(table), enter("referee", ["A"])
    assert case(referee)["pictures"] == [
        {"sha256": name, "size": len(CLIP), "type": "video/mp4", "kind": "clip", "state": "coming"}
    ]
    assert referee.get(f"/v1/evidence/{name}").status_code == 404
    assert send(table, name, CLIP[:50_000]).json() == {"have": 50_000, "whole": False}
    assert send(table, name, CLIP[:50_000]).json()["have"] == 50_000  # the answer got lost: nothing comes twice
    assert send(table, name, b"").json()["have"] == 50_000  # after a restart it asks
    assert send(table, name, CLIP[50_000:], 50_000).json() == {"have": len(CLIP), "whole": True}
    assert case(referee)["pictures"][0]["state"] == "here"
    shown = referee.get(f"/v1/evidence/{name}")
    assert shown.content == CLIP and shown.headers["content-type"] == "video/mp4"
    assert shown.headers["cache-control"] == "no-store"
    part = referee.get(f"/v1/evidence/{name}", headers={"range": "bytes=10-19"})
    assert part.status_code == 206 and part.content == CLIP[10:20]
    for role in ("desk", "announcer", "spectator"):
        browser = enter(role)
        assert browser.get(f"/v1/evidence/{name}").status_code == 403
        assert name not in browser.get("/v1/snapshot").text
    assert nobody.get(f"/v1/evidence/{name}").status_code == 401
    assert enter("referee", ["B"]).get(f"/v1/evidence/{name}").status_code == 403
    looked = [line for line in enter("chief").get("/v1/audit").json()["audit"] if line["outcome"] in (200, 206)]
    assert any(line["action"] == "GET /v1/evidence/{name}" and line["role"] == "referee" for line in looked)


def test_what_is_not_what_was_announced_is_not_taken(app, table, seat_table):
    other = seat_table("8", "A")
    name = announce(table)
    assert send(other, name, CLIP).status_code == 400  # another table's
    assert send(table, "0" * 64, CLIP).status_code == 400
    assert send(table, "..%2f..%2fetc", CLIP).status_code in (400, 404)
    assert send(table, name, CLIP + b"more").status_code == 413
    assert send(table, name, bytes(len(CLIP))).json() == {"have": 0, "whole": False}  # other bytes than the hash says
    assert send(table, name, b"x" * (600 * 1024)).status_code == 413
    headers = {"authorization": "Bearer nonsense"}
    assert table.http.post(f"/v1/evidence/{name}", content=CLIP, headers=headers).status_code == 401
    assert send(table, name, CLIP, "x").status_code == 400
    assert send(table, name, CLIP).json()["whole"]


@pytest.mark.parametrize(
    "wrong", [{"sha256": "../../x"}, {"size": 0}, {"size": 10**9}, {"size": True}, {"type": "text/html"}]
)
def test_an_announcement_that_makes_no_sense_opens_no_door(app, table, enter, wrong):
    name = announce(table, **wrong)
    assert not case(enter("referee"))["pictures"] and send(table, name, CLIP).status_code == 400


@pytest.mark.parametrize("ruled", [False, True])
def test_pictures_go_a_day_after_the_result_unless_somebody_ruled(app, table, enter, clock, ruled):
    name, referee = announce(table), enter("referee")
    send(table, name, CLIP)
    if ruled:
        referee.post(f"/v1/cases/{case(referee)['id']}/ruling", {"verdict": "waive"})
        table.sync()
    table.append({"do": "forfeit", "side": "EW"})
    table.sync()
    venue = app.state.venue

    def swept():
        return asyncio.run_coroutine_threadsafe(pictures.sweep(venue), venue.loop).result(20)

    clock.now += 23.9 * 3600
    assert swept() == 0
    clock.now += 0.2 * 3600
    assert swept() == (0 if ruled else 1)
    chief = enter("chief")
    assert chief.get(f"/v1/evidence/{name}").status_code == (200 if ruled else 404)
    assert case(chief)["pictures"][0]["state"] == ("here" if ruled else "gone")
    assert venue.shelf.path(name).exists() == ruled
    if not ruled:
        assert send(table, name, CLIP).status_code == 400  # gone for good
