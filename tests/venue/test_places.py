"""The office's list of tables: ranges, names, and rows that nobody ever used."""

import pytest

from engine.errors import Unreadable
from venue.store import places


@pytest.fixture
def address(tmp_path):
    return str(tmp_path / "venue.db")


def test_a_range_is_a_range_or_refused():
    assert places.expand(["1-3", "A7~9", "贵宾", "3至4"]) == ["1", "2", "3", "A7", "A8", "A9", "贵宾", "4"]
    assert places.expand(["B-1", "12"]) == ["B-1", "12"] and len(places.expand(["1-500"])) == 500
    for wrong, word in (("1-99999", "1-99999"), ("9-1", "9-1"), ("1-501", "500"), ("a/b", "500"), ("", "500")):
        with pytest.raises(Unreadable) as told:
            places.expand([wrong])
        assert word in told.value.in_language("zh")
    with pytest.raises(Unreadable):
        places.expand(["1-400", "401-800"])


def names_of(browser):
    return {item["table"]["place"] for item in browser.get("/v1/snapshot").json()["items"] if "table" in item}


def test_a_table_that_nobody_used_is_renamed_or_deleted_and_one_with_records_stays(app, enter, seat_table):
    chief, table = enter("chief"), seat_table("1")
    assert chief.post("/v1/places", {"names": ["2-4"], "zone": "B"}).json() == {"added": 3}
    assert chief.post("/v1/places", {"names": ["1-99999"]}).status_code == 400
    assert chief.post("/v1/places/2/remove").status_code == 200
    assert chief.post("/v1/places/3/rename", {"name": "贵宾"}).status_code == 200
    assert names_of(chief) == {"1", "4", "贵宾"}
    told = [item["table"] for item in chief.get("/v1/snapshot").json()["items"] if "table" in item]
    assert [each["zone"] for each in told if each["place"] == "贵宾"] == ["B"]
    assert chief.post("/v1/places/贵宾/rename", {"name": "4"}).status_code == 409
    table.sync()
    assert chief.post("/v1/places/1/remove").status_code == 409  # its device is there
    assert chief.post(f"/v1/devices/{table.paired['device']}/revoke").status_code == 200
    for way, body in (("remove", {}), ("rename", {"name": "9"})):
        refused = chief.post(f"/v1/places/1/{way}", body, headers={"accept-language": "zh"})
        assert refused.status_code == 409 and "记录要留着" in refused.json()["error"]["detail"]
    assert names_of(chief) == {"1", "4", "贵宾"}
    kinds = [entry["kind"] for entry in chief.get("/v1/feed?after=0").json()["entries"]]
    assert "place_removed" in kinds and "place_renamed" in kinds


def test_a_table_with_a_drawn_game_keeps_its_name(app, enter):
    desk = enter("desk")
    desk.post("/v1/places", {"names": ["1-2"]})
    id = desk.post("/v1/competitions", {"title": "周赛", "format": "swiss"}).json()["id"]
    path = f"/v1/competitions/{id}"
    desk.http.post(f"{path}/entries", content=b"a,b\nc,d", headers={"x-guandan-csrf": desk.csrf})
    desk.post(f"{path}/draw")
    assert desk.post("/v1/places/1/remove").status_code == 409 and desk.post("/v1/places/2/remove").status_code == 200
    assert desk.post("/v1/places/1/rename", {"name": "7"}).status_code == 409
    assert names_of(desk) == {"1"}
