"""The demo's venue: a hall of a few tables, people's links ready, in a process that ends with the demo's.

    python -m venue.demo --database FILE [--host ADDRESS] [--port N] [--tables N] [--lang zh|en]

Prints one JSON line (addresses, pairing codes, the words of the links), then serves until its standard input ends.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import sys
import threading
import time

from sqlalchemy.exc import SQLAlchemyError

from engine.errors import GuandanError
from venue.addresses import addresses
from venue.serve import listen, serve
from venue.store import Database, devices, people
from venue.store.trouble import cause_of
from venue.web.pages import words

LINKS = (("board", "spectator", True), ("console", "chief", False), ("desk", "desk", False))
"""Which page, whose it is, whether its link opens more than once."""
WORDS = {
    "zh": {"console": "演示裁判长", "desk": "演示组织者"},
    "en": {"console": "Demo referee", "desk": "Demo organiser"},
}
LIVES = 18 * 3600.0


def prepare(database: Database, tables: int, lang: str) -> tuple[list[str], dict[str, str]]:
    """Tables with a pairing code each, and the words of the links."""
    now, named = time.time(), words(lang)["demo"]
    with database.writing() as connection:
        codes = []
        for number in range(1, tables + 1):
            devices.add_place(connection, str(number), "A", now, None)
            codes.append(devices.new_code(connection, str(number), now, None)[0])
        links = {
            page: people.invite(connection, role, named.get(page, ""), [], now, lives=LIVES, many=many)
            for page, role, many in LINKS
        }
    return codes, links


def open_port(host: str, port: int) -> socket.socket:
    """A listening socket, on another port where that one is taken: a demo is no reason to stop what is there."""
    try:
        return listen(host, port)
    except OSError:
        return listen(host, 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", required=True)
    parser.add_argument("--host", default="0.0.0.0")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--lang", choices=("zh", "en"), default="zh")
    args = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the demo's; we end when it does
    with contextlib.suppress(OSError):
        os.nice(5)  # the table comes first
    try:
        listening = open_port(args.host, args.port)
        database = Database(args.database)
        codes, links = prepare(database, args.tables, args.lang)
    except (GuandanError, OSError, SQLAlchemyError) as error:  # the demo goes on without us, and says so
        why = error if isinstance(error, GuandanError) else cause_of(error, args.database)
        print(why.in_language(args.lang) if why is not None else error, file=sys.stderr)
        raise SystemExit(2) from None
    port = listening.getsockname()[1]
    told = {"urls": [f"http://{name}:{port}" for name in addresses(args.host)], "codes": codes, "links": links}
    print(json.dumps(told), flush=True)
    threading.Thread(target=_end_with_the_demo, daemon=True).start()
    serve(database, listening, lang=args.lang)


def _end_with_the_demo() -> None:
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
