"""Whether a film's file is whole, as far as its boxes tell."""

from __future__ import annotations

from pathlib import Path
from typing import Final

BOXES: Final = frozenset({b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"uuid", b"moof", b"mfra", b"sidx",
                          b"pdin", b"meta", b"styp", b"emsg"})  # fmt: skip
"""What an MP4 or QuickTime file is made of at its top; ``moov`` is the index without which no frame can be found."""
MOST: Final = 100_000


def is_cut_short(path: Path) -> bool:
    """Whether *path* is an MP4 or QuickTime film whose file ends before its index does."""
    size, place, index = path.stat().st_size, 0, False
    with path.open("rb") as film:
        for number in range(MOST):
            head = film.read(16)
            kind = head[4:8]
            if not number and kind != b"ftyp":
                return False
            if len(head) < 8:
                return not index
            if kind not in BOXES:
                return False
            length = int.from_bytes(head[:4], "big")
            if length == 1:
                length = int.from_bytes(head[8:16], "big")
            if 1 < length < 8:
                return False
            if place + length > size or length == 0:  # 0: up to the end of the file
                return not index or kind == b"moov"
            index |= kind == b"moov"
            place += length
            film.seek(place)
    return False
