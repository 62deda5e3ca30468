"""The desk over HTTP: from a list of names to the prize list, with the tables' results coming in by themselves."""


def new(desk, format="swiss", **options):
    answer = desk.post("/v1/competitions", {"title": "周五赛", "format": format, "options": options})
    assert answer.status_code == 200, answer.text
    return f"/v1/competitions/{answer.json()['id']}"


def enter_list(desk, path, text):
    return desk.http.post(f"{path}/entries", content=text.encode(), headers={"x-guandan-csrf": desk.csrf})


def test_a_round_runs_from_the_list_to_the_standings(app, enter, seat_table):
    table, desk, spectator = seat_table("1"), enter("desk"), enter("spectator")
    path = new(desk, rounds=1, ruleset="tongsu", prizes=[{"name": "一等奖", "count": 1}])
    told = enter_list(desk, path, "甲,乙,红\n丙,丁,蓝\n甲,戊,蓝").json()
    assert told["entered"] == 2 and told["doubts"] == [{"line": 3, "what": "known_name", "value": "甲"}]
    waits = desk.get(path).json()["aside"][0]  # the organiser knows both of that name
    assert desk.post(f"{path}/entries/settle", {"aside": waits["id"], "names": waits["names"]}).json() == {"number": 3}
    drawn = desk.post(f"{path}/draw", {"seed": "abc"})
    assert drawn.json() == {"round": 1, "seed": "abc"}
    assert desk.post(f"{path}/draw").status_code == 409
    assert desk.post(f"{path}/seat").json() == {"seated": 1, "nowhere": 0, "busy": [], "unpaired": []}
    table.sync()
    told = table.carried_out[-1]
    assert told.do == "seat" and told.data["record"]["ruleset"] == "tongsu"
    # the table plays the match it was told, under the name it was told
    table.match, table.line = told.data["match"], 0
    for line in (told.data["record"], {"do": "finish", "order": ["N", "S", "E", "W"]}, {"do": "forfeit", "side": "EW"}):
        table.line += 1
        table.journal.append(event(table, line))
    assert table.sync().status_code == 200
    shown = spectator.get(path).json()
    game = shown["rounds"][0]["games"][0]
    assert game["result"]["source"] == "table" and game["result"]["winner"] == "one"
    assert (shown["finished"] and [line["rank"] for line in shown["standings"]] == [1, 1, 3]) or shown["standings"]
    assert shown["awards"][0]["prize"] == "一等奖"
    desk.post("/v1/hide", {"hidden": True})
    hidden = spectator.get(path).json()
    assert hidden["standings"] == [] and hidden["awards"] == [] and hidden["rounds"][0]["games"][0]["result"] is None
    assert desk.get(path).json()["standings"]
    sheet = desk.get(f"{path}/sheet")
    assert sheet.headers["content-type"].startswith("text/csv") and "甲 / 乙" in sheet.text


def event(table, line):
    from venue.protocol import SyncEvent

    return SyncEvent(seq=len(table.journal) + 1, event=line, match=table.match, line=table.line)


def test_paper_results_are_checked_and_corrections_need_a_reason(app, enter):
    desk = enter("desk")
    path = new(desk, "knockout")
    enter_list(desk, path, "\n".join(f"p{n}a,p{n}b" for n in range(4)))
    desk.post(f"{path}/draw")

    def put(**body):
        return desk.post(f"{path}/result", {"round": 1, "game": 0, "levels": ["A", "9"], "winner": "one"} | body)

    for wrong in ({"levels": ["A"]}, {"levels": ["A", "1"]}, {"winner": "both"}, {"round": 0}, {"game": True}):
        assert put(**wrong).status_code == 400, wrong
    assert put(round=2).status_code == 404 and put(game=9).status_code == 404
    assert put(winner=None).status_code == 409
    assert put().status_code == 200
    assert put(winner="other").status_code == 409
    assert put(winner="other", why="sheet misread", sure=True).json()["game"]["corrections"] == 1
    assert desk.post(f"{path}/undraw").status_code == 409
    assert put(game=1).status_code == 200
    assert desk.post(f"{path}/draw").json()["round"] == 2
    assert put(winner="one", why="again").json()["error"]["detail"].startswith("下一轮已按这一场的胜者抽签")
    assert desk.post(f"{path}/undraw").status_code == 200
    assert put(winner="one", why="again").status_code == 200


def test_entries_close_with_the_draw_and_strangers_stay_strangers(app, enter, nobody):
    desk = enter("desk")
    path = new(desk, "knockout")
    assert desk.post(f"{path}/draw").status_code == 409
    enter_list(desk, path, "a,b\nc,d")
    assert desk.post(f"{path}/withdraw", {"number": 9}).status_code == 404
    desk.post(f"{path}/draw")
    assert enter_list(desk, path, "e,f").status_code == 409
    assert nobody.http.post(f"{path}/entries", content=b"x,y").status_code == 401
    assert desk.post("/v1/competitions/c-none/draw").status_code == 404
    for body in (
        {"title": "", "format": "swiss"},
        {"title": "x", "format": "poker"},
        {"title": "x", "format": "swiss", "options": "x"},
        {"title": "x", "format": "swiss", "options": {"ruleset": "nowhere"}},
    ):
        assert desk.post("/v1/competitions", body).status_code == 400, body


def test_a_round_paired_by_hand_is_warned_about_and_then_done(app, enter):
    desk = enter("desk")
    path = new(desk, rounds=3)
    enter_list(desk, path, "a,b,红\nc,d,红\ne,f,蓝\ng,h,绿\ni,j,黄")
    for wrong in (None, [], [[1]], [[1, "2"]], [[True, 2]], [[1, 2], [2, 3]]):
        assert desk.post(f"{path}/pair", {"games": wrong}).status_code == 400, wrong
    assert desk.post(f"{path}/pair", {"games": [[1, 99]]}).status_code == 404
    told = desk.post(f"{path}/pair", {"games": [[1, 2], [3, None]]})
    assert told.status_code == 409
    assert [warning["what"] for warning in told.json()["warnings"]] == ["same_club", "left_out", "left_out"]
    assert desk.post(f"{path}/pair", {"games": [[1, 3], [2, 4], [5, None]]}).status_code == 200
    assert desk.post(f"{path}/pair", {"games": [[1, 3]]}).status_code == 409  # results are missing
    for game in (0, 1):
        desk.post(f"{path}/result", {"round": 1, "game": game, "levels": ["A", "9"], "winner": "one"})
    again = {"games": [[3, 1], [2, 4], [5, None]]}
    found = {warning["what"] for warning in desk.post(f"{path}/pair", again).json()["warnings"]}
    assert found == {"rematch", "second_bye"}
    assert desk.post(f"{path}/pair", again | {"sure": True}).status_code == 200
    assert [each["by_hand"] for each in desk.get(path).json()["rounds"]] == [True, True]
