"""The launcher's verbs: finds the file of the verb, gives it the arguments, turns errors into one line."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence

from cli.words import help_of, use_language

VERBS = (
    "demo", "table", "venue", "read", "watch", "enrol", "training-data", "film",
    "classify", "beats", "legal", "replay", "rulesets", "doctor", "test",
)  # fmt: skip


class Refused(Exception):
    """Bad input: its text is the one line the user reads; the exit status is 2."""


def _available(verb: str) -> bool:
    return importlib.util.find_spec(f"cli.{verb.replace('-', '_')}") is not None


def _parser(verbs: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="guandan", description=help_of("guandan"))
    parser.add_argument("--lang", choices=("zh", "en"), default=argparse.SUPPRESS, help=help_of("lang"))
    commands = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb in verbs:
        command = commands.add_parser(verb, help=help_of(verb), description=help_of(verb))
        command.add_argument("--lang", choices=("zh", "en"), default=argparse.SUPPRESS, help=help_of("lang"))
        importlib.import_module(f"cli.{verb.replace('-', '_')}").add_arguments(command)
    return parser


def _language(argv: Sequence[str]) -> str:
    for place, word in enumerate(argv):
        if word.startswith("--lang="):
            return word[7:]
        if word == "--lang" and place + 1 < len(argv):
            return argv[place + 1]
    return os.environ.get("GUANDAN_LANG", "zh")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; 0 on success, 2 on bad input with one line on standard error."""
    argv = list(sys.argv[1:] if argv is None else argv)
    use_language(_language(argv))
    wanted = next((word for word in argv if word in VERBS), None)
    # Only the verb asked for is imported: `classify` must not wait for a camera library.
    verbs = [wanted] if wanted and _available(wanted) else [verb for verb in VERBS if _available(verb)]
    args = _parser(verbs).parse_args(argv)
    module = importlib.import_module(f"cli.{args.verb.replace('-', '_')}")
    try:
        return int(module.run(args) or 0)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if not is_refusal(error):
            raise
        print(f"guandan {args.verb}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2


def is_refusal(error: Exception) -> bool:
    """Whether *error* tells of bad input, which gets one line, and not of a fault of ours, which gets a trace."""
    from engine.errors import GuandanError

    return isinstance(error, (Refused, GuandanError, FileNotFoundError, IsADirectoryError, PermissionError))


if __name__ == "__main__":
    sys.exit(main())
