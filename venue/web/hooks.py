"""Calls and alerts told to an address outside: beside the console, never instead of it, and never before it.

What is told is how a case stands, not each thing that happened to it: an address that was away for an hour hears once
of each case. A message may come twice (its ``id`` says so) and carries no card, no evidence and no player's name.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections.abc import Mapping
from typing import Any, Final

import anyio.to_thread
from starlette.responses import JSONResponse, Response

from venue import outside
from venue.hall.cases import Case, escalated
from venue.sentences import LANGUAGES
from venue.store import hooks
from venue.store.hooks import Hook
from venue.web.guard import Visit
from venue.web.house import LOG, Venue
from venue.web.pages import words

LOOK_EVERY: Final = 1.0
BREATH: Final = 0.25
"""Seconds between two looks at the least: a busy hall changes all the time."""
ASK_EVERY: Final = 5.0
"""Seconds between two looks at the list of addresses, which another worker may have changed."""
FIRST_DELAY: Final = 2.0
LONGEST_DELAY: Final = 600.0
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
    status = outside.post(address, body, headers)
    if not 200 <= status < 300:
        raise OSError(f"HTTP {status}")


def reason(error: Exception) -> str:
    """*error* in a word that gives no address away."""
    if isinstance(error, OSError) and str(error).startswith("HTTP "):
        return str(error)
    return type(error).__name__


class Teller:
    """Tells every address of every case that was opened since the address was given, and of what became of it."""

    def __init__(self, venue: Venue) -> None:
        self._venue = venue
        self._known: list[Hook] = []
        self._told: dict[str, dict[str, str]] = {}
        """By address: the marks that it is known to have, so that a quiet hall asks no database."""
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._asked = -ASK_EVERY

    async def run(self) -> None:
        """Until the venue closes. Nothing that goes wrong here reaches anybody else."""
        loop = asyncio.get_running_loop()
        while not self._venue.closing:
            try:
                if loop.time() - self._asked >= ASK_EVERY:
                    self._asked = loop.time()
                    self._known = await self._venue.read(hooks.everyone)
                for hook in self._known:
                    due = hook.id not in self._busy and hook.next_try <= self._venue.now()
                    if due and self._news(hook, self._told.get(hook.id, {})):
                        self._busy[hook.id] = asyncio.create_task(self._tell(hook))
            except Exception as error:
                self._venue.complain(error, "messages to outside stumbled")
            await self._venue.changed.wait(LOOK_EVERY)
            await asyncio.sleep(BREATH)

    def look_again(self) -> None:
        """The list of addresses has changed."""
        self._asked = -ASK_EVERY

    def _news(self, hook: Hook, told: Mapping[str, str]) -> list[Case]:
        now = self._venue.now()
        fresh = (case for case in self._venue.hall.cases.values() if case.opened >= hook.made)
        return [case for case in fresh if told.get(case.id) != mark_of(case, now)][:MOST]

    async def _tell(self, hook: Hook) -> None:
        venue, now = self._venue, self._venue.now()
        try:
            told = await venue.write(lambda connection: hooks.claim(connection, hook.id, now))
            if told is None:  # it waits after a failure, another worker is at it, or it was removed
                await asyncio.sleep(LOOK_EVERY)
                return
            self._told[hook.id] = told
            news = self._news(hook, told)
            marks = {case.id: mark_of(case, now) for case in news}
            try:
                if news:
                    body = message(hook.id, [told_of(case, now) for case in news], now)
                    # a venue that stops waits for no address: the thread ends by itself
                    await anyio.to_thread.run_sync(lambda: deliver(hook, body, now), abandon_on_cancel=True)
            except Exception as error:
                why, delay = reason(error), min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(hook.failures, 12))
                again = venue.now() + delay * random.uniform(0.5, 1.0)
                LOG.warning("the address %s (%s) did not take a message: %s", hook.id, outside.shown(hook.url), why)
                await venue.write(lambda connection: hooks.went_wrong(connection, hook.id, why, again))
                self.look_again()
                return
            await venue.write(lambda connection: hooks.went_well(connection, hook.id, marks, venue.now()))
            self._told[hook.id] = told | marks
            if hook.failures:
                self.look_again()
        except Exception as error:
            venue.complain(error, f"a message to {hook.id} stumbled")
        finally:
            self._busy.pop(hook.id, None)


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
    await anyio.to_thread.run_sync(lambda: outside.check(url, lan))
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
        await anyio.to_thread.run_sync(lambda: deliver(hook, body, now))
    except OSError as error:
        return JSONResponse({"taken": False, "why": reason(error)})
    return JSONResponse({"taken": True, "why": None})
