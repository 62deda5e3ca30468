"""Entries: pairs or single players, read from what an organiser has at hand, with every doubt named by its line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

_WHO: Final = "姓名|选手|队员|运动员|球员|牌手|成员|参赛者|参赛选手|参赛队员|name|player|member"
_COLUMNS: Final = {
    "first": re.compile(rf"({_WHO})(1|一|a|甲)?(姓名|name)?"),
    "second": re.compile(rf"({_WHO})(2|二|b|乙)(姓名|name)?|搭档|同伴|伙伴|搭档姓名|partner|partnername"),
    "team": re.compile("队名|对名|队伍|队伍名称|参赛队|参赛队名|组合|team|teamname|pair|pairname"),
    "club": re.compile(
        "(参赛|所属|工作|代表)?单位(名称)?|俱乐部|代表队|学校|公司|club|organi[sz]ation|unit|school|company"
    ),
    "number": re.compile("编号|序号|号|号码|参赛号|number|no|#"),
}
"""What a heading calls each column, in any script's width and without its spaces and brackets."""
HEADING_WITHIN: Final = 15
"""Lines above the heading: titles, dates, remarks."""
_REMARK: Final = re.compile(
    r"(合计|总计|小计|总数|共计|备注|说明|注[:：]|共\s*\d|total\b|sum\b|notes?\b)", re.IGNORECASE
)
_BETWEEN: Final = re.compile(r"\s*[/、&＆+]\s*")


@dataclass(frozen=True)
class Entrant:
    """A pair (two names) or a single player (one). *number* is what stands on the badge."""

    number: int
    names: tuple[str, ...]
    club: str = ""
    team: str = ""
    tag: str = ""
    colour: str = ""
    singles: tuple[int, ...] = ()
    """The numbers of the two who entered alone and were drawn together."""

    @property
    def title(self) -> str:
        """How lists call it."""
        return self.team or " / ".join(self.names)


@dataclass(frozen=True)
class Row:
    """A line of a sheet before anybody is entered. *number* is the one that it asks for; *text* is what it holds where
    it names nobody.
    """

    line: int
    names: tuple[str, ...]
    club: str = ""
    team: str = ""
    number: int = 0
    text: str = ""

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "names": list(self.names)}

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Row:
        """The row that :meth:`to_json` gave."""
        return cls(**{**told, "names": tuple(told["names"])})


@dataclass(frozen=True)
class Doubt:
    """Something a person should look at: *line* of the sheet, and a word of the catalogue with its value."""

    line: int
    what: str
    value: str


def read_rows(rows: Sequence[Sequence[str]], *, singles: bool = False) -> list[Row]:
    """What stands on each line of *rows*, with or without a heading. Of *singles* a line is one player: name, club.

    Where each player of a pair has a line, the lines of one team are one pair.
    """
    where, start, headed = _columns(rows, singles)
    heading = list(rows[start - 1]) if start else None
    read: list[Row] = []
    for line, row in enumerate(rows[start:], start + 1):
        if list(row) != heading:  # some lists repeat it on every page
            read += _read_row(row, line, where, headed, singles)
    return read if singles or "second" in where else _joined(read)


def _columns(rows: Sequence[Sequence[str]], singles: bool) -> tuple[dict[str, int], int, bool]:
    """Where each column is, on which line (counted from 0) the names begin, and whether a heading says so."""
    for start, row in enumerate(rows[:HEADING_WITHIN], 1):
        words = [_plain(cell) for cell in row]
        found: dict[str, int] = {}
        for at, word in enumerate(words):
            for key, names in _COLUMNS.items():
                if word and names.fullmatch(word):
                    if key not in found:
                        found[key] = at
                    elif key == "first" and "second" not in found:
                        found["second"] = at  # both are called "name"
        sure = len(found) > 1 or any(word in ("姓名", "选手", "name", "player") for word in words)
        if sure and ("first" in found or "team" in found):
            return found, start, True
    where = {"first": 0, "club": 1} if singles else {"first": 0, "second": 1, "club": 2}
    told = [row for row in rows if any(row)]
    if len(told) > 1 and all(len(row) > 1 and row[0].isdecimal() and row[1] for row in told):
        where = {"number": 0} | {key: at + 1 for key, at in where.items()}
    return where, 0, False


def _plain(cell: str) -> str:
    return re.sub(r"[\s()\[\]【】:*_.\-/]", "", unicodedata.normalize("NFKC", cell)).lower()


def _read_row(row: Sequence[str], line: int, where: Mapping[str, int], headed: bool, singles: bool) -> list[Row]:
    def cell(key: str) -> str:
        at = where.get(key)
        text = row[at] if at is not None and at < len(row) else ""
        return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:40]

    first, second, club = _name(cell("first")), _name(cell("second")), cell("club")
    two = _two(first)
    if len(two) == 2 and not second:
        first, second = two
    elif len(two) == 2 and not headed and not club and all(map(_is_han, two)):
        first, second, club = *two, second  # both names, then the club
    names = tuple(name for name in (first, second) if name)
    whole = " ".join(" ".join(row).split())[:40]
    if _REMARK.match(next((text for text in row if text), "")):
        names = ()
    if not names and not whole:
        return []
    wish = cell("number")
    number = int(wish) if wish.isdecimal() and len(wish) < 7 else 0
    return [Row(line, names, club, cell("team"), number, "" if names else whole)]


def _name(text: str) -> str:
    """A name that was spread out to stand in line (张　三) is closed up."""
    return text.replace(" ", "") if text and all(_is_han(part) and len(part) == 1 for part in text.split()) else text


def _two(text: str) -> list[str]:
    """Both names of a cell that holds two."""
    parts = [part for part in _BETWEEN.split(text) if part]
    if len(parts) == 1 and len(spaced := text.split()) == 2 and all(_is_han(each) for each in spaced):
        parts = spaced
    return parts


def _is_han(text: str) -> bool:
    return all("\u3400" <= letter <= "\u9fff" for letter in text)


def _joined(read: Sequence[Row]) -> list[Row]:
    """Two players that stand one below the other under one team's name or number: a pair."""
    made: list[Row] = []
    for row in read:
        before = made[-1] if made else None
        if (
            before is not None and len(before.names) == len(row.names) == 1
            and (before.team or before.number)
            and (row.team, row.number) in ((before.team, before.number), ("", 0), (before.team, 0))
        ):  # fmt: skip
            club = before.club if row.club in ("", before.club) else f"{before.club} {row.club}".strip()
            made[-1] = replace(before, names=(*before.names, *row.names), club=club[:40])
        else:
            made.append(row)
    return made


def doubts_of(row: Row, known: Container[str], numbers: Container[int], *, singles: bool = False) -> list[Doubt]:
    """What a person should look at in *row*, where *known* names and *numbers* are on the list already."""
    if not row.names:
        return [Doubt(row.line, "no_name", row.text)]
    found = []
    if singles and len(row.names) > 1:
        found.append(Doubt(row.line, "two_names", " / ".join(row.names)))
    if not singles and len(row.names) == 1:
        found.append(Doubt(row.line, "no_partner", row.names[0]))
    if len(set(row.names)) < len(row.names):
        found.append(Doubt(row.line, "same_twice", row.names[0]))
    found += [Doubt(row.line, "known_name", name) for name in dict.fromkeys(row.names) if name in known]
    if row.number in numbers:
        found.append(Doubt(row.line, "known_number", str(row.number)))
    return found


def free_number(wish: int, numbers: Collection[int]) -> int:
    """*wish* where nobody has it, else the lowest number that is free."""
    if wish > 0 and wish not in numbers:
        return wish
    return next(free for free in range(1, len(numbers) + 2) if free not in numbers)


def read_entries(
    rows: Sequence[Sequence[str]], taken: Iterable[Entrant] = (), aside: Iterable[Row] = (), *, singles: bool = False
) -> tuple[list[Entrant], list[tuple[Row, list[Doubt]]]]:
    """Entrants of *rows* about whom there is no doubt, and the lines about which there is. *taken* are in already;
    lines of *aside* wait already and are not kept twice.
    """
    entered, waiting = list(taken), list(aside)
    known = {name for each in entered for name in each.names} | {name for row in waiting for name in row.names}
    numbers = {entrant.number for entrant in entered}
    made: list[Entrant] = []
    kept: list[tuple[Row, list[Doubt]]] = []
    same = {(row.names, row.club, row.text) for row in waiting}
    for row in read_rows(rows, singles=singles):
        doubts = doubts_of(row, known, numbers, singles=singles)
        known.update(row.names)
        if not doubts:
            number = free_number(row.number, numbers)
            numbers.add(number)
            made.append(Entrant(number, row.names, row.club, row.team))
        elif (what := (row.names, row.club, row.text)) not in same:
            same.add(what)
            kept.append((row, doubts))
    return made, kept
