"""An event: a fold over the desk's acts. Whatever was decided is in the acts, with the seed that decided it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from venue.desk import draw, swiss
from venue.desk.entries import Doubt, Entrant, Row, doubts_of
from venue.desk.plans import FORMATS, POINTS, Plan, check_options, stages_of
from venue.desk.prizes import Award, Prize, award
from venue.desk.rounds import Drawn, Pairing, Round, turned_result
from venue.desk.stages import Stage
from venue.desk.standings import Line
from venue.sentences import Impossible

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
        self._asides = 0
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

    def doubts(self) -> dict[int, list[Doubt]]:
        """What is doubtful now of each line that waits: what was mended on the list meanwhile is no doubt any more."""
        known = {name for each in self.entrants.values() for name in each.names}
        found = {}
        for id, row in self.aside.items():
            found[id] = doubts_of(row, known, self.entrants, singles=self.entry != "pairs")
            known.update(row.names)
        return found

    # --- the acts -------------------------------------------------------------------------------------------------

    def apply(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        """Take one act of the desk; False when it changes nothing."""
        said = getattr(self, f"_act_{act.get('act')}", None)
        return bool(said is not None and said(act, at, by))

    def _act_enter(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        if self.rounds or self.partners_seed:
            return False
        for each in act.get("aside") or []:
            self._asides += 1
            self.aside[self._asides] = Row.from_json(each)
        self.aside.pop(act.get("settles") or 0, None)
        for each in act.get("entrants") or []:
            entrant = Entrant(each["number"], tuple(each["names"]), each.get("club", ""), each.get("team", ""))
            self.entrants[entrant.number] = entrant
        return True

    def _act_drop(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        gone = [id for id in act.get("asides") or [] if self.aside.pop(id, None) is not None]
        return bool(gone)

    def _act_remove(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        if self.rounds or self.partners_seed or act.get("number") not in self.entrants:
            return False
        del self.entrants[act["number"]]
        self.here.discard(act["number"])
        return True

    def _act_checkin(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        known = {number for number in act.get("numbers") or [] if number in self.entrants}
        before = set(self.here)
        self.here = self.here | known if act.get("here") else self.here - known
        return self.here != before

    def _act_withdraw(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        if act.get("number") not in self.entrants:
            return False
        self.withdrawn[act["number"]] = str(act.get("why") or "")
        return True

    def _act_return(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        return self.withdrawn.pop(act.get("number") or 0, None) is not None

    def _act_partners(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        """Pairs made of singles: ``pairs`` lists number, both singles' numbers, tag and colour."""
        if self.rounds or self.partners_seed or not act.get("pairs"):
            return False
        self.singles = self.entrants
        self.entrants, self.here, self.withdrawn = {}, set(), {}
        for each in act["pairs"]:
            one, other = (self.singles[number] for number in each["singles"])
            names = (" ".join(one.names), " ".join(other.names))
            club = one.club if one.club == other.club else ""
            self.entrants[each["number"]] = Entrant(
                each["number"], names, club, "", each.get("tag") or "", each.get("colour") or "", tuple(each["singles"])
            )
        self.partners_seed = str(act.get("seed") or "-")
        return True

    def _act_unpartner(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        if self.rounds or not self.partners_seed:
            return False
        self.entrants, self.singles, self.partners_seed, self.here = self.singles, {}, "", set()
        return True

    def _act_draw(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        if act.get("round") != len(self.rounds) + 1 or (self.rounds and not self.rounds[-1].done):
            return False
        number = int(act.get("stage") or 0)
        if number == len(self.stages) and number < len(self.plans) and self.stage.finished:
            self.stages.append(Stage(self.plans[number]))
        elif number != len(self.stages) - 1:
            return False
        stage = self.stages[number]
        if not stage.rounds:
            stage.entered = list(act.get("entered") or self.playing)
            stage.groups = [list(group) for group in act.get("groups") or [stage.entered]]
        games = [
            Pairing(
                each["one"], each.get("other"), each.get("place"), each["match"],
                mates=tuple(each["mates"]) if each.get("mates") else None,
                group=each.get("group") or 0, for_place=each.get("for_place") or 0,
            )
            for each in act["games"]
        ]  # fmt: skip
        drawn = Round(act["round"], str(act.get("seed") or ""), games, bool(act.get("by_hand")), number)
        self.rounds.append(drawn)
        stage.rounds.append(drawn)
        return True

    def _act_undraw(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        if not self.rounds or act.get("round") != len(self.rounds):
            return False
        if any(game.result is not None for game in self.rounds[-1].games):
            return False
        self.rounds.pop()
        self.stage.rounds.pop()
        if not self.stage.rounds:
            if len(self.stages) > 1:
                self.stages.pop()
            else:
                self.stages[0] = Stage(self.plans[0])
        return True

    def _act_start(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        if not self.rounds or act.get("round") != len(self.rounds):
            return False
        if self.rounds[-1].started is None:
            self.rounds[-1].started = at
        return True

    def _game(self, act: Mapping[str, Any]) -> Pairing | None:
        number, place = act.get("round"), act.get("game")
        if not isinstance(number, int) or not isinstance(place, int) or not 0 < number <= len(self.rounds):
            return None
        games = self.rounds[number - 1].games
        return games[place] if 0 <= place < len(games) else None

    def _act_result(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        game = self._game(act)
        if game is None or game.other is None:
            return False
        result = {name: act.get(name) for name in ("levels", "winner", "source", "why", "games", "margin", "forfeit")}
        result |= {"by": by, "at": at}
        if game.turned and act.get("source") == "table":
            result = turned_result(result)
        if game.result is not None and act.get("source") == "table":
            same = all(game.result.get(name) == result[name] for name in ("levels", "winner", "games"))
            if same or game.result.get("source") != "table":
                return False  # what a person entered stands until a person changes it
        game.history.append(result)
        game.result = result
        return True

    def _act_late(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        game = self._game(act)
        if game is None or act.get("side") not in ("one", "other") or game.done:
            return False
        if act.get("here"):
            return game.late.pop(act["side"], None) is not None
        game.late.setdefault(act["side"], at)
        return True

    def _act_place(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        """Move a game to another table; two games exchange when that one is in use this round."""
        game, place = self._game(act), act.get("place")
        if game is None or game.other is None:
            return False
        for other in self.rounds[act["round"] - 1].games:
            if other is not game and place is not None and other.place == place:
                other.place = game.place
        game.place = place
        return True

    def _act_reseat(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        """Who really sits where: the games keep their tables, their deals and their results; only names change.

        ``games`` lists [game, one, other]; the entrants named must be those that sat in these games before.
        """
        found = [self._game({"round": act.get("round"), "game": each[0]}) for each in act.get("games") or []]
        games = [game for game in found if game is not None and game.other is not None and game.mates is None]
        if not games or len(games) < len(found):
            return False
        before = sorted(who for game in games for who in (game.one, game.other or 0))
        if before != sorted(who for each in act["games"] for who in each[1:]):
            return False
        for game, (_, one, other) in zip(games, act["games"], strict=True):
            move = {"one": game.one, "other": game.other, "by": by, "at": at, "why": str(act.get("why") or "")}
            if (game.one, game.other) == (other, one):
                game.turned = not game.turned
                game.result = turned_result(game.result) if game.result is not None else None
                game.history = [turned_result(past) for past in game.history]
            game.one, game.other = one, other
            game.moves.append(move)
        return True

    def _act_substitute(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        entrant, out, name = self.entrants.get(act.get("number") or 0), act.get("out"), str(act.get("name") or "")
        if entrant is None or out not in entrant.names or not name:
            return False
        names = tuple(name if each == out else each for each in entrant.names)
        self.entrants[entrant.number] = replace(entrant, names=names)
        self._note("substitute", act, at, by, number=entrant.number, out=out, name=name)
        return True

    def _act_decide(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        numbers = [number for number in act.get("numbers") or [] if number in self.stage.entered]
        if not numbers or len(set(numbers)) < len(numbers):
            return False
        self.stage.decided = [number for number in self.stage.decided if number not in numbers] + numbers
        self._note("decide", act, at, by, numbers=numbers)
        return True

    def _note(self, what: str, act: Mapping[str, Any], at: float, by: str, **more: Any) -> None:
        told = {"what": what, "round": len(self.rounds), "why": str(act.get("why") or ""), "by": by, "at": at}
        self.log.append(told | more)

    # --- drawing --------------------------------------------------------------------------------------------------

    def next_partners(self, seed: str) -> list[dict[str, Any]]:
        """Pairs of the singles by *seed*, as ``partners`` takes them; with tags: tables in order, orange first.

        :raises Impossible: when partners are not drawn here, or the number does not work out.
        """
        if self.entry not in ("drawn_partners", "tags") or self.partners_seed:
            raise Impossible("partners_once")
        if self.entry == "drawn_partners":
            pairs = draw.partners(seed, self.playing)
            return [{"number": place, "singles": list(pair)} for place, pair in enumerate(pairs, 1)]
        letters = self.options.get("letters") or ["A", "B"]
        tables = len(self.playing) // 4
        given = draw.tags(seed, self.playing, letters if tables % len(letters) == 0 else letters[:1])
        held: dict[tuple[str, str], list[int]] = {}
        for who, tag in given.items():
            held.setdefault(tag, []).append(who)
        return [
            {"number": place, "singles": singles, "tag": tag, "colour": colour}
            for place, ((tag, colour), singles) in enumerate(held.items(), 1)
        ]

    def next_round(self, seed: str) -> dict[str, Any]:
        """The next round by *seed*, as the act ``draw`` takes it, without places and matches.

        :raises Impossible: when there is nothing to draw: a result is missing, or all rounds are over.
        """
        self.check_may_draw()
        number, stage = len(self.stages) - 1, self.stage
        if stage.finished:
            number, stage = number + 1, Stage(self.plans[len(self.stages)])
        if not stage.rounds:
            stage.entered = self._entered(stage.plan, number, seed)
            stage.groups = stage.deal_groups(seed, stage.entered, self.entrants)
        games = [self._seated(stage, seed, game) for game in stage.games(seed, self.entrants, self.withdrawn)]
        if not games:
            raise Impossible("nobody_left")
        told: dict[str, Any] = {"round": len(self.rounds) + 1, "stage": number, "seed": seed}
        if not stage.rounds:
            told |= {"entered": stage.entered, "groups": stage.groups}
        return told | {"games": [game.to_json() for game in games]}

    def _entered(self, plan: Plan, number: int, seed: str) -> list[int]:
        if number:
            before = self.stage
            entered = [who for who in before.qualifiers() if who not in self.withdrawn]
            if len(before.groups) > 1 and plan.format == "knockout":
                return groups_apart(entered, before.groups)
            if plan.format == "knockout" and before.plan.take == "winners":
                return entered  # winners come in the order of their tables
            return entered if plan.format == "knockout" and plan.seeding == "bracket" else draw.order(seed, entered)
        if self.entry == "tags":
            return list(self.entrants)  # a pair that withdrew leaves its table's other pair without a game
        return draw.order(seed, self.playing) if plan.format == "knockout" else self.playing

    def _seated(self, stage: Stage, seed: str, game: Drawn) -> Drawn:
        keeps = self.options.get("seats") == "order" or (self.entry == "tags" and not self.rounds)
        if game.other is None or game.mates or keeps:
            return game
        if self.options.get("seats") == "number":
            return replace(game, one=min(game.one, game.other), other=max(game.one, game.other))
        one, other = draw.north_south(seed, f"{game.one}-{game.other}", game.one, game.other)
        return replace(game, one=one, other=other)

    def next_games(self, seed: str) -> list[Drawn]:
        """The games of :meth:`next_round`.

        :raises Impossible: as that does.
        """
        drawn = self.next_round(seed)["games"]
        return [Drawn(**(each | {"mates": tuple(each["mates"])} if each.get("mates") else each)) for each in drawn]

    def check_may_draw(self) -> None:
        """:raises Impossible: when there is no next round yet, or none any more."""
        if self.entry in ("drawn_partners", "tags") and not self.partners_seed:
            raise Impossible("partners_first")
        if len(self.playing) < 2 and not self.rounds:
            raise Impossible("two_entrants")
        if self.rounds and not self.rounds[-1].done:
            raise Impossible("results_missing", round=len(self.rounds))
        if self.finished:
            raise Impossible("all_over")

    def players(self) -> dict[int, swiss.Player]:
        """Those who play on, as the next pairing sees them."""
        stage = self.stage
        if not stage.rounds:
            stage = Stage(self.plan, self.playing)
        return {who: each for who, each in stage.players(self.entrants).items() if who not in self.withdrawn}

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


def groups_apart(entered: list[int], groups: list[list[int]]) -> list[int]:
    """*entered* (first ones, then second ones, …) so that a bracket's first round brings no two of a group together."""
    of = {who: mark for mark, group in enumerate(groups) for who in group}
    size = 1 << max(0, (len(entered) - 1).bit_length())
    order = list(entered)
    for place in range(len(order)):
        against = size - 1 - place
        if place < against < len(order) and of[order[place]] == of[order[against]]:
            for other in range(len(order) - 1, size // 2 - 1, -1):
                mirrored = size - 1 - other
                if other != against and 0 <= mirrored < len(order) and of[order[other]] != of[order[place]] and (
                    of[order[against]] != of[order[mirrored]]
                ):  # fmt: skip
                    order[against], order[other] = order[other], order[against]
                    break
    return order
