"""The app: doors with their guards, the files that pages load, and the venue behind them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from venue.sentences import Sentence
from venue.store import push
from venue.web.doors import DOORS
from venue.web.guard import Guard, SecurityHeaders, language
from venue.web.hooks import Addresses
from venue.web.house import Venue
from venue.web.pages import ASSETS
from venue.web.pictures import sweep
from venue.web.push import Phones
from venue.web.telling import Teller

SWEEP_EVERY = 300.0
SYNC = "/v1/sync"
FILES = ("web", "fonts")
"""Folders of ``assets`` that anybody may read: what pages load, and nothing of any event."""


class _App(Starlette):
    """The doors; the tables' one, which is knocked at a hundred times a second, stands before all the others."""

    straight: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == SYNC and scope["method"] == "POST":
            scope["app"] = self
            await self.straight(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def make_app(venue: Venue) -> Starlette:
    """The ASGI app of *venue*."""

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await venue.open()
        beside = [
            asyncio.create_task(each)
            for each in (_sweep(venue), Teller(venue, Addresses()).run(), Teller(venue, Phones()).run())
        ]
        yield
        for task in beside:
            task.cancel()
        await venue.close()

    routes: list[Route | Mount] = []
    for door in DOORS:
        route = Route(door.path, Guard(door, venue), methods=[door.method])
        route.methods = {door.method}  # no HEAD beside GET: what is not in the list is not a door
        routes.append(route)
    for folder in FILES:
        routes.append(Mount(f"/assets/{folder}", StaticFiles(directory=ASSETS / folder), name=folder))
    app = _App(
        routes=routes,
        middleware=[Middleware(SecurityHeaders)],
        lifespan=lifespan,
        exception_handlers={404: _nothing_here, 405: _nothing_here},
    )
    app.state.venue = venue
    app.straight = SecurityHeaders(next(Guard(door, venue) for door in DOORS if door.path == SYNC))
    return app


async def _sweep(venue: Venue) -> None:
    """Pictures and phones whose time is over are deleted, now and every few minutes."""
    while not venue.closing:
        try:
            await sweep(venue)
            now = venue.now()
            await venue.write(lambda connection: push.sweep(connection, now))  # noqa: B023  done before the next round
        except Exception as error:  # a disk that refuses today may not tomorrow
            venue.complain(error, "pictures could not be deleted")
        await asyncio.sleep(SWEEP_EVERY)


async def _nothing_here(request: Request, _error: Exception) -> Response:
    # a phone that was lured here by its maker's probe name gets a page it can show
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return RedirectResponse("/", 303)
    detail = Sentence("nothing_here").in_language(language(request))
    return JSONResponse({"error": {"code": "no_such_door", "detail": detail}}, 404)
