"""What a day brings, in Debian's Chromium: people sit down, two calls at once, an address outside, an English phone."""

import pytest

from tests.venue.accessible import faults
from tests.venue.test_browser import BINARY, PHONE, SAY, TABLET, begin, browser, hall  # noqa: F401

pytestmark = pytest.mark.skipif(BINARY is None, reason="no Chromium on this machine (Debian's package chromium)")


def call(table, seat):
    if table.match is None:
        table.append({"do": "match", "ruleset": "national", "profile": "championship", "names": {"N": "甲"}})
        table.append({"do": "deal", "leader": "N"})
    table.append({"do": "call", "seat": seat})
    assert table.sync().status_code == 200


def test_the_desk_sees_who_sits_at_which_table(hall):  # noqa: F811
    tables, desk = [hall.table(name) for name in "12"], hall.window("desk", TABLET)
    begin(desk, "小组赛加淘汰赛", "\n".join(f"甲{n},乙{n}" for n in range(1, 9)))
    desk.press(SAY["desk"]["draw_first"])
    desk.press(SAY["desk"]["seat"])
    desk.see(SAY["desk"]["seated"].format(n=2))
    for table, sides in zip(tables, (["NS", "EW"], ["EW"]), strict=True):
        table.sync()
        match = table.carried_out[-1].data["match"]
        said = {"do": "check_in", "match": match, "profile": "championship", "sides": sides}
        table.append(said, record=False)
        assert table.sync().status_code == 200
    desk.see(SAY["desk"]["sits_both"])
    desk.see(SAY["desk"]["sits"].format(side=SAY["side"]["EW"]))
    desk.see(SAY["desk"]["sitting"].format(n=1, all=2))
    desk.see(SAY["desk"]["sitting_waits"].format(tables="2"))
    assert not faults(desk)


def test_a_second_call_does_not_throw_a_referee_out_of_what_he_writes(hall):  # noqa: F811
    one, two = hall.table("1"), hall.table("2")
    page = hall.window("chief", PHONE, touch=True)
    page.press(SAY["duty"]["start"], "button")
    call(one, "N")
    page.until("document.querySelector('.ring:not(.banner)')")  # nothing open: the whole screen calls
    page.press(SAY["duty"]["take"], ".ring button")
    page.until("document.querySelector('.sheet')")
    page.fill(SAY["case"]["note"], "北家说看错了牌", ".sheet input")
    call(two, "S")
    page.until("document.querySelector('.ring.banner')")
    assert page.run("document.querySelector('.sheet input').value") == "北家说看错了牌"
    top = "document.querySelector('.ring.banner').getBoundingClientRect()"
    assert page.run(f"{top}.height") < PHONE[1] / 3
    page.press(SAY["duty"]["quiet"], ".ring button")
    page.until("!document.querySelector('.ring')")
    page.press(SAY["case"]["resolve"], ".sheet button")
    page.until("document.querySelector('.sheet').innerText.includes('北家说看错了牌')")


def test_the_chief_adds_an_address_outside_and_none_inside(hall):  # noqa: F811
    page = hall.window("chief", TABLET)
    page.open(f"{hall.url}/office?lang=en")
    page.press("webhook", "summary")
    page.fill("Address", "https://127.0.0.1/hook", "details input")
    page.press("Add", "details button")
    page.see("127.0.0.1 is never spoken to")
    page.fill("Address", "https://93.184.216.34/robot?key=word", "details input")
    page.press("Add", "details button")
    page.see("93.184.216.34")
    assert not faults(page)
