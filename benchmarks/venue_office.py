"""The storm's organiser: what the desk's page asks of the venue, by somebody who tries again when the line breaks."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from typing import Any, Final

PATIENCE: Final = 600.0
"""Seconds for which a request is tried again while the venue is down."""


class Office:
    """The organiser's requests, at *port* of this machine, by whoever has *cookie*."""

    def __init__(self, port: int, cookie: str) -> None:
        self.root, self.cookie, self.csrf = f"http://127.0.0.1:{port}", cookie, ""
        page = self._ask("GET", "/board", None).decode()
        self.csrf = page.split('name="csrf" content="', 1)[1].split('"', 1)[0]

    def _ask(self, method: str, path: str, body: bytes | None) -> bytes:
        headers = {"cookie": self.cookie, "x-guandan-csrf": self.csrf}
        request = urllib.request.Request(self.root + path, body, headers, method=method)
        until = time.monotonic() + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return bytes(answer.read())
            except urllib.error.HTTPError as error:
                if error.code < 500 or time.monotonic() > until:
                    raise Refused(path, error.code, error.read()[:300]) from None
            except (OSError, http.client.HTTPException):
                if time.monotonic() > until:
                    raise
            time.sleep(0.5)

    def post(self, path: str, body: Any) -> Any:
        """The answer to *body*; asked again when the line breaks, so it may be done twice.

        :raises Refused: when the venue will not.
        """
        content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        return json.loads(self._ask("POST", path, content))

    def get(self, path: str) -> Any:
        return json.loads(self._ask("GET", path, None))

    def open_event(self, pairs: int, rounds: int, options: dict[str, Any]) -> str:
        """A Swiss event of *rounds* rounds with *pairs* pairs; its address."""
        made = self.post(
            "/v1/competitions",
            {"title": "Storm", "format": "swiss", "options": {"rounds": rounds, "ruleset_options": options}},
        )
        path = f"/v1/competitions/{made['id']}"
        self.post(f"{path}/entries", "\n".join(f"P{n}a,P{n}b,C{n % 9}" for n in range(pairs)))
        return path

    def draw_and_seat(self, path: str, number: int) -> None:
        """Round *number* is drawn, once however often the line breaks, and its seats are sent to the tables."""
        while len(self.get(path)["rounds"]) < number:
            try:
                self.post(f"{path}/draw", {"seed": f"storm {number}"})
            except Refused:
                if len(self.get(path)["rounds"]) < number:
                    raise
        self.post(f"{path}/seat", {})

    def wait_for_results(self, path: str, number: int) -> None:
        """Until every game of round *number* has a result."""
        until = time.monotonic() + PATIENCE
        while not self.get(path)["rounds"][number - 1]["done"]:
            if time.monotonic() > until:
                raise RuntimeError(f"round {number} has games without a result")
            time.sleep(0.5)

    def pair(self, place: str) -> dict[str, Any]:
        """A machine for the table *place*: what the venue tells whoever spends a new code."""
        while True:
            code = self.post(f"/v1/places/{place}/code", {})["code"]
            try:
                return dict(self.post("/v1/pair", {"code": code, "name": "spare"}))
            except Refused:  # spent, and the answer got lost: that machine never says a word
                continue


class Refused(Exception):
    """The venue said no."""
