"""``guandan training-data``: the crops of corrected plays, where somebody agreed to keep them."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from cli.main import Refused
from cli.words import help_of, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = ("status", "on", "off", "export", "forget")
    parser.add_argument("action", choices=actions, help=help_of("training_data_action"))
    parser.add_argument("folder", nargs="?", metavar="DIR", help=help_of("training_data_folder"))


def run(args: argparse.Namespace) -> int:
    from engine.errors import Impossible
    from table.field import Field
    from table.home import field_directory

    field = Field(field_directory())
    if (args.folder is not None) != (args.action == "export"):
        raise Refused(say("training_needs_folder"))
    if args.action == "on":
        field.agree(time.strftime("%Y-%m-%d %H:%M:%S"))
        print(say("training_on", folder=field.folder))
    elif args.action == "off":
        field.stop()
        print(say("training_off", count=len(field.labels())))
    elif args.action == "forget":
        print(say("training_forgotten", count=field.forget()))
    elif args.action == "export":
        if not field.labels():
            raise Refused(say("training_none"))
        folder = Path(args.folder)
        if folder.is_file():
            raise Refused(say("training_not_empty", folder=folder))
        try:
            count = field.export(folder)
        except Impossible:
            raise Refused(say("training_not_empty", folder=folder)) from None
        print(say("training_exported", count=count, folder=folder))
    else:
        key = "training_status_on" if field.agreed else "training_status_off"
        kilobytes = round(field.size / 1024)
        print(say(key, count=len(field.labels()), kilobytes=kilobytes, folder=field.folder))
    return 0
