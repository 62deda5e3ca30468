"""One view for each screen and what may stand on it: what the pictures show, and the tests measure."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from engine.cards import DECK, SEATS, Card, parse_cards
from table.settings import Settings
from table.theme import ASSETS
from table.view import (
    Ask,
    Banner,
    Bundle,
    Calibration,
    Clock,
    Correction,
    DealResult,
    Fact,
    Learning,
    Lesson,
    Proven,
    Remark,
    SeatView,
    TableView,
    VenueView,
)

NOW = 100.0
HALL = VenueView(place="12", state="online", contact=NOW - 2)
MESSAGE = "第 3 轮 10:40 开始，请打完手上这一副，双方签字后留在座位上。"
NAMES = {"N": "陈建国", "E": "李晓梅", "S": "王海涛", "W": "赵雨"}


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(parse_cards(text))


def _seat(seat: str, text: str = "", **more: object) -> SeatView:
    return replace(SeatView(seat, name=NAMES[seat], cards=_cards(text)), **more)  # type: ignore[arg-type]


def _play() -> TableView:
    return TableView(
        screen="playing", profile="championship", levels={"NS": "8", "EW": "5"}, on_stage="NS", level="8", deal=6,
        seats={
            "N": _seat("N", "S6 C6 H6 D4 S4", combination=("full_house", 5, "6"), beaten=True),
            "W": _seat("W", "SJ HJ DJ D9 C9", combination=("full_house", 5, "J"), beaten=True, report=10),
            "S": _seat("S", "D3 C3 SA DA H8", combination=("full_house", 5, "A")),
            "E": _seat("E", turn=True),
        },
        turn="E", turn_clock=Clock(NOW - 6.4, 0.0, 20.0, True), match_clock=Clock(NOW, 0.0, 2537.0, True), venue=HALL,
    )  # fmt: skip


def _friendly(play: TableView) -> TableView:
    ask = Ask(41, "E", (_cards("S9 C9 D9"), _cards("S9 C9 H9")))
    return replace(
        play, profile="friendly", turn_clock=None, match_clock=None, level="5", on_stage="EW", turn="N",
        venue=VenueView(),
        seats={
            "N": _seat("N", turn=True, count=7),
            "W": _seat("W", "S7 D7 C7", combination=("triple", 3, "7"), beaten=True),
            "S": replace(_seat("S"), passed=True),
            "E": _seat("E", "S9 C9 D9", ask=ask),
        },
    )  # fmt: skip


def _before() -> dict[str, TableView]:
    from table.show import rulesets

    start = TableView(profile="friendly", rulesets=rulesets())
    seats = {seat: _seat(seat) for seat in SEATS}
    seated = TableView(screen="check_in", profile="championship", seats=seats, venue=HALL)
    return {
        "loading": TableView(screen="loading"),
        "start": start,
        "rulesets": replace(start, screen="rulesets", ruleset="tongsu"),
        "check-in": replace(seated, checked_in=frozenset({"NS"})),
        "check-in-offline": replace(seated, checked_in=frozenset({"NS", "EW"}), venue=replace(HALL, state="offline")),
    }


def _between(play: TableView) -> dict[str, TableView]:
    empty = {seat: _seat(seat) for seat in SEATS}
    first = replace(play, seats=empty, turn=None, on_stage=None, level="2", deal=1, turn_clock=None,
                    levels={"NS": "2", "EW": "2"}, first_lead="turned_card")  # fmt: skip
    owed = replace(play, seats=empty, turn=None, tributes=(("tribute", "W", "NS"), ("tribute", "E", "NS")),
                   turn_clock=Clock(NOW - 4, 0.0, 15.0, True))  # fmt: skip
    result = DealResult(
        6, ("N", "S", "W", "E"), "NS", 3, {"NS": "2", "EW": "5"}, {"NS": "5", "EW": "5"}, frozenset({"NS"})
    )
    over = replace(play, screen="match_result", match_result={"winner": "NS", "past_A": True, "why": "passed_A"},
                   levels={"NS": "A", "EW": "Q"}, deal=15)  # fmt: skip
    seated = tuple(zip("NESW", ("孙立", "周敏", "吴刚", "郑洁"), strict=True))
    return {
        "first-lead": first,
        "first-lead-less": replace(first, banner=Banner("less", (("minutes", 5.0),), NOW + 3)),
        "turned-card": replace(first, turned=("W", Card.parse("HK"))),
        "tribute": owed,
        "tribute-one": replace(owed, paid=frozenset("E")),
        "return-closed": replace(owed, tributes=(("return", "N", "E"), ("return", "S", "W")), closed_return=True),
        "resisted": replace(play, seats=empty, turn="N", banner=Banner("resisted", (("seats", "EW"),), NOW + 3)),
        "deal-result": replace(play, screen="deal_result", deal_result=result),
        "deal-result-friendly": replace(
            play, screen="deal_result", profile="friendly", venue=VenueView(),
            deal_result=replace(result, order=("E", "N", "S", "W"), winner="EW", gain=1, confirmed=frozenset(),
                                after={"NS": "2", "EW": "6"}, confirms_at=NOW + 7.5)),
        "time-up": replace(play, bell=True),
        "match-result": replace(over, signed=frozenset({"EW"})),
        "time-up-result": replace(over, match_result={"winner": "EW", "why": "higher_level"}, levels={"NS": "7",
                                  "EW": "J"}),
        "next-match": replace(over, signed=frozenset({"NS", "EW"}), venue=replace(HALL, seated=seated)),
    }  # fmt: skip


def _playing(play: TableView, friendly: TableView) -> dict[str, TableView]:
    bomb = replace(
        play, levels={"NS": "A", "EW": "K"}, level="A", attempts={"NS": 2, "EW": 0}, deal=14, turn="W",
        seats={
            "N": _seat("N", place=1),
            "E": _seat("E", "S5 S6 S7 S8 S9", combination=("straight_flush", 5, "9"), beaten=True),
            "S": _seat("S", "ST HT CT DT ST HT", combination=("bomb", 6, "T")),
            "W": _seat("W", turn=True, report=9),
        },
    )  # fmt: skip
    wrong = {**friendly.seats, "E": _seat("E", "S6 C6 D6")}
    margin = Ask(40, "W", (_cards("S7 D7 C7"), _cards("S7 D7 C2")), margin=True)
    corrected = Banner("corrected", (("new", "H6"), ("old", "H9"), ("seat", "E")), NOW + 4)
    fixed = replace(play, screen="correct", correction=Correction("W", _cards("SJ HJ DJ D9 C9"), 3, _cards("D6 H9")))
    flat = Settings(flat=True)
    lesson = Lesson("E", "short", ("triple", 3, "6"), ("triple", 3, "7"), "N")
    taught = replace(friendly, settings=Settings(training=True), lesson=lesson, seats=wrong)
    return {
        "play": play,
        "unsure": friendly,
        "bomb": bomb,
        "stop": replace(play, notice="stop"),
        "look": replace(friendly, notice="look", seats=wrong),
        "covered": replace(play, notice="covered"),
        "mat-lost": replace(play, notice="lost"),
        "margin": replace(friendly, margin=(margin,), seats={**friendly.seats, "E": _seat("E")}),
        "out": replace(friendly, out_question="W", seats={**friendly.seats, "E": _seat("E")}),
        "score-only-offer": replace(friendly, offer_score_only=True, seats={**friendly.seats, "E": _seat("E")}),
        "scoring": replace(play, scoring=True, turn=None, turn_clock=None, seats={seat: _seat(seat) for seat in SEATS}),
        "flat-scoring": replace(play, scoring=True, turn=None, turn_clock=None, settings=flat,
                                seats={seat: _seat(seat) for seat in SEATS}),
        "reminder": replace(play, banner=Banner("reminder", (("minutes", 5),), NOW + 3),
                            match_clock=Clock(NOW, 0.0, 298.0, True)),
        "last-try": replace(bomb, banner=Banner("last_try", (("left", 1), ("side", "NS")), NOW + 3)),
        "message": replace(play, venue=replace(HALL, message=MESSAGE, message_until=NOW + 9)),
        "correct": fixed,
        "corrected": replace(play, banner=corrected),
        "seat": replace(play, screen="seat", sheet="E", may=frozenset({"pass", "report", "correct"})),
        "training": taught,
        "lesson": replace(taught, screen="lesson"),
        "called": replace(play, screen="halted", halt="called", venue=replace(HALL, referee=("take", "张裁判"))),
        "call-aloud": replace(play, screen="halted", halt="called", venue=replace(HALL, state="offline")),
        "stop-aloud": replace(play, notice="stop", venue=VenueView()),
        "paused": replace(play, screen="halted", halt="paused"),
        "hall-paused": replace(play, screen="halted", halt="paused", waits_for_hall=True),
        "flat": replace(play, settings=flat),
        "flat-first": replace(play, settings=flat, first_lead="turned_card", turn=None, turn_clock=None,
                              seats={seat: _seat(seat) for seat in SEATS}),
        "flat-stop": replace(play, settings=flat, notice="stop"),
        "flat-told": replace(play, settings=flat, banner=corrected),
        "flat-message": replace(play, settings=flat, venue=replace(HALL, message=MESSAGE, message_until=NOW + 9)),
        "flat-unsure": replace(friendly, settings=flat),
        "flat-called": replace(play, screen="halted", halt="called", settings=flat, facing="W",
                               venue=replace(HALL, referee=("take", "张裁判"))),
        "flat-correct": replace(fixed, settings=flat),
        "flat-seat": replace(play, screen="seat", sheet="E", settings=flat,
                             may=frozenset({"pass", "report", "correct"})),
        "flat-signing": replace(play, screen="match_result", settings=flat, signed=frozenset({"EW"}),
                                levels={"NS": "A", "EW": "Q"}, deal=15,
                                match_result={"winner": "NS", "past_A": True, "why": "passed_A"}),
        "flat-result": replace(play, screen="deal_result", settings=flat, facing="N",
                               deal_result=DealResult(6, ("N", "S", "W", "E"), "NS", 3, {"NS": "2", "EW": "5"},
                                                      {"NS": "5", "EW": "5"})),
        "menu": replace(friendly, screen="menu"),
        "score-only": replace(play, screen="score_only", picked=("N", "E")),
    }  # fmt: skip


def _guarded(play: TableView) -> dict[str, TableView]:
    facts = (
        Fact("camera", "2304x1296, 10 fps", True), Fact("journal", "412", True),
        Fact("disk", "21 GB", True), Fact("venue", "12", True), Fact("touch", "3 s", None),
        Fact("display", "1280x720 kmsdrm", None), Fact("heat", "71 °C", True), Fact("memory", "38 %", True),
        Fact("version", "0.2.0", None),
    )  # fmt: skip
    ill = (Fact("heat", "84 °C", False), Fact("power", "< 4.63 V", False))
    settings = replace(play, screen="settings")
    return {
        "settings": replace(settings, lock="open", may_learn=True),
        "settings-code": replace(settings, lock="shut", entered=3),
        "settings-wait": replace(settings, lock="wait", locked_until=NOW + 22),
        "settings-new-code": replace(settings, lock="choose", entered=2),
        "settings-no-code": replace(settings, lock="none"),
        "diagnosis": replace(
            play, screen="diagnosis", facts=facts, may_learn=True, may_calibrate=True, may_bundle=True
        ),
        "diagnosis-ill": replace(
            play,
            screen="diagnosis",
            facts=(*(fact for fact in facts if fact.key != "heat"), *ill),
            may_learn=True,
            may_calibrate=True,
            may_bundle=True,
            bundle=Bundle("made", "/var/lib/guandan/diagnosis.zip"),
        ),
        **_calibration(),
        **_learning(),
    }


def _calibration() -> dict[str, TableView]:
    """A camera being hung: nothing found, something to be done, all in its place."""
    page = TableView(screen="calibration", overlaid=True)
    mat = cv2.imread(str(ASSETS / "mat" / "mat.png"), cv2.IMREAD_REDUCED_COLOR_8)
    assert mat is not None, "it ships"
    picture = np.full((270, 480, 3), 70, np.uint8)
    picture[5:265, 110:370] = cv2.resize(mat, (260, 260), interpolation=cv2.INTER_AREA)
    seen = Calibration((), picture.tobytes(), (480, 270), 20, True)
    small = (Remark("size_far", "bad", (("cm", "25"), ("px", "16"), ("seat", "N"))),
             Remark("glare", "bad", (("seat", "W"),)), Remark("light_uneven", "warn", (("corner", "NE"),)),
             Remark("tilted", "warn", (("seat", "S"),)), Remark("blurred", "warn", (("corner", "SE"),)),
             Remark("whole", "ok"))  # fmt: skip
    fine = (Remark("whole", "ok"), Remark("size", "ok", (("px", "33"), ("seat", "N"))), Remark("sharp", "ok"),
            Remark("light", "ok"), Remark("no_glare", "ok"))  # fmt: skip
    return {
        "calibration": replace(page, calibration=replace(seen, remarks=small)),
        "calibration-begin": replace(page, calibration=Calibration(can_hold=True)),
        "calibration-mat": replace(page, calibration=replace(seen, remarks=(Remark("mat", "bad", (("found", "2"),)),))),
        "calibration-good": replace(page, calibration=replace(seen, remarks=fine)),
        "calibration-match": replace(page, calibration=Calibration(busy=True)),
    }


def _learning() -> dict[str, TableView]:
    """A deck of a venue's own being learned."""
    page = TableView(screen="enrol", overlaid=True)
    some = frozenset(card for card in DECK if card.rank not in "JQ" and not card.is_joker)
    rng = np.random.default_rng(4)
    crop = np.clip(rng.normal(190, 12, (84, 60, 3)), 0, 255).astype(np.uint8)
    crop[18:60, 22:38] = (40, 40, 50)
    options = _cards("SJ CJ SQ CQ SB HR")
    proven = Proven(54, 53, 1, (), True)
    doubted = Proven(54, 50, 2, _cards("SJ S8"), False)
    full = frozenset(DECK)
    return {
        "enrol": replace(page, learning=Learning(seen=some, said="added", count=44)),
        "enrol-begin": replace(page, learning=Learning()),
        "enrol-question": replace(
            page, learning=Learning(seen=some, question=(3, options), crop=crop.tobytes())),
        "enrol-jokers": replace(page, learning=Learning("jokers", True, full, jokers=2)),
        "enrol-doubted": replace(page, learning=Learning(seen=full - set(_cards("SJ S8")), said="proved",
                                 proof=doubted)),
        "enrol-proven": replace(page, learning=Learning("done", seen=full, said="proved", proof=proven)),
        "enrol-saved": replace(page, learning=Learning("done", seen=full, said="saved", proof=proven,
                               saved="/var/lib/guandan/venue.deck")),
        "enrol-match": replace(page, learning=Learning("match")),
    }  # fmt: skip


def views() -> dict[str, TableView]:
    """One view for each picture, by the picture's name."""
    play = _play()
    friendly = _friendly(play)
    return {**_before(), **_between(play), **_playing(play, friendly), **_guarded(play)}
