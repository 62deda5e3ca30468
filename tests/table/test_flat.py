"""A screen that lies flat: a page faces who opened it, what is about a seat faces that seat, anybody may turn it."""

from __future__ import annotations

from dataclasses import replace

from table import screens
from tests.table.scripted import Scripted


def flat() -> Scripted:
    table = Scripted("friendly")
    glass = table.controller.desk.glass
    glass.settings = replace(glass.settings, flat=True)
    table.tap("seat", "S")
    return table


def test_a_page_faces_who_opened_it_and_lies_as_before_once_it_is_closed() -> None:
    table = flat()
    assert table.view.facing == "S"
    table.tap("menu", "N")
    assert table.view.facing == "N"
    table.tap("close")
    assert table.view.facing == "S", "what the table says in the middle stays where it was"
    table.tap("menu", "N")
    table.tap("face")
    assert table.view.facing == "W", "turned on to the next player"
    table.tap("close")
    assert table.view.facing == "W", "somebody turned it on purpose"


def test_a_seats_sheet_and_its_play_face_that_seat() -> None:
    table = flat()
    table.lay("S", "S3 H3")
    table.tap("sheet", "E")
    assert table.view.screen == "seat" and screens.facing(table.view) == "E"
    table.tap("close")
    table.tap("card", ("S", None))
    assert table.view.screen == "correct" and screens.facing(table.view) == "S"
    table.tap("close")
    table.lay("W", "S4 H4")
    table.tap("card", ("W", None))
    assert screens.facing(table.view) == "W"
