"""A competition: a fold over the desk's acts. Whatever was decided is in the acts, with the seed that decided it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.cards import RANKS
from engine.errors import Impossible, Unreadable
from venue.desk import draw, knockout, roundrobin, standings, swiss
from venue.desk.entries import Entrant
from venue.desk.knockout import Game
from venue.desk.prizes import Award, Prize, award
from venue.desk.standings import Line, Outcome

FORMATS: Final = ("knockout", "drawn_knockout", "round_robin", "swiss")
POINTS: Final = {"win": 2, "draw": 1, "loss": 0, "bye": 2, "absent": 0}


@dataclass
class Pairing:
    """One game of a round: *one* sits north-south. *result* is the newest of *history*; None while it is played."""

    one: int
    other: int | None
    place: str | None
    match: str
    result: dict[str, Any] | None = None
    history: list[dict[str, Any]] = field(default_factory=list)

    @property
    def winner(self) -> int | None:
        """Who goes on: the bye's holder, the winner, None for a draw or while it is played."""
        if self.other is None:
            return self.one
        if self.result is None:
            return None
        return {"one": self.one, "other": self.other}.get(str(self.result.get("winner")))

    @property
    def done(self) -> bool:
        return self.other is None or self.result is not None


@dataclass
class Round:
    """A round as it was drawn: *seed* decided it, unless *by_hand*."""

    number: int
    seed: str
    games: list[Pairing]
    by_hand: bool = False

    @property
    def done(self) -> bool:
        return all(game.done for game in self.games)


class Competition:
    """One event of the desk. ``apply`` takes an act; acts that make no sense by the time they come change nothing."""

    def __init__(self, id: str, created: Mapping[str, Any]) -> None:
        self.id = id
        self.title = str(created.get("title") or "")
        self.format = str(created.get("format"))
        self.options: dict[str, Any] = dict(created.get("options") or {})
        self.entrants: dict[int, Entrant] = {}
        self.withdrawn: dict[int, str] = {}
        self.rounds: list[Round] = []

    @property
    def chain(self) -> tuple[str, ...]:
        return tuple(self.options.get("chain") or standings.DEFAULT_CHAIN)

    @property
    def is_knockout(self) -> bool:
        return self.format in ("knockout", "drawn_knockout")

    @property
    def playing(self) -> list[int]:
        """The numbers that have not withdrawn, in order of entry."""
        return [number for number in self.entrants if number not in self.withdrawn]

    # --- the acts -------------------------------------------------------------------------------------------------

    def apply(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        """Take one act of the desk; False when it changes nothing."""
        match act.get("act"):
            case "enter" if not self.rounds:
                for each in act.get("entrants") or []:
                    entrant = Entrant(each["number"], tuple(each["names"]), each.get("club", ""), each.get("team", ""))
                    self.entrants[entrant.number] = entrant
            case "withdraw" if act.get("number") in self.entrants:
                self.withdrawn[act["number"]] = str(act.get("why") or "")
            case "return" if act.get("number") in self.withdrawn:
                del self.withdrawn[act["number"]]
            case "draw" if act.get("round") == len(self.rounds) + 1 and (not self.rounds or self.rounds[-1].done):
                games = [
                    Pairing(each["one"], each.get("other"), each.get("place"), each["match"]) for each in act["games"]
                ]
                self.rounds.append(Round(act["round"], str(act.get("seed") or ""), games, bool(act.get("by_hand"))))
            case "undraw" if self.rounds and act.get("round") == len(self.rounds):
                if any(game.result is not None for game in self.rounds[-1].games):
                    return False
                self.rounds.pop()
            case "result":
                return self._result(act, at, by)
            case _:
                return False
        return True

    def _result(self, act: Mapping[str, Any], at: float, by: str) -> bool:
        number, place = act.get("round"), act.get("game")
        if not isinstance(number, int) or not isinstance(place, int) or not 0 < number <= len(self.rounds):
            return False
        games = self.rounds[number - 1].games
        if not 0 <= place < len(games) or games[place].other is None:
            return False
        game = games[place]
        result = {
            "levels": act.get("levels"), "winner": act.get("winner"), "source": act.get("source"),
            "why": act.get("why"), "by": by, "at": at,
        }  # fmt: skip
        if game.result is not None and act.get("source") == "table":
            same = all(game.result.get(name) == result[name] for name in ("levels", "winner"))
            if same or game.result.get("source") != "table":
                return False  # what a person entered stands until a person changes it
        game.history.append(result)
        game.result = result
        return True

    # --- drawing --------------------------------------------------------------------------------------------------

    def next_games(self, seed: str) -> list[Game]:
        """The next round's games by *seed*, who sits north-south first; byes last.

        :raises Impossible: when there is nothing to draw: a result is missing, or all rounds are over.
        """
        self.check_may_draw()
        return [
            (one, None) if other is None else draw.north_south(seed, f"{one}-{other}", one, other)
            for one, other in self._games(seed)
        ]

    def check_may_draw(self) -> None:
        """:raises Impossible: when there is no next round yet, or none any more."""
        if len(self.playing) < 2 and not self.rounds:
            raise Impossible("two entrants at least have to be in")
        if self.rounds and not self.rounds[-1].done:
            raise Impossible(f"round {len(self.rounds)} is not over: results are missing")
        if self.finished:
            raise Impossible("all rounds are over")

    def _games(self, seed: str) -> list[Game]:
        if self.format == "swiss":
            return swiss.pair(list(self.players().values()), seed)
        if self.format == "round_robin":
            first = self.rounds[0].seed if self.rounds else seed
            games = roundrobin.rounds(draw.order(first, self.entrants))[len(self.rounds)]
            return [self._without_withdrawn(game) for game in games if self._without_withdrawn(game)[0]]
        if not self.rounds:
            if self.format == "knockout":
                return knockout.first_round(knockout.bracket(draw.order(seed, self.playing)))
            return knockout.drawn_round(self.playing, seed)
        undecided = [game for game in self.rounds[-1].games if game.winner is None]
        if undecided:
            raise Impossible("a knock-out needs a winner in every game: play one more deal, or let the referee decide")
        winners = [game.winner for game in self.rounds[-1].games if game.winner is not None]
        if self.format == "knockout":
            return knockout.next_round(winners)
        byes = [game.one for past in self.rounds for game in past.games if game.other is None]
        return knockout.drawn_round(winners, seed, byes)

    def _without_withdrawn(self, game: Game) -> Game:
        left = [number for number in game if number is not None and number not in self.withdrawn]
        return (left[0], left[1]) if len(left) == 2 else (left[0], None) if left else (0, None)

    def players(self) -> dict[int, swiss.Player]:
        """Those who play on, as the next pairing sees them."""
        points = {number: float(figure) for number, figure in self._points().items()}
        met: dict[int, set[int]] = {number: set() for number in self.entrants}
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
                number, points[number], frozenset(met[number]), self.entrants[number].club, number in byes,
                floated.get(number, 0),
            )
            for number in self.playing
        }  # fmt: skip

    @property
    def finished(self) -> bool:
        """Whether no round is left to draw and all are played."""
        if not self.rounds or not self.rounds[-1].done:
            return False
        if self.is_knockout:
            return len(self.rounds[-1].games) == 1 and self.rounds[-1].games[0].winner is not None
        return len(self.rounds) >= self.round_count

    @property
    def round_count(self) -> int:
        """How many rounds there will be, 0 where it depends on nothing but results."""
        count = len(self.entrants)
        if self.format == "round_robin":
            return max(0, count - 1 + count % 2)
        if self.format == "swiss":
            return int(self.options.get("rounds") or 5)
        return 0

    # --- standings ------------------------------------------------------------------------------------------------

    def outcomes(self, rounds: int | None = None) -> dict[int, list[Outcome]]:
        """Everybody's side of every game that is decided, of the first *rounds* rounds."""
        points = POINTS | dict(self.options.get("points") or {})
        found: dict[int, list[Outcome]] = {number: [] for number in self.entrants}
        for past in self.rounds[:rounds]:
            for game in past.games:
                if game.other is None:
                    found[game.one].append(Outcome(past.number, None, points["bye"], won=True))
                elif game.result is not None:
                    for mine, theirs, me in ((game.one, game.other, "one"), (game.other, game.one, "other")):
                        found[mine].append(self._outcome(game.result, past.number, theirs, me, points))
        return found

    @staticmethod
    def _outcome(result: Mapping[str, Any], number: int, theirs: int, me: str, points: Mapping[str, int]) -> Outcome:
        winner, levels = result.get("winner"), result.get("levels")
        got = points["draw"] if winner is None else points["win"] if winner == me else points["loss"]
        if winner == "nobody":
            got = points["absent"]
        heights = [RANKS.index(level) for level in levels] if levels else [0, 0]
        mine, other = heights if me == "one" else heights[::-1]
        return Outcome(number, theirs, got, mine - other, mine, winner == me)

    def _points(self, rounds: int | None = None) -> dict[int, standings.Number]:
        outcomes = self.outcomes(rounds)
        return {number: standings.points(outcomes, number)[0] for number in outcomes}

    def standing(self) -> list[Line]:
        """The table as it stands."""
        if not self.rounds:
            return []
        if not self.is_knockout:
            return standings.table(self.outcomes(), self.chain, self.rounds[0].seed)
        lines: list[Line] = []
        wins = self.outcomes()
        for sharing in self.ranks():
            rank = len(lines) + 1
            lines += [
                Line(rank, number, (sum(1 for game in wins[number] if game.won),), ("",), len(sharing) > 1)
                for number in sharing
            ]
        return lines

    def ranks(self) -> list[list[int]]:
        """Who shares which place, best first."""
        if not self.is_knockout:
            shared: dict[int, list[int]] = {}
            for line in self.standing():
                shared.setdefault(line.rank, []).append(line.number)
            return list(shared.values())
        out: list[list[int]] = []
        gone: set[int] = set()
        for past in self.rounds:
            lost = [
                number for game in past.games if game.other is not None and game.winner is not None
                for number in (game.one, game.other) if number != game.winner
            ]  # fmt: skip
            out.append(lost)
            gone |= set(lost)
        alive = [number for number in self.entrants if number not in gone]
        return [rank for rank in [alive, *reversed(out)] if rank]

    def awards(self) -> list[Award]:
        """The prize list, once all rounds are over."""
        prizes = [Prize(str(each["name"]), int(each["count"])) for each in self.options.get("prizes") or []]
        if not self.finished or not prizes:
            return []
        return award(self.ranks(), prizes, str(self.options.get("consolation") or ""))

    def view(self, *, hidden: bool = False) -> dict[str, Any]:
        """What pages show; *hidden* leaves out everything that tells how it stands."""
        rounds = [
            {
                "number": past.number, "seed": past.seed, "by_hand": past.by_hand, "done": past.done, "title": "",
                "games": [
                    {
                        "one": game.one, "other": game.other, "place": game.place, "match": game.match,
                        "result": None if hidden or game.result is None else {
                            "levels": game.result["levels"], "winner": game.result["winner"],
                            "source": game.result["source"], "points": self._shown_points(game.result),
                        },
                        "winner": None if hidden else game.winner, "corrections": max(0, len(game.history) - 1),
                    }
                    for game in past.games
                ],
            }
            for past in self.rounds
        ]  # fmt: skip
        lines = [] if hidden else self.standing()
        return {
            "id": self.id, "title": self.title, "format": self.format, "options": self.options, "hidden": hidden,
            "chain": ["wins"] if self.is_knockout else list(self.chain), "bracket": self.is_knockout,
            "entrants": [
                {
                    "number": each.number, "title": each.title, "names": list(each.names), "club": each.club,
                    "withdrawn": self.withdrawn.get(each.number),
                }
                for each in self.entrants.values()
            ],
            "rounds": rounds, "round_count": self.round_count, "finished": self.finished,
            "standings": [
                {
                    "rank": line.rank, "number": line.number, "figures": list(line.figures),
                    "explained": list(line.explained), "shared": line.shared, "decided": line.decided,
                }
                for line in lines
            ],
            "awards": [] if hidden else [
                {"number": each.number, "rank": each.rank, "prize": each.prize, "contested": each.contested}
                for each in self.awards()
            ],
        }  # fmt: skip

    def _shown_points(self, result: Mapping[str, Any]) -> list[standings.Number]:
        points = POINTS | dict(self.options.get("points") or {})
        return [self._outcome(result, 0, 0, me, points).points for me in ("one", "other")]


def check_options(format: str, options: Mapping[str, Any]) -> None:
    """Refuse options that no competition could have.

    :raises Unreadable: naming the first that does not fit.
    """
    if format not in FORMATS:
        raise Unreadable(f"there is no format {format!r}: {', '.join(FORMATS)}")
    unknown = set(options) - {"rounds", "chain", "points", "prizes", "consolation", "ruleset", "profile"}
    if unknown:
        raise Unreadable(f"there is no option {sorted(unknown)[0]!r}")
    rounds = options.get("rounds")
    if rounds is not None and (not isinstance(rounds, int) or isinstance(rounds, bool) or not 0 < rounds <= 50):
        raise Unreadable("'rounds' must be a whole number from 1 to 50")
    if options.get("chain") is not None:
        chain = options["chain"]
        if not isinstance(chain, list) or not all(isinstance(name, str) for name in chain):
            raise Unreadable("'chain' must be a list of tie-breaks")
        standings.check_chain(chain)
    points = options.get("points") or {}
    if not isinstance(points, dict) or not all(
        key in POINTS and isinstance(value, int) and not isinstance(value, bool) and -99 <= value <= 99
        for key, value in points.items()
    ):
        raise Unreadable(f"'points' gives whole numbers for {', '.join(POINTS)}")
    prizes = options.get("prizes") or []
    if not isinstance(prizes, list) or len(prizes) > 50 or not all(
        isinstance(each, dict) and isinstance(each.get("name"), str) and 0 < len(each["name"]) <= 40
        and isinstance(each.get("count"), int) and 0 < each["count"] <= 10_000
        for each in prizes
    ):  # fmt: skip
        raise Unreadable("'prizes' is a list of a name and for how many each")
    for name in ("consolation", "ruleset", "profile"):
        if options.get(name) is not None and (not isinstance(options[name], str) or len(options[name]) > 60):
            raise Unreadable(f"'{name}' must be a short text")
