"""A copy of a running venue, put into an empty place, is the same venue: standings, sessions, tables that go on."""

import shutil
import subprocess
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from tests.venue import postgresql
from tests.venue.test_desk_doors import enter_list, new
from venue.store import Database, log

HALL = [{"do": "match", "ruleset": "national", "profile": "championship"}, {"do": "call", "seat": "E"}]


def tool(name):
    """PostgreSQL's own program of that name: the server's version where we brought it, else the one that is found."""
    folder = postgresql.programs()
    found = str(folder / name) if folder is not None and (folder / name).exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"PostgreSQL's {name} is not here: apt-get install postgresql-client")
    return found


def restore(database, address, folder):
    """The address of a new database with everything that the one at *address* holds, taken while it runs."""
    if database.kind == "sqlite":
        database.backup(folder / "copy.db")
        return str(folder / "copy.db")
    dump, load, copy = tool("pg_dump"), tool("psql"), folder / "copy.sql"
    engine = sa.create_engine("postgresql+psycopg://" + address.split("://", 1)[1], isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text("DROP DATABASE IF EXISTS restored"))
        connection.execute(sa.text("CREATE DATABASE restored"))
    engine.dispose()
    empty = sa.make_url(address).set(database="restored").render_as_string(hide_password=False)
    for command in (
        [dump, "--no-owner", "--file", copy, "--dbname", address],
        [load, "--quiet", "--no-psqlrc", "--set", "ON_ERROR_STOP=1", "--file", copy, "--dbname", empty],
    ):
        told = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert told.returncode == 0, told.stderr
    assert Path(copy).stat().st_size > 1000
    return empty


def test_a_restored_copy_has_the_same_standings_and_everybody_goes_on(
    app, enter, seat_table, database, address, tmp_path, clock, serve_venue
):
    desk, table = enter("desk"), seat_table("1")
    path = new(desk, rounds=3, prizes=[{"name": "一等奖", "count": 1}])
    enter_list(desk, path, "\n".join(f"p{n}a,p{n}b" for n in range(7)))
    for round in (1, 2):
        assert desk.post(f"{path}/draw", {"seed": f"s{round}"}).json()["round"] == round
        games = desk.get(path).json()["rounds"][-1]["games"]
        for n, game in enumerate(games):
            if game["other"] is not None and (round, n) != (2, 1):  # one is still playing
                levels, winner = (["A", str(n + 2)], "one") if n % 2 == 0 else ([str(n + 2), "A"], "other")
                body = {"round": round, "game": n, "levels": levels, "winner": winner}
                assert desk.post(f"{path}/result", body).status_code == 200
    for event in HALL:
        table.append(event)
    assert table.sync().json()["acked"] == 2
    before, snapshot = desk.get(path).json(), desk.get("/v1/snapshot").json()

    place = restore(database, address, tmp_path)
    table.append({"do": "call", "seat": "W"})  # the copy will not know of this
    assert table.sync().json()["acked"] == 3
    copied = Database(place)
    again = serve_venue(copied, clock)
    desk.http.base_url = httpx.URL(again.url)  # the same session, at the venue's new address

    after = desk.get(path).json()
    assert after == before and after["standings"] and not after["finished"]
    assert desk.get("/v1/snapshot").json()["items"] == snapshot["items"]
    table.http.base_url = httpx.URL(again.url)
    table.append({"do": "finish", "order": ["N", "S", "E", "W"]})
    while table.side.acked < 4:  # the venue is behind: the table sends again what it lacks
        assert table.sync().status_code in (200, 409)
    with copied.reading() as connection:
        kept = [(entry.seq, entry.kind) for entry in log.after(connection, 0) if entry.device == table.side.device]
    assert kept == [(1, "match"), (2, "call"), (3, "call"), (4, "finish")]
    body = {"round": 2, "game": 1, "levels": ["A", "3"], "winner": "one"}
    assert desk.post(f"{path}/result", body).status_code == 200
    assert desk.post(f"{path}/draw").json()["round"] == 3
