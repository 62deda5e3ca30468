"""A list as it really comes: what is doubtful waits for a person, and the draw asks once."""

import pytest

from engine.errors import Unreadable
from tests.venue.test_desk_trouble import enter_list, new
from venue.desk import sheets

LIST = "张三,李四,红星\n陈七,,建邺\n张三,李四,红星\n蒋一,蒋一,鼓楼\n周五,吴六"


@pytest.fixture
def address(tmp_path):
    return str(tmp_path / "venue.db")


def waiting(desk, path):
    return [(each["line"], [doubt["what"] for doubt in each["doubts"]]) for each in desk.get(path).json()["aside"]]


def test_doubtful_lines_wait_until_they_are_mended_confirmed_or_left_out(app, enter):
    desk, spectator = enter("desk"), enter("spectator")
    path = new(desk, {"format": "swiss"})
    told = enter_list(desk, path, LIST)
    assert (told["entered"], told["aside"]) == (2, 3)
    assert waiting(desk, path) == [(2, ["no_partner"]), (3, ["known_name", "known_name"]), (4, ["same_twice"])]
    assert enter_list(desk, path, LIST)["aside"] == 1  # the two pairs came in; what waits is not kept twice
    assert len(waiting(desk, path)) == 4 and spectator.get(path).json()["aside"] == []
    chen, double, jiang, _ = (each["id"] for each in desk.get(path).json()["aside"])
    mended = {"aside": chen, "names": ["陈七", "郑八"], "club": "建邺"}
    assert desk.post(f"{path}/entries/settle", mended).json() == {"number": 3}
    assert desk.post(f"{path}/entries/settle", mended).status_code == 404
    assert desk.post(f"{path}/entries/settle", {"aside": jiang, "names": []}).status_code == 400
    assert desk.post(f"{path}/entries/remove", {"number": 1}).status_code == 200
    assert waiting(desk, path)[0] == (3, [])  # the first of the doubles has gone: nothing is doubtful any more
    assert desk.post(f"{path}/entries/settle", {"aside": double, "names": ["张三", "李四"]}).json() == {"number": 1}
    titles = {each["title"] for each in desk.get(path).json()["entrants"]}
    assert titles == {"张三 / 李四", "周五 / 吴六", "陈七 / 郑八"}


def test_the_draw_asks_once_about_lines_that_wait(app, enter):
    desk = enter("desk")
    path = new(desk, {"format": "round_robin"})
    enter_list(desk, path, LIST)
    asked = desk.post(f"{path}/draw", {"seed": "s"}, headers={"accept-language": "zh"})
    assert asked.status_code == 409 and "3 行没有确认" in asked.json()["error"]["detail"]
    by_hand = desk.post(f"{path}/pair", {"games": [[1, 2]]})
    assert by_hand.status_code == 409 and by_hand.json()["warnings"] == [{"what": "waiting", "game": [3, None]}]
    ids = [each["id"] for each in desk.get(path).json()["aside"]]
    assert desk.post(f"{path}/entries/drop", {"asides": ids[:2]}).json() == {"waiting": 1}
    assert desk.post(f"{path}/entries/drop", {"asides": ["x"]}).status_code == 400
    assert desk.post(f"{path}/draw", {"seed": "s", "sure": True}).status_code == 200
    assert desk.get(path).json()["aside"] == []


@pytest.mark.parametrize("name", ["bin.xlsx", "名单.XLS", "x.numbers"])
def test_a_text_that_is_called_a_spreadsheet_enters_nobody(app, enter, name):
    desk = enter("desk")
    path = new(desk, {"format": "swiss"})
    headers = {"x-guandan-csrf": desk.csrf, "accept-language": "zh"}
    answer = desk.http.post(f"{path}/entries", params={"file": name}, content=b"not a zip", headers=headers)
    assert answer.status_code == 400 and name in answer.json()["error"]["detail"]
    shown = desk.get(path).json()
    assert shown["entrants"] == [] and shown["aside"] == []
    with pytest.raises(Unreadable):
        sheets.read_table(b"not a zip", "x", name)
