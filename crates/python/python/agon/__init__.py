"""Bot battles: exact games as a batch environment.

``Batch`` plays many games at once and writes observations, masks and rewards into arrays::

    import agon

    batch = agon.Batch("hypersonic", games=512, players=2)
    while True:
        batch.step(batch.sample())

``agon.gym`` has environments of Gymnasium, ``agon.zoo`` environments of PettingZoo, and ``agon.records`` reads matches.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from . import _agon
from .batch import Batch, Layout

__version__: str = _agon.__version__
__all__ = ["Batch", "Game", "Layout", "Verified", "game", "games", "verify"]


@dataclass(frozen=True)
class Game:
    """The facts about a game."""

    name: str
    title: str
    simultaneous: bool
    """Whether all players answer at the same time."""
    leagues: tuple[str, ...]
    bots: Mapping[str, str]
    """The built-in bots, the weakest first, with a sentence about each."""


@dataclass(frozen=True)
class Verified:
    """The numbers of a verification without a difference."""

    lines: int
    """Matches and maps."""
    turns: int


def games() -> list[str]:
    """The names of all games."""
    return _agon.games()


def game(name: str) -> Game:
    """The facts about a game. Raises ``ValueError`` if it does not exist."""
    facts = json.loads(_agon.game_facts(name))
    bots, leagues = dict(facts.pop("bots")), tuple(facts.pop("leagues"))
    return Game(bots=bots, leagues=leagues, **facts)


def verify(files: Iterable[str | os.PathLike[str]], threads: int = 1) -> Verified:
    """Plays the matches of records or traces again in batches and compares every line sent and every end.

    Raises ``ValueError`` with the first differences if there are any, or if a line cannot be read.
    """
    lines, turns, differences, unreadable, words = _agon.verify([os.fspath(file) for file in files], threads)
    if differences or unreadable:
        raise ValueError(f"{differences} differences and {unreadable} unreadable lines:\n" + "\n".join(words))
    return Verified(lines, turns)
