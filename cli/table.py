"""``guandan table``: the companion on a real table, or on a recorded video."""

from __future__ import annotations

import argparse
from pathlib import Path

from cli.main import Refused
from cli.words import help_of, language, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--camera", default="0", metavar="FILE|virtual|N", help=help_of("table_camera"))
    parser.add_argument("--hardware", choices=("fake",), default="fake", help=help_of("table_hardware"))
    parser.add_argument(
        "--profile", choices=("friendly", "championship"), default="friendly", help=help_of("demo_profile")
    )
    parser.add_argument("--ruleset", default="national", metavar="ID", help=help_of("table_ruleset"))
    parser.add_argument("--journal", metavar="FILE", help=help_of("demo_journal"))
    parser.add_argument("--fresh", action="store_true", help=help_of("table_fresh"))
    parser.add_argument("--windowed", action="store_true", help=help_of("table_windowed"))


def run(args: argparse.Namespace) -> int:
    from engine.rulesets import load
    from table.home import journal_path

    load(args.ruleset, args.profile)  # a wrong name is told before anything opens
    path = Path(args.journal) if args.journal else journal_path("table")
    if args.camera == "virtual":
        from table.demo import run as demo

        demo(1, args.profile, path, language(), 1.0, not args.fresh, ruleset=args.ruleset, inset=False)
        return 0
    from table.real import run as real
    from vision.camera import Camera, UsbCamera, VideoCamera

    camera: Camera
    if args.camera.isdecimal():
        camera = UsbCamera(int(args.camera))
    elif args.camera.startswith("-"):
        raise Refused(say("table_camera_number", camera=args.camera))
    else:
        camera = VideoCamera(args.camera)
    real(camera, path, args.ruleset, args.profile, language(), resume=not args.fresh, fullscreen=not args.windowed)
    return 0
