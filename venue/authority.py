"""A small authority of the venue's own, for ``https`` where no public one gives a certificate: a hall's own network.

Made with Debian's ``openssl``. The authority's key never leaves this folder and signs nothing but this venue's own
certificate, which names the addresses that the venue has and is made anew when those change.
"""

from __future__ import annotations

import hashlib
import ipaddress
import os
import ssl
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from venue.sentences import Impossible

AUTHORITY_DAYS: Final = 3650
CERTIFICATE_DAYS: Final = 397
"""Phones refuse certificates that are good for longer."""
RENEW_BEFORE: Final = 30 * 86400.0


class Authority:
    """The authority kept in *folder*; made there when there is none.

    :raises Impossible: when there is no ``openssl`` on this machine, or it refuses.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.certificate = folder / "authority.pem"
        self._key = folder / "authority.key"
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        if not (self._key.exists() and self.certificate.exists()):
            self._new_key(self._key)
            _openssl(
                "req", "-x509", "-new", "-key", str(self._key), "-sha256", "-days", str(AUTHORITY_DAYS),
                "-subj", f"/CN=Guandan venue {os.uname().nodename}"[:64], "-out", str(self.certificate),
                "-addext", "basicConstraints=critical,CA:TRUE,pathlen:0",
                "-addext", "keyUsage=critical,keyCertSign,cRLSign",
            )  # fmt: skip

    def _new_key(self, path: Path) -> None:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)  # before anything secret is in it
        os.close(handle)
        _openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", str(path))
        path.chmod(0o600)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the authority's certificate: what a person compares."""
        return fingerprint(self.certificate.read_text("ascii"))

    def issue(self, names: Sequence[str]) -> tuple[Path, Path]:
        """Certificate and key of a server with the addresses *names*; those that are here, while they still fit."""
        certificate, key, noted = (self.folder / name for name in ("venue.pem", "venue.key", "venue.names"))
        wanted = "\n".join(names)
        fresh = (
            certificate.exists() and time.time() - certificate.stat().st_mtime < CERTIFICATE_DAYS * 86400 - RENEW_BEFORE
        )
        if fresh and key.exists() and noted.exists() and noted.read_text("utf-8") == wanted:
            return certificate, key
        self._new_key(key)
        request, extension = self.folder / "venue.csr", self.folder / "venue.ext"
        _openssl("req", "-new", "-key", str(key), "-subj", f"/CN={names[0]}"[:64], "-out", str(request))
        extension.write_text(
            f"subjectAltName={','.join(map(_alternative, names))}\nbasicConstraints=critical,CA:FALSE\n"
            "keyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\n"
        )
        _openssl(
            "x509", "-req", "-in", str(request), "-CA", str(self.certificate), "-CAkey", str(self._key),
            "-CAcreateserial", "-sha256", "-days", str(CERTIFICATE_DAYS), "-extfile", str(extension),
            "-out", str(certificate),
        )  # fmt: skip
        request.unlink()
        extension.unlink()
        noted.write_text(wanted, "utf-8")
        return certificate, key


def fingerprint(pem: str) -> str:
    """SHA-256 of a certificate, in small letters and digits."""
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest()


def _alternative(name: str) -> str:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return f"DNS:{name}"
    return f"IP:{name.strip('[]')}"


def _openssl(*words: str) -> None:
    try:
        told = subprocess.run(
            ["openssl", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise Impossible("openssl_missing") from None
    if told.returncode != 0:
        raise Impossible("openssl_refused", why=" ".join(told.stderr.split())[-200:])
