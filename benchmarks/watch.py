"""Plays filmed by the virtual camera on card designs that no model was trained on, through eye, rules and journal.

``python -m benchmarks.watch [--plays 20000] [--seed 1]``: deal after deal, each with another design, camera height and
light, until that many plays have been filmed. Every deal is kept in ``benchmarks/results/watch.json`` as soon as it is
over, so that the run can be stopped at any time and goes on where it stood; ``--again N`` films one deal once more and
says all that went wrong in it; ``--share 0/4`` to ``3/4`` run side by side. Needs Debian's ``gnome-cards-data`` and
``librsvg2-bin``.

Every deal says by what *state* of the product it was watched; ``by_state`` counts the plays of each.

A play is *right* (seat and cards, unasked), *asked*, or *silent* (misread, missed or invented and not asked about);
*aloud* counts alerts that nothing on the table gave cause for. The delay is video time from the moment the hand is out
of sight, and from the last card's release, until the reading is complete.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import itertools
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.events import Event
from simulator.art import Deck
from simulator.camera import VirtualCamera
from simulator.lens import Optics
from simulator.light import Light
from simulator.world import World
from table.headless import figures, play
from table.journal import Journal
from table.ledger import Ledger
from table.tally import Journaled, read_plays
from table.virtual import Sees, Studio, record_of
from vision.camera import Camera
from vision.observations import Laid, Observation

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "watch.json"
STILL = (4608, 2592)
"""Of a common 12-megapixel module; its small stream is 640x360."""
HEIGHTS = (1.0, 1.12, 1.25)
"""Camera heights, of the lowest from which the whole mat is seen: indices of 21 to 27 pixels on a common deck."""
LIGHTS = {
    "lamps": Light(),
    "hard shadow": Light(hard_shadow=True),
    "drift": Light(drift=0.12),
    "dim": Light(bright=0.55, drift=0.06),
    "warm": Light(colour=(0.72, 0.95, 1.1), hard_shadow=True),
    "flicker": Light(flicker=0.05, drift=0.05),
}
COUNTS = ("plays", "right", "asked", "silent")


JUDGES = ("engine/*.py", "vision/*.py", "assets/models/*", *(f"table/{name}.py" for name in (
    "asks", "desk", "judgement", "lifting", "movements", "order", "pads", "plays", "turns",
)))  # fmt: skip
"""What reads and judges a play: figures of another state of these are figures of another product."""


def state() -> str:
    """The state of what reads and judges, in twelve digits."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in JUDGES for path in ROOT.glob(pattern)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


STATE = state()


def designs() -> dict[str, Callable[[], Deck]]:
    """The held-out designs that have every card, by name."""
    from simulator.art import debian, drawn

    names = [name for name in debian.HELD_OUT if debian.installed(name)]
    found: dict[str, Callable[[], Deck]] = {}
    for name in names:
        if len(debian.deck(name).cards) == 54:
            found[name] = lambda name=name: debian.deck(name)  # type: ignore[misc]
    for seed in (11, 12, 13):
        found[f"jumbo {seed}"] = lambda seed=seed: drawn.held_out_deck(seed)  # type: ignore[misc]
    return found


class _Noted:
    """The eye, and what it said."""

    def __init__(self, eye: Sees) -> None:
        self.eye = eye
        self.said: list[Observation] = []

    def step(self, camera: Camera) -> list[Observation]:
        told = self.eye.step(camera)
        self.said += told
        return told


def film_deal(
    number: int, seed: int, record: Sequence[Event] | None = None, studio: Studio | None = None
) -> dict[str, Any]:
    """Film deal *number* and watch it; what came of it. The same arguments give the same figures."""
    decks = designs()
    # Three cycles of unlike length: in time every design meets every height and light.
    name = sorted(decks)[number % len(decks)]
    height, light = HEIGHTS[(number // 2) % len(HEIGHTS)], sorted(LIGHTS)[(number // 3) % len(LIGHTS)]
    record = record or record_of(seed * 100_000 + number, 1, "championship", 1)
    over = Optics.over_mat(STILL)
    optics = replace(over, height=over.height * height, roll=0.8 - 0.6 * (number % 4))
    noted: list[_Noted] = []
    worlds: list[World] = []

    def camera(world: World, clock: Callable[[], float], by: int) -> Camera:
        worlds.append(world)
        return VirtualCamera(world, clock, STILL, optics, LIGHTS[light], by, noise=2.2 if light != "dim" else 3.4)

    def eye(world: World) -> Sees:
        noted.append(_Noted((studio or Studio()).eye(world)))
        return noted[-1]

    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(Journal(Path(folder) / "deal.journal")) as journal:
        ledger = Ledger(journal, time.time, "watch")
        play(record, seed * 100_000 + number, ledger, 1, "championship", Studio(camera, eye, lambda: (decks[name](),)))
        read = ledger.match(1)
    told = figures(record, read)
    released, clear = _delays(worlds[0], noted[0].said)
    result = {
        "deal": number, "seed": seed, "design": name, "height": height, "light": light,
        **{key: told[key] for key in COUNTS}, "aloud": told["offences"]["false"], "filmed": told["offences"]["filmed"],
        "alerted": told["offences"]["alerted"], "levels": told["levels"] == told["truth"],
        "after_release": released, "after_hand": clear, "ms": told["ms_per_play"]["p50"],
        "seconds": round(time.monotonic() - began, 1), "state": STATE,
    }  # fmt: skip
    if told["silent"] or told["asked"]:
        result["faults"] = faults(record, read)
    return result


def _delays(world: World, said: Sequence[Observation]) -> tuple[list[float], list[float]]:
    """Seconds of video from release, and from the hand's leaving, to each play's reading."""
    laid = [seen for seen in said if isinstance(seen, Laid)]
    released, clear = [], []
    for shown in world.truth:
        if shown.do != "play":
            continue
        seen = next((s for s in laid if s.seat == shown.seat and s.t >= shown.clear and s.t < shown.clear + 3), None)
        if seen is not None:
            released.append(round(seen.t - shown.released, 2))
            clear.append(round(seen.t - shown.clear, 2))
    return released, clear


def faults(record: Sequence[Event], read: Sequence[Journaled]) -> list[str]:
    """The plays that only one of record and journal has, and those that were asked about, in words."""
    filmed = Counter(
        (str(event.data["seat"]), " ".join(sorted(event.data["cards"]))) for event in record if event.do == "play"
    )
    found = []
    for seat, cards, asked in read_plays(read):
        key = (seat, " ".join(cards))
        if filmed[key] > 0:
            filmed[key] -= 1
            if asked:
                found.append(f"asked {seat} {key[1]}")
        else:
            found.append(f"read {seat} {key[1]}" + (" (asked)" if asked else ""))
    return found + [f"filmed {seat} {cards}" for (seat, cards), count in filmed.items() for _ in range(count)]


def total(deals: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The sum of all deals."""
    sums: dict[str, Any] = {key: sum(deal[key] for deal in deals) for key in (*COUNTS, "aloud", "filmed", "alerted")}
    plays = max(sums["plays"], 1)
    sums["right_share"], sums["asked_share"] = round(sums["right"] / plays, 5), round(sums["asked"] / plays, 5)
    for key in ("after_release", "after_hand"):
        every = sorted(delay for deal in deals for delay in deal[key])
        if every:
            sums[key] = {"p50": every[len(every) // 2], "p95": every[int(len(every) * 0.95)], "most": every[-1]}
    by_state: Counter[str] = Counter()
    for deal in deals:
        by_state[deal["state"]] += deal["plays"]
    sums["by_state"] = dict(by_state)
    sums["by_design"] = {
        name: {key: sum(deal[key] for deal in deals if deal["design"] == name) for key in COUNTS}
        for name in sorted({deal["design"] for deal in deals})
    }
    return sums


def kept(results: Path) -> list[dict[str, Any]]:
    """The deals filmed so far."""
    found: list[dict[str, Any]] = json.loads(results.read_text("utf-8"))["deals"] if results.exists() else []
    return found


def keep(results: Path, deal: dict[str, Any], goal: int) -> None:
    """Put *deal* among those filmed so far, others running beside this or not."""
    folder = os.open(results.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        deals = sorted([*kept(results), deal], key=lambda each: (each["seed"], each["deal"]))
        lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in deals)
        head = json.dumps({"goal": goal, "total": total(deals)}, indent=1, ensure_ascii=False)
        waiting = results.with_suffix(".part")
        waiting.write_text(head[:-2] + ',\n "deals": [\n' + lines + "\n]\n}\n", "utf-8")
        waiting.replace(results)
    finally:
        os.close(folder)  # which lets go of the lock


def _share(text: str) -> tuple[int, int]:
    own, all_of = (int(part) for part in text.split("/"))
    if not 0 <= own < all_of:
        raise ValueError(text)
    return own, all_of


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plays", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", type=int, metavar="DEAL")
    parser.add_argument("--share", type=_share, default=(0, 1), metavar="I/N", help="only every Nth deal, from I on")
    parser.add_argument("--results", type=Path, default=RESULTS)
    args = parser.parse_args()
    import cv2

    cv2.setNumThreads(1)
    if args.again is not None:
        print(json.dumps(film_deal(args.again, args.seed), indent=1))
        return 0
    own, all_of = args.share
    while sum(deal["plays"] for deal in kept(args.results)) < args.plays:
        known = {deal["deal"] for deal in kept(args.results) if deal["seed"] == args.seed}
        number = next(n for n in itertools.count(own, all_of) if n not in known)
        deal = film_deal(number, args.seed)
        keep(args.results, deal, args.plays)
        last = {key: deal[key] for key in ("deal", "design", *COUNTS, "aloud", "seconds")}
        print(json.dumps(last, ensure_ascii=False), flush=True)
    deals = kept(args.results)
    done = total(deals)
    return 0 if done["silent"] <= 2 and not done["aloud"] and done["right_share"] >= 0.995 else 1


if __name__ == "__main__":
    sys.exit(main())
