"""Pictures of the desk, of its papers and of the hall's screens: ``python -m tests.venue.screens_desk [FOLDER]``."""

import random
import sys
import tempfile
from pathlib import Path

from tests.venue.chromium import Chromium
from tests.venue.conftest import Browser
from tests.venue.test_browser import PHONE, PROJECTOR, SAY, TABLET, Hall

FAMILY, GIVEN = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何",
    ("伟", "芳", "娜", "敏", "静", "建国", "磊", "志强", "洋", "艳", "海涛", "军"),
)
CLUBS = ("红星", "建设", "港务", "电力", "文联")
LEVELS = "23456789TJQKA"
PHONE_KEYS = {  # of the example in RFC 8291
    "public": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}


class Organiser:
    """Fills events through the same doors as the page."""

    def __init__(self, hall):
        self.desk, self.rng = Browser(hall.app, "desk", hall.code("desk")), random.Random(4)

    def event(self, title, template, pairs, rounds, finish=True, **options):
        path = self.desk.post("/v1/competitions", {"title": title, "template": template, "options": options}).json()
        path = f"/v1/competitions/{path['id']}"
        names = self.rng.sample([family + given for family in FAMILY for given in GIVEN], 2 * pairs)  # nobody twice
        text = "\n".join(f"{names.pop()},{names.pop()},{self.rng.choice(CLUBS)}" for _ in range(pairs))
        headers = {"x-guandan-csrf": self.desk.csrf}
        self.desk.http.post(f"{path}/entries", content=text.encode(), headers=headers)
        for number in range(1, rounds + 1):
            if self.desk.post(f"{path}/draw", {"seed": f"2026-{number}"}).status_code != 200:
                break
            if finish or number < rounds:
                self.results(path, number)
        return path

    def sit_down(self, path, tables):
        """Send the seats; the first table is complete, at the second one side sits, nobody at the others."""
        self.desk.post(f"{path}/seat")
        for table, sides in zip(tables, (["NS", "EW"], ["EW"]), strict=False):
            table.sync()
            match = table.carried_out[-1].data["match"]
            said = {"do": "check_in", "match": match, "profile": "championship", "sides": sides}
            table.append(said, record=False)
            table.sync()

    def results(self, path, number, share=1.0):
        for place, game in enumerate(self.desk.get(path).json()["rounds"][-1]["games"]):
            if game["other"] is not None and self.rng.random() < share:
                low, high = sorted(self.rng.sample(LEVELS, 2), key=LEVELS.index)
                one = self.rng.random() < 0.5
                body = {"levels": [high, low] if one else [low, high], "winner": "one" if one else "other"}
                self.desk.post(f"{path}/result", {"round": number, "game": place} | body)


def main(folder):
    with tempfile.TemporaryDirectory() as home, Chromium() as browser:
        hall = Hall(Path(home), browser)
        hall.places(*map(str, range(1, 17)))
        made = Organiser(hall)

        def take(page, name, **more):
            page.picture(folder / f"venue-{name}.png", **more)

        page = hall.window("desk", TABLET)
        page.open(f"{hall.url}/desk")
        page.see("中青家居掼神赛")
        take(page, "desk-new")
        page.press("积分编排赛", "button.template")
        page.press(SAY["desk"]["details"])
        take(page, "desk-new-details", whole=True)
        tables = [hall.table(name) for name in "123"]
        swiss = made.event("周五积分赛", "club-swiss", 31, 3, finish=False)
        made.sit_down(swiss, tables)
        page.open(f"{hall.url}/desk")
        page.see(SAY["desk"]["enter_result"])
        take(page, "desk-drawn")
        page.press(SAY["office"]["start"], "button.main")
        made.results(swiss, 3, share=0.6)
        page.until("document.querySelector('.time')")
        page.press(SAY["desk"]["enter_result"], ".game-row.open button.score")
        page.press(SAY["desk"]["trouble"])
        page.run("document.querySelector('.edit').scrollIntoView({block: 'center'})")
        take(page, "desk-round")
        page.run("scrollTo(0, 0)")
        page.press(SAY["desk"]["tab_standings"])
        page.press("/", ".standings button.name")
        take(page, "desk-standings")
        page.press(SAY["desk"]["tab_papers"])
        take(page, "desk-papers")
        phone = hall.window("desk", PHONE, scale=2, touch=True)
        phone.open(f"{hall.url}/desk")
        phone.see(SAY["desk"]["enter_result"])
        take(phone, "desk-phone")
        screen, small = hall.window("announcer", PROJECTOR), hall.window("spectator", PHONE, scale=2, touch=True)
        for view in ("pairings", "standings"):
            screen.open(f"{hall.url}/board?show={view}")
            screen.until(f"document.querySelector('.{view}')")
            take(screen, f"board-{view}-projector")
        small.see("周五积分赛")
        small.until("document.querySelector('.pairings, .standings')")
        take(small, "board-pairings-phone")
        made.event("俱乐部小组赛", "club-groups", 16, 2, finish=False)
        screen.open(f"{hall.url}/board?show=standings")
        screen.until("document.querySelector('.groups')")
        take(screen, "board-groups-projector")
        cup = made.event("迎新春邀请赛", "invitational", 14, 4)
        screen.open(f"{hall.url}/board?show=bracket&event={cup.rsplit('/', 1)[1]}")
        screen.until("document.querySelectorAll('.bracket .lines path').length === 13")
        take(screen, "board-bracket-projector")
        page.open(f"{hall.url}/desk")
        page.press("迎新春邀请赛", ".events button")
        page.see(SAY["desk"]["next_finished"])
        page.press(SAY["desk"]["tab_standings"])
        page.until("document.querySelector('.bracket .lines path')")
        take(page, "desk-bracket")
        page.open(f"{hall.url}/desk?lang=en")
        page.see("Entries")
        take(page, "desk.en")
        chief = hall.window("chief", TABLET)
        chief.open(f"{hall.url}/office")
        chief.press("Webhook", "summary")
        chief.fill(SAY["hook"]["url"], "https://93.184.216.34/robot?key=word", "details input")
        chief.press(SAY["hook"]["add"], "details button")
        chief.until("document.querySelector('.hook')")
        chief.run("document.querySelector('details[open]').scrollIntoView({block: 'center'})")
        take(chief, "office-webhook")
        chief.press(SAY["hook"]["title"], "summary")
        chief.press(SAY["push"]["title"], "summary")
        chief.fill(SAY["push"]["contact"], "zhou@club.example", "details input")
        chief.press(SAY["push"]["on"], "details button")
        told = Browser(hall.app, "周裁判", hall.code("referee"))
        told.post("/v1/push/phone", {"endpoint": "https://93.184.216.34/send/word", **PHONE_KEYS})
        chief.open(f"{hall.url}/office")
        chief.press(SAY["push"]["title"], "summary")
        chief.see(SAY["push"]["is_on"].format(n=1))
        chief.until(
            "document.querySelector('details[open] .hook') && document.querySelector('section.wide:last-child tr')"
        )
        chief.run("document.querySelector('details[open]').scrollIntoView({block: 'center'})")
        take(chief, "office-push")
        referee = hall.window("referee", PHONE, scale=2, touch=True)
        referee.see(SAY["push"]["here_text"])
        take(referee, "duty-push-phone")
        for sheet, event in (("pairings", swiss), ("scoresheets", swiss), ("bracket", cup), ("certificates", cup)):
            page.open(f"{hall.url}{event}/print/{sheet}?lang=zh")
            page.size(794, 1123)
            take(page, f"print-{sheet}")
        print(browser.errors)
        browser.close_pages()
        hall.running.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/screens"))
