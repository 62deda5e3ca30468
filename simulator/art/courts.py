"""The court figures and jokers of our own designs, drawn as flat vector pictures.

A figure fills the upper half of a box 40 wide and 74 high (origin top left); the lower half is the same turned.
"""

# ruff: noqa: E501 - the long lines are path data

from __future__ import annotations

from dataclasses import dataclass

from simulator.art.paths import suit_svg


@dataclass(frozen=True)
class Dress:
    """The colours of one suit's court: robe, its lining, trim, hair, skin, line."""

    robe: str
    lining: str
    trim: str
    hair: str
    skin: str = "#f3d3b3"
    line: str = "#22262e"


DRESSES = {
    "river": {
        "S": Dress("#1d3d63", "#7fb2cf", "#d9a441", "#2b2420"),
        "H": Dress("#b3242f", "#f0b9a6", "#d9a441", "#8a5a2b"),
        "C": Dress("#23514f", "#9cc9b5", "#d9a441", "#4a3424"),
        "D": Dress("#c4602a", "#f3cf9a", "#27506f", "#c79a4b"),
    },
    "pine": {
        "S": Dress("#2c3440", "#a9b6bf", "#c99a3c", "#1f1b19"),
        "H": Dress("#a62639", "#f2c6b4", "#c99a3c", "#6b3f22"),
        "C": Dress("#1f5b3f", "#b5d3a7", "#c99a3c", "#3a2a1e"),
        "D": Dress("#2f4f8f", "#bccbe6", "#c99a3c", "#b0813c"),
    },
}


def court(design: str, rank: str, suit: str, colour: str) -> str:
    """The whole figure in its box of 40 x 74, clipped to it."""
    dress = DRESSES[design][suit]
    half = _half(design, rank, suit, dress, colour)
    clip = f"c{design}{rank}{suit}"
    return (
        f'<clipPath id="{clip}"><path d="M0,0 L40,0 L40,33 L0,41 Z"/></clipPath>'
        f'<g clip-path="url(#{clip})">{half}</g>'
        f'<g transform="rotate(180 20 37)"><g clip-path="url(#{clip})">{half}</g></g>'
        f'<path d="M0,41 L40,33" stroke="{dress.trim}" stroke-width="1.7"/>'
        f'<path d="M0,41 L40,33" stroke="{dress.line}" stroke-width="0.35" transform="translate(0,-0.85)"/>'
        f'<path d="M0,41 L40,33" stroke="{dress.line}" stroke-width="0.35" transform="translate(0,0.85)"/>'
    )


def _half(design: str, rank: str, suit: str, dress: Dress, colour: str) -> str:
    ground = f'<rect width="40" height="42" fill="{_GROUNDS[design]}"/>' + _pattern(design, dress)
    parts = [ground, _staff(rank, suit, dress, colour), _robe(design, rank, suit, dress), _head(rank, dress)]
    return "".join(parts)


_GROUNDS = {"river": "#eef3f5", "pine": "#f4f1e6"}


def _pattern(design: str, dress: Dress) -> str:
    """A light texture behind the figure: water rings for the river, needles for the pine."""
    marks = []
    if design == "river":
        for row in range(8):
            for column in range(-1, 8):
                x, y = column * 6 + (row % 2) * 3, row * 5.2 + 2
                marks += [f"M{x},{y} a3,3 0 0 1 6,0", f"M{x + 1.2},{y} a1.8,1.8 0 0 1 3.6,0"]
    else:
        for row in range(8):
            for column in range(-1, 8):
                x, y = column * 6 + (row % 2) * 3, row * 5.4 + 1
                marks += [f"M{x},{y + 3.4} l3,-3.4 l3,3.4", f"M{x + 1},{y + 4.2} l2,-2.2 l2,2.2"]
    return f'<path d="{" ".join(marks)}" fill="none" stroke="{dress.lining}" stroke-width="0.35" opacity="0.75"/>'


def _robe(design: str, rank: str, suit: str, dress: Dress) -> str:
    line = f'stroke="{dress.line}" stroke-width="0.5" stroke-linejoin="round"'
    body = f'<path d="M1,44 C2,34 7,28.5 14.5,26.5 L25.5,26.5 C33,28.5 38,34 39,44 Z" fill="{dress.robe}" {line}/>'
    front = f'<path d="M13.2,27 L26.8,27 L22.5,44 L17.5,44 Z" fill="{dress.lining}" {line}/>'
    collar = {
        "K": f'<path d="M9.5,29.4 C13,33.5 27,33.5 30.5,29.4 L27.5,25.6 C24,29 16,29 12.5,25.6 Z" fill="#fbfaf5" {line}/>'
        + "".join(f'<path d="M{x},{y} l0.7,1.5 l0.7,-1.5" fill="none" stroke="{dress.line}" stroke-width="0.45"/>'
                  for x, y in ((12.3, 28.6), (15.6, 29.9), (19.3, 30.4), (23, 29.9), (26.3, 28.6))),
        "Q": f'<path d="M12.5,26.8 C16,31.5 24,31.5 27.5,26.8 L25.6,25 C23,28 17,28 14.4,25 Z" fill="{dress.trim}" {line}/>'
        + "".join(f'<circle cx="{x}" cy="{y}" r="0.62" fill="#fffdf5"/>' for x, y in ((15.2, 27.6), (17.5, 28.6), (20, 29), (22.5, 28.6), (24.8, 27.6))),
        "J": f'<path d="M11,27.6 L20,33 L29,27.6 L26,25 L20,28.6 L14,25 Z" fill="{dress.trim}" {line}/>',
    }[rank]  # fmt: skip
    folds = []
    for side in (-1, 1):
        x = 20 + side * 12.5
        folds.append(
            f'<path d="M{20 + side * 8},28.5 C{20 + side * 13},32 {x + side * 2},37 {x + side * 2.6},44" fill="none" stroke="{dress.trim}" stroke-width="0.9"/>'
        )
        for i in range(4):
            y = 31.5 + i * 3.2
            mark = (
                f"M{x - 1.4 + side * i * 0.45},{y} a1.4,1.4 0 0 0 2.8,0"
                if design == "river"
                else f"M{x - 1.4 + side * i * 0.45},{y + 1} l1.4,-1.8 l1.4,1.8"
            )
            folds.append(f'<path d="{mark}" fill="none" stroke="{dress.lining}" stroke-width="0.55"/>')
    badge = suit_svg(suit, 20, 36.4, 4.2, dress.robe)
    return body + front + "".join(folds) + badge + collar


def _head(rank: str, dress: Dress) -> str:
    line = f'stroke="{dress.line}" stroke-width="0.5" stroke-linejoin="round"'
    neck = f'<path d="M17,23 L17,27 C18.5,28.6 21.5,28.6 23,27 L23,23 Z" fill="{dress.skin}" {line}/>'
    face = f'<path d="M14.2,15.5 C14,24 17,26 20,26 C23,26 26,24 25.8,15.5 C24,12.6 16,12.6 14.2,15.5 Z" fill="{dress.skin}" {line}/>'
    eyes = "".join(
        f'<path d="M{x - 1.4},17.7 q1.4,-1.1 2.8,0" fill="none" stroke="{dress.line}" stroke-width="0.5"/>'
        f'<circle cx="{x}" cy="18.3" r="0.62" fill="{dress.line}"/>'
        for x in (17.3, 22.7)
    )
    nose = f'<path d="M20.2,18 L19.3,21 L20.6,21.2" fill="none" stroke="{dress.line}" stroke-width="0.42"/>'
    mouth = '<path d="M18.5,23.1 q1.5,0.9 3,0" fill="none" stroke="#a8323a" stroke-width="0.7"/>'
    cheeks = '<circle cx="16.3" cy="21" r="1" fill="#e79a86" opacity="0.55"/><circle cx="23.7" cy="21" r="1" fill="#e79a86" opacity="0.55"/>'
    if rank == "K":
        hair = f'<path d="M13.6,14 C11.8,19 12.4,24 13.4,26.5 L15,24 L14.6,15 Z M26.4,14 C28.2,19 27.6,24 26.6,26.5 L25,24 L25.4,15 Z" fill="{dress.hair}" {line}/>'
        beard = f'<path d="M14.4,19.8 C14.4,27.5 17.5,30 20,30.4 C22.5,30 25.6,27.5 25.6,19.8 C24.4,22.4 22.4,21.6 20,21.9 C17.6,21.6 15.6,22.4 14.4,19.8 Z" fill="{dress.hair}" {line}/>'
        hat = (
            f'<path d="M12.6,14.6 L11,5.6 L15.2,9.4 L17,3.6 L20,8.6 L23,3.6 L24.8,9.4 L29,5.6 L27.4,14.6 C23,12.6 17,12.6 12.6,14.6 Z" fill="{dress.trim}" {line}/>'
            + "".join(
                f'<circle cx="{x}" cy="{y}" r="0.95" fill="{dress.robe}" {line}/>'
                for x, y in ((11, 5.2), (17, 3.2), (23, 3.2), (29, 5.2))
            )
            + f'<path d="M12.9,13.2 C17,11.2 23,11.2 27.1,13.2" fill="none" stroke="{dress.robe}" stroke-width="0.9"/>'
        )
        return hair + neck + face + eyes + nose + beard + mouth + hat
    if rank == "Q":
        hair = f'<path d="M14.4,14 C9,17 10.2,27 13.5,28.5 C15.4,27.4 14.8,23 14.8,19 Z M25.6,14 C31,17 29.8,27 26.5,28.5 C24.6,27.4 25.2,23 25.2,19 Z" fill="{dress.hair}" {line}/>'
        fringe = f'<path d="M13.8,17.6 C14,12 17.4,11.4 20,14 C22.6,11.4 26,12 26.2,17.6 C24.6,15.6 22.4,15 20,15.2 C17.6,15 15.4,15.6 13.8,17.6 Z" fill="{dress.hair}" {line}/>'
        hat = (
            f'<path d="M13.6,13.2 C13.2,9.4 15,7.6 16.8,9.4 C17.4,6.6 19,5.2 20,4.4 C21,5.2 22.6,6.6 23.2,9.4 C25,7.6 26.8,9.4 26.4,13.2 C23,11.6 17,11.6 13.6,13.2 Z" fill="{dress.trim}" {line}/>'
            f'<circle cx="20" cy="8.9" r="1.15" fill="{dress.robe}" {line}/><circle cx="20" cy="3.9" r="0.8" fill="#fffdf5" {line}/>'
            f'<circle cx="16.2" cy="11" r="0.6" fill="#fffdf5"/><circle cx="23.8" cy="11" r="0.6" fill="#fffdf5"/>'
        )
        return hair + neck + face + cheeks + eyes + nose + mouth + fringe + hat
    hair = f'<path d="M14,14 C11.6,18 11.4,22.5 13,24.6 C14.8,24.4 15,21 14.9,17 Z M26,14 C28.4,18 28.6,22.5 27,24.6 C25.2,24.4 25,21 25.1,17 Z" fill="{dress.hair}" {line}/>'
    hat = (
        f'<path d="M12.2,14.4 C11.4,7 28.6,7 27.8,14.4 C23,12.4 17,12.4 12.2,14.4 Z" fill="{dress.robe}" {line}/>'
        f'<path d="M11.4,15.2 C17,11.6 23,11.6 28.6,15.2 L28,13 C23,9.9 17,9.9 12,13 Z" fill="{dress.trim}" {line}/>'
        f'<path d="M26,11.5 C31,10.5 34,6.5 33.4,2.6 C30.4,3.4 27,6 25,10.4 Z" fill="{dress.lining}" {line}/>'
        f'<path d="M25.6,11 C28.6,9 31.2,6 33,3" fill="none" stroke="{dress.line}" stroke-width="0.35"/>'
    )
    return hair + neck + face + cheeks + eyes + nose + mouth + hat


def _staff(rank: str, suit: str, dress: Dress, colour: str) -> str:
    """What the figure holds: a halberd, a flower, a sceptre; and the large suit sign beside the head."""
    line = f'stroke="{dress.line}" stroke-width="0.45" stroke-linejoin="round"'
    sign = suit_svg(suit, 6.6, 8.2, 8.4, colour)
    if rank == "J":
        held = (
            f'<path d="M34.2,44 L34.2,10" stroke="{dress.hair}" stroke-width="1.5"/>'
            f'<path d="M34.2,5.5 L36.2,11 L34.2,15.5 L32.2,11 Z" fill="#cfd6da" {line}/>'
            f'<path d="M34.6,15 C39,14 39,22 34.6,21 Z M33.8,15.6 L30.6,18 L33.8,20.4 Z" fill="#cfd6da" {line}/>'
        )
    elif rank == "Q":
        petals = "".join(
            f'<ellipse cx="34" cy="16" rx="1.5" ry="2.5" transform="rotate({turn} 34 18.4)" fill="{dress.robe}" {line}/>'
            for turn in range(0, 360, 60)
        )
        held = (
            f'<path d="M33,44 C31.5,34 35.5,28 34,19" fill="none" stroke="#3f7a4a" stroke-width="0.9"/>'
            f'<path d="M33.6,29 C36.6,27.4 37.8,25.6 37.6,23.6 C35.2,24 33.8,26 33.6,29 Z" fill="#5d9a63" {line}/>'
            f'{petals}<circle cx="34" cy="18.4" r="1.5" fill="{dress.trim}" {line}/>'
        )
    else:
        held = (
            f'<path d="M34.4,44 L34.4,14" stroke="{dress.trim}" stroke-width="1.7"/>'
            f'<path d="M34.4,44 L34.4,14" stroke="{dress.line}" stroke-width="0.3"/>'
            f'<circle cx="34.4" cy="11.6" r="2.9" fill="{dress.lining}" {line}/>'
            f'<path d="M31.6,11.6 L37.2,11.6 M34.4,8.8 L34.4,14.4" stroke="{dress.trim}" stroke-width="0.8"/>'
            f'<path d="M34.4,5.2 l0.9,1.7 l1.7,0.4 l-1.7,0.6 l-0.9,1.5 l-0.9,-1.5 l-1.7,-0.6 l1.7,-0.4 Z" fill="{dress.trim}" {line}/>'
        )
    return held + sign


def jester(red: bool, design: str) -> str:
    """The joker's picture in a box of 40 x 74: a jester before the sun (red, 大王) or the crescent moon (black, 小王)."""
    if red:
        cap, cap2, trim, glow, face, line = "#c22734", "#e7a93b", "#2b6a6c", "#f6c95b", "#f3d3b3", "#3a1d1d"
    else:
        cap, cap2, trim, glow, face, line = "#24272d", "#8d949c", "#5a6068", "#c9ced3", "#eceef0", "#16181c"
    edge = f'stroke="{line}" stroke-width="0.6" stroke-linejoin="round"'
    if red:
        sky = (
            "".join(
                f'<path d="M20,37 L{17.6},14 L20,{7.5 if i % 2 else 11} L22.4,14 Z" transform="rotate({i * 18} 20 35)" fill="{glow}" opacity="{0.9 if i % 2 else 0.55}"/>'
                for i in range(20)
            )
            + f'<circle cx="20" cy="35" r="19" fill="{glow}" {edge}/>'
        )
    else:
        sky = (
            f'<path d="M27,15.5 A21,21 0 1 0 38.5,46 A17,17 0 1 1 27,15.5 Z" fill="{glow}" {edge}/>'
            + "".join(f'<path transform="translate({x},{y}) scale({s})" d="M0,-1 L0.25,-0.25 L1,0 L0.25,0.25 L0,1 L-0.25,0.25 L-1,0 L-0.25,-0.25 Z" fill="{cap2}"/>'
                      for x, y, s in ((35, 20, 2), (31, 11, 1.3), (6, 14, 1.4), (37.5, 30, 1.2), (10, 62, 1.6), (31, 64, 1.9)))
        )  # fmt: skip
    horns = (
        f'<path d="M11,33 C6,27 2,28 1.5,35 C-2,24 7,17 15,25 Z" fill="{cap}" {edge}/>'
        f'<path d="M29,33 C34,27 38,28 38.5,35 C42,24 33,17 25,25 Z" fill="{cap2}" {edge}/>'
        f'<path d="M12,30 C12,21 17,20 16,12.5 C23,15 28,22 28,30 Z" fill="{trim}" {edge}/>'
    )
    bells = "".join(
        f'<circle cx="{x}" cy="{y}" r="1.7" fill="{cap2 if red else "#ffffff"}" {edge}/>'
        for x, y in ((1.6, 36), (38.4, 36), (15.6, 11.6))
    )
    head = f'<path d="M11.5,31 C11,44 15,48.5 20,48.5 C25,48.5 29,44 28.5,31 C24,28.6 16,28.6 11.5,31 Z" fill="{face}" {edge}/>'
    band = f'<path d="M10.6,32.4 C16,28.8 24,28.8 29.4,32.4 L29,28.8 C24,25.4 16,25.4 11,28.8 Z" fill="{cap}" {edge}/>'
    features = (
        f'<path d="M14.4,35.2 q1.9,-1.7 3.8,0 M21.8,35.2 q1.9,-1.7 3.8,0" fill="none" stroke="{line}" stroke-width="0.7"/>'
        f'<circle cx="16.3" cy="36.4" r="0.95" fill="{line}"/><circle cx="23.7" cy="36.4" r="0.95" fill="{line}"/>'
        f'<path d="M20.2,36 L18.9,40 L20.6,40.3" fill="none" stroke="{line}" stroke-width="0.55"/>'
        f'<path d="M15,41.5 C17.5,45.8 22.5,45.8 25,41.5 C22.5,43.4 17.5,43.4 15,41.5 Z" fill="{"#b3242f" if red else "#55595f"}" {edge}/>'
        f'<path d="M16.3,37.8 l0,1.6 M23.7,37.8 l0,1.6" stroke="{cap}" stroke-width="0.7"/>'
    )
    points = []
    for i in range(7):
        x = 6.5 + i * 4.5
        points.append(
            f'<path d="M{x - 2.6},47.6 L{x},{57.5 - abs(i - 3) * 1.5} L{x + 2.6},47.6 Z" fill="{(cap, cap2, trim)[i % 3]}" {edge}/>'
        )
    collar = (
        "".join(points)
        + f'<path d="M4,48.6 C12,45.6 28,45.6 36,48.6 L34,45.6 C27,43.6 13,43.6 6,45.6 Z" fill="{cap2}" {edge}/>'
    )
    return (
        sky + horns + head.replace("L11", "L11") + collar + head + features + band + bells + _ripple(design, cap, trim)
    )


def _ripple(design: str, one: str, two: str) -> str:
    """The design's own sign under the jester: water or trees."""
    if design == "river":
        rows = [
            f'<path d="M{4 + i * 1.5},{62 + i * 3} q2,-2 4,0 t4,0 t4,0 t4,0 t4,0 t4,0 t4,0 t{4 - i},0" fill="none" stroke="{(one, two, one)[i]}" stroke-width="0.9"/>'
            for i in range(3)
        ]
        return "".join(rows)
    trees = [
        f'<path d="M{x},{72 - h} l{h * 0.28},{h * 0.45} l-{h * 0.1},0 l{h * 0.18},{h * 0.45} l-{h * 0.72},0 l{h * 0.18},-{h * 0.45} l-{h * 0.1},0 Z" fill="{colour}"/>'
        for x, h, colour in ((8, 9, one), (14, 12, two), (20, 14, one), (26, 12, two), (32, 9, one))
    ]
    return "".join(trees)
