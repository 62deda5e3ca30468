"""Answers to the probes by which phones decide whether a Wi-Fi is any good: without them they leave a hall's network.

A hall's name server points the makers' probe names at this machine; each answer is what the phone expects, to the byte.
"""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from venue.web.guard import OPEN, Door, Visit

_APPLE: Final = b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"

ANSWERS: Final[dict[str, tuple[int, str, bytes]]] = {
    # Android and most Chinese makers (connectivitycheck.gstatic.com, connect.rom.miui.com, wifi.vivo.com.cn, …)
    "/generate_204": (204, "text/plain", b""),
    "/gen_204": (204, "text/plain", b""),
    # iPhone, iPad, Mac (captive.apple.com)
    "/hotspot-detect.html": (200, "text/html", _APPLE),
    "/library/test/success.html": (200, "text/html", _APPLE),
    # Windows (www.msftconnecttest.com, www.msftncsi.com)
    "/connecttest.txt": (200, "text/plain", b"Microsoft Connect Test"),
    "/ncsi.txt": (200, "text/plain", b"Microsoft NCSI"),
    # Firefox (detectportal.firefox.com), NetworkManager (nmcheck.gnome.org)
    "/success.txt": (200, "text/plain", b"success\n"),
    "/canonical.html": (200, "text/html",
                        b'<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'),
    "/check_network_status.txt": (200, "text/plain", b"NetworkManager is online\n"),
}  # fmt: skip


async def answer(visit: Visit) -> Response:
    """The byte-exact answer to the probe of this path."""
    status, kind, body = ANSWERS[visit.request.url.path]
    return Response(body, status, media_type=kind)


DOORS: Final = tuple(Door("GET", path, OPEN, answer, rate="page") for path in ANSWERS)
