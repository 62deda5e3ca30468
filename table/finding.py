"""Venues that tell of themselves in this network; whoever sets the table up still says which one, with its code."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from venue.protocol.finding import SERVICE, url_of

PATIENCE: Final = 4.0
"""Seconds in which a venue of the network answers."""
MORE: Final = 0.7
"""Seconds to wait for a second one after the first: two halls must not be taken for one."""


@dataclass(frozen=True)
class Found:
    """A venue: what it calls itself, and the address to speak to."""

    name: str
    url: str


def find(seconds: float = PATIENCE, interfaces: Sequence[str] | None = None) -> list[Found]:
    """The venues that answer within *seconds*, by name; none where there is no network or no library.

    *interfaces* are this machine's addresses to ask from, all when None.
    """
    try:
        from zeroconf import InterfaceChoice, ServiceBrowser, Zeroconf

        asking = Zeroconf(interfaces=list(interfaces) if interfaces else InterfaceChoice.All)
    except (ImportError, OSError):
        return []
    ear: Any = _Ear()  # the library's listener by its shape: it may not be there to inherit from
    with contextlib.closing(asking):
        browser = ServiceBrowser(asking, SERVICE, ear)
        if ear.first.wait(seconds):
            time.sleep(MORE)
        browser.cancel()
    return sorted(set(ear.found), key=lambda each: (each.name, each.url))


class _Ear:
    """What the library tells of the services it hears."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.first = threading.Event()

    def add_service(self, asking: Any, kind: str, name: str) -> None:
        info = asking.get_service_info(kind, name, 2000)
        if info is None or not info.port:
            return
        for address in info.parsed_addresses()[:1]:
            if (url := url_of(address, info.port, info.properties)) is not None:
                self.found.append(Found(name.removesuffix(f".{SERVICE}"), url))
                self.first.set()

    update_service = add_service

    def remove_service(self, asking: Any, kind: str, name: str) -> None:
        self.found = [each for each in self.found if f"{each.name}.{SERVICE}" != name]
