"""What a table's screen is set to, and the code that guards it. The code is made by the installation, or by
whoever hangs a table that belongs to no venue; there is none before.

``python -m table.settings`` asks for a code and keeps its hash.
"""

from __future__ import annotations

import getpass
import hashlib
import hmac
import os
import secrets
import sys
import tomllib
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from table.refusals import Unreadable

TURNS: Final = (0, 90, 180, 270)
LANGUAGES: Final = ("zh", "en")
LEAST_DIGITS, MOST_DIGITS = 4, 8
_COST: Final = 2**14


@dataclass(frozen=True)
class Settings:
    """How the screen of this table is hung and speaks."""

    language: str = "zh"
    rotation: int = 0
    """Degrees by which the picture is turned clockwise on the glass."""
    touch_rotation: int = 0
    """Degrees by which what the touch panel tells has to be turned clockwise to fit the glass."""
    flat: bool = False
    """The screen lies flat on the table: each player's part is turned towards that player."""
    sound: bool = False
    training: bool = False
    """Judges nothing, explains everything."""

    def __post_init__(self) -> None:
        for name, allowed in ALLOWED.items():
            if getattr(self, name) not in allowed:
                raise Unreadable("setting_value", name=name, allowed=allowed)


ALLOWED: Final[dict[str, tuple[Any, ...]]] = {
    "language": LANGUAGES, "rotation": TURNS, "touch_rotation": TURNS,
    "flat": (False, True), "sound": (False, True), "training": (False, True),
}  # fmt: skip
"""Every setting and what it may be, in the order in which a touch steps through."""


def load(path: Path) -> Settings:
    """The settings kept at *path*; the usual ones where there is none.

    :raises Unreadable: naming file and key, when the file is there but says something odd.
    """
    try:
        read = tomllib.loads(path.read_text("utf-8"))
    except OSError:
        return Settings()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Unreadable("setting_file", file=path.name, why=str(error)) from None
    known = {entry.name for entry in fields(Settings)}
    for name in read:
        if name not in known:
            raise Unreadable("setting_name", file=path.name, name=name, names=sorted(known))
    return Settings(**read)


def kept(path: Path, language: str = "zh") -> Settings:
    """As :func:`load`, but a file that cannot be read counts for none: no setting keeps a table from playing. A table
    that was never set speaks *language*."""
    usual = Settings(language=language if language in LANGUAGES else "zh")
    try:
        return load(path) if path.exists() else usual
    except Unreadable:
        return usual


def save(path: Path, settings: Settings) -> None:
    """Keep *settings* at *path*, whole or not at all."""
    lines = [f"{name} = {_written(value)}" for name, value in asdict(settings).items()]
    _replace(path, "\n".join(lines) + "\n", 0o644)


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


def _replace(path: Path, text: str, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(path)


# -- the code -----------------------------------------------------------------------------------------------------


def weakness(code: str) -> str | None:
    """Why *code* will not do: ``code_digits`` when it is not four to eight digits, ``code_easy`` to guess; None if it
    will."""
    if not (code.isascii() and code.isdigit() and LEAST_DIGITS <= len(code) <= MOST_DIGITS):
        return "code_digits"
    steps = {int(after) - int(before) for before, after in pairwise(code)}
    return "code_easy" if len(steps) == 1 and steps <= {-1, 0, 1} else None


def hashed(code: str) -> str:
    """What is kept of a code: a salted hash that is slow to try.

    :raises Unreadable: when it is not four to eight digits, or easy to guess.
    """
    wrong = weakness(code)
    if wrong == "code_digits":
        raise Unreadable("code_digits", least=LEAST_DIGITS, most=MOST_DIGITS)
    if wrong is not None:
        raise Unreadable("code_easy")
    salt = secrets.token_bytes(16)
    return f"scrypt:{salt.hex()}:{_digest(code, salt).hex()}"


def fits(code: str, kept: str) -> bool:
    """Whether *code* is the one whose hash is *kept*."""
    kind, _, rest = kept.partition(":")
    salt, _, digest = rest.partition(":")
    try:
        wanted, grain = bytes.fromhex(digest), bytes.fromhex(salt)
    except ValueError:
        return False
    return kind == "scrypt" and bool(wanted) and hmac.compare_digest(_digest(code, grain), wanted)


def _digest(code: str, salt: bytes) -> bytes:
    return hashlib.scrypt(code.encode(), salt=salt, n=_COST, r=8, p=1, dklen=32)


def kept_code(path: Path) -> str | None:
    """The hash that the installation left at *path*; None where it made no code."""
    try:
        return path.read_text("ascii").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def keep_code(path: Path, code: str) -> None:
    """Make *code* the table's code.

    :raises Unreadable: when it will not do.
    """
    keep_hashed(path, hashed(code))


def keep_hashed(path: Path, digest: str) -> None:
    """As :func:`keep_code`, for a code that was hashed already."""
    _replace(path, digest + "\n", 0o640)


def main() -> int:
    from table.home import code_path

    asked = getpass.getpass if sys.stdin.isatty() else lambda _: sys.stdin.readline().strip()
    try:
        keep_code(code_path(), asked("code for this table's settings, 4 to 8 digits: "))
    except (Unreadable, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
