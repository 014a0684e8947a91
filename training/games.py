"""The settings of each game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from network import Encoding
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


@dataclass(frozen=True)
class Setting:
    """How a game is learned."""

    encoding: Encoding
    tables: tuple[Table, ...]
    lead: Callable[[NDArray[np.float32]], NDArray[np.float32]]
    """From the scalars of each seat: how far it is ahead. Its growth is rewarded on the way."""
    ladder: tuple[tuple[str, int], ...]
    """Bots, with their nodes, that the network is measured against."""


def against(setting: Setting, bot: str, nodes: int) -> Setting:
    """The same game with a built-in bot, which does not learn, as the only opponent and the only one that is measured."""
    return replace(setting, tables=(Table(2, 1.0, bot, nodes),), ladder=((bot, nodes),))


def boxes_ahead(scalars: NDArray[np.float32]) -> NDArray[np.float32]:
    """Own boxes minus those of the best other player."""
    return scalars[..., 5] - scalars[..., (9, 13, 17)].max(-1)


SETTINGS = {
    "hypersonic": Setting(
        encoding=Encoding(
            planes=13,
            one_hot=((9, 8), (12, 9)),
            scale=((10, 0.1),),
            scalars=(0.01, 0.05, *(factor for _ in range(4) for factor in (1.0, 0.25, 0.1, 0.1))),
            own=5,
        ),
        tables=(
            Table(2, 0.42, "self"),
            Table(2, 0.17, "pool"),
            Table(2, 0.06, "legend", 300),
            Table(4, 0.25, "self"),
            Table(3, 0.06, "self"),
            Table(4, 0.04, "gold", 200),
        ),
        lead=boxes_ahead,
        ladder=(("boss-4", 200), ("silver", 1000), ("gold", 1000), ("legend", 1000), ("champion", 1000)),
    ),
}
