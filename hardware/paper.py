"""Pictures of two colours for receipt printers, and the few words of ESC/POS that print them: pure.

Printers disagree on Chinese text (GB18030, GBK, UTF-8, nothing), so a slip is always a picture. What is sent here is
what every ESC/POS printer of the last twenty years knows: reset, raster in bands, feed, cut. (python-escpos would bring
nine packages for the same bytes; a test holds a picture of its making against ours.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

BAND: Final = 128
"""Rows sent at once: cheap printers have small memories."""
RESET, CUT = b"\x1b@", b"\x1dV\x42\x00"
FEED: Final = 4
"""Lines to feed at the end, so that the last row clears the tear bar."""


@dataclass(frozen=True)
class Bitmap:
    """*width* dots a row, eight to a byte, the leftmost in the highest bit; a set bit is black."""

    width: int
    rows: bytes

    @property
    def stride(self) -> int:
        return (self.width + 7) // 8

    @property
    def height(self) -> int:
        return len(self.rows) // self.stride

    def black(self, x: int, y: int) -> bool:
        return bool(self.rows[y * self.stride + x // 8] >> (7 - x % 8) & 1)


def escpos(picture: Bitmap, cut: bool = True) -> bytes:
    """The bytes that print *picture* and feed it out."""
    parts = [RESET]
    for top in range(0, picture.height, BAND):
        rows = picture.rows[top * picture.stride : (top + BAND) * picture.stride]
        height = len(rows) // picture.stride
        parts.append(b"\x1dv0\x00" + picture.stride.to_bytes(2, "little") + height.to_bytes(2, "little") + rows)
    parts.append(b"\x1bd" + bytes([FEED]))
    if cut:
        parts.append(CUT)
    return b"".join(parts)


class NotPrintable(ValueError):
    """Bytes that no printer of ours would understand."""


def printed(data: bytes) -> list[Bitmap]:
    """What a printer would put on paper: one picture a slip (each reset begins one). The fake printer's head.

    :raises NotPrintable: at the first byte that is none of the words above.
    """
    slips: list[list[bytes]] = []
    width, at = 0, 0
    while at < len(data):
        if data.startswith(RESET, at):
            slips.append([])
            at += 2
        elif data.startswith(b"\x1dv0\x00", at):
            stride = int.from_bytes(data[at + 4 : at + 6], "little")
            height = int.from_bytes(data[at + 6 : at + 8], "little")
            rows = data[at + 8 : at + 8 + stride * height]
            if not slips or len(rows) < stride * height or (slips[-1] and stride * 8 != width):
                raise NotPrintable(f"a picture at byte {at} is cut short or of another width")
            width = stride * 8
            slips[-1].append(rows)
            at += 8 + stride * height
        elif data.startswith(b"\x1bd", at):
            at += 3
        elif data.startswith(CUT, at):
            at += len(CUT)
        else:
            raise NotPrintable(f"byte {at} is {data[at]:#04x}, which begins nothing that is known")
    return [Bitmap(width, b"".join(rows)) for rows in slips]
