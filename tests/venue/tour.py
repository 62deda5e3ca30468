"""A walk through every page of every role, in the states that its work brings: what checks of pages look at.

``for stop, page in tour(hall, folder):`` each *page* stands as *stop* says; its window may be given other sizes
meanwhile. A light that some page has only with a table's camera, a referee's evidence or a result is lit here.
"""

import hashlib
import io
import json
import zipfile

import cv2
import numpy as np

from tests.venue.conftest import Browser
from tests.venue.releases import bring, deck
from tests.venue.test_browser import PHONE, PROJECTOR, SAY, TABLET, begin, fetched, put_results, the_event
from venue.authority import Authority
from venue.plain import PlainDoor

SHEETS = ("entries", "pairings", "scoresheets", "results", "standings", "bracket", "prizes", "certificates")
STATUS = {
    "version": "0.1.0", "index_px": 29, "light": "fine", "temperature": 58.4, "undervoltage": False, "wifi": -58,
    "disk": 21.4, "asks_per_deal": 0.4, "unsent": 0, "oldest_unsent": 0,
}  # fmt: skip
POORLY = STATUS | {"temperature": 79, "undervoltage": True, "light": "dark", "index_px": 18, "unsent": 31}
ILLEGAL = [
    {"do": "match", "ruleset": "national", "profile": "championship",
     "names": {"N": "林海", "E": "陈静", "S": "周宁", "W": "吴涛"}},
    {"do": "deal", "leader": "N", "t": 4.0},
    {"do": "play", "seat": "N", "cards": ["S9", "D9"], "t": 11.2, "settled": 12.0},
    {"do": "pass", "seat": "W", "by": "pressed", "t": 15.8}, {"do": "pass", "seat": "S", "by": "pressed", "t": 18.1},
    {"do": "play", "seat": "E", "cards": ["C8", "H8"], "t": 24.9, "settled": 25.7},
]  # fmt: skip


def head(table):
    return {"authorization": f"Bearer {table.paired['token']}"}


def fares(table, status):
    """Say how the table's device fares."""
    table.http.post("/v1/sync", json=table.side.ear(status, 0).to_json(), headers=head(table))


def called(table, seat="W"):
    if table.match is None:
        for line in ILLEGAL[:3]:
            table.append(line)
    table.append({"do": "call", "seat": seat, "t": 13.0})
    assert table.sync().status_code == 200


def alerted(hall, table):
    """An illegal play with everything that a referee is shown of one."""
    for line in ILLEGAL:
        table.append(line)
    assert table.sync().status_code == 200
    board = hall.app.state.venue.hall.boards[table.match]
    alert = next(each.id for each in board.match.alerts if each.kind == "does_not_beat")
    picture = cv2.imencode(".jpg", np.full((90, 160, 3), 60, np.uint8))[1].tobytes()
    told = {"sha256": hashlib.sha256(picture).hexdigest(), "size": len(picture), "type": "image/jpeg", "kind": "crop",
            "seat": "E", "candidates": [["C8", 0.91], ["S8", 0.09]]}  # fmt: skip
    lost = told | {"sha256": "0" * 64, "kind": "clip", "type": "video/webm"}
    evidence = {"touched": 24.9, "settled": 25.7, "sure": False, "camera": "ok",
                "options": [["C8", "H8"], ["S8", "H8"]], "candidates": [["C8", 0.91], ["S8", 0.09]],
                "reports": [{"seat": "W", "count": 9, "t": 20.0}], "warnings": ["1:30 西家超时"]}  # fmt: skip
    table.append({"do": "alert", "id": alert, "kind": "does_not_beat", "certain": True, "seat": "E", "route": "both",
                  "evidence": evidence}, record=False)  # fmt: skip
    table.append({"do": "evidence", "alert": alert, "files": [told, lost]}, record=False)
    assert table.sync().status_code == 200
    path = f"/v1/evidence/{told['sha256']}?offset=0"
    assert table.http.post(path, content=picture, headers=head(table)).status_code == 200


def tour(hall, folder):
    """Every stop: its name and the window that stands there."""
    yield from _entrance(hall, folder)
    tables = [hall.table(name) for name in "1234"]
    hall.places("5", "6", zone="B")
    chief, referee = hall.window("chief", PHONE, touch=True), hall.window("referee", PHONE, touch=True, zones=["B"])
    yield from _duty(hall, chief, referee, tables)
    yield from _desk_and_hall(hall, folder, tables[3])
    yield from _office(hall, chief)
    yield from _fleet(hall, (chief, referee), tables)


def _entrance(hall, folder):
    page = hall.browser.page(*PHONE, touch=True)
    page.open(f"{hall.url}/enter")
    page.until("document.querySelector('input')")
    yield "entrance, with a code", page
    page.open(f"{hall.url}/enter?lang=zh#{hall.code('referee')}")
    page.see(SAY["enter"]["with_link"])
    yield "entrance, by a link", page
    page.fill(SAY["enter"]["name"], "甲")
    page.open(f"{hall.url}/enter?again#wrong")
    page.until("document.querySelector('form')")
    # what is told for a moment stays
    page.run("window.setTimeout = ((real) => (work, ms) => (ms < 4000 ? real(work, ms) : 0))(setTimeout)")
    page.press(SAY["enter"]["go"], "button")
    page.until("document.querySelector('.toast')")
    yield "entrance, refused", page
    authority = Authority(folder / "authority")
    with PlainDoor(("127.0.0.1", 0), authority.certificate, 8443) as door:
        door.start()
        page.open(f"http://127.0.0.1:{door.server_port}/")
        page.see(SAY["authority"]["title"])
        yield "plain door beside https", page
        door.shutdown()


def _duty(hall, page, elsewhere, tables):
    page.see(SAY["duty"]["start_text"])
    yield "duty, before it begins", page
    page.press(SAY["duty"]["start"], "button")
    page.see(SAY["duty"]["calm"])
    yield "duty, all is well", page
    alerted(hall, tables[0])
    called(tables[1])
    page.until("document.querySelector('.ring') && document.querySelectorAll('.case').length === 2")
    yield "duty, ringing", page
    page.press(SAY["duty"]["quiet"], "button")
    yield "duty, calls wait", page
    page.run("[...document.querySelectorAll('.case')].find((each) => each.innerText.startsWith('1')).click()")
    page.until(
        "document.querySelector('.sheet .pictures img')?.complete"
        " && document.querySelectorAll('.rulings span').length > 1"
    )
    yield "duty, a case", page
    called(tables[2])
    page.until("document.querySelector('.ring.banner')")
    yield "duty, a call beside a case", page
    page.press(SAY["duty"]["quiet"], ".ring button")
    page.press(SAY["duty"]["take"], ".sheet button")
    page.press(SAY["verdict"]["uphold"], ".sheet button")
    page.see(SAY["case"]["ruled"])
    yield "duty, ruled", page
    page.press(SAY["common"]["back"], ".sheet button")
    page.press(SAY["duty"]["tab_tables"], ".tabs button")
    page.until("document.querySelectorAll('.halls button').length === 6")
    yield "duty, tables", page
    page.press("1", ".halls button")
    page.see(SAY["table"]["health"])
    yield "duty, a table", page
    page.press(SAY["common"]["back"], ".sheet button")
    page.press(SAY["duty"]["tab_calls"], ".tabs button")
    elsewhere.press(SAY["duty"]["start"], "button")
    elsewhere.until("document.querySelector('.case')")
    yield "duty, calls of other zones", elsewhere
    page.cut()
    page.run("performance.now = ((real) => () => real() + 60000)(performance.now.bind(performance))")
    page.until("document.body.classList.contains('silent')")
    page.run("document.querySelector('.ring .plain')?.click()")
    yield "duty, not connected", page
    page.cut(False)


def _desk_and_hall(hall, folder, free):
    desk = hall.window("desk", TABLET)
    desk.open(f"{hall.url}/desk")
    desk.see(SAY["desk"]["choose"])
    yield "desk, no event", desk
    desk.press("小组赛加淘汰赛", "button.template")
    desk.press(SAY["desk"]["details"])
    yield "desk, an event's details", desk
    begin(desk, "小组赛加淘汰赛", "\n".join([*(f"甲{n},乙{n},单位{n % 3}" for n in range(1, 9)), "丙", "甲1,丁"]))
    desk.press(SAY["desk"]["tab_entries"])
    desk.see(SAY["desk"]["aside_title"].format(n=2))
    yield "desk, entries and doubtful lines", desk
    desk.run("window.confirm = () => true")
    desk.press(SAY["desk"]["aside_drop_all"])
    desk.press(SAY["desk"]["draw_first"])
    desk.press(SAY["desk"]["seat"])
    desk.until("document.querySelector('.seats-sent')")
    free.sync()
    match = free.carried_out[-1].data["match"]
    free.append({"do": "check_in", "match": match, "profile": "championship", "sides": ["NS"]}, record=False)
    assert free.sync().status_code == 200
    desk.see(SAY["desk"]["sits"].format(side=SAY["side"]["NS"]))
    yield "desk, drawn, seated and one side checked in", desk
    screen, phone = hall.window("announcer", PROJECTOR), hall.window("spectator", PHONE, touch=True)
    yield from _board(screen, phone, ("pairings", "tables"))
    desk.press(SAY["office"]["start"], "button.main")
    desk.press(SAY["desk"]["enter_result"], ".game-row.open button.score")
    desk.press(SAY["desk"]["trouble"])
    yield "desk, a game that goes wrong", desk
    desk.press(SAY["desk"]["cancel"], ".edit button")
    for _ in range(6):
        games = desk.run("document.querySelectorAll('.game-row.open').length")
        put_results(desk, [["A", "3"]] * games)
        desk.until("!document.querySelector('.game-row.open')")
        desk.see(SAY["desk"]["way_prizes"])
        if desk.run(f"document.body.innerText.includes({json.dumps(SAY['desk']['next_finished'])})"):
            break
        desk.press(SAY["desk"]["draw"], "button.main")
        desk.until("document.querySelector('.game-row.open')")
    desk.see(SAY["desk"]["next_finished"])
    yield "desk, all over", desk
    desk.press(SAY["desk"]["tab_standings"])
    desk.until("document.querySelector('.bracket .lines path')")
    desk.press("甲", ".standings button.name")
    yield "desk, standings explained and bracket", desk
    desk.press(SAY["desk"]["tab_papers"])
    desk.see(SAY["desk"]["papers_hint"])
    yield "desk, papers", desk
    yield from _board(screen, phone, ("standings", "bracket"))
    path = the_event(desk)[1]
    archive = zipfile.ZipFile(io.BytesIO(fetched(desk, f"{path}/archive")))
    archive.extractall(folder / "archive")
    for sheet in SHEETS:
        desk.open(f"{hall.url}{path}/print/{sheet}")
        desk.until("document.querySelector('h1')")
        yield f"paper, {sheet}", desk
    desk.open((folder / "archive" / "index.html").as_uri())
    yield "archive", desk
    desk.open(f"{hall.url}/office")
    desk.fill(SAY["office"]["notice"], "十分钟后开始第二轮", "input")
    desk.press(SAY["office"]["show"], "button.main")
    desk.press(SAY["office"]["hide"], "button")
    phone.press(SAY["board"]["show_standings"], "button")
    phone.see(SAY["board"]["hidden"])
    yield "hall on a phone, results hidden and a notice", phone


def _board(screen, phone, views):
    for view in views:
        for page, where in ((screen, "screen"), (phone, "phone")):
            page.open(f"{page.run('location.origin')}/board?show={view}")
            page.until(f"document.querySelector('.{'tile' if view == 'tables' else view}')")
            yield f"hall on a {where}, {view}", page


def _office(hall, phone):
    desk = hall.window("desk", TABLET)
    desk.open(f"{hall.url}/office")
    desk.see(SAY["office"]["people"])
    yield "office, organiser", desk
    page = hall.window("chief", TABLET)
    page.open(f"{hall.url}/office")
    page.until("document.querySelectorAll('.places tbody tr').length === 6")
    page.press(SAY["office"]["pair"], ".places button")
    page.see(SAY["office"]["code_once"])
    page.press(SAY["office"]["invite"], "button.main")
    page.until("document.querySelector('.scan')?.complete")
    page.press(SAY["hook"]["title"], "summary")
    page.fill(SAY["hook"]["url"], "https://93.184.216.34/robot?key=word", "details input")
    page.press(SAY["hook"]["add"], "details button")
    page.until("document.querySelector('.hook')")
    page.press(SAY["push"]["title"], "summary")
    page.until("[...document.querySelectorAll('details')].every((each) => each.open)")
    yield "office, codes, addresses and push", page
    page.fill(SAY["push"]["contact"], "chief@club.example", "details input")
    page.press(SAY["push"]["on"], "details button")
    page.see(SAY["push"]["is_on"].format(n=0))
    yield "office, push is on", page
    phone.open(f"{hall.url}/duty")
    phone.see(SAY["push"]["here_text"])
    yield "duty, push is offered", phone


def _fleet(hall, pages, tables):
    office = Browser(hall.app, "chief", hall.code("chief"))
    profile = bring(office, "deck", deck("俱乐部专用牌"), "a" * 16).json()["file"]["sha256"]
    assert office.post(f"/v1/decks/{profile}/hand", {"places": ["1", "2"]}).status_code == 200
    for table, status in zip(tables[:3], (STATUS, POORLY, STATUS), strict=True):
        fares(table, status)  # the fourth one says nothing any more
    for page, role, lit in ((pages[0], "chief", ".worry"), (pages[1], "referee", ".free")):  # a referee: his own zone
        page.open(f"{hall.url}/fleet")
        page.until(f"document.querySelector('.tile{lit}')")
        yield f"fleet, {role}", page
