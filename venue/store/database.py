"""Opening the database: SQLite with one writer that the disk has heard before anybody is told, or PostgreSQL by URL."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import SQLAlchemyError

from venue.sentences import Impossible, Sentence, Unreadable
from venue.store import migrations, schema
from venue.store.trouble import cause_of

_TURN: Final = sa.text("SELECT pg_advisory_xact_lock(7412602)")
_ALONE: Final = sa.text("SELECT pg_try_advisory_lock(7412603)")


class Database:
    """One venue's database. What a ``writing()`` block did is on disk when it ends; ``reading()`` sees one moment."""

    def __init__(self, address: str) -> None:
        """*address* is a file's path, or ``postgresql://user:word@host/name``.

        :raises Unreadable: when the address is of neither kind.
        :raises Impossible: when it cannot be opened.
        """
        self._turn = threading.Lock()  # one writer a process: SQLite has one anyway, and waiting here is cheap and fair
        if "://" not in address:
            self.kind = "sqlite"
            path = Path(address)
            if not path.parent.is_dir():
                raise Unreadable("no_database_folder", folder=path.parent)
            _for_us_alone(path)
            url = sa.URL.create("sqlite+pysqlite", database=str(path))
            self._writer = _sqlite(url, "BEGIN IMMEDIATE", 1)
            self._reader = _sqlite(url, "BEGIN", 8)
        elif address.startswith(("postgresql://", "postgres://", "postgresql+psycopg://")):
            self.kind = "postgresql"
            url = sa.make_url("postgresql+psycopg://" + address.split("://", 1)[1])
            self._writer = sa.create_engine(url, pool_size=8, max_overflow=8, pool_pre_ping=True)
            self._reader = self._writer
        else:
            raise Unreadable("database_address")
        try:
            with self.writing() as connection:
                migrations.migrate(connection)
        except (SQLAlchemyError, ImportError) as error:
            told = cause_of(error, address.rpartition("@")[2]) or str(getattr(error, "orig", None) or error)
            raise Impossible("database_shut", why=told if isinstance(told, Sentence) else told.split("\n")[0]) from None

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that may write; committed when the block ends, undone when it raises."""
        with self._turn, self._writer.begin() as connection:
            if self.kind == "postgresql":  # writers of all workers take turns: nobody waits for two things crosswise
                connection.execute(_TURN)
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one moment of the database."""
        with self._reader.begin() as connection:
            yield connection

    @property
    def title(self) -> str:
        """How a sentence calls it: the file, or the server's database; without any word that opens it."""
        url = self._writer.url
        return str(url.database) if self.kind == "sqlite" else f"{url.host or ''}/{url.database}"

    @property
    def listening_address(self) -> str | None:
        """Where a worker hears that another one wrote; None where there is only one."""
        if self.kind != "postgresql":
            return None
        return self._writer.url.set(drivername="postgresql").render_as_string(hide_password=False)

    def beside(self, name: str) -> Path:
        """A folder for what belongs to this database and is too large for it; not made yet."""
        url = self._writer.url
        if self.kind == "sqlite":
            path = Path(str(url.database))
            return path.with_name(f"{path.stem}-{name}")
        root = os.environ.get("XDG_STATE_HOME")
        base = Path(root) if root and Path(root).is_absolute() else Path.home() / ".local" / "state"
        return base / "guandan" / f"{url.host}-{url.port or 5432}-{url.database}-{name}"

    @contextmanager
    def alone(self) -> Iterator[None]:
        """For one venue, with all its workers: as long as the block lasts, and no longer than this process, no other
        venue gets in. SQLite: a lock on the file beside the database; PostgreSQL: its advisory lock.

        :raises Impossible: when another venue works on it.
        """
        if self.kind == "sqlite":
            path = Path(str(self._writer.url.database)).resolve()
            with path.with_name(f"{path.name}.lock").open("a") as held:
                try:
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise Impossible("database_taken", file=path) from None
                yield
            return
        engine = sa.create_engine(self._writer.url, poolclass=sa.NullPool, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            if not connection.execute(_ALONE).scalar():
                raise Impossible("database_taken", file=self.title)
            yield

    def close(self) -> None:
        self._writer.dispose()
        self._reader.dispose()

    def backup(self, path: Path) -> None:
        """Copy a running SQLite database to *path*; PostgreSQL has ``pg_dump``."""
        if self.kind != "sqlite":
            raise Impossible("use_pg_dump")
        _for_us_alone(path)
        source, target = self._reader.raw_connection(), sqlite3.connect(path)
        try:
            driver: Any = source.driver_connection
            driver.backup(target)
        finally:
            target.close()
            source.close()


def _for_us_alone(path: Path) -> None:
    """A file that is made here holds what signs in this venue's name: no other user of the machine reads it. SQLite
    gives the files beside it the same rights.
    """
    with contextlib.suppress(OSError):  # whoever opens it says why it cannot be
        path.touch(mode=0o600)


def _sqlite(url: sa.URL, begin: str, connections: int) -> Engine:
    engine = sa.create_engine(
        url,
        poolclass=sa.QueuePool,
        pool_size=connections,
        max_overflow=0,
        connect_args={"timeout": 10, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver must not begin transactions of its own: they begin unlocked
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "wal_autocheckpoint=1000"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def driver_text(connection: Connection, text: str) -> str:
    """*text*, with a question mark for each value, as this database's driver takes it."""
    return text if connection.dialect.name == "sqlite" else text.replace("?", "%s")


def take_numbers(connection: Connection, name: str, count: int) -> int:
    """The first of *count* new numbers of the counter *name*. Its row stays locked until the commit: whoever appends
    waits here, and so log positions have no holes and never become visible out of order.
    """
    last = connection.execute(_TAKE, {"counter": name, "count": count}).scalar_one()
    return int(last) - count + 1


_TAKE: Final = (
    sa.update(schema.counters)
    .where(schema.counters.c.name == sa.bindparam("counter"))
    .values(value=schema.counters.c.value + sa.bindparam("count", type_=sa.BigInteger))
    .returning(schema.counters.c.value)
)
