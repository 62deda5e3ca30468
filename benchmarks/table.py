"""The table as a machine, on one core: how soon a touch is on the screen, what a still screen costs, whether memory
holds.

``python -m benchmarks.table [latency] [idle] [memory] [start]`` (all of them without a name). Kept in
``benchmarks/results/table.json``; exit status 1 when a promise is broken.

- latency: the eye reads as fast as one core can, and pads are pressed and targets tapped meanwhile; from the input to
  the flip that shows it, the journal in between. Under 30 ms at p99. The same without the eye, by turns.
- idle: the processor time of the drawing loop while nothing moves. Under 10 % of a core.
- memory: an evening of twelve hours, its inputs given one after another without waiting for the clock. Growth from the
  end of the second hour, when the caches of pictures are full, to the last under 2 %.
- start: a process from nothing to a table that takes inputs, with a match to go on with. Within 5 s.

What other programs did meanwhile stands beside each: the machine's load, and their share of the core.
"""

from __future__ import annotations

import gc
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "table.json"
PROMISED = {"latency_ms_p99": 30.0, "idle_share": 0.10, "memory_growth": 0.02, "start_s": 5.0}
PRESSES, TURNS = 300, 6
"""Presses of pads and as many taps with the eye reading, and without it; how often the two change over."""


def _environment() -> None:
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1",
                      OMP_NUM_THREADS="1")  # fmt: skip
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


# -- latency and idle -------------------------------------------------------------------------------------------------


class _Edge:
    """A source whose inputs are ours; the eye reads beside it."""

    def __init__(self) -> None:
        import queue

        from table.sources import Failed

        self.inputs: Any = queue.SimpleQueue()
        self.lock, self.failed = threading.Lock(), Failed()
        self.began = time.monotonic()

    def now(self) -> float:
        return time.monotonic() - self.began

    def told(self, effects: list[Any]) -> None: ...
    def picture(self) -> None: ...
    def pause(self, still: bool) -> None: ...
    def stop(self) -> None: ...


def _app(folder: str) -> tuple[Any, _Edge, Any]:
    from table.app import App
    from table.controller import Controller
    from table.inputs import Tapped
    from table.journal import Journal
    from table.ledger import Ledger

    journal, edge = Journal(Path(folder) / "a.journal"), _Edge()
    app = App(Controller("national", "championship"), Ledger(journal, time.time), edge)
    app.take(Tapped(edge.now(), "start"))
    for _ in range(20):
        app.turn()
    return app, edge, journal


def _reading(stop: threading.Event, reads: threading.Event, read: list[int]) -> None:
    """While *reads* is set the eye reads the zones of a still in which cards lie, one after another without a pause."""
    from simulator.art import Deck
    from simulator.camera import VirtualCamera
    from simulator.world import World
    from table.sources import yield_to_the_window
    from table.virtual import STILL, record_of
    from vision.detector import Detector
    from vision.mat import PLAY, View
    from vision.reader import Reader
    from vision.zones import ZoneReader

    world = World(record_of(7, 1, "friendly", 1), [Deck.own("river")], 7001)
    camera = VirtualCamera(world, lambda: world.start_at(8), STILL, seed=7001)
    still = camera.still()
    view = View.from_markers(still.image)
    assert view is not None
    zones = ZoneReader(Detector(), Reader())
    yield_to_the_window()
    while not stop.is_set():
        for seat in PLAY:
            reads.wait()
            zones.read(still, view, seat)
            read[0] += 1


def _disk(folder: str) -> dict[str, Any]:
    """How long the disk alone takes to keep an input."""
    from table.journal import Entry, Journal

    took = []
    with Journal(Path(folder) / "disk.journal") as journal:
        for seq in range(1, 201):
            began = time.perf_counter()
            journal.append([Entry("call", {}, seq=seq)]).wait()
            took.append(1000 * (time.perf_counter() - began))
            time.sleep(0.02)
    took.sort()
    return {"disk_ms_p50": round(took[100], 1), "disk_ms_p99": round(took[198], 1)}


def _presses(app: Any, edge: _Edge, rng: random.Random, count: int) -> tuple[list[float], list[float]]:
    """Milliseconds from a pad's press, and from a finger's tap, to the flip that shows what it did."""
    import pygame

    from table.inputs import Pressed

    flipped = [0.0]
    show = app.window.show

    def shown() -> None:
        show()
        flipped[0] = time.perf_counter()

    def turn_for(seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            app.turn()

    def measured(give: Any, *what: Any) -> float:
        # A pad and a finger speak from threads of their own, at any moment of the loop, which mostly sleeps.
        given: list[float] = []

        def speak(after: float) -> None:
            time.sleep(after)
            given.append(time.perf_counter())
            give(*what)

        speaker = threading.Thread(target=speak, args=(rng.uniform(0.0, 0.02),))
        view, began = app.view, time.perf_counter()
        speaker.start()
        while app.view is view:  # a turn that takes a new view draws it; the clock alone is drawn anew as well
            app.turn()
            assert time.perf_counter() - began < 20, "the screen shows nothing of an input"
        speaker.join()
        return 1000 * (flipped[0] - given[0])

    pads, taps = [], []
    app.window.show = shown
    for number in range(count):
        turn_for(rng.uniform(0.02, 0.12))
        pads.append(measured(edge.inputs.put, Pressed(edge.now(), "NWSE"[number % 4], "call")))
        turn_for(rng.uniform(0.02, 0.06))
        left, top, wide, high = next(target.box for target in app.canvas.targets if target.what == "resume")
        at = app.window.pixel_of(left + wide / 2, top + high / 2)
        taps.append(measured(pygame.event.post, pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=at)))
    app.window.show = show
    return pads, taps


def latency() -> dict[str, Any]:
    """The journal lies in memory, so that the figure is ours; what this machine's disk adds stands beside it. With the
    eye and without it by turns, so that what others did on the core meanwhile is in both."""
    rng, zones = random.Random(3), [0]
    took: dict[str, list[list[float]]] = {"latency": [[], []], "without_eye": [[], []]}
    with tempfile.TemporaryDirectory() as folder:
        disk = _disk(folder)
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        app, edge, journal = _app(folder)
        stop, reads = threading.Event(), threading.Event()
        eye = threading.Thread(target=_reading, args=(stop, reads, zones), daemon=True)
        eye.start()
        reads.set()
        while not zones[0]:
            app.turn()
        for turn in range(2 * TURNS):
            name = "without_eye" if turn % 2 else "latency"
            (reads.clear if turn % 2 else reads.set)()
            for kept, more in zip(took[name], _presses(app, edge, rng, PRESSES // TURNS), strict=True):
                kept += more
        stop.set()
        reads.set()
        eye.join(30)
        journal.close()
    found: dict[str, Any] = {}
    for name, (pads, taps) in took.items():
        both = sorted(pads + taps)
        found |= {f"{name}_ms_p50": _at(both, 0.5), f"{name}_ms_p99": _at(both, 0.99), f"{name}_ms_max": _at(both, 1)}
        found |= {f"{name}_pads_ms_p99": _at(sorted(pads), 0.99), f"{name}_taps_ms_p99": _at(sorted(taps), 0.99)}
    return {
        **found, "inputs": sum(map(len, took["latency"])), "zones_read_meanwhile": zones[0], **disk,
    }  # fmt: skip


def _at(ordered: list[float], share: float) -> float:
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


def idle() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        app, _, journal = _app(folder)
        for _ in range(60):
            app.turn()
        spent, began, frames = time.process_time(), time.monotonic(), app.frames
        while time.monotonic() - began < 10:
            app.turn()
        share = (time.process_time() - spent) / (time.monotonic() - began)
        journal.close()
    return {"idle_share": round(share, 4), "idle_frames_a_second": round((app.frames - frames) / 10, 1)}


# -- memory -----------------------------------------------------------------------------------------------------------


def _resident() -> int:
    gc.collect()
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


def memory(hours: int = 12) -> dict[str, Any]:
    """Match after match through the app: every input of a robots' evening, drawn and journaled."""
    from engine.events import Event
    from simulator.truth import play_match
    from table.inputs import Directed, Tapped, Ticked

    t, number, grown, plays = 0.0, 0, [], 0
    # What the robots play is thought out before: their thinking is no part of a table.
    evening: list[list[Event]] = []
    while sum(map(len, evening)) * 8.0 < hours * 3600:
        evening.append(list(play_match(len(evening) + 1, "national", "championship", offences=False,
                                       options={"match_seconds": 0}))[1:])  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        app, edge, journal = _app(folder)
        edge.now = lambda: t  # type: ignore[method-assign]
        hour = 3600.0
        record: list[Event] = []
        while t < hours * 3600:
            if not record:
                number += 1
                record = evening.pop(0)
                app.take(Tapped(t, "restart" if number > 1 else "start"))
            event = record.pop(0)
            t += 8.0  # a play each eight seconds
            app.take(Ticked(t))
            data = {name: value for name, value in event.data.items() if name != "t"}
            app.take(Directed(t, event.do, data))
            plays += event.do == "play"
            while app._effects:
                app.turn()
            app._draw()
            if t >= hour:
                grown.append(_resident())
                hour += 3600
        journal.close()
    return {
        "memory_mb_after_each_hour": [round(kilobytes / 1024, 1) for kilobytes in grown],
        "memory_growth": round(grown[-1] / grown[1] - 1, 4), "memory_plays": plays, "memory_matches": number,
    }  # fmt: skip


# -- start ------------------------------------------------------------------------------------------------------------

TABLE = """
import sys, time
from pathlib import Path
import table.app
from table.app import App
turn = App.turn
def told(app):
    turn(app)
    if app.frames and app.source.now() > 0 and not hasattr(app, "told"):
        app.told = True
        print("playable", app.view.screen, flush=True)
App.turn = told
from cli.main import main
sys.exit(main(["table", "--camera", sys.argv[1], "--journal", sys.argv[2], "--windowed"]))
"""


def start() -> dict[str, Any]:
    import cv2

    from simulator.truth import play_match
    from table.effects import Append
    from table.journal import Journal
    from table.ledger import Ledger
    from vision.mat_drawing import draw

    took, spent = [], []
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder) / "mat.avi"
        picture = draw(2.0)
        writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10, picture.shape[1::-1])
        for _ in range(600):
            writer.write(picture)
        writer.release()
        path = Path(folder) / "a.journal"
        with Journal(path) as journal:
            ledger = Ledger(journal, time.time)
            events = play_match(3, "national", "championship", offences=False, options={"match_seconds": 0})
            for event in events[: len(events) // 2]:
                ledger.put([Append(event, 0.0)])
        for _ in range(5):
            before, began = os.times(), time.perf_counter()
            process = subprocess.Popen(
                [sys.executable, "-c", TABLE, str(film), str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True,
                env={**os.environ, "XDG_STATE_HOME": folder, "PYTHONPATH": str(ROOT)},
            )  # fmt: skip
            assert process.stdout is not None
            said = process.stdout.readline().split()
            took.append(time.perf_counter() - began)
            process.kill()
            process.wait()
            after = os.times()
            spent.append(after.children_user + after.children_system - before.children_user - before.children_system)
            assert said[:1] == ["playable"] and said[1] != "start", f"the match was not taken up: {said}"
    took.sort()
    return {
        "start_s": round(took[-1], 2), "start_s_median": round(took[len(took) // 2], 2),
        "start_processor_s": round(sorted(spent)[len(spent) // 2], 2),
    }  # fmt: skip


def _spent() -> tuple[float, float, float]:
    """The time, and the processor seconds that this core has spent on anybody and on this process and its children."""
    stat = Path("/proc/stat")
    cores: set[int] = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    times = os.times()
    own = times.user + times.system + times.children_user + times.children_system
    if not cores or not stat.exists():
        return time.monotonic(), own, own
    line = next(line for line in stat.read_text("ascii").splitlines() if line.startswith(f"cpu{max(cores)} "))
    user, nice, system, _, _, irq, soft, steal = map(int, line.split()[1:9])
    return time.monotonic(), (user + nice + system + irq + soft + steal) / os.sysconf("SC_CLK_TCK"), own


def _others(began: tuple[float, float, float], ended: tuple[float, float, float]) -> dict[str, float]:
    """What the machine did besides: its load, and how much of the core went to other programs."""
    gone, busy, own = (after - before for before, after in zip(began, ended, strict=True))
    return {"load": round(os.getloadavg()[0], 1), "core_share_of_others": round(max(0.0, busy - own) / gone, 2)}


def main() -> int:
    _environment()
    parts = {"latency": latency, "idle": idle, "memory": memory, "start": start}
    result: dict[str, Any] = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    names = sys.argv[1:] or list(parts)
    for name in names:
        if len(names) > 1:  # each in a process of its own: memory that one part had is no part of another's
            subprocess.run([sys.executable, "-m", "benchmarks.table", name], cwd=ROOT, check=False)
            result = json.loads(RESULTS.read_text("utf-8"))
            continue
        began = _spent()
        found = parts[name]()
        found[f"{name}_machine"] = _others(began, _spent())
        print(json.dumps(found), flush=True)
        result |= found
    result["promised"] = PROMISED
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    broken = {name: result[name] for name, most in PROMISED.items() if result.get(name, 0) >= most}
    if broken:
        print(f"broken: {broken}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
