"""An event: a fold over the desk's acts. Whatever was decided is in the acts, with the seed that decided it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from venue.desk.acts import ACTS
from venue.desk.entries import Doubt, Entrant, Row, doubts_of
from venue.desk.plans import FORMATS, POINTS, Plan, check_options, stages_of
from venue.desk.prizes import Award, Prize, award
from venue.desk.rounds import Drawn, Pairing, Round
from venue.desk.stages import Stage
from venue.desk.standings import Line

__all__ = ["FORMATS", "POINTS", "Competition", "Drawn", "Pairing", "Round", "check_options"]


class Competition:
    """One event of the desk. ``apply`` takes an act; acts that make no sense by the time they come change nothing."""

    def __init__(self, id: str, created: Mapping[str, Any]) -> None:
        self.id = id
        self.title = str(created.get("title") or "")
        self.format = str(created.get("format"))
        self.options: dict[str, Any] = dict(created.get("options") or {})
        self.plans = stages_of(self.format, self.options)
        self.stages: list[Stage] = [Stage(self.plans[0])]
        self.entrants: dict[int, Entrant] = {}
        self.singles: dict[int, Entrant] = {}
        """Who entered alone, before partners were drawn."""
        self.aside: dict[int, Row] = {}
        """Lines of a list that wait for a person's word, by a number of their own."""
        self.asides = 0
        """How many there have ever been."""
        self.partners_seed = ""
        self.here: set[int] = set()
        """Who has checked in."""
        self.withdrawn: dict[int, str] = {}
        self.rounds: list[Round] = []
        self.log: list[dict[str, Any]] = []
        """What people did by hand after the draw: substitutes, moved seats, extra games; with who and why."""

    @property
    def stage(self) -> Stage:
        return self.stages[-1]

    @property
    def plan(self) -> Plan:
        return self.stage.plan

    @property
    def chain(self) -> tuple[str, ...]:
        return self.plan.chain

    @property
    def is_knockout(self) -> bool:
        return self.plan.is_knockout

    @property
    def rules(self) -> tuple[str, str]:
        """Ruleset and profile by which it is played."""
        ruleset, profile = self.options.get("ruleset"), self.options.get("profile")
        return str(ruleset or "national"), str(profile or "championship")

    @property
    def entry(self) -> str:
        return str(self.options.get("entry") or "pairs")

    @property
    def playing(self) -> list[int]:
        """The numbers that have not withdrawn, in order of entry."""
        return [number for number in self.entrants if number not in self.withdrawn]

    @property
    def open_for_entries(self) -> bool:
        """Whether names may still come and go."""
        return not self.rounds and not self.partners_seed

    @property
    def takes_latecomers(self) -> bool:
        """Whether somebody who comes only now can still play: from the next round on, without points so far."""
        whole = self.plan.format in ("swiss", "drawn_tables") and len(self.stage.groups) == 1
        return bool(self.rounds) and whole and len(self.stages) == 1 and len(self.rounds) < self.round_count

    def doubts(self) -> dict[int, list[Doubt]]:
        """What is doubtful now of each line that waits: what was mended on the list meanwhile is no doubt any more."""
        known = {name for each in self.entrants.values() for name in each.names}
        found = {}
        for id, row in self.aside.items():
            found[id] = doubts_of(row, known, self.entrants, singles=self.entry != "pairs")
            known.update(row.names)
        return found

    def apply(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        """Take one act of the desk; False when it changes nothing."""
        said = ACTS.get(str(act.get("act")))
        return said is not None and said(self, act, at, by)

    @property
    def finished(self) -> bool:
        """Whether no round is left to draw and all are played."""
        return len(self.stages) == len(self.plans) and self.stage.finished

    @property
    def round_count(self) -> int:
        """How many rounds the stage will have, 0 where it depends on nothing but results."""
        if not self.stage.rounds and self.plan.format == "round_robin":
            return Stage(self.plan, self.playing, [self.playing]).round_count if self.plan.groups == 1 else 0
        return self.stage.round_count

    # --- how it stands --------------------------------------------------------------------------------------------

    def standing(self) -> list[Line]:
        """The table of the stage that is on, as it stands."""
        return self.stage.standing()

    def ranks(self) -> list[list[int]]:
        """Who shares which place of the whole event, best first: those of the last stage before those of the others."""
        ranks: list[list[int]] = []
        placed: set[int] = set()
        for stage in reversed(self.stages):
            left = [[who for who in rank if who not in placed] for rank in stage.ranks()]
            ranks += [rank for rank in left if rank]
            placed |= set(stage.entered)
        return ranks

    def awards(self) -> list[Award]:
        """The prize list, once all rounds are over."""
        prizes = [Prize(str(each["name"]), int(each["count"])) for each in self.options.get("prizes") or []]
        if not self.finished or not prizes:
            return []
        return award(self.ranks(), prizes, str(self.options.get("consolation") or ""))
