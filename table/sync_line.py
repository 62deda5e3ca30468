"""One line to the venue: HTTP/1.1 kept open, JSON there and back, nothing that takes longer than it is allowed to."""

from __future__ import annotations

import contextlib
import http.client
import json
import ssl
from collections.abc import Mapping
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from table.refusals import Unreadable

CONNECT: Final = 5.0
"""Seconds to reach the venue."""
LONGEST_ANSWER: Final = 8 * 1024 * 1024
BYTES: Final = "application/octet-stream"


class Answers(Protocol):
    """What a link speaks through; tests bring a line without a network."""

    def post(self, path: str, body: Any, token: str | None, seconds: float) -> tuple[int, Any]: ...
    def get(self, path: str, token: str, seconds: float) -> tuple[int, bytes]: ...
    def close(self) -> None: ...


class Line:
    """A connection to *url* that opens itself when it is needed and again after it broke.

    *authority* is a file with the certificate of the venue's own authority, for ``https`` without a public name.

    :raises Unreadable: when *url* is no address of a venue.
    """

    def __init__(self, url: str, authority: str | None = None) -> None:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Unreadable("no_venue", url=url)
        self.host, self.secure = parts.hostname, parts.scheme == "https"
        try:
            self.port = parts.port or (443 if self.secure else 80)
        except ValueError:
            raise Unreadable("no_venue", url=url) from None
        self._authority = authority
        self._connection: http.client.HTTPConnection | None = None

    def _open(self) -> http.client.HTTPConnection:
        if self._connection is None:
            if self.secure:
                context = ssl.create_default_context(cafile=self._authority)
                self._connection = http.client.HTTPSConnection(self.host, self.port, timeout=CONNECT, context=context)
            else:
                self._connection = http.client.HTTPConnection(self.host, self.port, timeout=CONNECT)
            self._connection.connect()
        return self._connection

    def post(self, path: str, body: Any, token: str | None, seconds: float) -> tuple[int, Any]:
        """Send *body* (JSON, or bytes as they are); the status and the JSON that came back (None when it is none).

        :raises OSError: when there is no answer within *seconds*.
        """
        content = body
        headers = {"content-type": BYTES, "accept": "application/json"}
        if not isinstance(body, bytes):
            headers["content-type"] = "application/json"
            content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        status, _, text = self._asked("POST", path, content, headers, token, seconds)
        return status, json_of(text)

    def get(self, path: str, token: str, seconds: float) -> tuple[int, bytes]:
        """Ask for the bytes at *path*; the status and what came, which is JSON unless the status is 200.

        :raises OSError: when there is no answer within *seconds*, or a portal's page instead of one.
        """
        status, kind, text = self._asked("GET", path, None, {}, token, seconds)
        if status == 200 and kind != BYTES:
            raise OSError(f"a page of {kind} instead of bytes")
        return status, text

    def _asked(
        self, method: str, path: str, content: bytes | None, headers: dict[str, str], token: str | None, seconds: float
    ) -> tuple[int, str, bytes]:
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        try:
            connection = self._open()
            if connection.sock is not None:
                connection.sock.settimeout(seconds)
            connection.request(method, path, content, headers)
            answer = connection.getresponse()
            text = answer.read(LONGEST_ANSWER)
            if answer.will_close or not answer.isclosed():
                self.close()
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.close()
            raise error if isinstance(error, OSError) else OSError(str(error)) from error
        return answer.status, answer.headers.get_content_type(), text

    def close(self) -> None:
        """Hang up; a request that is in flight on another thread ends with an error."""
        connection, self._connection = self._connection, None
        if connection is not None:
            sock = connection.sock
            if sock is not None:
                with contextlib.suppress(OSError):
                    sock.shutdown(2)
            connection.close()


def json_of(text: bytes) -> Any:
    """The JSON in *text*, None when it is none: a portal's page, a proxy's error."""
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(text)
    return None


def message_of(body: Any) -> Mapping[str, Any]:
    """The error's object in a refusal, empty when there is none."""
    error = body.get("error") if isinstance(body, dict) else None
    return error if isinstance(error, dict) else {}
