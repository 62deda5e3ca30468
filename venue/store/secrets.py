"""What opens doors: made here, kept only as a hash."""

from __future__ import annotations

import hashlib
import secrets


def token() -> str:
    """256 random bits as text: a device's or a session's word."""
    return secrets.token_urlsafe(32)


def digits(count: int = 8) -> str:
    """A code that a person types: *count* random digits."""
    return f"{secrets.randbelow(10**count):0{count}d}"


def letters(count: int = 6) -> str:
    """A code that a person reads off a screen, without letters that look alike."""
    return "".join(secrets.choice("ABCDEFGHJKMNPQRSTUVWXYZ23456789") for _ in range(count))


def hashed(word: str) -> str:
    """What the database keeps of *word*: a plain hash does for 256 random bits, and codes live minutes."""
    return hashlib.sha256(word.encode()).hexdigest()
