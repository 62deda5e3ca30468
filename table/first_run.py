"""The first start of a table: a page for the installer's phone, found by a code on the screen.

One image serves all tables: what differs (how the screen hangs, who may change settings, which hall, which table) is
told here once. The page is guarded by a key that stands only in the code on the glass, answers for as long as that is
shown, and is never served again.
"""

from __future__ import annotations

import html
import secrets
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs

from engine.errors import GuandanError
from table.refusals import Unreadable
from table.settings import LANGUAGES, TURNS, Settings, hashed
from table.words import Words

PORT: Final = 8600
LONGEST: Final = 4096
"""Bytes of a form."""
FIELDS: Final = ("language", "rotation", "touch_rotation", "guard", "venue", "code")


@dataclass(frozen=True)
class Answers:
    """What the installer says; *guard* is the hash of the settings' code, *venue* and *code* the hall's, empty
    without."""

    settings: Settings
    guard: str
    venue: str = ""
    code: str = ""


def read(form: Mapping[str, str], venues: Sequence[str] = ()) -> Answers:
    """The answers of a filled form; a code without an address is for the one venue that was found in the network.

    :raises Unreadable: in one sentence, for the first that cannot be.
    """
    try:
        rotation, touch = int(form.get("rotation", "0")), int(form.get("touch_rotation", "0"))
    except ValueError:
        raise Unreadable("turns") from None
    settings = Settings(language=form.get("language", "zh"), rotation=rotation, touch_rotation=touch)
    venue, code = form.get("venue", "").strip(), form.get("code", "").strip()
    if code and not venue and len(venues) == 1:
        venue = venues[0]
    if bool(venue) != bool(code):
        raise Unreadable("venue_and_code")
    if venue and not venue.startswith(("http://", "https://")):
        venue = f"http://{venue}"
    return Answers(settings, hashed(form.get("guard", "").strip()), venue, code)


def address() -> str | None:
    """This machine's address in the hall's network; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: the kernel only says which way it would go
            return str(probe.getsockname()[0])
        except OSError:
            return None


class SetUp:
    """The page while it is served; *apply* carries the answers out and may refuse with a sentence of its own.

    *venues* looks for venues in the network, which takes seconds: what it finds is offered beside the address' field.
    """

    def __init__(
        self, apply: Callable[[Answers], None], language: str = "zh", port: int = PORT,
        venues: Callable[[], Sequence[str]] = tuple,
    ) -> None:  # fmt: skip
        self.key = secrets.token_urlsafe(9)
        self.venues: Sequence[str] = ()
        self.done = threading.Event()
        self._apply, self._words = apply, Words(language)
        try:
            self._server = ThreadingHTTPServer(("", port), _handler(self))
        except OSError:  # somebody else has the port: any other will do, it stands in the code
            self._server = ThreadingHTTPServer(("", 0), _handler(self))
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, name="first run", daemon=True)
        self._thread.start()
        threading.Thread(target=self._look, args=(venues,), name="venues", daemon=True).start()

    def _look(self, venues: Callable[[], Sequence[str]]) -> None:
        self.venues = tuple(venues())

    def url(self, host: str) -> str:
        return f"http://{host}:{self.port}/{self.key}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, body: bytes) -> tuple[HTTPStatus, str]:
        """What a filled form comes to: the page that follows."""
        given = {name: values[0] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}
        form: dict[str, str] = {name: given[name] for name in FIELDS if name in given}
        try:
            self._apply(read(form, self.venues))
        except (GuandanError, OSError) as refused:
            told = refused.in_language(self._words.language) if isinstance(refused, GuandanError) else str(refused)
            return HTTPStatus.BAD_REQUEST, self.page(form, told)
        self.done.set()
        return HTTPStatus.OK, _whole(f"<h1>✓</h1><p>{html.escape(self._words('setup.done'))}</p>")

    def page(self, form: Mapping[str, str], error: str = "") -> str:
        """The form, with what was filled in before and why it was refused."""
        words = self._words

        def choice(name: str, options: tuple[Any, ...]) -> str:
            chosen = form.get(name, str(options[0]))
            made = "".join(
                f'<option value="{each}"{" selected" if str(each) == chosen else ""}>{words(f"setup.{name}_{each}")}'
                for each in options
            )
            return f"<label>{words(f'setup.{name}')}<select name={name}>{made}</select></label>"

        def line(name: str, kind: str = "text") -> str:
            value = html.escape(form.get(name, ""), quote=True)
            more = " list=venues" if name == "venue" and found else ""
            field = f'<input name={name} type={kind} value="{value}" autocomplete=off{more}>'
            return f"<label>{words(f'setup.{name}')}{field}</label>"

        found = "".join(f'<option value="{html.escape(each, quote=True)}">' for each in self.venues)
        told = f"<p role=alert>{html.escape(error)}</p>" if error else ""
        return _whole(
            f"<h1>{words('setup.title')}</h1>{told}<form method=post>{choice('language', LANGUAGES)}"
            f"{choice('rotation', TURNS)}{choice('touch_rotation', TURNS)}{line('guard', 'tel')}{line('venue', 'url')}"
            f"<datalist id=venues>{found}</datalist>{line('code')}<button>{words('setup.save')}</button></form>"
        )


STYLE: Final = """
body { font: 18px system-ui; background: #0b0d10; color: #f1efe9; max-width: 26em; margin: 2em auto; padding: 0 1em }
label { display: block; margin: 1em 0; color: #98a1ab }
input, select, button { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .7em;
  margin-top: .3em; border: 1px solid #2a3038; border-radius: .5em; background: #15191e; color: #f1efe9 }
button { background: #2fc6b4; color: #0b0d10; border: 0; margin-top: 1.5em }
[role=alert] { color: #f2a63a }
"""


def _whole(body: str) -> str:
    head = "<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-width'><title>Guandan</title>"
    return f"{head}<style>{STYLE}</style>{body}"


def _handler(setup: SetUp) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_GET(self) -> None:
            self._say(HTTPStatus.OK, setup.page({})) if self._knows_the_key() else self._away()

        def do_POST(self) -> None:
            size = self.headers.get("Content-Length", "")
            if not self._knows_the_key():
                self._away()
            elif not size.isdecimal() or int(size) > LONGEST:
                self._say(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "")
            else:
                self._say(*setup.answer(self.rfile.read(int(size))))

        def _knows_the_key(self) -> bool:
            return not setup.done.is_set() and secrets.compare_digest(self.path.encode(), f"/{setup.key}".encode())

        def _away(self) -> None:
            self._say(HTTPStatus.NOT_FOUND, "")

        def _say(self, status: HTTPStatus, page: str) -> None:
            body = page.encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("Referrer-Policy", "no-referrer")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """The key is in the address: nothing of it goes into a log."""

    return Handler
