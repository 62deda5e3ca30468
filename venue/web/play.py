"""The desk's doors during play: draw, seats, results, and everything that goes wrong."""

from __future__ import annotations

import secrets
from typing import Any, Final

import anyio.to_thread
from sqlalchemy import Connection
from starlette.responses import JSONResponse, Response

from engine.cards import LEVELS
from engine.rulesets import load
from venue.desk import drawing, swiss
from venue.desk.competition import Competition
from venue.desk.rounds import Pairing
from venue.desk.views import game_view
from venue.hall.boards import Board
from venue.sentences import Impossible, Sentence
from venue.store import devices
from venue.web.desk import MOST_ENTRANTS, act, check_doubts, competition_of, number_of
from venue.web.guard import Refusal, Visit, language
from venue.web.timing import newest, rules_of

MOST_GAMES: Final = 9


async def draw(visit: Visit) -> Response:
    """``POST …/draw {seed, sure}``: the next round; without a seed a new one is thrown."""
    competition = competition_of(visit)
    check_doubts(visit, competition)
    seed = visit.text("seed", 40, "") or secrets.token_hex(4)
    drawn = await anyio.to_thread.run_sync(lambda: drawing.next_round(competition, seed))
    await _store_round(visit, competition, drawn)
    return JSONResponse({"round": drawn["round"], "seed": seed})


async def pair_by_hand(visit: Visit) -> Response:
    """``POST …/pair {games, sure}``: the next round as a person wants it, [north-south, east-west or null] a game.

    What it breaks is answered with 409 and stored only when asked again with *sure*.
    """
    competition = competition_of(visit)
    given = visit.body.get("games")
    if not isinstance(given, list) or not 0 < len(given) <= MOST_ENTRANTS or not all(map(_is_game, given)):
        raise Refusal(400, "unreadable", "games_two")
    if competition.entry == "singles" or competition.plan.groups > 1 or competition.stage.finished:
        raise Impossible("by_lot_only")
    games = [(one, other) for one, other in given]
    named = {number for game in games for number in game if number is not None}
    drawing.check_may_draw(competition)
    players = drawing.players(competition)
    if competition.is_knockout and competition.rounds:
        players = {who: each for who, each in players.items() if who in competition.stage.alive(0)}
    if strangers := named - set(players):
        raise Refusal(404, "no_such_entrant", "not_in_round", number=min(strangers))
    found = [{"what": what, "game": list(game)} for what, game in swiss.warnings(games, players)]
    found += [{"what": "left_out", "game": [number, None]} for number in players if number not in named]
    if competition.open_for_entries and competition.aside:
        found.append({"what": "waiting", "game": [len(competition.aside), None]})
    if any(each["what"] == "twice" for each in found):
        raise Refusal(400, "unreadable", "in_two_games")
    if found and visit.body.get("sure") is not True:
        told = {"code": "warnings", "detail": Sentence("breaks_rules").in_language(language(visit.request))}
        return JSONResponse({"error": told, "warnings": found}, 409)
    told_games = [{"one": one, "other": other} for one, other in games]
    drawn: dict[str, Any] = {"round": len(competition.rounds) + 1, "stage": len(competition.stages) - 1, "seed": ""}
    if not competition.rounds:
        drawn |= {"entered": competition.playing, "groups": [competition.playing]}
    if joined := drawing.latecomers(competition):
        drawn["joined"] = joined
    await _store_round(visit, competition, drawn | {"games": told_games, "by_hand": True})
    return JSONResponse({"round": drawn["round"], "warnings": found})


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_game(game: Any) -> bool:
    return isinstance(game, list) and len(game) == 2 and _is_number(game[0]) and (
        game[1] is None or _is_number(game[1])
    )  # fmt: skip


async def _store_round(visit: Visit, competition: Competition, drawn: dict[str, Any]) -> None:
    number = drawn["round"]
    taken = {
        game.place for other in visit.venue.desk.competitions.values() if other is not competition and other.rounds
        for game in other.rounds[-1].games if not game.done
    }  # fmt: skip
    places = iter(sorted(set(visit.venue.hall.tables) - taken, key=_natural))  # two events may share a hall
    for place, game in enumerate(drawn["games"], 1):
        tag = competition.entrants[game["one"]].tag if competition.entry == "tags" and number == 1 else ""
        game["place"] = (tag or next(places, None)) if game["other"] is not None else None
        game["match"] = f"{competition.id}-{number}-{place}"
    await act(visit, competition.id, "draw", drawn)
    if len(competition.rounds) != number or competition.rounds[-1].seed != drawn["seed"]:
        raise Refusal(409, "refused", "drawn_meanwhile")


def _natural(name: str) -> tuple[tuple[int, int, str], ...]:
    digits = "".join(letter if letter.isdecimal() else " " for letter in name).split()
    head = name[: name.find(digits[0])] if digits else name
    return ((0, 0, head), (1, int(digits[0]) if digits else 0, name))


async def undraw(visit: Visit) -> Response:
    """``POST …/undraw``: take the newest round back, as long as it has no result."""
    competition = competition_of(visit)
    number = len(competition.rounds)
    await act(visit, competition.id, "undraw", {"round": number})
    if number and len(competition.rounds) == number:
        raise Refusal(409, "refused", "round_has_results")
    return JSONResponse({})


# --- tables -------------------------------------------------------------------------------------------------------


async def seat(visit: Visit) -> Response:
    """``POST …/seat``: tell the tables of the newest round who sits down, and by which rules.

    Told back: *seated*, how many paired tables have it; *unpaired*, tables without a device, which have it as soon as
    one is paired; *nowhere*, how many games have no table of the hall; *busy*, tables that finish another match first.
    """
    competition = competition_of(visit)
    newest(competition)
    now, by = visit.venue.now(), visit.someone.id
    tables = visit.venue.hall.tables
    open_games = [game for game in competition.rounds[-1].games if not game.done]
    games = [game for game in open_games if game.place in tables]
    orders = [(game.place or "", _who_sits(competition, game)) for game in games]
    paired = [game for game in games if tables[game.place or ""].device is not None]
    busy = [game.place or "" for game in paired if _elsewhere(tables[game.place or ""].board, game)]

    def work(connection: Connection) -> None:
        for place, data in orders:
            devices.direct(connection, place, "seat", data, now, by)

    await visit.venue.write(work)
    return JSONResponse(
        {
            "seated": len(paired), "nowhere": len(open_games) - len(games), "busy": sorted(busy, key=_natural),
            "unpaired": sorted((game.place or "" for game in games if game not in paired), key=_natural),
        }
    )  # fmt: skip


def _who_sits(competition: Competition, game: Pairing) -> dict[str, Any]:
    """What a table is told of *game*: its name, the line that begins its record, how lists call the sides."""
    ruleset, profile, options = rules_of(competition)
    north, east = ([name for who in side for name in competition.entrants[who].names] for side in game.sides)
    names = dict(zip("NS", north, strict=False)) | dict(zip("EW", east, strict=False))
    record: dict[str, Any] = {"do": "match", "ruleset": ruleset, "profile": profile, "names": names}
    if options:
        record["options"] = options
    titles = [" / ".join(competition.entrants[who].title for who in side) for side in game.sides]
    return {"match": game.match, "record": record, "teams": {"NS": titles[0], "EW": titles[1]}}


def _elsewhere(board: Board | None, game: Pairing) -> bool:
    return board is not None and board.id != game.match and board.match.result is None


# --- results and what goes wrong --------------------------------------------------------------------------------------


def _two_levels(levels: Any) -> bool:
    return (
        isinstance(levels, list) and len(levels) == 2
        and all(isinstance(each, str) and len(each) == 1 and each in LEVELS for each in levels)
    )  # fmt: skip


def _game(visit: Visit, competition: Competition) -> tuple[int, int, Pairing]:
    number, place = int(visit.number("round", 1, 1000)), int(visit.number("game", 0, 10_000))
    if number > len(competition.rounds) or place >= len(competition.rounds[number - 1].games):
        raise Refusal(404, "no_such_game", "no_game")
    return number, place, competition.rounds[number - 1].games[place]


def _told(competition: Competition, number: int, place: int) -> JSONResponse:
    past = competition.rounds[number - 1]
    return JSONResponse({"game": game_view(competition.stages[past.stage], past.games[place])})


async def result(visit: Visit) -> Response:
    """``POST …/result {round, game, levels, games, winner, forfeit, why, sure}``: from paper.

    *games* are the levels of each game where a match is best of several; *forfeit* names the side that did not play.
    A correction needs a reason; what looks like a slip is asked about once.
    """
    competition = competition_of(visit)
    number, place, game = _game(visit, competition)
    stage, why = competition.stages[competition.rounds[number - 1].stage], visit.text("why", 200, "")
    levels, games, winner, forfeit = _told_result(visit, stage.plan.best_of)
    if game.other is None:
        raise Impossible("bye_no_result")
    if game.result is not None and not why:
        raise Impossible("needs_reason")
    if winner is None and stage.plan.is_knockout:
        raise Impossible("knockout_winner")
    newest, survivor = number == len(competition.rounds), {"one": game.one, "other": game.other}.get(winner or "")
    if not newest and stage.plan.is_knockout and game.winner is not None and not game.for_place:
        if survivor != game.winner:
            raise Impossible("next_drawn")
    elif not newest and survivor != game.winner and visit.body.get("sure") is not True:
        raise Refusal(409, "doubts", "drawn_since")
    said = {
        "round": number, "game": place, "levels": levels, "games": games, "winner": winner, "forfeit": forfeit,
        "source": "paper", "why": why,
    }  # fmt: skip
    await act(visit, competition.id, "result", said)
    return _told(competition, number, place)


def _told_result(visit: Visit, best_of: int) -> tuple[Any, Any, str | None, str | None]:
    """Levels, games, winner and forfeit of the body.

    :raises Refusal: for what cannot be, and, once, for what hardly is: that the lower level has won.
    """
    levels, games = visit.body.get("levels"), visit.body.get("games")
    winner, forfeit = visit.body.get("winner"), visit.body.get("forfeit")
    if levels is not None and not _two_levels(levels):
        raise Refusal(400, "unreadable", "levels_two")
    if games is not None and not (
        isinstance(games, list) and 0 < len(games) <= MOST_GAMES and all(map(_two_levels, games))
    ):
        raise Refusal(400, "unreadable", "games_levels")
    if winner not in ("one", "other", "nobody", None):
        raise Refusal(400, "unreadable", "one_of", name="winner", words=("one", "other", "nobody", "null"))
    if forfeit not in ("one", "other", None) or (forfeit is not None and forfeit == winner):
        raise Refusal(400, "unreadable", "forfeit_side")
    if games and len(games) > best_of:
        raise Refusal(400, "unreadable", "games_more", most=best_of)
    if games and not levels:
        levels = games[-1]
    if levels is not None and forfeit is None and winner != "nobody" and visit.body.get("sure") is not True:
        heights = [[LEVELS.index(level) for level in each] for each in games or [levels]]
        lead = sum((one > other) - (one < other) for one, other in heights)
        if lead and winner != ("one" if lead > 0 else "other"):
            raise Refusal(409, "doubts", "lower_wins")
    return levels, games, winner, forfeit


async def erase(visit: Visit) -> Response:
    """``POST …/erase {round, game, why}``: the game is open again; what its table's record says counts again."""
    competition, why = competition_of(visit), visit.text("why", 200)
    number, place, game = _game(visit, competition)
    if number < len(competition.rounds):
        raise Impossible("erase_newest")
    if game.result is None or not why:
        raise Impossible("erase_needs")
    await act(visit, competition.id, "erase", {"round": number, "game": place, "why": why})
    return _told(competition, number, place)


async def late(visit: Visit) -> Response:
    """``POST …/late {round, game, side, here}``: a side is not there, noted with its time; or has come after all."""
    competition, side = competition_of(visit), visit.text("side", 5)
    number, place, _ = _game(visit, competition)
    if side not in ("one", "other"):
        raise Refusal(400, "unreadable", "one_of", name="side", words=("one", "other"))
    here = visit.body.get("here") is True
    await act(visit, competition.id, "late", {"round": number, "game": place, "side": side, "here": here})
    ruleset, profile, options = rules_of(competition)
    rules = load(ruleset, profile, options or None)
    answer = {"late": competition.rounds[number - 1].games[place].late, "forfeits_after": rules.late_seconds or None}
    return JSONResponse(answer)


async def move(visit: Visit) -> Response:
    """``POST …/place {round, game, place}``: play this game at another table; a game that is there comes over here."""
    competition, name = competition_of(visit), visit.text("place", 20)
    number, place, game = _game(visit, competition)
    if game.done:
        raise Impossible("game_over")
    await act(visit, competition.id, "place", {"round": number, "game": place, "place": name or None})
    return _told(competition, number, place)


async def reseat(visit: Visit) -> Response:
    """``POST …/reseat {round, games, why}``: who really sits where, [game, north-south, east-west] each.

    For pairs that sat down the wrong way round or at each other's tables: deals and results stay with the table.
    """
    competition, games = competition_of(visit), visit.body.get("games")
    number, why = int(visit.number("round", 1, 1000)), visit.text("why", 200)
    fine = isinstance(games, list) and 0 < len(games) <= 64
    if not fine or not all(isinstance(each, list) and len(each) == 3 and all(map(_is_number, each)) for each in games):
        raise Refusal(400, "unreadable", "reseat_games")
    if not why:
        raise Impossible("reseat_reason")
    if number < len(competition.rounds):
        raise Impossible("reseat_newest")
    before = sum(len(game.moves) for game in competition.rounds[number - 1].games) if competition.rounds else 0
    await act(visit, competition.id, "reseat", {"round": number, "games": games, "why": why})
    if not competition.rounds or sum(len(game.moves) for game in competition.rounds[number - 1].games) == before:
        raise Impossible("reseat_same")
    return JSONResponse({})


async def substitute(visit: Visit) -> Response:
    """``POST …/substitute {number, out, name, why}``: where the ruleset lets players be replaced."""
    competition = competition_of(visit)
    number, out, name, why = (
        number_of(visit, competition), visit.text("out", 40), visit.text("name", 40), visit.text("why", 200),
    )  # fmt: skip
    ruleset, profile, options = rules_of(competition)
    if not load(ruleset, profile, options or None).substitutes:
        raise Impossible("no_substitutes", ruleset=ruleset)
    if out not in competition.entrants[number].names or not name or not why:
        raise Impossible("substitute_needs")
    await act(visit, competition.id, "substitute", {"number": number, "out": out, "name": name, "why": why})
    tables, now, by = visit.venue.hall.tables, visit.venue.now(), visit.someone.id
    for game in competition.rounds[-1].games if competition.rounds else []:
        table = tables.get(game.place or "")
        mine = number in (*game.sides[0], *game.sides[1]) and not game.done
        if mine and table is not None and (table.board is None or table.board.id != game.match):
            place, data = table.name, _who_sits(competition, game)  # nobody has begun there: the right name sits down
            await visit.venue.write(lambda connection: devices.direct(connection, place, "seat", data, now, by))  # noqa: B023
    return JSONResponse({})


async def decide(visit: Visit) -> Response:
    """``POST …/decide {numbers, why}``: the order of an extra deal or game between those who are level, best first."""
    competition, numbers = competition_of(visit), visit.body.get("numbers")
    why = visit.text("why", 200)
    if not isinstance(numbers, list) or not all(map(_is_number, numbers)) or not why:
        raise Refusal(400, "unreadable", "decide_needs")
    if not set(numbers) <= set(competition.stage.entered) or len(set(numbers)) < len(numbers) or not numbers:
        raise Refusal(404, "no_such_entrant", "decide_strangers")
    await act(visit, competition.id, "decide", {"numbers": numbers, "why": why})
    return JSONResponse({})
