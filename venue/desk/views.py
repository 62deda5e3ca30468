"""What pages and files show of an event: one JSON object, everything in it resolved, nothing left to compute."""

from __future__ import annotations

from typing import Any, Final

from venue.desk.brackets import trees
from venue.desk.competition import Competition
from venue.desk.rounds import Pairing, Round
from venue.desk.stages import Stage
from venue.desk.standings import Line

NEVER_SHOWN: Final = ("by", "at", "why")
"""Of a result: what only the staff sees."""


def view(event: Competition, *, hidden: bool = False, staff: bool = True) -> dict[str, Any]:
    """*event* for pages; *hidden* leaves out everything that tells how it stands, *staff* adds who did what and why."""
    stage = event.stage
    standings = [] if hidden else [_line(line) for line in event.standing()]
    return {
        "id": event.id, "title": event.title, "format": event.format, "options": event.options, "hidden": hidden,
        "entry": event.entry, "state": state(event), "stage": len(event.stages) - 1,
        "chain": _chain(stage), "bracket": event.is_knockout,
        "plans": [plan.to_json() for plan in event.plans],
        "stages": [] if not event.rounds else [
            _stage(event, each, hidden, standings) for each in event.stages
        ],
        "entrants": [_entrant(event, each) for each in event.entrants.values()],
        "latecomers": event.takes_latecomers and not event.singles,
        "aside": _aside(event) if staff and (event.open_for_entries or event.takes_latecomers) else [],
        "singles": [{"number": each.number, "title": each.title} for each in event.singles.values()],
        "partners_seed": event.partners_seed,
        "rounds": [_round(event, each, hidden, staff) for each in event.rounds],
        "round_count": event.round_count, "finished": event.finished,
        "round_minutes": stage.plan.round_minutes(*event.rules), "at_limit": stage.plan.at_limit(*event.rules),
        "standings": standings,
        "awards": [] if hidden else [
            {"number": each.number, "rank": each.rank, "prize": each.prize, "contested": each.contested}
            for each in event.awards()
        ],
        "ranks": event.ranks() if event.finished and not hidden else [],
        "log": event.log if staff else [],
    }  # fmt: skip


def state(event: Competition) -> str:
    """Where the event is, in one word: what the desk has to do next follows from it."""
    if event.finished:
        return "finished"
    if not event.rounds:
        if event.entry in ("drawn_partners", "tags") and not event.partners_seed:
            return "singles" if len(event.playing) >= 4 else "entries"
        return "ready" if len(event.playing) >= 2 else "entries"
    last = event.rounds[-1]
    if not last.done:
        return "playing" if last.started is not None or any(game.result for game in last.games) else "drawn"
    if event.stage.finished:
        return "level" if event.stage.level_at_the_edge() else "stage_over"
    return "undecided" if _undecided(event) else "round_over"


def _undecided(event: Competition) -> bool:
    """Whether a knock-out's game has ended without anybody who goes on."""
    return event.is_knockout and any(
        game.winner is None and (game.result or {}).get("winner") != "nobody" for game in event.rounds[-1].games
    )


def _chain(stage: Stage) -> list[str]:
    return ["wins"] if stage.plan.is_knockout else list(stage.plan.chain)


def _stage(event: Competition, stage: Stage, hidden: bool, last: list[dict[str, Any]]) -> dict[str, Any]:
    """*last*: the standings of the stage that is on, which cost much."""
    several = len(stage.groups) > 1
    standings = last if stage is event.stage else [] if hidden else [_line(line) for line in stage.standing()]
    return {
        "format": stage.plan.format, "name": dict(stage.plan.name), "chain": _chain(stage),
        "bracket": stage.plan.is_knockout, "entered": stage.entered, "finished": stage.finished,
        "minutes": stage.plan.minutes, "best_of": stage.plan.best_of, "round_count": stage.round_count,
        "rounds": [each.number for each in stage.rounds],
        "trees": [each.to_json(stage) for each in trees(stage)] if stage.plan.is_knockout and not hidden else [],
        "groups": [
            {"number": mark, "entered": group, "standings": [] if hidden else [
                _line(line) for line in stage.standing(mark)
            ]}
            for mark, group in enumerate(stage.groups, 1)
        ] if several else [],
        "standings": [] if several else standings,
        "take": stage.plan.take, "level": [] if hidden or not stage.finished else stage.level_at_the_edge(),
    }  # fmt: skip


def _aside(event: Competition) -> list[dict[str, Any]]:
    doubts = event.doubts()
    return [
        {
            "id": id, "line": row.line, "names": list(row.names), "club": row.club, "team": row.team, "text": row.text,
            "doubts": [{"line": each.line, "what": each.what, "value": each.value} for each in doubts[id]],
        }
        for id, row in event.aside.items()
    ]  # fmt: skip


def _line(line: Line) -> dict[str, Any]:
    return {
        "rank": line.rank, "number": line.number, "figures": list(line.figures), "explained": list(line.explained),
        "shared": line.shared, "decided": line.decided,
    }  # fmt: skip


def _entrant(event: Competition, each: Any) -> dict[str, Any]:
    return {
        "number": each.number, "title": each.title, "names": list(each.names), "club": each.club, "team": each.team,
        "tag": each.tag, "colour": each.colour, "withdrawn": event.withdrawn.get(each.number),
        "here": each.number in event.here,
    }  # fmt: skip


def _round(event: Competition, past: Round, hidden: bool, staff: bool) -> dict[str, Any]:
    stage = event.stages[past.stage]
    main = [game for game in past.games if not game.for_place]
    return {
        "number": past.number, "stage": past.stage, "seed": past.seed, "by_hand": past.by_hand, "done": past.done,
        "started": past.started, "left": sum(2 if game.other else 1 for game in main) if stage.plan.is_knockout else 0,
        "games": [game_view(stage, game, hidden, staff) for game in past.games],
    }  # fmt: skip


def game_view(stage: Stage, game: Pairing, hidden: bool = False, staff: bool = True) -> dict[str, Any]:
    """One game for pages."""
    told: dict[str, Any] = {
        "one": game.one, "other": game.other, "mates": list(game.mates) if game.mates else None, "place": game.place,
        "match": game.match, "group": game.group, "for_place": game.for_place,
        "result": None, "winner": None if hidden else game.winner, "corrections": max(0, len(game.history) - 1),
    }  # fmt: skip
    if game.result is not None and not hidden:
        told["result"] = {name: value for name, value in game.result.items() if staff or name not in NEVER_SHOWN}
        told["result"]["points"] = [stage.outcome(game.result, 0, 0, me).points for me in ("one", "other")]
    if staff:
        told |= {"history": game.history, "late": game.late, "moves": game.moves, "turned": game.turned}
        told["claim"] = game.claim
    return told
