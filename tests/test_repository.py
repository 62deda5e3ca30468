"""What is tracked: no path of somebody's machine, no secret; documents whose commands and links work; pinned locks."""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest

from cli.main import _parser, available_verbs

HOME = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*HOME.glob("README*.md"), *(HOME / "docs").rglob("*.md")])


@cache
def tracked() -> tuple[Path, ...]:
    """The repository's files; in an unpacked archive without git, every file that is not a build's leaving."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=HOME, capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        names = [HOME / name for name in listed.stdout.decode().split("\0") if name]
        return tuple(path for path in names if path.is_file())
    return tuple(
        path
        for path in HOME.rglob("*")
        if path.is_file()
        and not any(part in (".venv", ".git", "__pycache__") or part.endswith("_cache") for part in path.parts)
    )


def texts() -> list[tuple[str, str]]:
    """Name and content of the tracked text files, this one left out."""
    found = []
    for path in tracked():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        if path != Path(__file__).resolve():
            found.append((str(path.relative_to(HOME)), text))
    return found


FOREIGN = (
    r"(?<![\w.])/(?:root|home/[a-z]\w*|Users/\w+)/",
    r"(?<![\w.])/work/",
    r"/tmp/(?:contract|bash_jobs)",
    r"files\.pythonhosted\.org|pypi\.org",
)
SECRETS = (
    r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----",
    r"\bAKIA[0-9A-Z]{16}\b",
    r"\bgh[pousr]_[A-Za-z0-9]{20,}",
    r"\bxox[baprs]-[A-Za-z0-9-]{10,}",
    r"\beyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{10,}\.",
)


@pytest.mark.parametrize("pattern", [*FOREIGN, *SECRETS])
def test_nothing_of_a_machine_and_no_secret_is_tracked(pattern: str) -> None:
    found = [
        f"{name}:{text[: match.start()].count(chr(10)) + 1} {match.group()}"
        for name, text in texts()
        for match in re.finditer(pattern, text)
    ]
    assert not found


def test_only_tests_look_for_files_outside_the_house() -> None:
    allowed = ("tests/", "benchmarks/", ".ci/")
    found = [name for name, text in texts() if "../shared" in text and not name.startswith(allowed)]
    assert not found


def test_no_tracked_file_is_huge() -> None:
    assert not [str(path.relative_to(HOME)) for path in tracked() if path.stat().st_size > 8e6]


def commands(document: Path) -> list[list[str]]:
    """The launcher's calls in a document's code, without what pipes and redirects follow."""
    text = document.read_text("utf-8")
    code = re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in code for line in block.replace("\\\n", " ").splitlines()]
    lines += re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
    found = []
    for line in lines:
        for call in re.findall(r"\./guandan ([^|>#&]*)", line):
            found.append(shlex.split(call.replace("…", "").strip()))
    return found


def options_of(verb: str) -> set[str]:
    choices = next(
        action.choices for action in _parser(verb)._actions if isinstance(action, argparse._SubParsersAction)
    )
    found: set[str] = set()
    waiting = [choices[verb]]
    while waiting:
        for action in waiting.pop()._actions:
            found.update(action.option_strings)
            if isinstance(action, argparse._SubParsersAction):
                waiting += action.choices.values()
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(HOME)))
def test_the_commands_of_a_document_exist(document: Path) -> None:
    wrong = []
    for words in commands(document):
        verb = next(
            (word for place, word in enumerate(words) if not word.startswith("-") and words[place - 1] != "--lang"),
            None,
        )
        if verb is None or verb == "VERB":
            continue
        if verb not in available_verbs():
            wrong.append(f"no verb {verb}: {words}")
            continue
        for word in words:
            if word.startswith("--") and word.split("=")[0] not in options_of(verb):
                wrong.append(f"{verb} has no {word}")
    assert not wrong


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(HOME)))
def test_the_links_of_a_document_lead_somewhere(document: Path) -> None:
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text("utf-8")):
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            continue
        if not (document.parent / target.split("#")[0]).exists():
            broken.append(target)
    assert not broken


def test_the_readme_starts_with_a_picture() -> None:
    head = (HOME / "README.md").read_text("utf-8").splitlines()[:12]
    assert any(line.startswith("![") for line in head)


LOCKS = sorted((HOME / "requirements").glob("lock*.txt"))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_a_lock_pins_and_hashes_every_package(lock: Path) -> None:
    entries = re.split(r"\n(?=[a-z])", re.sub(r"^#.*\n", "", lock.read_text("utf-8"), flags=re.MULTILINE).strip())
    assert len(entries) > 3
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==[\w.]+ \\\n    --hash=sha256:[0-9a-f]{64}", entry), entry


def test_the_locks_hold_what_the_project_asks_for() -> None:
    project = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = {
        "lock.txt": project["dependencies"],
        "lock-bookworm-picamera2.txt": project["dependencies"],
        "lock-venue.txt": extras["venue"],
        "lock-table.txt": extras["table"],
        "lock-development.txt": extras["development"],
    }
    assert set(wanted) == {path.name for path in LOCKS}
    for name, requirements in wanted.items():
        pinned = set(re.findall(r"^([a-z0-9-]+)==", (HOME / "requirements" / name).read_text("utf-8"), re.MULTILINE))
        asked = {re.match(r"[A-Za-z0-9-]+", requirement).group().lower() for requirement in requirements}  # type: ignore[union-attr]
        assert not asked - pinned, name


def test_bookworms_lock_keeps_numpy_1() -> None:
    """The system's picamera2 there breaks under numpy 2."""
    lock = (HOME / "requirements" / "lock-bookworm-picamera2.txt").read_text("utf-8")
    assert re.search(r"^numpy==1\.", lock, re.MULTILINE)
    assert "opencv-python-headless==4.11.0.86" in lock


def test_both_languages_tell_the_same_figures() -> None:
    """Row by row the same numbers; what they are measured with is not translated."""

    def rows(name: str) -> list[set[str]]:
        told = (HOME / name).read_text("utf-8")
        table = told.split("\n## Figures\n" if name == "README.md" else "\n## 数据\n")[1].split("\n## ")[0]
        lines = [line for line in table.splitlines() if line.startswith("|")][2:]
        return [set(re.findall(r"`benchmarks\.[a-z_ ]+`|\d+(?:[.,]\d+)*", line)) for line in lines]

    english, chinese = rows("README.md"), rows("README.zh.md")
    assert len(english) == len(chinese) > 15
    assert [pair for pair in zip(english, chinese, strict=True) if pair[0] != pair[1]] == []
