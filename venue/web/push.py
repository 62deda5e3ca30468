"""Web push: a call rings on a referee's locked phone as well, through the push service of his browser's maker.

Off until the chief turns it on, and never the only way: it needs the internet at both ends. A message is sealed for one
browser and says table and kind, in the words that the phone shows; the service in between sees that a message went,
how urgent it is and when it expires.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import anyio.to_thread
from sqlalchemy import Connection
from starlette.responses import JSONResponse, Response

from engine.errors import GuandanError
from venue import outside, sealed
from venue.hall.cases import Case, escalated
from venue.sentences import Impossible, Sentence, Unreadable
from venue.store import push
from venue.store.push import Phone, Switch
from venue.store.telling import PHONES
from venue.web.guard import COOKIE, Door, Visit, language
from venue.web.pages import words
from venue.web.telling import Gone

LONGEST: Final = 1024
"""Letters of a push service's address: Windows' are the longest."""
LIVES: Final = 300
"""Seconds that a push service keeps a message, and that a call is worth one: what is older is no call to run to."""
REST: Final = 3.0
"""Seconds between two messages to one phone: what comes meanwhile comes together."""
MOST: Final = 50
"""Calls in one message, which names the oldest and counts the others."""
_MAIL: Final = re.compile(r"[^@\s<>\"(),:;\\\[\]]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")


def mark_of(phone: Phone, case: Case, now: float) -> str | None:
    """One ringing of *case*, as far as it rings for the phone's referee and is fresh."""
    if case.state != "launched" or now - case.rang > LIVES:
        return None
    late = escalated(case.state, case.rang, now)
    return f"{case.rang}/{int(late)}" if late or phone.person.sees(case.zone) else None


def told_of(cases: Sequence[Case], lang: str, now: float) -> dict[str, Any]:
    """What the phone shows: the oldest of *cases*, and how many more there are. No name, no seat, no card."""
    say, first = words(lang), cases[0]
    body = [say["kind"].get(first.kind, first.kind) + ("" if first.certain else "?")]  # as on the duty page
    if escalated(first.state, first.rang, now):
        body.append(say["hook"]["nobody"])
    if len(cases) > 1:
        body.append(say["duty"]["more_waiting"].format(n=len(cases) - 1))
    title = say["push"]["table"].format(table=first.place)
    return {"table": first.place, "kind": first.kind, "title": title, "body": " · ".join(body), "lang": lang}


def deliver(phone: Phone, told: dict[str, Any], topic: str, now: float) -> None:
    """One message, on a thread.

    :raises Gone: when the browser takes none any more. :raises OSError: when the push service does not take it.
    :raises GuandanError: when the venue must not speak to that service.
    """
    address = _address(phone.endpoint, phone.switch.lan)
    body = sealed.seal(json.dumps(told, ensure_ascii=False).encode(), phone.public, phone.auth)
    headers = {
        "content-type": "application/octet-stream", "content-encoding": "aes128gcm", "ttl": str(LIVES),
        "urgency": "high", "topic": topic, "user-agent": "guandan-venue",
        "authorization": sealed.signature(phone.switch.private, phone.endpoint, phone.switch.contact, now),
    }  # fmt: skip
    try:
        outside.post(address, body, headers)
    except outside.NotTaken as error:
        if error.status in (404, 410):
            raise Gone from None
        raise


def _address(endpoint: str, lan: bool) -> outside.Address:
    """:raises GuandanError: when that is no place for a push service."""
    address = outside.check(endpoint, lan, longest=LONGEST)
    if address.parts.scheme != "https":
        raise Unreadable("push_https")
    return address


class Phones:
    """The channel to referees' phones: each hears what rings for its referee."""

    ledger, most, rest = PHONES, MOST, REST

    def everyone(self, connection: Connection, now: float) -> list[Phone]:
        return push.everyone(connection, now)

    def mark(self, receiver: Phone, case: Case, now: float) -> str | None:
        return mark_of(receiver, case, now)

    def letter(self, receiver: Phone, cases: Sequence[Case], now: float) -> Callable[[], None]:
        ringing = sorted(cases, key=lambda case: case.rang)
        told = told_of(ringing, receiver.lang, now)
        # a newer message about the same call takes the place of one that the phone has not fetched
        topic = hashlib.sha256(f"{receiver.id} {ringing[0].id}".encode()).hexdigest()[:32]
        return lambda: deliver(receiver, told, topic, now)

    def shown(self, receiver: Phone) -> Sentence:
        return Sentence("a_phone", name=receiver.id, url=outside.shown(receiver.endpoint))


# --- doors ------------------------------------------------------------------------------------------------------------


async def state(visit: Visit) -> Response:
    """``GET /v1/push``: whether it is on, and the key that browsers subscribe with; to the chief also how it fares."""
    now, chief = visit.venue.now(), visit.someone.role == "chief"
    stands, phones = await visit.venue.read(
        lambda connection: (push.switch(connection), push.everyone(connection, now) if chief else [])
    )
    on = stands is not None and stands.since is not None
    told: dict[str, Any] = {"on": on, "key": sealed.public_of(stands.private) if on and stands is not None else None}
    if chief:
        told |= {"contact": stands.contact if stands else "", "lan": stands.lan if stands else False}
        told["phones"] = [
            {
                "name": phone.person.name, "service": outside.shown(phone.endpoint), "failures": phone.failures,
                "last_ok": phone.last_ok, "last_error": phone.last_error,
            }
            for phone in phones
        ]  # fmt: skip
    return JSONResponse(told)


async def turn_on(visit: Visit) -> Response:
    """``POST /v1/push/on {contact, lan}``: from now on referees may have their phones told."""
    contact, lan, now = visit.text("contact", 100), visit.body.get("lan") is True, visit.venue.now()
    if not _MAIL.fullmatch(contact):
        raise Unreadable("push_contact")
    stands: Switch = await visit.venue.write(
        lambda connection: push.turn_on(connection, contact, lan, now, sealed.new_key)
    )
    return JSONResponse({"on": True, "key": sealed.public_of(stands.private)})


async def turn_off(visit: Visit) -> Response:
    """``POST /v1/push/off``: no phone is told any more, and every one is forgotten."""
    await visit.venue.write(push.turn_off)
    return JSONResponse({"on": False})


async def subscribe(visit: Visit) -> Response:
    """``POST /v1/push/phone {endpoint, public, auth}``: this referee's browser is told from now on."""
    endpoint, public, auth = visit.text("endpoint", LONGEST), visit.text("public", 100), visit.text("auth", 40)
    lang, word, now = language(visit.request), visit.request.cookies.get(COOKIE, ""), visit.venue.now()
    stands = await visit.venue.read(push.switch)
    if stands is None or stands.since is None:
        raise Impossible("push_off")
    sealed.check_keys(public, auth)
    lan = stands.lan
    await anyio.to_thread.run_sync(lambda: _address(endpoint, lan), limiter=visit.venue.outward)
    await visit.venue.write(lambda connection: push.subscribe(connection, word, endpoint, public, auth, lang, now))
    return JSONResponse({})


async def unsubscribe(visit: Visit) -> Response:
    """``POST /v1/push/leave {endpoint}``: this referee's browser is told nothing any more."""
    endpoint, person, now = visit.text("endpoint", LONGEST), visit.someone.id, visit.venue.now()
    await visit.venue.write(lambda connection: push.unsubscribe(connection, person, endpoint, now))
    return JSONResponse({})


async def test(visit: Visit) -> Response:
    """``POST /v1/push/test {endpoint}``: one message to this referee's browser, now; what came of it."""
    endpoint, person, now = visit.text("endpoint", LONGEST), visit.someone.id, visit.venue.now()
    phones = await visit.venue.read(lambda connection: push.everyone(connection, now))
    phone = next((each for each in phones if each.person.id == person and each.endpoint == endpoint), None)
    if phone is None:
        raise Impossible("push_no_phone")
    say = words(phone.lang)["push"]
    told = {"table": "", "kind": "test", "title": say["test_title"], "body": say["test_body"], "lang": phone.lang}
    try:
        await anyio.to_thread.run_sync(lambda: deliver(phone, told, "test", now), limiter=visit.venue.outward)
    except Gone:
        await visit.venue.write(lambda connection: PHONES.forget(connection, [phone.id]))
        return JSONResponse({"taken": False, "why": "gone"})
    except (OSError, GuandanError) as error:
        return JSONResponse({"taken": False, "why": outside.reason(error)})
    return JSONResponse({"taken": True, "why": None})


_CHIEF: Final = frozenset({"chief"})
_REFEREES: Final = frozenset(push.ROLES)
DOORS: Final = (
    Door("GET", "/v1/push", _REFEREES, state, rate="page"),
    Door("POST", "/v1/push/on", _CHIEF, turn_on),
    Door("POST", "/v1/push/off", _CHIEF, turn_off),
    Door("POST", "/v1/push/phone", _REFEREES, subscribe),
    Door("POST", "/v1/push/leave", _REFEREES, unsubscribe),
    Door("POST", "/v1/push/test", _REFEREES, test),
)
