"""``guandan table``: the companion on a real table, or on a recorded video."""

from __future__ import annotations

import argparse
import dataclasses
import re
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cli import table_tools
from cli.main import Refused
from cli.words import help_of, language, say
from vision.errors import CannotSee

if TYPE_CHECKING:
    from table.sync_pairing import Continued, Pairing
    from vision.profiles import DeckProfile

FINGERPRINT = re.compile(r"[0-9a-fA-F]{64}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--camera", default="0", metavar="N|ribbon|FILE|virtual", help=help_of("table_camera"))
    parser.add_argument("--hardware", default="fake", metavar="fake|default|FILE", help=help_of("table_hardware"))
    parser.add_argument(
        "--profile", choices=("friendly", "championship"), default="friendly", help=help_of("demo_profile")
    )
    parser.add_argument("--deck-profile", metavar="FILE|none", help=help_of("table_deck_profile"))
    parser.add_argument("--ruleset", default="national", metavar="ID", help=help_of("table_ruleset"))
    parser.add_argument("--journal", metavar="FILE", help=help_of("demo_journal"))
    parser.add_argument("--fresh", action="store_true", help=help_of("table_fresh"))
    parser.add_argument("--windowed", action="store_true", help=help_of("table_windowed"))
    parser.add_argument("--venue", metavar="URL|auto|off", help=help_of("table_venue"))
    parser.add_argument("--code", metavar="CODE", help=help_of("table_code"))
    parser.add_argument("--authority", metavar="FILE|FINGERPRINT", help=help_of("table_authority"))
    parser.add_argument("--first-run", action="store_true", help=help_of("table_first_run"))
    parser.add_argument("--calibrate", action="store_true", help=help_of("table_calibrate"))
    parser.add_argument("--export", metavar="DIR", help=help_of("table_export"))


def run(args: argparse.Namespace) -> int:
    from engine.rulesets import load
    from table.home import journal_path

    load(args.ruleset, args.profile)  # a wrong name is told before anything opens
    path = Path(args.journal) if args.journal else journal_path("table")
    if args.export is not None:
        return table_tools.export(path, Path(args.export))
    if args.calibrate:
        return table_tools.calibrate(_camera(args), path)
    if args.first_run:
        table_tools.first_run(path, not args.windowed)
    deck, deck_lost = _deck(args)
    venue, continued = _venue(args, path)
    if args.camera == "virtual":
        from table.demo import run as demo

        demo(
            1, args.profile, path, language(), 1.0, not args.fresh, ruleset=args.ruleset, inset=False,
            venue=(lambda: venue) if venue is not None else None, continued=continued,
        )  # fmt: skip
        return 0
    from cli import doctor
    from hardware import wiring
    from table.app import check_display
    from table.camera_service import held, held_path, service_of

    wires = None
    if args.hardware != "fake":
        wires = wiring.load(wiring.DEFAULT if args.hardware == "default" else args.hardware)
    check_display()
    camera = service_of(_camera(args), held(held_path(path)), wait=False)
    from table.real import run as real  # slow to load: the camera's process comes up meanwhile

    camera.ready()
    real(
        camera, path, args.ruleset, args.profile, language(), resume=not args.fresh, fullscreen=not args.windowed,
        venue=venue, continued=continued, wiring=wires, deck=deck, deck_fixed=args.deck_profile is not None,
        deck_lost=deck_lost, bundle=doctor.bundle_beside_a_table,
    )  # fmt: skip
    return 0


def _camera(args: argparse.Namespace) -> str:
    """What ``--camera`` names, when it names a camera."""
    if args.camera.startswith("-") or (args.calibrate and args.camera == "virtual"):
        raise Refused(say("table_camera_number", camera=args.camera))
    return str(args.camera)


def _deck(args: argparse.Namespace) -> tuple[DeckProfile | None, bool]:
    """The venue's own deck: the profile that was named, or the one that was enrolled on this machine; and whether the
    latter could not be read, so that the table plays without it."""
    from table import own_deck
    from table.home import deck_profile_path
    from vision.profiles import DeckProfile

    if args.deck_profile == "none":
        return None, False
    if args.deck_profile is not None:
        return DeckProfile.load(args.deck_profile), False
    deck, why = own_deck.wear(deck_profile_path())
    if why is not None:
        told = why.in_language(language()) if isinstance(why, CannotSee) else str(why)
        print(say("table_deck_aside", why=told, file=own_deck.aside(deck_profile_path())), file=sys.stderr, flush=True)
    return deck, why is not None


def _found() -> str:
    """The address of the one venue that tells of itself in this network."""
    from table.finding import find

    found = find()
    if not found:
        raise Refused(say("table_no_venue_found"))
    if len(found) > 1:
        raise Refused(say("table_many_venues", venues=", ".join(f"{each.name} {each.url}" for each in found)))
    print(say("table_venue_found", name=found[0].name, url=found[0].url), flush=True)
    return found[0].url


def _venue(args: argparse.Namespace, journal: Path) -> tuple[Pairing | None, Continued | None]:
    """Where this table belongs: paired now with a code, or as it was paired before; None for a table on its own."""
    from table.sync_pairing import NotPaired, fetch_authority, load, pair, save
    from table.sync_start import pairing_path

    path = pairing_path(journal)
    if args.venue == "auto" or (args.code is not None and args.venue is None and load(path) is None):
        args.venue = _found()
    if args.venue == "off":
        path.unlink(missing_ok=True)
        return None, None
    if args.code is not None:
        known = load(path)
        url = args.venue or (known.url if known is not None else "")
        authority = args.authority or (known.authority if known is not None else None)
        try:
            if authority is not None and FINGERPRINT.fullmatch(authority):
                kept = path.with_name(path.name + ".pem")
                fetch_authority(url, authority, kept)
                authority = str(kept)
            pairing, continued = pair(url, args.code, socket.gethostname(), authority)
        except NotPaired as refused:
            raise Refused(refused.in_language(language())) from None
        save(pairing, path)
        print(say("table_paired", table=pairing.table, url=url), flush=True)
        return pairing, continued
    found = load(path)
    if found is None:
        if args.venue is not None:
            raise Refused(say("table_needs_code", url=args.venue))
        return None, None
    file = args.authority if args.authority and not FINGERPRINT.fullmatch(args.authority) else found.authority
    moved = dataclasses.replace(found, url=args.venue or found.url, authority=file)
    if moved != found:
        save(moved, path)
    return moved, None
