"""A sample of ``benchmarks/watch.py``: the first plays of a deal on a held-out design, filmed, read and judged."""

from __future__ import annotations

import os
import shutil

import pytest

from vision.photo import MODELS


def _ready() -> bool:
    if shutil.which("fc-list") is None or shutil.which("rsvg-convert") is None:
        return False
    try:
        from benchmarks.watch import designs

        return bool(designs())
    except Exception:  # no drawing packages, no Debian designs on this machine
        return False


@pytest.mark.skipif(not (MODELS / "reader.onnx").exists() or not _ready(), reason="no models or held-out designs here")
def test_the_first_plays_of_a_deal_on_a_held_out_design() -> None:
    """``GUANDAN_WATCH_PLAYS`` asks for more than the six of an ordinary run."""
    from benchmarks.watch import film_deal
    from table.virtual import record_of

    plays = int(os.environ.get("GUANDAN_WATCH_PLAYS", "6"))
    record, seen = [], 0
    for event in record_of(100_000, 1, "championship", 1):
        record.append(event)
        seen += event.do == "play"
        if seen == plays:
            break
    deal = film_deal(0, 1, record)
    assert deal["plays"] == seen and deal["right"] >= seen - 1
    assert deal["silent"] == 0 and deal["aloud"] == 0
