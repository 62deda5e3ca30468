"""A push service of our own, over https, and the phones that it reaches: they open what comes as a browser would."""

import base64
import hashlib
import hmac
import http.server
import json
import os
import ssl
import threading

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from venue import outside
from venue.authority import Authority

HOST = "push.example"
PATIENCE = 60.0


def text(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def raw(said):
    return base64.urlsafe_b64decode(said + "=" * (-len(said) % 4))


def hkdf(salt, source, info, length):
    root = hmac.new(salt, source, hashlib.sha256).digest()
    return hmac.new(root, info + b"\x01", hashlib.sha256).digest()[:length]


def opened(body, key, auth):
    """What the browser whose private *key* and *auth* these are reads in *body* (RFC 8291, the receiving side)."""
    salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    sender, sealed = body[21 : 21 + length], body[21 + length :]
    assert len(sealed) <= size == 4096 and length == 65
    mine = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
    source = hkdf(auth, shared, b"WebPush: info\0" + mine + sender, 32)
    content = hkdf(salt, source, b"Content-Encoding: aes128gcm\0", 16)
    nonce = hkdf(salt, source, b"Content-Encoding: nonce\0", 12)
    plain = AESGCM(content).decrypt(nonce, sealed, None).rstrip(b"\0")
    assert plain[-1:] == b"\x02"
    return plain[:-1]


def claims_of(authorization, expected_key):
    """What the venue says in its signature, once that was checked (RFC 8292)."""
    scheme, _, words = authorization.partition(" ")
    token, key = (part.strip().partition("=")[2] for part in words.split(","))
    assert scheme == "vapid" and key == expected_key
    signed, _, mark = token.rpartition(".")
    halves = raw(mark)
    assert len(halves) == 64
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(key))
    public.verify(
        encode_dss_signature(int.from_bytes(halves[:32], "big"), int.from_bytes(halves[32:], "big")),
        signed.encode(), ec.ECDSA(SHA256()),
    )  # fmt: skip
    head, claims = (json.loads(raw(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    return claims


class Phone:
    """A browser that subscribed: its keys, and its address at the push service."""

    def __init__(self, service, name):
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.service, self.path = service, f"/send/{name}"
        self.endpoint = service.url + self.path

    def subscription(self):
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "public": text(point), "auth": text(self.auth)}

    def got(self):
        """What came, opened: headers and message."""
        mine = [(headers, body) for path, headers, body in list(self.service.got) if path == self.path]
        return [(headers, json.loads(opened(body, self.key, self.auth))) for headers, body in mine]


class PushService:
    """Answers *status* with *headers*, and only once *gate* opens; keeps what it took."""

    def __init__(self, folder):
        self.got, self.status, self.headers, self.gate, self.asked = [], 201, {}, threading.Event(), 0
        self.gate.set()
        outer = self

        class Answers(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                outer.asked += 1
                outer.gate.wait(PATIENCE)
                if outer.status == 201:
                    outer.got.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(outer.status)
                for name, value in outer.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        authority = Authority(folder)
        certificate, key = authority.issue([HOST])
        self.trusted = authority.certificate
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.server.daemon_threads = True
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.url = f"https://{HOST}:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def phone(self, name):
        return Phone(self, name)

    def stop(self):
        self.gate.set()
        self.server.shutdown()
        self.server.server_close()

    def join(self, monkeypatch):
        """Let this very machine be what the service's name leads to, and its authority be trusted; the rest of the
        look at an address is the real one.
        """
        real = outside.check

        def public(*_, **__):
            return [(None, None, None, "", ("93.184.216.34", 443))]

        def check(url, lan, lookup=None, longest=outside.LONGEST):
            found = real(url, lan, public if f"//{HOST}:" in url else numbers, longest)
            return outside.Address(found.parts, ("127.0.0.1",)) if f"//{HOST}:" in url else found

        monkeypatch.setattr(outside, "check", check)
        monkeypatch.setenv("SSL_CERT_FILE", str(self.trusted))


def numbers(host, _port, **_):
    """A look-up without a network: numbers are themselves, ``house.lan`` is the organiser's, other names are not."""
    known = {"house.lan": "192.168.1.20", "meta.example": "169.254.169.254"}
    if host not in known and not host[0].isdecimal() and ":" not in host:
        raise OSError("no such name")
    return [(None, None, None, "", (known.get(host, host), 443))]
