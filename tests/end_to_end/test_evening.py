"""An evening of three matches with fingers and pads, at each size and in each language; and how the screen hangs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from engine.cards import SEATS
from engine.match import match_event
from table.screens.gallery import SIZES
from table.settings import TURNS, Settings, fits, hashed
from table.words import LANGUAGES
from tests.end_to_end.evening import Evening

NAMES = dict(zip("NESW", ("陈建国", "李晓梅", "王海涛", "赵雨"), strict=True))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path / "evening.journal")
    yield made
    made.close()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_three_matches(tmp_path: Path, size: str, language: str) -> None:
    width, height = map(int, size.split("x"))
    table = Evening(tmp_path / "evening.journal", (width, height), language)
    try:
        _friends(table)
        _championship(table)
        _passing_A(table)
        assert table.app.canvas.theme.width == width, "nothing is stretched"
        assert len(table.journal.epochs()) == 3
        # Every page that an evening needs has been on the glass.
        assert {"start", "rulesets", "playing", "correct", "seat", "menu", "halted", "score_only", "deal_result",
                "match_result", "check_in"} <= set(table.shown)  # fmt: skip
    finally:
        table.close()


def _friends(table: Evening) -> None:
    """A friendly match by a ruleset chosen with a touch; every gesture of play once, then scored by its orders."""
    table.tap("rulesets")
    table.tap("ruleset", "tongsu")
    table.tap("start")
    assert table.desk.ruleset == "tongsu" and table.view.first_lead is not None
    table.tap("seat", "S")
    assert table.view.turn == "S"
    table.lay("S", "S3 H3")
    table.lay("N", "S5 D5")  # east passed in silence
    table.tap("card", ("N", None))
    table.tap("card", ("N", 1))
    table.tap("candidate", "H5")
    assert [card.name for card in table.view.seats["N"].cards] == ["S5", "H5"]
    assert table.view.banner is not None and table.view.banner.key == "corrected", "everybody is shown"
    table.tap("sheet", "W")
    table.tap("pass", "W")
    assert table.view.turn == "S"
    table.tap("menu")
    table.tap("fix_turn", "W")  # west had not passed after all
    assert table.view.turn == "W"
    table.tap("menu")
    table.tap("pause")
    table.tap("resume")
    table.tap("call")
    assert table.view.halt == "called"
    table.tap("resume")
    assert table.view.screen == "playing" and table.view.turn == "W"
    for order in ("NSEW", "NSEW", "NSEW", "NSEW"):
        table.score(order)
        assert table.view.deal_result is not None
        table.tap("confirm", "NS")
        table.tap("confirm", "EW")
    assert table.view.levels["NS"] == "A"
    table.score("NESW")  # a level for a first and third
    assert table.view.match_result is not None and table.view.match_result["winner"] == "NS"
    _sign(table)


def _sign(table: Evening) -> None:
    for side in ("NS", "EW"):
        table.tap("confirm", side)
    assert table.view.signed == frozenset({"NS", "EW"}), "signed by both"


def _seat(table: Evening, match: str, **options: object) -> None:
    record = match_event("national", "championship", NAMES, options=options).data
    table.direct("seat", match=match, record=dict(record))


def _championship(table: Evening) -> None:
    """A match that the hall seats: check-in, passes by pads, a call, tribute and return, the bell."""
    table.line("online")
    _seat(table, "R1-T12", match_seconds=900, reminders=[300])
    table.tap("next_match")
    assert table.view.screen == "check_in" and table.view.seats["N"].name == NAMES["N"]
    table.tap("check_in", "NS")
    table.tap("check_in", "EW")
    assert not any(target.what == "start" for target in table.app.canvas.targets), "the hall starts together"
    table.direct("start", match="R1-T12")
    assert table.desk.match_name == "R1-T12"
    table.tap("seat", "N")
    table.lay("N", "S3 H3")
    table.passes("W")
    table.lay("S", "S9 D9")
    left = table.desk.match.clock.match_left
    table.press("E", "call")
    assert table.view.halt == "called" and table.alerts[-1].kind == "call"
    table.direct("case", match="R1-T12", alert=table.alerts[-1].id, state="take", who="张裁判")
    assert table.view.venue.referee == ("take", "张裁判")
    table.wait(120)
    table.direct("ruling", match="R1-T12", alert=table.alerts[-1].id, verdict="waive", by="table", who="张裁判")
    assert table.view.screen == "playing"
    gone = left - table.desk.match.clock.match_left
    assert gone < 6, "the wait for a referee is nobody's time"
    table.score("NSEW")
    table.tap("confirm", "NS")
    table.press("E", "confirm")
    assert [(kind, giver) for kind, giver, _ in table.view.tributes] == [("tribute", "E"), ("tribute", "W")]
    table.lay("E", "SA")
    table.lay("W", "DK")
    assert {kind for kind, _, _ in table.view.tributes} == {"return"}
    takers = {taker: giver for _, taker, giver in table.view.tributes}
    for seat in takers:
        table.lay(seat, "S4" if seat == "N" else "D6")
    assert table.view.turn is not None and not table.view.tributes
    table.lay(table.view.turn, "S8")
    table.direct("extra", match="R1-T12", seconds=60)
    assert table.view.banner is not None and table.view.banner.key == "extra"
    left = table.desk.match.clock.match_left - (table.source.t - table.desk.origin - table.desk.match.clock.now)
    table.wait(left - 300 + 1, step=1.0)
    assert table.view.banner is not None and table.view.banner.key == "reminder"
    table.wait(301)
    assert table.view.match_result is not None and table.view.match_result["why"] == "higher_level"
    assert table.view.match_result["winner"] == "NS"
    _sign(table)


def _passing_A(table: Evening) -> None:
    """The last match: the hall is not heard any more, so the table starts by itself; a deal at A decides."""
    table.line("offline")
    _seat(table, "R2-T12", start_level="A")
    table.tap("next_match")
    table.tap("check_in", "EW")
    table.tap("check_in", "NS")
    table.tap("start")
    table.tap("seat", "W")
    table.score("WENS")
    assert table.view.match_result is not None and table.view.match_result["winner"] == "EW"
    _sign(table)
    assert [event.do for event in table.stored()].count("sign") == 2


# -- how the screen hangs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rotation", TURNS)
@pytest.mark.parametrize("touch", TURNS)
def test_a_finger_hits_what_it_sees_however_picture_and_touch_are_turned(
    tmp_path: Path, rotation: int, touch: int
) -> None:
    settings = Settings(rotation=rotation, touch_rotation=touch)
    table = Evening(tmp_path / "evening.journal", (1280, 720), settings=settings)
    try:
        window = table.app.window
        upright = rotation in (90, 270)
        assert window.canvas.theme.tall is upright
        start = next(target for target in window.canvas.targets if target.what == "start")
        left, top, wide, high = start.box
        # On the glass, the button's colour is where the picture was turned to: clockwise.
        x, y = window.pixel_of(left + wide / 2, top + 1.2)
        assert table.app.window.surface.get_at((x, y))[:3] == window.canvas.theme.colours["north_south"]
        middle = (left + wide / 2) * window.canvas.theme.px_per_mm, (top + high / 2) * window.canvas.theme.px_per_mm
        shown = {0: middle, 90: (1280 - middle[1], middle[0]), 180: (1280 - middle[0], 720 - middle[1]),
                 270: (middle[1], 720 - middle[0])}[rotation]  # fmt: skip
        got = window.pixel_of(left + wide / 2, top + high / 2)
        assert abs(got[0] - shown[0]) < 2 and abs(got[1] - shown[1]) < 2
        table.tap("start")
        assert table.view.screen == "playing"
    finally:
        table.close()


def test_a_window_of_any_shape_is_filled(table: Evening) -> None:
    import pygame

    for size in ((1000, 700), (640, 400), (500, 900), (1920, 1080)):
        pygame.display.set_mode(size, pygame.RESIZABLE)
        table.round()
        assert table.app.window.size == size
        assert (table.app.canvas.theme.width, table.app.canvas.theme.height) == size
        assert table.app.canvas.width >= 86 and table.app.canvas.height >= 85


def test_an_arrow_shows_only_to_whoever_moves_a_mouse(table: Evening) -> None:
    import pygame

    table.app.window.toggle_fullscreen()
    assert not pygame.mouse.get_visible()
    for touch, visible in ((False, True), (True, False)):
        pygame.event.post(
            pygame.event.Event(pygame.MOUSEMOTION, pos=(9, 9), rel=(1, 1), buttons=(0, 0, 0), touch=touch)
        )
        table.round()
        assert pygame.mouse.get_visible() is visible


# -- settings and diagnostics ---------------------------------------------------------------------------------------


def test_settings_open_with_the_code_alone_and_last(tmp_path: Path) -> None:
    table = Evening(tmp_path / "evening.journal", code=hashed("2718"))
    table.app.settings_path = tmp_path / "settings.toml"
    try:
        table.tap("settings")
        for digit in "9999":
            table.tap("digit", digit)
        table.tap("enter")
        assert table.view.lock == "wrong" and not any(each.what == "set" for each in table.app.canvas.targets)
        for digit in "2718":
            table.tap("digit", digit)
        table.tap("enter")
        assert table.view.lock == "open"
        table.tap("set", "rotation")
        table.tap("set", "rotation")
        table.tap("set", "language")
        table.tap("close")
        assert table.app.window.rotation == 180 and table.app.words.language == "en"
        assert "rotation = 180\n" in (tmp_path / "settings.toml").read_text()
        assert "2718" not in (tmp_path / "settings.toml").read_text()
        table.tap("settings")
        assert table.view.lock == "shut", "closed is closed"
    finally:
        table.close()


def test_wrong_codes_in_a_row_have_to_wait(tmp_path: Path) -> None:
    table = Evening(tmp_path / "evening.journal", code=hashed("2718"))
    try:
        table.tap("settings")
        for _ in range(3):
            table.tap("digit", "1")
            table.tap("enter")
        assert table.view.lock == "wait" and table.view.locked_until > table.source.t
        for digit in "2718":
            table.tap("digit", digit)
        assert table.view.entered == 0, "nothing is taken meanwhile"
        table.source.t = table.view.locked_until + 1
        for digit in "2718":
            table.tap("digit", digit)
        table.tap("enter")
        assert table.view.lock == "open"
    finally:
        table.close()


def test_without_a_code_no_setting_opens_at_a_halls_table_or_in_a_match(table: Evening) -> None:
    table.line("online")
    table.tap("settings")
    assert table.view.lock == "none"
    assert {target.what for target in table.app.canvas.targets} == {"close"}
    table.line("unpaired")
    table.tap("close")
    table.tap("start")
    table.tap("menu")
    table.tap("settings")
    assert table.view.lock == "none"


def _type(table: Evening, code: str) -> None:
    for digit in code:
        table.tap("digit", digit)
    table.tap("enter")


def test_whoever_hangs_a_table_of_their_own_makes_its_code_on_the_glass(tmp_path: Path) -> None:
    table = Evening(tmp_path / "evening.journal")
    table.app.settings_path = tmp_path / "settings.toml"
    try:
        table.tap("settings")
        said = []
        for code in ("12", "1234", "2718", "2719", "2718", "2718"):
            said.append((table.view.lock, table.view.choosing))
            _type(table, code)
        assert said == [("choose", told) for told in ("new", "code_digits", "code_easy", "again", "differs", "again")]
        assert table.view.lock == "open"
        table.tap("set", "rotation")
        table.tap("close")
        table.tap("settings")
        assert table.view.lock == "shut", "from now on it is asked for"
        _type(table, "9999")
        assert table.view.lock == "wrong"
        _type(table, "2718")
        assert table.view.lock == "open"
        kept = (tmp_path / "settings.code").read_text()
        assert "2718" not in kept and fits("2718", kept.strip())
        assert "2718" not in repr(table.source.done), "it stands in no log"
    finally:
        table.close()


def test_the_diagnostics_tell_what_they_see(table: Evening) -> None:
    table.tap("diagnosis")
    table.round()
    facts = {fact.key: fact for fact in table.view.facts}
    assert facts["camera"].good and facts["journal"].good and facts["display"].value.startswith("1280x720")
    assert facts["touch"].value != table.app.words("diagnosis.never")
    table.app.machine = lambda: ("camera",)
    table.app._measured_at = -1e9
    table.round()
    assert {fact.key: fact for fact in table.view.facts}["camera"].good is False, "unplugged"
    table.tap("close")
    assert table.view.screen == "start" and not table.view.facts


def test_who_sits_where_is_seen_before_the_first_card(table: Evening) -> None:
    _seat(table, "M1")
    assert table.view.screen == "check_in"
    assert {seat: table.view.seats[seat].name for seat in SEATS} == NAMES
