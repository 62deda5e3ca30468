"""Colours, sizes and motion of the screens, read from ``assets/theme.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ASSETS = Path(__file__).resolve().parent.parent / "assets"
Colour = tuple[int, int, int]


def _colour(text: str) -> Colour:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


@dataclass(frozen=True)
class Theme:
    """What the screens look like; lengths in millimetres, :meth:`px` turns them into pixels."""

    width: int
    height: int
    px_per_mm: float
    margin: float
    colours: dict[str, Colour]
    sizes: dict[str, float]
    motion: float

    @property
    def width_mm(self) -> float:
        return self.width / self.px_per_mm

    @property
    def height_mm(self) -> float:
        return self.height / self.px_per_mm

    @property
    def tall(self) -> bool:
        """Whether the screen stands upright."""
        return self.height > self.width

    def px(self, mm: float) -> int:
        return round(mm * self.px_per_mm)

    def side(self, seat_or_side: str) -> Colour:
        """The accent of a side, or of the side a seat belongs to."""
        return self.colours["north_south" if seat_or_side in ("NS", "N", "S") else "east_west"]

    def suit(self, suit: str, four_colours: bool) -> Colour:
        """The ink of a suit (``S H C D``)."""
        if four_colours:
            name = {"S": "four_spade", "H": "four_heart", "D": "four_diamond", "C": "four_club"}[suit]
        else:
            name = "heart" if suit in "HD" else "spade"
        return self.colours[name]


@cache
def theme(width: int = 0, height: int = 0) -> Theme:
    """The theme that ships, for a screen of *width* x *height* pixels; without them for the usual display.

    A size that is no known display's is taken for a 7-inch one: lengths keep their share of the window.
    """
    read: dict[str, Any] = tomllib.loads((ASSETS / "theme.toml").read_text("utf-8"))
    screen, known = read["screen"], read["display"]
    if not width or not height:
        width, height = map(int, screen["usual"].split("x"))
    scale = known.get(f"{width}x{height}")
    if scale is None:
        scale = min(max(width, height) / screen["long"], min(width, height) / screen["short"])
    return Theme(
        width=width, height=height, px_per_mm=scale, margin=screen["margin"],
        colours={name: _colour(text) for name, text in read["colour"].items()},
        sizes=read["size"], motion=read["motion"]["seconds"],
    )  # fmt: skip


def displays() -> list[tuple[int, int]]:
    """The sizes of the displays that are known."""
    read = tomllib.loads((ASSETS / "theme.toml").read_text("utf-8"))["display"]
    return [tuple(map(int, name.split("x"))) for name in read]  # type: ignore[misc]
