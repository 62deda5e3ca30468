"""The demo's venue beside the demo's table: on the board, on the console, and gone when the demo ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

pytest.importorskip("uvicorn")

from cli.demo_venue import DemoVenue, available
from table.headless import Plan, journal_of, play
from table.journal import Journal
from table.ledger import Ledger
from table.virtual import record_of
from tests.table.perfect_eye import studio


@pytest.fixture
def venue() -> Iterator[DemoVenue]:
    assert available()
    made = DemoVenue()
    yield made
    made.close()


def test_a_virtual_table_is_on_the_board_and_its_offences_on_the_console(venue: DemoVenue, tmp_path: Path) -> None:
    told = venue.wait()
    (pairing,) = venue.pairings()
    root = pairing.url
    console, board = httpx.Client(base_url=root), httpx.Client(base_url=root)
    assert console.post("/v1/enter", json={"code": told["links"]["console"]}).json()["role"] == "chief"
    assert board.post("/v1/enter", json={"code": told["links"]["board"]}).json()["role"] == "spectator"
    assert httpx.post(f"{root}/v1/enter", json={"code": told["links"]["console"]}).status_code == 403
    plan = Plan(1, 7, 1)
    record = record_of(plan.seed, 1, plan.profile, plan.deals)
    path = tmp_path / "demo.journal"
    with Journal(journal_of(path, 1)) as journal:
        controller = play(record, 7, Ledger(journal, lambda: 0.0, "demo"), 1, plan.profile, studio(), pairing)
    items = console.get("/v1/snapshot").json()["items"]
    tile = next(item["table"] for item in items if "table" in item)
    assert tile["board"]["deals"] == 1 and tile["board"]["levels"] == dict(controller.desk.match.levels)
    raised = [alert.id for alert in controller.desk.match.alerts if alert.route != "count"]
    cases = {alert: item["case"] for item in items if "case" in item for alert in item["case"]["alerts"]}
    assert raised and set(raised) <= set(cases)
    assert all(cases[alert]["evidence"].get("trick") is not None for alert in raised)
    assert "case" not in str(board.get("/v1/snapshot").json())
    venue.close()
    with pytest.raises(httpx.TransportError):
        console.get("/v1/snapshot")
