"""Every way in, with who may pass. A test walks this list and the app's routes and tries each with every role."""

from __future__ import annotations

from typing import Final

from venue.protocol import MAX_BODY
from venue.store.handouts import BROUGHT
from venue.store.pictures import PIECE
from venue.web import codes, desk_doors, duty, handouts, hooks, office, pages, pictures, probes, stream, sync
from venue.web.guard import DEVICE, OPEN, Door, Handler
from venue.web.push import DOORS as PUSH

EVERYONE: Final = frozenset({"chief", "referee", "desk", "announcer", "spectator"})
STAFF: Final = EVERYONE - {"spectator"}
REFEREES: Final = frozenset({"chief", "referee"})
OFFICE: Final = frozenset({"chief", "desk"})
CHIEF: Final = frozenset({"chief"})


def _brings(path: str, roles: frozenset[str], handler: Handler) -> Door:
    """A door for the pieces of a file; who brought it stands in the log once it is whole."""
    return Door("POST", path, roles, handler, rate="page", limit=BROUGHT, raw=True, quiet=True)


DOORS: Final[tuple[Door, ...]] = (
    # devices
    Door("POST", "/v1/pair", OPEN, sync.pair, rate="enter", limit=4096),
    Door("POST", "/v1/sync", DEVICE, sync.sync, rate="sync", limit=MAX_BODY, quiet=True),
    Door("POST", "/v1/evidence/{name}", DEVICE, pictures.take, rate="sync", limit=PIECE, raw=True, quiet=True),
    Door("POST", "/v1/decks/{name}", DEVICE, handouts.take_deck, rate="sync", limit=PIECE, raw=True, quiet=True),
    Door("GET", "/v1/handouts/{name}", DEVICE, handouts.fetch, rate="sync", quiet=True),
    # following
    Door("GET", "/v1/snapshot", EVERYONE, stream.snapshot, rate="page"),
    Door("GET", "/v1/stream", EVERYONE, stream.stream, rate="page"),
    Door("GET", "/v1/feed", STAFF, stream.feed, rate="page"),
    # referees
    Door("POST", "/v1/cases/{case}/preview", REFEREES, duty.preview, quiet=True),
    Door("POST", "/v1/cases/{case}/ruling", REFEREES, duty.rule),
    Door("POST", "/v1/cases/{case}/cancel", CHIEF, duty.cancel),
    Door("POST", "/v1/cases/{case}/{step}", REFEREES, duty.step),
    Door("POST", "/v1/tables/{place}/offence", REFEREES, duty.offence),
    Door("POST", "/v1/tables/{place}/message", REFEREES | OFFICE, duty.message),
    Door("POST", "/v1/tables/{place}/extra", REFEREES | OFFICE, duty.extra),
    Door("POST", "/v1/tables/{place}/blink", REFEREES | OFFICE, duty.blink),
    Door("GET", "/v1/evidence/{name}", REFEREES, pictures.look, rate="page", watched=True),
    Door("GET", "/t/{place}", OPEN, codes.table, rate="page"),
    # office
    Door("GET", "/v1/scan", STAFF, codes.draw, rate="page"),
    Door("POST", "/v1/places", OFFICE, office.add_places),
    Door("POST", "/v1/places/{place}/code", OFFICE, office.code),
    Door("POST", "/v1/places/{place}/remove", OFFICE, office.remove_place),
    Door("POST", "/v1/places/{place}/rename", OFFICE, office.rename_place),
    Door("GET", "/v1/devices", OFFICE | REFEREES, office.fleet, rate="page"),
    Door("POST", "/v1/devices/{device}/revoke", OFFICE, office.revoke_device),
    Door("GET", "/v1/handouts", OFFICE | REFEREES, handouts.everything, rate="page"),
    _brings("/v1/uploads/deck/{source}", OFFICE, handouts.bring_deck),
    _brings("/v1/uploads/release/{source}", CHIEF, handouts.bring_release),
    Door("POST", "/v1/decks/{name}/hand", OFFICE, handouts.hand_deck),
    Door("POST", "/v1/decks/{name}/remove", OFFICE, handouts.remove_deck),
    Door("POST", "/v1/releases/{name}/hand", CHIEF, handouts.hand_release),
    Door("POST", "/v1/releases/{name}/remove", CHIEF, handouts.remove_release),
    Door("POST", "/v1/clock", OFFICE, office.clock),
    Door("POST", "/v1/hide", OFFICE, office.hide),
    Door("POST", "/v1/notice", OFFICE | {"announcer"}, office.notice),
    *desk_doors.DOORS,
    # people
    Door("POST", "/v1/enter", OPEN, office.enter, rate="enter", limit=4096),
    Door("POST", "/v1/leave", EVERYONE, office.leave),
    Door("GET", "/v1/people", OFFICE, office.everyone, rate="page"),
    Door("POST", "/v1/people", OFFICE, office.invite),
    Door("POST", "/v1/people/{person}/revoke", CHIEF, office.revoke_person),
    Door("GET", "/v1/hooks", CHIEF, hooks.everything, rate="page"),
    Door("POST", "/v1/hooks", CHIEF, hooks.add),
    Door("POST", "/v1/hooks/{hook}/remove", CHIEF, hooks.remove),
    Door("POST", "/v1/hooks/{hook}/test", CHIEF, hooks.test),
    *PUSH,
    Door("GET", "/v1/audit", CHIEF, office.audit, rate="page"),
    # pages
    Door("GET", "/", OPEN, pages.home, rate="page"),
    Door("GET", "/enter", OPEN, pages.page, rate="page"),
    Door("GET", "/duty", REFEREES, pages.page, rate="page", page=True),
    Door("GET", "/board", EVERYONE, pages.page, rate="page", page=True),
    Door("GET", "/desk", OFFICE, pages.page, rate="page", page=True),
    Door("GET", "/office", OFFICE, pages.page, rate="page", page=True),
    Door("GET", "/fleet", OFFICE | REFEREES, pages.page, rate="page", page=True),
    Door("GET", "/theme.css", OPEN, pages.theme, rate="page"),
    Door("GET", "/worker.js", OPEN, pages.worker, rate="page"),
    Door("GET", "/v1/words/{lang}", OPEN, pages.catalogue, rate="page"),
    *probes.DOORS,
)
