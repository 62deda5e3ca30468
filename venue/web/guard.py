"""The guard at every door: size, rate, who it is, whether they may, whether they meant it; then the audit."""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.errors import GuandanError, Impossible
from venue.protocol import SyncError
from venue.sentences import LANGUAGES, Sentence
from venue.store import people
from venue.store.people import Person
from venue.web.house import Venue

COOKIE: Final = "guandan"
PAGE_LANGUAGE: Final = "x-guandan-language"
OPEN: Final = "open"
DEVICE: Final = "device"

HEADERS: Final = (
    (b"content-security-policy",
     b"default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob: data:; "
     b"media-src 'self' blob: data:; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
     b"frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(self), microphone=(), geolocation=(), screen-wake-lock=(self)"),
)  # fmt: skip


class Refusal(Exception):
    """A request that is answered with *status* and one sentence of the catalogue, in the visitor's language."""

    def __init__(self, status: int, code: str, key: str, /, **values: Any) -> None:
        self.sentence = Sentence(key, **values)
        super().__init__(str(self.sentence))
        self.status, self.code = status, code


@dataclass
class Visit:
    """A request that the guard let in."""

    request: Request
    venue: Venue
    person: Person | None
    body: Any
    """The JSON that came, or the raw bytes where the door takes bytes."""

    @property
    def someone(self) -> Person:
        """Who it is, at doors that only people with a role pass."""
        assert self.person is not None
        return self.person

    def text(self, name: str, longest: int = 200, otherwise: str | None = None) -> str:
        """The text field *name* of the body.

        :raises Refusal: when it is missing, no text, or too long.
        """
        value = self.body.get(name, otherwise) if isinstance(self.body, dict) else otherwise
        if not isinstance(value, str) or len(value) > longest or any(ord(letter) < 32 for letter in value):
            raise Refusal(400, "unreadable", "one_line", name=name, longest=longest)
        return value.strip()

    def number(self, name: str, least: float, most: float) -> float:
        """The number field *name* of the body.

        :raises Refusal: when it is missing or out of bounds.
        """
        value = self.body.get(name) if isinstance(self.body, dict) else None
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
            raise Refusal(400, "unreadable", "number_between", name=name, least=f"{least:g}", most=f"{most:g}")
        return float(value)


Handler = Callable[[Visit], Awaitable[Response]]


@dataclass(frozen=True)
class Door:
    """One way in: *roles* are those who may pass, or ``OPEN``, or ``DEVICE`` (the handler asks for the token)."""

    method: str
    path: str
    roles: frozenset[str] | str
    handler: Handler
    rate: str = "act"
    limit: int = 64 * 1024
    page: bool = False
    """A page for people: who has no session is led to the entrance instead of being told 401."""
    raw: bool = False
    quiet: bool = False
    """Not in the audit: it changes nothing a person would ask about."""
    watched: bool = False
    """In the audit although it changes nothing: who looked at it may be asked."""


def address_of(request: Request) -> str:
    return request.client.host if request.client else "unknown"


async def read_body(request: Request, limit: int) -> bytes:
    """The body, as far as the limit.

    :raises Refusal: 413 as soon as it is over.
    """
    length = request.headers.get("content-length")
    if length is not None and (not length.isdecimal() or int(length) > limit):
        raise Refusal(413, "too_large", "body_limit", limit=limit)
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > limit:
            raise Refusal(413, "too_large", "body_limit", limit=limit)
        parts.append(part)
    return b"".join(parts)


def _json(body: bytes) -> Any:
    try:
        found = _decode(body.decode("utf-8")) if body else {}
    except (ValueError, RecursionError):
        raise Refusal(400, "unreadable", "no_json") from None
    if not isinstance(found, dict):
        raise Refusal(400, "unreadable", "no_object")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(name)


_decode = json.JSONDecoder(parse_constant=_no_constant).decode


def _meant(request: Request, person: Person) -> bool:
    """Whether the page of this very session asked for it: its word came back, and no other site's page sent it."""
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        return False
    return secrets.compare_digest(request.headers.get("x-guandan-csrf", "").encode(), person.csrf.encode())


class Guard:
    """Stands before one door. An ASGI app, so that streams pass through it untouched."""

    def __init__(self, door: Door, venue: Venue) -> None:
        self.door, self.venue = door, venue

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await self._answer(request)
        except ClientDisconnect:
            return
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        door, venue, person = self.door, self.venue, None
        address, lang = address_of(request), language(request)
        try:
            if door.rate == "enter" and venue.limits.wait("enter_all", ""):
                raise Refusal(429, "slow_down", "many_tries")
            if wait := venue.limits.wait(door.rate, address):
                response = _refused(Refusal(429, "slow_down", "many_requests", seconds=int(wait) + 1), lang)
                response.headers["retry-after"] = str(int(wait) + 1)
                return response
            if door.roles != DEVICE and (word := request.cookies.get(COOKIE)):
                person = await venue.read(lambda connection: people.by_session(connection, word, venue.now()))
            if isinstance(door.roles, frozenset) and (person is None or person.role not in door.roles):
                if door.page and person is None:
                    return RedirectResponse("/enter", 303)
                raise Refusal(401 if person is None else 403, "forbidden", "not_open")
            changes = request.method not in ("GET", "HEAD")
            if changes and person is not None and door.roles not in (OPEN, DEVICE) and not _meant(request, person):
                raise Refusal(403, "csrf", "old_page")
            content = await read_body(request, door.limit) if changes else b""
            visit = Visit(request, venue, person, content if door.raw else _json(content) if changes else {})
            response = await door.handler(visit)
        except Refusal as refusal:
            response = _refused(refusal, lang)
        except SyncError as error:
            response = JSONResponse(error.to_json(), error.status)
        except GuandanError as error:
            status = 409 if isinstance(error, Impossible) else 400
            response = _answer(status, "refused", error.in_language(lang))
        except ClientDisconnect:
            raise
        except Exception as error:
            if (cause := venue.complain(error, f"{request.method} {door.path} failed")) is not None:
                response = _answer(503, "unavailable", Sentence("nothing_changed", why=cause).in_language(lang))
            else:
                response = _refused(Refusal(503, "unavailable", "did_not_work"), lang)
        await self._audit(request, person, address, response.status_code)
        return response

    async def _audit(self, request: Request, person: Person | None, address: str, status: int) -> None:
        """Everything that changes is written down, and every door that stayed shut (a flood of those is not)."""
        door = self.door
        shut = status in (401, 403) and not self.venue.limits.wait("refused", address)
        reads = request.method in ("GET", "HEAD") and not door.watched
        if not shut and (door.quiet or reads or status in (401, 403, 429)):
            return
        detail = " ".join(f"{name}={value}" for name, value in request.path_params.items())
        now, action = self.venue.now(), f"{request.method} {door.path}"
        try:
            await self.venue.write(
                lambda connection: people.record(connection, person, address, action, status, detail, now)
            )
        except Exception as error:
            self.venue.complain(error, "the audit could not be written")


def language(request: Request) -> str:
    """What this visitor reads: the choice made on a page, else the browser's wish, else Chinese. A page that asks says
    its own language: another one of the same browser may have been put into the other meanwhile.
    """
    chosen = request.query_params.get("lang") or request.headers.get(PAGE_LANGUAGE) or request.cookies.get("lang")
    if chosen in LANGUAGES:
        return str(chosen)
    wish = request.headers.get("accept-language", "").lower()
    return "en" if wish.startswith("en") and "zh" not in wish else "zh"


def _refused(refusal: Refusal, lang: str) -> Response:
    return _answer(refusal.status, refusal.code, refusal.sentence.in_language(lang))


def _answer(status: int, code: str, detail: str) -> Response:
    return JSONResponse({"error": {"code": code, "detail": detail}}, status)


class SecurityHeaders:
    """Puts :data:`HEADERS` on every answer, and ``no-store`` where nothing else is said."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message["headers"])
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message = {**message, "headers": headers + list(HEADERS)}
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)
