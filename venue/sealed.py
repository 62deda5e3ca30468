"""Web push on the wire: a message that one browser alone can open (RFC 8291), under our signature (RFC 8292)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from venue.sentences import Impossible, Unreadable

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey

RECORD: Final = 4096
"""Bytes of the one record that a message may be (RFC 8188)."""
PADDED: Final = 512
"""Bytes that every message has before it is sealed: its length tells nothing either."""
SIGNED_FOR: Final = 12 * 3600
"""Seconds that a signature is good for; 24 hours are the most that push services take."""


def _ec() -> Any:
    """The elliptic curves.

    :raises Impossible: where the package is not installed; the venue works without it.
    """
    try:
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError:
        raise Impossible("push_library") from None
    return ec


def new_key() -> str:
    """A key that signs: 32 bytes as text.

    :raises Impossible: where ``cryptography`` is not installed.
    """
    ec = _ec()
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return text_of(number.to_bytes(32, "big"))


def public_of(private: str) -> str:
    """What browsers are given of the key *private*: 65 bytes as text."""
    return text_of(_point(_private(private).public_key()))


def check_keys(public: str, auth: str) -> None:
    """Whether a browser's keys can seal anything.

    :raises Unreadable: when they cannot. :raises Impossible: where ``cryptography`` is not installed.
    """
    _ec()
    try:
        _public(bytes_of(public))
        fits = len(bytes_of(auth)) == 16
    except ValueError:
        fits = False
    if not fits:
        raise Unreadable("push_keys")


def seal(
    message: bytes, public: str, auth: str, own: str | None = None, salt: bytes | None = None, padded: int = PADDED
) -> bytes:
    """The body of a request: *message* for the browser whose keys *public* and *auth* are. *own* and *salt* are new
    ones each time, unless somebody checks an example.
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    ec, theirs = _ec(), bytes_of(public)
    ours, salt = _private(own or new_key()), salt or os.urandom(16)
    shared, mine = ours.exchange(ec.ECDH(), _public(theirs)), _point(ours.public_key())
    source = _expand(_hmac(bytes_of(auth), shared), b"WebPush: info\0" + theirs + mine, 32)
    root = _hmac(salt, source)
    key, nonce = _expand(root, b"Content-Encoding: aes128gcm\0", 16), _expand(root, b"Content-Encoding: nonce\0", 12)
    record = (message + b"\x02").ljust(padded, b"\0")  # 2 ends the last record; zeros hide how long it is
    if len(record) + 16 > RECORD:
        raise ValueError("a message is one record")
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(mine)]) + mine
    return head + AESGCM(key).encrypt(nonce, record, None)


def signature(private: str, endpoint: str, contact: str, now: float) -> str:
    """The request's ``authorization``: who sends, to which push service, until when, and the public key."""
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
    from cryptography.hazmat.primitives.hashes import SHA256

    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now) + SIGNED_FOR, "sub": f"mailto:{contact}"}
    words = ".".join(text_of(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(_private(private).sign(words.encode(), _ec().ECDSA(SHA256())))
    mark = text_of(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={words}.{mark}, k={public_of(private)}"


def text_of(raw: bytes) -> str:
    """*raw* as push writes it: base64 for addresses, without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    """The bytes of :func:`text_of`.

    :raises ValueError: when it is no such text.
    """
    return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)


def _private(text: str) -> EllipticCurvePrivateKey:
    ec = _ec()
    key: EllipticCurvePrivateKey = ec.derive_private_key(int.from_bytes(bytes_of(text), "big"), ec.SECP256R1())
    return key


def _public(point: bytes) -> EllipticCurvePublicKey:
    ec = _ec()
    if len(point) != 65 or point[0] != 4:
        raise ValueError("no uncompressed point")
    key: EllipticCurvePublicKey = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    return key


def _point(key: EllipticCurvePublicKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def _expand(root: bytes, info: bytes, length: int) -> bytes:
    """The first block of HKDF, which is all that is needed."""
    return _hmac(root, info + b"\x01")[:length]
