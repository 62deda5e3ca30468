"""Spreadsheets as every office program opens them: a workbook of text and number cells, written and nothing else.

The format is ECMA-376, the parts that a plain sheet needs. Text is stored as text, so no cell can become a formula.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape

Cell = str | int | float | None
_SPACE: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_REL: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_STYLES: Final = (
    f'<styleSheet xmlns="{_SPACE}"><fonts count="2"><font><sz val="11"/></font><font><b/><sz val="11"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


def column(number: int) -> str:
    """The letters of column *number*, counted from 0: A … Z, AA …"""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def write(sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> bytes:
    """A workbook: *sheets* by title, each a list of rows whose first is the heading."""
    titles = _titles(sheets)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        + _override("workbook", "sheet.main")
        + _override("styles", "styles")
        + "".join(_override(f"worksheets/sheet{at}", "worksheet") for at in range(1, len(titles) + 1))
        + "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{_REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_SPACE}" xmlns:r="{_REL}"><sheets>'
        + "".join(
            f'<sheet name="{escape(title, {chr(34): "&quot;"})}" sheetId="{at}" r:id="rId{at}"/>'
            for at, title in enumerate(titles, 1)
        )
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        + "".join(
            f'<Relationship Id="rId{at}" Type="{_REL}/worksheet" Target="worksheets/sheet{at}.xml"/>'
            for at in range(1, len(titles) + 1)
        )
        + f'<Relationship Id="rId{len(titles) + 1}" Type="{_REL}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": _STYLES,
    }
    for at, rows in enumerate(sheets.values(), 1):
        parts[f"xl/worksheets/sheet{at}.xml"] = _sheet(rows)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in parts.items():
            book.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), _HEAD + content)
    return held.getvalue()


def _override(name: str, kind: str) -> str:
    return (
        f'<Override PartName="/xl/{name}.xml" '
        f'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.{kind}+xml"/>'
    )


def _titles(sheets: Mapping[str, object]) -> list[str]:
    """Titles that a workbook takes: 31 letters at most, none of ``[]:*?/\\``, no two alike."""
    made: list[str] = []
    for title in sheets:
        short = re.sub(r"[\[\]:*?/\\\x00-\x1f]", " ", title).strip("' ")[:31] or "1"
        number = 1
        while short.casefold() in {other.casefold() for other in made}:
            number += 1
            short = f"{short[:27]} {number}"
        made.append(short)
    return made


def _sheet(rows: Sequence[Sequence[Cell]]) -> str:
    widths: dict[int, int] = {}
    lines = []
    for number, row in enumerate(rows, 1):
        cells = []
        for at, value in enumerate(row):
            if value is None or value == "":
                continue
            where, style = f"{column(at)}{number}", ' s="1"' if number == 1 else ""
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                cells.append(f'<c r="{where}"{style}><v>{value}</v></c>')
                text = str(value)
            else:
                text = re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", " ", str(value))
                inner = f'<is><t xml:space="preserve">{escape(text)}</t></is>'
                cells.append(f'<c r="{where}" t="inlineStr"{style}>{inner}</c>')
            wide = sum(2 if ord(letter) > 0x2E80 else 1 for letter in text)
            widths[at] = max(widths.get(at, 8), min(60, wide + 2))
        lines.append(f'<row r="{number}">{"".join(cells)}</row>')
    columns = "".join(
        f'<col min="{at + 1}" max="{at + 1}" width="{wide}" customWidth="1"/>' for at, wide in sorted(widths.items())
    )
    frozen = (
        '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" '
        'state="frozen"/></sheetView></sheetViews>'
    )
    cols = f"<cols>{columns}</cols>" if columns else ""
    return f'<worksheet xmlns="{_SPACE}">{frozen}{cols}<sheetData>{"".join(lines)}</sheetData></worksheet>'
