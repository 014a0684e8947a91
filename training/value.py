"""Fits the value by which the champion of Back Track judges a short simulation, on one core in seconds.

    cargo run --release -p back-track-bots --example back_track_cases -- 2026.f32 2026 60001 87 1200
    cargo run --release -p back-track-bots --example back_track_cases -- statement.f32 statement 70001 108 1200
    python value.py statement.f32 2026.f32 --to ../games/back-track/bots

A case is a turn as one of the players sees it: the simulation of the two answers that were played, the board before it, and the points over the
opponent that the rest of the game brought. The value is one dense layer with weights for each kind of rules, found by ridge regression; an
inner layer of 24 or 32 numbers foresaw no more with so few games. The board before the turn and the simulation of the turn before
take part in the fit, but not in the value: they are the same for all answers of a turn, and without them the value would take for the good of an answer what
is the good of the position. Points of later turns count less, since a single answer explains little of them.

With `--to` it writes value.bin (the weights), value.json (the card) and value.cases (inputs with the answers of PyTorch).
"""

from __future__ import annotations

import argparse
import hashlib
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from files import settings, write
from network import dense
from torch import Tensor, nn

# The numbers of a row before its features: seed, kind of rules, turn, player, points over the opponent now and at the end, those that the simulation
# promises when later ones count less, whether the simulation ended the game, and the points of both players in the turn.
HEAD = 9
TURNS, BOARD = 12, 18
FEATURES = TURNS + BOARD
KINDS = 2
CASES = 24
FOLDS = 4
# Gains beyond so many standard deviations count as these: a few games are very one-sided.
MOST = 2


@dataclass
class Cases:
    """The turns of one kind of rules."""

    seed: Tensor
    features: Tensor
    context: Tensor
    """What is the same for all answers of a turn."""
    promised: Tensor
    """The points that the simulation promises, which is the value that the learned one is compared with."""
    gain: Tensor
    """Points that the player gained over its opponent from the turn on, later ones counting less."""
    weight: Tensor

    @staticmethod
    def of(rows: np.ndarray, fade: float) -> Cases:
        """Cases from rows; each later turn counts less by the factor `fade`."""
        rows = rows[np.lexsort((rows[:, 2], rows[:, 3], rows[:, 0]))]
        seed, _, turn, player, lead, final, promised, over, points = rows[:, :HEAD].T.astype(np.float64)
        follows = np.append(False, (seed[1:] == seed[:-1]) & (player[1:] == player[:-1]) & (turn[1:] == turn[:-1] + 1))
        gain = np.zeros(len(rows))
        for at in range(len(rows) - 1, -1, -1):
            goes_on = at + 1 < len(rows) and follows[at + 1]
            gain[at] = lead[at + 1] - lead[at] + fade * gain[at + 1] if goes_on else final[at] - lead[at]
        features = rows[:, HEAD : HEAD + FEATURES].astype(np.float64)
        earlier = np.zeros((len(rows), TURNS))
        earlier[1:] = features[:-1, :TURNS]
        earlier[~follows] = 0
        context = np.hstack([rows[:, HEAD + FEATURES :], earlier[:, 1:]])
        kept = over == 0
        spread = gain[kept].std()
        # Turns of open games count more, and so do those of games with few points, in which the gains vary less.
        weight = (np.exp(-np.abs(lead) / (3 * spread)) + 0.1) / (10 + points)
        arrays = (seed, features, context, promised, np.clip(gain, -MOST * spread, MOST * spread), weight)
        return Cases(*(torch.from_numpy(array[kept]) for array in arrays))

    def fitted(self, inputs: Tensor, chosen: Tensor, ridge: float) -> Tensor:
        """Weights of these inputs and of the context. Those of the inputs are kept small, those of the context less."""
        both = torch.hstack([inputs, self.context])
        scale = both[chosen].std(0).clamp(min=1e-6)
        scaled = both[chosen] / scale
        weight = self.weight[chosen]
        weighted = scaled * weight[:, None]
        shrink = torch.full((both.shape[1],), 0.1 * ridge, dtype=both.dtype)
        shrink[: inputs.shape[1]] = ridge
        matrix = weighted.T @ scaled + torch.diag(shrink) * weight.sum()
        return torch.linalg.solve(matrix, weighted.T @ self.gain[chosen]) / scale

    def explained(self, inputs: Tensor, ridge: float) -> float:
        """The share of the gains that these inputs and the context foresee, in games that the fit did not see."""
        left, total = 0.0, 0.0
        for fold in range(FOLDS):
            held = self.seed % FOLDS == fold
            weights = self.fitted(inputs, ~held, ridge)
            errors = self.gain - torch.hstack([inputs, self.context]) @ weights
            left += float((self.weight * errors**2)[held].sum())
            total += float((self.weight * self.gain**2)[held].sum())
        return round(1 - left / total, 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path, nargs="+")
    parser.add_argument("--to", type=Path, help="folder of the files of the bot")
    parser.add_argument("--origin", default="", help="how the cases came about, for the card")
    parser.add_argument("--fade", type=float, nargs=KINDS, default=[0.9, 0.85], help="for each kind of rules")
    parser.add_argument("--turns", type=int, nargs=KINDS, default=[6, 12], help="turns of a simulation that count, for each kind of rules")
    parser.add_argument("--ridge", type=float, nargs=KINDS, default=[0.003, 0.01], help="for each kind of rules")
    args = parser.parse_args()
    torch.set_num_threads(1)
    clock = time.monotonic()
    width = HEAD + FEATURES + BOARD
    numbers = [np.fromfile(path, dtype="<f4") for path in args.cases]
    rows = np.concatenate([array[: len(array) // width * width].reshape(-1, width) for array in numbers])
    network = nn.Linear(KINDS * FEATURES, 1)
    nn.init.zeros_(network.weight)
    nn.init.zeros_(network.bias)
    measured = []
    for kind, (turns, fade, ridge) in enumerate(zip(args.turns, args.fade, args.ridge, strict=True)):
        cases = Cases.of(rows[rows[:, 1] == kind], fade)
        # The champion's simulations end before the other turns.
        cases.features[:, turns:TURNS] = 0
        everything = torch.ones(len(cases.seed), dtype=torch.bool)
        promised = cases.promised[:, None]
        # In units of the points that a simulation promises, as the rest of the bot expects.
        unit = cases.fitted(promised, everything, 1e-4)[0]
        weights = cases.fitted(cases.features, everything, ridge)[:FEATURES] / unit
        with torch.no_grad():
            network.weight[0, kind * FEATURES : (kind + 1) * FEATURES] = weights
        entry = {
            "kind": kind,
            "games": int(cases.seed.unique().numel()),
            "seeds": [int(cases.seed.min()), int(cases.seed.max())],
            "cases": len(cases.seed),
            "explained_by_points": cases.explained(promised, 1e-4),
            "explained": cases.explained(cases.features, ridge),
        }
        measured.append(entry)
        print(entry, flush=True)
    if args.to:
        export(network, rows, args, measured, time.monotonic() - clock)


def export(network: nn.Linear, rows: np.ndarray, args: argparse.Namespace, measured: list[dict[str, object]], seconds: float) -> None:
    """Writes the files of the bot."""
    file = f"agon layers 1\nsizes {KINDS * FEATURES} 1\n\n".encode() + dense(network)
    shown = rows[:: len(rows) // CASES][:CASES]
    inputs = torch.zeros(CASES, KINDS * FEATURES)
    for row, numbers in zip(inputs, shown, strict=True):
        first = int(numbers[1]) * FEATURES
        row[first : first + FEATURES] = torch.from_numpy(numbers[HEAD : HEAD + FEATURES])
    with torch.no_grad():
        answers = network(inputs)
    card = {
        "game": "back-track",
        "parameters": sum(array.numel() for array in network.parameters()),
        "origin": args.origin,
        "cases_sha256": [hashlib.sha256(path.read_bytes()).hexdigest() for path in args.cases],
        "trained_seconds": round(seconds, 1),
        "settings": settings(args),
        "kinds": measured,
    }
    write(args.to, "value", file, card, torch.hstack([inputs, answers]).tolist())


if __name__ == "__main__":
    main()
