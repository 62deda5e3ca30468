"""``guandan enrol``: learns a venue's own deck from the camera, from a video or from photos."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.main import Refused
from cli.words import help_of, say

if TYPE_CHECKING:
    import numpy as np

    from engine.cards import Card
    from vision.detector import Detector
    from vision.enrolment.looks import Look
    from vision.enrolment.session import Enrolment, Proof, Question, Shown
    from vision.enrolment.sightings import Sighting
    from vision.reader import Reader

SUIT_SIGNS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="*", metavar="PHOTO|DIR", help=help_of("enrol_photos"))
    parser.add_argument("--camera", metavar="FILE|virtual|N", help=help_of("enrol_camera"))
    parser.add_argument("--deck", metavar="DIR", help=help_of("enrol_deck"))
    parser.add_argument("-o", "--output", metavar="FILE", help=help_of("enrol_output"))
    parser.add_argument("--name", default="", metavar="NAME", help=help_of("enrol_name"))
    parser.add_argument("--seed", type=int, default=1, metavar="S", help=help_of("film_seed"))
    parser.add_argument("--json", action="store_true", help=help_of("json"))


def run(args: argparse.Namespace) -> int:
    if bool(args.photos) == (args.camera is not None):
        raise Refused(say("enrol_photos_or_camera"))
    if args.deck and args.camera != "virtual":
        raise Refused(say("enrol_deck_virtual"))
    path = _output(args)
    from vision.detector import Detector
    from vision.enrolment.session import Enrolment
    from vision.reader import Reader

    detector, reader = Detector(), Reader()
    enrolment = Enrolment(reader)
    guide = _Guide(args, enrolment, detector, reader)
    began = time.monotonic()
    guide.begin()
    try:
        for look in guide.looks():
            guide.take(look)
            if enrolment.step == "done":
                break
    except KeyboardInterrupt:
        if not enrolment.seen:
            raise
    if not enrolment.seen:
        raise Refused(say("enrol_nothing"))
    profile = enrolment.profile(args.name or path.stem, date.today().isoformat())
    path.parent.mkdir(parents=True, exist_ok=True)
    profile.save(path)
    guide.saved(path, time.monotonic() - began)
    return 0


def _output(args: argparse.Namespace) -> Path:
    if args.output is None:
        from table.home import deck_profile_path

        return deck_profile_path()
    path = Path(args.output)
    if path.is_dir():
        raise Refused(say("is_a_folder", file=path))
    if not path.absolute().parent.is_dir():
        raise Refused(say("enrol_no_folder", folder=path.absolute().parent))
    return path


class _Guide:
    """Leads a person through it: says what to lay, what was seen, asks what could not be read."""

    def __init__(self, args: argparse.Namespace, enrolment: Enrolment, detector: Detector, reader: Reader) -> None:
        self._args, self._enrolment, self._detector, self._reader = args, enrolment, detector, reader
        self._person: Any = None
        self._was = enrolment.step

    def looks(self) -> Iterator[Look]:
        """The pictures, from wherever they come."""
        from vision.camera import Camera, VideoCamera
        from vision.enrolment.looks import from_camera, from_photos
        from vision.usb import UsbCamera

        if self._args.photos:
            yield from from_photos(self._args.photos)
            return
        if self._args.camera == "virtual":
            from simulator.art import Deck
            from simulator.shown_deck import VirtualPerson

            deck = Deck.load(self._args.deck) if self._args.deck else Deck.own("pine")
            self._person = VirtualPerson(deck, self._args.seed, self._enrolment)
            yield from self._person.looks()
            return
        if self._args.camera.startswith("-"):
            raise Refused(say("table_camera_number", camera=self._args.camera))
        number = self._args.camera.isdecimal()
        camera: Camera = UsbCamera(int(self._args.camera)) if number else VideoCamera(self._args.camera)
        try:
            yield from from_camera(camera)
        finally:
            camera.close()

    def begin(self) -> None:
        self._say(say("enrol_begin"))

    def take(self, look: Look) -> None:
        """Learn from *look*, or prove on it; say what came of it."""
        enrolment = self._enrolment
        if enrolment.step == "prove":
            from vision.photo import read_photo

            self._proved(enrolment.prove(read_photo(look.image, self._detector, enrolment.reader())))
            if enrolment.wanted:
                self._say(say("enrol_wanted", count=len(enrolment.wanted), cards=_grouped(enrolment.wanted)))
            return
        seen = look.sightings(self._detector, self._reader, enrolment.index_mm)
        shown = enrolment.show(seen, look.px_per_mm)
        self._shown(look, shown)
        while enrolment.doubtful:
            question = enrolment.doubtful[0]
            card, answered = self._answer(question, seen)
            if not answered:
                break
            enrolment.answer(question.id, card)
        if enrolment.wanted:
            self._say(say("enrol_wanted", count=len(enrolment.wanted), cards=_grouped(enrolment.wanted)))
            if all(card.is_joker for card in enrolment.wanted):
                self._say(say("enrol_jokers"))
        elif enrolment.step == "jokers":
            self._say(say("enrol_more_jokers", looks=enrolment.joker_looks))
        else:
            self._say(say("enrol_complete"))

    def _shown(self, look: Look, shown: Shown) -> None:
        enrolment = self._enrolment
        if self._args.json:
            self._line({
                "look": look.name, "seen": len(enrolment.seen), "new": [card.name for card in shown.new],
                "by_row": [card.name for card in shown.by_row], "questions": shown.questions,
                "wanted": [card.name for card in enrolment.wanted],
            })  # fmt: skip
        elif not shown.sightings:
            self._say(say("enrol_no_cards", look=look.name))
        else:
            self._say(say("enrol_seen", look=look.name, new=len(shown.new), seen=len(enrolment.seen)))
            if shown.by_row:
                self._say(say("enrol_by_row", cards=_grouped(shown.by_row)))

    def _answer(self, question: Question, seen: list[Sighting]) -> tuple[Card | None, bool]:
        """The card, or None for no card; and whether there was an answer at all."""
        if self._person is not None:
            card = self._person.name(question, seen)
            if not self._args.json:
                self._say(say("enrol_virtual_answer", card=_spoken(card) if card else say("enrol_no_card")))
            return card, True
        if self._args.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
            return None, False
        from engine.cards import Card as Cards
        from engine.errors import GuandanError

        print(_drawn(question.crop))
        choices = "  ".join(f"{place} {_spoken(card)}" for place, card in enumerate(question.candidates, 1))
        while True:
            given = input(say("enrol_question", choices=choices)).strip()
            if not given:
                return None, False
            if given == "0":
                return None, True
            if given.isdecimal() and int(given) <= len(question.candidates):
                return question.candidates[int(given) - 1], True
            try:
                return Cards.parse(given), True
            except GuandanError:
                print(say("enrol_question_again"))

    def _proved(self, proof: Proof) -> None:
        if self._args.json:
            self._line({"proof": {
                "cards": proof.cards, "right": proof.right, "asked": [[c.name for c in each] for each in proof.asked],
                "wrong": [card.name for card in proof.wrong], "unseen": [card.name for card in proof.unseen],
                "passed": proof.passed,
            }})  # fmt: skip
            return
        self._say(say("enrol_proof", cards=proof.cards, right=proof.right, asked=len(proof.asked),
                      wrong=len(proof.wrong)))  # fmt: skip
        for what, cards in (("enrol_proof_wrong", proof.wrong), ("enrol_proof_unseen", proof.unseen)):
            if cards:
                self._say(say(what, cards=_grouped(cards)))
        self._say(say("enrol_proof_passed" if proof.passed else "enrol_proof_failed"))

    def saved(self, path: Path, seconds: float) -> None:
        enrolment = self._enrolment
        if self._args.json:
            self._line({"profile": str(path), "bytes": path.stat().st_size, "seen": len(enrolment.seen),
                        "proved": enrolment.step == "done", "seconds": round(seconds, 1)})  # fmt: skip
            return
        if enrolment.wanted:
            self._say(say("enrol_incomplete", count=len(enrolment.wanted), cards=_grouped(enrolment.wanted)))
        elif enrolment.step != "done":
            self._say(say("enrol_unproved"))
        self._say(say("enrol_saved", file=path, kilobytes=round(path.stat().st_size / 1024), seconds=round(seconds)))
        self._say(say("enrol_use", file=path))

    def _say(self, text: str) -> None:
        if not self._args.json:
            print(text, flush=True)

    @staticmethod
    def _line(answer: dict[str, Any]) -> None:
        print(json.dumps(answer, ensure_ascii=False), flush=True)


def _spoken(card: Card) -> str:
    """``♠10``, or the joker in words."""
    if card.is_joker:
        return say("enrol_big" if card.name == "HR" else "enrol_small")
    return SUIT_SIGNS[card.suit] + card.rank.replace("T", "10")


def _grouped(cards: tuple[Card, ...]) -> str:
    """``♠ A 10 K  ♦ 3``: by suit, the jokers last."""
    suits: dict[str, list[str]] = {}
    for card in cards:
        suits.setdefault("" if card.is_joker else SUIT_SIGNS[card.suit], []).append(
            _spoken(card) if card.is_joker else card.rank.replace("T", "10")
        )
    return "  ".join(f"{sign} {' '.join(names)}".strip() for sign, names in suits.items())


def _drawn(crop: np.ndarray) -> str:
    """*crop* as coloured half blocks: a terminal over the network has no other picture."""
    import cv2

    small = cv2.resize(crop[14:70, 10:50], (30, 42), interpolation=cv2.INTER_AREA)
    lines = []
    for upper, lower in zip(small[0::2], small[1::2], strict=True):
        cells = (f"\x1b[38;2;{_rgb(a)}m\x1b[48;2;{_rgb(b)}m▀" for a, b in zip(upper, lower, strict=True))
        lines.append("  " + "".join(cells) + "\x1b[0m")
    return "\n".join(lines)


def _rgb(pixel: np.ndarray) -> str:
    return f"{pixel[2]};{pixel[1]};{pixel[0]}"
