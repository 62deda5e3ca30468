"""Each role's main work in Debian's Chromium, at phone, tablet and projector size, from first word to last file."""

import base64
import io
import json
import re
import time
import zipfile

import pytest

from tests.venue.accessible import faults
from tests.venue.chromium import BINARY, Chromium
from tests.venue.conftest import ReferenceTable, Running
from venue.store import Database, devices, people
from venue.web.pages import words

pytestmark = pytest.mark.skipif(BINARY is None, reason="no Chromium on this machine (Debian's package chromium)")
SAY = words("zh")
PHONE, TABLET, PROJECTOR = (390, 844), (1024, 768), (1920, 1080)


class Hall:
    """A venue that serves, and people's windows into it."""

    def __init__(self, folder, browser):
        self.database, self.browser = Database(str(folder / "venue.db")), browser
        self.running = Running(self.database)
        self.app, self.url = self.running.app, self.running.url
        self.running.venue.limits.wait = lambda *_: 0.0  # people's fingers are slower than a script's

    def code(self, role, zones=()):
        with self.database.writing() as connection:
            return people.invite(connection, role, role, list(zones), time.time(), many=role == "spectator")

    def window(self, role, size, zones=(), **more):
        page = self.browser.page(*size, **more)
        code = self.code(role, zones)
        if role == "spectator":  # a code that is typed, not a link
            page.open(f"{self.url}/enter")
            page.fill(SAY["enter"]["code"], code)
        else:
            page.open(f"{self.url}/enter#{code}")
            page.fill(SAY["enter"]["name"], role)
        page.press(SAY["enter"]["go"], "button")
        page.until("location.pathname !== '/enter'")
        return page

    def places(self, *names, zone="A"):
        with self.database.writing() as connection:
            for name in names:
                devices.add_place(connection, name, zone, time.time(), None)

    def table(self, place):
        self.places(place)
        with self.database.writing() as connection:
            code, _ = devices.new_code(connection, place, time.time(), None)
        return ReferenceTable(self.app, code)


@pytest.fixture(scope="module")
def browser():
    with Chromium() as made:
        yield made


@pytest.fixture
def hall(browser, tmp_path):
    made = Hall(tmp_path, browser)
    browser.errors.clear()
    yield made
    browser.close_pages()
    made.running.stop()
    assert not browser.errors


def fetched(page, path):
    """The bytes at *path*, fetched by the page itself."""
    script = (
        f"fetch({json.dumps(path)}).then((answer) => answer.arrayBuffer()).then((held) =>"
        " btoa([...new Uint8Array(held)].map((byte) => String.fromCharCode(byte)).join('')))"
    )
    return base64.b64decode(page.run(script))


def the_event(page):
    """The newest event as the venue tells it, and its path."""
    ask = "fetch('/v1/competitions{}').then((answer) => answer.json())"
    newest = page.run(ask.format(""))["competitions"][-1]["id"]
    told = page.run(ask.format(f"/{newest}"))
    return told, f"/v1/competitions/{told['id']}"


def begin(page, template, entries):
    page.open(page.run("location.origin") + "/desk")
    page.press(template, "button.template")
    page.press(SAY["desk"]["create"], "button.main")
    page.fill(SAY["desk"]["entries"], entries, "textarea")
    page.press(SAY["desk"]["add_entries"], "button")
    page.press(SAY["desk"]["all_here"], "button")


_TYPE = """
(async (results) => {
  const until = async (what) => {
    for (const end = Date.now() + 50000; Date.now() < end; await new Promise((done) => setTimeout(done, 5))) {
      const found = what();
      if (found) return found;
    }
    throw new Error(`never came: ${what} ${document.querySelector(".toast")?.innerText}`);
  };
  const open = () => document.querySelectorAll(".game-row.open");
  for (const levels of results) {
    (await until(() => open()[0]?.querySelector("button.score"))).click();
    const edit = await until(() => document.querySelector(".edit")), left = open().length;
    for (const [at, list] of edit.querySelectorAll(".levels select").entries()) {
      list.value = levels[at];
      list.dispatchEvent(new Event("change"));
    }
    edit.querySelector("button.main").click();
    await until(() => open().length === left - 1 && !document.querySelector(".edit"));
  }
})
"""


def put_results(page, results):
    """Enter the results of the first games that have none, as a person does: open, two levels, save."""
    page.run(f"({_TYPE})({json.dumps(results)})")


def play_round(page, number):
    page.until("document.querySelectorAll('.game-row.open').length")
    games = page.run("document.querySelectorAll('.game-row.open').length")
    put_results(page, [["A", "2345678"[game % 7]] if (game + number) % 3 else ["9", "K"] for game in range(games)])


def test_an_organiser_runs_an_invitational_to_the_prizes_and_the_archive(hall):
    hall.places(*"1234567")
    page = hall.window("desk", TABLET)
    begin(page, "迎新春邀请赛", "\n".join(f"甲{n},乙{n},单位{n % 5}" for n in range(1, 15)))
    page.see(SAY["desk"]["next_ready"].format(n=14, here=14))
    page.press(SAY["desk"]["draw_first"])
    page.press(SAY["office"]["start"], "button.main")
    page.until("document.querySelector('.time')")
    for number, games in enumerate((7, 3, 2, 1)):
        page.until(f"document.querySelectorAll('.game-row.open').length === {games}")
        play_round(page, number)
        if games > 1:
            page.press(SAY["desk"]["draw"], "button.main")
    page.see(SAY["desk"]["next_finished"])
    page.press(SAY["desk"]["tab_standings"])
    page.until("document.querySelectorAll('.bracket .lines path').length === 13")
    assert page.run("document.querySelectorAll('.standings tbody tr').length") >= 14
    told, path = the_event(page)
    assert [each["prize"] for each in told["awards"]][:2] == ["一等奖", "一等奖"] and len(told["awards"]) == 14
    held = zipfile.ZipFile(io.BytesIO(fetched(page, f"{path}/archive")))
    assert "一等奖" in held.read("index.html").decode() and held.testzip() is None
    paper = fetched(page, f"{path}/print/prizes").decode()
    assert paper.count("<tr>") == 15
    assert not faults(page)


def test_an_organiser_runs_a_swiss_of_37_pairs(hall):
    page = hall.window("desk", TABLET)
    begin(page, "积分编排赛", "\n".join(f"甲{n},乙{n},单位{n % 9}" for n in range(1, 38)))
    page.press(SAY["desk"]["draw_first"])
    for number in range(5):
        play_round(page, number)
        if number < 4:
            page.press(SAY["desk"]["draw"], "button.main")
    page.see(SAY["desk"]["next_finished"])
    page.press(SAY["desk"]["tab_standings"])
    page.press("甲", ".standings button.name")  # each figure says where it comes from
    page.until("document.querySelector('.standings .why:not([hidden])').innerText.includes('+')")
    told, path = the_event(page)
    met = [
        frozenset((game["one"], game["other"])) for past in told["rounds"] for game in past["games"] if game["other"]
    ]
    byes = [game["one"] for past in told["rounds"] for game in past["games"] if game["other"] is None]
    assert len(met) == len(set(met)) == 90 and len(byes) == len(set(byes)) == 5
    assert [each["prize"] for each in told["awards"]] == ["一等奖"] + ["二等奖"] * 2 + ["三等奖"] * 3
    assert fetched(page, f"{path}/workbook")[:2] == b"PK" and fetched(page, f"{path}/sheet").count(b"\n") == 38
    # a correction: asks for a reason, keeps the old value
    page.press(SAY["desk"]["tab_games"])
    page.press("A", ".game-row button.score.plain")
    page.fill(SAY["desk"]["reason"], "看错纸单")
    page.press(SAY["desk"]["nobody"], ".edit button")
    page.press(SAY["desk"]["save"], ".edit button.main")
    page.see("✎1")
    assert sum(game["corrections"] for past in the_event(page)[0]["rounds"] for game in past["games"]) == 1


def test_a_referee_takes_and_rules_an_alert_while_the_line_is_cut_between(hall):
    table = hall.table("7")
    page = hall.window("chief", PHONE, touch=True)
    page.press(SAY["duty"]["start"], "button")
    page.see(SAY["duty"]["calm"])
    assert not faults(page)
    # the line is cut; half a minute later the page is red and says so
    page.cut()
    page.run("performance.now = ((real) => () => real() + 30000)(performance.now.bind(performance))")
    page.see(SAY["duty"]["cut"])
    # meanwhile a table calls: what comes is there as soon as the line is back
    for line in (
        {
            "do": "match",
            "ruleset": "national",
            "profile": "championship",
            "names": {"N": "甲", "E": "乙", "S": "丙", "W": "丁"},
        },
        {"do": "deal", "leader": "N"},
        {"do": "play", "seat": "N", "cards": ["S9", "D9"]},
        {"do": "pass", "seat": "W", "by": "pressed"},
        {"do": "pass", "seat": "S", "by": "pressed"},
        {"do": "play", "seat": "E", "cards": ["C8", "H8"]},
    ):
        table.append(line)
    assert table.sync().status_code == 200
    page.cut(False)
    page.see(SAY["kind"]["does_not_beat"])
    page.press(SAY["duty"]["take"], "button")
    page.see(SAY["case"]["ruling"])
    assert not faults(page)
    page.press(SAY["verdict"]["uphold"], "button")
    page.see(SAY["case"]["ruled"])
    table.sync()
    assert table.carried_out[-1].do == "ruling" and table.carried_out[-1].data["verdict"] == "uphold"
    table.sync()
    page.see(SAY["ruling"]["record"])


def test_the_hall_and_a_spectator_follow_and_see_nothing_that_helps(hall):
    tables, desk = [hall.table(name) for name in "12"], hall.window("desk", TABLET)
    begin(desk, "小组赛加淘汰赛", "\n".join(f"甲{n},乙{n}" for n in range(1, 9)))
    desk.press(SAY["desk"]["draw_first"])
    desk.press(SAY["desk"]["seat"])
    desk.see(SAY["desk"]["seated"].format(n=2))
    screen, phone = hall.window("announcer", PROJECTOR), hall.window("spectator", PHONE, touch=True)
    for page in (screen, phone):
        page.see("小组赛加淘汰赛")
        page.until("document.querySelectorAll('.pairings .game').length === 4")
        assert not faults(page)
    size = screen.run("parseFloat(getComputedStyle(document.querySelector('.pairings .ns')).fontSize)")
    assert size >= 30  # of 1080 lines: 5 cm on a screen 1.8 m high, read from ten metres
    table = tables[0]
    table.sync()
    told = table.carried_out[-1].data
    table.match, table.line = told["match"], 0
    for line in (told["record"], {"do": "deal", "leader": "N"}, {"do": "play", "seat": "N", "cards": ["S9", "D9"]}):
        table.append(line)
        table.match = told["match"]
    table.journal = [
        type(each)(seq=n, event=each.event, match=told["match"], line=n) for n, each in enumerate(table.journal, 1)
    ]
    table.line = len(table.journal)
    table.append({"do": "finish", "order": ["N", "S", "E", "W"]})
    assert table.sync().status_code == 200
    screen.press(SAY["board"]["show_tables"], "button")
    screen.until("[...document.querySelectorAll('.tile .level')].some((each) => each.innerText === '5')")
    assert not re.search("[♠♥♣♦]|S9|D9", screen.run("document.body.innerText"))
    # results of paper are there at once, and gone for the public while they are hidden
    put_results(desk, [["A", "9"]])
    phone.press(SAY["board"]["show_pairings"], "button")
    phone.see("A : 9")
    phone.fill(SAY["board"]["find"], "甲3")
    phone.until("document.querySelectorAll('.pairings .game:not([hidden])').length === 1")
    desk.open(f"{hall.url}/office")
    desk.press(SAY["office"]["hide"])
    phone.press(SAY["board"]["show_standings"], "button")
    phone.see(SAY["board"]["hidden"])
    assert "A : 9" not in phone.run("document.body.innerText")


def test_every_page_has_its_basics_in_english_too(hall):
    hall.places("1", "2")
    page = hall.window("chief", PHONE, touch=True)
    begin(page, "积分联赛", "\n".join(f"张{n},单位{n % 3}" for n in range(1, 9)))
    page.press(SAY["desk"]["draw_first"])
    page.see(SAY["desk"]["enter_result"])
    for path in ("/desk", "/board", "/office", "/duty", "/fleet", "/enter"):
        page.open(f"{hall.url}{path}?lang=en")
        page.until("document.querySelector('h1')?.innerText && !document.querySelector('.line[data-state=connecting]')")
        for size in (PHONE, TABLET):
            page.size(*size)
            assert not faults(page), path
    page.open(f"{hall.url}{the_event(page)[1]}/print/pairings")
    assert page.run("document.querySelectorAll('table.wall tbody tr').length") == 2
