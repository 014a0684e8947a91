"""How strong a network is: its points against built-in bots, the intervals of the shares, and an Elo."""

from __future__ import annotations

import math
from argparse import Namespace

import agon
import numpy as np
import torch
from games import Rung, Setting
from network import Answers, Network, starts_of

FEW = 0.05
"""After two bots in a row against which the share is below this, stronger ones are not measured."""


@torch.no_grad()
def points_against(network: Network, setting: Setting, rung: Rung, args: Namespace) -> list[float]:
    """The points of each game against a built-in bot, from both seats: a draw is half a point."""
    batches = [
        agon.Batch(
            args.game, args.measured, players=2, threads=args.threads, opponents={1 - seat: (rung.bot, rung.nodes)}, autoreset="off",
            seeds=10**6,
        )
        for seat in (0, 1)
    ]  # fmt: skip
    starts, components = starts_of(batches[0].layout.choices.tolist()), len(batches[0].layout.actions)
    points: list[float] = []
    while playing := [batch for batch in batches if batch.acting.any()]:
        asked = [np.flatnonzero(batch.acting[:, 0]) for batch in playing]
        planes, scalars, masks = (
            torch.from_numpy(np.concatenate([getattr(batch, name)[rows, 0] for batch, rows in zip(playing, asked, strict=True)])).to(args.device)
            for name in ("planes", "scalars", "masks")
        )
        logits, _ = network(planes, scalars)
        chosen = Answers(network, logits, planes, masks, starts).draw(components, setting.likeliest).cpu().numpy()
        for batch, rows in zip(playing, asked, strict=True):
            actions = np.zeros((batch.games, 1, components), dtype=np.uint16)
            actions[rows, 0], chosen = chosen[: len(rows)], chosen[len(rows) :]
            batch.step(actions)
            points += ((batch.rewards[batch.terminated == 1, 0] + 1) / 2).tolist()
    return points


def interval(points: list[float]) -> list[float]:
    """The 95 % interval of the share of points (Wilson's), which is not empty when all games are lost."""
    games, share, z = len(points), float(np.mean(points)), 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return [round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4)]


def elo(ladder: tuple[Rung, ...], points: dict[str, list[float]]) -> tuple[int, list[int]]:
    """The most likely Elo, and its 95 % interval, if that of each bot is the one of the ladder. The first rung has 0.

    A drawn game against the weakest bot is added, so that the number stays finite when all games are lost or all are won."""
    numbers = np.arange(-2000, 6001)
    likelihood = np.zeros(len(numbers))
    for place, rung in enumerate(rung for rung in ladder if rung.bot in points):
        won, games = sum(points[rung.bot]), len(points[rung.bot])
        if place == 0:
            won, games = won + 0.5, games + 1
        ahead = (numbers - rung.elo) * math.log(10) / 400
        likelihood -= won * np.logaddexp(0, -ahead) + (games - won) * np.logaddexp(0, ahead)
    likely = np.flatnonzero(likelihood >= likelihood.max() - 1.92)
    return int(numbers[likelihood.argmax()]), [int(numbers[likely[0]]), int(numbers[likely[-1]])]


def measure(network: Network, setting: Setting, args: Namespace) -> dict[str, object]:
    """Shares of points against the bots of the ladder, from the weakest on, with their intervals, and the Elo."""
    points: dict[str, list[float]] = {}
    few = 0
    for rung in setting.ladder:
        points[rung.bot] = points_against(network, setting, rung, args)
        few = few + 1 if np.mean(points[rung.bot]) < FEW else 0
        if few == 2:
            break
    strength, range_of_it = elo(setting.ladder, points)
    return {
        "shares": {bot: round(float(np.mean(each)), 4) for bot, each in points.items()},
        "intervals": {bot: interval(each) for bot, each in points.items()},
        "games": {bot: len(each) for bot, each in points.items()},
        "elo": strength,
        "elo_interval": range_of_it,
    }
