"""`guandan test`: style, types and the test suite, with progress."""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

from cli.main import Refused
from cli.words import help_of, say

HOME = Path(__file__).resolve().parent.parent
NEEDED = ("pytest", "hypothesis", "ruff", "mypy", "fontTools")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--quick", action="store_true", help=help_of("test_quick"))
    parser.add_argument("paths", nargs="*", metavar="PATH", help=help_of("test_paths"))


def run(args: argparse.Namespace) -> int:
    """0 when all is well, 1 when a check or a test fails."""
    if not (HOME / "tests").is_dir():
        raise Refused(say("test_not_here"))
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise Refused(say("test_missing", names=" ".join(missing)))
    chosen = [str(Path(path).resolve()) for path in args.paths]
    for path in chosen:
        if not Path(path.split("::")[0]).exists():
            raise Refused(say("no_such_file", file=path))
    steps: list[tuple[str, list[str]]] = []
    if not chosen:
        steps += [("test_style", ["ruff", "check", "--quiet", "."]), ("test_types", ["mypy", "--no-error-summary"])]
    only = ["-m", "not slow"] if args.quick else []
    steps.append(("test_suite", ["pytest", "-ra", "--durations=10", *only, *chosen]))

    environment = {**os.environ, "PYTHONPATH": str(HOME), "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    environment.pop("GUANDAN_LANG", None)
    failed = []
    for place, (key, command) in enumerate(steps, 1):
        print(f"[{place}/{len(steps)}] {say(key)}", flush=True)
        began = time.monotonic()
        status = subprocess.run([sys.executable, "-P", "-m", *command], cwd=HOME, env=environment).returncode
        if status:
            failed.append(say(key))
        # pytest's own closing line stays the last one for whoever counts tests by it
        if key != "test_suite":
            print(f"      {say('test_failed' if status else 'test_ok')} ({time.monotonic() - began:.0f} s)", flush=True)
    if failed:
        print(say("test_verdict", what=", ".join(failed)), file=sys.stderr)
    return 1 if failed else 0
