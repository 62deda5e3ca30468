"""How a venue tells of itself in its network (DNS-SD over mDNS): a convenience, and never proof of who it is.

An address may always be typed or scanned instead. A table that is paired goes on speaking to the address it was paired
with: whoever is first to answer a question in the network must not get its token.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from venue.protocol.messages import VERSION

SERVICE: Final = "_guandan._tcp.local."


def properties(secure: bool) -> dict[str, str]:
    """What stands beside address and port: the protocol's version, and whether it is ``https``."""
    return {"v": str(VERSION), "tls": "1" if secure else "0"}


def url_of(address: str, port: int, told: Mapping[bytes, bytes | None]) -> str | None:
    """The venue's address as a person would type it, None for one that speaks another version."""
    if told.get(b"v") != str(VERSION).encode():
        return None
    scheme = "https" if told.get(b"tls") == b"1" else "http"
    return f"{scheme}://{f'[{address}]' if ':' in address else address}:{port}"
