"""Entries: pairs or single players, read from what an organiser has at hand, with every doubt named by its line."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final
from xml.etree import ElementTree

from venue.sentences import Sentence, Unreadable

COLUMNS: Final = {
    "first": ("姓名", "选手", "选手1", "选手一", "队员1", "队员一", "姓名1", "name", "player", "player1",
              "player 1", "name1"),
    "second": ("选手2", "选手二", "队员2", "队员二", "姓名2", "搭档", "partner", "player2", "player 2", "name2"),
    "team": ("队名", "对名", "队伍", "team", "pair"),
    "club": ("单位", "俱乐部", "代表队", "club", "organisation", "organization", "unit"),
    "number": ("编号", "序号", "号", "number", "no", "no.", "#"),
}  # fmt: skip
SPREADSHEETS: Final = (".xlsx", ".xlsm", ".xls", ".et", ".ods", ".numbers")
MOST_CELLS: Final = 200_000
MOST_BYTES: Final = 20_000_000


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


def read_table(content: bytes, filename: str | Sentence, named: str = "") -> list[list[str]]:
    """The cells of a CSV (UTF-8 or GB 18030; comma, semicolon or tab) or an XLSX sheet's first page. *named* is the
    file's own name where there is one.

    :raises Unreadable: when it is neither, or is no spreadsheet although its name says so.
    """
    if named.lower().endswith(SPREADSHEETS) and content[:2] != b"PK":
        raise Unreadable("no_xlsx", file=named)
    if content[:2] == b"PK":
        return _xlsx(content)
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            text = content.decode(encoding)
            break
        except UnicodeDecodeError:
            continue
    else:
        raise Unreadable("no_text", file=filename)
    if "\0" in text:
        raise Unreadable("no_text_table", file=filename)
    first = text.partition("\n")[0]
    delimiter = max("\t;,，", key=first.count)
    text = text.replace("，", ",") if delimiter == "，" else text
    rows = csv.reader(io.StringIO(text), delimiter="," if delimiter == "，" else delimiter)
    try:
        return [[cell.strip() for cell in row] for row in rows]
    except csv.Error:
        raise Unreadable("csv_broken", file=filename, line=rows.line_num) from None


def _xlsx(content: bytes) -> list[list[str]]:
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    try:
        book = zipfile.ZipFile(io.BytesIO(content))
        if sum(part.file_size for part in book.infolist()) > MOST_BYTES:
            raise Unreadable("sheet_large")
        shared = []
        if "xl/sharedStrings.xml" in book.namelist():
            for item in _xml(book.read("xl/sharedStrings.xml")).iter(f"{space}si"):
                shared.append("".join(text.text or "" for text in item.iter(f"{space}t")))
        sheets = sorted(name for name in book.namelist() if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name))
        rows: list[list[str]] = []
        cells = 0
        for row in _xml(book.read(sheets[0])).iter(f"{space}row"):
            line: list[str] = []
            for cell in row.iter(f"{space}c"):
                cells += 1
                column = _column(cell.get("r", ""), len(line))
                if cells > MOST_CELLS or column > 200:
                    raise Unreadable("sheet_large")
                line += [""] * (column - len(line))
                value = cell.find(f"{space}v")
                text = (value.text or "") if value is not None else ""
                if cell.get("t") == "s":
                    text = shared[int(text)]
                elif cell.get("t") == "inlineStr":
                    text = "".join(part.text or "" for part in cell.iter(f"{space}t"))
                elif text.endswith(".0"):
                    text = text[:-2]
                line.append(text.strip())
            rows.append(line)
        return rows
    except (zipfile.BadZipFile, ElementTree.ParseError, KeyError, IndexError, ValueError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable("sheet_broken") from None


def _xml(content: bytes) -> ElementTree.Element:
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise Unreadable("sheet_entities")
    return ElementTree.fromstring(content)


def _column(reference: str, otherwise: int) -> int:
    letters = re.match(r"[A-Z]+", reference)
    if not letters:
        return otherwise
    number = 0
    for letter in letters.group():
        number = number * 26 + ord(letter) - 64
    return number - 1


def read_rows(rows: Sequence[Sequence[str]], *, singles: bool = False) -> list[Row]:
    """What stands on each line of *rows*, with or without a heading. Of *singles* a line is one player: name, club."""
    where = {"first": 0, "club": 1} if singles else {"first": 0, "second": 1, "club": 2}
    start = 0
    heading = [cell.lower() for cell in rows[0]] if rows else []
    found = {key: heading.index(word) for key, words in COLUMNS.items() for word in words if word in heading}
    if "first" in found or "team" in found:
        where, start = found, 1
    read: list[Row] = []
    for line, row in enumerate(rows[start:], start + 1):

        def cell(key: str, row: Sequence[str] = row) -> str:
            at = where.get(key)
            text = row[at] if at is not None and at < len(row) else ""
            return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:40]

        first, second = cell("first"), cell("second")
        if not second and len(parts := re.split(r"\s*[/、&＆]\s*", first)) == 2:
            first, second = parts
        names = tuple(name for name in (first, second) if name)
        text, wish = "" if names else " ".join(" ".join(row).split())[:40], cell("number")
        if names or text:
            number = int(wish) if wish.isdecimal() and len(wish) < 7 else 0
            read.append(Row(line, names, cell("club"), cell("team"), number, text))
    return read


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
