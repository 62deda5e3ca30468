"""A match record as a film: the virtual camera's video, and the truth beside it.

The truth is JSON lines next to the video (``VIDEO.truth.jsonl``): first what the film is, then in order of time every
laid play with its cards left to right, when it was touched and released, passes and other buttons, and what the rules
find wrong. Times are seconds of the video.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from engine.events import Event
from simulator.art import Deck
from simulator.camera import VirtualCamera
from simulator.gestures import Pace
from simulator.lens import Optics
from simulator.light import Light
from simulator.refusals import Unreadable
from simulator.world import World

CODECS: Final = {".mp4": "mp4v", ".m4v": "mp4v", ".mov": "mp4v", ".mkv": "mp4v", ".avi": "MJPG"}
"""What the video is written with, by the file's ending."""
SMALLEST: Final = (320, 240)
LARGEST: Final = (8000, 6000)


@dataclass(frozen=True)
class Filmed:
    """What a film came to."""

    video: Path
    truth: Path
    frames: int
    seconds: float
    plays: int
    offences: int


def truth_path(video: Path) -> Path:
    return video.with_name(video.name + ".truth.jsonl")


def film(
    record: Sequence[Event],
    out: str | Path,
    decks: Sequence[Deck] | Deck | None = None,
    seed: int = 0,
    fps: float = 10.0,
    size: tuple[int, int] = (2624, 1972),
    pace: Pace | None = None,
    optics: Optics | None = None,
    light: Light | None = None,
    noise: float = 1.6,
    said: Callable[[int, int], None] | None = None,
) -> Filmed:
    """Film *record* into the video file *out*; *said* hears (frames done, frames in all) now and then.

    :raises GuandanError: when the record cannot be replayed, shows nothing, or the file cannot be written.
    """
    out = Path(out)
    codec = CODECS.get(out.suffix.lower())
    if codec is None:
        raise Unreadable("film_ending", file=out, endings=" ".join(CODECS))
    if not (SMALLEST[0] <= size[0] <= LARGEST[0] and SMALLEST[1] <= size[1] <= LARGEST[1]):
        raise Unreadable("film_size", width=size[0], height=size[1])
    if not 1 <= fps <= 60:
        raise Unreadable("film_speed", fps=f"{fps:g}")
    size = (size[0] // 2 * 2, size[1] // 2 * 2)  # the codecs want even sides
    world = World(record, decks, seed, pace or Pace().quicker(0.6))
    if not world.truth:
        raise Unreadable("film_empty")
    for deck in world.decks:
        deck.back()
        for card in {card for shown in world.truth for card in shown.cards}:
            deck.face(card)  # a picture that cannot be read is told before anything is written
    now = [0.0]
    camera = VirtualCamera(world, lambda: now[0], size, optics, light, seed, noise)
    if not out.parent.is_dir():
        raise Unreadable("film_folder", folder=out.parent)
    writer = cv2.VideoWriter(str(out), cv2.VideoWriter.fourcc(*codec), fps, size)
    if not writer.isOpened():
        raise Unreadable("film_not_written", file=out)
    frames = int(np.ceil(world.end * fps))
    try:
        for frame in range(frames):
            now[0] = frame / fps
            writer.write(camera.still().image)
            if said is not None and frame % 50 == 0:
                said(frame, frames)
    finally:
        writer.release()
        camera.close()
    lines = truth_lines(world)
    head = {
        "do": "film", "video": out.name, "fps": fps, "size": list(size), "seed": seed,
        "frames": frames, "decks": [deck.name for deck in world.decks],
    }  # fmt: skip
    with truth_path(out).open("w", encoding="utf-8") as file:
        for line in [head, *lines]:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    plays = sum(line["do"] == "play" for line in lines)
    offences = sum(line["do"] == "alert" for line in lines)
    return Filmed(out, truth_path(out), frames, frames / fps, plays, offences)


def truth_lines(world: World) -> list[dict[str, Any]]:
    """The truth of *world* in order of time, as the film's side file has it; ``line`` is the record's line."""
    lines: list[dict[str, Any]] = []
    for shown in world.truth:
        line: dict[str, Any] = {
            "t": round(shown.released, 3), "do": shown.do, "line": world.record[shown.event].seq, "seat": shown.seat,
            "cards": [card.name for card in shown.cards], "touched": round(shown.touched, 3),
            "released": round(shown.released, 3), "clear": round(shown.clear, 3),
        }  # fmt: skip
        if shown.reading is not None:
            line["as"] = shown.reading.to_dict()
        lines.append(line)
    for press in world.script.presses:
        pressed = world.record[press.event]
        lines.append({"t": round(press.t, 3), "do": pressed.do, "line": pressed.seq, "seat": press.seat})
    for directive in world.script.directives:
        lines.append({"t": round(directive.t, 3), "do": directive.what.do, "line": directive.what.seq})
    for t, event, alert in world.script.alerts:
        lines.append({
            "t": round(t, 3), "do": "alert", "line": world.record[event].seq, "kind": alert.kind, "seat": alert.seat,
            "certain": alert.certain, "id": alert.id,
        })  # fmt: skip
    lines.sort(key=lambda line: (line["t"], line["line"]))
    return lines
