"""An evening as evenings are: a tribute card left on the mat, tea, a phone call, a toilet break, a wrong read, a dead
machine, the bell in a deal. In both profiles: nothing stops the game that nobody asked for, nobody is accused falsely,
and the results are right."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from engine.match import Match
from table.controller import Controller
from table.inputs import Seen
from table.ledger import events_of
from tests.end_to_end.evening import Evening
from tests.table.scripted import Scripted, seen
from vision.observations import Laid, Removed

PROFILES = ("friendly", "championship")


@pytest.fixture(params=PROFILES)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Evening]:
    options = {"match_seconds": 3600, "reminders": []}
    made = Evening(
        tmp_path / "life.journal", (800, 480), controller=Controller("national", request.param, None, options)
    )
    made.tap("start")
    made.tap("seat", "N")
    yield made
    made.close()


def _over(table: Evening, before: str, *more: str) -> None:
    """Those who do not want to beat: by pad in a championship, in silence among friends."""
    if table.desk.profile == "championship":
        table.passes(before)


def _modal(table: Evening) -> list[str]:
    """Screens that stopped the play since the last look; the list begins anew."""
    found = [screen for screen in table.shown if screen not in ("start", "playing", "deal_result", "match_result")]
    table.shown.clear()
    table.round()
    return found


def _first_tricks(table: Evening) -> None:
    table.lay("N", "S3 H3")
    table.lay("W", "S5 D5")
    _over(table, "SE")
    table.lay("N", "S7 D7")
    _over(table, "WSE")
    for seat, cards in (("N", "S3 H3 S7 D7"), ("W", "S5 D5")):
        table.lift(seat, cards)


def test_the_whole_evening(table: Evening, tmp_path: Path) -> None:
    championship = table.desk.profile == "championship"
    _first_tricks(table)

    # Tea: a tray over the mat for half a minute. Nobody's time runs, and it goes on by itself.
    match_left, turn_left = _left(table)
    table.cover(8.0)
    after_match, after_turn = _left(table)
    assert match_left - after_match < 2.5 and (turn_left is None or turn_left - after_turn < 2.5)
    assert table.view.notice is None
    assert _modal(table) == []

    # A wrong read: the eye was sure of a nine that was a six. Two touches put it right, everybody sees it.
    table.lay("N", "S9 D9")
    table.tap("card", ("N", None))
    if table.view.correction.at is None:
        table.tap("card", ("N", 0))
    table.tap("candidate", "S6")
    table.tap("card", ("N", None))
    table.tap("card", ("N", 1))
    table.tap("candidate", "D6")
    assert [card.name for card in table.view.seats["N"].cards] == ["S6", "D6"]
    assert _modal(table) == ["correct", "correct"], "only what somebody opened"
    table.lay("W", "H8 C8")
    assert not table.alerts and table.view.notice is None, "judged by what it is, not by what was read"

    # The phone: somebody pauses. A toilet break: longer than any turn. Both are nobody's time.
    for minutes in (2, 7):
        match_left, turn_left = _left(table)
        table.tap("menu")
        table.tap("pause")
        table.wait(60 * minutes, step=5)
        table.tap("resume")
        after_match, after_turn = _left(table)
        assert match_left - after_match < 3 and (turn_left is None or turn_left - after_turn < 3)
    assert _modal(table) == ["menu", "halted", "menu", "halted"]

    # The machine dies in the middle of a trick, and is back: the same trick, the same clocks, no card twice.
    before_view, before_left = table.view, _left(table)
    table = _dead_and_back(table, tmp_path)
    assert table.view.seats["W"].cards == before_view.seats["W"].cards and table.view.turn == before_view.turn
    assert abs(_left(table)[0] - before_left[0]) < 1.5
    for seat, cards in (("N", "S6 D6"), ("W", "H8 C8")):
        table.lay(seat, cards, after=0.2)  # the eye looks at the mat anew
    assert [event.do for event in table.stored()][-1] != "play"
    _over(table, "SEN")
    table.lay("W", "SJ")
    assert not table.alerts

    # The deal is scored by its order; the next one owes tribute, and the tribute card stays on the mat for a while.
    table.score("NSEW")
    for side in ("NS", "EW"):
        table.tap("confirm", side)
    assert table.view.levels == {"NS": "5", "EW": "2"}
    _tribute_left_lying(table)
    assert not [each for each in table.alerts if each.kind != "camera_covered"]
    table.shown.clear()
    table.round()

    # The bell rings in the middle of the deal.
    table.wait(_left(table)[0] + 8, step=5)
    if championship:
        assert table.view.match_result is not None and table.view.match_result["why"] == "higher_level"
    else:
        assert table.view.bell and table.view.screen == "playing", "friends finish the deal"
        assert _modal(table) == []
        table.score("ENWS")
    assert table.view.match_result is not None
    assert table.view.match_result["winner"] == "NS", "5 or more against less than 5"
    for side in ("NS", "EW"):
        table.tap("confirm", side)
    # Whoever sat there for the hour until the bell was over the time, and nobody else was accused of anything.
    assert {each.kind for each in table.alerts} <= {"match_limit", "turn_time"}
    again = Match()
    for event in table.stored():
        again.apply(event)
    assert again.result is not None and again.result.winner == "NS", "the journal tells the same"
    table.close()


def _left(table: Evening) -> tuple[float, float | None]:
    """What is left now: of the match, of the turn."""
    view, now = table.view, table.source.t
    assert view.match_clock is not None
    turn = view.turn_clock.left(now) if view.turn_clock is not None else None
    return view.match_clock.left(now), turn


def _tribute_left_lying(table: Evening) -> None:
    """Both losers pay, the winners return, the four cards lie there while play begins, and are taken later."""
    table.lay("E", "SA")
    table.lay("W", "DK")
    givers = {taker: giver for kind, taker, giver in table.view.tributes if kind == "return"}
    assert set(givers) == {"N", "S"}
    table.lay("N", "S4")
    table.lay("S", "D9")
    leader = table.view.turn
    assert leader is not None and not table.view.tributes
    table.lay(leader, "C3 H3")
    for seat, card in (("E", "SA"), ("W", "DK"), ("N", "S4"), ("S", "D9")):
        table.source.t += 1
        table.give(Seen(Removed(table.source.t, seat, (seen(card),), False)))
    assert table.view.seats[leader].cards, "the play still lies there"
    assert not [event for event in table.stored() if event.do == "take_back"]


def _dead_and_back(table: Evening, folder: Path) -> Evening:
    """The plug is pulled: nothing of the process is left, the journal is."""
    path, t = table.journal.path, table.source.t
    table.close()
    controller = Controller("national", table.desk.profile)
    again = Evening(path, (800, 480), controller=controller, t=t)
    journaled = events_of(again.journal.entries(again.journal.epochs()[-1]))
    again.source.t = t + 240.0  # four minutes without power are nobody's
    for effect in controller.resume(journaled, again.source.t):
        again.source.done.append(effect)
    again.app.view = controller.view
    again.source.done.clear()
    again.round()
    return again


def test_the_wall_clock_moves_nothing(table: Evening) -> None:
    _first_tricks(table)
    left = _left(table)
    table.wall -= 3 * 365 * 86400.0
    table.wait(2.0)
    table.wall += 40 * 365 * 86400.0
    table.wait(2.0)
    after = _left(table)
    assert abs(left[0] - after[0] - 4.0) < 0.1
    assert left[1] is None or abs(left[1] - after[1] - 4.0) < 0.1


def test_a_busy_machine_costs_nobody_a_second() -> None:
    """What a play was is known half a minute after its touch: that time is nobody's."""
    table = Scripted(turn_seconds=20, turn_warning=20, turn_foul=40)
    table.tap("seat", "N")  # who leads is known: a single card is no turned one
    table.lay("N", "S3")
    table.wait(18.0)
    table.touch("W", after=0.5)
    touched = table.t
    table.t += 30.0  # the touch was in time; reading the cards takes its time
    table.wait(1.0)
    assert table.view.turn_clock is not None and table.view.turn_clock.left(table.t) > 0
    table.see(Laid(table.t, "W", (seen("S5"),), touched, 3, True, table.t))
    assert table.did[-1] == "play" and not table.alerts


def test_a_foul_is_told_when_it_happens_and_not_before() -> None:
    table = Scripted(turn_seconds=20, turn_warning=20, turn_foul=40)
    table.tap("seat", "N")  # who leads is known: a single card is no turned one
    table.lay("N", "S3")
    table.wait(39.0)
    assert not table.alerts and any(light.state == "warning" for light in table.lights)
    table.wait(4.0)
    assert [(alert.kind, alert.seat) for alert in table.alerts] == [("turn_time", "W")]
    table.wait(60.0)
    assert len(table.alerts) == 1
