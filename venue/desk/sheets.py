"""Lists as organisers have them: the cells of a CSV or of an XLSX file, whoever saved it and however."""

from __future__ import annotations

import codecs
import csv
import io
import posixpath
import re
import zipfile
from typing import Final
from xml.etree import ElementTree

from venue.sentences import Sentence, Unreadable

SPREADSHEETS: Final = (".xlsx", ".xlsm", ".xls", ".et", ".ods", ".numbers")
MOST_CELLS: Final = 200_000
MOST_COLUMNS: Final = 200
MOST_BYTES: Final = 20_000_000
LOOKED_AT: Final = 30
"""Lines by which the delimiter of a text is found."""
DELIMITERS: Final = "\t;,，"
_MAIN: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_REL: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"

Table = list[list[str]]


def read_table(content: bytes, filename: str | Sentence, named: str = "") -> Table:
    """The cells of a CSV (UTF-8, UTF-16 or GB 18030; comma, semicolon or tab) or of an XLSX file's first sheet that
    holds something; merged cells all hold what stands in them. *named* is the file's own name where there is one.

    :raises Unreadable: when it is neither, or is no spreadsheet although its name says so.
    """
    if named.lower().endswith(SPREADSHEETS) and content[:2] != b"PK":
        raise Unreadable("no_xlsx", file=named)
    if content[:2] == b"PK":
        return _xlsx(content)
    text = _text(content, filename).replace("\r\n", "\n").replace("\r", "\n")
    head = text.split("\n", LOOKED_AT)[:LOOKED_AT]
    delimiter = max(DELIMITERS, key=lambda each: sum(line.count(each) for line in head))
    if delimiter == "，":
        text, delimiter = text.replace("，", ","), ","
    rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        return [[cell.strip() for cell in row] for row in rows]
    except csv.Error:
        raise Unreadable("csv_broken", file=filename, line=rows.line_num) from None


def _text(content: bytes, filename: str | Sentence) -> str:
    wide = content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "gb18030"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            raise Unreadable("no_text_table", file=filename)
        return text
    raise Unreadable("no_text", file=filename)


# --- spreadsheets -----------------------------------------------------------------------------------------------------


def _xlsx(content: bytes) -> Table:
    try:
        book = zipfile.ZipFile(io.BytesIO(content))
        if sum(part.file_size for part in book.infolist()) > MOST_BYTES:
            raise Unreadable("sheet_large")
        shared = []
        if "xl/sharedStrings.xml" in book.namelist():
            shared = [_words(item) for item in _xml(book.read("xl/sharedStrings.xml")).iter(f"{_MAIN}si")]
        tables = (_sheet(_xml(book.read(name)), shared) for name in _sheets(book))
        first = next(tables)
        return first if any(map(any, first)) else next((table for table in tables if any(map(any, table))), first)
    except (zipfile.BadZipFile, ElementTree.ParseError, KeyError, IndexError, ValueError, StopIteration) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable("sheet_broken") from None


def _sheets(book: zipfile.ZipFile) -> list[str]:
    """The parts that hold the sheets, in the order in which the workbook shows them; hidden ones are not shown."""
    files = set(book.namelist())
    if {"xl/workbook.xml", "xl/_rels/workbook.xml.rels"} <= files:
        targets = {
            each.get("Id"): posixpath.normpath(posixpath.join("/xl", each.get("Target", ""))).lstrip("/")
            for each in _xml(book.read("xl/_rels/workbook.xml.rels"))
        }
        sheets = [
            targets.get(sheet.get(f"{_REL}id"), "")
            for sheet in _xml(book.read("xl/workbook.xml")).iter(f"{_MAIN}sheet")
            if sheet.get("state", "visible") == "visible"
        ]
        if found := [name for name in sheets if name in files]:
            return found
    return sorted(name for name in files if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name))


def _sheet(source: ElementTree.Element, shared: list[str]) -> Table:
    rows: Table = []
    cells = 0
    for row in source.iter(f"{_MAIN}row"):
        number = row.get("r", "")
        while number.isdecimal() and len(rows) < min(int(number) - 1, MOST_CELLS // 10):
            rows.append([])  # empty lines are left out in the file
        line: list[str] = []
        for cell in row.iter(f"{_MAIN}c"):
            cells += 1
            column = _column(cell.get("r", ""), len(line))
            if cells > MOST_CELLS or column > MOST_COLUMNS:
                raise Unreadable("sheet_large")
            line += [""] * (column - len(line))
            line.append(_cell(cell, shared))
        rows.append(line)
    for merged in source.iter(f"{_MAIN}mergeCell"):
        _fill(rows, merged.get("ref", ""))
    return rows


def _cell(cell: ElementTree.Element, shared: list[str]) -> str:
    value = cell.find(f"{_MAIN}v")
    text = (value.text or "") if value is not None else ""
    if cell.get("t") == "s":
        text = shared[int(text)]
    elif cell.get("t") == "inlineStr":
        text = "".join(map(_words, cell.iter(f"{_MAIN}is")))
    elif text.endswith(".0"):
        text = text[:-2]
    return text.strip()


def _words(item: ElementTree.Element) -> str:
    """The text of a string, its runs joined; how it is to be pronounced is left out."""
    runs = [item, *item.findall(f"{_MAIN}r")]
    return "".join(text.text or "" for run in runs for text in run.findall(f"{_MAIN}t"))


def _fill(rows: Table, reference: str) -> None:
    """What stands in cells that are merged downwards stands in each of their lines. A title across is one cell."""
    found = re.fullmatch(r"([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})", reference)
    if not found or found[1] != found[3]:
        return
    column, first, last = _column(found[1], 0), int(found[2]) - 1, min(int(found[4]), len(rows))
    if not 0 <= first < len(rows) or column >= len(rows[first]):
        return
    for line in rows[first + 1 : last]:
        line += [""] * (column + 1 - len(line))
        line[column] = line[column] or rows[first][column]


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
