"""Odd decks before and after enrolment: ``python -m benchmarks.enrol [--spreads 6]``.

Designs that no model was trained on are enrolled through the virtual camera, as ``guandan enrol --camera virtual`` does
it, and read on shuffled spreads in six kinds of light, without and with their profile; a common design that was held
out as well is the measure. Writes ``benchmarks/results/enrol.json`` design by design; what is there already is kept
unless ``--again``. Needs Debian's ``gnome-cards-data`` and ``librsvg2-bin``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, cast

import cv2
import numpy as np

from benchmarks import advertising
from simulator.art import Deck, debian
from simulator.camera import VirtualCamera
from simulator.light import Light
from simulator.shown_deck import STILL, VirtualPerson
from simulator.spread import Look, Spread, in_rows, shuffled
from simulator.world import World
from vision.detector import Detector
from vision.enrolment.session import Enrolment
from vision.mat import View
from vision.observations import SeenCard
from vision.photo import read_photo
from vision.reader import Reader

HOME = Path(__file__).resolve().parent.parent
OUT = HOME / "benchmarks" / "results" / "enrol.json"
DESIGNS = {
    "atlasnye_skat": "odd: B D K for J Q K, yellow diamonds, green spades, thin narrow indices",
    "neoclassical_4_color": "odd: lilac spades, yellow diamonds, one-stroke letters, jokers with a star in a disc",
    "tigullio": "common, held out of training: the measure",
    "paris": "odd: V D R for J Q K, a chequered disc for the jokers",
    "teahouse": "an invented advertising deck: hollow digits, 兵 后 王, house colours, a teapot for both jokers",
}
"""Whole designs that no model was trained on. Relatives of the first two in other colours and letters were."""
CLAIMED = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99)
Said = list[tuple[float, bool]]
"""The confidence of each card that was told, and whether it was right."""
OUTCOMES = ("right", "asked", "silent", "missed")
LIGHTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("even", {}),
    ("hard shadow", {"light": Light(hard_shadow=True, drift=0.06)}),
    ("dim", {"light": Light(bright=0.5, drift=0.06), "noise": 4.0}),
    ("warm", {"light": Light(colour=(0.68, 0.92, 1.1), bright=0.85)}),
    ("defocused", {"defocus": 0.32}),
    ("dim, warm, defocused", {"light": Light(colour=(0.75, 0.95, 1.08), bright=0.6), "noise": 3.5, "defocus": 0.25}),
)


def deck_of(name: str) -> Deck:
    """The design; the one that the training's list does not even name is told where its joker's word stands."""
    if name == "teahouse":
        return advertising.deck()
    debian.DESIGNS.setdefault("atlasnye_skat", debian.Design(joker=(0.03, 0.03, 0.15, 0.49)))
    return debian.deck(name)


def spread_of(number: int) -> Look:
    """Shuffled: in rows, or in fans as tight as players lay them."""
    rng = Random(5000 + number)
    if number % 2 == 0:
        return shuffled(rng)
    look = shuffled(rng, rows=6)
    cards = [card for card, _ in look]
    rows = [cards[start : start + 9] for start in range(0, 54, 9)]
    return [
        (card, pose._replace(x=350 + (pose.x - 350) * 0.62))
        for card, pose in in_rows(rows, rng, upside_down=0.0)
    ]  # fmt: skip


def picture_of(deck: Deck, look: Look, number: int) -> np.ndarray:
    camera = VirtualCamera(
        cast(World, Spread(deck, [look])), lambda: 2.0, STILL, seed=900 + number, **LIGHTS[number % len(LIGHTS)][1]
    )
    return camera.still().image


def owner(look: Look, deck: Deck, x: float, y: float) -> int | None:
    """The number of the uppermost card that lies at (x, y) mm."""
    width, height = deck.size_mm
    for number in reversed(range(len(look))):
        pose = look[number][1]
        turn = np.radians(pose.angle)
        up = np.array([np.sin(turn), -np.cos(turn)])
        away = np.array([x - pose.x, y - pose.y])
        if abs(away @ up) <= height / 2 and abs(away @ (-up[1], up[0])) <= width / 2:
            return number
    return None


def outcomes(cards: list[SeenCard], look: Look, deck: Deck, view: View, said: Said) -> Counter[str]:
    """What became of each card of *look*: right, asked, silent (surely wrong) or missed; and sure cards too many. How
    sure each told card was goes into *said*."""
    count: Counter[str] = Counter()
    read: dict[int, list[SeenCard]] = {}
    for card in cards:
        x, y = view.to_mm([card.indices[0]])[0]
        place = owner(look, deck, float(x), float(y))
        said.append((card.confidence, place is not None and look[place][0] is card.card))
        if place is None:
            count["false_sure"] += card.sure
        else:
            read.setdefault(place, []).append(card)
    for place, (true, _) in enumerate(look):
        seen = read.get(place, [])
        sure = [card for card in seen if card.sure]
        wrong = [card for card in sure if card.card is not true]
        what = "silent" if wrong else "right" if sure else "asked" if seen else "missed"
        count[what] += 1
        if true.is_joker:
            count[f"joker_{what}"] += 1
        count["doubled_sure"] += max(0, len(sure) - 1)
        if what == "silent":
            count[f"{true.name}>{wrong[0].card.name}"] += 1
    return count


def shares(count: Counter[str]) -> dict[str, Any]:
    total = sum(count[what] for what in OUTCOMES)
    jokers = sum(count[f"joker_{what}"] for what in OUTCOMES)
    wrong = {name: many for name, many in count.most_common() if ">" in name}
    return {
        "cards": total,
        **{what: round(count[what] / max(total, 1), 5) for what in OUTCOMES},
        "silent_cards": count["silent"],
        "jokers": {"cards": jokers, **{what: count[f"joker_{what}"] for what in OUTCOMES}},
        "false_sure": count["false_sure"], "doubled_sure": count["doubled_sure"], "misread": wrong,
    }  # fmt: skip


def curve(said: Said) -> dict[str, dict[str, float | None]]:
    """Of the cards that were told: which share at or above each confidence, and of these which share is right."""
    told: dict[str, dict[str, float | None]] = {}
    for least in CLAIMED:
        right = [good for confidence, good in said if confidence >= least]
        told[f">={least}"] = {
            "share": round(len(right) / max(len(said), 1), 5),
            "right": round(sum(right) / len(right), 5) if right else None,
        }
    return told


def enrolled(deck: Deck, detector: Detector, reader: Reader, seed: int) -> tuple[Enrolment, dict[str, Any]]:
    """The deck learned by the virtual person, and what it took."""
    enrolment = Enrolment(reader)
    person = VirtualPerson(deck, seed, enrolment)
    looks = questions = by_row = 0
    spent = 0.0
    proofs = []
    for look in person.looks():
        looks += 1
        began = time.process_time()
        if enrolment.step == "prove":
            proof = enrolment.prove(read_photo(look.image, detector, enrolment.reader()))
            proofs.append({"cards": proof.cards, "right": proof.right, "asked": len(proof.asked),
                           "wrong": len(proof.wrong)})  # fmt: skip
        else:
            seen = look.sightings(detector, reader, enrolment.index_mm)
            by_row += len(enrolment.show(seen, look.px_per_mm).by_row)
            while enrolment.doubtful:
                question = enrolment.doubtful[0]
                questions += 1
                enrolment.answer(question.id, person.name(question, seen))
        spent += time.process_time() - began
    return enrolment, {
        "looks": looks, "questions": questions, "by_row": by_row, "faces": len(enrolment.seen),
        "wanted": [card.name for card in enrolment.wanted], "proofs": proofs, "proved": enrolment.step == "done",
        "processor_seconds": round(spent, 1),
    }  # fmt: skip


def measure(name: str, spreads: int, detector: Detector, reader: Reader) -> dict[str, Any]:
    """One design, enrolled and read before and after."""
    deck = deck_of(name)
    enrolment, facts = enrolled(deck, detector, reader, seed=21)
    own = enrolment.reader()
    before, after = Counter[str](), Counter[str]()
    said: tuple[Said, Said] = ([], [])
    for number in range(spreads):
        look = spread_of(number)
        image = picture_of(deck, look, number)
        view = View.from_markers(image)
        if view is None:
            continue
        before += outcomes(read_photo(image, detector, reader), look, deck, view, said[0])
        after += outcomes(read_photo(image, detector, own), look, deck, view, said[1])
        print(f"{name} {number + 1}/{spreads}", shares(before)["right"], shares(after)["right"], flush=True)
    return {
        "design": DESIGNS[name], "enrolment": facts,
        "before": {**shares(before), "calibration": curve(said[0])},
        "after": {**shares(after), "calibration": curve(said[1])},
    }  # fmt: skip


def main() -> None:
    """Measure what is missing, write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spreads", type=int, default=6)
    parser.add_argument("--design", choices=list(DESIGNS), action="append")
    parser.add_argument("--again", action="store_true", help="measure designs anew that have figures")
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    model = hashlib.sha256((HOME / "assets" / "models" / "reader.onnx").read_bytes()).hexdigest()[:12]
    figures: dict[str, Any] = json.loads(args.out.read_text()) if args.out.exists() else {}
    figures["machine"] = f"{platform.machine()}, {os.cpu_count()} cores"
    designs = figures.setdefault("designs", {})
    for name in args.design or DESIGNS:
        known = designs.get(name, {})
        if not args.again and known.get("reader") == model and known.get("spreads") == args.spreads:
            continue
        found = measure(name, args.spreads, Detector(), Reader())
        designs[name] = {**found, "spreads": args.spreads, "reader": model}
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    for name, each in designs.items():
        for when in ("before", "after"):
            print(f"{name:22}{when:8}", *(f"{what} {each[when][what]:.4f}" for what in OUTCOMES))


if __name__ == "__main__":
    main()
