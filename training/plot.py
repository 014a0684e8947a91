"""Draws the log of a run: the share of points against each bot of the ladder over time.

    python plot.py runs/hypersonic/log.jsonl ../docs/images/training-hypersonic.svg
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 760, 380, 48, 16, 130, 40
COLOURS = ("#4477aa", "#228833", "#ccbb44", "#ee6677", "#aa3377", "#66ccee")


def drawn(lines: list[dict[str, object]]) -> str:
    """The picture of a log."""
    most = max(line["minutes"] for line in lines)

    def x(minutes: float) -> float:
        return LEFT + minutes / most * (WIDTH - LEFT - RIGHT)

    def y(share: float) -> float:
        return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for percent in range(0, 101, 25):
        at = y(percent / 100)
        parts.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{percent} %</text>')
    for number in range(5):
        minutes = most * number / 4
        parts.append(f'<text x="{x(minutes):.1f}" y="{HEIGHT - 20}" text-anchor="middle">{minutes:.0f}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 4}" text-anchor="middle">minutes of training</text>')
    names = list(lines[-1]["shares"])
    lowest = 0.0
    for name, colour in sorted(zip(names, COLOURS, strict=False), key=lambda entry: -lines[-1]["shares"][entry[0]]):
        points = " ".join(f"{x(line['minutes']):.1f},{y(line['shares'][name]):.1f}" for line in lines if name in line["shares"])
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        # Labels keep a line's distance from each other.
        lowest = max(lowest + 14, y(lines[-1]["shares"][name]) + 4)
        parts.append(f'<text x="{WIDTH - RIGHT + 6}" y="{lowest:.1f}" fill="{colour}">@{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    log, picture = map(Path, sys.argv[1:])
    picture.write_text(drawn([json.loads(line) for line in log.read_text().splitlines()]))


if __name__ == "__main__":
    main()
