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

from engine.errors import GuandanError
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


def check(url: str, lan: bool, lookup: Lookup = socket.getaddrinfo, longest: int = LONGEST) -> Address:
    """The address *url*, once everything behind its name was looked at; *lan* opens the organiser's own network.

    :raises Unreadable: when it is none. :raises Impossible: when the venue must not speak to it, or it is not found.
    """
    if len(url) > longest or not url.isprintable() or any(sign.isspace() for sign in url):
        raise Unreadable("hook_url", longest=longest)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Unreadable("hook_url", longest=longest) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password or port == 0:
        raise Unreadable("hook_url", longest=longest)
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


class NotTaken(OSError):
    """An answer that is no yes. *status* is HTTP's; *wait* the seconds that it asks for before the next try."""

    def __init__(self, status: int, wait: float = 0.0) -> None:
        super().__init__(f"HTTP {status}")
        self.status, self.wait = status, wait


def post(address: Address, body: bytes, headers: Mapping[str, str]) -> None:
    """Send *body*; blocks for ALTOGETHER seconds at most.

    :raises NotTaken: when the answer is something else than 2xx. :raises OSError: when there is none in time.
    """
    connection = _Pinned(address)
    clock = threading.Timer(ALTOGETHER, connection.cut)
    clock.daemon = True
    clock.start()
    path = address.parts.path or "/"
    path += f"?{address.parts.query}" if address.parts.query else ""
    try:
        connection.request("POST", path, body, dict(headers))
        answer = connection.getresponse()
        if not 200 <= answer.status < 300:
            wait = answer.getheader("retry-after", "")
            raise NotTaken(answer.status, float(wait) if wait.isdecimal() and len(wait) < 6 else 0.0)
    except (http.client.HTTPException, ValueError) as error:
        raise OSError(f"no answer that can be read ({type(error).__name__})") from None
    finally:
        clock.cancel()
        connection.close()


def reason(error: Exception) -> str:
    """Why a message did not arrive, in a word that gives no address away: HTTP's status, a key of the pages' ``why``,
    or the name of a fault.
    """
    if isinstance(error, NotTaken):
        return str(error)
    if isinstance(error, GuandanError):
        return "not_found" if error.sentence.key == "hook_unknown" else "not_allowed"
    if isinstance(error, ssl.SSLError):
        return "certificate"
    if isinstance(error, TimeoutError):
        return "too_late"
    return "no_answer" if isinstance(error, OSError) else type(error).__name__


def asked_for(error: Exception) -> float:
    """Seconds for which whoever did not take a message asks to be left alone."""
    return error.wait if isinstance(error, NotTaken) else 0.0


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
