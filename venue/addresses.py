"""Under which names this machine is reached: what a link says must be true on a phone, not only here."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from urllib.parse import urlsplit

from venue.announce import announceable

REACH_S = 0.5


def addresses(host: str) -> list[str]:
    """The names under which others reach this machine, the best one first."""
    if host not in ("0.0.0.0", "::", ""):
        return [f"[{host}]" if ":" in host else host]
    found = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 9))  # no packet leaves: it asks which of our addresses one would leave from
        found.append(asking.getsockname()[0])
    with contextlib.suppress(OSError):
        found += [info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [*announceable(list(dict.fromkeys(map(str, found)))), "127.0.0.1"]


def for_others(root: str) -> str:
    """The address *root* (``http://127.0.0.1:8080``) as others must type it: as it is, unless it means this machine
    only and the same port answers under a name that means it everywhere."""
    parts = urlsplit(root)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    if host != "localhost" and not _is_loopback(host):
        return root
    for name in announceable(addresses("")):
        with contextlib.suppress(OSError), socket.create_connection((name, port), REACH_S):
            return f"{parts.scheme}://{name}:{port}"
    return root


def _is_loopback(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False
