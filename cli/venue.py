"""``guandan venue``: the scoreboard server, the referees' console, the tournament desk."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from cli.main import Refused
from cli.words import help_of, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="0.0.0.0", metavar="ADDRESS", help=help_of("venue_host"))
    parser.add_argument("--port", type=int, default=8080, metavar="N", help=help_of("venue_port"))
    parser.add_argument("--database", metavar="FILE|URL", help=help_of("venue_database"))
    parser.add_argument("--chief-link", action="store_true", help=help_of("venue_chief_link"))
    parser.add_argument("--workers", type=int, default=1, metavar="N", help=help_of("venue_workers"))
    parser.add_argument("--backup", metavar="FILE", help=help_of("venue_backup"))


def run(args: argparse.Namespace) -> int:
    if not 0 <= args.port < 65536:
        raise Refused(say("venue_port_range"))
    if args.workers < 1 or (args.workers > 1 and "://" not in (args.database or "")):
        raise Refused(say("venue_workers_need"))
    try:
        from venue.serve import addresses, chief_link, listen, serve, serve_many
        from venue.store import Database
        from venue.web.codes import terminal
    except ModuleNotFoundError as error:
        raise Refused(say("venue_libraries", name=error.name)) from None
    database = Database(args.database or _default_database())
    try:
        if args.backup:
            database.backup(Path(args.backup))
            print(say("venue_backup_done", file=args.backup))
            return 0
        try:
            listening = listen(args.host, args.port)
        except OSError as error:
            raise Refused(say("venue_port_taken", host=args.host, port=args.port, why=error.strerror)) from None
        port = listening.getsockname()[1]
        roots = [f"http://{name}:{port}" for name in addresses(args.host)]
        for root in roots:
            print(say("venue_open", address=root))
        if code := chief_link(database, anew=args.chief_link):
            print(say("venue_first_link", link=f"{roots[0]}/enter#{code}"))
            if sys.stdout.isatty():
                print(terminal(f"{roots[0]}/enter#{code}"))
        print(say("venue_stop"), flush=True)
        if args.workers > 1:
            database.close()  # each worker opens its own
            serve_many(args.database, listening, args.workers)
        else:
            serve(database, listening)
        return 0
    finally:
        database.close()


def _default_database() -> str:
    root = os.environ.get("XDG_STATE_HOME")
    base = Path(root) if root and Path(root).is_absolute() else Path.home() / ".local" / "state"
    folder = base / "guandan"
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder / "venue.db")
