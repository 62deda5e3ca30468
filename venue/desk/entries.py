"""Entries: pairs or single players, read from what an organiser has at hand, with every doubt named by its line."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
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
class Doubt:
    """Something a person should look at: *line* of the sheet, and a word of the catalogue with its value."""

    line: int
    what: str
    value: str


def read_table(content: bytes, filename: str | Sentence) -> list[list[str]]:
    """The cells of a CSV (UTF-8 or GB 18030; comma, semicolon or tab) or an XLSX sheet's first page.

    :raises Unreadable: when it is neither.
    """
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


def read_entries(
    rows: Sequence[Sequence[str]], taken: Iterable[Entrant] = (), *, singles: bool = False
) -> tuple[list[Entrant], list[Doubt]]:
    """Entrants of *rows*, with or without a heading line, and what is doubtful about them. *taken* are in already.
    Of *singles* each line is one player: name, then club.
    """
    doubts: list[Doubt] = []
    where = {"first": 0, "club": 1} if singles else {"first": 0, "second": 1, "club": 2}
    start = 0
    heading = [cell.lower() for cell in rows[0]] if rows else []
    found = {key: heading.index(word) for key, words in COLUMNS.items() for word in words if word in heading}
    if "first" in found or "team" in found:
        where, start = found, 1
    known = {name: entrant.title for entrant in taken for name in entrant.names}
    numbers = {entrant.number for entrant in taken}
    made: list[Entrant] = []
    for line, row in enumerate(rows[start:], start + 1):

        def cell(key: str, row: Sequence[str] = row) -> str:
            at = where.get(key)
            text = row[at] if at is not None and at < len(row) else ""
            return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:40]

        first, second = cell("first"), cell("second")
        if not second and len(parts := re.split(r"\s*[/、&＆]\s*", first)) == 2:
            first, second = parts
        names = tuple(name for name in (first, second) if name)
        if not names:
            if any(row):
                doubts.append(Doubt(line, "no_name", " ".join(row)[:40]))
            continue
        if singles and len(names) > 1:
            doubts.append(Doubt(line, "two_names", " / ".join(names)))
            continue
        if len(set(names)) < len(names):
            doubts.append(Doubt(line, "same_twice", names[0]))
        for name in names:
            if name in known:
                doubts.append(Doubt(line, "known_name", name))
            known[name] = name
        wish = cell("number")
        number = int(wish) if wish.isdecimal() and len(wish) < 7 else 0
        if number in numbers:
            doubts.append(Doubt(line, "known_number", wish))
            number = 0
        if number <= 0:
            number = next(free for free in range(1, len(numbers) + 2) if free not in numbers)
        numbers.add(number)
        made.append(Entrant(number, names, cell("club"), cell("team")))
    return made, doubts
