"""How true the mat's millimetres are, and when a bumped camera is noticed: ``python -m benchmarks.eye_mat``.

The virtual camera looks at the mat through lenses that bend straight lines by -0.30 to +0.10 (k1), straight down and
from aside, all four markers in view or one of them under a hand; the miss is measured over the play zones and over the
whole mat. Then the camera is bumped while the eye watches: by how much the mat must have moved before it is told, and
how soon. Last what must not be told: changing lamps, shadows, hands over the markers, whole deals. No card is read
here. Writes ``benchmarks/results/eye_mat.json``, part by part; what is there already is kept unless ``--again``.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, Final, cast

import cv2
import numpy as np

from engine.cards import DECK
from simulator.art import Deck
from simulator.camera import VirtualCamera
from simulator.layout import Pose
from simulator.lens import Lens, Optics
from simulator.light import Light
from simulator.spread import Look, Spread
from simulator.world import World
from table.virtual import record_of
from vision.camera import Box, Frame
from vision.eye import Eye
from vision.mat import MARKERS, PLAY, SIZE_MM, View
from vision.observations import Covered, Moved, Observation

HOME = Path(__file__).resolve().parent.parent
OUT = HOME / "benchmarks" / "results" / "eye_mat.json"
SIZES: Final = {"Camera Module 3": (4608, 2592), "1080p webcam": (1920, 1080)}
BENDS: Final = (-0.30, -0.25, -0.20, -0.15, -0.10, -0.05, 0.0, 0.05, 0.10)
PLACES: Final = {"straight down": (34.0, 26.0), "from aside": (60.0, 330.0)}
"""Where the camera hangs, mm from the mat's centre."""
HIDDEN: Final = {"four markers": (), "three markers": (2,)}
SIZE: Final = (1640, 1232)
FRAME_S: Final = 0.1
BUMPED_AT: Final = 3.0
BUMPS: Final = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 20.0)
"""By how many mm the mat's markers are seen elsewhere at most."""
WAYS: Final = ("turned aside", "turned about its axis", "pushed", "lowered")
TRIALS: Final = 3


class Nothing:
    """A finder and reader that see no card: what is measured is the mat."""

    def find(self, image: np.ndarray, scale: float = 1.0) -> list[Any]:
        return []

    def read(self, image: np.ndarray, founds: Sequence[Any]) -> list[Any]:
        return []


def grid(zones: bool) -> np.ndarray:
    """(n, 2) mm: places every 25 mm in the play zones, or all over the mat."""
    steps = np.arange(12.5, SIZE_MM, 25.0)
    every = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    return np.array([p for p in every if any(z.holds(*p) for z in PLAY.values())]) if zones else every


def misses(view: View, lens: Lens) -> dict[str, float]:
    """How far places that *lens* sees are told from where they are, mm."""
    told: dict[str, float] = {}
    for name, zones in (("play zones", True), ("mat", False)):
        pixels = lens.to_px(grid(zones))
        # The picture is drawn by the way from pixels to millimetres: strong lenses have it only nearly there and back.
        off = np.hypot(*(view.to_mm(pixels) - lens.to_mm(pixels)).T)
        told |= {f"{name} median": round(float(np.median(off)), 3), f"{name} most": round(float(off.max()), 3)}
    return told


def bare(*cards: tuple[Any, Pose]) -> World:
    """A table on which nothing happens."""
    look: Look = list(cards)
    return cast(World, Spread(Deck.own("river"), [look], look_s=3600.0))


def hung(size: tuple[int, int], off: tuple[float, float], bend: float) -> Optics:
    """A camera *off* the mat's centre, as low as the whole mat stays in pictures of *size*."""
    # Past what one number describes: a barrel's second coefficient grows with its first.
    optics = replace(Optics.over_mat(size), off=off, bend=(bend, 0.8 * bend * bend))
    edge = np.array([(x, y) for x in (-8, 350, 708) for y in (-8, 350, 708)], float)
    for height in np.geomspace(0.7, 2.0, 60) * optics.height:
        found = replace(optics, height=float(height))
        pixels = Lens(found, size).to_px(edge)
        if (pixels > 0).all() and (pixels < np.array(size) - 1).all():
            return found
    raise ValueError(f"no height shows the mat through a lens of {bend}")


def rectification() -> list[dict[str, Any]]:
    """Every camera, lens and place: the view the markers give, and its misses."""
    rows: list[dict[str, Any]] = []
    for (camera, size), bend, (place, off), (seen, hidden) in product(
        SIZES.items(), BENDS, PLACES.items(), HIDDEN.items()
    ):
        optics = hung(size, off, bend)
        world = bare(*((DECK[k], Pose(*MARKERS[marker], 10.0)) for k, marker in enumerate(hidden)))
        view = View.from_markers(VirtualCamera(world, lambda: 2.0, size, optics, seed=len(rows)).still().image)
        row: dict[str, Any] = {"camera": camera, "k1": bend, "place": place, "markers": seen}
        if view is None:
            rows.append({**row, "found": 0})
            continue
        rows.append(
            {**row, "found": len(view.markers), "bend": round(view.bend, 4), **misses(view, Lens(optics, size))}
        )
    return rows


def of_rectification(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The largest misses by k1 and by what was seen."""
    table: dict[str, Any] = {}
    for row in rows:
        at = table.setdefault(row["markers"], {}).setdefault(row["place"], {})
        one = at.setdefault(f"{row['k1']:+.2f}", {"found": 0, "not found": 0})
        one["found" if row["found"] else "not found"] += 1
        for what in ("play zones median", "play zones most", "mat most"):
            if what in row:
                one[what] = max(one.get(what, 0.0), row[what])
    return table


class Turns:
    """A camera that is another one from time to time: *which* tells by the time which of *cameras* gives the picture;
    each of these is made with the clock it is to go by."""

    def __init__(
        self,
        cameras: Sequence[Callable[[Callable[[], float]], VirtualCamera]],
        which: Callable[[float], int],
        end: float,
    ) -> None:
        self.t, self._which, self._end = 0.0, which, end
        self._cameras = [make(lambda: self.t) for make in cameras]

    def _now(self) -> VirtualCamera:
        return self._cameras[self._which(self.t)]

    def motion(self) -> Frame | None:
        self.t = round(self.t + FRAME_S, 6)
        return self._now().motion() if self.t < self._end else None

    def still(self, box: Box | None = None) -> Frame:
        return self._now().still(box)

    def close(self) -> None:
        """There is no device to give back."""


def watched(camera: Turns) -> tuple[list[Observation], Eye]:
    """What an eye that reads nothing tells of *camera* until it ends."""
    eye = Eye(Nothing(), Nothing())
    told: list[Observation] = []
    while not eye.ended:
        told += eye.step(camera)
    return told, eye


def pushed(optics: Optics, way: str, amount: float, side: float) -> Optics:
    """*optics* after a push; *amount* is in the way's own unit, *side* an angle in radians."""
    right, down = float(np.cos(side)) * amount, float(np.sin(side)) * amount
    if way == "turned aside":
        return replace(optics, aim=(optics.aim[0] + right, optics.aim[1] + down))
    if way == "turned about its axis":
        return replace(optics, roll=optics.roll + amount * (1 if np.cos(side) > 0 else -1))
    if way == "pushed":
        move = (optics.off[0] + right, optics.off[1] + down)
        return replace(optics, off=move, aim=(optics.aim[0] + right, optics.aim[1] + down))
    return replace(optics, height=optics.height - amount)


def shift_mm(one: Optics, two: Optics) -> float:
    """How far the farthest marker's centre is seen elsewhere, mm on the mat."""
    centres = np.array(list(MARKERS.values()), float)
    return float(np.hypot(*(Lens(one, SIZE).to_mm(Lens(two, SIZE).to_px(centres)) - centres).T).max())


def push_of(optics: Optics, way: str, wanted: float, side: float) -> Optics:
    """The push that shifts the farthest marker by *wanted* mm."""
    low, high = 0.0, 60.0
    for _ in range(40):
        middle = (low + high) / 2
        if shift_mm(optics, pushed(optics, way, middle, side)) < wanted:
            low = middle
        else:
            high = middle
    return pushed(optics, way, high, side)


def _two(world: World, before: Optics, after: Optics, seed: int) -> Turns:
    """A camera that hangs as *before* says, and from the third second on as *after* says."""

    def through(optics: Optics) -> Callable[[Callable[[], float]], VirtualCamera]:
        return lambda clock: VirtualCamera(world, clock, SIZE, optics, seed=seed)

    return Turns([through(before), through(after)], lambda t: int(t >= BUMPED_AT), 9.0)


def bumps() -> dict[str, Any]:
    """For each way and size of a bump: in how many trials it was told, how soon, and what was wrong afterwards."""
    table: dict[str, Any] = {}
    for way, wanted in product(WAYS, BUMPS):
        seconds: list[float] = []
        noticed, left = 0, 0.0
        for trial in range(TRIALS):
            optics = Optics.over_mat(SIZE)
            after = push_of(optics, way, wanted, side=0.4 + 2 * np.pi * trial / TRIALS)
            told, eye = watched(_two(bare((DECK[trial], Pose(350, 560, 5.0))), optics, after, trial))
            moved = [each.t for each in told if isinstance(each, Moved)]
            noticed += bool(moved)
            seconds += [moved[0] - BUMPED_AT] if moved else []
            assert eye.view is not None
            left = max(left, misses(eye.view, Lens(after, SIZE))["play zones most"])
        table.setdefault(way, {})[f"{wanted:g} mm"] = {
            "trials": TRIALS, "told": noticed, "seconds": round(max(seconds), 1) if seconds else None,
            "play zones off at most": round(left, 2),
        }  # fmt: skip
        print(way, wanted, table[way][f"{wanted:g} mm"], flush=True)
    return table


def lit(world: World, lights: Sequence[Light], each: float, end: float, seed: int) -> Turns:
    """A camera under *lights* that take turns every *each* seconds."""

    def under(light: Light) -> Callable[[Callable[[], float]], VirtualCamera]:
        return lambda clock: VirtualCamera(world, clock, SIZE, light=light, seed=seed)

    return Turns([under(light) for light in lights], lambda t: int(t / each) % len(lights), end)


LIGHTS: Final[dict[str, tuple[Light, ...]]] = {
    "a lamp goes out and on": (Light(), Light(lamps=Light.lamps[:1])),
    "daylight falls on one side": (Light(), Light(lamps=(*Light.lamps, (-300.0, 350.0, 400.0, 1.5)))),
    "dimmed and bright": (Light(bright=0.45), Light(), Light(bright=1.2)),
    "warm and cold": (Light(colour=(0.6, 0.9, 1.1)), Light(colour=(1.1, 1.0, 0.85))),
    "a person's shadow comes and goes": (Light(), Light(hard_shadow=True)),
    "flicker": (Light(flicker=0.12), Light(flicker=0.12, drift=0.2)),
}


def quiet(deals: int) -> dict[str, Any]:
    """What was told though nobody touched the camera: it should be no move, and nothing covered."""
    table: dict[str, Any] = {}

    def judge(name: str, camera: Turns, minutes: float) -> None:
        told, _ = watched(camera)
        table[name] = {
            "minutes": round(minutes, 1), "moved": sum(isinstance(each, Moved) for each in told),
            "covered": sum(isinstance(each, Covered) for each in told),
        }  # fmt: skip
        print(name, table[name], flush=True)

    for seed, (name, lights) in enumerate(LIGHTS.items()):
        judge(name, lit(bare(), lights, 2.5, 40.0, seed), 40 / 60)
    for number in range(deals):
        world = World(record_of(9 + number, 1, "championship", 1), seed=number)
        light = Light(hard_shadow=number % 2 == 1, drift=0.08)
        judge(f"a deal with hands, {number + 1}", lit(world, [light], 1e9, world.end, number), world.end / 60)
    hands = bare(*((DECK[20 + k], Pose(x, y, 30.0)) for k, (x, y) in enumerate(list(MARKERS.values())[:2])))
    judge("things left on two markers", lit(hands, [Light()], 1e9, 30.0, 3), 0.5)
    return table


def main() -> None:
    """Measure what is missing, write the results."""
    parts: dict[str, Callable[[], Any]] = {
        "rectification_mm": lambda: of_rectification(rectification()), "bumps": bumps, "quiet": lambda: quiet(4),
    }  # fmt: skip
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=list(parts), action="append")
    parser.add_argument("--again", action="store_true", help="measure anew what has figures")
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    figures: dict[str, Any] = json.loads(args.out.read_text()) if args.out.exists() else {}
    figures["machine"] = f"{platform.machine()}, {os.cpu_count()} cores"
    for name in args.part or parts:
        if name not in figures or args.again:
            figures[name] = parts[name]()
            args.out.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    print(json.dumps(figures, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
