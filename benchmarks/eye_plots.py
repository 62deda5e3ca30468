"""A line plot as an SVG file, for the eye's figures."""

from __future__ import annotations

from pathlib import Path

COLOURS = {"right": "#1c8a83", "asked": "#c98a1b", "silent": "#b3202c", "missed": "#6b7480", "said": "#6b7480"}
LEFT, TOP, WIDTH, HEIGHT = 60, 48, 560, 260


def line_plot(path: Path, title: str, places: list[float], lines: dict[str, list[float]]) -> None:
    """Write *lines* (shares 0..1 at *places*) to *path*."""
    low, high, bottom = min(places), max(places), TOP + HEIGHT + 50

    def x(place: float) -> float:
        return LEFT + (place - low) / (high - low) * WIDTH

    def y(share: float) -> float:
        return TOP + (1 - share) * HEIGHT

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {bottom}" font-family="sans-serif" font-size="13">',
        f'<rect width="760" height="{bottom}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="26" font-size="16">{title}</text>',
    ]
    for tenth in range(0, 11, 2):
        share = tenth / 10
        parts.append(f'<path d="M{LEFT},{y(share):.1f}h{WIDTH}" stroke="#dddddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(share) + 4:.1f}" text-anchor="end">{tenth * 10} %</text>')
    last = -100.0
    for place in places:
        if x(place) - last < 26:
            continue
        last = x(place)
        parts.append(f'<text x="{x(place):.1f}" y="{TOP + HEIGHT + 20}" text-anchor="middle">{place:g}</text>')
    for number, (name, shares) in enumerate(lines.items()):
        colour = COLOURS.get(name, "#333333")
        points = " ".join(f"{x(place):.1f},{y(share):.1f}" for place, share in zip(places, shares, strict=True))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        row = TOP + 14 + number * 20
        parts.append(f'<path d="M{LEFT + WIDTH + 16},{row - 4}h18" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{LEFT + WIDTH + 40}" y="{row}">{name}</text>')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*parts, "</svg>\n"]))
