"""Every screen in both languages: no text leaves its box, every character has a glyph, every target fits a finger."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from engine.cards import SEATS, Card, parse_cards
from table import screens
from table.screens.canvas import Canvas, has_glyphs
from table.theme import theme
from table.view import Ask, Clock, DealResult, SeatView, TableView
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
        deal=88, attempts={"NS": 0, "EW": 12}, turn="E", turn_clock=Clock(0.0, 0.0, 20.0, True),
        match_clock=Clock(0.0, 0.0, 5999.0, True),
    )  # fmt: skip
    return replace(view, **changes)  # type: ignore[arg-type]


RESULT = DealResult(88, ("N", "S", "E", "W"), "NS", 3, {"NS": "T", "EW": "A"}, {"NS": "K", "EW": "A"})

VIEWS = {
    "start": TableView(),
    "start championship": TableView(profile="championship", ruleset="lianyungang"),
    "playing": _playing(),
    "overtime": _playing(turn_clock=Clock(0.0, 180.0, 20.0, True)),
    "no clock": _playing(turn_clock=None, match_clock=None),
    "stop": _playing(notice="stop"),
    "look": _playing(notice="look"),
    "covered": _playing(notice="covered"),
    "moved": _playing(notice="moved"),
    "spread": _playing(notice="spread", notice_seat="W"),
    "out": _playing(out_question="W"),
    "offer": _playing(offer_score_only=True),
    "margin": _playing(margin=(ASK,)),
    "tribute": _playing(turn=None, tributes=(("tribute", "W", "N"), ("tribute", "E", "S"))),
    "first lead": _playing(turn=None),
    "asks": _playing(seats={seat: SeatView(seat, ask=replace(ASK, seat=seat), cards=ASK.options[0]) for seat in SEATS}),
    "passes": _playing(seats={seat: SeatView(seat, passed=True, name=LONG, place=4) for seat in SEATS}),
    "deal result": _playing(screen="deal_result", deal_result=RESULT),
    "deal result waits": _playing(screen="deal_result", deal_result=replace(RESULT, confirms_at=10.0, winner="EW",
                                  order=("E", "N", "S", "W"), gain=0, confirmed=frozenset({"NS"}))),
    "match result": _playing(screen="match_result", match_result={"winner": "EW", "past_A": True}),
    "signed": _playing(screen="match_result", match_result={"winner": None}, signed=frozenset({"NS", "EW"})),
    "called": _playing(screen="halted", halt="called"),
    "paused": _playing(screen="halted", halt="paused"),
    "menu": _playing(screen="menu"),
    "score only": _playing(screen="score_only", picked=("N", "E", "S", "W")),
}  # fmt: skip


@pytest.fixture(scope="module")
def canvas() -> Canvas:
    return Canvas(theme())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", VIEWS)
def test_text_stays_in_its_box_and_on_the_screen(canvas: Canvas, name: str, language: str) -> None:
    screens.draw(canvas, VIEWS[name], Words(language), 3.0)
    assert canvas.written
    for written in canvas.written:
        left, top, wide, high = written.ink
        box_left, _, box_wide, _ = written.box
        assert left >= box_left - 0.3 and left + wide <= box_left + box_wide + 0.3, written
        assert left >= 0 and top >= -0.2 and left + wide <= canvas.width and top + high <= canvas.height + 0.2, written
        assert has_glyphs(written.text), written


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["playing", "asks", "passes", "no clock"])
def test_texts_do_not_run_into_each_other(canvas: Canvas, name: str, language: str) -> None:
    screens.draw(canvas, VIEWS[name], Words(language), 3.0)
    for place, first in enumerate(canvas.written):
        for second in canvas.written[place + 1 :]:
            assert not _overlap(first.ink, second.ink), (first, second)


@pytest.mark.parametrize("name", VIEWS)
def test_targets_fit_a_finger_and_lie_apart(canvas: Canvas, name: str) -> None:
    screens.draw(canvas, VIEWS[name], Words("zh"), 3.0)
    least = theme().sizes["target"] - 0.05
    for place, first in enumerate(canvas.targets):
        assert first.box[2] >= least and first.box[3] >= least, first
        for second in canvas.targets[place + 1 :]:
            assert not _overlap(first.box, second.box, 0.1) or "seat" in (first.what, second.what), (first, second)


def test_what_matters_is_large_enough_to_read_from_the_table(canvas: Canvas) -> None:
    screens.draw(canvas, VIEWS["playing"], Words("zh"), 3.0)
    sizes = {written.text: written for written in canvas.written}
    assert sizes["17"].ink[3] >= theme().sizes["numeral"] - 0.3, "the turn clock"
    assert sizes["A"].ink[3] >= theme().sizes["numeral"] - 0.3, "a level"
    assert sizes["东"].size >= theme().sizes["text"] - 0.2


def test_a_card_that_was_just_laid_is_still_in_motion(canvas: Canvas) -> None:
    seats = {**_playing().seats, "N": SeatView("N", cards=TEN, laid_at=3.0)}
    screens.draw(canvas, _playing(seats=seats), Words("zh"), 3.05)
    assert canvas.moving and theme().motion < 0.2
    screens.draw(canvas, _playing(seats=seats), Words("zh"), 3.3)
    assert not canvas.moving


def test_a_tap_finds_the_candidate_under_it(canvas: Canvas) -> None:
    screens.draw(canvas, VIEWS["asks"], Words("zh"), 3.0)
    options = [target for target in canvas.targets if target.what == "option"]
    assert {target.value for target in options} == {(3, 0), (3, 1)} and len(options) == 8
    for target in options:
        left, top, wide, high = target.box
        hit = canvas.hit(left + wide / 2, top + high / 2)
        assert hit is not None and hit.what == "option" and hit.value == target.value


def test_both_languages_say_the_same_things() -> None:
    zh, en = catalogue("zh"), catalogue("en")
    assert zh.keys() == en.keys()
    for key in zh:
        assert sorted(_holes(zh[key])) == sorted(_holes(en[key])) or key.startswith("playing."), key
        assert has_glyphs(zh[key]) and has_glyphs(en[key]), key


def _holes(text: str) -> list[str]:
    return [part.split("}")[0] for part in text.split("{")[1:]]


def _overlap(a: tuple[float, ...], b: tuple[float, ...], slack: float = 0.6) -> bool:
    return (
        min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0]) > slack
        and min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]) > slack
    )
