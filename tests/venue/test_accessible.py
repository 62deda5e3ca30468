"""Every page of every role is usable with keys, a screen reader and weak eyes, on a phone and on a projector."""

import pytest

from tests.venue.accessible import faults
from tests.venue.test_browser import BINARY, PHONE, PROJECTOR, SAY, browser, hall  # noqa: F401
from tests.venue.tour import tour

pytestmark = pytest.mark.skipif(BINARY is None, reason="no Chromium on this machine (Debian's package chromium)")


def test_no_page_has_a_serious_fault(hall, tmp_path):  # noqa: F811
    found, stops = [], []
    for stop, page in tour(hall, tmp_path):
        stops.append(stop)
        before = page.run("[innerWidth, innerHeight]")
        for size in (PROJECTOR,) if "on a screen" in stop else (PHONE, PROJECTOR):
            page.size(*size)
            found += [f"{stop}, {size[0]} wide: {fault}" for fault in faults(page)]
        page.size(*before)
    assert len(stops) == len(set(stops)) > 40
    assert not found, "\n".join(found)


def test_who_works_with_keys_loses_no_place_while_the_page_renews_itself(hall):  # noqa: F811
    page = hall.window("referee", PHONE)
    page.see(SAY["duty"]["start_text"])
    page.run("document.querySelector('.start button').focus()")
    hall.table("7")  # the hall changes: the page hears of it
    page.until("document.querySelector('.line').dataset.state === 'live'")
    page.run("new Promise((done) => setTimeout(done, 300))")
    assert page.run("document.activeElement.innerText") == SAY["duty"]["start"]
