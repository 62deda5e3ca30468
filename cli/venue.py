"""``guandan venue``: the scoreboard server, the referees' console, the tournament desk."""

from __future__ import annotations

import argparse
import errno
import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cli.main import Refused
from cli.words import help_of, language, say

if TYPE_CHECKING:
    from venue.serve import Identity
    from venue.store import Database


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="0.0.0.0", metavar="ADDRESS", help=help_of("venue_host"))
    parser.add_argument("--port", type=int, default=8080, metavar="N", help=help_of("venue_port"))
    parser.add_argument("--database", metavar="FILE|URL", help=help_of("venue_database"))
    parser.add_argument("--chief-link", action="store_true", help=help_of("venue_chief_link"))
    parser.add_argument("--workers", type=int, default=1, metavar="N", help=help_of("venue_workers"))
    parser.add_argument("--tls", action="store_true", help=help_of("venue_tls"))
    parser.add_argument("--certificate", metavar="FILE", help=help_of("venue_certificate"))
    parser.add_argument("--key", metavar="FILE", help=help_of("venue_key"))
    parser.add_argument("--plain-port", type=int, metavar="N", help=help_of("venue_plain_port"))
    parser.add_argument("--unannounced", action="store_true", help=help_of("venue_unannounced"))
    parser.add_argument("--backup", metavar="FILE", help=help_of("venue_backup"))


def run(args: argparse.Namespace) -> int:
    if not 0 <= args.port < 65536:
        raise Refused(say("venue_port_range"))
    if args.workers < 1 or (args.workers > 1 and "://" not in (args.database or "")):
        raise Refused(say("venue_workers_need"))
    if (args.certificate is None) != (args.key is None) or (args.tls and args.certificate):
        raise Refused(say("venue_certificate_needs"))
    for given in (args.certificate, args.key):
        if given is not None:
            Path(given).open("rb").close()
    if args.database and "://" not in args.database and not Path(args.database).parent.is_dir():
        raise Refused(say("venue_no_folder", folder=Path(args.database).parent))
    try:
        import venue.serve  # noqa: F401  what is missing is told before anything is opened
        from venue.store import Database
    except ModuleNotFoundError as error:
        raise Refused(say("venue_libraries", name=error.name)) from None
    database = Database(args.database or _default_database())
    try:
        if args.backup:
            database.backup(Path(args.backup))
            print(say("venue_backup_done", file=args.backup))
            return 0
        with database.alone():
            return _open(args, database)
    finally:
        database.close()


def _open(args: argparse.Namespace, database: Database) -> int:
    """Listen, say where, and serve until told to stop."""
    from venue.addresses import addresses
    from venue.announce import announceable, announced, machine_name
    from venue.serve import chief_link, listen, serve, serve_many
    from venue.web.codes import terminal

    try:
        listening = listen(args.host, args.port)
    except OSError as error:
        raise Refused(_no_port(error, args.host, args.port)) from None
    port = listening.getsockname()[1]
    names = addresses(args.host)
    identity = _identity(args, names, port)
    roots = [f"{'https' if identity else 'http'}://{name}:{port}" for name in names]
    for root in roots:
        print(say("venue_open", address=root))
    if code := chief_link(database, anew=args.chief_link):
        print(say("venue_first_link", link=f"{roots[0]}/enter#{code}"))
        if sys.stdout.isatty():
            print(terminal(f"{roots[0]}/enter#{code}"))
    near = [] if args.unannounced else announceable(names)
    with announced(machine_name(), near, port, identity is not None, lang=language()) as told:
        if told:
            print(say("venue_announced", name=machine_name()))
        print(say("venue_stop"), flush=True)
        if args.workers > 1:
            database.close()  # each worker opens its own
            serve_many(args.database, listening, args.workers, identity, language())
        else:
            serve(database, listening, identity, language())
    return 0


def _no_port(error: OSError, host: str, port: int, option: str = "--port") -> str:
    """Why nothing can listen there, and what to do."""
    if error.errno == errno.EADDRINUSE:
        return say("venue_port_in_use", port=port, option=option, other=port + 10 if port < 65000 else 8080)
    if error.errno == errno.EADDRNOTAVAIL:
        return say("venue_not_our_address", host=host)
    if error.errno in (errno.EACCES, errno.EPERM):
        return say("venue_port_forbidden", port=port, option=option)
    return say("venue_port_taken", host=host, port=port, why=error.strerror)


def _identity(args: argparse.Namespace, names: list[str], port: int) -> Identity | None:
    """The certificate to serve with: a given one, or one of our own authority, whose plain door is opened then."""
    from venue.serve import Identity

    if args.certificate:
        return Identity(Path(args.certificate), Path(args.key))
    if not args.tls:
        return None
    from venue.authority import Authority
    from venue.plain import PlainDoor

    authority = Authority(_state() / "authority")
    certificate, key = authority.issue([*names, socket.gethostname(), "localhost"])
    plain = args.plain_port if args.plain_port is not None else port + 1
    try:
        door = PlainDoor((args.host, plain), authority.certificate, port)
    except OSError as error:
        raise Refused(_no_port(error, args.host, plain, "--plain-port")) from None
    door.start()
    print(say("venue_authority", address=f"http://{names[0]}:{door.server_port}", mark=authority.fingerprint))
    return Identity(certificate, key)


def _state() -> Path:
    root = os.environ.get("XDG_STATE_HOME")
    base = Path(root) if root and Path(root).is_absolute() else Path.home() / ".local" / "state"
    folder = base / "guandan"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _default_database() -> str:
    return str(_state() / "venue.db")
