"""A file into a picture: any common format, any depth, upright, and never more memory than a large photo needs.

The file's header is looked at before anything is decoded, so that a bomb of 20,000 x 20,000 pixels is shrunk while it
is read (JPEG) or refused. What comes out is always BGR uint8 as a person would see it: EXIF rotation applied,
transparency laid over a dark table, 16 bits brought to 8.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.errors import CannotSee
from vision.quiet import decoded

MOST_BYTES: Final = 200 << 20
MOST_PIXELS: Final = 110_000_000
"""Largest picture that is decoded whole."""
COMFORTABLE: Final = 40_000_000
"""JPEGs above this are shrunk while they are decoded."""
TABLE: Final = 48.0
"""Grey that shows through transparent pixels."""


_REDUCED: Final = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
_MARK: Final = re.compile(rb"\xff[^\x00\x01\xd0-\xd8\xff]")
"""A JPEG marker that is neither stuffing nor a restart."""


@dataclass(frozen=True)
class Picture:
    """A decoded picture: ``image`` may be smaller than the file's ``width`` x ``height``."""

    image: np.ndarray
    width: int
    height: int


@dataclass(frozen=True)
class Header:
    """What a file's first bytes say: its kind and size; 0 x 0 when this module does not know the kind's header."""

    kind: str
    width: int = 0
    height: int = 0
    progressive: bool = False


def load(path: str | Path) -> Picture:
    """The picture in the file at *path*.

    :raises CannotSee: with one sentence, when there is no such file, it is empty, cut short, too large or no picture.
    """
    path = Path(path)
    if not path.exists():
        raise CannotSee("no_file", file=path)
    if path.is_dir():
        raise CannotSee("folder", file=path)
    if not path.is_file():
        raise CannotSee("not_ordinary", file=path)
    size = path.stat().st_size
    if size == 0:
        raise CannotSee("empty", file=path)
    if size > MOST_BYTES:
        raise CannotSee("large_file", file=path, size=size >> 20, most=MOST_BYTES >> 20)
    try:
        data = path.read_bytes()
    except PermissionError as error:
        raise CannotSee("not_allowed", file=path) from error
    return decode(data, str(path))


def decode(data: bytes, name: str) -> Picture:
    """The picture in *data*; *name* is how messages call it.

    :raises CannotSee: as :func:`load`.
    """
    header = look(data)
    if header is None:
        raise CannotSee("no_picture", file=name)
    if header.kind == "heic":
        raise CannotSee("heic", file=name)
    if is_cut_short(data, header):
        raise CannotSee("cut_short", file=name)
    pixels = header.width * header.height
    flag = cv2.IMREAD_COLOR
    shrink = 1
    if header.kind == "jpeg":
        while pixels / shrink**2 > COMFORTABLE and shrink < 8:
            shrink *= 2
        flag = _REDUCED[shrink]
    # A progressive JPEG is held whole while it is decoded, however small it comes out.
    if pixels > MOST_PIXELS and (shrink == 1 or header.progressive or pixels / shrink**2 > COMFORTABLE):
        raise CannotSee(
            "many_pixels", file=name, width=header.width, height=header.height, most=MOST_PIXELS // 1_000_000,
        )  # fmt: skip
    image = _decode(data, flag, header.kind)
    if image is None or image.size == 0:
        raise CannotSee("damaged", file=name)
    height, width = image.shape[:2]
    if shrink > 1:
        # The header's sides, in the order that EXIF rotation gave the picture.
        turned = (width > height) != (header.width > header.height)
        full = (header.height, header.width) if turned else (header.width, header.height)
        return Picture(image, *full)
    return Picture(image, width, height)


def _decode(data: bytes, flag: int, kind: str) -> np.ndarray | None:
    buffer = np.frombuffer(data, np.uint8)
    if kind != "jpeg":
        raw = decoded(buffer, cv2.IMREAD_UNCHANGED)
        if raw is None:
            return None
        if raw.dtype != np.uint8 or (raw.ndim == 3 and raw.shape[2] == 4):
            return _plain(raw)
    return decoded(buffer, flag)


def _plain(raw: np.ndarray) -> np.ndarray | None:
    """Any depth and channels as BGR uint8."""
    if raw.ndim == 2:
        raw = raw[:, :, None]
    alpha = raw[:, :, 3:4] if raw.shape[2] == 4 else None
    colour = raw[:, :, :3] if raw.shape[2] >= 3 else np.repeat(raw[:, :, :1], 3, axis=2)
    colour8 = _to_bytes(colour)
    if alpha is None:
        return colour8
    share = _to_bytes(alpha).astype(np.float32) / 255
    return np.round(colour8 * share + TABLE * (1 - share)).astype(np.uint8)


def _to_bytes(values: np.ndarray) -> np.ndarray:
    if values.dtype == np.uint8:
        return values
    if values.dtype == np.uint16:
        # Cameras of 10 and 12 bits often store their values unshifted.
        top = int(values.max(initial=0))
        bits = 8 if top >= 1 << 12 else 4 if top >= 1 << 10 else 2 if top >= 1 << 8 else 0
        return (values >> bits).clip(0, 255).astype(np.uint8)
    real = np.nan_to_num(values.astype(np.float32))
    brightest = float(real.max(initial=0.0))
    return (real * (255.0 if brightest <= 1.0 else 255.0 / brightest)).clip(0, 255).astype(np.uint8)


def look(data: bytes) -> Header | None:
    """What kind of picture *data* starts, and its size; None when it is no picture."""
    if data[:3] == b"\xff\xd8\xff":
        return _look_jpeg(data)
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        return Header("png", *struct.unpack(">II", data[16:24]))
    if data[:4] in (b"GIF8",) and len(data) >= 10:
        return Header("gif", *struct.unpack("<HH", data[6:10]))
    if data[:2] == b"BM" and len(data) >= 26:
        width, height = struct.unpack("<ii", data[18:26])
        return Header("bmp", abs(width), abs(height))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _look_webp(data)
    if data[:4] in (b"II*\0", b"MM\0*"):
        return _look_tiff(data)
    if data[4:8] == b"ftyp":
        return Header("avif" if data[8:12] in (b"avif", b"avis") else "heic") if _is_picture_brand(data) else None
    if data[:2] in (b"P1", b"P2", b"P3", b"P4", b"P5", b"P6") and data[2:3].isspace():
        return _look_pnm(data)
    if data[:4] == b"\x00\x00\x00\x0c" and data[4:8] == b"jP  " and len(data) >= 56:
        return Header("jp2", *reversed(struct.unpack(">II", data[48:56])))
    return None


def _is_picture_brand(data: bytes) -> bool:
    return data[8:12] in (b"avif", b"avis", b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1")


def _jpeg_marks(data: bytes) -> Iterator[tuple[int, int]]:
    """A JPEG's markers in order, (kind, place), without those inside of segments (a thumbnail has its own)."""
    mark = _MARK.search(data, 2)
    while mark:
        kind, place = data[mark.start() + 1], mark.start()
        yield kind, place
        if kind == 0xD9:
            return
        mark = _MARK.search(data, place + 2 + int.from_bytes(data[place + 2 : place + 4], "big"))


def _look_jpeg(data: bytes) -> Header:
    for kind, place in _jpeg_marks(data):
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC) and place + 9 <= len(data):
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return Header("jpeg", width, height, kind in (0xC2, 0xC6, 0xCA, 0xCE))
    return Header("jpeg")


def _look_webp(data: bytes) -> Header:
    part = data[12:16]
    if part == b"VP8X" and len(data) >= 30:
        return Header("webp", 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little"))
    if part == b"VP8 " and len(data) >= 30:
        width, height = struct.unpack("<HH", data[26:30])
        return Header("webp", width & 0x3FFF, height & 0x3FFF)
    if part == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return Header("webp", 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    return Header("webp")


def _look_tiff(data: bytes) -> Header:
    ends = "<" if data[:2] == b"II" else ">"
    sides = {256: 0, 257: 0}
    try:
        (place,) = struct.unpack_from(ends + "I", data, 4)
        (count,) = struct.unpack_from(ends + "H", data, place)
        for entry in range(min(count, 200)):
            tag, kind = struct.unpack_from(ends + "HH", data, place + 2 + 12 * entry)
            if tag in sides:
                (sides[tag],) = struct.unpack_from(ends + ("H" if kind == 3 else "I"), data, place + 10 + 12 * entry)
    except struct.error:
        pass
    return Header("tiff", sides[256], sides[257])


def _look_pnm(data: bytes) -> Header | None:
    words = [word for line in data[2:300].split(b"\n") for word in line.split(b"#")[0].split()]
    if len(words) < 2 or not (words[0].isdigit() and words[1].isdigit()):
        return None
    return Header("pnm", int(words[0]), int(words[1]))


def is_cut_short(data: bytes, header: Header) -> bool:
    """Whether the file ends before its picture does, as far as the format tells."""
    if header.kind == "jpeg":
        return not any(kind == 0xD9 for kind, _ in _jpeg_marks(data))
    if header.kind == "png":
        return b"IEND" not in data
    if header.kind == "webp":
        return len(data) < 8 + int.from_bytes(data[4:8], "little")
    return False
