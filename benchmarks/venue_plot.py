"""The growth of ``benchmarks/results/venue.json`` as a plot and a page with its table, in ``docs``.

python -m benchmarks.venue_plot [--results FILE] [--docs FOLDER]
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parent.parent
NAME = "venue-growth"
COLOURS = {"sqlite": "#1c8a83", "postgresql": "#c98a1b"}
LEFT, TOP, WIDTH, HEIGHT = 70, 50, 540, 260
LOW, HIGH = 1.0, 10_000.0
"""Milliseconds of the upright axis, by tens."""
MARKS = (1, 10, 100, 250, 1000, 10_000)
GOALS = {250: "acknowledgement's goal", 1000: "alert's goal"}


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
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {TOP + HEIGHT + 50}" font-family="sans-serif" '
        'font-size="13"><rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="26" font-size="16">1,000 events a second offered: p99 in ms by tables</text>',
    ]
    for ms in MARKS:
        colour = "#888888" if ms in GOALS else "#dddddd"
        parts.append(f'<path d="M{LEFT},{y(ms):.1f}h{WIDTH}" stroke="{colour}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(ms) + 4:.1f}" text-anchor="end">{ms:,}</text>')
        if ms in GOALS:
            words = f'font-size="10" fill="#666666" text-anchor="end">{GOALS[ms]}, {ms:,} ms'
            parts.append(f'<text x="{LEFT + WIDTH - 4}" y="{y(ms) - 4:.1f}" {words}</text>')
    parts += [
        f'<text x="{x(count):.1f}" y="{TOP + HEIGHT + 20}" text-anchor="middle">{count:,}</text>' for count in tables
    ]
    parts.append(f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 40}" text-anchor="middle">tables</text>')
    row_at = TOP + 14
    for engine in sorted({row["engine"] for row in rows}):
        mine = sorted((row for row in rows if row["engine"] == engine), key=lambda row: int(row["tables"]))
        for name, dash in (("ack_ms", ""), ("alert_ms", ' stroke-dasharray="6 4"')):
            seen = [row for row in mine if row[name]["p99"] is not None]
            points = " ".join(f"{x(row['tables']):.1f},{y(row[name]['p99']):.1f}" for row in seen)
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
        "| engine | tables | acknowledged a second | requests a second | ack p50 / p99, ms | alert p50 / p99, ms "
        "| alerts seen | venue and database, µs an event | venue | database | generator | others | load |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in sorted(rows, key=lambda row: (row["engine"], row["tables"])):
        ack, alert, share = row["ack_ms"], row["alert_ms"], row["shares"]
        lines.append(
            f"| {row['engine']} | {row['tables']:,} | {row['acked_per_s']:,} | {row['requests_per_s']:.0f} "
            f"| {_ms(ack['p50'])} / {_ms(ack['p99'])} | {_ms(alert['p50'])} / {_ms(alert['p99'])} "
            f"| {row['alerts_seen']} of {row['alerts']} | {row['venue_us_per_event']} | {share['venue']:.0%} "
            f"| {share['database']:.0%} | {share['generator']:.0%} | {share['others']:.0%} | {row['load_average']} |"
        )
    return "\n".join(lines)


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def page(rows: list[dict[str, Any]]) -> str:
    """The page of the plot and the table."""
    cores = ", ".join(sorted({str(row["cores"]) for row in rows}))
    offered = ", ".join(sorted({f"{row['offered_per_s']:,.0f}" for row in rows}))
    return f"""# How the venue grows with its tables

{offered} events a second offered by all tables together, on one machine of {cores} cores that the load generator and
the database share. An acknowledgement means that the batch is on the disk; its time is counted from the request. An
alert's time is counted from the line in the table's journal to the referee's page. The last five columns say whose the
processor was, as parts of all cores: where the machine had `others` to serve, the times say more about these than about
the venue; what an event costs the processor holds on a busy machine too.

![p99 of acknowledgement and alert by tables]({NAME}.svg)

{table(rows)}

Written by `python -m benchmarks.venue_plot` from what `python -m benchmarks.venue growth [--database postgresql]`
measured (`benchmarks/results/venue.json`).
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=HOME / "benchmarks" / "results" / "venue.json")
    parser.add_argument("--docs", type=Path, default=HOME / "docs")
    args = parser.parse_args()
    rows = json.loads(args.results.read_text("utf-8")).get("growth", []) if args.results.exists() else []
    if not rows:
        raise SystemExit("nothing measured yet: python -m benchmarks.venue growth")
    (args.docs / f"{NAME}.svg").write_text(plot(rows), "utf-8")
    (args.docs / f"{NAME}.md").write_text(page(rows), "utf-8")
    print(table(rows))


if __name__ == "__main__":
    main()
