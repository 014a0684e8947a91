"""Speed of batches as Python sees it: `python steps.py [SECONDS] [GAME...]` prints a table.

An agent step is an answer of an agent that was asked. Actions are sampled ahead from the masks, so that the table shows the
steps alone: engine, observations, masks and rewards. Random actions within the masks are never faults.
"""

from __future__ import annotations

import sys
import time

import agon
import numpy as np

GAMES = 512
PREPARED = 64


def rate(name: str, threads: int, seconds: float) -> tuple[float, float]:
    """Agent steps in a second of steps alone, and of steps with sampling."""
    batch = agon.Batch(name, GAMES, players=2, threads=threads, autoreset="same_step")
    batch.reset(1)
    results = []
    for sampling in (False, True):
        steps, spent = 0, 0.0
        while spent < seconds:
            for _ in range(PREPARED):
                asked = int(batch.acting.sum())
                if sampling:
                    start = time.perf_counter()
                    batch.step(batch.sample())
                else:
                    actions = batch.sample()
                    start = time.perf_counter()
                    batch.step(actions)
                spent += time.perf_counter() - start
                steps += asked
        results.append(steps / spent)
    return results[0], results[1]


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    names = sys.argv[2:] or agon.games()
    print("\n| game | agent steps/s, 1 thread: median of 5 (best) | with `sample` | 2 threads | scaling |")
    print("|---|---|---|---|---|")
    for name in names:
        single, sampled, double = [], [], []
        for _ in range(5):
            alone, both = rate(name, 1, seconds / 5)
            single.append(alone)
            sampled.append(both)
            double.append(rate(name, 2, seconds / 5)[0])
        scaling = float(np.median(double)) / (2 * float(np.median(single)))
        print(
            f"| {name} | {np.median(single):,.0f} ({max(single):,.0f}) | {np.median(sampled):,.0f} "
            f"| {np.median(double):,.0f} | {scaling:.0%} |"
        )


if __name__ == "__main__":
    main()
