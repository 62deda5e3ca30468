"""Numbered steps from an empty database to today's. A step that has shipped is never edited: the next changes it."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, text

from venue.sentences import Impossible

STEPS: Final[tuple[tuple[str, ...], ...]] = (
    (  # 1: the log, devices and their tables, people
        "CREATE TABLE counters (name TEXT PRIMARY KEY, value BIGINT NOT NULL)",
        "INSERT INTO counters (name, value) VALUES ('position', 0), ('venue_seq', 0), ('audit', 0)",
        """CREATE TABLE log (position BIGINT PRIMARY KEY, device TEXT NOT NULL, epoch TEXT NOT NULL,
           seq BIGINT NOT NULL, kind TEXT NOT NULL, place TEXT, match TEXT, line BIGINT,
           event TEXT NOT NULL, fingerprint TEXT NOT NULL, wall DOUBLE PRECISION,
           received DOUBLE PRECISION NOT NULL, late INTEGER NOT NULL, person TEXT,
           UNIQUE (device, epoch, seq))""",
        "CREATE INDEX log_match ON log (match, line)",
        "CREATE INDEX log_place ON log (place, position)",
        "CREATE TABLE places (name TEXT PRIMARY KEY, zone TEXT NOT NULL, device TEXT)",
        """CREATE TABLE devices (id TEXT PRIMARY KEY, name TEXT NOT NULL, place TEXT, token TEXT NOT NULL UNIQUE,
           paired DOUBLE PRECISION NOT NULL, revoked DOUBLE PRECISION, replaced DOUBLE PRECISION, seen DOUBLE PRECISION,
           status TEXT NOT NULL)""",
        """CREATE TABLE pairing_codes (code TEXT PRIMARY KEY, place TEXT NOT NULL, expires DOUBLE PRECISION NOT NULL,
           used DOUBLE PRECISION, person TEXT)""",
        """CREATE TABLE directives (id BIGINT PRIMARY KEY, place TEXT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL,
           state TEXT NOT NULL, why TEXT, made DOUBLE PRECISION NOT NULL, changed DOUBLE PRECISION NOT NULL)""",
        "CREATE INDEX directives_open ON directives (place, state)",
        """CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, zones TEXT NOT NULL,
           made DOUBLE PRECISION NOT NULL, revoked DOUBLE PRECISION)""",
        """CREATE TABLE invitations (code TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, zones TEXT NOT NULL,
           expires DOUBLE PRECISION NOT NULL, many INTEGER NOT NULL, used DOUBLE PRECISION, person TEXT)""",
        """CREATE TABLE sessions (token TEXT PRIMARY KEY, person TEXT NOT NULL, csrf TEXT NOT NULL,
           made DOUBLE PRECISION NOT NULL, expires DOUBLE PRECISION NOT NULL, revoked DOUBLE PRECISION)""",
        """CREATE TABLE audit (id BIGINT PRIMARY KEY, at DOUBLE PRECISION NOT NULL, person TEXT, role TEXT,
           address TEXT, action TEXT NOT NULL, outcome INTEGER NOT NULL, detail TEXT NOT NULL)""",
    ),
    (  # 2: pictures of alerts
        """CREATE TABLE pictures (sha256 TEXT PRIMARY KEY, device TEXT NOT NULL, place TEXT, match TEXT,
           alert TEXT NOT NULL, type TEXT NOT NULL, size BIGINT NOT NULL, have BIGINT NOT NULL,
           made DOUBLE PRECISION NOT NULL, done DOUBLE PRECISION, gone DOUBLE PRECISION)""",
    ),
    (  # 3: addresses outside that hear of calls and alerts
        """CREATE TABLE hooks (id TEXT PRIMARY KEY, url TEXT NOT NULL, secret TEXT NOT NULL, lan INTEGER NOT NULL,
           made DOUBLE PRECISION NOT NULL, failures INTEGER NOT NULL, next_try DOUBLE PRECISION NOT NULL,
           busy_until DOUBLE PRECISION NOT NULL, last_ok DOUBLE PRECISION, last_error TEXT)""",
        "CREATE TABLE hook_told (hook TEXT, case_id TEXT, mark TEXT NOT NULL, PRIMARY KEY (hook, case_id))",
    ),
    (  # 4: referees' phones that hear of calls through their makers' push services
        """CREATE TABLE push (id INTEGER PRIMARY KEY, private TEXT NOT NULL, contact TEXT NOT NULL,
           lan INTEGER NOT NULL, since DOUBLE PRECISION)""",
        """CREATE TABLE phones (id TEXT PRIMARY KEY, endpoint TEXT NOT NULL UNIQUE, public TEXT NOT NULL,
           auth TEXT NOT NULL, lang TEXT NOT NULL, session TEXT NOT NULL, made DOUBLE PRECISION NOT NULL,
           failures INTEGER NOT NULL, next_try DOUBLE PRECISION NOT NULL, busy_until DOUBLE PRECISION NOT NULL,
           last_ok DOUBLE PRECISION, last_error TEXT)""",
        "CREATE TABLE phone_told (phone TEXT, case_id TEXT, mark TEXT NOT NULL, PRIMARY KEY (phone, case_id))",
    ),
)


def migrate(connection: Connection) -> int:
    """Bring the database to the newest step, in the caller's transaction; gives how many steps it took.

    :raises Impossible: when a newer program has been here.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(7412601)"))  # two workers start at once
    connection.execute(text("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY)"))
    done = connection.execute(text("SELECT COALESCE(MAX(number), 0) FROM migrations")).scalar_one()
    if done > len(STEPS):
        raise Impossible("newer_database", done=done, known=len(STEPS))
    for number, statements in enumerate(STEPS[done:], done + 1):
        for statement in statements:
            connection.execute(text(statement))
        connection.execute(text("INSERT INTO migrations (number) VALUES (:number)"), {"number": number})
    return len(STEPS) - done
