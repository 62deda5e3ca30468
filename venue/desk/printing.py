"""Sheets for paper and for the archive: plain HTML with a print style, nothing to run, nothing to fetch but the style.

Every text goes through :func:`_text`; names that are markup stay names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Final

from venue.desk import bracket_sheet, brackets, exports
from venue.desk.brackets import Tree
from venue.desk.competition import Competition
from venue.desk.exports import Words, say, side_title
from venue.desk.rounds import Pairing, Round
from venue.desk.stages import Stage
from venue.desk.xlsx import Cell

_text = escape


def _tag(name: str, inner: str, css: str = "") -> str:
    return f"<{name}{f' class={chr(34)}{css}{chr(34)}' if css else ''}>{inner}</{name}>"


def _table(rows: Sequence[Sequence[Cell]], css: str = "") -> str:
    head, *body = rows
    lines = "".join(_tag("tr", "".join(_cell(cell) for cell in row)) for row in body)
    figures = [all(isinstance(row[at], (int, float)) for row in body) and bool(body) for at in range(len(head))]
    top = "".join(
        f'<th scope="col"{" class=number" if figure else ""}>{_text(str(cell or ""))}</th>'
        for cell, figure in zip(head, figures, strict=True)
    )
    return _tag("table", f"<thead><tr>{top}</tr></thead><tbody>{lines}</tbody>", css)


def _cell(cell: Cell) -> str:
    number = isinstance(cell, (int, float))
    return _tag("td", _text("" if cell is None else str(cell)), "number" if number else "")


def entries(event: Competition, words: Words) -> str:
    """Who entered; with partners drawn, how to check that draw."""
    told = _tag("h2", _text(say(words, "desk.entries"))) + _table(exports.entries(event, words))
    return told + (_seed(words, event.partners_seed) if event.partners_seed not in ("", "-") else "")


def pairings(event: Competition, words: Words) -> str:
    """Of the newest round: who plays whom at which table, for the wall; with the draw's seed."""
    if not event.rounds:
        return _nothing(words)
    past = event.rounds[-1]
    rows: list[list[Cell]] = [[say(words, f"desk.{name}") for name in ("table",)]]
    rows[0] += [say(words, "side.NS"), say(words, "side.EW")]
    for game in past.games:
        other = side_title(event, game.sides[1]) if game.other is not None else say(words, "desk.bye")
        rows.append([game.place or "", side_title(event, game.sides[0]), other])
    told = _tag("h2", _text(_round_name(event, past, words))) + _table(rows, "wall")
    if event.options.get("seats") == "table_low":
        told += _tag("p", _text(say(words, "print.seats_table_low")))
    return told + (_tag("p", _text(say(words, "desk.by_hand"))) if past.by_hand else _seed(words, past.seed))


def _seed(words: Words, seed: str) -> str:
    recipe = _tag("code", f"printf '%s' '{_text(seed)}:17' | sha256sum")
    return _tag("p", _text(say(words, "print.seed", seed=seed)) + "<br>" + recipe, "seed")


def scoresheets(event: Competition, words: Words) -> str:
    """Of the newest round: a slip a table, to be filled in and signed."""
    if not event.rounds:
        return _nothing(words)
    past = event.rounds[-1]
    stage = event.stages[past.stage]
    slips = [_slip(event, past, stage, game, words) for game in past.games if game.other is not None]
    return "".join(slips)


def _slip(event: Competition, past: Round, stage: Stage, game: Pairing, words: Words) -> str:
    def side(name: str, who: Sequence[int]) -> str:
        boxes = "<td></td>" * stage.plan.best_of
        title = _tag("th", _text(say(words, f"side.{name}")) + "<br><b>" + _text(side_title(event, who)) + "</b>")
        return _tag("tr", title + boxes + "<td></td><td></td>")

    games = [say(words, "print.final_level")] if stage.plan.best_of == 1 else [
        say(words, "print.game", n=number) for number in range(1, stage.plan.best_of + 1)
    ]  # fmt: skip
    heads = ["", *games, say(words, "print.won"), say(words, "print.signed")]
    top = "".join(_tag("th", _text(head)) for head in heads)
    place = say(words, "print.table", place=game.place or "____")
    head = _tag("h3", f"{_text(event.title)} · {_text(_round_name(event, past, words))} · {_text(place)}")
    body = _tag("tr", top) + side("NS", game.sides[0]) + side("EW", game.sides[1])
    return _tag("section", head + _tag("table", body) + _tag("p", _text(say(words, "print.referee"))), "slip")


def standings(event: Competition, words: Words) -> str:
    """The standings with how each figure is made up; of an event of several stages, of each of them, newest first."""
    rows = exports.standings(event, words)
    if len(rows) < 2:
        return _nothing(words)
    told = _tag("h2", _text(say(words, "desk.standings"))) + _table(rows)
    several = len(event.stages) > 1
    for stage in reversed(event.stages):
        if several and (event.finished or stage is not event.stage):
            title = exports.stage_name(event, stage, words)
            told += _tag("h2", _text(title)) + _table(exports.stage_standings(event, stage, words))
        told += _explained(event, stage, words)
    return told


def _explained(event: Competition, stage: Stage, words: Words) -> str:
    """Whom each met, round by round, and what its figures are the sums of; a bracket says the same better."""
    if stage.plan.is_knockout:
        return ""
    several, told = len(stage.groups) > 1, _tag("h3", _text(say(words, "print.explained")))
    for mark in range(1, len(stage.groups) + 1) if several else [0]:
        if several:
            told += _tag("h4", _text(f"{say(words, 'desk.group')} {exports.group_name(mark)}"))
        parts = []
        for line in stage.standing(mark):
            met = [
                side_title(event, theirs) if theirs else say(words, "desk.bye")
                for past in stage.rounds for game in past.games
                for mine, theirs in (game.sides, game.sides[::-1]) if line.number in mine
            ]  # fmt: skip
            figures = [
                f"{say(words, f'chain.{name}')}: {why}"
                for name, why in zip(stage.plan.chain, line.explained, strict=True) if why
            ]  # fmt: skip
            against = say(words, "print.met", names="; ".join(met))
            title = _tag("b", _text(f"{line.rank}. {event.entrants[line.number].title}"))
            parts.append(_tag("li", f"{title} {_text('; '.join(figures))}<br>{_text(against)}"))
        told += _tag("ol", "".join(parts), "why")
    return told


def bracket(event: Competition, words: Words) -> str:
    """A knock-out as a bracket, a column a round."""
    stage = next((each for each in reversed(event.stages) if each.plan.is_knockout and each.rounds), None)
    if stage is None:
        return _nothing(words)
    told = _tag("h2", _text(say(words, "board.show_bracket")))
    for tree in brackets.trees(stage):
        heads = [_column_name(event, stage, tree, at, words) for at in range(len(tree.columns))]
        if tree.group:
            told += _tag("h3", _text(f"{say(words, 'desk.group')} {exports.group_name(tree.group)}"))
        for first, part in bracket_sheet.pages(tree):
            drawn = bracket_sheet.svg(
                part, heads[first : first + len(part.columns)], lambda side: side_title(event, side),
                say(words, "desk.bye"), say(words, "desk.third_place"),
            )  # fmt: skip
            told += _tag("figure", drawn)
    return told


def _column_name(event: Competition, stage: Stage, tree: Tree, at: int, words: Words) -> str:
    """The round of the tree's column *at*, drawn or to come."""
    if at < len(stage.rounds) and not tree.group:
        return _round_name(event, stage.rounds[at], words)
    left = 2 * len(tree.columns[at])
    before = stage.rounds[0].number - 1
    return round_word(left, before + at + 1, str(stage.plan.name.get(words["print"]["language"], "")), words)


def prizes(event: Competition, words: Words) -> str:
    """The prize list."""
    if not event.awards():
        return _nothing(words)
    return _tag("h2", _text(say(words, "desk.prizes_title"))) + _table(exports.prizes(event, words))


def certificates(event: Competition, words: Words) -> str:
    """One page for everybody with a prize."""
    if not event.awards():
        return _nothing(words)
    made = []
    for each in event.awards():
        names = "、".join(event.entrants[each.number].names)
        inner = _tag("p", _text(say(words, "print.certificate")), "what") + _tag("p", _text(names), "who")
        inner += _tag("p", _text(say(words, "print.awarded", title=event.title)))
        inner += _tag("p", _text(each.prize), "prize")
        inner += _tag("p", _text(say(words, "print.certificate_signed")), "sign")
        made.append(_tag("section", inner, "certificate"))
    return "".join(made)


def results(event: Competition, words: Words) -> str:
    """Every round with its results."""
    return "".join(
        _tag("h2", _text(_round_name(event, past, words))) + _table(exports.games(event, past.number, words))
        for past in event.rounds
    )


def _nothing(words: Words) -> str:
    return _tag("p", _text(say(words, "print.nothing")))


def round_word(left: int, number: int, stage_name: str, words: Words) -> str:
    """How a round is called: a final, a semi-final; else its number."""
    if left in (2, 4, 8):
        word = say(words, f"desk.left_{left}")
        return word if not stage_name or stage_name == word else f"{stage_name} · {word}"
    word = say(words, "desk.round", n=number)
    return f"{stage_name} · {word}" if stage_name else word


def _round_name(event: Competition, past: Round, words: Words) -> str:
    stage = event.stages[past.stage]
    main = [game for game in past.games if not game.for_place]
    left = sum(2 if game.other is not None else 1 for game in main) if stage.plan.is_knockout else 0
    left = 0 if len(stage.groups) > 1 else left
    return round_word(left, past.number, str(stage.plan.name.get(words["print"]["language"], "")), words)


SHEETS: Final[Mapping[str, Callable[[Competition, Words], str]]] = {
    "entries": entries, "pairings": pairings, "scoresheets": scoresheets, "results": results, "standings": standings,
    "bracket": bracket, "prizes": prizes, "certificates": certificates,
}  # fmt: skip


def page(event: Competition, words: Words, sheets: Sequence[str], *, style: str = "", link: str = "") -> str:
    """A whole page of *sheets*, with the CSS itself (*style*) or the address of it (*link*)."""
    look = f'<link rel="stylesheet" href="{escape(link)}">' if link else f"<style>{style}</style>"
    body = "".join(_tag("article", SHEETS[name](event, words), name) for name in sheets)
    lang = "zh-CN" if words["print"]["language"] == "zh" else "en"
    return (
        f'<!doctype html>\n<html lang="{lang}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_text(event.title)}</title>{look}</head><body>"
        f"<header><h1>{_text(event.title)}</h1></header><main>{body}</main></body></html>\n"
    )


def whole(event: Competition, words: Words, style: str) -> str:
    """The archive's page: everything that there is of *event*."""
    sheets = ["prizes"] if event.awards() else []
    sheets += ["standings"] if event.rounds else []
    sheets += ["bracket"] if any(stage.plan.is_knockout and stage.rounds for stage in event.stages) else []
    return page(event, words, [*sheets, "results", "entries"], style=style)
