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


class Answers(Protocol):
    """What a link speaks through; tests bring a line without a network."""

    def post(self, path: str, body: Any, token: str | None, seconds: float) -> tuple[int, Any]: ...
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
        headers = {"content-type": "application/json", "accept": "application/json"}
        content = body
        if isinstance(body, bytes):
            headers["content-type"] = "application/octet-stream"
        else:
            content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        try:
            connection = self._open()
            if connection.sock is not None:
                connection.sock.settimeout(seconds)
            connection.request("POST", path, content, headers)
            answer = connection.getresponse()
            text = answer.read(LONGEST_ANSWER)
            if answer.will_close or not answer.isclosed():
                self.close()
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.close()
            raise error if isinstance(error, OSError) else OSError(str(error)) from error
        found: Any = None
        with contextlib.suppress(ValueError, RecursionError):
            found = json.loads(text)
        return answer.status, found

    def close(self) -> None:
        """Hang up; a request that is in flight on another thread ends with an error."""
        connection, self._connection = self._connection, None
        if connection is not None:
            sock = connection.sock
            if sock is not None:
                with contextlib.suppress(OSError):
                    sock.shutdown(2)
            connection.close()


def message_of(body: Any) -> Mapping[str, Any]:
    """The error's object in a refusal, empty when there is none."""
    error = body.get("error") if isinstance(body, dict) else None
    return error if isinstance(error, dict) else {}
