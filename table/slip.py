"""The match slip: what both sides signed, as a picture for receipt paper with a code to scan that says the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pygame

from engine.cards import SEATS, SIDES
from engine.levels import kind_of
from hardware.errors import HardwareRefused
from hardware.paper import Bitmap
from table.desk import Desk
from table.screens.canvas import font, legible
from table.words import Words

KINDS = {"1-2": "double", "1-3": "first_third", "1-4": "first_last"}
DOTS_PER_MM = 8
EDGE = 6
"""Dots left white at both edges of the paper."""
QUIET = 4
"""Modules of white around the code."""


@dataclass(frozen=True)
class Slip:
    """What stands on a slip; *deals* are (number, winning side, ``1-2 1-3 1-4``, levels afterwards)."""

    place: str
    when: str
    names: dict[str, str]
    deals: tuple[tuple[int, str, str, dict[str, str]], ...]
    winner: str | None
    levels: dict[str, str]
    signed: frozenset[str]
    past_A: bool
    """Whether the winner's last deal went beyond A."""
    digest: str
    """The beginning of the SHA-256 of the match's record: two slips with one digest are one match."""

    @property
    def code(self) -> str:
        """What the code to scan says, as one line of JSON."""
        said = {
            "guandan": 1, "place": self.place, "when": self.when, "names": self.names, "levels": self.levels,
            "winner": self.winner, "deals": len(self.deals), "record": self.digest,
        }  # fmt: skip
        return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def slip_of(desk: Desk, when: str, record: Sequence[str] = ()) -> Slip:
    """The slip of a match that has its result; *record* are its lines, *when* the time of day if known."""
    match = desk.match
    assert match.result is not None, "a slip is printed of a result"
    deals = tuple(
        (done.deal.n, done.step.side, kind_of(done.deal.order or SEATS), dict(done.levels)) for done in match.deals
    )
    digest = hashlib.sha256("\n".join(record).encode()).hexdigest()[:16]
    return Slip(
        desk.venue.place, when, {seat: desk.names.get(seat, "") for seat in SEATS}, deals, match.result.winner,
        dict(match.result.levels), frozenset(match.signed),
        match.result.why == "passed_A", digest,
    )  # fmt: skip


def draw(slip: Slip, words: Words, dots: int = 384) -> Bitmap:
    """*slip* as a picture *dots* wide, with as many rows as it needs.

    :raises HardwareRefused: without the package that makes the code.
    """
    lines: list[tuple[str, str, float, bool]] = [(words("start.title"), slip.place, 5.0, True)]
    if slip.when:
        lines.append((slip.when, "", 2.6, False))
    lines.append(("", "", 1.5, False))
    for side in SIDES:
        pair = " · ".join(slip.names[seat] or words(f"seat.{seat}") for seat in ("NS" if side == "NS" else "EW"))
        lines.append((words(f"side.{side}"), pair, 3.4, False))
    lines.append(("-", "", 2.0, False))
    for number, side, kind, levels in slip.deals:
        told = words(f"result.{KINDS[kind]}", side=words(f"side.{side}"))
        after = " : ".join(_level(slip, words, each, levels, number == slip.deals[-1][0]) for each in SIDES)
        lines.append((f"{number}  {told}", after, 2.9, False))
    lines.append(("-", "", 2.0, False))
    over = words("result.draw") if slip.winner is None else words("result.winner", side=words(f"side.{slip.winner}"))
    lines.append((over, "", 5.0, True))
    lines.append(
        (
            words(
                "result.levels", ns=_level(slip, words, "NS", slip.levels), ew=_level(slip, words, "EW", slip.levels)
            ),
            "",
            3.4,
            True,
        )
    )
    for side in SIDES:
        if side in slip.signed:
            lines.append((words(f"side.{side}"), words("result.signed"), 2.9, False))
    lines.append(("", "", 2.0, False))
    return _stacked([*(_line(*line, dots) for line in lines), _code(slip.code, dots), _line(slip.digest, "", 2.4, False,
                                                                                           dots)], dots)  # fmt: skip


def _level(slip: Slip, words: Words, side: str, levels: dict[str, str], last: bool = True) -> str:
    """A side's level as people say it: the winner's is past A where the last deal went there."""
    return words("result.over") if last and slip.past_A and side == slip.winner else words.rank(levels[side])


def _line(left: str, right: str, size: float, bold: bool, dots: int) -> np.ndarray:
    """One line as an array that is true where it is black; a lone dash is a rule, an empty line is white."""
    left, right = legible(left), legible(right)
    high = round(size * DOTS_PER_MM * 1.45)
    page = pygame.Surface((dots, high))
    page.fill((255, 255, 255))
    if left == "-":
        page.fill((0, 0, 0), (0, high // 2 - 1, dots, 2))
    elif left or right:
        pixels = round(size * DOTS_PER_MM)
        room = dots - 2 * EDGE - (12 if right else 0)
        face = font(bold)
        while pixels > 10 and face.get_rect(left, size=pixels).width + face.get_rect(right, size=pixels).width > room:
            pixels -= 1
        while len(right) > 1 and face.get_rect(left + right, size=pixels).width > room:
            right = right.rstrip("…")[:-1] + "…"
        base = round(high * 0.72)
        for text, at_right in ((left, False), (right, True)):
            if not text:
                continue
            drawn, rect = face.render(text, (0, 0, 0), size=pixels)
            page.blit(drawn, (dots - EDGE - drawn.get_width() if at_right else EDGE, base - rect.y))
    return np.asarray(pygame.surfarray.array3d(page)[:, :, 0].T < 140)


def _code(text: str, dots: int) -> np.ndarray:
    try:
        import segno
    except ImportError:
        raise HardwareRefused("no_package", package="segno") from None
    # Bytes, never Kanji mode: what a phone makes of that depends on where it was bought.
    code = segno.make(text, micro=False, error="m", mode="byte", encoding="utf-8", boost_error=False)
    modules = np.array([[bool(module) for module in row] for row in code.matrix_iter(border=QUIET)])
    scale = max(2, min(dots // modules.shape[1], 6))
    large = np.kron(modules, np.ones((scale, scale), bool))
    page = np.zeros((large.shape[0], dots), bool)
    left = max(0, (dots - large.shape[1]) // 2)
    page[:, left : left + large.shape[1]] = large[:, :dots]
    return page


def _stacked(parts: Sequence[np.ndarray], dots: int) -> Bitmap:
    return Bitmap(dots, np.packbits(np.vstack(parts), axis=1).tobytes())
