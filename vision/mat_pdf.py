"""The mat as PDF: whole for a print shop, in parts for an ordinary printer, and the report cards.

Run ``python -m vision.mat_pdf [FOLDER]``: writes ``mat.pdf`` (one page of 700 x 700 mm), ``mat-a4.pdf`` (12 sheets that
overlap by 10 mm, with crosses to lay them by) and ``report-cards.pdf`` (one sheet) into ``assets/mat``. Vectors only,
no fonts and no package needed; print at 100 %, never "fit to page".
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import cv2

from vision.mat import MARKER_DICTIONARY, REPORT_CARD_MM, REPORT_MARKER, REPORT_MARKER_MM, SIZE_MM
from vision.mat_drawing import ASSETS, INK, PAPER, Shape, shapes

POINT: Final = 72 / 25.4
A4: Final = (210.0, 297.0)
EDGE: Final = 10.0
"""Ordinary printers leave this much of a sheet white."""
OVERLAP: Final = 10.0
CROSS: Final = 4.0


def pages_of(sheets: Sequence[tuple[tuple[float, float], str]]) -> bytes:
    """A PDF of *sheets*: size in mm, and drawing operators in a frame of millimetres with y down."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    kids = []
    for (width, height), drawing in sheets:
        frame = f"{POINT:.6f} 0 0 {-POINT:.6f} 0 {height * POINT:.3f} cm\n"
        stream = zlib.compress((frame + drawing).encode("ascii"), 9)
        objects.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream))
        box = f"[0 0 {width * POINT:.3f} {height * POINT:.3f}]"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Resources << >> /Contents {len(objects)} 0 R >>".encode()
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    out, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    out_table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table)
    return out + out_table + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, len(out))


def drawn(parts: Sequence[Shape]) -> str:
    """Drawing operators of *parts*."""
    lines = []
    for shape in parts:
        red, green, blue = (int(shape.colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
        (x, y), *more = shape.points
        path = f"{x:.3f} {y:.3f} m " + " ".join(f"{px:.3f} {py:.3f} l" for px, py in more)
        closed = " h" if len(shape.points) > 2 else ""
        if shape.line:
            lines.append(f"{red:.3f} {green:.3f} {blue:.3f} RG {shape.line:g} w {path}{closed} S")
        else:
            lines.append(f"{red:.3f} {green:.3f} {blue:.3f} rg {path} h f")
    return "\n".join(lines) + "\n"


def whole() -> bytes:
    """The mat on one page, for a print shop."""
    return pages_of([((SIZE_MM, SIZE_MM), drawn(list(shapes())))])


def in_parts() -> bytes:
    """The mat on A4 sheets, row by row from the north-west: each overlaps its neighbours, crosses show by how much."""
    return pages_of([(A4, _part(left, top)) for top in _starts(A4[1]) for left in _starts(A4[0])])


def _starts(side: float) -> list[float]:
    """Where sheets begin along one side of the mat, in mm."""
    room = side - 2 * EDGE
    count = 1 + max(0, -int(-(SIZE_MM - room) // (room - OVERLAP)))
    return [place * (room - OVERLAP) for place in range(count)]


def _part(left: float, top: float) -> str:
    wide, high = A4[0] - 2 * EDGE, A4[1] - 2 * EDGE
    clip = f"q {EDGE} {EDGE} {wide} {high} re W n\n1 0 0 1 {EDGE - left:.3f} {EDGE - top:.3f} cm\n"
    crosses = [
        Shape(line, "#8a9a98", 0.2)
        for x in (left + OVERLAP / 2, left + wide - OVERLAP / 2)
        for y in (top + OVERLAP / 2, top + high - OVERLAP / 2)
        if x < SIZE_MM and y < SIZE_MM
        for line in (((x - CROSS, y), (x + CROSS, y)), ((x, y - CROSS), (x, y + CROSS)))
    ]
    return clip + drawn(list(shapes())) + drawn(crosses) + "Q\n"


def report_cards() -> bytes:
    """Eight report cards on an A4 sheet, to be cut out: each shows the marker that the camera reads."""
    width, height = REPORT_CARD_MM
    parts = [
        shape
        for row in range(4)
        for column in range(2)
        for shape in report_card(12 + column * (width + 6), 16 + row * (height + 12))
    ]
    return pages_of([(A4, drawn(parts))])


def report_card(left: float = 0.0, top: float = 0.0) -> Iterator[Shape]:
    """A report card with its upper left corner at (*left*, *top*) mm: paper, an edge to cut along, the marker."""
    width, height = REPORT_CARD_MM
    box = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
    yield Shape(box, PAPER)
    yield Shape(box, "#8a9a98", 0.2)
    x0, y0 = left + (width - REPORT_MARKER_MM) / 2, top + (height - REPORT_MARKER_MM) / 2
    side, cell = REPORT_MARKER_MM, REPORT_MARKER_MM / 6
    yield Shape(((x0, y0), (x0 + side, y0), (x0 + side, y0 + side), (x0, y0 + side)), INK)
    cells = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY), REPORT_MARKER, 6)
    for row in range(6):
        for column in range(6):
            if cells[row, column]:
                x, y = x0 + column * cell, y0 + row * cell
                yield Shape(((x, y), (x + cell, y), (x + cell, y + cell), (x, y + cell)), PAPER)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ASSETS
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in (("mat.pdf", whole()), ("mat-a4.pdf", in_parts()), ("report-cards.pdf", report_cards())):
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
