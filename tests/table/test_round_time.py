"""The organiser's word on a round's time, at the table: begun with, gone on with, shown and written down."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import SEATS
from engine.errors import GuandanError
from table.controller import Controller
from table.deals import open_deal
from table.inputs import Directed, Linked, Ticked
from table.sync_orders import ROUND_STOPPED
from table.timekeeping import match_left
from tests.table.scripted import Scripted

MATCH = "R1-T7"


class Seated(Scripted):
    """A table at which the venue has seated people who have not begun."""

    def __init__(self, ruleset: str = "national", **options: Any) -> None:
        super().__init__(ruleset=ruleset)
        self.order("forfeit", None, side="EW", why="-")
        record = {"do": "match", "ruleset": ruleset, "profile": "championship", "names": dict.fromkeys(SEATS, "甲")}
        self.order("seat", match=MATCH, record=record | ({"options": options} if options else {}))
        for side in ("NS", "EW"):
            self.tap("confirm", side)
        self.tap("next_match")

    def order(self, do: str, id: int | None = 7, **data: Any) -> None:
        self.t += 1
        self.give(Directed(self.t, do, data, id))

    def wait(self, seconds: float) -> None:
        self.t += seconds
        self.give(Ticked(self.t))

    @property
    def left(self) -> float | None:
        left = match_left(self.controller.desk, self.t)
        return None if left is None else round(left)

    @property
    def told(self) -> tuple[str, dict[str, Any]] | None:
        banner = self.view.banner
        return None if banner is None else (banner.key, dict(banner.values))


def test_a_match_begins_with_the_minutes_that_the_organiser_has_set() -> None:
    table = Seated(reminders=["half"])
    table.order("start", match=MATCH, seconds=3000)
    assert table.left == 3000 and table.controller.desk.match.ruleset.match_seconds == 3000
    assert table.events[-1].do == "match" and table.events[-1].data["options"]["match_seconds"] == 3000
    open_deal(table.controller.desk, table.t)
    table.wait(1501)  # half of the fifty minutes, not of the ruleset's hour
    assert table.told == ("reminder", {"minutes": 25})


def test_a_ruleset_without_a_limit_gets_none() -> None:
    table = Seated(match_seconds=0)
    table.order("start", match=MATCH, seconds=3000)
    assert table.left is None
    table.order("start", match=MATCH, seconds=3000)
    assert "extra" not in table.did


def test_who_began_before_the_hall_ends_with_the_hall() -> None:
    table = Seated()
    table.order("start", match=MATCH)
    table.wait(120)
    table.order("start", match=MATCH, seconds=3600)
    assert table.left == 3600 and table.told == ("extra", {"minutes": 2.0})
    assert table.events[-1].do == "extra" and table.events[-1].data["seconds"] == 121


def test_time_that_is_taken_off_is_shown_as_such_and_may_ring_the_bell() -> None:
    table = Seated()
    table.order("start", match=MATCH, seconds=3600)
    table.order("extra", match=MATCH, seconds=-300)
    assert table.told == ("less", {"minutes": 5.0}) and table.left == 3299
    table.order("extra", match=MATCH, seconds=-3400)
    assert table.controller.desk.match.bell
    table.order("extra", match=MATCH, seconds=600)
    assert table.left is not None and table.left > 400


def test_a_hall_that_was_stopped_goes_on_and_nobody_has_lost_a_second() -> None:
    table = Seated()
    table.order("start", match=MATCH, seconds=3600)
    open_deal(table.controller.desk, table.t)
    table.order("stop", match=MATCH, why="round stopped")
    left = table.left
    assert table.view.halt == "paused"
    table.wait(600)
    assert table.left == left
    table.order("start", match=MATCH)
    assert table.view.halt is None and table.left == left and table.did[-1] == "resume"
    table.wait(10)
    assert table.left == left - 10


def test_a_hall_that_stops_while_a_referee_is_awaited_stays_stopped_when_he_is_gone() -> None:
    table = Seated()
    table.order("start", match=MATCH, seconds=3600)
    open_deal(table.controller.desk, table.t)
    table.press("N", "call")
    table.order("stop", match=MATCH, why="round stopped")
    left = table.left
    table.order("ruling", match=MATCH, alert=table.alerts[-1].id, verdict="waive", by="table", who="x")
    table.wait(60)
    assert table.view.halt == "paused" and table.left == left
    table.order("start", match=MATCH)
    table.wait(5)
    assert table.view.halt is None and table.left == left - 5


def test_a_hall_that_was_stopped_is_not_started_at_a_table() -> None:
    table = Seated()
    table.order("start", match=MATCH, seconds=3600)
    open_deal(table.controller.desk, table.t)
    table.give(Linked(table.t, "online", 0, table.t))
    table.order("stop", match=MATCH, why=ROUND_STOPPED)
    assert table.view.waits_for_hall
    table.tap("resume")
    table.press("N", "call")
    assert table.view.halt == "called"
    table.tap("resume")  # the call is withdrawn; the hall stands
    assert table.view.halt == "paused" and "resume" not in table.did
    last = max(place for place, event in enumerate(table.events) if event.do == "match")
    again = Controller()
    again.resume([(event, {}) for event in table.events[last:]], 500.0)
    again.handle(Linked(501.0, "online", 0, 501.0))
    assert again.view.halt == "paused" and again.view.waits_for_hall  # after a restart too
    table.order("start", match=MATCH)
    assert table.view.halt is None and not table.view.waits_for_hall and table.did[-1] == "resume"
    table.tap("pause")
    table.tap("resume")
    assert table.view.halt is None


def test_a_table_that_its_hall_cannot_reach_may_go_on_by_itself() -> None:
    table = Seated()
    table.order("start", match=MATCH, seconds=3600)
    open_deal(table.controller.desk, table.t)
    table.give(Linked(table.t, "online", 0, table.t))
    table.order("stop", match=MATCH, why=ROUND_STOPPED)
    table.give(Linked(table.t, "offline", 0, table.t))
    assert not table.view.waits_for_hall
    table.tap("resume")
    assert table.view.halt is None and table.did[-1] == "resume"


def test_another_matchs_start_changes_nothing() -> None:
    table = Seated()
    with pytest.raises(GuandanError):
        table.order("start", match="R2-T7", seconds=600)
    table.order("start", match=MATCH, seconds=3600)
    with pytest.raises(GuandanError):
        table.order("start", match="R2-T7", seconds=600)
    assert table.left == 3599
