"""Imitation from records, with numpy alone: learns which of its possible actions a player chooses.

    agon duel hypersonic --bot @silver --bot @bronze -n 40 --records games --run games.run
    python imitation.py games.run

The model is a softmax regression over the cells around the own bomber: one weight for each plane, cell and action. It is small, and
shows how records become arrays; use a network to play well.
"""

from __future__ import annotations

import argparse

import agon.records
import numpy as np

OWN_BOMBER, RADIUS = 5, 4


def around(planes: np.ndarray) -> np.ndarray:
    """The cells around the own bomber, as a vector."""
    _, height, width = planes.shape
    y, x = divmod(int(planes[OWN_BOMBER].argmax()), width)
    padded = np.pad(planes, ((0, 0), (RADIUS, RADIUS), (RADIUS, RADIUS)))
    return padded[:, y : y + 2 * RADIUS + 1, x : x + 2 * RADIUS + 1].reshape(-1)


def softmax(scores: np.ndarray, masks: np.ndarray) -> np.ndarray:
    scores = np.where(masks == 1, scores, -np.inf)
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    return chances / chances.sum(axis=1, keepdims=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", help="a file of records, a run file, or a folder")
    parser.add_argument("--matches", type=int, default=200, help="matches to read at most")
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()

    inputs, masks, actions = [], [], []
    missing = 0
    for _, match in zip(range(args.matches), agon.records.matches(args.records)):
        for decision in match.decisions():
            if decision.action is None:
                missing += 1
            elif decision.reward >= 0:  # Imitate winners, and those who drew.
                inputs.append(around(decision.planes))
                masks.append(decision.mask)
                actions.append(int(decision.action[0]))
    x, m, y = np.array(inputs, dtype=np.float32), np.array(masks), np.array(actions)
    print(f"{len(y)} decisions; {missing} answers cannot be expressed as actions")

    order = np.random.default_rng(1).permutation(len(y))
    learn, check = order[: len(y) * 9 // 10], order[len(y) * 9 // 10 :]
    weights, rate = np.zeros((x.shape[1], m.shape[1]), dtype=np.float32), 0.05
    for epoch in range(1, args.epochs + 1):
        for part in np.array_split(np.random.default_rng(epoch).permutation(learn), max(1, len(learn) // 128)):
            error = softmax(x[part] @ weights, m[part])
            error[np.arange(len(part)), y[part]] -= 1
            weights -= rate * x[part].T @ error / len(part)
        chances = softmax(x[check] @ weights, m[check])
        right = (chances.argmax(axis=1) == y[check]).mean()
        guess = (m[check] / m[check].sum(axis=1, keepdims=True))[np.arange(len(check)), y[check]].mean()
        print(f"epoch {epoch}: {right:.0%} of the decisions foreseen; a random guess: {guess:.0%}", flush=True)


if __name__ == "__main__":
    main()
