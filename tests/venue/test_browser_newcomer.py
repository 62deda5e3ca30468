"""What somebody meets who runs a hall for the first time, in Debian's Chromium: a link, a list, tables, two rounds."""

import json

import pytest

from tests.venue.accessible import faults
from tests.venue.test_browser import BINARY, PHONE, SAY, TABLET, begin, browser, hall, play_round, the_event  # noqa: F401
from tests.venue.test_duty import ILLEGAL, put
from venue.sentences import Sentence
from venue.web.pages import words

pytestmark = pytest.mark.skipif(BINARY is None, reason="no Chromium on this machine (Debian's package chromium)")
ENGLISH = words("en")


def answers(page, yes):
    """What is asked from now on is answered so; what was asked is remembered."""
    page.run(f"window.asked = []; window.confirm = (text) => {{ asked.push(text); return {str(yes).lower()}; }}; 0")


def test_the_second_round_starts_with_a_clock_of_its_own(hall):  # noqa: F811
    desk, board = hall.window("desk", TABLET), hall.window("spectator", PHONE)
    begin(desk, "积分编排赛", "\n".join(f"甲{n},乙{n}" for n in range(1, 5)))
    desk.press(SAY["desk"]["draw_first"])
    desk.fill(SAY["office"]["minutes"], "45", "input")
    desk.press(SAY["office"]["start"], "button.main")
    first = SAY["desk"]["round"].format(n=1)
    board.until(f"document.querySelector('.clock')?.innerText.includes({first!r})")
    play_round(desk, 1)
    desk.press(SAY["desk"]["draw"])
    desk.see(SAY["desk"]["next_drawn"].format(round=SAY["desk"]["round"].format(n=2)))
    told, _ = the_event(desk)
    minutes = "document.querySelector('label.minutes input').value"
    assert desk.until(minutes) == str(told["plans"][0]["minutes"] or 60)
    assert not desk.run("document.querySelector('.time[data-ends]')")
    board.until("!document.querySelector('.clock')")
    # the office has a clock of its own running by now: it is not replaced unasked
    lunch = {"action": "start", "seconds": 600, "title": "午饭"}
    desk.run(
        "fetch('/v1/clock', { method: 'POST', headers: { 'x-guandan-csrf': document.querySelector('meta[name=csrf]')"
        f".content }}, body: {json.dumps(json.dumps(lunch))} }}).then((answer) => answer.status)"
    )
    board.until("document.querySelector('.clock')?.innerText.includes('午饭')")
    answers(desk, False)
    desk.press(SAY["office"]["start"], "button.main")
    assert "午饭" in desk.until("window.asked[0]") and desk.run("!document.querySelector('.time[data-ends]')")
    answers(desk, True)
    desk.press(SAY["office"]["start"], "button.main")
    board.until(f"document.querySelector('.clock')?.innerText.includes({SAY['desk']['round'].format(n=2)!r})")


def test_a_doubtful_list_is_mended_before_the_draw(hall):  # noqa: F811
    desk = hall.window("desk", TABLET)
    begin(desk, "积分编排赛", "张三,李四\n陈七,,建邺\n周五,吴六")
    desk.see(SAY["doubt"]["no_partner"].format(line=2, value="陈七"))
    assert not faults(desk)
    answers(desk, False)
    desk.press(SAY["desk"]["draw_first"])
    assert desk.until("window.asked[0]") == Sentence("aside_open", n=1).in_language("zh")
    desk.fill(SAY["desk"]["name2"], "郑八", ".aside input")
    desk.press(SAY["desk"]["aside_enter"], ".aside button")
    desk.until("!document.querySelector('.aside')")
    desk.see("陈七 / 郑八")
    answers(desk, True)
    desk.press(SAY["desk"]["draw_first"])
    desk.see(SAY["desk"]["next_drawn"].format(round=SAY["desk"]["round"].format(n=1)))
    assert desk.run("window.asked") == [Sentence("absent_open", absent=1).in_language("zh")]  # who was mended in


def test_an_invitation_survives_the_other_language_and_a_shared_code_says_so(hall):  # noqa: F811
    for role, word in (("desk", "with_link"), ("spectator", "with_shared")):
        page, code = hall.browser.page(*PHONE), hall.code(role)
        page.open(f"{hall.url}/enter#{code}")
        page.see(SAY["enter"][word])
        page.press("English", "a")
        page.see(ENGLISH["enter"][word])
        assert page.run("location.hash") == f"#{code}"
        page.press(ENGLISH["enter"]["go"], "button")
        page.until("location.pathname !== '/enter'")


def test_the_offices_tables_on_a_phone(hall):  # noqa: F811
    chief = hall.window("chief", PHONE, touch=True)
    chief.open(f"{hall.url}/office")
    chief.fill(SAY["office"]["names"], "1-99999", "input")
    chief.press(SAY["office"]["add"], "button")
    chief.see("1-99999")
    chief.until("document.querySelector('.toast')?.innerText.includes('500')")
    chief.fill(SAY["office"]["names"], "1-3", "input")
    chief.press(SAY["office"]["add"], "button")
    rows = "document.querySelectorAll('table.places tbody tr').length"
    chief.until(f"{rows} === 3")
    ends = "[...document.querySelectorAll('table.places button')].map((each) => each.getBoundingClientRect().right)"
    assert chief.run(f"Math.max(...{ends})") <= PHONE[0]
    answers(chief, True)
    chief.press(SAY["office"]["remove"], "table.places button")
    chief.until(f"{rows} === 2")
    chief.run("window.prompt = () => '贵宾'; 0")
    chief.press(SAY["office"]["rename"], "table.places button")
    chief.see("贵宾")
    chief.open(f"{hall.url}/office")
    for done in ("places", "places/{place}/remove", "places/{place}/rename"):
        chief.see(SAY["audit"][done])
    chief.see(SAY["audit"]["refused"].format(code=400))
    assert "/v1/places" not in chief.run("document.body.innerText")


def test_another_ruling_is_asked_for_and_read_once_more(hall):  # noqa: F811
    table, page = hall.table("7"), hall.window("chief", PHONE, touch=True)
    page.press(SAY["duty"]["start"], "button")
    put(table, ILLEGAL)
    page.press(SAY["duty"]["take"], ".ring button")
    page.until("document.querySelector('.sheet')")
    page.press(SAY["verdict"]["other"], ".rulings button")
    page.until(f"document.querySelector('.toast')?.innerText === {SAY['case']['other_needed']!r}")
    page.fill(SAY["case"]["note"], "本副重打", ".sheet input")
    answers(page, False)
    page.press(SAY["verdict"]["other"], ".rulings button")
    assert "本副重打" in page.until("window.asked[0]")
    answers(page, True)
    page.press(SAY["verdict"]["other"], ".rulings button")
    page.see(SAY["case"]["ruled"])
    table.sync()
    assert table.carried_out[-1].data["note"] == "本副重打"
