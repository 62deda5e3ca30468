"""The growth of ``benchmarks/results/venue.json`` as a plot and a table: ``python -m benchmarks.venue_plot``."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results" / "venue.json"
PLOT = Path(__file__).resolve().parent.parent / "docs" / "venue-growth.svg"
COLOURS = {"sqlite": "#1c8a83", "postgresql": "#c98a1b"}
LEFT, TOP, WIDTH, HEIGHT = 70, 50, 540, 260
LOW, HIGH = 1.0, 10_000.0
"""Milliseconds of the upright axis, by tens."""


def plot(rows: list[dict[str, Any]]) -> str:
    """Acknowledgement (whole lines) and alert to console (dashed), p99 by tables, both axes logarithmic."""
    tables = sorted({row["tables"] for row in rows})
    low, high = math.log(tables[0]), math.log(tables[-1])

    def x(count: int) -> float:
        return LEFT + (math.log(count) - low) / max(high - low, 1e-9) * WIDTH

    def y(ms: float) -> float:
        share = math.log(max(LOW, min(HIGH, ms)) / LOW) / math.log(HIGH / LOW)
        return TOP + (1 - share) * HEIGHT

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {TOP + HEIGHT + 50}" font-family="sans-serif" '
        'font-size="13"><rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="26" font-size="16">1,000 events a second offered: p99 in ms by tables</text>',
    ]
    for ms in (1, 10, 100, 250, 1000, 10_000):
        dash = ' stroke-dasharray="2 4"' if ms == 250 else ""
        parts.append(f'<path d="M{LEFT},{y(ms):.1f}h{WIDTH}" stroke="#cccccc"{dash}/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(ms) + 4:.1f}" text-anchor="end">{ms:,}</text>')
    parts += [
        f'<text x="{x(count):.1f}" y="{TOP + HEIGHT + 20}" text-anchor="middle">{count:,}</text>' for count in tables
    ]
    row_at = TOP + 14
    for engine in sorted({row["engine"] for row in rows}):
        mine = sorted((row for row in rows if row["engine"] == engine), key=lambda row: int(row["tables"]))
        for name, dash in (("ack_ms", ""), ("alert_ms", ' stroke-dasharray="6 4"')):
            points = " ".join(f"{x(row['tables']):.1f},{y(row[name]['p99'] or LOW):.1f}" for row in mine)
            line = f'fill="none" stroke="{COLOURS[engine]}" stroke-width="2"{dash}'
            parts.append(f'<polyline points="{points}" {line}/>')
            parts.append(f'<path d="M{LEFT + WIDTH + 14},{row_at}h24" {line}/>')
            label = f"{engine}, {'acknowledged' if name == 'ack_ms' else 'alert'}"
            parts.append(f'<text x="{LEFT + WIDTH + 14}" y="{row_at + 16}" font-size="11">{label}</text>')
            row_at += 36
    return "\n".join([*parts, "</svg>"]) + "\n"


def table(rows: list[dict[str, Any]]) -> str:
    """The same as Markdown."""
    lines = [
        "| engine | tables | events/s | ack p50, p99 ms | alert p50, p99 ms | venue's processor s | generator | load |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in sorted(rows, key=lambda row: (row["engine"], row["tables"])):
        ack, alert = row["ack_ms"], row["alert_ms"]
        lines.append(
            f"| {row['engine']} | {row['tables']:,} | {row['events_per_s']} | {ack['p50']}, {ack['p99']} "
            f"| {alert['p50']}, {alert['p99']} | {row['processor_s']['venue']} of {row['seconds']} "
            f"| {row['generator_share']:.0%} | {row['load_average']} |"
        )
    return "\n".join(lines)


def main() -> None:
    rows = json.loads(RESULTS.read_text("utf-8")).get("growth", [])
    if not rows:
        raise SystemExit("nothing measured yet: python -m benchmarks.venue growth")
    PLOT.write_text(plot(rows), "utf-8")
    print(table(rows))


if __name__ == "__main__":
    main()
