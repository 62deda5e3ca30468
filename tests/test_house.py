"""The house's own rules: who may import whom, what each layer may touch, how long a file may get."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

HOME = Path(__file__).resolve().parent.parent
PACKAGES = ("engine", "vision", "hardware", "simulator", "venue", "table", "cli")

# What each package imports of ours; the longest name that fits a module decides. An entry covers what lies below it,
# and a package may always import itself.
MAY_IMPORT = {
    "engine": (),
    "vision": ("engine.cards", "engine.errors"),
    "vision.training": ("engine.cards", "engine.errors", "vision", "simulator"),
    "hardware": (),
    "simulator": ("engine", "vision"),
    "venue": ("engine",),
    "table": ("engine", "vision", "hardware", "simulator", "venue.protocol"),
    "cli": ("engine", "vision", "hardware", "simulator", "venue", "table"),
}
NEVER_IMPORTED = {"vision.training": ("vision.training", "cli"), "cli": ("cli",)}
"""Developers' code and the command line: only the named packages may reach into them."""

# Third-party packages that the product runs with; the rest is for developers, in the places named below.
RUNTIME = {
    "engine": set(),
    "vision": {"numpy", "cv2", "onnxruntime", "picamera2"},
    "hardware": {"gpiozero", "serial", "pygame"},
    "simulator": {"numpy", "cv2"},
    "venue": {"sqlalchemy", "starlette", "uvicorn", "psycopg", "anyio", "segno", "zeroconf", "cryptography"},
    "table": {"numpy", "cv2", "pygame", "segno", "zeroconf"},
    "cli": {"numpy", "cv2", "pygame", "onnxruntime"},
}
# Training's scenes and what draws decks; whoever runs the product never loads them. `simulator.art` itself is the
# product's: it loads the cards that were drawn.
DEVELOPERS_ONLY = ("vision.training", "simulator.scenes", "simulator.scene_", "simulator.art.")

ENGINE_NEVER = {
    "time", "datetime", "threading", "multiprocessing", "concurrent", "asyncio", "logging", "socket", "subprocess",
    "random", "secrets", "sqlite3",
}  # fmt: skip
FILES = {"pathlib", "os", "io", "shutil", "tempfile", "tomllib", "glob", "importlib"}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def modules() -> list[tuple[str, Path]]:
    """Dotted name and file of every module of the house."""
    found = []
    for package in PACKAGES:
        for path in sorted((HOME / package).rglob("*.py")):
            parts = path.relative_to(HOME).with_suffix("").parts
            found.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return found


def imports(name: str, path: Path) -> Iterator[tuple[int, str]]:
    """Line and absolute dotted name of everything that a module imports, at its top or inside a function."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:  # `from engine import cards` imports engine.cards
                below = HOME.joinpath(*base.split("."), alias.name)
                deeper = below.with_suffix(".py").exists() or below.is_dir()
                yield node.lineno, f"{base}.{alias.name}" if deeper else base


def within(name: str, tree: str) -> bool:
    return name == tree or name.startswith(tree if tree[-1] in "_." else tree + ".")


def for_developers(name: str) -> bool:
    return any(within(name, tree) for tree in DEVELOPERS_ONLY)


def test_every_package_imports_only_what_its_row_allows() -> None:
    wrong = []
    for name, path in modules():
        row = max((key for key in MAY_IMPORT if within(name, key)), key=len)
        allowed = (row, *MAY_IMPORT[row])
        for line, imported in imports(name, path):
            if imported.split(".")[0] not in PACKAGES:
                continue
            closed = [tree for tree in NEVER_IMPORTED if within(imported, tree)]
            if not any(within(imported, tree) for tree in allowed) or any(
                not any(within(name, friend) for friend in NEVER_IMPORTED[tree]) for tree in closed
            ):
                wrong.append(f"{path.relative_to(HOME)}:{line} imports {imported}")
    assert not wrong, "\n".join(wrong)


def test_the_product_runs_with_its_pinned_packages_alone() -> None:
    wrong = []
    for name, path in modules():
        if for_developers(name):
            continue
        for line, imported in imports(name, path):
            top = imported.split(".")[0]
            if for_developers(imported):
                wrong.append(f"{path.relative_to(HOME)}:{line} imports {imported}, which is for developers")
            elif top in PACKAGES or top in sys.stdlib_module_names or top in RUNTIME[name.split(".")[0]]:
                continue
            else:
                wrong.append(f"{path.relative_to(HOME)}:{line} imports {imported}")
    assert not wrong, "\n".join(wrong)


def test_the_engine_is_pure() -> None:
    """No clock, thread, log or chance; one file (rulesets) reads the TOML that ships."""
    wrong = []
    for name, path in modules():
        if not within(name, "engine"):
            continue
        reads_files = name == "engine.rulesets"
        for line, imported in imports(name, path):
            top = imported.split(".")[0]
            if top in ENGINE_NEVER or (top in FILES and not reads_files):
                wrong.append(f"{path.relative_to(HOME)}:{line} imports {imported}")
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("open", "print"):
                wrong.append(f"{path.relative_to(HOME)}:{node.lineno} calls {node.func.id}")
    assert not wrong, "\n".join(wrong)


# Who reads a clock: the command line, the app's edges (loop, camera threads, a journal row's wall time), a real camera
# stamping its frames, the server, the devices' own threads, the doctor's look at the time of day. Everybody else is
# handed the time, so that the same inputs give the same screen.
CLOCK_READERS = (
    "cli", "hardware.contacts", "hardware.probe", "hardware.serial_line", "table.app", "table.camera_service",
    "table.first_run_screen", "table.demo", "table.headless", "table.real", "table.sources", "table.sync", "venue",
    "vision.ribbon", "vision.usb",
)  # fmt: skip
HANDED_TIME = ("venue.protocol",)


def test_time_is_handed_in() -> None:
    wrong = []
    for name, path in modules():
        reads = for_developers(name) or any(within(name, reader) for reader in CLOCK_READERS)
        if reads and name not in HANDED_TIME:
            continue
        for node in ast.walk(tree_of(path)):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and (node.value.id, node.attr)
                in {("time", "time"), ("time", "monotonic"), ("datetime", "now"), ("time", "time_ns")}
            ):
                wrong.append(f"{path.relative_to(HOME)}:{node.lineno} reads {node.value.id}.{node.attr}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("folder", [*PACKAGES, "tests", "benchmarks", "assets", "requirements"])
def test_a_file_is_about_one_thing(folder: str) -> None:
    longest = 600 if folder == "tests" else 430  # about 400; tables of cases may run on
    long = {
        str(path.relative_to(HOME)): lines
        for path in sorted((HOME / folder).rglob("*.py"))
        if (lines := len(path.read_text("utf-8").splitlines())) > longest
    }
    assert not long, f"longer than about 400 lines: {long}"


def test_every_module_says_what_it_is() -> None:
    silent = [
        str(path.relative_to(HOME))
        for _, path in modules()
        if path.read_text("utf-8").strip() and not ast.get_docstring(tree_of(path))
    ]
    assert not silent
