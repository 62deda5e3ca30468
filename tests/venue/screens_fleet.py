"""Pictures of the fleet page with what it hands to the tables: ``python -m tests.venue.screens_fleet [FOLDER]``."""

import sys
import tempfile
import time
from pathlib import Path

from tests.venue.chromium import Chromium
from tests.venue.conftest import Browser
from tests.venue.releases import bring, deck, new_key, pack
from tests.venue.screens import NAMES, POORLY, STATUS, Hall, enter
from venue.protocol import Acknowledgement


class Office:
    """The chief referee's session, for what is brought without a window."""

    def __init__(self, hall):
        browser = Browser(hall.app, "裁判长陈", hall.code("chief", "裁判长陈"))
        self.http, self.csrf, self.post = browser.http, browser.csrf, browser.post


FACES = tuple(f"{suit}{rank}" for suit in "SHCD" for rank in "23456789TJQKA") + ("SB", "HR")
OLD, NEW = "0.1.0-5c95421e26", "0.2.0-8b1f03c6aa"


def speak(hall, table, status, answers=()):
    """*table* says how it fares, and answers what it was told: ``(kind, state, why)``."""
    batch = table.side.batch(lambda after, most: table.journal[after : after + most], status, 0)
    answer = table.http.post("/v1/sync", json=batch.to_json(), headers=hall.head(table))
    for directive in table.side.received(answer.status_code, answer.json()):
        table.side.kept(directive.id)
        for kind, state, why in answers:
            if directive.do == kind:
                table.side.answer(Acknowledgement(id=directive.id, state=state, why=why))
    batch = table.side.batch(lambda after, most: (), status, 0)
    table.side.received(200, table.http.post("/v1/sync", json=batch.to_json(), headers=hall.head(table)).json())


def furnish(hall, folder):
    """Eight tables, a club's own deck at most of them, a release that two run and the third fetches."""
    for number in range(1, 9):
        hall.table(str(number), "A" if number < 5 else "B", NAMES[number % 6], [])
    office = Office(hall)
    house = bring(office, "deck", deck("俱乐部专用牌", FACES * 8), "a" * 16).json()["file"]["sha256"]
    bring(office, "deck", deck("老年大学红牌", FACES[:52] * 6), "b" * 16)
    key, _ = new_key(folder)
    about = {"release": NEW, "version": "0.2.0", "python": "3.13", "processor": "aarch64", "made": int(time.time())}
    made = pack(folder / "new.release", key, {"wheels/a.whl": bytes(9_000_000)}, **about)
    release = bring(office, "release", made.read_bytes(), "c" * 16).json()["file"]["sha256"]
    office.post(f"/v1/decks/{house}/hand")
    office.post(f"/v1/releases/{release}/hand", {"places": ["1", "2"]})
    common = STATUS | {"deck": house, "release": OLD, "platform": "3.13 aarch64"}
    for place, table in hall.tables.items():
        status, answers = common, [("deck_profile", "done", None)]
        if place in "12":
            status, answers = common | {"release": NEW}, [*answers, ("release", "done", None)]
        elif place == "4":
            why = "本桌磁盘存不下这个文件：已满或不能写入"
            status, answers = common | POORLY | {"deck": "", "disk": 0.2}, [("deck_profile", "refused", why)]
        elif place == "6":
            status, answers = common | {"deck": ""}, [("deck_profile", "shown", None)]
        table.fares = status
        speak(hall, table, status, answers)
    office.post(f"/v1/releases/{release}/hand", {"places": ["3", "5"]})
    hall.tables["3"].fares = common | {"update": "fetching", "fetched": 45}
    hall.tables["5"].fares = common | {"update": "waiting"}
    for place in "35":
        speak(hall, hall.tables[place], hall.tables[place].fares, [("release", "shown", None)])


def main(folder):
    folder = Path(folder)
    with tempfile.TemporaryDirectory() as home, Chromium() as browser:
        hall = Hall(home)
        furnish(hall, Path(home))
        page = browser.page(1024, 768)
        enter(page, hall, "chief", "裁判长陈", at="/fleet")
        for name, size, language in (("tablet", (1024, 768, 1, False), "zh"), ("phone-en", (390, 844, 2, True), "en")):
            page.size(*size)
            page.open(f"{hall.url}/fleet?lang={language}")
            page.until("document.querySelectorAll('.tile').length === 8 && document.querySelectorAll('article').length")
            for table in hall.tables.values():
                speak(hall, table, table.fares)
            page.until(
                "document.querySelectorAll('.tile.fine').length > 4 && document.body.textContent.includes('45 %')"
            )
            page.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            page.picture(folder / f"venue-fleet-files-{name}.png")
        print(browser.errors)
        hall.running.stop()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2] / "docs" / "screens")
