"""Pictures of all the venue's pages as people see them: ``python -m tests.venue.screens [FOLDER]`` (Debian's Chromium).

The referees', the fleet's and the office's are made here; ``screens_desk`` makes those of desk, hall and papers,
``screens_fleet`` those of what tables are handed.
"""

import hashlib
import json
import sys
import tempfile
import threading
import time
from pathlib import Path

import cv2

from simulator.art import Deck
from simulator.camera import VirtualCamera
from simulator.truth import play_match
from simulator.world import World
from tests.venue.chromium import Chromium
from tests.venue.conftest import ReferenceTable, Running
from venue.protocol import SyncEvent
from venue.store import Database, devices, people

NAMES = (
    ("林海", "陈静", "周宁", "吴涛"), ("王芳", "赵强", "孙磊", "钱蓉"), ("郑凯", "冯雪", "褚明", "卫东"),
    ("蒋怡", "沈飞", "韩冰", "杨柳"), ("朱峰", "秦岚", "尤佳", "许诺"), ("何苗", "吕品", "施展", "张弛"),
)  # fmt: skip
ILLEGAL = [
    {"do": "deal", "leader": "N", "t": 4.0},
    {"do": "play", "seat": "N", "cards": ["S9", "D9"], "t": 11.2, "settled": 12.0},
    {"do": "pass", "seat": "W", "by": "pressed", "t": 15.8}, {"do": "pass", "seat": "S", "by": "pressed", "t": 18.1},
    {"do": "play", "seat": "E", "cards": ["C8", "H8"], "t": 24.9, "settled": 25.7},
]  # fmt: skip
STATUS = {
    "version": "0.1.0", "index_px": 29, "light": "fine", "temperature": 58.4, "undervoltage": False, "wifi": -58,
    "disk": 21.4, "asks_per_deal": 0.4, "unsent": 0, "oldest_unsent": 0,
}  # fmt: skip

POORLY = {"temperature": 79, "undervoltage": True, "light": "dark", "index_px": 18}


class Hall:
    """A hall in full swing: a venue that serves, eight tables, people's browsers."""

    def __init__(self, folder):
        self.database = Database(str(Path(folder) / "venue.db"))
        self.running = Running(self.database)
        self.app, self.url = self.running.app, self.running.url
        self.tables = {}

    def table(self, place, zone, names, record, status=STATUS):
        now = time.time()
        with self.database.writing() as connection:
            devices.add_place(connection, place, zone, now, None)
            code, _ = devices.new_code(connection, place, now, None)
        table = self.tables[place] = ReferenceTable(self.app, code, f"Pi {place}")
        table.append({"do": "match", "ruleset": "national", "profile": "championship",
                      "names": dict(zip("NESW", names, strict=True))})  # fmt: skip
        for line in record:
            table.append(line)
        self.sync(table, status)
        return table

    def sync(self, table, status=STATUS):
        batch = table.side.batch(lambda after, most: table.journal[after : after + most], status, 0)
        while batch.events:
            answer = table.http.post("/v1/sync", json=batch.to_json(), headers=self.head(table))
            table.side.received(answer.status_code, answer.json())
            batch = table.side.batch(lambda after, most: table.journal[after : after + most], status, 0)

    def head(self, table):
        return {"authorization": f"Bearer {table.paired['token']}"}

    def say(self, table, event):
        seq = len(table.journal) + 1
        table.journal.append(SyncEvent(seq=seq, event=event, match=table.match, line=table.line))
        self.sync(table)

    def evidence(self, table, alert):
        files = []
        for kind, type_, content in pictures():
            told = {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content), "type": type_, "kind": kind}
            if kind == "crop":
                told |= {"seat": "E", "candidates": [["C8", 0.998], ["S8", 0.002]]}
            files.append((told, content))
        self.say(table, {"do": "evidence", "alert": alert, "files": [told for told, _ in files]})
        for told, content in files:
            for at in range(0, len(content), 400_000):
                path = f"/v1/evidence/{told['sha256']}?offset={at}"
                table.http.post(path, content=content[at : at + 400_000], headers=self.head(table))

    def code(self, role, name, zones=()):
        with self.database.writing() as connection:
            return people.invite(connection, role, name, list(zones), time.time(), many=role == "spectator")


def pictures():
    """What a table keeps of an alert: its mat, a crop, a clip."""
    record = play_match(7, "national", "championship", deals=1)
    world = World(record, [Deck.own("river")], 7)
    times = [each.clear for each in world.truth if each.do == "play"]
    camera = VirtualCamera(world, lambda: times[3] + 0.5, (1640, 1232), seed=7)
    whole = camera.still().image
    crop = whole[240:620, 420:1220]
    found = [("table", "image/jpeg", cv2.imencode(".jpg", whole)[1].tobytes()),
             ("crop", "image/jpeg", cv2.imencode(".jpg", crop)[1].tobytes())]  # fmt: skip
    path = Path(tempfile.mkdtemp()) / "clip.webm"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"VP80"), 10, (820, 616))
    for n in range(30):
        now = times[3] + 0.5 + n / 1000  # hands are never in a picture
        frame = VirtualCamera(world, lambda now=now: now, (820, 616), seed=7).still().image
        film.write(cv2.resize(frame, (820, 616)))
    film.release()
    if path.exists() and path.stat().st_size > 1000:
        found.insert(0, ("clip", "video/webm", path.read_bytes()))
    return found


def full(hall):
    """Fill the hall."""
    for number, names in enumerate(NAMES, 1):
        record = [
            json.loads(event.to_line())
            for event in play_match(number, "national", "championship", deals=2 + number % 3)
        ]
        status = STATUS | (
            {"temperature": 79, "undervoltage": True, "light": "dark", "index_px": 18} if number == 4 else {}
        )
        hall.table(str(number), "A" if number < 4 else "B", names, record[1:], status)
    with hall.database.writing() as connection:
        for place in ("9", "10"):
            devices.add_place(connection, place, "B", time.time(), None)
    seven = hall.table("7", "A", ("何平", "高远", "于洋", "江枫"), ILLEGAL)
    hall.say(seven, {"do": "paired", "alerts": False})
    board = hall.app.state.venue.hall.boards[seven.match]
    alert = next(each.id for each in board.match.alerts if each.kind == "does_not_beat")
    hall.say(seven, {"do": "alert", "id": alert, "kind": "does_not_beat", "certain": True, "seat": "E", "route": "both",
                     "evidence": {"touched": 24.9, "settled": 25.7, "sure": True, "camera": "ok"}})  # fmt: skip
    hall.evidence(seven, alert)
    called = hall.tables["2"]
    called.append({"do": "call", "seat": "W", "t": 900.0})
    hall.sync(called)
    return alert


def keep_in_touch(hall):
    """Tables speak now and then; one of them does not."""
    while not hall.app.state.venue.closing:
        for place, table in hall.tables.items():
            if place != "5":
                status = STATUS | (
                    {"temperature": 79, "undervoltage": True, "light": "dark", "index_px": 18} if place == "4" else {}
                )
                table.http.post("/v1/sync", json=table.side.ear(status, 0).to_json(), headers=hall.head(table))
        time.sleep(4)


def enter(page, hall, role, name, zones=(), at=None):
    page.open(f"{hall.url}/enter#{hall.code(role, name, zones)}")
    page.press("进", "button")
    page.until("location.pathname !== '/enter'")
    if at:
        page.open(hall.url + at)


def main(folder):
    folder = Path(folder)
    with tempfile.TemporaryDirectory() as home, Chromium() as browser:
        hall = Hall(home)
        full(hall)
        threading.Thread(target=keep_in_touch, args=(hall,), daemon=True).start()

        def take(page, name):  # a call that waits rings again and again: first it is told to wait
            page.run("document.querySelector('.ring .plain')?.click()")
            page.picture(folder / f"venue-{name}.png")

        phone = browser.page(390, 844, scale=2, touch=True)
        enter(phone, hall, "chief", "周裁判")
        phone.picture(folder / "venue-duty-start-phone.png")
        phone.run("document.querySelector('.start button').click()")
        phone.until("document.querySelector('.ring')")
        phone.picture(folder / "venue-duty-ringing-phone.png")
        phone.run("document.querySelector('.ring .plain').click()")
        take(phone, "duty-calls-phone")
        english = browser.page(390, 844, scale=2, touch=True)
        enter(english, hall, "referee", "Zhou", ["A"], at="/duty?lang=en")
        english.press("Start duty", "button")
        english.until("document.querySelector('.ring')")
        take(english, "duty-calls-phone-en")
        wide = browser.page(1024, 768)
        enter(wide, hall, "chief", "裁判长陈")
        wide.press("开始执勤", "button")
        wide.until("document.querySelector('.ring')")
        wide.run("document.querySelector('.ring .plain').click()")
        wide.run("[...document.querySelectorAll('.case')].find((each) => each.innerText.startsWith('7')).click()")
        wide.until("document.querySelectorAll('.rulings span').length > 1")
        take(wide, "duty-tablet")
        phone.run("[...document.querySelectorAll('.case')].find((each) => each.innerText.startsWith('7')).click()")
        phone.until("document.querySelectorAll('.pictures figure img, .pictures figure video').length >= 2")
        time.sleep(2)
        take(phone, "duty-case-phone")
        phone.size(390, 1680, 1, True)
        time.sleep(1)
        take(phone, "duty-evidence-phone")
        phone.size(390, 844, 2, True)
        print(browser.errors)
        phone.run("[...document.querySelectorAll('.rulings button')][0].click()")
        time.sleep(5)
        hall.sync(hall.tables["7"])
        take(phone, "duty-ruled-phone")
        phone.run("document.querySelector('.sheet header button').click()")
        phone.run("[...document.querySelectorAll('.tabs button')][1].click()")
        take(phone, "duty-tables-phone")
        phone.run("document.querySelector('.halls button').click()")
        take(phone, "duty-table-phone")
        phone.run("document.querySelector('.sheet header button').click()")
        phone.run("[...document.querySelectorAll('.tabs button')][0].click()")
        phone.cut()
        phone.run("performance.now = ((real) => () => real() + 60000)(performance.now.bind(performance))")
        phone.until("document.body.classList.contains('silent')")
        take(phone, "duty-cut-phone")
        time.sleep(20)
        tablet = browser.page(1024, 768)
        enter(tablet, hall, "desk", "组织者", at="/fleet")
        tablet.until("document.querySelectorAll('.tile').length > 5")
        time.sleep(1)
        tablet.picture(folder / "venue-fleet-tablet.png")
        tablet.open(hall.url + "/office")
        time.sleep(2)
        tablet.picture(folder / "venue-office-tablet.png")
        wide = browser.page(1920, 1080)
        enter(wide, hall, "announcer", "大屏", at="/board")
        time.sleep(2)
        wide.picture(folder / "venue-board-projector.png")
        small = browser.page(390, 844, scale=2, touch=True)
        enter(small, hall, "spectator", "", at="/board")
        time.sleep(2)
        small.picture(folder / "venue-board-phone.png")
        print(browser.errors)
        hall.running.stop()


if __name__ == "__main__":
    from tests.venue import screens_desk, screens_fleet  # they take from here what they share with it

    chosen = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/screens")
    for each in (main, screens_desk.main, screens_fleet.main):
        each(chosen)
