"""Which venue this table belongs to: paired once with a code, kept in a file that nobody else may read."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from engine.errors import GuandanError
from table.journal import Entry, Journal
from table.refusals import Sentence
from table.sync_line import Answers, Line, message_of
from table.sync_log import match_name
from venue.protocol import VERSION

PATIENCE = 10.0
"""Seconds that the person with the code waits for an answer."""


class NotPaired(GuandanError):
    """The venue did not take the code; *code* is its reason, empty when there was no answer."""

    def __init__(self, code: str, sentence: Sentence) -> None:
        super().__init__(sentence.key)
        self.code, self.sentence = code, sentence


_REFUSED: Final = {
    "bad_code": Sentence("pair_bad_code"), "version": Sentence("pair_version"), "slow_down": Sentence("pair_slow"),
    "unavailable": Sentence("pair_unavailable"),
}  # fmt: skip
"""What the venue's reasons are called here: its own words are for whoever builds a table."""


@dataclass(frozen=True)
class Pairing:
    """A device's place at a venue. *token* opens the door: it is in no log and on no screen."""

    url: str
    device: str
    token: str = field(repr=False)
    table: str = ""
    authority: str | None = None
    """File of the venue's own authority, for ``https``."""

    def line(self) -> Line:
        """A new connection to the venue."""
        return Line(self.url, self.authority)


@dataclass(frozen=True)
class Continued:
    """The match that was on at this table when another device gave it up."""

    match: str
    lines: Sequence[Mapping[str, Any]]


def pair(
    url: str, code: str, name: str, authority: str | None = None, line: Callable[[], Answers] | None = None
) -> tuple[Pairing, Continued | None]:
    """Spend *code* at the venue at *url*.

    :raises NotPaired: when it does not take the code or does not answer.
    """
    speaking = line() if line is not None else Line(url, authority)
    try:
        status, body = speaking.post("/v1/pair", {"protocol": VERSION, "code": code, "name": name[:60]}, None, PATIENCE)
    except OSError as error:
        raise NotPaired("", _silent(error, url)) from None
    finally:
        speaking.close()
    if status != 200 or not isinstance(body, dict) or not {"device", "token", "table"} <= body.keys():
        reason = str(message_of(body).get("code") or "")
        if not reason:
            raise NotPaired(f"http {status}", Sentence("pair_no_venue", url=url))
        raise NotPaired(reason, _REFUSED.get(reason) or Sentence("pair_refused", code=reason))
    pairing = Pairing(url, str(body["device"]), str(body["token"]), str(body["table"]), authority)
    goes_on = body.get("continues")
    if not isinstance(goes_on, dict) or not goes_on.get("lines"):
        return pairing, None
    return pairing, Continued(str(goes_on["match"]), list(goes_on["lines"]))


def _silent(error: OSError, url: str) -> Sentence:
    return Sentence("pair_certificate") if isinstance(error, ssl.SSLError) else Sentence("pair_silent", url=url)


def fetch_authority(url: str, mark: str, path: Path) -> None:
    """Fetch the authority of the venue at *url* from its plain door, one port above, and keep it in *path*.

    :raises NotPaired: when there is none, or its SHA-256 is not *mark*, which a person read off the venue's screen.
    """
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", (parts.port or 443) + 1, timeout=PATIENCE)
    try:
        connection.request("GET", "/authority.crt")
        text = connection.getresponse().read(64 * 1024).decode("ascii")
        found = hashlib.sha256(ssl.PEM_cert_to_DER_cert(text)).hexdigest()
    except (OSError, http.client.HTTPException, ValueError):
        raise NotPaired("authority", Sentence("pair_no_authority", port=(parts.port or 443) + 1)) from None
    finally:
        connection.close()
    if found != mark.replace(" ", "").lower():
        raise NotPaired("authority", Sentence("pair_other_authority", found=found))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "ascii")


def take_over(journal: Journal, continued: Continued, wall: float) -> int:
    """Put the match of a dead device into this journal, so that this table goes on with it; how many lines that took.

    A journal whose last match it is already (the same machine, paired anew) has all of it: 0 then.
    """
    epoch = max(journal.epochs(), default=0)
    if epoch and match_name(journal.after(epoch, 0, 1)[0]) == continued.match:
        return 0
    entries = []
    for number, line in enumerate(continued.lines, 1):
        payload = {name: value for name, value in line.items() if name != "do"}
        evidence: dict[str, Any] = {"from": "venue"}
        if number == 1:
            evidence["match"] = continued.match
        entries.append(Entry(str(line["do"]), payload, epoch=epoch + 1, seq=number, wall=wall, evidence=evidence))
    journal.append(entries).wait()
    return len(entries)


def save(pairing: Pairing, path: Path) -> None:
    """Keep *pairing* where only this user may read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(asdict(pairing), file)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def load(path: Path) -> Pairing | None:
    """The pairing kept in *path*, None when there is none that can be read."""
    try:
        found = json.loads(path.read_text("utf-8"))
        return Pairing(**{name: found[name] for name in ("url", "device", "token", "table", "authority")})
    except (OSError, ValueError, KeyError, TypeError):
        return None
