#!/usr/bin/python3
"""Installs a release that came over the hall's network: run by root, by guandan-release.service, one ask at a time.

    take_release.py                 does what /var/lib/guandan/release/ask.json asks for
    take_release.py --check FILE    says what FILE is, in one line of JSON; anybody may
    … --root DIR                    in a tree that is not running

The table runs as a user that may install nothing. It lays the file and an ask into a folder of its own; nothing in
there is believed: the file is copied to where only root writes, and only what carries the organiser's signature
(/etc/guandan/release.pub) is unpacked. An ask is deleted once it is answered in /var/lib/guandan-release/state.json:
whatever is cut off before that, the power or this program, is done again from its beginning, and every step may be.

The standard library and Debian's openssl are all it needs.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

LARGEST = 1 << 30
MOST_MANIFEST = 4096
MOST_ASK = 4096
NEEDED = 6
"""Times a release's size that must be free: its copy, what it holds, and the packages as they are installed."""
MEMBERS = ("manifest", "signature", "payload.tar")
MANIFEST = {
    "guandan-release": r"1",
    "release": r"[0-9A-Za-z][0-9A-Za-z.+-]{0,59}",
    "version": r"\d{1,4}(\.\d{1,4}){1,3}",
    "made": r"\d{9,11}",
    "python": r"3\.\d{1,2}",
    "processor": r"aarch64|x86_64",
    "sha256": r"[0-9a-f]{64}",
    "size": r"\d{1,10}",
}


class Refused(Exception):
    """A release that is not installed: *why* is key, signature, damaged, platform, older, disk, install or gone."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(detail or why)
        self.why, self.detail = why, detail


# --- what a file is ------------------------------------------------------------------------------------------------


def manifest_of(data: bytes) -> dict[str, str]:
    """The manifest's lines ``name=value``, each of them once."""
    found: dict[str, str] = {}
    try:
        lines = data.decode("ascii").splitlines()
    except UnicodeDecodeError:
        raise Refused("damaged", "manifest") from None
    for line in lines:
        name, _, value = line.partition("=")
        if name not in MANIFEST or name in found or not re.fullmatch(MANIFEST[name], value):
            raise Refused("damaged", "manifest")
        found[name] = value
    if set(found) != set(MANIFEST):
        raise Refused("damaged", "manifest")
    return found


def check(path: Path, root: Path) -> dict[str, str]:
    """The manifest of the release in *path*, once its signature, its payload, its platform and its age are right."""
    key = root / "etc/guandan/release.pub"
    if not key.is_file():
        raise Refused("key")
    try:
        with tarfile.open(path, "r:") as box:
            files = box.getmembers()
            if tuple(each.name for each in files) != MEMBERS or not all(each.isreg() for each in files):
                raise Refused("damaged", "members")
            if files[0].size > MOST_MANIFEST or files[1].size != 64:
                raise Refused("damaged", "members")
            manifest, signature = (box.extractfile(each).read() for each in files[:2])
            if not signed(manifest, signature, key):
                raise Refused("signature")
            found = manifest_of(manifest)
            payload = box.extractfile(files[2])
            whole = hashlib.file_digest(payload, "sha256").hexdigest() == found["sha256"]
            if files[2].size != int(found["size"]) or not whole:
                raise Refused("damaged", "payload")
    except (tarfile.TarError, EOFError, ValueError, OverflowError) as error:
        raise Refused("damaged", str(error)) from None
    here = f"{sys.version_info.major}.{sys.version_info.minor}", os.uname().machine
    if (found["python"], found["processor"]) != here:
        raise Refused("platform", " ".join(here))
    check_age(found, root / "opt/guandan/current")
    return found


def signed(manifest: bytes, signature: bytes, key: Path) -> bool:
    """Whether *manifest* carries the signature of the public *key* (Ed25519)."""
    with tempfile.TemporaryDirectory() as folder:
        text, mark = Path(folder, "manifest"), Path(folder, "signature")
        text.write_bytes(manifest)
        mark.write_bytes(signature)
        words = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", key, "-rawin", "-in", text, "-sigfile", mark]
        try:
            return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0
        except FileNotFoundError:
            raise Refused("key", "there is no openssl on this machine") from None


def check_age(found: dict[str, str], current: Path) -> None:
    """Never back: an old release has the faults that the present one mended, and its signature is still good."""
    try:
        text = (current / "pyproject.toml").read_text("utf-8")
    except OSError:
        return
    written = re.search(r'^version = "([\d.]+)"', text, re.MULTILINE)
    present = numbers(written.group(1)) if written else ()
    if numbers(found["version"]) < present:
        raise Refused("older")
    manifest = current / "release.manifest"
    if manifest.is_file() and numbers(found["version"]) == present:
        known = manifest_of(manifest.read_bytes())
        if int(found["made"]) < int(known["made"]):
            raise Refused("older")


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


# --- what is asked for ---------------------------------------------------------------------------------------------


class Taker:
    """Carries out the ask that lies in the table's folder of the tree *root*."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.inbox = root / "var/lib/guandan/release"
        self.place = root / "var/lib/guandan-release"
        self.opt = root / "opt/guandan"
        self.ask_file = self.inbox / "ask.json"

    def run(self) -> None:
        """Answer the ask, then delete it."""
        ask = self.ask()
        if ask is not None:
            try:
                if ask["do"] == "stage":
                    self.stage(ask)
                else:
                    self.switch(ask)
            except Refused as refused:
                self.clean()  # first: on a full disk that is the room for the answer
                self.tell(ask, "refused", refused.why, refused.detail)
            except OSError as error:
                self.clean()
                full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
                self.tell(ask, "refused", "disk" if full else "install", str(error))
        self.clean()  # of one that was cut off earlier as well
        with contextlib.suppress(OSError):  # of a folder that is not the table's any more
            self.ask_file.unlink(missing_ok=True)

    def ask(self) -> dict | None:
        """The ask, as far as it makes sense."""
        try:
            data = taken(self.ask_file, MOST_ASK)
            found = json.loads(data)
        except (OSError, ValueError, RecursionError):
            return None
        fits = (
            isinstance(found, dict)
            and found.get("do") in ("stage", "switch")
            and type(found.get("id")) is int
            and re.fullmatch(MANIFEST["sha256"], str(found.get("sha256")))
            and re.fullmatch(MANIFEST["release"], str(found.get("release")))
        )
        return found if fits else None

    def tell(self, ask: dict, step: str, why: str = "", detail: str = "") -> None:
        """How the ask stands, on the disk before anything else is done."""
        told = {name: ask[name] for name in ("id", "sha256", "release")} | {"step": step}
        told |= ({"why": why} if why else {}) | ({"detail": detail[-400:]} if detail else {})
        part = self.place / ".state.json.part"
        with part.open("w", encoding="utf-8") as file:
            json.dump(told, file)
            file.flush()
            os.fsync(file.fileno())
        part.chmod(0o644)
        part.replace(self.place / "state.json")
        print("guandan:", ask["release"], step, why, detail[-400:], flush=True)

    def read(self, path: Path) -> str:
        try:
            return path.read_text("utf-8").strip()
        except OSError:
            return ""

    def current(self) -> str:
        try:
            return (self.opt / "current").readlink().name
        except OSError:
            return ""

    def complete(self, release: str) -> bool:
        return (self.opt / "releases" / release / "complete").is_file()

    # -- stage ------------------------------------------------------------------------------------------------------

    def stage(self, ask: dict) -> None:
        """Copy, check, unpack, and let the release's own installer prepare it."""
        self.clean()
        if self.current() == ask["release"] and self.complete(ask["release"]):
            self.tell(ask, "running")
            return
        self.tell(ask, "checking")
        copy = self.place / "incoming"
        self.fetch(self.inbox / ask["sha256"], copy)
        with copy.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != ask["sha256"]:
                raise Refused("damaged", "hash")
        found = check(copy, self.root)
        if found["release"] != ask["release"]:
            raise Refused("damaged", "another release than was asked for")
        if not (self.complete(found["release"]) and self.read(self.opt / "staged") == found["release"]):
            self.tell(ask, "staging")
            self.prepare(copy, found)
        self.clean()
        self.tell(ask, "staged")

    def fetch(self, path: Path, copy: Path) -> None:
        """The table's file, to where the table cannot change it any more."""
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            raise Refused("gone") from None
        with os.fdopen(handle, "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST:
                raise Refused("damaged", "no file")
            if shutil.disk_usage(self.place).free < NEEDED * about.st_size:
                raise Refused("disk", f"{NEEDED * about.st_size >> 20} MB are needed")
            with copy.open("wb") as target:
                shutil.copyfileobj(file, target, 1 << 20)
                target.flush()
                os.fsync(target.fileno())

    def prepare(self, copy: Path, found: dict[str, str]) -> None:
        tree = self.place / "tree"
        tree.mkdir()
        with tarfile.open(copy, "r:") as box, tarfile.open(fileobj=box.extractfile(MEMBERS[2]), mode="r:") as payload:
            if hasattr(tarfile, "data_filter"):
                payload.extractall(tree, filter="data")
            else:  # Bookworm's first Python 3.11; what is signed is ours
                payload.extractall(tree)
        with tarfile.open(copy, "r:") as box:
            (tree / "release.manifest").write_bytes(box.extractfile(MEMBERS[0]).read())
        self.install(tree, "--wheelhouse", str(tree / "wheels"), "--stage")
        if self.read(self.opt / "staged") != found["release"] or not self.complete(found["release"]):
            raise Refused("damaged", "it is not the release that it says")

    # -- switch -----------------------------------------------------------------------------------------------------

    def switch(self, ask: dict) -> None:
        """Start the staged release; one that does not start is left for the one before, by its installer."""
        release = ask["release"]
        if self.read(self.opt / "staged") != release:
            if self.current() == release:
                self.tell(ask, "running")
                return
            told = self.read(self.place / "state.json")
            if '"switching"' in told and release in told:  # cut off while it was going back
                self.tell(ask, "back", "start")
                return
            raise Refused("gone", "it is not staged")
        if not self.complete(release):
            raise Refused("gone", "it is not staged")
        if self.played() != "free":
            self.tell(ask, "staged")
            return
        self.tell(ask, "switching")
        try:
            self.install(self.opt / "releases" / release, "--switch")
        except Refused as refused:
            self.tell(ask, "back", "start", refused.detail)
            return
        self.tell(ask, "running")

    def played(self) -> str:
        """What the table says of itself: ``free``, or that a match is on."""
        try:
            return taken(self.inbox / "play", MOST_ASK).decode("utf-8").strip()
        except (OSError, ValueError):
            return ""

    # -- both -------------------------------------------------------------------------------------------------------

    def install(self, tree: Path, *words: str) -> None:
        there = [] if self.root == Path("/") else ["--root", str(self.root)]
        told = subprocess.run(
            ["sh", str(tree / "systemd/install.sh"), *words, *there], stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        print(told.stdout, end="", flush=True)
        if told.returncode != 0:
            raise Refused("disk" if "No space left" in told.stdout else "install", told.stdout)

    def clean(self) -> None:
        (self.place / "incoming").unlink(missing_ok=True)
        shutil.rmtree(self.place / "tree", ignore_errors=True)


def taken(path: Path, most: int) -> bytes:
    """What is in the file at *path*, which somebody else may have laid there to be read elsewhere."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError("no file")
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError("too long")
    return data


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path("/"))
    parser.add_argument("--check", type=Path)
    args = parser.parse_args()
    if args.check is None:
        Taker(args.root).run()
        return 0
    try:
        print(json.dumps({"step": "good"} | check(args.check, args.root)))
    except Refused as refused:
        print(json.dumps({"step": "refused", "why": refused.why, "detail": refused.detail}))
    except OSError as error:
        print(json.dumps({"step": "refused", "why": "damaged", "detail": str(error)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
