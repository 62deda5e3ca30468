"""Report cards in the strips at the mat's edge, and the mat and the cards as PDF."""

import re
import zlib
from itertools import pairwise

import cv2
import numpy as np
import pytest

from simulator.art import Deck
from tests.table.scripted import Scripted
from tests.vision.card_table import MAT, OFFSET, PX_PER_MM, Table
from vision import mat_pdf
from vision.eye import Eye
from vision.mat import MARKERS, REPORT, REPORT_MARKER, SIZE_MM
from vision.observations import Reported


class Blind:
    """A detector and reader that see nothing."""

    def find(self, image: np.ndarray, scale: float = 1.0) -> list[object]:
        return []

    def read(self, image: np.ndarray, founds: object) -> list[object]:
        return []


def put(seat: str, turned: float) -> np.ndarray:
    """The mat with a report card in the seat's strip."""
    canvas = MAT.copy()
    x, y = REPORT[seat].centre
    turn = np.radians(turned)
    for shape in mat_pdf.report_card(-44.0, -25.0):
        at = np.array(shape.points) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + (x, y)
        colour = tuple(int(shape.colour[place : place + 2], 16) for place in (5, 3, 1))
        if not shape.line:
            cv2.fillConvexPoly(canvas, np.round(at * PX_PER_MM).astype(np.int32), colour)
    return canvas


@pytest.mark.parametrize(("seat", "turned"), [("N", 183.0), ("E", 265.0), ("S", -5.0), ("W", 92.0)])
def test_a_report_card_is_seen_once_when_it_comes_and_once_when_it_goes(
    seat: str, turned: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(Deck.own("river"))
    eye = Eye(Blind(), Blind())  # type: ignore[arg-type]

    def watch(seconds: float) -> list[tuple[str, bool]]:
        seen = [one for _ in range(round(seconds * 10)) for one in eye.step(table)]
        return [(one.seat, one.shown) for one in seen if isinstance(one, Reported)]

    assert watch(1.5) == []
    monkeypatch.setattr("tests.vision.card_table.MAT", put(seat, turned))
    table.shift, table._table, table._seen = 0, None, None
    assert watch(1.5) == [(seat, True)]
    assert watch(1.0) == []
    monkeypatch.undo()
    table._table = table._seen = None
    assert watch(1.5) == [(seat, False)]
    assert OFFSET[0] > 0 and REPORT_MARKER not in MARKERS


def test_a_report_card_reports_for_its_player() -> None:
    table = Scripted(report_at=26)
    table.lay("N", "S9")
    table.see(Reported(table.t + 1.0, "N", True))
    assert table.did[-1] == "report" and table.events[-1].data == {"seat": "N", "count": 26, "by": "pressed"}
    table.see(Reported(table.t + 2.0, "N", False))
    assert table.did[-1] == "report" and table.did.count("report") == 1


def test_the_mats_pdf_is_whole_and_its_parts_cover_it() -> None:
    whole, parts, cards = mat_pdf.whole(), mat_pdf.in_parts(), mat_pdf.report_cards()
    assert whole.startswith(b"%PDF-1.4") and whole.rstrip().endswith(b"%%EOF")
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", whole)
    assert box and [round(float(side) / mat_pdf.POINT) for side in box.groups()] == [SIZE_MM, SIZE_MM]
    assert parts.count(b"/Type /Page ") == 12 and cards.count(b"/Type /Page ") == 1
    for document in (whole, parts, cards):
        start = int(re.search(rb"startxref\n(\d+)", document).group(1))  # type: ignore[union-attr]
        assert document[start : start + 4] == b"xref"
        for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n", document), 1):
            assert document[int(place) :].startswith(b"%d 0 obj" % number)
        for stream in re.findall(rb"stream\n(.*?)\nendstream", document, re.S):
            assert b" cm\n" in zlib.decompress(stream)
    room = 190.0
    starts = mat_pdf._starts(210.0)
    assert starts[-1] + room >= SIZE_MM and all(b - a <= room - 10 for a, b in pairwise(starts))
