"""Draws the logs of runs, a row each: shares of points against each bot, Elo, losses and entropy over time.

    python plot.py runs/hypersonic/log.jsonl hypersonic.svg
    python plot.py runs/hypersonic/log.jsonl runs/hypersonic-answer/log.jsonl ../docs/training-hypersonic.svg

Bands are 95 % intervals; a vertical line is where a piece of a run ended and the next one went on from its checkpoint.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 390, 270, 48, 34, 76, 40
COLOURS = ("#4477aa", "#228833", "#aa8800", "#ee6677", "#aa3377", "#3399bb", "#555555", "#994455", "#117755")
Line = dict[str, object]


@dataclass(frozen=True)
class Curve:
    """A number over time."""

    name: str
    points: list[tuple[float, float]]
    """Minutes and the number."""
    band: list[tuple[float, float, float]]
    """Minutes and the ends of the interval, if there is one."""


def curve(name: str, lines: list[Line], read: str, key: str | None = None, band: str | None = None) -> Curve:
    """The numbers that stand under a name in the lines of a log, or under a key in what stands there."""
    have = [line for line in lines if read in line and (key is None or key in line[read])]

    def of(line: Line, name: str) -> object:
        return line[name] if key is None else line[name][key]

    points = [(line["minutes"], of(line, read)) for line in have]
    return Curve(name, points, [(line["minutes"], *of(line, band)) for line in have if band in line])


def panel(left: float, top: float, title: str, curves: list[Curve], most: float, low: float, high: float, unit: str, ends: list[float]) -> list[str]:
    """A chart of some curves."""

    def x(minutes: float) -> float:
        return left + LEFT + minutes / (most or 1) * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        share = (min(high, max(low, value)) - low) / (high - low)
        return top + TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)

    right = left + WIDTH - RIGHT
    parts = [f'<text x="{left + LEFT}" y="{top + 18}" font-weight="bold">{title}</text>']
    for number in range(5):
        value = low + (high - low) * number / 4
        text = f"{value:.0f}" if high - low >= 8 else f"{value:.2f}"
        parts.append(f'<path d="M{left + LEFT} {y(value):.1f}H{right}" stroke="#ddd"/>')
        parts.append(f'<text x="{left + LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{text}{unit}</text>')
        minutes = most * number / 4
        parts.append(f'<text x="{x(minutes):.1f}" y="{top + HEIGHT - 22}" text-anchor="middle">{minutes:.1f}</text>')
    parts.append(f'<text x="{(left + LEFT + right) / 2}" y="{top + HEIGHT - 6}" text-anchor="middle">minutes</text>')
    parts += [f'<path d="M{x(end):.1f} {top + TOP}V{top + HEIGHT - BOTTOM}" stroke="#999" stroke-dasharray="3 3"/>' for end in ends]
    lowest = top + TOP - 14.0
    for colour, each in sorted(zip(COLOURS, curves, strict=False), key=lambda entry: -entry[1].points[-1][1]):
        if each.band and len(curves) <= 2:
            edge = [(minutes, below) for minutes, below, _ in each.band] + [(minutes, above) for minutes, _, above in reversed(each.band)]
            corners = " ".join(f"{x(minutes):.1f},{y(value):.1f}" for minutes, value in edge)
            parts.append(f'<polygon points="{corners}" fill="{colour}" opacity="0.15"/>')
        points = " ".join(f"{x(minutes):.1f},{y(value):.1f}" for minutes, value in each.points)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x(minutes):.1f}" cy="{y(value):.1f}" r="2" fill="{colour}"/>' for minutes, value in each.points]
        # Labels keep a line's distance from each other.
        lowest = max(lowest + 14, y(each.points[-1][1]) + 4)
        parts.append(f'<text x="{right + 6}" y="{lowest:.1f}" fill="{colour}">{each.name}</text>')
    return parts


def row(lines: list[Line], top: float) -> list[str]:
    """The charts of a log."""
    most = max(line["minutes"] for line in lines)
    ends = [before["minutes"] for before, line in pairwise(lines) if before.get("piece") != line.get("piece")]
    bots = list(dict.fromkeys(bot for line in lines for bot in line["shares"]))
    shares = [curve(f"@{bot}", lines, "shares", bot, "intervals") for bot in bots]
    percent = [
        Curve(
            each.name,
            [(minutes, 100 * share) for minutes, share in each.points],
            [(minutes, 100 * low, 100 * high) for minutes, low, high in each.band],
        )
        for each in shares
    ]
    against = next((f"against {line['against']}" for line in lines if "against" in line), "against the ladder")
    parts = panel(0, top, f"share of points {against}", percent, most, 0, 100, " %", ends)
    elo = curve("Elo", lines, "elo", None, "elo_interval")
    if elo.points:
        values = [value for _, value in elo.points]
        low, high = 200 * ((min(values) - 150) // 200), 200 * ((max(values) + 349) // 200)
        parts += panel(WIDTH, top, f"Elo, @{bots[0]} is 0", [elo], most, low, high, "", ends)
    losses = [curve(name, lines, read) for name, read in (("value loss", "surprise"), ("entropy", "entropy"), ("gain", "gain"))]
    # Each as a share of its greatest amount: their sizes differ by far.
    scaled = []
    for each in losses:
        greatest = max((abs(value) for _, value in each.points), default=0) or 1
        if each.points:
            scaled.append(Curve(each.name, [(minutes, value / greatest) for minutes, value in each.points], []))
    return parts + panel(2 * WIDTH, top, "losses, of their greatest amount", scaled, most, 0, 1, "", ends)


def drawn(logs: list[list[Line]]) -> str:
    """The picture of some logs."""
    width, height = 3 * WIDTH, HEIGHT * len(logs)
    begin = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
    parts = [begin, f'<rect width="{width}" height="{height}" fill="white"/>']
    for place, lines in enumerate(logs):
        parts += row(lines, place * HEIGHT)
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    *logs, picture = map(Path, sys.argv[1:])
    picture.write_text(drawn([[json.loads(line) for line in log.read_text().splitlines()] for log in logs]))


if __name__ == "__main__":
    main()
