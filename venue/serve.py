"""Running the venue on this machine: its socket, its addresses, the link of the first start, an orderly end."""

from __future__ import annotations

import gc
import logging
import multiprocessing.connection
import multiprocessing.process
import signal
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uvicorn

from venue.sentences import Impossible, Sentence
from venue.store import Database, people
from venue.web.app import make_app
from venue.web.house import Venue

LOG = logging.getLogger("guandan.venue")
BACKLOG: Final = 2048


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one.

    :raises OSError: when the address is taken or is none of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def chief_link(database: Database, *, anew: bool = False) -> str | None:
    """The code of a link that makes its opener chief referee: when there is none yet, or when asked for *anew*."""
    now = time.time()
    with database.writing() as connection:
        if people.anybody(connection, "chief") and not anew:
            return None
        return people.invite(connection, "chief", "", [], now, lives=people.FIRST_LIVES)


class _Server(uvicorn.Server):
    """Hangs up on everybody who waits, before it waits for them."""

    def __init__(self, config: uvicorn.Config, venue: Venue) -> None:
        super().__init__(config)
        self._venue = venue

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._venue.hang_up()
        await super().shutdown(sockets)


@dataclass(frozen=True)
class Identity:
    """Files of a certificate and its key, for ``https``."""

    certificate: Path
    key: Path


def serve_many(
    address: str, listening: socket.socket, workers: int, identity: Identity | None = None, lang: str = "en"
) -> None:
    """Serve from *workers* processes, each with a hall of its own, until told to stop; one that dies is replaced."""
    fork = multiprocessing.get_context("fork")
    stopped: list[int] = []
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda number, _frame: stopped.append(number))

    def begin() -> multiprocessing.process.BaseProcess:
        process = fork.Process(target=_work, args=(address, listening, identity, lang))
        process.start()
        return process

    running = [begin() for _ in range(workers)]
    while not stopped:
        multiprocessing.connection.wait([process.sentinel for process in running], timeout=0.5)
        for place, process in enumerate(running):
            if not process.is_alive() and not stopped:
                ended = Sentence("worker_ended", number=process.pid, status=process.exitcode)
                LOG.error("%s", ended.in_language(lang))
                time.sleep(1.0)
                running[place] = begin()
    for process in running:
        process.terminate()
    for process in running:
        process.join()


def _work(address: str, listening: socket.socket, identity: Identity | None, lang: str) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        database = Database(address)
    except Impossible as error:  # the database is away: whoever waits for workers tries again in a second
        LOG.error("%s", error.in_language(lang))
        sys.exit(1)
    serve(database, listening, identity, lang)


def serve(database: Database, listening: socket.socket, identity: Identity | None = None, lang: str = "en") -> None:
    """Serve until the process is told to stop; with *identity* over TLS. *lang* is the terminal's language."""
    sys.setswitchinterval(0.001)  # the loop must not wait long for the writer's thread after each word on a socket
    gc.freeze()  # what is loaded by now stays: no need to look through it for garbage again and again
    gc.set_threshold(20_000, 10, 10)  # a hall keeps most of what it makes
    venue = Venue(database)
    venue.lang = lang
    config = uvicorn.Config(
        make_app(venue), log_level="warning", access_log=False, ws="none", server_header=False,
        timeout_graceful_shutdown=3, timeout_keep_alive=30, h11_max_incomplete_event_size=32 * 1024,
        ssl_certfile=str(identity.certificate) if identity else None,
        ssl_keyfile=str(identity.key) if identity else None,
    )  # fmt: skip
    _Server(config, venue).run([listening])
