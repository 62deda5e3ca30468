"""The pages: one shell for all, its script builds the rest. Words come from the catalogues, never from the code."""

from __future__ import annotations

import html
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response

from venue.sentences import LANGUAGES
from venue.store.people import Person
from venue.web import guard
from venue.web.guard import Refusal, Visit

ASSETS: Final = Path(__file__).resolve().parent.parent.parent / "assets"
HOMES: Final = {"chief": "/duty", "referee": "/duty", "desk": "/desk", "announcer": "/board", "spectator": "/board"}

_SHELL: Final = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark">
<meta name="theme-color" content="#0d0f11">
<meta name="csrf" content="{csrf}">
<meta name="person" content="{person}">
<meta name="name" content="{name}">
<meta name="role" content="{role}">
<meta name="zones" content="{zones}">
<title>{title}</title>
<link rel="icon" href="/assets/web/icon.svg" type="image/svg+xml">
<link rel="manifest" href="/assets/web/manifest.json">
<link rel="stylesheet" href="/theme.css">
<link rel="stylesheet" href="/assets/web/house.css">
<link rel="stylesheet" href="/assets/web/{page}.css">
<script type="module" src="/assets/web/{page}.js"></script>
</head>
<body class="{page}">
<noscript>{noscript}</noscript>
</body>
</html>
"""


@cache
def words(lang: str) -> dict[str, Any]:
    """The catalogue of *lang*."""
    return tomllib.loads((ASSETS / "strings" / f"venue.{lang}.toml").read_text("utf-8"))


def language(visit: Visit) -> str:
    """What this visitor reads, as :func:`venue.web.guard.language` says."""
    return guard.language(visit.request)


def shell(page: str, lang: str, person: Person | None) -> str:
    """The page *page* before its script runs."""
    say = words(lang)["pages"]
    values = {
        "lang": "zh-CN" if lang == "zh" else "en", "page": page, "title": say[page], "noscript": say["noscript"],
        "csrf": person.csrf if person else "", "person": person.id if person else "",
        "name": person.name if person else "", "role": person.role if person else "",
        "zones": "\t".join(person.zones) if person else "",
    }  # fmt: skip
    return _SHELL.format(**{name: html.escape(value, quote=True) for name, value in values.items()})


async def page(visit: Visit) -> Response:
    """One of the pages, by the last word of its path."""
    name = visit.request.url.path.strip("/") or "enter"
    lang = language(visit)
    response = HTMLResponse(shell(name, lang, visit.person))
    if visit.request.query_params.get("lang") in LANGUAGES:
        response.set_cookie("lang", lang, max_age=365 * 86400, samesite="lax", path="/")
    return response


async def home(visit: Visit) -> Response:
    """Each role's own page; who has none, the entrance."""
    return RedirectResponse(HOMES[visit.person.role] if visit.person else "/enter", 303)


@cache
def colours() -> str:
    """The house's colours as CSS variables."""
    named = tomllib.loads((ASSETS / "theme.toml").read_text("utf-8"))["colour"]
    return ":root{" + "".join(f"--{name.replace('_', '-')}:{value};" for name, value in named.items()) + "}\n"


async def theme(visit: Visit) -> Response:
    """``GET /theme.css``: the house's colours, the same that the tables' screens have."""
    return Response(colours(), media_type="text/css", headers={"cache-control": "max-age=60"})


async def worker(visit: Visit) -> Response:
    """``GET /worker.js``: what wakes for a push. At the root, for a worker serves the pages below its own place."""
    return FileResponse(ASSETS / "web" / "worker.js", media_type="text/javascript")


async def catalogue(visit: Visit) -> Response:
    """``GET /v1/words/{lang}``: the pages' words."""
    lang = visit.request.path_params["lang"]
    if lang not in LANGUAGES:
        raise Refusal(404, "no_such_language", "zh_or_en")
    return JSONResponse(words(lang), headers={"cache-control": "max-age=60"})
