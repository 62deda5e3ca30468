"""The state machines: every state is reached, and the page that shows them is drawn from them.

``python -m tests.engine.test_phases`` writes the page anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.phases import ALERT, DEAL, MATCH, Table, drawn

PAGE = Path(__file__).resolve().parents[2] / "docs" / "phases.md"
TABLES = {"A match": MATCH, "A deal": DEAL, "An alert": ALERT}


def page() -> str:
    parts = [
        "# The states of a match, a deal, an alert",
        "Drawn from the tables in `engine/phases.py`; do not edit here.",
    ]
    for title, table in TABLES.items():
        parts.append(f"## {title}\n\n```mermaid\n{drawn(table)}\n```")
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_state_is_reached_and_leads_to_states(table: Table) -> None:
    reached = {next(iter(table))} | {after for leads in table.values() for after in leads.values()}
    assert reached == set(table)


def test_the_page_shows_the_tables() -> None:
    assert PAGE.read_text("utf-8") == page()


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
