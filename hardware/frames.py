"""The line protocol of boxes and clocks: one line of text a message, with a checksum, both ways.

``P 17 17 N pass 0*5B\\n``: words, a star, and the exclusive-or of the bytes before the star in two hexadecimal digits.
A line that was cut or disturbed does not fit its checksum and was never sent; whoever sent it sends it again. The words
are in ``docs/wire.md``.
"""

from __future__ import annotations

from functools import reduce
from typing import Final

LONGEST: Final = 120
"""Bytes of a line: more is noise."""


def checksum(body: bytes) -> int:
    """The exclusive-or of all bytes of *body*."""
    return reduce(lambda total, byte: total ^ byte, body, 0)


def frame(words: str) -> bytes:
    """The line that says *words* (ASCII, no star)."""
    body = words.encode("ascii")
    return b"%s*%02X\n" % (body, checksum(body))


def parse(line: bytes) -> str | None:
    """The words of one line without its end; None for what no box has said."""
    body, star, digits = line.strip(b"\r\n \0").rpartition(b"*")
    if not star or len(body) > LONGEST:
        return None
    try:
        if len(digits) != 2 or int(digits, 16) != checksum(body):
            return None
        return body.decode("ascii")
    except ValueError:
        return None
