"""Every screen at every size in both languages: text stays in its box and is large enough, every character has a glyph,
every target fits a finger."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from engine.cards import SEATS, Card, parse_cards
from table import screens
from table.screens import centre
from table.screens.canvas import Canvas, Target, Written, has_glyphs
from table.screens.gallery import SIZES
from table.screens.samples import NOW, views
from table.settings import Settings
from table.theme import theme
from table.view import Ask, Banner, Clock, Correction, DealResult, Lesson, SeatView, TableView, VenueView
from table.words import LANGUAGES, Words, catalogue

LONG = "欧阳慕容诸葛司马" * 2


def cards(text: str) -> tuple[Card, ...]:
    return tuple(parse_cards(text))


TEN = cards("S4 H4 D4 C4 S4 H4 D4 C4 HT HT")
ASK = Ask(3, "W", (cards("S9 C9 D9"), cards("S9 C9 H9")))


def _playing(**changes: object) -> TableView:
    seats = {
        seat: SeatView(seat, name=LONG, cards=TEN, combination=("straight_flush", 5, "T"), report=10, turn=seat == "E")
        for seat in SEATS
    }
    view = TableView(
        screen="playing", profile="championship", seats=seats, levels={"NS": "T", "EW": "A"}, on_stage="NS", level="T",
        deal=88, attempts={"NS": 0, "EW": 9}, turn="E", turn_clock=Clock(0.0, 0.0, 20.0, True),
        match_clock=Clock(0.0, 0.0, 5999.0, True), venue=VenueView(place="A-128", state="offline", unsent=9999),
    )  # fmt: skip
    return replace(view, **changes)  # type: ignore[arg-type]


RESULT = DealResult(88, ("N", "S", "E", "W"), "NS", 3, {"NS": "T", "EW": "A"}, {"NS": "K", "EW": "A"})
LONG_SEATS = {seat: SeatView(seat, name=LONG) for seat in SEATS}

HARD = {
    "playing": _playing(),
    "overtime": _playing(turn_clock=Clock(0.0, 180.0, 20.0, True)),
    "no clock": _playing(turn_clock=None, match_clock=None),
    "bell": _playing(bell=True),
    "moved": _playing(notice="moved"),
    "spread": _playing(notice="spread", notice_seat="W"),
    "blinks": _playing(venue=VenueView(place="A-128", blink_until=1e9)),
    "asks": _playing(seats={seat: SeatView(seat, ask=replace(ASK, seat=seat), cards=ASK.options[0]) for seat in SEATS}),
    "passes": _playing(seats={seat: SeatView(seat, passed=True, name=LONG, place=4) for seat in SEATS}),
    "first lead": _playing(turn=None, seats=LONG_SEATS, first_lead="highest_draw"),
    "between": _playing(turn=None, seats=LONG_SEATS),
    "resisted": _playing(banner=Banner("resisted", (("seats", "EW"),), 1e9)),
    "extra": _playing(banner=Banner("extra", (("minutes", 12.5),), 1e9)),
    "tries": _playing(banner=Banner("tries", (("left", 2), ("side", "EW")), 1e9)),
    "message": _playing(venue=VenueView(message="赛场通知" * 30, message_until=1e9)),
    "result waits": _playing(screen="deal_result", deal_result=replace(RESULT, confirms_at=NOW + 9, winner="EW",
                             order=("E", "N", "S", "W"), gain=0, confirmed=frozenset({"NS"}))),
    "match result": _playing(screen="match_result", match_result={"winner": "EW", "past_A": True, "why": "passed_A"}),
    "signed": _playing(screen="match_result", match_result={"winner": None, "why": "draw"},
                       signed=frozenset({"NS", "EW"}),
                       venue=VenueView(seated=tuple((seat, LONG) for seat in SEATS))),
    "check in": _playing(screen="check_in", seats=LONG_SEATS),
    "score only": _playing(screen="score_only", picked=("N", "E", "S", "W")),
    "menu": _playing(screen="menu", profile="friendly", settings=Settings(training=True)),
    "sheet": _playing(screen="seat", sheet="W", may=frozenset({"pass", "report", "correct", "turn"})),
    "correct": _playing(screen="correct", correction=Correction("W", TEN, None)),
    "missing": _playing(screen="correct", correction=Correction("W", TEN, -1)),
    "lesson": _playing(screen="lesson", lesson=Lesson("E", "short", ("straight_flush", 5, "T"),
                       ("straight_flush", 5, "J"), "N", True)),
    "taught": _playing(lesson=Lesson("E", "nothing", None, None, "N")),
    "called": _playing(screen="halted", halt="called", venue=VenueView(referee=("defer", LONG))),
    "flat": _playing(settings=Settings(flat=True)),
    "flat asks": _playing(settings=Settings(flat=True), margin=(ASK,), facing="N"),
}  # fmt: skip


@cache
def every() -> dict[str, TableView]:
    return {**views(), **HARD}


@cache
def canvas_of(size: str) -> Canvas:
    return Canvas(theme(*map(int, size.split("x"))))


class Drawn(NamedTuple):
    """One screen as it was drawn: what stands on it and what can be touched."""

    name: str
    view: TableView
    written: list[Written]
    targets: list[Target]


@cache
def drawn(size: str, language: str) -> list[Drawn]:
    """Every screen, drawn once for all the tests."""
    canvas, found = canvas_of(size), []
    for name, view in every().items():
        screens.draw(canvas, view, Words(language), NOW)
        found.append(Drawn(name, view, canvas.written, canvas.targets))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_every_text_stays_in_its_box_is_large_enough_and_has_its_glyphs(size: str, language: str) -> None:
    least, near = theme().sizes["text"] - 0.2, theme().sizes["tiny"] - 0.12
    wrong = []
    canvas = canvas_of(size)
    for name, view, all_written, _ in drawn(size, language):
        assert all_written, name
        for written in all_written:
            left, top, wide, high = written.ink
            box_left, _, box_wide, _ = written.box
            # What lies turned on a flat screen was measured before it was turned.
            turned = view.settings.flat
            inside = turned or (left >= box_left - 0.3 and left + wide <= box_left + box_wide + 0.3)
            on = (
                left >= -0.2 and top >= -0.3 and left + wide <= canvas.width + 0.2 and top + high <= canvas.height + 0.3
            )
            if not (inside and on):
                wrong.append(f"{name}: leaves its box: {written}")
            if not has_glyphs(written.text):
                wrong.append(f"{name}: no glyph: {written.text}")
            # Where one person touches, 4 mm; on the playing screen everybody reads. Long messages may shrink.
            wanted = near if written.touched or view.screen != "playing" or name in SMALLER else least
            if written.size < wanted:
                wrong.append(f"{name}: {written.size:.1f} mm is too small: {written.text}")
    assert not wrong, "\n".join(wrong)


SMALLER = ("message", "flat-message", "score-only-offer")
"""A venue's message of any length, and the offer that one person answers."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_texts_do_not_run_into_each_other(size: str, language: str) -> None:
    wrong = []
    for name, _, written, _ in drawn(size, language):
        if name in OVER:
            continue
        for place, first in enumerate(written):
            for second in written[place + 1 :]:
                if _overlap(first.ink, second.ink):
                    wrong.append(f"{name}: {first.text} / {second.text}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_no_word_runs_into_cards(size: str, language: str) -> None:
    wrong = []
    for name, view, written, targets in drawn(size, language):
        if name in OVER or view.screen != "playing" or view.settings.flat:
            continue
        for cards in (target for target in targets if target.what == "card" and target.value[1] is None):
            wrong += [f"{name}: {text.text} / {cards}" for text in written if _overlap(text.ink, cards.box, 0.9)]
    assert not wrong, "\n".join(wrong)


OVER = ("message", "blinks", "stop", "stop-aloud", "look", "covered", "mat-lost", "moved", "spread", "extra",
        "resisted", "reminder", "last-try", "tries", "corrected", "margin", "out", "score-only-offer", "training",
        "taught", "flat asks", "flat-message")  # fmt: skip
"""Where a plate lies over the play for a moment."""


@pytest.mark.parametrize("size", SIZES)
def test_targets_fit_a_finger_and_lie_apart(size: str) -> None:
    least = theme().sizes["target"] - 0.05
    wrong = []
    for name, _, _, targets in drawn(size, "en"):
        for place, first in enumerate(targets):
            if first.box[2] < least or first.box[3] < least:
                wrong.append(f"{name}: too small: {first}")
            for second in targets[place + 1 :]:
                lesser = {first.what, second.what} & {"seat", "sheet", "card", "message_read"}
                if _overlap(first.box, second.box, 0.15) and not lesser:
                    wrong.append(f"{name}: {first} / {second}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("size", SIZES)
def test_a_banner_covers_nothing_that_is_touched(size: str) -> None:
    told = [each for each in drawn(size, "zh") if each.view.banner is not None and each.view.screen == "playing"]
    assert {"first-lead-less", "reminder", "last-try"} <= {each.name for each in told}
    for name, view, _, targets in told:
        if not view.settings.flat:
            assert [hit for hit in targets if hit.what in ("seat", "sheet") and hit.value == "N"], name


@pytest.mark.parametrize("size", SIZES)
def test_what_matters_is_large_enough_to_read_from_the_table(size: str) -> None:
    canvas = canvas_of(size)
    screens.draw(canvas, HARD["playing"], Words("zh"), 3.0)
    sizes = {written.text: written for written in canvas.written}
    assert sizes["17"].ink[3] >= theme().sizes["numeral"] - 0.4, "the turn clock"
    assert sizes["A"].ink[3] >= theme().sizes["numeral"] - 0.4, "a level"
    assert sizes["东"].size >= theme().sizes["text"] - 0.2


def test_lengths_are_millimetres_of_the_glass() -> None:
    for size, glass in (("1280x720", (154.5, 86.9)), ("720x1280", (86.9, 154.5)), ("800x480", (154.1, 85.9))):
        look = theme(*map(int, size.split("x")))
        # A millimetre is never drawn smaller than it is on the glass, whichever way its pixels are denser.
        across, down = look.width / glass[0], look.height / glass[1]
        assert look.px_per_mm >= max(across, down) - 0.02, size


def test_a_card_that_was_just_laid_is_still_in_motion() -> None:
    canvas = canvas_of("1280x720")
    seats = {**HARD["playing"].seats, "N": SeatView("N", cards=TEN, laid_at=3.0)}
    screens.draw(canvas, _playing(seats=seats), Words("zh"), 3.05)
    assert canvas.moving and theme().motion < 0.2
    screens.draw(canvas, _playing(seats=seats), Words("zh"), 3.3)
    assert not canvas.moving


@pytest.mark.parametrize("size", SIZES)
def test_a_tap_finds_the_candidate_under_it(size: str) -> None:
    canvas = canvas_of(size)
    screens.draw(canvas, HARD["asks"], Words("zh"), 3.0)
    options = [target for target in canvas.targets if target.what == "option"]
    assert {target.value for target in options} == {(3, 0), (3, 1)} and len(options) == 8
    for target in options:
        left, top, wide, high = target.box
        hit = canvas.hit(left + wide / 2, top + high / 2)
        assert hit is not None and hit.what == "option" and hit.value == target.value


def test_on_a_flat_screen_each_part_is_upright_for_its_player() -> None:
    canvas = canvas_of("1280x720")
    screens.draw(canvas, HARD["flat"], Words("zh"), 3.0)
    letters = {written.text: written.ink for written in canvas.written if written.text in "北东南西"}
    assert letters["北"][1] < 12 and letters["南"][1] > canvas.height - 12
    assert letters["西"][0] < 12 and letters["东"][0] > canvas.width - 12
    seats = {target.value: target.box for target in canvas.targets if target.what == "sheet"}
    assert seats["N"][0] > canvas.width / 2 > seats["S"][0], "each finds the own letter at the left of the own part"
    assert seats["W"][1] < canvas.height / 2 < seats["E"][1] + seats["E"][3]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["flat-result", "flat-signing", "flat-called"])
def test_on_a_flat_screen_each_player_is_told_and_asked_at_the_own_edge(size: str, name: str) -> None:
    canvas = canvas_of(size)
    screens.draw(canvas, every()[name], Words("zh"), NOW)
    what = "resume" if name == "flat-called" else "confirm"
    spots = [target.box for target in canvas.targets if target.what == what]
    assert len(spots) == 4
    edges = {
        "N": min(top for _, top, _, _ in spots), "W": min(left for left, _, _, _ in spots),
        "S": canvas.height - max(top + high for _, top, _, high in spots),
        "E": canvas.width - max(left + wide for left, _, wide, _ in spots),
    }  # fmt: skip
    assert all(0 <= away < 3 for away in edges.values()), edges
    if what == "confirm":
        own = {target.value for target in canvas.targets if target.what == what and target.box[2] > target.box[3]}
        assert own == {"NS"}, "north and south sign for themselves"


def test_on_a_flat_screen_a_seats_own_page_faces_that_seat() -> None:
    seen = every()
    assert screens.facing(seen["flat-seat"]) == "E" and screens.facing(seen["flat-correct"]) == "W"
    assert screens.facing(replace(seen["menu"], facing="N")) == "N"
    canvas = canvas_of("1280x720")
    screens.draw(canvas, seen["flat-seat"], Words("zh"), NOW)
    name = next(written for written in canvas.written if "李晓梅" in written.text)
    assert name.ink[0] < canvas.width / 2 and name.ink[3] > name.ink[2], "upright for who sits at the right"


def test_on_a_flat_screen_an_unsure_play_is_asked_about_at_its_players_edge() -> None:
    canvas = canvas_of("1280x720")
    screens.draw(canvas, every()["flat-unsure"], Words("zh"), NOW)
    options = [target for target in canvas.targets if target.what == "option"]
    assert {target.value for target in options} == {(41, 0), (41, 1)}
    assert all(target.box[0] > canvas.width - 12 for target in options)
    assert ("E", None) in {target.value for target in canvas.targets if target.what == "card"}


def test_every_card_can_be_tapped_when_a_play_is_put_right() -> None:
    for size in SIZES:
        canvas = canvas_of(size)
        screens.draw(canvas, HARD["missing"], Words("zh"), 3.0)
        assert len({target.value for target in canvas.targets if target.what == "candidate"}) == 54


def test_every_word_can_be_written() -> None:
    for language in LANGUAGES:
        for key, text in catalogue(language).items():
            assert has_glyphs(text), key


def _overlap(a: tuple[float, ...], b: tuple[float, ...], slack: float = 0.6) -> bool:
    return (
        min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0]) > slack
        and min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]) > slack
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("龍國樂", "龍國樂"), ("Nguyễn Văn Đức", "Nguyễn Văn Đức"), ("Иванов", "Иванов"), ("さくら", "さくら"),
        ("Łukasz Żółć", "Lukasz Zólc"), ("Šimůnek", "Simunek"), ("王😀", "王□"), ("김민수", "□□□"),
    ],
)  # fmt: skip
def test_a_guests_name_is_written_as_plainly_as_it_has_to_be(name: str, shown: str) -> None:
    canvas = canvas_of("1280x720")
    seats = {**LONG_SEATS, "N": SeatView("N", name=name)}
    screens.draw(canvas, _playing(screen="check_in", seats=seats), Words("en"), NOW)
    assert shown in {written.text for written in canvas.written} and has_glyphs(shown)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("flat", [False, True])
def test_no_referee_is_said_to_come_whom_nobody_has_told(size: str, flat: bool) -> None:
    canvas, words = canvas_of(size), Words("en")
    coming = {words("halted.called1"), words("notice.stop2")}
    for state, told in (("online", True), ("syncing", True), ("offline", False), ("unpaired", False)):
        for change in ({"screen": "halted", "halt": "called"}, {"notice": "stop"}):
            view = _playing(venue=VenueView(state=state), settings=Settings(flat=flat), **change)
            screens.draw(canvas, view, words, NOW)
            said = " ".join(written.text for written in canvas.written)
            assert any(text in said for text in coming) is told, (state, change, said)
            assert ("Raise a hand" in said) is not told


@pytest.mark.parametrize("radius", [12.0, 14.5])
def test_the_ring_holds_three_signs(radius: float) -> None:
    """An opening of three minutes, and a turn that is long over."""
    canvas = Canvas(theme())
    for limit, since, shown in ((180.0, 3.0, "177"), (180.0, 79.5, "101"), (20.0, 64.2, "+44")):
        canvas.begin()
        view = replace(views()["play"], turn_clock=Clock(NOW - since, 0.0, limit, True))
        centre.ring(canvas, view, Words("en"), NOW, (80.0, 45.0), radius)
        ink = next(written.ink for written in canvas.written if written.text == shown)
        corners = [(x, y) for x in (ink[0], ink[0] + ink[2]) for y in (ink[1], ink[1] + ink[3])]
        assert max(math.hypot(x - 80.0, y - 45.0) for x, y in corners) < radius - 0.9, shown
