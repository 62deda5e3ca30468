"""The launcher's verbs: finds the file of the verb, gives it the arguments, turns errors into one line."""

from __future__ import annotations

import argparse
import errno
import importlib
import importlib.util
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from cli import interrupted
from cli.arguments import Parser
from cli.words import help_of, language, say, use_language

VERBS = (
    "demo", "table", "venue", "read", "watch", "enrol", "training-data", "film",
    "classify", "beats", "legal", "replay", "rulesets", "doctor", "test",
)  # fmt: skip


_NOT_WRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


class Refused(Exception):
    """Bad input: its text is the one line the user reads; the exit status is 2."""


def _module_name(verb: str) -> str:
    return f"cli.{verb.replace('-', '_')}"


def available_verbs() -> list[str]:
    """The verbs of this version."""
    return [verb for verb in VERBS if importlib.util.find_spec(_module_name(verb)) is not None]


def _parser(wanted: str | None) -> argparse.ArgumentParser:
    parser = Parser(prog="guandan", description=help_of("guandan"))
    parser.add_argument("--lang", choices=("zh", "en"), default=argparse.SUPPRESS, help=help_of("lang"))
    verbs = available_verbs()
    commands = parser.add_subparsers(dest="verb", metavar="VERB", required=True, title=say("help_verbs"))
    for verb in verbs:
        command = commands.add_parser(verb, help=help_of(verb), description=help_of(verb))
        command.add_argument("--lang", choices=("zh", "en"), default=argparse.SUPPRESS, help=help_of("lang"))
        # Only the verb asked for is imported: `classify` must not wait for a camera library.
        if verb == wanted:
            importlib.import_module(_module_name(verb)).add_arguments(command)
    return parser


def _language(argv: Sequence[str]) -> str:
    for place, word in enumerate(argv):
        if word.startswith("--lang="):
            return word[7:]
        if word == "--lang" and place + 1 < len(argv):
            return argv[place + 1]
    return os.environ.get("GUANDAN_LANG", "zh")


def _wanted(argv: Sequence[str]) -> str | None:
    """The first word that is no option and no option's value: the verb, if it is one."""
    words = iter(argv)
    for word in words:
        if word == "--lang":
            next(words, None)
        elif not word.startswith("-"):
            return word
    return None


def _open_streams() -> None:
    """A stream that the shell closed (`>&-`, `<&-`) is an empty one: what is read there ends, what is said is lost."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  as long as the process


def _speak_utf8() -> None:
    # A terminal that cannot show Chinese shows question marks; nothing stops because of it.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    # Questions and records are UTF-8 whatever the locale says; a bad byte makes a bad line, not a trace.
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; 0 on success, 2 on bad input with one line on standard error."""
    argv = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    _open_streams()
    _speak_utf8()
    use_language(_language(argv))
    wanted = _wanted(argv)
    if wanted is not None and wanted not in available_verbs():
        print(f"guandan: {say('no_such_verb', verb=wanted, verbs=' '.join(available_verbs()))}", file=sys.stderr)
        return 2
    try:
        args = _parser(wanted).parse_args(argv)
        status = int(importlib.import_module(_module_name(args.verb)).run(args) or 0)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _drop_output()  # whoever read it has gone (`… | head`): nobody is left to tell
        return 0
    except KeyboardInterrupt:
        if (kept := interrupted.sentence(wanted or "", argv)) is not None:
            print(f"guandan {wanted}: {kept}", file=sys.stderr)
        return 130
    except Exception as error:
        sentence = refusal(error)
        if sentence is None:
            raise
        print(f"guandan {wanted}: {' '.join(sentence.split())}", file=sys.stderr)
        if isinstance(error, OSError) and error.errno in _NOT_WRITTEN:
            _drop_output()
        return 2


def _drop_output() -> None:
    """What is still to be written goes nowhere: at the end Python would try once more, and complain."""
    with suppress(io.UnsupportedOperation):  # an output that is no file has nobody who complains
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refusal(error: Exception) -> str | None:
    """The sentence for bad input; None for a fault of ours, which gets a trace."""
    from engine.errors import GuandanError

    if isinstance(error, GuandanError):
        return error.in_language(language())
    if isinstance(error, Refused):
        return str(error)
    if "vision.errors" in sys.modules:  # whoever raised it has loaded it; the rules' verbs never do
        from vision.errors import CannotSee

        if isinstance(error, CannotSee):
            return error.in_language(language())
    if "hardware.errors" in sys.modules:
        from hardware.errors import HardwareRefused

        if isinstance(error, HardwareRefused):
            return error.in_language(language())
    if isinstance(error, UnicodeDecodeError):
        return say("not_text")
    if isinstance(error, OSError) and error.filename is not None:
        key = {
            FileNotFoundError: "no_such_file", IsADirectoryError: "is_a_folder", NotADirectoryError: "no_such_file",
            PermissionError: "not_allowed", FileExistsError: "already_there",
        }.get(type(error), "link_circle" if error.errno == errno.ELOOP else "file_trouble")  # fmt: skip
        return say(key, file=error.filename, why=error.strerror)
    if isinstance(error, OSError) and error.errno in _NOT_WRITTEN:
        return say("not_written", why=error.strerror)
    return None


if __name__ == "__main__":
    # Under `python -m` this file is a module of its own; the verbs raise the errors of the one they import.
    from cli.main import main as run

    sys.exit(run())
