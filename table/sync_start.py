"""Giving a table its line to a venue: where its files lie, what it says of itself."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from pathlib import Path
from typing import Any

from table.desk import Desk
from table.effects import Alert
from table.inputs import Input
from table.journal import Journal
from table.sync import Link
from table.sync_errands import Errands
from table.sync_health import health
from table.sync_log import SyncLog
from table.sync_orders import finished
from table.sync_pictures import ShelfPictures


def pairing_path(journal: Path) -> Path:
    """Where the token of the table with this journal is kept."""
    return journal.with_name(journal.name + ".venue")


def sync_path(journal: Path) -> Path:
    """Where what travels is numbered."""
    return journal.with_name(journal.name + ".sync")


def link_for(
    journal: Journal,
    put: Callable[[Input], None],
    now: Callable[[], float],
    more: Callable[[], dict[str, Any]] = dict,
    demo: bool = False,
    pictures: ShelfPictures | None = None,
    errands: Errands | None = None,
) -> Link:
    """A line for the table of *journal* that says nothing before it is joined; *more* adds to how the device fares,
    *pictures* follow their alerts, *errands* fetch what the venue hands out."""
    folder = journal.path.parent
    log = SyncLog(sync_path(journal.path))
    return Link(log, journal, put, now, lambda: {**health(folder), **more()}, version(), demo, pictures, errands)


def standing(desk: Desk) -> list[Alert]:
    """The alerts that wait for a ruling: after a restart they are said again, and known by their names if they were."""
    return [
        Alert(each.id, each.kind, each.seat, bool(each.certain), each.route, desk.rule_of(each))
        for each in desk.standing_alerts()
    ]


def at_rest(desk: Desk) -> bool:
    """Whether no match is on at this table: none has begun, or the last one is over and signed."""
    return desk.match.phase == "before" or finished(desk)


def version() -> str:
    """The product's version, as it is installed; empty in a folder that was never installed."""
    try:
        return importlib.metadata.version("guandan-table")
    except importlib.metadata.PackageNotFoundError:
        return _written_version()


def _written_version() -> str:
    try:
        text = (Path(__file__).resolve().parent.parent / "pyproject.toml").read_text("utf-8")
    except OSError:
        return ""
    line = next((line for line in text.splitlines() if line.startswith("version = ")), "")
    return line.partition('"')[2].rstrip('"')
