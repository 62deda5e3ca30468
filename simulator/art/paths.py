"""The signs of our own card designs as vector paths: ranks and joker letters as strokes, suits as outlines.

Everything here is ours; a stroke lives in a box 60 wide (the ten 92) and 100 high, a suit in a square from -1 to 1.
"""

# ruff: noqa: E501 - the long lines are path data

from __future__ import annotations

from typing import Final

STROKES: Final[dict[str, tuple[float, str]]] = {
    "A": (60, "M4,100 L30,0 L56,100 M13,67 L47,67"),
    "2": (60, "M5,27 C5,-9 55,-9 55,26 C55,48 18,66 5,100 L57,100"),
    "3": (60, "M7,18 C14,-6 53,-7 53,24 C53,42 40,48 25,48 C44,48 57,56 57,74 C57,108 8,108 4,80"),
    "4": (60, "M43,100 L43,0 L3,70 L59,70"),
    "5": (60, "M52,0 L15,0 L10,45 C27,31 57,37 57,68 C57,107 10,108 4,82"),
    "6": (60, "M50,2 C24,14 4,42 4,69 C4,110 56,110 56,69 C56,34 12,34 4.5,64"),
    "7": (60, "M4,0 L57,0 C40,28 24,62 22,100"),
    "8": (60, "M30,48 C-2,48 0,0 30,0 C60,0 62,48 30,48 C-6,48 -6,100 30,100 C66,100 66,48 30,48 Z"),
    "9": (60, "M10,98 C36,86 56,58 56,31 C56,-10 4,-10 4,31 C4,66 48,66 55.5,36"),
    "T": (92, "M3,18 L20,0 L20,100 M66,0 C36,0 36,100 66,100 C96,100 96,0 66,0 Z"),
    "J": (60, "M22,0 L54,0 M42,0 L42,72 C42,109 4,109 4,76"),
    "Q": (60, "M30,0 C-5,0 -5,100 30,100 C65,100 65,0 30,0 Z M33,74 L57,106"),
    "K": (60, "M7,0 L7,100 M55,0 L7,60 M25,38 L57,100"),
    "O": (60, "M30,0 C-5,0 -5,100 30,100 C65,100 65,0 30,0 Z"),
    "E": (56, "M52,0 L7,0 L7,100 L54,100 M7,48 L44,48"),
    "R": (60, "M7,100 L7,0 L30,0 C62,0 62,53 30,53 L7,53 M32,53 L56,100"),
    "大": (100, "M6,36 L94,36 M50,0 L50,30 C50,62 34,86 4,100 M51,40 C58,66 74,88 98,100"),
    "小": (100, "M50,0 L50,92 C50,102 40,99 32,92 M24,34 C20,54 12,68 2,80 M74,34 C84,48 92,62 98,78"),
    "王": (100, "M8,4 L92,4 M14,48 L86,48 M2,96 L98,96 M50,4 L50,96"),
}
"""Each sign's width and its strokes."""

SERIFS: Final[dict[str, str]] = {
    "A": "M-4,100 L13,100 M47,100 L64,100",
    "4": "M30,100 L56,100",
    "7": "M4,0 L4,14",
    "T": "M6,100 L34,100",
    "J": "",
    "K": "M-3,0 L18,0 M-3,100 L18,100 M44,0 L63,0 M46,100 L66,100",
    "2": "M57,100 L57,86",
    "5": "M52,0 L52,10",
}
"""Short feet that the river design adds."""

SUITS: Final[dict[str, str]] = {
    "H": "M0,1 C-0.12,0.74 -0.98,0.22 -0.98,-0.4 C-0.98,-0.78 -0.72,-0.98 -0.46,-0.98 C-0.22,-0.98 -0.06,-0.8 0,-0.56 "
    "C0.06,-0.8 0.22,-0.98 0.46,-0.98 C0.72,-0.98 0.98,-0.78 0.98,-0.4 C0.98,0.22 0.12,0.74 0,1 Z",
    "S": "M0,-1 C0.14,-0.68 0.94,-0.24 0.94,0.28 C0.94,0.6 0.72,0.76 0.5,0.76 C0.32,0.76 0.16,0.66 0.07,0.5 "
    "C0.1,0.76 0.2,0.92 0.38,1 L-0.38,1 C-0.2,0.92 -0.1,0.76 -0.07,0.5 C-0.16,0.66 -0.32,0.76 -0.5,0.76 "
    "C-0.72,0.76 -0.94,0.6 -0.94,0.28 C-0.94,-0.24 -0.14,-0.68 0,-1 Z",
    "D": "M0,-1 C0.2,-0.58 0.46,-0.24 0.78,0 C0.46,0.24 0.2,0.58 0,1 C-0.2,0.58 -0.46,0.24 -0.78,0 "
    "C-0.46,-0.24 -0.2,-0.58 0,-1 Z",
    "C": "M0.07,0.3 C0.16,0.56 0.36,0.68 0.55,0.68 C0.8,0.68 0.98,0.48 0.98,0.24 C0.98,-0.02 0.78,-0.2 0.54,-0.2 "
    "C0.46,-0.2 0.38,-0.18 0.3,-0.13 C0.4,-0.24 0.46,-0.38 0.46,-0.54 C0.46,-0.8 0.26,-1 0,-1 C-0.26,-1 -0.46,-0.8 -0.46,-0.54 "
    "C-0.46,-0.38 -0.4,-0.24 -0.3,-0.13 C-0.38,-0.18 -0.46,-0.2 -0.54,-0.2 C-0.78,-0.2 -0.98,-0.02 -0.98,0.24 "
    "C-0.98,0.48 -0.8,0.68 -0.55,0.68 C-0.36,0.68 -0.16,0.56 -0.07,0.3 C-0.09,0.64 -0.18,0.88 -0.38,1 "
    "L0.38,1 C0.18,0.88 0.09,0.64 0.07,0.3 Z",
}


def rank_svg(
    sign: str, x: float, y: float, height: float, colour: str, weight: float, serifs: bool = False, squeeze: float = 1.0
) -> str:
    """*sign* with its top at *y* and its middle at *x*; *weight* is the stroke's width as a share of the height."""
    width, strokes = STROKES[sign]
    inner = height * (1 - weight)
    scale = inner / 100
    wide = scale * squeeze
    left = x - width / 2 * wide
    extra = f" {SERIFS.get(sign, '')}" if serifs else ""
    return (
        f'<g transform="translate({left:.3f},{y + height * weight / 2:.3f}) scale({wide:.5f},{scale:.5f})">'
        f'<path d="{strokes}{extra}" fill="none" stroke="{colour}" stroke-width="{weight * 100 / (1 - weight):.2f}" '
        f'stroke-linejoin="{"miter" if serifs else "round"}" stroke-linecap="{"butt" if serifs else "round"}" stroke-miterlimit="3"/></g>'
    )


def suit_svg(suit: str, x: float, y: float, height: float, colour: str, turned: bool = False) -> str:
    """A suit sign with its middle at *x*, *y*."""
    half = height / 2
    turn = " rotate(180)" if turned else ""
    return f'<path transform="translate({x:.3f},{y:.3f}) scale({half:.4f}){turn}" d="{SUITS[suit]}" fill="{colour}"/>'
