"""Every case and every fault of the research notes has a test of its number, and every cell of the rulesets' tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import ModuleType

from engine.rulesets import names
from tests.engine import test_cases, test_documents, test_faults, test_limits, test_scripted


def numbers(module: ModuleType, word: str) -> Iterator[int]:
    """The numbers that *module*'s tests bear: in a test's name, or as its first parameter, named *word*."""
    for name, test in vars(module).items():
        if not name.startswith("test_") or not callable(test):
            continue
        if match := re.match(rf"test_{word}_(\d+)_", name):
            yield int(match[1])
        for mark in getattr(test, "pytestmark", []):
            if mark.name == "parametrize":
                wanted = mark.args[0] if isinstance(mark.args[0], (list, tuple)) else [mark.args[0]]
                if wanted[0] == word:
                    yield from (values[0] for values in mark.args[1])


def test_each_of_the_61_cases_has_a_test() -> None:
    assert set(numbers(test_cases, "case")) == set(range(1, 62))


def test_each_of_the_45_faults_has_a_test() -> None:
    assert set(numbers(test_faults, "fault")) == set(range(1, 46))


def test_every_ruleset_stands_in_every_table_that_speaks_of_it() -> None:
    """Gains, limits and reports have a row for each ruleset, silent or not; a script ends each at the command line."""
    every = set(names())
    assert {row[0] for row in test_documents.GAINS.values()} == every
    assert set(test_limits.LIMITS) == every
    assert set(test_documents.IDS) == every
    assert {param.values[0] for param in test_scripted.SCRIPTS} == every
