"""What goes wrong on match day: late, absent, wrong seats, substitutes, moved tables; and what goes out."""

import io
import json
import time
import zipfile
from urllib.parse import unquote

from venue.desk import sheets, xlsx


def new(desk, body):
    answer = desk.post("/v1/competitions", {"title": "周五赛"} | body)
    assert answer.status_code == 200, answer.text
    return f"/v1/competitions/{answer.json()['id']}"


def enter_list(desk, path, text):
    headers = {"x-guandan-csrf": desk.csrf}
    return desk.http.post(f"{path}/entries", content=text.encode(), headers=headers).json()


def started(enter, names="a,b\nc,d\ne,f\ng,h", **body):
    desk = enter("desk")
    path = new(desk, {"format": "swiss", "options": {"rounds": 3}} | body)
    enter_list(desk, path, names)
    assert desk.post(f"{path}/draw", {"seed": "s"}).status_code == 200
    return desk, path


def games_of(desk, path):
    return desk.get(path).json()["rounds"][-1]["games"]


def test_wrong_seats_are_repaired_and_no_result_is_lost(app, enter):
    desk, path = started(enter)
    first, second = games_of(desk, path)
    desk.post(f"{path}/result", {"round": 1, "game": 0, "levels": ["A", "9"], "winner": "one"})
    swap = [[0, second["one"], first["other"]], [1, first["one"], second["other"]]]
    assert desk.post(f"{path}/reseat", {"round": 1, "games": swap, "why": ""}).status_code == 409
    assert desk.post(f"{path}/reseat", {"round": 1, "games": [[0, 1, 1]], "why": "x"}).status_code == 409
    assert desk.post(f"{path}/reseat", {"round": 1, "games": swap, "why": "坐错桌"}).status_code == 200
    now = games_of(desk, path)
    assert now[0]["winner"] == second["one"] and now[0]["result"]["levels"] == ["A", "9"]
    assert now[0]["match"] == first["match"] and now[0]["moves"][0]["why"] == "坐错桌"
    # sat down the wrong way round: the levels stay with the people
    turn = [[0, now[0]["other"], now[0]["one"]]]
    assert desk.post(f"{path}/reseat", {"round": 1, "games": turn, "why": "南北东西坐反"}).status_code == 200
    turned = games_of(desk, path)[0]
    assert turned["winner"] == second["one"] and turned["result"]["levels"] == ["9", "A"] and turned["turned"]


def test_late_and_absent(app, enter, clock):
    desk, path = started(enter, options={"rounds": 3, "ruleset": "tongsu"})
    told = desk.post(f"{path}/late", {"round": 1, "game": 0, "side": "other"}).json()
    assert told == {"late": {"other": clock.now}, "forfeits_after": 600}
    assert desk.post(f"{path}/late", {"round": 1, "game": 0, "side": "both"}).status_code == 400
    both = {"round": 1, "game": 0, "winner": "one", "forfeit": "one"}
    assert desk.post(f"{path}/result", both).status_code == 400
    given = desk.post(f"{path}/result", {"round": 1, "game": 0, "winner": "one", "forfeit": "other"}).json()["game"]
    assert given["winner"] == given["one"] and given["result"]["points"] == [2, 0]
    assert desk.post(f"{path}/late", {"round": 1, "game": 0, "side": "one"}).json()["late"] == {"other": clock.now}


def test_substitutes_only_where_the_ruleset_lets_them(app, enter):
    desk, path = started(enter)
    change = {"number": 1, "out": "a", "name": "新人", "why": "生病"}
    assert desk.post(f"{path}/substitute", change | {"out": "z"}).status_code == 409
    assert desk.post(f"{path}/substitute", change).status_code == 200
    shown = desk.get(path).json()
    assert shown["entrants"][0]["names"] == ["新人", "b"] and shown["log"][0]["why"] == "生病"
    desk, path = started(enter, template="huaer", options={})
    assert "不许换人" in desk.post(f"{path}/substitute", change).json()["error"]["detail"]


def test_games_change_tables_and_clocks_start_by_zone(app, enter, seat_table):
    one, two = seat_table("1", "A"), seat_table("2", "B")
    desk, path = started(enter)
    first, second = games_of(desk, path)
    assert [first["place"], second["place"]] == ["1", "2"]
    assert desk.post(f"{path}/place", {"round": 1, "game": 0, "place": "2"}).status_code == 200
    assert [game["place"] for game in games_of(desk, path)] == ["2", "1"]
    assert desk.post(f"{path}/seat").json()["seated"] == 2
    assert desk.post(f"{path}/clock", {"action": "start", "minutes": 50, "zone": "B"}).json() == {"tables": 1}
    for table in (one, two):
        table.sync()
    assert [told.do for told in one.carried_out] == ["seat"] and [told.do for told in two.carried_out] == [
        "seat",
        "start",
    ]
    assert desk.post(f"{path}/clock", {"action": "stop"}).json() == {"tables": 2}
    clocks = [item["clock"] for item in desk.get("/v1/snapshot").json()["items"] if "clock" in item]
    assert {each["zone"] for each in clocks} == {"B", ""}
    assert desk.get(path).json()["rounds"][0]["started"] and desk.get(path).json()["state"] == "playing"


def test_an_entry_list_is_edited_checked_in_and_closed_by_the_draw(app, enter):
    desk = enter("desk")
    path = new(desk, {"format": "swiss"})
    enter_list(desk, path, "a,b\nc,d\ne,f")
    assert desk.post(f"{path}/entries/edit", {"number": 2, "names": ["丙", "丁"], "club": "红"}).status_code == 200
    assert desk.post(f"{path}/entries/remove", {"number": 3}).status_code == 200
    assert desk.post(f"{path}/checkin", {"numbers": [1, 2, 99]}).json() == {"here": 2}
    assert desk.post(f"{path}/checkin", {"numbers": [1], "here": False}).json() == {"here": 1}
    shown = desk.get(path).json()["entrants"]
    assert [(each["title"], each["here"]) for each in shown] == [("a / b", False), ("丙 / 丁", True)]
    assert desk.post(f"{path}/draw", {"sure": True}).status_code == 200
    for door in ("edit", "remove"):
        assert desk.post(f"{path}/entries/{door}", {"number": 1, "names": ["x"]}).status_code == 409


def test_weeks_go_into_a_month(app, enter):
    desk = enter("desk")
    week = new(desk, {"template": "teahouse-week"})
    enter_list(desk, week, "a,b\nc,d")
    month = new(desk, {"template": "teahouse-month"})
    ask = {"competition": week.rsplit("/", 1)[1], "best": 1}
    assert desk.post(f"{month}/entries/from", ask).status_code == 409
    desk.post(f"{week}/draw")
    desk.post(f"{week}/result", {"round": 1, "game": 0, "levels": ["9", "A"], "winner": "other"})
    assert desk.post(f"{month}/entries/from", ask).json() == {"entered": 1}
    assert desk.post(f"{month}/entries/from", ask).json() == {"entered": 0}
    winner = games_of(desk, week)[0]["winner"]
    title = next(each["title"] for each in desk.get(week).json()["entrants"] if each["number"] == winner)
    assert [each["title"] for each in desk.get(month).json()["entrants"]] == [title]


def test_partners_are_drawn_and_drawn_again(app, enter):
    desk = enter("desk")
    path = new(desk, {"template": "zhongqing"})
    told = enter_list(desk, path, "\n".join(f"选手{n},单位{n % 3}" for n in range(8)) + "\n甲/乙")
    assert told["entered"] == 8 and told["doubts"][0]["what"] == "two_names"
    assert desk.post(f"{path}/draw").status_code == 409
    assert desk.post(f"{path}/partners", {"seed": "x"}).status_code == 409  # a line waits to be looked at
    assert desk.post(f"{path}/partners", {"seed": "x", "sure": True}).json() == {"seed": "x", "pairs": 4}
    first = desk.get(path).json()
    assert [(each["tag"], each["colour"]) for each in first["entrants"]] == [
        ("A1", "orange"), ("A1", "green"), ("B1", "orange"), ("B1", "green"),
    ]  # fmt: skip
    assert desk.post(f"{path}/unpartner").status_code == 200 and desk.post(f"{path}/unpartner").status_code == 409
    desk.post(f"{path}/partners", {"seed": "x", "sure": True})
    assert desk.get(path).json()["entrants"] == first["entrants"]
    desk.post(f"{path}/draw", {"seed": "y"})
    assert [game["place"] for game in games_of(desk, path)] == ["A1", "B1"]


HOSTILE = '"=HYPERLINK(""http://x"")",<script>alert(1)</script>,@club\n+1,-2\nc,"d&""\'<"'


def finished(enter):
    desk, path = started(enter, HOSTILE, template="lianyungang", options={"prizes": [{"name": "一等奖", "count": 1}]})
    while not desk.get(path).json()["finished"]:
        shown = desk.get(path).json()
        number = len(shown["rounds"])
        for place, game in enumerate(shown["rounds"][-1]["games"]):
            if game["other"] is not None and game["result"] is None:
                body = {"round": number, "game": place, "levels": ["A", "9"], "winner": "one"}
                assert desk.post(f"{path}/result", body).status_code == 200
        desk.post(f"{path}/draw")
    return desk, path


def test_everything_goes_out_and_nothing_in_it_runs(app, enter, clock):
    desk, path = finished(enter)
    for name in ("entries", "pairings", "scoresheets", "results", "standings", "bracket", "prizes", "certificates"):
        page = desk.get(f"{path}/print/{name}")
        assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
        assert "<script" not in page.text.lower() and "<!doctype html>" in page.text
    assert "&lt;script&gt;" in desk.get(f"{path}/print/entries").text
    assert desk.get(f"{path}/print/secrets").status_code == 404
    rows = sheets.read_table(desk.get(f"{path}/workbook").content, "x.xlsx")
    assert rows[0][0] in ("名次", "Rank") and len(rows) == 4
    held = zipfile.ZipFile(io.BytesIO(desk.get(f"{path}/archive").content))
    names = held.namelist()
    assert {"index.html", "event.json", "event.xlsx"} <= set(names) and sum(
        name.endswith(".csv") for name in names
    ) >= 4
    page = held.read("index.html").decode()
    assert "<script" not in page and "<style>" in page and "http" not in page.split("</style>")[0]
    assert json.loads(held.read("event.json"))["finished"] is True
    for name in names:
        if name.endswith(".csv"):
            cells = [cell for row in sheets.read_table(held.read(name), name) for cell in row]
            assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@")], name
    told = desk.get(f"{path}/sheet").headers["content-disposition"]
    assert unquote(told.split("UTF-8''")[1]) == f"周五赛 {time.strftime('%Y-%m-%d', time.localtime(clock.now))}.csv"
    assert f'filename="{path.split("/")[-1]}.csv"' in told
    assert enter("spectator").get(f"{path}/archive").status_code == 403


def test_spectators_see_no_reasons_and_no_names_of_staff(app, enter):
    desk, path = started(enter)
    desk.post(f"{path}/result", {"round": 1, "game": 0, "levels": ["A", "9"], "winner": "one", "why": "纸单"})
    shown = enter("spectator").get(path).json()
    game = shown["rounds"][0]["games"][0]
    assert not {"by", "at", "why"} & set(game["result"]) and "history" not in game and shown["log"] == []


def test_a_workbook_holds_what_was_put_in():
    rows = [["名", "n"], ["甲 <&\"'", 3], [" 前后 ", 2.5], ["", None], ["=1+1\x07", -4]]
    content = xlsx.write({"表/一": rows, "表 一": [["x"]], "": []})
    read = sheets.read_table(content, "x.xlsx")
    assert read == [["名", "n"], ["甲 <&\"'", "3"], ["前后", "2.5"], [], ["=1+1", "-4"]]
    assert xlsx.column(0) == "A" and xlsx.column(26) == "AA" and xlsx.column(701) == "ZZ" and xlsx.column(702) == "AAA"
