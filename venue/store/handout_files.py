"""What a deck profile or a release says of itself: enough to show it, and to refuse what is none.

Whether a deck profile can be read with is the table's to find out, and whether a release may be trusted as well: the
tables have the eye and the organiser's public key. Here nothing is unpacked.
"""

from __future__ import annotations

import hashlib
import json
import re
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Final

from venue.sentences import Unreadable

DECK_KIND: Final = "guandan-deck"
MOST_TEXT: Final = 256 << 10
MOST_MANIFEST: Final = 4096
MEMBERS: Final = ("manifest", "signature", "payload.tar")
"""What a release's file holds, in this order: ``systemd/release.sh`` packs it, ``systemd/take_release.py`` takes it."""
MANIFEST: Final = {
    # name: what it looks like
    "guandan-release": re.compile(r"1"),
    "release": re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]{0,59}"),
    "version": re.compile(r"\d{1,4}(\.\d{1,4}){1,3}"),
    "made": re.compile(r"\d{9,11}"),
    "python": re.compile(r"3\.\d{1,2}"),
    "processor": re.compile(r"aarch64|x86_64"),
    "sha256": re.compile(r"[0-9a-f]{64}"),
    "size": re.compile(r"\d{1,10}"),
}


def deck_about(path: Path) -> dict[str, Any]:
    """Name, date, number of faces and of crops, and what the proof came to.

    :raises Unreadable: when the file is no deck profile.
    """
    try:
        with zipfile.ZipFile(path) as box, box.open("profile.json") as file:
            text = file.read(MOST_TEXT + 1)
        if len(text) > MOST_TEXT:
            raise ValueError
        about = json.loads(text.decode("utf-8"))
        crops = about["crops"]
        if about["kind"] != DECK_KIND or not isinstance(crops, list) or not crops:
            raise ValueError
        faces = len({str(each["card"]) for each in crops})
        proof = about.get("proof") or {}
        proved = {name: int(proof[name]) for name in ("right", "asked", "wrong") if name in proof}
        name = "".join(letter for letter in str(about.get("name") or "") if letter.isprintable())
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, RuntimeError, NotImplementedError,
            EOFError, OverflowError, RecursionError):  # fmt: skip
        raise Unreadable("no_deck_profile") from None
    return {"name": name[:80], "made": str(about.get("made") or "")[:10], "faces": faces, "crops": len(crops),
            "proof": proved}  # fmt: skip


def release_about(path: Path) -> dict[str, Any]:
    """Release, version, when it was made, for which Python and processor.

    :raises Unreadable: when the file is no release, or its payload is not what its manifest says.
    """
    try:
        with tarfile.open(path, "r:") as box:
            files = box.getmembers()
            if tuple(each.name for each in files) != MEMBERS or not all(each.isreg() for each in files):
                raise ValueError
            manifest, signature, payload = (_member(box, each) for each in files)
            about = manifest_of(manifest.read(MOST_MANIFEST + 1))
            whole = hashlib.file_digest(payload, "sha256").hexdigest() == about["sha256"]  # type: ignore[arg-type]
            if not whole or files[2].size != int(about["size"]) or len(signature.read(65)) != 64:
                raise ValueError
    except (tarfile.TarError, KeyError, ValueError, EOFError, OverflowError):
        raise Unreadable("no_release") from None
    return {name: about[name] for name in ("release", "version", "python", "processor")} | {"made": int(about["made"])}


def _member(box: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    found = box.extractfile(info)
    if found is None:
        raise ValueError(info.name)
    return found


def manifest_of(data: bytes) -> Mapping[str, str]:
    """The manifest's lines ``name=value``, each name once and as :data:`MANIFEST` says.

    :raises ValueError: for anything else.
    """
    if len(data) > MOST_MANIFEST:
        raise ValueError("manifest")
    found: dict[str, str] = {}
    for line in data.decode("ascii").splitlines():
        name, _, value = line.partition("=")
        if name not in MANIFEST or name in found or not MANIFEST[name].fullmatch(value):
            raise ValueError(line)
        found[name] = value
    if set(found) != set(MANIFEST):
        raise ValueError("manifest")
    return found
