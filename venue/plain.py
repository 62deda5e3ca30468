"""The plain door beside an ``https`` venue: hands out its authority, tells how to install it, sends everybody on."""

from __future__ import annotations

import html
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from venue.authority import fingerprint
from venue.sentences import Sentence
from venue.web.pages import colours, words
from venue.web.probes import ANSWERS

AUTHORITY: Final = "/authority.crt"
_PAGE: Final = """<!doctype html><html lang="{tag}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>
<style>{theme}
body{{background:var(--ground);color:var(--text);font:18px/1.6 system-ui,sans-serif;max-width:34em;margin:6vh auto;
padding:0 20px}}
a{{display:block;text-align:center;background:var(--text);color:var(--ground);border-radius:14px;padding:16px;
margin:24px 0;text-decoration:none;font-weight:700}}
code{{overflow-wrap:anywhere;font-size:15px}} li{{margin:.5em 0}}</style></head>
<body><main><h1>{title}</h1><p>{why}</p><a href="/authority.crt">{load}</a><ol>{steps}</ol>
<p>{compare}<br><code>{mark}</code></p><a href="{onward}">{go}</a></main></body></html>"""


class PlainDoor(ThreadingHTTPServer):
    """Serves on *address* until the process ends; *secure* is the port of the venue itself."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], certificate: Path, secure: int) -> None:
        self.pem, self.secure = certificate.read_text("ascii"), secure
        super().__init__(address, _Answers)

    def start(self) -> None:
        threading.Thread(target=self.serve_forever, name="plain", daemon=True).start()


class _Answers(BaseHTTPRequestHandler):
    server: PlainDoor
    server_version, sys_version = "guandan", ""
    timeout = 10

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path in ANSWERS:
            status, kind, body = ANSWERS[path]
            self._answer(status, kind, body)
        elif path == AUTHORITY:
            self._answer(200, "application/x-x509-ca-cert", self.server.pem.encode())
        else:
            self._answer(200, "text/html; charset=utf-8", self._page().encode())

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What is no question for this door, in the reader's language instead of the library's English page."""
        told = Sentence("nothing_here_but_the_door").in_language(self._language())
        self.close_connection = True
        self._answer(code, "text/plain; charset=utf-8", told.encode())

    def _language(self) -> str:
        wish = getattr(self, "headers", {}).get("accept-language", "zh")  # a broken request has no headers
        return "zh" if "zh" in wish else "en"

    def _page(self) -> str:
        lang = self._language()
        say, host = words(lang)["authority"], urlsplit(f"//{self.headers.get('host', '')}").hostname or "localhost"
        mark = fingerprint(self.server.pem)
        steps = "".join(f"<li>{html.escape(say[name])}</li>" for name in ("iphone", "android", "computer"))
        return _PAGE.format(
            tag="zh-CN" if lang == "zh" else "en", title=html.escape(say["title"]), why=html.escape(say["why"]),
            load=html.escape(say["load"]), steps=steps, compare=html.escape(say["compare"]),
            mark=" ".join(mark[at : at + 4] for at in range(0, 64, 4)), go=html.escape(say["go"]),
            theme=colours(),
            onward=html.escape(f"https://{host}:{self.server.secure}/", quote=True),
        )  # fmt: skip

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("x-content-type-options", "nosniff")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody asked."""
