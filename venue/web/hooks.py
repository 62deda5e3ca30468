"""Calls and alerts told to an address outside: beside the console, never instead of it, and never before it.

What is told is how a case stands, not each thing that happened to it: an address that was away for an hour hears once
of each case. A message may come twice (its ``id`` says so) and carries no card, no evidence and no player's name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import anyio.to_thread
from sqlalchemy import Connection
from starlette.responses import JSONResponse, Response

from engine.errors import GuandanError
from venue import outside
from venue.hall.cases import Case, escalated
from venue.sentences import LANGUAGES, Sentence
from venue.store import hooks
from venue.store.hooks import Hook
from venue.store.telling import HOOKS
from venue.web.guard import Visit
from venue.web.pages import words

MOST: Final = 20
"""Cases in one message."""


def mark_of(case: Case, now: float) -> str:
    """What a message about *case* tells: two equal marks are the same news."""
    late = escalated(case.state, case.rang, now)
    return f"{case.state}/{case.joined}/{','.join(sorted(taker['person'] for taker in case.taken))}/{int(late)}"


def told_of(case: Case, now: float) -> dict[str, Any]:
    """*case* as it leaves the house."""
    told: dict[str, Any] = {
        "id": case.id, "table": case.place, "zone": case.zone, "kind": case.kind, "state": case.state,
        "certain": case.certain, "route": case.route, "opened": case.opened, "calls": case.joined + 1,
        "taken_by": [taker["name"] for taker in case.taken], "escalated": escalated(case.state, case.rang, now),
    }  # fmt: skip
    told["text"] = {lang: _line(told, words(lang)) for lang in LANGUAGES}
    return told


def _line(told: Mapping[str, Any], say: Mapping[str, Any]) -> str:
    kind = say["kind"].get(told["kind"], told["kind"])
    state = say["hook"]["nobody"] if told["escalated"] else say["state"].get(told["state"], told["state"])
    names = "、".join(filter(None, told["taken_by"]))
    zone = say["duty"]["zone"].format(zone=told["zone"]) if told["zone"] else ""
    line = say["hook"]["line"].format(table=told["table"], zone=zone, kind=kind, state=state)
    return " ".join(f"{line} {names}".split())


def message(hook: str, cases: list[dict[str, Any]], now: float, test: bool = False) -> bytes:
    """The body: its ``id`` is the same for the same news."""
    about = json.dumps([hook, test, cases], ensure_ascii=False, sort_keys=True)
    name = hashlib.sha256(about.encode()).hexdigest()[:24]
    told = {"id": name, "at": now, "test": test, "cases": cases}
    return json.dumps(told, ensure_ascii=False).encode()


def deliver(hook: Hook, body: bytes, now: float) -> None:
    """One request, on a thread.

    :raises GuandanError: when the address must not be spoken to (any more).
    :raises OSError: when it does not answer, or with something else than 2xx.
    """
    address = outside.check(hook.url, hook.lan)
    headers = {
        "content-type": "application/json; charset=utf-8", "user-agent": "guandan-venue",
        outside.SIGNATURE: outside.sign(hook.secret, int(now), body),
    }  # fmt: skip
    outside.post(address, body, headers)


class Addresses:
    """The channel to addresses outside: each hears how every case stands."""

    ledger, most, rest = HOOKS, MOST, 0.0

    def everyone(self, connection: Connection, _now: float) -> list[Hook]:
        return hooks.everyone(connection)

    def mark(self, _receiver: Hook, case: Case, now: float) -> str:
        return mark_of(case, now)

    def letter(self, receiver: Hook, cases: Sequence[Case], now: float) -> Callable[[], None]:
        body = message(receiver.id, [told_of(case, now) for case in cases], now)
        return lambda: deliver(receiver, body, now)

    def shown(self, receiver: Hook) -> Sentence:
        return Sentence("an_address", name=receiver.id, url=outside.shown(receiver.url))


# --- the chief referee's doors ----------------------------------------------------------------------------------------


async def everything(visit: Visit) -> Response:
    """``GET /v1/hooks``: the addresses, without what follows the host, and how they fare."""
    found = await visit.venue.read(hooks.everyone)
    return JSONResponse(
        {
            "hooks": [
                {
                    "id": each.id, "address": outside.shown(each.url), "lan": each.lan, "failures": each.failures,
                    "last_ok": each.last_ok, "last_error": each.last_error,
                }
                for each in found
            ]
        }
    )  # fmt: skip


async def add(visit: Visit) -> Response:
    """``POST /v1/hooks {url, lan}``: a new address; its secret is told this once."""
    url, lan, now = visit.text("url", outside.LONGEST), visit.body.get("lan") is True, visit.venue.now()
    await anyio.to_thread.run_sync(lambda: outside.check(url, lan), limiter=visit.venue.outward)
    made = await visit.venue.write(lambda connection: hooks.add(connection, url, lan, now))
    return JSONResponse({"id": made.id, "address": outside.shown(url), "secret": made.secret})


async def remove(visit: Visit) -> Response:
    """``POST /v1/hooks/{hook}/remove``: it hears nothing any more."""
    name = visit.request.path_params["hook"]
    await visit.venue.write(lambda connection: hooks.remove(connection, name))
    return JSONResponse({})


async def test(visit: Visit) -> Response:
    """``POST /v1/hooks/{hook}/test``: one message without a case, now; what came of it."""
    name, now = visit.request.path_params["hook"], visit.venue.now()
    hook = await visit.venue.read(lambda connection: hooks.one(connection, name))
    body = message(hook.id, [], now, test=True)
    try:
        await anyio.to_thread.run_sync(lambda: deliver(hook, body, now), limiter=visit.venue.outward)
    except (OSError, GuandanError) as error:
        return JSONResponse({"taken": False, "why": outside.reason(error)})
    return JSONResponse({"taken": True, "why": None})
