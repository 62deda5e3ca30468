"""What leaves the desk as tables: entries, every round, standings, prizes; as CSV, a workbook, or in the archive."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from venue.desk import xlsx
from venue.desk.competition import Competition
from venue.desk.stages import Stage
from venue.desk.views import view
from venue.desk.xlsx import Cell

Words = Mapping[str, Mapping[str, str]]
"""The catalogue: section, then word."""


def say(words: Words, key: str, **values: object) -> str:
    """The words of *key* ("section.name") with {values} filled in; the name itself where the catalogue is silent."""
    section, _, name = key.partition(".")
    text = words.get(section, {}).get(name, name)
    return text.format(**values) if values else text


def tables(event: Competition, words: Words) -> dict[str, list[list[Cell]]]:
    """Every table of *event* by its title, a heading line first."""
    found = {say(words, "desk.standings"): standings(event, words)}
    for stage in reversed(event.stages) if event.finished and len(event.stages) > 1 else ():
        found[stage_name(event, stage, words)] = stage_standings(event, stage, words)
    if event.finished and event.awards():
        found[say(words, "desk.prizes_title")] = prizes(event, words)
    for number in range(1, len(event.rounds) + 1):
        found[say(words, "desk.round", n=number)] = games(event, number, words)
    found[say(words, "desk.entries")] = entries(event, words)
    return found


def _heads(words: Words, *names: str) -> list[Cell]:
    return [say(words, name if "." in name else f"desk.{name}") for name in names]


def standings(event: Competition, words: Words) -> list[list[Cell]]:
    """The standings: of the stage that is on; once several stages are over, of the whole event."""
    if event.finished and len(event.stages) > 1:
        awards = {each.number: each.prize for each in event.awards()}
        return [_heads(words, "rank", "number", "entrant", "club", "prize"), *_final(event, awards)]
    return stage_standings(event, event.stage, words)


def stage_standings(event: Competition, stage: Stage, words: Words) -> list[list[Cell]]:
    """The standings of one stage with every figure; of groups, one group after the other."""
    chain = ["wins"] if stage.plan.is_knockout else list(stage.plan.chain)
    awards = {each.number: each.prize for each in event.awards()} if stage is event.stage else {}
    heads = _heads(words, "rank", "number", "entrant", "club", *(f"chain.{name}" for name in chain), "prize")
    several = len(stage.groups) > 1
    rows = [[say(words, "desk.group"), *heads] if several else heads]
    for mark in range(1, len(stage.groups) + 1) if several else [0]:
        for line in stage.standing(mark):
            who = event.entrants[line.number]
            row: list[Cell] = [line.rank, who.number, who.title, who.club, *line.figures, awards.get(who.number, "")]
            rows.append([group_name(mark), *row] if several else row)
    return rows


def stage_name(event: Competition, stage: Stage, words: Words) -> str:
    """How a stage is called: as its plan says, else by its format; numbered where two are called the same."""
    named = [
        str(each.plan.name.get(words["print"]["language"]) or say(words, f"format.{each.plan.format}"))
        for each in event.stages
    ]
    at = next(place for place, each in enumerate(event.stages) if each is stage)
    return named[at] if named.count(named[at]) == 1 else f"{named[at]} {at + 1}"


def _final(event: Competition, awards: Mapping[int, str]) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for sharing in event.ranks():
        rank = len(rows) + 1
        for number in sharing:
            who = event.entrants[number]
            rows.append([rank, number, who.title, who.club, awards.get(number, "")])
    return rows


def prizes(event: Competition, words: Words) -> list[list[Cell]]:
    """The prize list; a place that is shared across a class's edge is marked."""
    rows = [_heads(words, "prize", "rank", "number", "entrant", "club", "note")]
    for each in event.awards():
        who = event.entrants[each.number]
        note = say(words, "desk.contested") if each.contested else ""
        rows.append([each.prize, each.rank, who.number, who.title, who.club, note])
    return rows


def games(event: Competition, number: int, words: Words) -> list[list[Cell]]:
    """A round's games with tables, seats and results."""
    past = event.rounds[number - 1]
    heads = ("table", "side.NS", "levels_short", "side.EW", "winner", "source", "reason")
    rows = [_heads(words, *heads)]
    for game in past.games:
        one, other = side_title(event, game.sides[0]), side_title(event, game.sides[1])
        if game.other is None:
            rows.append(["", one, "", say(words, "desk.bye"), one, "", ""])
            continue
        result = game.result or {}
        winner = {"one": one, "other": other, "nobody": say(words, "desk.nobody")}.get(str(result.get("winner")), "")
        if game.result is not None and result.get("winner") is None:
            winner = say(words, "board.drawn")
        source = say(words, f"desk.{'from_table' if result.get('source') == 'table' else 'paper'}") if result else ""
        rows.append([game.place or "", one, score(result), other, winner, source, result.get("why") or ""])
    return rows


def entries(event: Competition, words: Words) -> list[list[Cell]]:
    """Who entered."""
    rows = [_heads(words, "number", "name1", "name2", "club", "team", "tag", "note")]
    for each in event.entrants.values():
        names = [*each.names, "", ""][:2]
        gone = say(words, "desk.withdrawn") if each.number in event.withdrawn else ""
        tag = " ".join(filter(None, (each.tag, say(words, f"colour.{each.colour}") if each.colour else "")))
        rows.append([each.number, *names, each.club, each.team, tag, gone])
    return rows


def side_title(event: Competition, side: Sequence[int]) -> str:
    """How lists call a side: an entrant, or two single players who were drawn together."""
    return " / ".join(event.entrants[who].title for who in side)


def score(result: Mapping[str, Any]) -> str:
    """Levels of every game, north-south first: ``A : 9``; games won where a table played several."""
    if result.get("won"):
        return " : ".join(map(str, result["won"]))
    played = result.get("games") or ([result["levels"]] if result.get("levels") else [])
    return ", ".join(" : ".join("10" if level == "T" else str(level) for level in levels) for levels in played)


def group_name(mark: int) -> str:
    """A, B, C … for the groups counted from 1."""
    return xlsx.column(mark - 1)


def harmless(cell: Cell) -> Cell:
    """*cell* so that no spreadsheet takes its text for a formula."""
    return "'" + cell if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def to_csv(rows: Sequence[Sequence[Cell]]) -> str:
    """*rows* as CSV that a spreadsheet takes for UTF-8, formulas defused."""
    held = io.StringIO()
    held.write("\ufeff")
    csv.writer(held).writerows([[harmless(cell) for cell in row] for row in rows])
    return held.getvalue()


def sheet(event: Competition, words: Words) -> str:
    """The standings as CSV."""
    return to_csv(standings(event, words))


def workbook(event: Competition, words: Words) -> bytes:
    """Every table of *event* as one XLSX file, formulas defused."""
    safe = {title: [[harmless(cell) for cell in row] for row in rows] for title, rows in tables(event, words).items()}
    return xlsx.write(safe)


def archive(event: Competition, words: Words, page: str) -> bytes:
    """One file that opens anywhere: *page* as ``index.html``, the event as JSON, each table as CSV and all as XLSX."""
    held = io.BytesIO()
    told = json.dumps(view(event), ensure_ascii=False, indent=1)
    files: dict[str, str | bytes] = {"index.html": page, "event.json": told, "event.xlsx": workbook(event, words)}
    for title, rows in tables(event, words).items():
        files[f"csv/{title}.csv".replace(":", " ")] = to_csv(rows)
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return held.getvalue()


__all__ = ["archive", "entries", "games", "prizes", "sheet", "standings", "tables", "to_csv", "workbook"]
