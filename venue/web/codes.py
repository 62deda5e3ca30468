"""Codes to scan: a person's link, a table's own address. Drawn here, so that nothing is asked of a network."""

from __future__ import annotations

import io
from typing import Final
from urllib.parse import quote

import segno
from starlette.responses import RedirectResponse, Response

from venue.web.guard import Refusal, Visit

LONGEST: Final = 300
STAFF_PAGES: Final = {"chief": "/duty", "referee": "/duty", "desk": "/office", "announcer": "/board"}


def svg(text: str) -> bytes:
    """*text* as a code to scan, dark on white with its quiet border, as an SVG that fills what it stands in."""
    held = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        held, kind="svg", dark="#000", light="#fff", border=4, omitsize=True, xmldecl=False
    )  # fmt: skip
    return held.getvalue()


def terminal(text: str) -> str:
    """*text* as a code to scan off a terminal."""
    held = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out=held, compact=True, border=2)
    return held.getvalue()


async def draw(visit: Visit) -> Response:
    """``GET /v1/scan?text=``: a code for an address of this venue's; what is asked for stands in no log."""
    text = visit.request.query_params.get("text", "")
    if not 0 < len(text) <= LONGEST or not text.startswith(("http://", "https://")):
        raise Refusal(400, "unreadable", "address_text", longest=LONGEST)
    return Response(svg(text), media_type="image/svg+xml")


async def table(visit: Visit) -> Response:
    """``GET /t/{place}``: what a table's code leads to: a referee's phone opens the table, other phones the hall."""
    place = quote(visit.request.path_params["place"], safe="")
    if visit.person is None:
        return RedirectResponse("/enter", 303)
    page = STAFF_PAGES.get(visit.person.role, "/board")
    return RedirectResponse(f"{page}#table={place}", 303)
