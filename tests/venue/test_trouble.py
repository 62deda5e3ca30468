"""What the machine refuses is told as what it is: a full disk, a file that is no database, a second venue."""

import errno
import logging
import shutil
import sqlite3

import pytest

from engine.errors import Impossible
from venue.store import Database
from venue.store.trouble import cause_of


def full(database):
    """A database whose disk has no page left."""
    with database._writer.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
def test_a_full_disk_is_named_on_the_page_and_once_on_the_terminal(app, enter, seat_table, database, caplog):
    table, desk = seat_table("1"), enter("desk")
    app.state.venue.lang = "zh"
    full(database)
    with caplog.at_level(logging.ERROR, "guandan.venue"):
        tables = {"names": [f"{'长' * 16}{n}" for n in range(100, 400)], "zone": "长" * 20}
        for wish, word in (("zh-CN", "磁盘已满"), ("en-GB", "disk is full"), ("zh-CN", "什么都没有改变")):
            answer = desk.post("/v1/places", tables, headers={"accept-language": wish})
            assert answer.status_code == 503 and answer.json()["error"]["code"] == "unavailable"
            assert word in answer.json()["error"]["detail"]
        for n in range(200):
            table.append({"do": "message", "text": f"{n} {'x' * 900}"}, record=False)
        assert table.sync().status_code == 503
    told = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert len(told) == 1 and "磁盘已满" in told[0].getMessage() and told[0].exc_info is None
    with database._writer.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count=1000000")
    assert desk.post("/v1/places", tables).json() == {"added": 300} and table.sync().status_code == 200


def test_causes_are_told_from_faults(tmp_path, monkeypatch):
    failing = sqlite3.OperationalError("disk I/O error")
    failing.sqlite_errorname = "SQLITE_IOERR_SHMSIZE"
    assert cause_of(failing, tmp_path / "v.db").key == "disk_fails"
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 0))
    assert cause_of(failing, tmp_path / "v.db").key == "disk_full"
    assert cause_of(OSError(errno.ENOSPC, "No space left on device")).key == "disk_full"
    assert cause_of(OSError(errno.EROFS, "Read-only file system")).key == "disk_read_only"
    assert cause_of(OSError(errno.ENOENT, "x")) is None and cause_of(KeyError("x")) is None
    (tmp_path / "text.jpg").write_text("no database at all, " * 200)
    with pytest.raises(Impossible) as told:
        Database(str(tmp_path / "text.jpg"))
    assert "不是赛场的数据库" in told.value.in_language("zh") and "text.jpg" in told.value.in_language("en")


def test_a_database_has_one_venue_at_a_time(address):
    one, other = Database(address), Database(address)
    with one.alone():
        with pytest.raises(Impossible) as told, other.alone():
            pass
        assert "另一个赛场" in told.value.in_language("zh")
    with other.alone():
        pass
    one.close()
    other.close()


def test_a_page_is_answered_in_its_own_language(app, enter):
    desk = enter("desk")
    desk.http.cookies.set("lang", "en")  # another page of this browser was put into English meanwhile
    answer = desk.post("/v1/places/9/code", headers={"x-guandan-language": "zh"})
    assert answer.json()["error"]["detail"] == "没有 9 号桌"
