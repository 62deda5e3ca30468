"""``guandan watch``: the plays in a recorded video."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from cli.main import Refused
from cli.spoken import seat_in_words
from cli.words import help_of, language, say
from vision.camera import VideoCamera
from vision.errors import CannotSee
from vision.mat import INDEX_MM, SIZE_MM, View
from vision.observations import (
    Covered,
    Hidden,
    Laid,
    Moved,
    Observation,
    Removed,
    Revised,
    SeenCard,
    Uncovered,
)

if TYPE_CHECKING:
    from table.inputs import Seen, Ticked

LEAST_INDEX_PX = 8.0
"""Below this height of a common deck's index a film is refused; up to twice as much it is read, but never surely."""
NEEDS_BUTTONS = frozenset({"turn_time", "report_missed", "tribute_overdue", "match_limit"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("video", metavar="VIDEO", help=help_of("video"))
    parser.add_argument("--json", action="store_true", help=help_of("json"))
    parser.add_argument("--deck-profile", metavar="FILE", help=help_of("deck_profile"))
    parser.add_argument("--corners", nargs=4, metavar="X,Y", help=help_of("corners"))


def run(args: argparse.Namespace) -> int:
    from vision.profiles import DeckProfile

    try:
        own = DeckProfile.load(args.deck_profile) if args.deck_profile else None
        camera = VideoCamera(args.video)
        view = _view(args, camera)
        _large_enough(args.video, camera, view)
    except CannotSee as error:
        raise Refused(error.in_language(language())) from error
    from vision.detector import Detector
    from vision.enrolment.prototypes import with_profile
    from vision.eye import Eye
    from vision.reader import Reader

    eye, judge = Eye(Detector(), with_profile(Reader(), own), view), Judge()
    plays = 0
    while not eye.ended:
        for seen in eye.step(camera):
            plays += isinstance(seen, Laid)
            line = as_json(seen)
            if line:
                print(json.dumps(line, ensure_ascii=False) if args.json else _words(seen), flush=True)
            _tell(judge.judge(seen), args.json)
        _tell(judge.wait(camera.t), args.json)
    camera.close()
    if not plays and not args.json:
        print(say("watch_none", video=args.video))
    return 0


class Judge:
    """The table's own controller behind the eye: what it would tell of what was seen.

    A video has no buttons: passes are implied by the next play, and what only buttons or a clock tell is left out.
    """

    def __init__(self) -> None:
        from table.controller import Controller
        from table.inputs import Tapped
        from table.settings import Settings

        self._controller = Controller("national", "friendly", settings=Settings(language=language()))
        self._controller.handle(Tapped(0.0, "start"))

    def judge(self, seen: Observation) -> list[dict[str, Any]]:
        """Take in one observation; the alerts that the table tells now, as lines."""
        from table.inputs import Seen

        return self._told(Seen(seen), seen.t)

    def wait(self, t: float) -> list[dict[str, Any]]:
        """Take in that it is *t* seconds: cards that left the mat by themselves were taken back, say. The alerts, as
        lines."""
        from table.inputs import Ticked

        return self._told(Ticked(t), t)

    def _told(self, given: Seen | Ticked, t: float) -> list[dict[str, Any]]:
        """What rests on a play that is asked about waits, here as at the table."""
        from table.effects import Send

        effects = self._controller.handle(given)
        alerts = [each.data for each in effects if isinstance(each, Send) and each.topic == "alert"]
        return [
            {"t": round(t, 3), "do": "alert", **{name: alert[name] for name in ("kind", "seat", "certain", "rule")}}
            for alert in alerts
            if alert["kind"] not in NEEDS_BUTTONS
        ]


def _tell(alerts: list[dict[str, Any]], as_lines: bool) -> None:
    for alert in alerts:
        print(json.dumps(alert, ensure_ascii=False) if as_lines else _alert_words(alert), flush=True)


def _alert_words(alert: dict[str, Any]) -> str:
    kind, seat = say(f"kind_{alert['kind']}"), alert["seat"]
    about = kind if seat is None else f"{seat_in_words(seat, {})} {kind}"  # whoever did it stands before what was done
    return say("watch_alert", time=_clock(alert["t"]), about=about)


def _clock(t: float) -> str:
    return f"{int(t // 60)}:{t % 60:04.1f}"


def _view(args: argparse.Namespace, camera: VideoCamera) -> View | None:
    """The mat as the person pointed it out; None when its markers are there to be found; else the middle square."""
    image = camera.still().image
    height, width = image.shape[:2]
    if args.corners:
        try:
            points = [[float(part) for part in corner.split(",")] for corner in args.corners]
            corners = [(x * width, y * height) for x, y in points]
        except ValueError as error:
            raise Refused(say("watch_bad_corners")) from error
        return View.from_corners(corners, (width, height))
    if _shows_the_mat(args.video):
        return None
    print(say("watch_no_mat", video=args.video), file=sys.stderr)
    return View.from_corners(_middle(width, height), (width, height))


def _large_enough(video: str, camera: VideoCamera, view: View | None) -> None:
    """Refuse a film in which a common deck's indices are too small to be read at all.

    :raises CannotSee: with how large it would have to be.
    """
    height, width = camera.still().image.shape[:2]
    mat = view or View.from_corners(_middle(width, height), (width, height))
    px = mat.index_px(SIZE_MM / 2, SIZE_MM / 2)
    if px < LEAST_INDEX_PX:
        need = round(LEAST_INDEX_PX / INDEX_MM * SIZE_MM, -1)
        raise CannotSee("small_film", video=video, px=round(px), need=round(need))


def _middle(width: int, height: int) -> list[tuple[float, float]]:
    """The corners of the picture's middle square."""
    side = min(width, height)
    x0, y0 = (width - side) / 2, (height - side) / 2
    return [(x0, y0), (x0 + side, y0), (x0 + side, y0 + side), (x0, y0 + side)]


def _shows_the_mat(video: str) -> bool:
    """Whether the mat's markers are in view somewhere in the first ten seconds, whatever hands lie over them before."""
    probe = VideoCamera(video, every=10)
    try:
        while (frame := probe.motion()) is not None and frame.t <= 10:
            if View.from_markers(probe.still().image) is not None:
                return True
        return False
    finally:
        probe.close()


def _cards(cards: tuple[SeenCard, ...]) -> dict[str, Any]:
    """Names left to right as the player sees them, and for each that is not sure what it may be."""
    line: dict[str, Any] = {"cards": [card.card.name for card in cards], "sure": all(card.sure for card in cards)}
    line["confidence"] = [round(min(1.0, card.confidence), 4) for card in cards]
    unsure = {
        str(place): [[name.name, round(min(1.0, p), 4)] for name, p in card.candidates[:4]]
        for place, card in enumerate(cards)
        if not card.sure
    }
    return {**line, "candidates": unsure} if unsure else line


def as_json(seen: Observation) -> dict[str, Any] | None:
    """One observation as a line in the record's way, ``do`` first of all; None for what is of no use to a reader."""
    line: dict[str, Any] = {"t": round(seen.t, 3)}
    if isinstance(seen, Laid):
        return {**line, "do": "play", "seat": seen.seat, **_cards(seen.cards), "touched": round(seen.touched_at, 3)}
    if isinstance(seen, Revised):
        was = [card.card.name for card in seen.was]
        return {**line, "do": "revised", "seat": seen.seat, **_cards(seen.cards), "was": was}
    if isinstance(seen, Removed):
        names = [card.card.name for card in seen.cards]
        return {**line, "do": "removed", "seat": seen.seat, "cards": names, "emptied": seen.emptied}
    if isinstance(seen, Hidden):
        return {**line, "do": "hidden", "seat": seen.seat, "why": seen.why}
    if isinstance(seen, Covered | Uncovered | Moved):
        return {**line, "do": type(seen).__name__.lower()}
    return None


def _names(cards: tuple[SeenCard, ...]) -> str:
    return " ".join(card.card.name if card.sure else f"{card.card.name}?" for card in cards)


def _words(seen: Observation) -> str:
    time = _clock(seen.t)
    if isinstance(seen, Laid | Revised):
        return say("watch_play", time=time, seat=seen.seat, cards=_names(seen.cards))
    if isinstance(seen, Removed):
        return say("watch_removed", time=time, seat=seen.seat, cards=_names(seen.cards))
    if isinstance(seen, Hidden):
        return say("watch_hidden", time=time, seat=seen.seat)
    return say(f"watch_{type(seen).__name__.lower()}", time=time)
