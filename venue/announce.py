"""The venue tells its network where it is, so that nobody has to type its address; without that it works as well."""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import secrets
import socket
from collections.abc import Iterator, Sequence
from typing import Final

from venue.protocol.finding import SERVICE, properties
from venue.sentences import Sentence

LOG: Final = logging.getLogger("guandan.venue")
LONGEST: Final = 60
"""Bytes of a service's name; 63 are allowed, and a second venue of the same name gets a number."""


def announceable(addresses: Sequence[str]) -> list[str]:
    """Those of *addresses* that other machines can reach."""
    found = []
    for address in addresses:
        with contextlib.suppress(ValueError):
            if not ipaddress.ip_address(address.strip("[]")).is_loopback:
                found.append(address.strip("[]"))
    return found


@contextlib.contextmanager
def announced(
    name: str, addresses: Sequence[str], port: int, secure: bool, interfaces: Sequence[str] | None = None,
    lang: str = "en",
) -> Iterator[bool]:  # fmt: skip
    """While the block runs, *name* is found at *addresses*; gives whether anything is told at all.

    *interfaces* are the addresses to speak from, all of this machine's when None; *lang* is the terminal's.
    Nothing that goes wrong here stops the venue: an address can be typed.
    """
    with contextlib.ExitStack() as stack:
        told = False
        if addresses:
            try:
                from zeroconf import InterfaceChoice, ServiceInfo, Zeroconf

                speaking = Zeroconf(interfaces=list(interfaces) if interfaces else InterfaceChoice.All)
                stack.callback(speaking.close)
                short = name.encode()[:LONGEST].decode("utf-8", "ignore").replace(".", "-") or "venue"
                info = ServiceInfo(
                    SERVICE, f"{short}.{SERVICE}", parsed_addresses=list(addresses), port=port,
                    properties=properties(secure), server=f"guandan-{secrets.token_hex(4)}.local.",
                )  # fmt: skip
                speaking.register_service(info, allow_name_change=True)
                told = True
            except Exception as error:  # no multicast here, or no library: an address can be typed
                told_not = Sentence("not_announced", why=str(error) or type(error).__name__)
                LOG.warning("%s", told_not.in_language(lang))
        yield told


def machine_name() -> str:
    """What this machine calls itself."""
    return socket.gethostname().partition(".")[0] or "venue"
