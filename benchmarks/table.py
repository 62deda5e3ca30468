"""The table as a machine, on one core: how soon a touch is on the screen, what a still screen costs, whether memory
holds.

``python -m benchmarks.table [latency] [idle] [memory] [start]`` (all of them without a name). Kept in
``benchmarks/results/table.json``; exit status 1 when a promise is broken.

- latency: a demo's virtual table is read by the eye as fast as one core can, and pads are pressed and targets tapped
  meanwhile; from the input to the flip that shows it, the journal in between. Under 30 ms at p99.
- idle: the processor time of the drawing loop while nothing moves. Under 10 % of a core.
- memory: an evening of twelve hours, its inputs given one after another without waiting for the clock. Growth from the
  end of the second hour, when the caches of pictures are full, to the last under 2 %.
- start: a process from nothing to a table that takes inputs, with a match to go on with. Within 5 s.
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
PRESSES = 300


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


def _reading(stop: threading.Event, read: list[int]) -> None:
    """The eye reads the zones of a still in which cards lie, one after another without a pause."""
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


def latency() -> dict[str, Any]:
    """The journal lies in memory, so that the figure is ours; what this machine's disk adds stands beside it."""
    from table.inputs import Pressed, Tapped

    rng, took, zones = random.Random(3), [], [0]
    with tempfile.TemporaryDirectory() as folder:
        disk = _disk(folder)
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        app, edge, journal = _app(folder)
        stop = threading.Event()
        eye = threading.Thread(target=_reading, args=(stop, zones), daemon=True)
        eye.start()
        while not zones[0]:
            app.turn()

        def until_drawn(began: float) -> float:
            frames = app.frames
            while app.frames == frames and time.perf_counter() - began < 2:
                app.turn()
            return 1000 * (time.perf_counter() - began)

        for number in range(PRESSES):
            pause = time.monotonic() + rng.uniform(0.02, 0.12)
            while time.monotonic() < pause:
                app.turn()
            given = Pressed(edge.now(), "NWSE"[number % 4], "call")
            # A pad speaks from a thread of its own, mostly while the loop sleeps.
            speaker = threading.Thread(target=edge.inputs.put, args=(given,))
            began = time.perf_counter()
            speaker.start()
            took.append(until_drawn(began))
            app.take(Tapped(edge.now(), "resume"))
            until_drawn(time.perf_counter())
        stop.set()
        eye.join(30)
        journal.close()
    took.sort()
    return {
        "latency_ms_p50": round(took[len(took) // 2], 1), "latency_ms_p99": round(took[int(len(took) * 0.99)], 1),
        "latency_ms_max": round(took[-1], 1), "presses": len(took), "zones_read_meanwhile": zones[0], **disk,
    }  # fmt: skip


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

    took = []
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
            began = time.perf_counter()
            process = subprocess.Popen(
                [sys.executable, "-c", TABLE, str(film), str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True,
                env={**os.environ, "XDG_STATE_HOME": folder, "PYTHONPATH": str(ROOT)},
            )  # fmt: skip
            assert process.stdout is not None
            said = process.stdout.readline().split()
            took.append(time.perf_counter() - began)
            process.kill()
            process.wait()
            assert said[:1] == ["playable"] and said[1] != "start", f"the match was not taken up: {said}"
    took.sort()
    return {"start_s": round(took[-1], 2), "start_s_median": round(took[len(took) // 2], 2)}


def main() -> int:
    _environment()
    parts = {"latency": latency, "idle": idle, "memory": memory, "start": start}
    result: dict[str, Any] = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    for name in sys.argv[1:] or parts:
        found = parts[name]()
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
