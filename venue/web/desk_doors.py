"""The tournament desk's ways in, with who may pass."""

from __future__ import annotations

from typing import Final

from venue.web import desk, play, timing
from venue.web.guard import Door
from venue.web.view import OFFICE, STAFF

EVERYONE: Final = STAFF | {"spectator"}
ONE: Final = "/v1/competitions/{competition}"

DOORS: Final[tuple[Door, ...]] = (
    Door("GET", "/v1/competitions", EVERYONE, desk.everything, rate="page"),
    Door("POST", "/v1/competitions", OFFICE, desk.create),
    Door("GET", "/v1/templates", OFFICE, desk.list_templates, rate="page"),
    Door("GET", ONE, EVERYONE, desk.one, rate="page"),
    # entries
    Door("POST", f"{ONE}/entries", OFFICE, desk.enter, limit=4 * 1024 * 1024, raw=True),
    Door("POST", f"{ONE}/entries/edit", OFFICE, desk.edit),
    Door("POST", f"{ONE}/entries/remove", OFFICE, desk.remove),
    Door("POST", f"{ONE}/entries/settle", OFFICE, desk.settle),
    Door("POST", f"{ONE}/entries/drop", OFFICE, desk.drop),
    Door("POST", f"{ONE}/entries/from", OFFICE, desk.enter_from),
    Door("POST", f"{ONE}/checkin", OFFICE, desk.check_in),
    Door("POST", f"{ONE}/withdraw", OFFICE, desk.withdraw),
    Door("POST", f"{ONE}/return", OFFICE, desk.come_back),
    Door("POST", f"{ONE}/partners", OFFICE, desk.partners),
    Door("POST", f"{ONE}/unpartner", OFFICE, desk.unpartner),
    # play
    Door("POST", f"{ONE}/draw", OFFICE, play.draw),
    Door("POST", f"{ONE}/pair", OFFICE, play.pair_by_hand),
    Door("POST", f"{ONE}/undraw", OFFICE, play.undraw),
    Door("POST", f"{ONE}/seat", OFFICE, play.seat),
    Door("POST", f"{ONE}/clock", OFFICE, timing.clock),
    Door("POST", f"{ONE}/result", OFFICE, play.result),
    Door("POST", f"{ONE}/erase", OFFICE, play.erase),
    Door("POST", f"{ONE}/late", OFFICE, play.late),
    Door("POST", f"{ONE}/place", OFFICE, play.move),
    Door("POST", f"{ONE}/reseat", OFFICE, play.reseat),
    Door("POST", f"{ONE}/substitute", OFFICE, play.substitute),
    Door("POST", f"{ONE}/decide", OFFICE, play.decide),
    # files and papers
    Door("GET", f"{ONE}/sheet", STAFF, desk.export, rate="page"),
    Door("GET", f"{ONE}/workbook", STAFF, desk.workbook, rate="page"),
    Door("GET", f"{ONE}/archive", STAFF, desk.archive, rate="page"),
    Door("GET", f"{ONE}/print/{{sheet}}", STAFF, desk.paper, rate="page"),
)
