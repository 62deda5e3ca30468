"""What is said when somebody presses Ctrl-C in a verb that plays or serves: that all is kept, and how to go on."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

from cli.words import say

ASIDE = {"--calibrate", "--export"}
"""Options with which a table plays nothing: there is nothing to go on with."""
ONCE = {"--fresh": 0, "--code": 1, "--chief-link": 0}
"""Options that belong to the first start alone, and how many values they take."""


def sentence(verb: str, argv: Sequence[str]) -> str | None:
    """One sentence for *verb*, started with the words *argv*; None where nothing was on."""
    if verb not in ("demo", "table", "venue") or any(word.partition("=")[0] in (*ASIDE, "--backup") for word in argv):
        return None
    words = _without_once(argv)
    if verb == "demo" and "--resume" not in words:
        words.append("--resume")
    launcher = os.environ.get("GUANDAN_LAUNCHER") or "./guandan"
    return say(f"interrupted_{verb}", command=shlex.join([launcher, *words]))


def _without_once(argv: Sequence[str]) -> list[str]:
    found, skip = [], 0
    for word in argv:
        if skip:
            skip -= 1
        elif word in ONCE:
            skip = ONCE[word]
        elif word.partition("=")[0] not in ONCE:
            found.append(word)
    return found
