"""A file of the venue's, fetched piece by piece by its hash: what is here stays here, whatever is cut off."""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path
from typing import Final

from table.sync_line import Answers, json_of, message_of

PATIENCE: Final = 20.0
"""Seconds for a piece."""
LONGEST_PAUSE: Final = 5.0
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)


class NotGiven(Exception):
    """The venue does not give the file; *code* is a key of ``venue.protocol.ERRORS``, or what its status was."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class NoRoom(Exception):
    """This machine's disk does not take it."""


class Fetch:
    """The file with the hash *sha256* and *size* bytes, into *folder*."""

    def __init__(self, folder: Path, sha256: str, size: int) -> None:
        self.whole = folder / sha256
        self._part = folder / f"{sha256}.part"
        self._path, self._sha256, self._size = f"/v1/handouts/{sha256}", sha256, size

    @property
    def have(self) -> int:
        """How many bytes of it are here."""
        for path in (self.whole, self._part):
            if path.exists():
                return path.stat().st_size
        return 0

    @property
    def done(self) -> bool:
        """Whether nothing is missing any more; :meth:`check` says whether it is what it should be."""
        return self.have >= self._size

    def step(self, line: Answers, token: str) -> float:
        """Fetch the next piece; how many seconds to leave the line to others before the one after it.

        :raises NotGiven: when the venue does not give it. :raises NoRoom: when it cannot be kept.
        :raises OSError: when the line broke: it goes on from there another time.
        """
        have = self.have
        status, piece = line.get(f"{self._path}?offset={have}", token, PATIENCE)
        if status != 200:
            return self._refused(status, piece)
        if not piece or have + len(piece) > self._size:
            raise NotGiven("gone")  # another file than the one we were told of
        try:
            self._part.parent.mkdir(parents=True, exist_ok=True)
            with self._part.open("ab") as file:
                file.write(piece)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            if error.errno in _FULL:
                raise NoRoom from None
            raise
        return 0.0

    def asked(self, line: Answers, token: str) -> float | None:
        """Ask whether the file is still on offer at this moment: None for yes, or the seconds until to ask again.

        :raises NotGiven: when it is not. :raises OSError: when the line broke.
        """
        status, answer = line.get(f"{self._path}?offset={self._size}", token, PATIENCE)
        return None if status == 200 else self._refused(status, answer)

    def _refused(self, status: int, answer: bytes) -> float:
        told = message_of(json_of(answer))
        code = str(told.get("code") or f"http {status}")
        if code in ("slow_down", "unavailable"):
            after = told.get("retry_after", 1.0)
            return min(LONGEST_PAUSE, float(after)) if isinstance(after, (int, float)) else 1.0
        if status >= 500 or not told:  # a portal, a proxy: no word from the venue
            raise OSError(code)
        raise NotGiven(code)

    def check(self) -> bool:
        """Whether what is here is the file; what is not it is deleted, to be fetched anew. May take seconds."""
        path = self.whole if self.whole.exists() else self._part
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != self._sha256:
            path.unlink()
            return False
        path.replace(self.whole)
        return True

    def forget(self) -> None:
        """Delete what is here of it."""
        self._part.unlink(missing_ok=True)
        self.whole.unlink(missing_ok=True)
