"""The fonts of this machine that can print a card's index, found and judged once.  Training and development only."""

from __future__ import annotations

import json
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.art import Pixels
from simulator.art.glyphs import cropped
from simulator.refusals import Unreadable

_LETTERS: Final = "A0123456789JQK"
_SUITS: Final = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
_PLAIN: Final = (
    "DejaVuSans",
    "DejaVuSans-Bold",
    "DejaVuSerif",
    "DejaVuSerif-Bold",
    "LiberationSans-Regular",
    "LiberationSerif-Regular",
    "LiberationSerif-Bold",
    "LiberationSansNarrow-Bold",
    "Lato-Regular",
    "RobotoSlab-Regular",
    "BebasNeue-Regular",
    "C059-Bold",
    "NimbusRoman-Regular",
    "URWGothic-Book",
    "Comfortaa-Regular",
    "YanoneKaffeesatz-Regular",
    "OldStandard-Regular",
    "P052-Bold",
)
_SLANTED: Final = ("Italic", "Oblique", "italic", "oblique", "Slanted", "-It.", "Math", "Emoji", "emoji")
_LEAST_LIKENESS: Final = 0.62


@lru_cache(maxsize=1)
def index_fonts() -> list[str]:
    """Paths of fonts whose letters and digits look like card indices, in a fixed order."""
    return _known()["index"]


@lru_cache(maxsize=1)
def suit_fonts() -> list[str]:
    """Paths of fonts with four filled suit signs."""
    return _known()["suits"]


@lru_cache(maxsize=1)
def chinese_fonts() -> list[str]:
    """Paths of fonts that can write 大王 and 小王."""
    return _known()["chinese"]


def _known() -> dict[str, list[str]]:
    from simulator.art.debian import cache_directory

    path = cache_directory() / "fonts.json"
    if not path.exists():
        path.write_text(json.dumps(_judge(), indent=0), encoding="utf-8")
    known: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
    return known


def _judge() -> dict[str, list[str]]:
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    try:
        listed = subprocess.run(["fc-list", ":", "file"], check=True, capture_output=True, text=True).stdout
    except FileNotFoundError:
        raise Unreadable("no_fontconfig") from None
    files = sorted({line.split(":")[0] for line in listed.splitlines()})
    index: list[str] = []
    suits: list[str] = []
    chinese: list[str] = []
    plain = {Path(file).stem: file for file in files if Path(file).stem in _PLAIN}
    models = [[_shape(file, letter) for letter in _LETTERS] for file in plain.values()]
    for file in files:
        if not file.lower().endswith((".ttf", ".otf", ".ttc")):
            continue
        try:
            characters = TTFont(file, lazy=True, fontNumber=0).getBestCmap() or {}
        except Exception:  # a broken font is no use, whatever is wrong with it
            continue
        if ord("大") in characters and ord("王") in characters and ord("小") in characters:
            chinese.append(file)
        if (
            all(ord(sign) in characters for sign in _SUITS.values())
            and "FreeSerifBold" not in file
            and _four_signs(file)
        ):
            suits.append(file)  # FreeSerif Bold has its spade and club exchanged
        if any(part in Path(file).name for part in _SLANTED):
            continue
        if all(ord(letter) in characters for letter in _LETTERS) and _legible(file, models):
            index.append(file)
    return {"index": _thinned(index), "suits": suits, "chinese": chinese}


def _thinned(files: list[str]) -> list[str]:
    """*files* without those whose digits look the same as another's (families for other scripts repeat their Latin)."""
    seen: set[bytes] = set()
    kept = []
    for file in files:
        look = b"".join((_shape(file, letter) > 0.5).tobytes() for letter in "A4Q7")
        if look not in seen:
            seen.add(look)
            kept.append(file)
    return kept


def _shape(file: str, letter: str) -> NDArray[np.float32]:
    """A letter as a picture of 20 x 28 whatever its size and proportions."""
    try:
        mask = text_mask(file, letter, 48)
    except (OSError, ValueError):
        return np.zeros((28, 20), np.float32)
    if not mask.size or not mask.any():
        return np.zeros((28, 20), np.float32)
    return np.asarray(cv2.resize(mask, (20, 28), interpolation=cv2.INTER_AREA).astype(np.float32) / 255)


def _legible(file: str, models: list[list[NDArray[np.float32]]]) -> bool:
    for number, letter in enumerate(_LETTERS):
        shape = cv2.GaussianBlur(_shape(file, letter), (0, 0), 1.2).ravel()
        if shape.std() < 1e-3:
            return False
        likeness = max(
            float(np.corrcoef(shape, cv2.GaussianBlur(model[number], (0, 0), 1.2).ravel())[0, 1]) for model in models
        )
        if likeness < _LEAST_LIKENESS:
            return False
    return True


def _four_signs(file: str) -> bool:
    shapes = [_shape(file, sign) for sign in _SUITS.values()]
    if min(shape.mean() for shape in shapes) < 0.33:
        return False
    return all(np.abs(a - b).mean() > 0.04 for i, a in enumerate(shapes) for b in shapes[:i])


def text_mask(file: str, text: str, height: int) -> Pixels:
    """*text* printed with the font at *file*, ink about *height* pixels high, cropped to the ink.

    :raises OSError: when the file is no font.
    """
    from PIL import Image, ImageDraw

    font = _font(file, max(10, round(height * 1.5)))
    left, top, right, bottom = (int(side) for side in font.getbbox(text))
    image = Image.new("L", (max(1, right - left) + 8, max(1, bottom - top) + 8), 0)
    ImageDraw.Draw(image).text((4 - left, 4 - top), text, font=font, fill=255)
    return cropped(np.asarray(image, np.uint8))


@lru_cache(maxsize=64)
def _font(file: str, size: int):  # type: ignore[no-untyped-def]
    from PIL import ImageFont

    return ImageFont.truetype(file, size)
