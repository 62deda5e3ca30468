"""``table --camera virtual`` as a spare: the match of the machine that it replaces arrives, and robots play it on."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from engine.events import Event
from engine.match import Match
from simulator.truth import play_match, play_on
from table.demo import stage
from table.journal import Journal
from table.ledger import events_of
from table.sync_pairing import Continued, take_over
from tests.table.perfect_eye import studio


def played(profile: str, cut: float) -> list[Event]:
    """What the dead machine had sent: a deal, and *cut* of the second; each event four seconds after the last."""
    first = play_match(7, "tongsu", profile, deals=1, offences=False)
    both = play_match(7, "tongsu", profile, deals=2, offences=False)
    end = len(first) + round((len(both) - len(first)) * cut)
    return [replace(event, t=4.0 * place) for place, event in enumerate(both[:end])]


def folded(events: Sequence[Event]) -> Match:
    match = Match()
    for event in events:
        match.apply(event)
    return match


@pytest.mark.parametrize("cut", [0.0, 0.5, 0.9])
def test_robots_play_on_what_people_began(cut: float) -> None:
    lines = played("championship", cut)
    record = play_on(lines, 1000, deals=1)
    assert record[: len(lines)] == lines and record == play_on(lines, 1000, deals=1)
    whole = play_on(lines, 1000)
    assert whole[: len(record)] == record, "what grows while the first deal is played begins with it"
    before, after = folded(lines), folded(record)
    assert len(after.deals) == len(before.deals) + (2 if before.phase == "deal" else 1)
    out = before.deal.finished if before.deal is not None and before.phase == "deal" else []
    assert list(after.deals[1].deal.order[: len(out)]) == list(out), "whoever was out stays out"
    assert folded(whole).result is not None


@pytest.mark.parametrize("profile", ["friendly", "championship"])
def test_a_virtual_spare_goes_on_with_the_match(tmp_path: Path, profile: str) -> None:
    lines = played(profile, 0.5)
    before = folded(lines)
    continued = Continued("m-1", [{"do": line.do, **line.data, "t": line.t} for line in lines])
    journal = Journal(tmp_path / "spare.journal")
    assert take_over(journal, continued, time.time()) == len(lines)
    # Started as any virtual table is: another ruleset, the other profile.
    other = "championship" if profile == "friendly" else "friendly"
    app = stage(journal, 3, other, "en", 8.0, "national", studio=studio(), inset=False)
    try:
        match = app.controller.desk.match
        assert match.ruleset.id == "tongsu" and app.view.profile == profile == app.controller.desk.profile
        assert app.view.levels == before.levels and match.on_stage == before.on_stage
        assert app.controller.desk.score_only, "nobody knows what was in the players' hands"
        left, had = match.clock.match_left, before.clock.match_left
        assert (left is None) == (had is None) and (left is None or abs(left - had) < 30)
        end = time.monotonic() + 180
        while not (len(app.controller.desk.match.deals) == 2 and app.controller.desk.match.phase == "deal"
                   and any(app.controller.desk.match.deal.played.values())):  # fmt: skip
            assert time.monotonic() < end, "it never came to that"
            assert app.source.failed.error is None, app.source.failed.error
            app.turn()
        truth = folded(play_on(lines, 3001, deals=1))
        scored = app.controller.desk.match.deals[1].deal
        assert scored.order == truth.deals[1].deal.order
        assert app.view.levels == folded(play_on(lines, 3001, deals=0)).levels
        assert not app.controller.desk.score_only, "the next deal is read again"
    finally:
        app.source.stop()
    kept = [event for event, _ in events_of(journal.entries(1))]
    # The spare itself is cut off: it goes on where it stood.
    again = stage(journal, 3, other, "en", 8.0, "national", studio=studio(), inset=False)
    try:
        assert again.view.deal == 3 and again.view.profile == profile
        assert [event.do for event in again.controller.desk.match.events][: len(kept)] == [event.do for event in kept]
        assert again.source.table.record[: len(lines)] == lines
    finally:
        again.source.stop()
        journal.close()
