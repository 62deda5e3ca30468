"""The desk's acts: what each changes of an event. Whatever was decided is in the act, with the seed that decided it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from venue.desk.entries import Entrant, Row
from venue.desk.rounds import Pairing, Round, turned_result
from venue.desk.stages import Stage

if TYPE_CHECKING:
    from venue.desk.competition import Competition

Act = Callable[["Competition", Mapping[str, Any], float, str], bool]
"""Takes an act, said at a venue time by somebody; False when it changes nothing."""


def _enter(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    if not event.open_for_entries and (not event.takes_latecomers or event.partners_seed):
        return False
    for each in act.get("aside") or []:
        event.asides += 1
        event.aside[event.asides] = Row.from_json(each)
    settled = event.aside.pop(act.get("settles") or 0, None)
    entrants = [
        Entrant(each["number"], tuple(each["names"]), each.get("club", ""), each.get("team", ""))
        for each in act.get("entrants") or []
        if event.open_for_entries or each["number"] not in event.entrants  # who plays already stays as he is
    ]
    event.entrants |= {each.number: each for each in entrants}
    return bool(entrants or settled or act.get("aside"))


def _drop(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    gone = [id for id in act.get("asides") or [] if event.aside.pop(id, None) is not None]
    return bool(gone)


def _remove(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    if event.rounds or event.partners_seed or act.get("number") not in event.entrants:
        return False
    del event.entrants[act["number"]]
    event.here.discard(act["number"])
    return True


def _checkin(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    known = {number for number in act.get("numbers") or [] if number in event.entrants}
    before = set(event.here)
    event.here = event.here | known if act.get("here") else event.here - known
    return event.here != before


def _withdraw(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    gone = [each for each in act.get("numbers") or [act.get("number")] if each in event.entrants]
    event.withdrawn |= dict.fromkeys(gone, str(act.get("why") or ""))
    return bool(gone)


def _return(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    return event.withdrawn.pop(act.get("number") or 0, None) is not None


def _partners(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    """Pairs made of singles: ``pairs`` lists number, both singles' numbers, tag and colour."""
    if event.rounds or event.partners_seed or not act.get("pairs"):
        return False
    event.singles = event.entrants
    event.entrants, event.here, event.withdrawn = {}, set(), {}
    for each in act["pairs"]:
        one, other = (event.singles[number] for number in each["singles"])
        names = (" ".join(one.names), " ".join(other.names))
        club = one.club if one.club == other.club else ""
        event.entrants[each["number"]] = Entrant(
            each["number"], names, club, "", each.get("tag") or "", each.get("colour") or "", tuple(each["singles"])
        )
    event.partners_seed = str(act.get("seed") or "-")
    return True


def _unpartner(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    if event.rounds or not event.partners_seed:
        return False
    event.entrants, event.singles, event.partners_seed, event.here = event.singles, {}, "", set()
    return True


def _draw(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    if act.get("round") != len(event.rounds) + 1 or (event.rounds and not event.rounds[-1].done):
        return False
    number = int(act.get("stage") or 0)
    if number == len(event.stages) and number < len(event.plans) and event.stage.finished:
        event.stages.append(Stage(event.plans[number]))
    elif number != len(event.stages) - 1:
        return False
    stage = event.stages[number]
    if not stage.rounds:
        stage.entered = list(act.get("entered") or event.playing)
        stage.groups = [list(group) for group in act.get("groups") or [stage.entered]]
    joined = [who for who in act.get("joined") or [] if who in event.entrants and who not in stage.entered]
    if joined and len(stage.groups) == 1:
        stage.entered, stage.groups = [*stage.entered, *joined], [[*stage.groups[0], *joined]]
    games = [
        Pairing(
            each["one"], each.get("other"), each.get("place"), each["match"],
            mates=tuple(each["mates"]) if each.get("mates") else None,
            group=each.get("group") or 0, for_place=each.get("for_place") or 0,
        )
        for each in act["games"]
    ]  # fmt: skip
    drawn = Round(act["round"], str(act.get("seed") or ""), games, bool(act.get("by_hand")), number)
    event.rounds.append(drawn)
    stage.rounds.append(drawn)
    return True


def _undraw(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    if not event.rounds or act.get("round") != len(event.rounds):
        return False
    if any(game.result is not None for game in event.rounds[-1].games):
        return False
    event.rounds.pop()
    event.stage.rounds.pop()
    if not event.stage.rounds:
        if len(event.stages) > 1:
            event.stages.pop()
        else:
            event.stages[0] = Stage(event.plans[0])
    return True


def _start(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    if not event.rounds or act.get("round") != len(event.rounds):
        return False
    if event.rounds[-1].started is None:
        event.rounds[-1].started = at
    return True


def _game(event: Competition, act: Mapping[str, Any]) -> Pairing | None:
    number, place = act.get("round"), act.get("game")
    if not isinstance(number, int) or not isinstance(place, int) or not 0 < number <= len(event.rounds):
        return None
    games = event.rounds[number - 1].games
    return games[place] if 0 <= place < len(games) else None


_RESULT: Final = ("levels", "winner", "source", "why", "games", "won", "margin", "forfeit")


def _result(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    game = _game(event, act)
    if game is None or game.other is None:
        return False
    result = {name: act.get(name) for name in _RESULT}
    result |= {"by": by, "at": at}
    if game.turned and act.get("source") == "table":
        result = turned_result(result)
    if game.result is not None and act.get("source") == "table":
        same = all(game.result.get(name) == result[name] for name in ("levels", "winner", "games", "won"))
        if same or game.result.get("source") != "table":
            return False  # what a person entered stands until a person changes it
        if _plays_on(event, act, game) and result["winner"] != game.result.get("winner"):
            changed, game.claim = game.claim != result, result
            return changed
    game.history.append(result)
    game.result, game.claim = result, None
    return True


def _plays_on(event: Competition, act: Mapping[str, Any], game: Pairing) -> bool:
    """Whether the winner of *game*, of a knock-out, has been drawn into the next round."""
    number = int(act["round"])
    return number < len(event.rounds) and event.stages[event.rounds[number - 1].stage].plan.is_knockout and (
        game.winner is not None and not game.for_place
    )  # fmt: skip


def _erase(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    """A game of the newest round is open again: what stood there was another game's, or too early."""
    game = _game(event, act)
    if game is None or game.result is None or act.get("round") != len(event.rounds):
        return False
    game.history.append({"source": "erased", "why": str(act.get("why") or ""), "by": by, "at": at})
    game.result = game.claim = None
    return True


def _late(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    game = _game(event, act)
    if game is None or act.get("side") not in ("one", "other") or game.done:
        return False
    if act.get("here"):
        return game.late.pop(act["side"], None) is not None
    game.late.setdefault(act["side"], at)
    return True


def _place(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    """Move a game to another table; two games exchange when that one is in use this round."""
    game, place = _game(event, act), act.get("place")
    if game is None or game.other is None:
        return False
    for other in event.rounds[act["round"] - 1].games:
        if other is not game and place is not None and other.place == place:
            other.place = game.place
    game.place = place
    return True


def _reseat(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    """Who really sits where: the games keep their tables, their deals and their results; only names change.

    ``games`` lists [game, one, other]; the entrants named must be those that sat in these games before.
    """
    found = [_game(event, {"round": act.get("round"), "game": each[0]}) for each in act.get("games") or []]
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


def _substitute(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    entrant, out, name = event.entrants.get(act.get("number") or 0), act.get("out"), str(act.get("name") or "")
    if entrant is None or out not in entrant.names or not name:
        return False
    names = tuple(name if each == out else each for each in entrant.names)
    event.entrants[entrant.number] = replace(entrant, names=names)
    _note(event, "substitute", act, at, by, number=entrant.number, out=out, name=name)
    return True


def _decide(event: Competition, act: Mapping[str, Any], at: float, by: str) -> bool:
    numbers = [number for number in act.get("numbers") or [] if number in event.stage.entered]
    if not numbers or len(set(numbers)) < len(numbers):
        return False
    event.stage.decided = [number for number in event.stage.decided if number not in numbers] + numbers
    _note(event, "decide", act, at, by, numbers=numbers)
    return True


def _note(event: Competition, what: str, act: Mapping[str, Any], at: float, by: str, **more: Any) -> None:
    told = {"what": what, "round": len(event.rounds), "why": str(act.get("why") or ""), "by": by, "at": at}
    event.log.append(told | more)


ACTS: Final[Mapping[str, Act]] = {
    "enter": _enter,
    "drop": _drop,
    "remove": _remove,
    "checkin": _checkin,
    "withdraw": _withdraw,
    "return": _return,
    "partners": _partners,
    "unpartner": _unpartner,
    "draw": _draw,
    "undraw": _undraw,
    "start": _start,
    "result": _result,
    "erase": _erase,
    "late": _late,
    "place": _place,
    "reseat": _reseat,
    "substitute": _substitute,
    "decide": _decide,
}
