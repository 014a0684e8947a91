"""The settings of each game."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from network import Encoding, Part
from numpy.typing import NDArray


@dataclass(frozen=True)
class Table:
    """A kind of games that are played at once."""

    players: int
    share: float
    """Its share of the games."""
    opponents: str
    """`self` (all seats learn), `pool` (an old network plays the other seats) or the name of a built-in bot."""
    nodes: int = 0
    """The nodes of a built-in bot for each answer."""
    seat: int = 0
    """The seat that learns against built-in bots."""


@dataclass(frozen=True)
class Rung:
    """A bot that the network is measured against."""

    bot: str
    nodes: int
    elo: float
    """How much stronger than the first rung."""


@dataclass(frozen=True)
class Setting:
    """How a game is learned."""

    encoding: Encoding
    parts: tuple[Part, ...]
    """The components of an action that the network chooses."""
    tables: tuple[Table, ...]
    lead: Callable[[NDArray[np.float32]], NDArray[np.float32]]
    """From the scalars of each seat: how far it is ahead. Its growth is rewarded on the way."""
    ladder: tuple[Rung, ...]
    """The weakest first."""
    entropy: float
    """The weight of the entropy. An answer of many parts and cells has more of it."""
    stride: int = 1
    """That of the network."""
    likeliest: bool = True
    """Whether the network is measured by its likeliest choices. In games of hidden places, and where the parts of an answer are
    chosen for themselves, they are drawn by their chances, as in training."""


def against(setting: Setting, bot: str, nodes: int) -> Setting:
    """The same game with a built-in bot, which does not learn, as the only opponent and the only one that is measured."""
    return replace(setting, tables=tuple(Table(2, 0.5, bot, nodes, seat) for seat in (0, 1)), ladder=(Rung(bot, nodes, 0.0),))


def with_nodes(setting: Setting, nodes: int) -> Setting:
    """The same with fewer nodes for the bots of the ladder, where games must be short."""
    return replace(setting, ladder=tuple(replace(rung, nodes=min(nodes, rung.nodes)) for rung in setting.ladder))


def rungs(nodes: int, first: str, *steps: tuple[str, float]) -> tuple[Rung, ...]:
    """A ladder from the share of points of each bot against the one before it."""
    found = [Rung(first, nodes, 0.0)]
    for bot, share in steps:
        found.append(Rung(bot, nodes, round(found[-1].elo + 400 * math.log10(share / (1 - share)))))
    return tuple(found)


def boxes_ahead(scalars: NDArray[np.float32]) -> NDArray[np.float32]:
    """Own boxes minus those of the best other player."""
    return scalars[..., 5] - scalars[..., (9, 13, 17)].max(-1)


def lives_ahead(scalars: NDArray[np.float32]) -> NDArray[np.float32]:
    """Own lives minus those of the opponent. There are six: each counts as two boxes."""
    return 2 * (scalars[..., 2] - scalars[..., 3])


def points_ahead(scalars: NDArray[np.float32]) -> NDArray[np.float32]:
    """The lead as a share of all points, of which there are ten thousands at the end: all of them count as ten boxes."""
    own, other = scalars[..., 1], scalars[..., 2]
    return 10 * (own - other) / (own + other + 1000)


# The steps of the ladders from the last boss on are those of BENCHMARKS.md, "The built-in bots". Those below it are measured under
# the full rules: `agon duel GAME --bot @boss-2 --bot @boss-1 -n 1000 --clock off`, and so on.
SETTINGS = {
    "hypersonic": Setting(
        encoding=Encoding(
            planes=13,
            one_hot=((9, 8), (12, 9)),
            scale=((10, 0.1),),
            scalars=(0.01, 0.05, *(factor for _ in range(4) for factor in (1.0, 0.25, 0.1, 0.1))),
            own=5,
        ),
        parts=(Part(0, 10),),
        tables=(
            Table(2, 0.42, "self"),
            Table(2, 0.17, "pool"),
            Table(2, 0.06, "legend", 300),
            Table(4, 0.25, "self"),
            Table(3, 0.06, "self"),
            Table(4, 0.04, "gold", 200),
        ),
        lead=boxes_ahead,
        ladder=rungs(
            1000, "boss-4", ("bronze", 0.81), ("silver", 0.74), ("gold", 0.71), ("legend", 0.72), ("champion", 0.8),
        ),
        entropy=0.02,
    ),
    # The network sees the last turn of its opponent alone, as the arrays have it, and remembers nothing.
    "ocean-of-code": Setting(
        encoding=Encoding(
            planes=6,
            one_hot=(),
            scale=(),
            scalars=(0.01, 1.0, 0.2, 0.2, 0.3, 0.3, 0.2, 0.3, 1.0, 1.0, 1.0, 1.0, 1.0, 0.1, 0.1, 1.0, 1.0),
            own=2,
        ),
        # The times of the commands stay as they are: shots and silence come before the move.
        parts=(
            Part(0, 226, "cells"),
            Part(1, 21),
            Part(2, 2, calm=4.0),
            Part(3, 226, "cells", calm=3.0),
            Part(4, 10, calm=2.0),
            Part(5, 21, calm=2.0),
            Part(6, 5, calm=1.0),
            Part(7, 226, "cells", calm=3.0),
        ),
        tables=(
            Table(2, 0.55, "self"),
            Table(2, 0.2, "pool"),
            Table(2, 0.15, "boss-1", 100),
            Table(2, 0.1, "boss-2", 100),
        ),
        lead=lives_ahead,
        ladder=rungs(
            1000, "boss-1", ("boss-2", 0.997), ("boss-4", 0.8945),
            ("bronze", 0.975), ("silver", 0.73), ("gold", 0.745), ("legend", 0.7), ("champion", 0.81),
        ),
        entropy=0.003,
        likeliest=False,
    ),
    "back-track": Setting(
        encoding=Encoding(
            planes=13,
            one_hot=((12, 12),),
            scale=((11, 0.3),),
            scalars=(0.01, 1e-4, 1e-4, 0.3, 1.0, 1.0, *(0.5 for _ in range(144))),
            own=None,
            unread=(10,),
        ),
        parts=(
            Part(0, 2, calm=-1.5),
            *(Part(component, 601, "cells", when=(0, 0)) for component in (1, 2, 3)),
            # Between towns: who places tracks elsewhere does it by hand.
            *(Part(component, 601, "cells", plane=12, when=(0, 1)) for component in (4, 5)),
            Part(6, 65, "groups", plane=10),
        ),
        tables=(
            Table(2, 0.6, "self"),
            Table(2, 0.2, "pool"),
            Table(2, 0.1, "boss-3", 100),
            Table(2, 0.1, "silver", 100),
        ),
        lead=points_ahead,
        ladder=rungs(
            1000, "boss-1", ("boss-2", 0.9975), ("boss-3", 0.84),
            ("bronze", 0.9), ("silver", 0.9), ("gold", 0.75), ("legend", 0.95), ("champion", 0.94),
        ),
        entropy=0.003,
        stride=2,
        likeliest=False,
    ),
}  # fmt: skip
