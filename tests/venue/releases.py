"""Releases and deck profiles for tests: packed and signed as ``systemd/release.sh`` does, small, made in a moment."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

PLATFORM = {"python": f"{sys.version_info.major}.{sys.version_info.minor}", "processor": os.uname().machine}


def new_key(folder: Path, name: str = "release") -> tuple[Path, Path]:
    """A private key and its public one."""
    key, public = folder / f"{name}.key", folder / f"{name}.pub"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True, capture_output=True)
    subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", public], check=True)
    return key, public


def tar_of(files: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=tarfile.USTAR_FORMAT) as box:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(data), 0o755
            box.addfile(info, io.BytesIO(data))
    return held.getvalue()


def pack(path: Path, key: Path, files: dict[str, bytes], **manifest: object) -> Path:
    """A signed release with *files*; *manifest* overrides what it says of itself."""
    payload = tar_of(files)
    about = {
        "guandan-release": 1, "release": "0.2.0-0123456789", "version": "0.2.0", "made": 1_764_460_800, **PLATFORM,
        "sha256": hashlib.sha256(payload).hexdigest(), "size": len(payload), **manifest,
    }  # fmt: skip
    text = "".join(f"{name}={value}\n" for name, value in about.items()).encode()
    plain = path.with_suffix(".manifest")
    plain.write_bytes(text)
    words = ["openssl", "pkeyutl", "-sign", "-inkey", key, "-rawin", "-in", plain]
    signature = subprocess.run(words, check=True, capture_output=True).stdout
    path.write_bytes(tar_of({"manifest": text, "signature": signature, "payload.tar": payload}))
    return path


def deck(name: str = "house", cards: tuple[str, ...] = ("S3", "HR"), crop: bytes = b"x") -> bytes:
    """What a venue takes for a deck profile; whether an eye can read with it is another matter."""
    held = io.BytesIO()
    about = {
        "kind": "guandan-deck", "format": 1, "name": name, "made": "2026-11-30",
        "proof": {"looks": 1, "right": 53, "asked": 1, "wrong": 0},
        "crops": [{"file": f"crops/{n:04d}.png", "card": card, "look": 0} for n, card in enumerate(cards)],
    }  # fmt: skip
    with zipfile.ZipFile(held, "w") as box:
        box.writestr("profile.json", json.dumps(about))
        for n in range(len(cards)):
            box.writestr(f"crops/{n:04d}.png", crop)
    return held.getvalue()


def send(browser, kind: str, content: bytes, offset: int, size: int, source: str = "0123456789abcdef"):
    """One piece of a file, from somebody's page."""
    headers = {"x-guandan-csrf": browser.csrf}
    path = f"/v1/uploads/{kind}/{source}?offset={offset}&size={size}"
    return browser.http.post(path, content=content, headers=headers)


def bring(browser, kind: str, content: bytes, source: str = "0123456789abcdef", piece: int = 4 << 20):
    """A whole file in pieces: the last answer, or the first refusal."""
    for offset in range(0, len(content), piece):
        answer = send(browser, kind, content[offset : offset + piece], offset, len(content), source)
        if answer.status_code != 200:
            break
    return answer


def listed(browser):
    """What the fleet page shows of files."""
    return browser.get("/v1/handouts").json()
