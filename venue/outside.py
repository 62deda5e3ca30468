"""Messages to an address outside the venue: which addresses may be one, and one signed request to it.

Whoever may set such an address could otherwise make the venue speak to machines that trust it: its own, the router, a
cloud's metadata service. So the name is looked up, every address that it has is checked, and exactly the checked one
is spoken to; redirections are not followed, and nothing of the answer but its status is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from venue.sentences import Impossible, Unreadable

LONGEST: Final = 500
ANSWERED_WITHIN: Final = 10.0
"""Seconds for each step of a request; ALTOGETHER for all of them."""
ALTOGETHER: Final = 15.0
SIGNATURE: Final = "x-guandan-signature"
_IP = ipaddress.IPv4Address | ipaddress.IPv6Address
_HOUSES: Final = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")))
"""Where an organiser's own machines are: open to messages when the organiser says so."""
_NEVER: Final = tuple(map(ipaddress.ip_network, ("169.254.0.0/16", "fe80::/10", "fd00:ec2::/32", "100.100.100.200/32")))
"""Link-local addresses, and where clouds hand out the keys of their machines."""
_WRAPS: Final = ipaddress.ip_network("64:ff9b::/96")

Lookup = Callable[..., list[Any]]


@dataclass(frozen=True)
class Address:
    """An address that may be spoken to."""

    parts: SplitResult
    ips: tuple[str, ...]

    @property
    def host(self) -> str:
        return str(self.parts.hostname)

    @property
    def port(self) -> int:
        return self.parts.port or (443 if self.parts.scheme == "https" else 80)


def shown(url: str) -> str:
    """*url* as a page or a log may show it: what follows the host often opens something."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}/…"


def check(url: str, lan: bool, lookup: Lookup = socket.getaddrinfo) -> Address:
    """The address *url*, once everything behind its name was looked at; *lan* opens the organiser's own network.

    :raises Unreadable: when it is none. :raises Impossible: when the venue must not speak to it, or it is not found.
    """
    if len(url) > LONGEST or not url.isprintable() or any(sign.isspace() for sign in url):
        raise Unreadable("hook_url")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Unreadable("hook_url") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password or port == 0:
        raise Unreadable("hook_url")
    if parts.scheme == "http" and not lan:
        raise Impossible("hook_plain")
    try:
        found = lookup(parts.hostname, port or 443, type=socket.SOCK_STREAM)
        ips = tuple(dict.fromkeys(str(each[4][0]) for each in found))
    except (OSError, UnicodeError):
        raise Impossible("hook_unknown", host=parts.hostname) from None
    for ip in ips:
        plain = ipaddress.ip_address(ip.partition("%")[0])
        if not _may(plain, True):
            raise Impossible("hook_local", host=parts.hostname)
        if not _may(plain, lan):
            raise Impossible("hook_lan", host=parts.hostname)
    if not ips:
        raise Impossible("hook_unknown", host=parts.hostname)
    return Address(parts, ips)


def _may(ip: _IP, lan: bool) -> bool:
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is None and ip in _WRAPS:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return _may(inner, lan)
    if any(ip in network for network in _NEVER) or ip.is_multicast or ip.is_unspecified or ip.is_loopback:
        return False
    return ip.is_global or (lan and any(ip in network for network in _HOUSES))


def sign(secret: str, at: int, body: bytes) -> str:
    """What stands in the header: the time, and HMAC-SHA256 over ``time.body`` with the secret."""
    mark = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={mark}"


def post(address: Address, body: bytes, headers: Mapping[str, str]) -> int:
    """Send *body* and give the answer's status; blocks for ALTOGETHER seconds at most.

    :raises OSError: when there is no answer in time.
    """
    connection = _Pinned(address)
    clock = threading.Timer(ALTOGETHER, connection.cut)
    clock.daemon = True
    clock.start()
    path = address.parts.path or "/"
    path += f"?{address.parts.query}" if address.parts.query else ""
    try:
        connection.request("POST", path, body, dict(headers))
        return connection.getresponse().status
    except (http.client.HTTPException, ValueError) as error:
        raise OSError(f"no answer that can be read ({type(error).__name__})") from None
    finally:
        clock.cancel()
        connection.close()


class _Pinned(http.client.HTTPConnection):
    """Speaks to the address that was checked, whatever its name leads to by now; the certificate must be the name's."""

    def __init__(self, address: Address) -> None:
        super().__init__(address.host, address.port, timeout=ANSWERED_WITHIN)
        self._address = address
        if address.parts.scheme == "https":
            self.default_port = http.client.HTTPS_PORT

    def connect(self) -> None:
        self.sock = socket.create_connection((self._address.ips[0], self._address.port), ANSWERED_WITHIN)
        if self._address.parts.scheme == "https":
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self._address.host)

    def cut(self) -> None:
        """Time is over: whoever waits on the socket wakes."""
        if self.sock is not None:
            with contextlib.suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)
