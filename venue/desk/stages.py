"""A stage of an event: which games come next, whether it is over, how it stands, who goes on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.cards import RANKS
from venue.desk import draw, knockout, roundrobin, standings, swiss
from venue.desk.entries import Entrant
from venue.desk.knockout import Game
from venue.desk.plans import Plan
from venue.desk.rounds import Drawn, Round
from venue.desk.standings import Line, Outcome
from venue.sentences import Impossible


@dataclass
class Stage:
    """One stage as it is played. *entered* are those who came into it, best seed first; *groups* share them out."""

    plan: Plan
    entered: list[int] = field(default_factory=list)
    groups: list[list[int]] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    decided: list[int] = field(default_factory=list)
    """The order of an extra deal or game between those whom the chain leaves level, best first."""

    # --- drawing --------------------------------------------------------------------------------------------------

    def deal_groups(self, seed: str, entered: Sequence[int], entrants: dict[int, Entrant]) -> list[list[int]]:
        """*entered* dealt into the stage's groups by *seed*, clubs apart as far as that goes."""
        if self.plan.groups <= 1:
            return [list(entered)]
        clubs = {number: entrants[number].club for number in entered}
        return roundrobin.groups(draw.order(f"{seed}/groups", entered), self.plan.groups, clubs)

    def games(self, seed: str, entrants: dict[int, Entrant], gone: Collection[int]) -> list[Drawn]:
        """The next round's games. The first round needs *entered* and *groups*.

        :raises Impossible: when the rules leave none, or a knock-out has a game without a winner.
        """
        made: list[Drawn] = []
        for number, group in enumerate(self.groups):
            mark = number + 1 if len(self.groups) > 1 else 0
            own = f"{seed}/{mark}" if mark else seed
            if self.plan.format == "drawn_tables":
                made += self._tables(own, [who for who in group if who not in gone], mark)
            elif self.plan.format == "swiss":
                players = [each for each in self.players(entrants).values() if each.number in group]
                here = [each for each in players if each.number not in gone]
                made += [Drawn(one, other, None, mark) for one, other in swiss.pair(here, own)]
            elif self.plan.format == "round_robin":
                made += [Drawn(one, other, None, mark) for one, other in self._round_robin(seed, mark, group, gone)]
            else:
                made += self._knockout(own, group, gone, mark)
        return made

    def _tables(self, seed: str, here: list[int], mark: int) -> list[Drawn]:
        sat_out = [who for past in self.rounds for game in past.games if game.other is None for who in game.sides[0]]
        drawn = draw.order(seed, here)
        if len(drawn) < 4:
            raise Impossible("table_of_four")
        last_first = drawn[::-1]
        idle = sorted(last_first, key=sat_out.count)[: len(drawn) % 4]
        drawn = [who for who in drawn if who not in idle]
        made = [Drawn(drawn[at], drawn[at + 2], (drawn[at + 1], drawn[at + 3]), mark) for at in range(0, len(drawn), 4)]
        return made + [Drawn(who, None, None, mark) for who in idle]

    def _round_robin(self, seed: str, mark: int, group: list[int], gone: Collection[int]) -> list[Game]:
        first = self.rounds[0].seed if self.rounds else seed
        games = roundrobin.rounds(draw.order(f"{first}/{mark}" if mark else first, group))
        if len(self.rounds) >= len(games):
            return []
        made: list[Game] = []
        for game in games[len(self.rounds)]:
            left = [number for number in game if number is not None and number not in gone]
            if left:
                made.append((left[0], left[1] if len(left) == 2 else None))
        return made

    def _knockout(self, seed: str, group: list[int], gone: Collection[int], mark: int) -> list[Drawn]:
        if not self.rounds:
            here = [who for who in group if who not in gone]
            if self.plan.format == "drawn_knockout":
                games = knockout.drawn_round(here, seed)
            elif self.plan.seeding == "tables" and len(group) % 2 == 0:
                games = knockout.next_round([None if who in gone else who for who in group])
            elif self.plan.seeding == "tables":
                games = knockout.neighbours(here, seed)
            else:
                games = knockout.first_round(knockout.bracket(here))
            return [Drawn(one, other, None, mark) for one, other in games]
        last = [game for game in self.rounds[-1].games if game.group == mark and not game.for_place]
        if any(game.winner is None and not _nobody(game.result) for game in last):
            raise Impossible("knockout_winners")
        slots = [None if game.winner in gone else game.winner for game in last]
        alive = [who for who in slots if who is not None]
        if len(alive) <= self.plan.until:
            return []
        byes = [game.one for past in self.rounds for game in past.games if game.other is None]
        if self.plan.format == "drawn_knockout":
            games = knockout.drawn_round(alive, seed, byes)
        elif len(slots) % 2:
            games = knockout.neighbours(alive, seed, byes)
        else:
            games = knockout.next_round(slots)
        made = [Drawn(one, other, None, mark) for one, other in games]
        losers = [game.loser for game in last if game.loser is not None and game.loser not in gone]
        if self.plan.third_place and len(alive) == 2 and len(losers) == 2 and None not in losers:
            made.append(Drawn(losers[0], losers[1], None, mark, for_place=3))
        return made

    def players(self, entrants: dict[int, Entrant]) -> dict[int, swiss.Player]:
        """Everybody of the stage, as the next pairing sees them."""
        points = {number: float(figure) for number, figure in self._points().items()}
        met: dict[int, set[int]] = {number: set() for number in self.entered}
        byes: set[int] = set()
        for past in self.rounds:
            for game in past.games:
                if game.other is None:
                    byes.add(game.one)
                else:
                    met[game.one].add(game.other)
                    met[game.other].add(game.one)
        floated: dict[int, int] = {}
        if self.rounds:
            before = {number: float(figure) for number, figure in self._points(len(self.rounds) - 1).items()}
            floated = swiss.floats([(game.one, game.other) for game in self.rounds[-1].games], before)
        return {
            number: swiss.Player(
                number, points[number], frozenset(met[number]), entrants[number].club, number in byes,
                floated.get(number, 0),
            )
            for number in self.entered
        }  # fmt: skip

    # --- how far it is --------------------------------------------------------------------------------------------

    @property
    def round_count(self) -> int:
        """How many rounds there will be, 0 where it depends on nothing but results."""
        if self.plan.format == "round_robin":
            sizes = [len(group) for group in self.groups] or [0]
            whole = max(max(0, size - 1 + size % 2) for size in sizes)
            return min(whole, self.plan.rounds) if self.plan.rounds else whole
        if self.plan.format == "swiss":
            return self.plan.rounds or 5
        return self.plan.rounds or (1 if self.plan.format == "drawn_tables" else 0)

    def alive(self, mark: int) -> list[int]:
        """Who is still in the knock-out of the group *mark*, in the order of their games."""
        last = [game for game in self.rounds[-1].games if game.group == mark and not game.for_place]
        if not last:  # this group was over before the others
            for past in reversed(self.rounds):
                if last := [game for game in past.games if game.group == mark and not game.for_place]:
                    break
        return [game.winner for game in last if game.winner is not None]

    @property
    def finished(self) -> bool:
        """Whether no round is left to draw and all are played."""
        if not self.rounds or not self.rounds[-1].done:
            return False
        if not self.plan.is_knockout:
            return len(self.rounds) >= self.round_count
        if any(game.winner is None and not _nobody(game.result) for game in self.rounds[-1].games):
            return False
        if self.plan.rounds and len(self.rounds) >= self.plan.rounds:
            return True
        return all(len(self.alive(mark)) <= self.plan.until for mark in self._marks())

    def _marks(self) -> list[int]:
        return list(range(1, len(self.groups) + 1)) if len(self.groups) > 1 else [0]

    # --- how it stands --------------------------------------------------------------------------------------------

    def outcomes(self, rounds: int | None = None) -> dict[int, list[Outcome]]:
        """Everybody's side of every game that is decided, of the first *rounds* rounds."""
        found: dict[int, list[Outcome]] = {number: [] for number in self.entered}
        for count, past in enumerate(self.rounds[:rounds], 1):
            for game in past.games:
                if game.other is None:
                    got = 0 if self.plan.score == "margin" else self.plan.points["bye"]
                    found[game.one].append(Outcome(count, None, got, won=True))
                elif game.result is not None:
                    for mine, theirs, me in zip(game.sides, game.sides[::-1], ("one", "other"), strict=True):
                        outcome = self.outcome(game.result, count, theirs[0], me)
                        for who in mine:
                            found[who].append(outcome)
        return found

    def outcome(self, result: dict[str, Any], number: int, theirs: int, me: str) -> Outcome:
        """What *result* is worth to the side *me*."""
        winner, points = result.get("winner"), self.plan.points
        got = points["draw"] if winner is None else points["win"] if winner == me else points["loss"]
        if winner == "nobody" or result.get("forfeit") == me:
            got = points["absent"]
        margin, height = margin_of(result, me)
        if self.plan.score == "margin":
            got = max(0, margin) if winner == me else 0
        return Outcome(number, theirs, got, margin, height, winner == me)

    def _points(self, rounds: int | None = None) -> dict[int, standings.Number]:
        outcomes = self.outcomes(rounds)
        return {number: standings.points(outcomes, number)[0] for number in outcomes}

    def standing(self, mark: int = 0) -> list[Line]:
        """The table as it stands, of the whole stage or of one of its groups (counted from 1)."""
        if not self.rounds:
            return []
        members = self.groups[mark - 1] if mark else self.entered
        outcomes = {number: games for number, games in self.outcomes().items() if number in members}
        if not self.plan.is_knockout:
            return self._decide(standings.table(outcomes, self.plan.chain, self.rounds[0].seed))
        lines: list[Line] = []
        for sharing in self._knockout_ranks([mark] if mark else self._marks()):
            rank = len(lines) + 1
            for who in sharing:
                won, why = standings.wins(outcomes, who)
                lines.append(Line(rank, who, (won,), (why,), len(sharing) > 1))
        return self._decide(lines)

    def _decide(self, lines: list[Line]) -> list[Line]:
        """Let an extra game speak between those who share a place."""
        made: list[Line] = []
        for rank in dict.fromkeys(line.rank for line in lines):
            sharing = [line for line in lines if line.rank == rank]
            named = sorted(
                (line for line in sharing if line.number in self.decided),
                key=lambda line: self.decided.index(line.number),
            )
            others = [line for line in sharing if line.number not in self.decided]
            for place, line in enumerate(named):
                why = line.decided if not place else "extra"
                made.append(Line(rank + place, line.number, line.figures, line.explained, False, why))
            made += [
                Line(rank + len(named), line.number, line.figures, line.explained, len(others) > 1, line.decided)
                for line in others
            ]
        return made

    def ranks(self) -> list[list[int]]:
        """Who shares which place, best first; of groups everybody's place in his own."""
        if self.plan.is_knockout and not self.rounds:
            return [list(self.entered)] if self.entered else []
        if len(self.groups) > 1:
            shared: dict[int, list[int]] = {}
            for mark in self._marks():
                for line in self.standing(mark):
                    shared.setdefault(line.rank, []).append(line.number)
            return [shared[rank] for rank in sorted(shared)]
        shared = {}
        for line in self.standing():
            shared.setdefault(line.rank, []).append(line.number)
        return list(shared.values())

    def _knockout_ranks(self, marks: Sequence[int]) -> list[list[int]]:
        out: list[list[int]] = []
        gone: set[int] = set()
        third: list[list[int]] = []
        members = {who for mark in marks for who in (self.groups[mark - 1] if mark else self.entered)}
        for past in self.rounds:
            lost: list[int] = []
            for game in past.games:
                if game.other is None or game.one not in members:
                    continue
                if game.for_place:
                    third = [[game.winner], [game.loser]] if game.winner and game.loser else []
                elif _nobody(game.result):
                    lost += [game.one, game.other]
                elif game.loser is not None:
                    lost.append(game.loser)
            out.append(lost)
            gone |= set(lost)
        alive = [number for number in self.entered if number in members and number not in gone]
        ranks = [rank for rank in [alive, *reversed(out)] if rank]
        placed = {who for rank in third for who in rank}
        return [
            each for rank in ranks for each in (third if placed and placed == set(rank) else [rank])
        ]  # fmt: skip

    # --- who goes on ----------------------------------------------------------------------------------------------

    def qualifiers(self) -> list[int]:
        """Who goes on, best first; of groups all first ones, then all second ones.

        :raises Impossible: when the last place is shared: an extra deal or game has to decide.
        """
        if self.plan.take == "winners" or (self.plan.is_knockout and not self.plan.take):
            if self.plan.is_knockout:
                return [who for mark in self._marks() for who in self.alive(mark)]
            last = self.rounds[-1].games
            won = [
                side
                for game in last
                for side, me in zip(game.sides, ("one", "other"), strict=True)
                if game.other is None or (game.result or {}).get("winner") == me
            ]
            return [who for side in won for who in side]
        count = int(self.plan.take) or len(self.entered)
        level = self.level_at_the_edge()
        if level:
            raise Impossible("level_last_place", numbers=level)
        if len(self.groups) == 1:
            return [line.number for line in self.standing() if line.rank <= count]
        lines = [line for mark in self._marks() for line in self.standing(mark) if line.rank <= count]
        return [line.number for line in sorted(lines, key=lambda line: line.rank)]

    def level_at_the_edge(self) -> list[int]:
        """Those who share a place of which some go on and some do not; empty when all is clear."""
        if not self.plan.take or self.plan.take == "winners":
            return []
        count = int(self.plan.take)
        for mark in self._marks():
            lines = self.standing(mark)
            for rank in {line.rank for line in lines if line.rank <= count}:
                sharing = [line.number for line in lines if line.rank == rank]
                if rank + len(sharing) - 1 > count:
                    return sharing
        return []


def _nobody(result: dict[str, Any] | None) -> bool:
    return result is not None and result.get("winner") == "nobody"


def margin_of(result: dict[str, Any], me: str) -> tuple[int, int]:
    """Level difference of the side *me* over all games of *result*, and the level it reached last."""
    games = result.get("games") or ([result["levels"]] if result.get("levels") else [])
    heights = [[RANKS.index(level) for level in levels] for levels in games]
    mine = 0 if me == "one" else 1
    if result.get("margin") is not None:
        margin = int(result["margin"]) * (1 if me == "one" else -1)
    else:
        margin = sum(each[mine] - each[1 - mine] for each in heights)
    return margin, heights[-1][mine] if heights else 0
