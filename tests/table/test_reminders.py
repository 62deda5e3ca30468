"""What the table says by itself for a moment: time, tries; and in whose words it tells the referee's rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Card
from table.deals import open_deal
from table.effects import Alert
from table.inputs import Ticked
from tests.table.scripted import Scripted


def told(table: Scripted) -> tuple[str, dict[str, object]] | None:
    banner = table.view.banner
    return None if banner is None else (banner.key, dict(banner.values))


def test_time_is_told_once_at_each_mark_quietly_and_goes_by_itself() -> None:
    table = Scripted(match_seconds=600, reminders=["half", 90])
    began = table.t
    open_deal(table.controller.desk, table.t)
    for second in (295, 301):
        table.give(Ticked(began + second))
    assert told(table) == ("reminder", {"minutes": 5})
    assert table.view.notice is None and table.view.screen == "playing" and not table.alerts
    table.give(Ticked(began + 308))
    assert told(table) is None
    table.give(Ticked(began + 511))
    assert told(table) == ("seconds", {"time": "1:30"})
    table.give(Ticked(began + 520))
    assert told(table) is None


@pytest.mark.parametrize(("failed", "said"), [(0, None), (1, "tries"), (2, "last_try")])
def test_who_plays_A_is_told_how_many_tries_are_left(failed: int, said: str | None) -> None:
    table = Scripted(ruleset="huaer")
    desk = table.controller.desk
    assert desk.match.ruleset.A_tries == 3, "else another ruleset is wanted here"
    desk.match.race.levels["EW"] = "A"
    desk.match.race.on_stage = "EW"
    desk.match.race.attempts["EW"] = failed
    assert open_deal(desk, table.t)
    got = told(table)
    if said is None:
        assert got is None
    else:
        assert got == (said, {"side": "EW", "left": 3 - failed})
    assert table.view.notice is None


@pytest.mark.parametrize(("language", "words"), [("zh", "《"), ("en", "art")])
def test_the_rule_is_told_in_the_tables_language(language: str, words: str) -> None:
    table = Scripted()
    glass = table.controller.desk.glass
    glass.settings = replace(glass.settings, language=language)
    table.lay("N", "S8")
    table.press("W", "pass")
    table.lay("S", "S3")
    alerts = [effect for effect in table.effects if isinstance(effect, Alert)]
    assert alerts and alerts[0].kind == "does_not_beat" and Card.parse("S3") in table.view.seats["S"].cards
    rule = alerts[0].rule
    assert rule == table.controller.desk.match.by_id[alerts[0].id].article.in_language(language)
    assert any("一" <= sign <= "鿿" for sign in rule) is (language == "zh"), rule


def test_of_two_tributes_the_one_that_lies_there_is_marked_while_the_other_is_waited_for() -> None:
    table = Scripted()
    table.finish("NSEW")
    for side in ("NS", "EW"):
        table.tap("confirm", side)
    assert {giver for _, giver, _ in table.view.tributes} == {"E", "W"} and table.view.paid == frozenset()
    table.lay("E", "SA")
    assert table.view.paid == {"E"} and len(table.view.tributes) == 2
    table.lay("W", "DK")
    assert table.view.paid == frozenset() and {kind for kind, _, _ in table.view.tributes} == {"return"}
