"""From indices to cards on held-out designs: ``python -m benchmarks.eye_joins [--tables 400]``.

Whether a card's corners are joined, equal cards of two decks kept apart, a fan's order kept and the direction right,
for a photo of unknown scale and for a watched table whose mat tells the scale. Twice: with what the eye finds in the
virtual camera's pictures, and with the true names of the indices that show, lying as far off as the finder puts them,
a few missed. Looks are kept in the cache folder, so that it goes on where it stopped and joining can be measured again
without looking. Writes ``benchmarks/results/eye_joins.json``. Needs ``gnome-cards-data`` and ``librsvg2-bin``.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from benchmarks.eye_looks import PLACES, AskedOtherwise, indices, kept, load, look, retold
from benchmarks.eye_tables import HEIGHTS, PAIRS, Corner, Table, table
from engine.cards import DECK, Card
from vision.detector import Detector
from vision.layout import Index, Shape, lay_out, learn_shape
from vision.mat import RIGHT, UP
from vision.photo import LEAST, Limits, seen_card
from vision.reader import Reader
from vision.scales import fitting

HOME = Path(__file__).resolve().parent.parent
OUT = HOME / "benchmarks" / "results" / "eye_joins.json"
AT: Final = 0.5
"""An index lies at a corner within so many index heights of it."""
COUNTED: Final = 0.7
"""Share of its rank that an index must show to count."""
SHOWN: Final = 0.4
"""What the finder is taught to find."""
MISSED: Final = 0.03
"""Share of the true indices that are left out: about what the finder misses."""
TURNED: Final = 30.0
"""A direction is right that is off by less degrees."""


Offs = dict[int, list[tuple[float, float, float]]]
"""By index height: how far indices lie off in index heights, degrees and the logarithm of their height."""


@dataclass(frozen=True)
class Told:
    """One card as it was told: its name, whether surely, where its indices lie in px, where its top points (px)."""

    card: Card
    sure: bool
    points: tuple[tuple[float, float], ...]
    angle: float


@dataclass
class Tally:
    """Counts under names: ``joins``, ``joins height 20``, …"""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, name: str, what: str, ways: Sequence[str] = ()) -> None:
        for each in (name, *(f"{name} {way}" for way in ways)):
            self.counts[each][what] += 1

    def figures(self) -> dict[str, dict[str, Any]]:
        """Each name's number and counts; of joins, orders and directions the share that is right."""
        told: dict[str, dict[str, Any]] = {}
        for name in sorted(self.counts, key=_in_numbers):
            count = self.counts[name]
            total = sum(count.values())
            told[name] = {"n": total, **dict(sorted(count.items()))}
            if "right" in count:
                told[name]["share"] = round(count["right"] / total, 5)
        return told


def _in_numbers(name: str) -> tuple[str, float]:
    head, _, last = name.rpartition(" ")
    return (head, float(last)) if last.replace(".", "").isdigit() else (name, 0.0)


def judge(tally: Tally, on: Table, corners: list[Corner], named: list[Index], told: list[Told], fans: Any) -> None:
    """Count what became of one table: *named* are the indices behind *told*; *fans* gives the told cards of a seat in
    their order along the fan."""
    ways = [f"height {on.height}"]
    found = [c for c in corners if any(i.card is c.card and _at(c, i.x, i.y) for i in named)]
    owners = [{c.number for c in _corners_at(corners, one.points)} for one in told]
    of = {number: [place for place, each in enumerate(owners) if number in each] for number in range(len(on.look))}
    for number in range(len(on.look)):
        own = [c for c in found if c.number == number]
        if len(own) >= 2:
            least = min(c.shown for c in own)
            holds = any(all(any(_at(c, *point) for point in told[place].points) for c in own) for place in of[number])
            what = "right" if holds else "apart" if len(of[number]) > 1 else "a corner lost"
            if least >= COUNTED:
                name = "joins of jokers" if on.look[number][0].is_joker else "joins"
                tally.add(name, what, [*ways, f"light {on.light}", f"design {on.design}"])
            tally.add("joins by rank shown", what, [f"from {int(least * 5) / 5:.1f}"])
        if own and len(of[number]) > 1:
            tally.add("cards", "told twice")
        elif own:
            tally.add("cards", "told once" if of[number] else "not told")
    for place, each in enumerate(owners):
        if len(each) > 1:
            tally.add("cards", "made of two" + (", sure" if told[place].sure else ""))
    for group in on.groups:
        if group.kind in PAIRS:
            name = "equal jokers" if on.look[group.numbers[0]][0].is_joker else "equal cards"
            _judge_pair(tally, (name, group.kind), group.numbers, corners, found, owners, told, ways)
        elif group.kind == "fan":
            order = [
                next(iter(each)) for each in fans(group.seat, owners) if len(each) == 1 and each & set(group.numbers)
            ]
            order = list(dict.fromkeys(order))
            if len(order) >= 3:
                backwards = order == sorted(order, reverse=True)
                tally.add("order", "right" if order == sorted(order) else "reversed" if backwards else "mixed", ways)
    _judge_directions(tally, corners, named, told, ways)


def _judge_pair(
    tally: Tally, name: tuple[str, str], pair: tuple[int, ...], corners: list[Corner], found: list[Corner],
    owners: list[set[int]], told: list[Told], ways: list[str],
) -> None:  # fmt: skip
    """Two equal cards: ``merged`` where an index of each was read and yet one card is told; ``crossed`` where two are,
    but one has a corner of the other."""
    if any(not any(c.number == number and c.shown >= COUNTED for c in corners) for number in pair):
        return
    if any(not any(c.number == number for c in found) for number in pair):
        tally.add(name[0], "one not read", name[1:])
        return
    claims = {place for place, each in enumerate(owners) if each & set(pair)}
    if len(claims) >= 2:
        what = "crossed" if any(set(pair) <= owners[place] for place in claims) else "two"
    else:
        what = "merged, sure" if any(told[place].sure for place in claims) else "merged, asked"
    tally.add(name[0], what, [name[1], *ways])


def _judge_directions(
    tally: Tally, corners: list[Corner], named: list[Index], told: list[Told], ways: list[str]
) -> None:
    for index in named:
        if not index.card.is_joker:
            here = [c for c in corners if c.shown >= COUNTED and c.card is index.card and _at(c, index.x, index.y)]
            if here:
                off = _apart(float(np.degrees(np.arctan2(index.dx, -index.dy))), here[0].angle)
                tally.add("directions of indices", "right" if off < TURNED else "wrong", ways)
    for one in told:
        here = [c for c in _corners_at(corners, one.points) if c.card is one.card]
        if here and not one.card.is_joker:
            # A card that shows both its corners has two tops.
            off = min(_apart(one.angle, c.angle) for c in here)
            tally.add("directions of cards", "right" if off < TURNED else "wrong", ways)


def _apart(one: float, two: float) -> float:
    return abs((one - two + 180) % 360 - 180)


def _at(corner: Corner, x: float, y: float) -> bool:
    return _far(corner, x, y) < AT


def _far(corner: Corner, x: float, y: float) -> float:
    """From *corner* to (x, y) in its index heights."""
    return float(np.hypot(x - corner.x, y - corner.y)) / corner.height


def _corners_at(corners: list[Corner], points: Sequence[tuple[float, float]]) -> list[Corner]:
    """The nearest corner at each of *points*, of those that show."""
    here = []
    for x, y in points:
        near = [c for c in corners if _at(c, x, y)]
        if near:
            here.append(min(near, key=lambda c: float(np.hypot(x - c.x, y - c.y))))
    return here


def as_photo(found: list[Index], limits: Limits) -> list[Told]:
    """The cards as ``read`` tells them."""
    seen = [seen_card(placed, limits) for placed in lay_out(found)]
    return [Told(card.card, card.sure, card.indices, card.angle) for card in seen if card.confidence >= LEAST]


def true_indices(corners: list[Corner], off: Offs, height: int, rng: np.random.Generator) -> list[Index]:
    """The indices that show, rightly named, off by what the finder is off at this *height*."""
    found = []
    for corner in corners:
        if corner.shown < SHOWN or rng.random() < MISSED:
            continue
        shift, turn, grown = off[height][int(rng.integers(len(off[height])))]
        way = rng.uniform(0, 2 * np.pi)
        angle = np.radians(corner.angle + turn * rng.choice((-1, 1)))
        found.append(
            Index(
                corner.x + shift * corner.height * np.cos(way), corner.y + shift * corner.height * np.sin(way),
                float(np.sin(angle)), float(-np.cos(angle)), corner.height * float(np.exp(grown * rng.choice((-1, 1)))),
                0.85, {corner.card: 0.98, DECK[(corner.card.index + 9) % 54]: 0.02}, seen=True,
            )
        )  # fmt: skip
    return found


def pose_errors(looks: dict[int, dict[str, Any]], tables: Sequence[int]) -> Offs:
    """How far rightly named indices that show enough lie off, by index height; none where two of a name are near."""
    off: Offs = {height: [] for height in HEIGHTS}
    for number in tables:
        on = table(number)
        corners = on.corners()
        for index in indices(looks[number], on.size):
            near = [c for c in corners if c.card is index.card and _far(c, index.x, index.y) < 1.5]
            if len(near) == 1 and near[0].shown >= COUNTED and _at(near[0], index.x, index.y):
                turn = _apart(float(np.degrees(np.arctan2(index.dx, -index.dy))), near[0].angle)
                off[on.height].append(
                    (_far(near[0], index.x, index.y), turn, abs(float(np.log(index.size / near[0].height))))
                )
    return off


def of_pose_errors(off: Offs) -> dict[str, Any]:
    """Their medians and 95th percentiles."""
    names = ("centre_heights", "direction_degrees", "log_size")
    return {
        str(height): {
            "n": len(rows),
            **{
                name: {"median": round(float(np.median(each)), 4), "p95": round(float(np.percentile(each, 95)), 4)}
                for name, each in zip(names, np.array(rows).T, strict=True)
            },
        }
        for height, rows in off.items()
        if rows
    }


def by_eye(
    looks: dict[int, dict[str, Any]], tables: Sequence[int], limits: Limits, again: Callable[[int], dict[str, Any]]
) -> dict[str, Any]:
    """What became of the cards the eye saw: as a photo, and as a watched table; *again* looks at a table once more."""
    photo, watched = Tally(), Tally()
    for number in tables:
        on, seen = table(number), looks[number]
        corners = on.corners()
        found = indices(seen, on.size)
        judge(photo, on, corners, found, as_photo(found, limits), lambda seat, owners: owners)
        try:
            cards, named = retold(seen, on.size)
        except AskedOtherwise:
            looks[number] = seen = again(number)
            cards, named = retold(seen, on.size)
        if not cards:
            watched.add("tables", "mat not found", [f"height {on.height}"])
            continue
        watched.add("tables", "mat found", [f"height {on.height}"])
        _judge_seats(watched, on, corners, named, cards)
    return {"photo": photo.figures(), "table": watched.figures()}


def _judge_seats(tally: Tally, on: Table, corners: list[Corner], named: list[Index], cards: Any) -> None:
    told: list[Told] = []
    start: dict[str, slice] = {}
    for seat in PLACES:
        start[seat] = slice(len(told), len(told) + len(cards[seat]))
        # On the mat angles are from north; in the picture the camera is turned by less than a degree.
        told += [Told(card.card, card.sure, card.indices, card.angle) for card in cards[seat]]
    judge(tally, on, corners, named, told, lambda seat, owners: owners[start[seat]])


def by_names(off: Offs, tables: int, limits: Limits) -> dict[str, Any]:
    """The same with true names and measured errors of place."""
    photo, watched = Tally(), Tally()
    for number in range(tables):
        on = table(number, seed=32)
        if not off[on.height]:
            continue
        rng = np.random.default_rng([32, number])
        corners = on.corners()
        found = fitting(true_indices(corners, off, on.height, rng))
        judge(photo, on, corners, found, as_photo(found, limits), lambda seat, owners: owners)
        # What the plays before have taught: the deck's shape as its own pairs tell it.
        scale, shape = on.lens.px_per_mm(), learn_shape(found) or Shape(on.deck.size_mm[0], on.deck.index_height())
        told: list[Told] = []
        start: dict[str, slice] = {}
        whose = {n: group.seat for group in on.groups for n in group.numbers}
        for seat in PLACES:
            here = [i for i in found if (at := _corners_at(corners, [(i.x, i.y)])) and whose[at[0].number] == seat]
            up = UP.get(seat, 0.0)
            right = RIGHT.get(seat, (1.0, 0.0))
            placed = sorted(lay_out(here, shape, scale, up), key=lambda each: each.x * right[0] + each.y * right[1])
            seen = [seen_card(each, limits, up) for each in placed]
            start[seat] = slice(len(told), len(told) + len(seen))
            told += [Told(card.card, card.sure, card.indices, card.angle) for card in seen]
        judge(watched, on, corners, found, told, lambda seat, owners, start=start: owners[start[seat]])
    return {"photo": photo.figures(), "table": watched.figures()}


def main() -> None:
    """Look at what has not been looked at, judge all of it, write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=400, help="tables that the eye looks at")
    parser.add_argument("--named", type=int, default=3000, help="tables whose indices are told by their true names")
    parser.add_argument("--looks", type=Path, help="folder of the looks, else the cache folder")
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    path = kept(args.looks)
    looks = load(path)
    eyes = Detector(), Reader()

    def seen(number: int) -> dict[str, Any]:
        told = look(table(number), *eyes)
        with path.open("a") as file:
            file.write(json.dumps(told) + "\n")
        return dict(json.loads(json.dumps(told)))

    wanted = [number for number in range(args.tables) if number not in looks]
    for done, number in enumerate(wanted, 1):
        looks[number] = seen(number)
        if done % 10 == 0:
            print(f"{done} of {len(wanted)} tables looked at", flush=True)
    tables, limits = [number for number in range(args.tables) if number in looks], Limits.load()
    off = pose_errors(looks, tables)
    figures: dict[str, Any] = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "tables": {"looked at": len(tables), "by true names": args.named},
        "pose_errors": of_pose_errors(off),
        "by_true_names": by_names(off, args.named, limits),
        "by_eye": by_eye(looks, tables, limits, seen),
    }
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    names = ("joins", "joins of jokers", "equal cards", *(f"equal cards {kind}" for kind in PAIRS), "equal jokers",
             "order", "cards", "directions of indices", "directions of cards")  # fmt: skip
    for how in ("by_true_names", "by_eye"):
        for where, each in figures[how].items():
            for name in names:
                print(how, where, name, each.get(name))


if __name__ == "__main__":
    main()
