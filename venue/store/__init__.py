"""The venue's memory: one append-only log, and beside it what may change (devices, people, directives).

:class:`Database` opens it; the functions of the modules here take a connection, so that one transaction holds what
belongs together. SQLite by default, PostgreSQL by its URL; the same statements run on both.
"""

from venue.store.database import Database

__all__ = ["Database"]
