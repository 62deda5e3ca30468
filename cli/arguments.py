"""An argument parser that speaks both languages and complains in one line."""

from __future__ import annotations

import argparse
import re
import sys
from typing import NoReturn

from cli.words import say

# What argparse says, by the key of our own sentence; the groups fill {0} and {1}.
_COMPLAINTS = (
    (r"the following arguments are required: (.+)", "arguments_missing"),
    (r"unrecognized arguments: (.+)", "arguments_unknown"),
    (r"argument (.+?): invalid choice: (.+) \(choose from (.+)\)", "argument_choice"),
    (r"argument (.+?): expected (?:one|at least one) arguments?", "argument_empty"),
    (r"argument (.+?): expected (\d+) arguments?", "argument_short"),
    (r"argument (.+?): invalid (?:int|float|_?\w+) value: (.+)", "argument_value"),
    (r"argument (.+?): not allowed with argument (.+)", "argument_clash"),
    (r"one of the arguments (.+) is required", "arguments_missing"),
    (r"ambiguous option: (.+) could match (.+)", "argument_ambiguous"),
    (r"argument (.+?): ignored explicit argument (.+)", "argument_extra"),
)


class _Layout(argparse.HelpFormatter):
    def add_usage(self, usage, actions, groups, prefix=None):  # type: ignore[no-untyped-def]
        super().add_usage(usage, actions, groups, say("help_usage") if prefix is None else prefix)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text
        # An example of JSON is there to be copied: it stays on its line.
        return "\n".join(line if line.startswith("{") else fill(line, width, indent) for line in text.splitlines())


class Parser(argparse.ArgumentParser):
    """``ArgumentParser`` with headings and complaints from the catalogue."""

    def __init__(self, **settings: object) -> None:
        settings.setdefault("formatter_class", _Layout)
        super().__init__(add_help=False, allow_abbrev=False, **settings)  # type: ignore[arg-type]
        self._positionals.title = say("help_arguments")
        self._optionals.title = say("help_options")
        self.add_argument("-h", "--help", action="help", help=say("help_help"))
        self._mixing = False

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """Options may stand between the words too: ``rulesets check --option A_tries=1 national``."""
        lists = any(action.nargs in ("*", "+") for action in self._get_positional_actions())
        if self._mixing or not lists:
            return super().parse_known_args(args, namespace)
        self._mixing, usage = True, self.usage
        # argparse would cut the English "usage: " off by its length; ours may be shorter.
        self.usage = usage or self.format_usage().removeprefix(say("help_usage")).strip()
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixing, self.usage = False, usage

    def error(self, message: str) -> NoReturn:
        """One line on standard error, exit status 2."""
        for pattern, key in _COMPLAINTS:
            if match := re.fullmatch(pattern, message):
                message = say(key, **{f"x{place}": text for place, text in enumerate(match.groups())})
                break
        line = " ".join(f"{self.prog}: {message} {say('help_hint', prog=self.prog)}".split())
        print(line, file=sys.stderr)
        sys.exit(2)
