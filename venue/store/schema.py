"""The tables as SQLAlchemy names them. ``migrations`` makes them; a test holds that both say the same."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Double, Integer, MetaData, Table, Text

metadata: Final = MetaData()

counters: Final = Table(
    "counters", metadata,
    Column("name", Text, primary_key=True),
    Column("value", BigInteger, nullable=False),
)  # fmt: skip

log: Final = Table(
    "log", metadata,
    Column("position", BigInteger, primary_key=True, autoincrement=False),  # 1, 2, 3… without holes, in commit order
    Column("device", Text, nullable=False),  # "venue" for what the venue says itself
    Column("epoch", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),  # the event's `do`
    Column("place", Text),  # the table it happened at
    Column("match", Text),
    Column("line", BigInteger),
    Column("event", Text, nullable=False),  # JSON, as it came
    Column("fingerprint", Text, nullable=False),
    Column("wall", Double),  # the device's own clock; shown, never trusted
    Column("received", Double, nullable=False),
    Column("late", Integer, nullable=False),  # 1: came from a device that had been replaced
    Column("person", Text),  # who, for the venue's own
)  # fmt: skip

places: Final = Table(
    "places", metadata,
    Column("name", Text, primary_key=True),
    Column("zone", Text, nullable=False),
    Column("device", Text),  # who holds the table: its one voice
)  # fmt: skip

devices: Final = Table(
    "devices", metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("place", Text),
    Column("token", Text, nullable=False),  # its hash
    Column("paired", Double, nullable=False),
    Column("revoked", Double),
    Column("replaced", Double),
    Column("seen", Double),
    Column("status", Text, nullable=False),
)  # fmt: skip

pairing_codes: Final = Table(
    "pairing_codes", metadata,
    Column("code", Text, primary_key=True),  # its hash
    Column("place", Text, nullable=False),
    Column("expires", Double, nullable=False),
    Column("used", Double),
    Column("person", Text),
)  # fmt: skip

directives: Final = Table(
    "directives", metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),  # the log position of its making
    Column("place", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("data", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("why", Text),
    Column("made", Double, nullable=False),
    Column("changed", Double, nullable=False),
)  # fmt: skip

people: Final = Table(
    "people", metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("zones", Text, nullable=False),  # JSON list; empty: every zone
    Column("made", Double, nullable=False),
    Column("revoked", Double),
)  # fmt: skip

invitations: Final = Table(
    "invitations", metadata,
    Column("code", Text, primary_key=True),  # its hash
    Column("name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("zones", Text, nullable=False),
    Column("expires", Double, nullable=False),
    Column("many", Integer, nullable=False),  # 1: opens for everybody who has it (spectators)
    Column("used", Double),
    Column("person", Text),
)  # fmt: skip

sessions: Final = Table(
    "sessions", metadata,
    Column("token", Text, primary_key=True),  # its hash
    Column("person", Text, nullable=False),
    Column("csrf", Text, nullable=False),
    Column("made", Double, nullable=False),
    Column("expires", Double, nullable=False),
    Column("revoked", Double),
)  # fmt: skip

audit: Final = Table(
    "audit", metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    Column("person", Text),
    Column("role", Text),
    Column("address", Text),
    Column("action", Text, nullable=False),
    Column("outcome", Integer, nullable=False),
    Column("detail", Text, nullable=False),
)  # fmt: skip

pictures: Final = Table(
    "pictures", metadata,
    Column("sha256", Text, primary_key=True),
    Column("device", Text, nullable=False),  # who announced it, and alone may send it
    Column("place", Text),
    Column("match", Text),
    Column("alert", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("have", BigInteger, nullable=False),
    Column("made", Double, nullable=False),
    Column("done", Double),
    Column("gone", Double),
)  # fmt: skip

hooks: Final = Table(
    "hooks", metadata,
    Column("id", Text, primary_key=True),
    Column("url", Text, nullable=False),
    Column("secret", Text, nullable=False),  # it signs, so it cannot be a hash; whoever reads this file has everything
    Column("lan", Integer, nullable=False),  # 1: it may be in the organiser's own network
    Column("made", Double, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("next_try", Double, nullable=False),
    Column("busy_until", Double, nullable=False),  # a worker has it to itself until then
    Column("last_ok", Double),
    Column("last_error", Text),
)  # fmt: skip

hook_told: Final = Table(
    "hook_told", metadata,
    Column("hook", Text, primary_key=True),
    Column("case_id", Text, primary_key=True),
    Column("mark", Text, nullable=False),  # how the case stood when the address last heard of it
)  # fmt: skip

push: Final = Table(
    "push", metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # 1: there is one
    Column("private", Text, nullable=False),  # it signs, so it cannot be a hash either
    Column("contact", Text, nullable=False),  # the organiser's address, told to push services
    Column("lan", Integer, nullable=False),
    Column("since", Double),  # when it was turned on; NULL while it is off
)  # fmt: skip

phones: Final = Table(
    "phones", metadata,
    Column("id", Text, primary_key=True),
    Column("endpoint", Text, nullable=False),
    Column("public", Text, nullable=False),
    Column("auth", Text, nullable=False),
    Column("lang", Text, nullable=False),
    Column("session", Text, nullable=False),  # whose: it hears nothing once that session is over
    Column("made", Double, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("next_try", Double, nullable=False),
    Column("busy_until", Double, nullable=False),
    Column("last_ok", Double),
    Column("last_error", Text),
)  # fmt: skip

phone_told: Final = Table(
    "phone_told", metadata,
    Column("phone", Text, primary_key=True),
    Column("case_id", Text, primary_key=True),
    Column("mark", Text, nullable=False),
)  # fmt: skip
