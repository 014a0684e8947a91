"""Many games at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _agon

Observations = dict[str, NDArray[Any]]
"""``planes`` (uint8), ``scalars`` (float32) and ``mask`` (uint8): a row for each game and agent."""

Step = tuple[Observations, NDArray[np.float32], NDArray[np.uint8], NDArray[np.uint8]]
"""Observations, rewards, terminated, truncated."""


@dataclass(frozen=True)
class Layout:
    """The arrays of a batch: their sizes and the names of their parts."""

    height: int
    width: int
    planes: tuple[str, ...]
    scalars: tuple[str, ...]
    hidden_planes: tuple[str, ...]
    hidden_scalars: tuple[str, ...]
    actions: tuple[tuple[str, int], ...]
    """The components of an action: name and number of choices. Choice 0 does nothing."""
    agents: tuple[int, ...]
    """The seats that the caller plays."""
    players: int

    @cached_property
    def choices(self) -> NDArray[np.int64]:
        """The number of choices of each component."""
        return np.array([choices for _, choices in self.actions], dtype=np.int64)

    @cached_property
    def mask(self) -> int:
        """The length of a mask: the choices of all components, one after the other."""
        return int(self.choices.sum())

    def split(self, mask: NDArray[Any]) -> list[NDArray[Any]]:
        """The part of each component in masks, or in logits of a network, whose last axis is ``mask`` long."""
        return np.split(mask, np.cumsum(self.choices)[:-1], axis=-1)


class Batch:
    """Many games of the same rules, played at once.

    The arrays ``planes``, ``scalars``, ``masks``, ``rewards``, ``acting``, ``terminated``, ``truncated``, ``scores``, ``ranks``
    and ``faults`` belong to Python and are written by each call; other threads of Python run meanwhile. ``arrays`` passes
    arrays of the caller instead: numpy, tensors in main memory, or anything with a writable buffer of the right type.

    An action is a choice for each component of ``layout.actions``. It never causes a fault: a part that the rules do not
    allow at its place in the answer is left out. So every combination of choices that the masks allow is a legal answer.

    :param game: the name of a game, see ``agon.games()``
    :param games: the number of games
    :param players: the number of players of a game
    :param league: the league, from 1; the last one if it is not given
    :param edition: the edition of the rules
    :param threads: the number of threads; results do not depend on it
    :param seeds: the seeds of the first games: one for each, or a number from which they count up
    :param autoreset: when a game that is over begins again: ``"next_step"`` (the next step begins it and ignores the action),
        ``"same_step"`` (the observation is that of the next game) or ``"off"`` (when it is reset)
    :param opponents: built-in bots by seat (``"silver"``, or ``("silver", nodes)``), which play inside the batch
    :param nodes: the nodes of opponents for each answer, where they are not given
    :param sampling_seed: the seed of ``sample``
    :param arrays: arrays of the caller by name
    """

    planes: NDArray[np.uint8]
    """``[games, agents, planes, height, width]``: what each agent sees, from its own view alone. Like a bot, an agent is told
    something when it is asked: rows of the others stay as they are, except at the begin and at the end of a game."""
    scalars: NDArray[np.float32]
    """``[games, agents, scalars]``"""
    masks: NDArray[np.uint8]
    """``[games, agents, choices]``: 1 for each choice that is possible, all components one after the other."""
    rewards: NDArray[np.float32]
    """``[games, agents]``: at the end 1 for a win against all, -1 for a loss against all; 0 before."""
    acting: NDArray[np.uint8]
    """``[games, agents]``: whether the agent is asked now."""
    terminated: NDArray[np.uint8]
    """``[games]``: whether the game ended in this step."""
    truncated: NDArray[np.uint8]
    """``[games]``: always 0, since games end by their rules."""
    scores: NDArray[np.float32]
    """``[games, players]``: the scores; in the step in which a game ended, those of its end."""
    ranks: NDArray[np.uint8]
    """``[games, players]``: the places, from 1, in the step in which a game ended; else 0."""
    faults: NDArray[np.uint8]
    """``[games, players]``: the faults of answers in this step."""
    actions: NDArray[np.uint16]
    """``[games, agents, components]``: the last sampled actions."""

    _NAMES = ("planes", "scalars", "masks", "rewards", "acting", "terminated", "scores", "ranks", "faults")

    def __init__(
        self,
        game: str,
        games: int = 1,
        *,
        players: int | None = None,
        league: int | None = None,
        edition: str | None = None,
        threads: int = 1,
        seeds: int | Sequence[int] | None = None,
        autoreset: str = "next_step",
        opponents: Mapping[int, str | tuple[str, int]] | None = None,
        nodes: int = 200,
        sampling_seed: int = 0,
        arrays: Mapping[str, Any] | None = None,
    ) -> None:
        pairs = ((seat, bot if isinstance(bot, tuple) else (bot, nodes)) for seat, bot in (opponents or {}).items())
        asked = {
            "games": games,
            "threads": threads,
            "autoreset": autoreset,
            "league": league,
            "edition": edition,
            "players": players,
            "opponents": [(seat, name, count) for seat, (name, count) in pairs],
            "sampling": sampling_seed,
        }
        self._begin(_agon.Batch(game, asked), game, games, arrays or {})
        self.reset(0 if seeds is None else seeds)

    @classmethod
    def of_record(cls, line: bytes | str) -> Batch:
        """The match of a record or trace before its first answer, as a batch of one game with the same rules and seed."""
        native, game, seed = _agon.Batch.of_record(line.encode() if isinstance(line, str) else line)
        batch = cls.__new__(cls)
        batch._begin(native, game, 1, {})
        batch.reset([seed])
        return batch

    def _begin(self, native: _agon.Batch, game: str, games: int, arrays: Mapping[str, Any]) -> None:
        self._native = native
        self.game = game
        self.games = games
        told = native.layout()
        lists = {name: tuple(value) for name, value in told.items() if isinstance(value, (list, tuple))}
        lists["actions"] = tuple((name, int(choices)) for name, choices in told["actions"])
        self.layout = Layout(**{**told, **lists})
        self._allocate(arrays)

    def _allocate(self, given: Mapping[str, Any]) -> None:
        layout, rows = self.layout, (self.games, len(self.layout.agents))
        shapes: dict[str, tuple[tuple[int, ...], type]] = {
            "planes": ((*rows, len(layout.planes), layout.height, layout.width), np.uint8),
            "scalars": ((*rows, len(layout.scalars)), np.float32),
            "masks": ((*rows, layout.mask), np.uint8),
            "rewards": (rows, np.float32),
            "acting": (rows, np.uint8),
            "terminated": ((self.games,), np.uint8),
            "scores": ((self.games, layout.players), np.float32),
            "ranks": ((self.games, layout.players), np.uint8),
            "faults": ((self.games, layout.players), np.uint8),
        }
        unknown = set(given) - set(shapes)
        if unknown:
            raise ValueError(f"there is no array {', '.join(sorted(unknown))}; known are {', '.join(shapes)}")
        for name, (shape, kind) in shapes.items():
            array = _shared(name, given[name]) if name in given else np.zeros(shape, dtype=kind)
            if array.shape != shape or array.dtype != kind:
                raise ValueError(f"{name} must be {kind.__name__}{list(shape)}, not {array.dtype}{list(array.shape)}")
            setattr(self, name, array)
        self.truncated = np.zeros((self.games,), dtype=np.uint8)
        self.actions = np.zeros((*rows, len(layout.actions)), dtype=np.uint16)
        # The same objects in each step: attributes that are assigned by a caller change nothing here.
        self._arrays = tuple(getattr(self, name) for name in self._NAMES)
        self._observations: Observations = {"planes": self.planes, "scalars": self.scalars, "mask": self.masks}

    @property
    def observations(self) -> Observations:
        """What each agent sees: ``planes``, ``scalars`` and the ``mask`` of its actions."""
        return self._observations

    @property
    def seeds(self) -> list[int]:
        """The seed of each game."""
        return self._native.seeds()

    def reset(self, seeds: int | Sequence[int] | None = None, games: Sequence[int] | None = None) -> Observations:
        """Begins games anew: all, or the named ones. ``seeds`` are one for each, or a number from which they count up; without
        them the next seeds are used."""
        count = self.games if games is None else len(games)
        if isinstance(seeds, (int, np.integer)):
            seeds = [int(seeds) + game for game in range(count)]
        if seeds is not None:
            seeds = [int(seed) for seed in seeds]
        if games is None:
            self._native.reset(seeds, self._arrays)
        else:
            places = [int(game) for game in games]
            if seeds is None:
                before = self.seeds
                seeds = [before[game] + self.games if 0 <= game < self.games else 0 for game in places]
            self._native.restart(places, seeds, self._arrays)
        return self._observations

    def step(self, actions: Any) -> Step:
        """Plays one turn of every game. Returns observations, rewards, terminated, truncated: the arrays of the batch, which the
        next call writes again.

        ``actions`` is ``[games, agents, components]``; the last axis may be left out if there is one component. Actions of
        agents that are not asked (``acting``) are ignored. Raises ``ValueError`` when all games are over and ``autoreset`` is off.
        """
        self._native.step(self._checked(actions), self._arrays)
        return self._observations, self.rewards, self.terminated, self.truncated

    def _checked(self, actions: Any) -> NDArray[np.uint16]:
        if actions is self.actions:
            return self.actions
        actions = np.asarray(actions)
        if actions.ndim == 2 and self.actions.shape[2] == 1:
            actions = actions[:, :, None]
        if actions.shape != self.actions.shape:
            raise ValueError(f"actions must have the shape {list(self.actions.shape)}, not {list(actions.shape)}")
        if actions.dtype == np.uint16:
            return np.ascontiguousarray(actions)
        if not np.issubdtype(actions.dtype, np.integer):
            raise TypeError(f"actions must be whole numbers, not {actions.dtype}")
        if actions.size and (actions.min() < 0 or actions.max() > np.iinfo(np.uint16).max):
            raise ValueError("an action is below 0 or past the last choice")
        return actions.astype(np.uint16)

    def step_lines(self, answers: Sequence[Sequence[str | bytes | None]]) -> Step:
        """Plays one turn of every game by answers as bots write them: ``answers[game][agent]``. ``None`` is an answer that did
        not come in time."""
        lines = [[line.encode() if isinstance(line, str) else line for line in lines] for lines in answers]
        self._native.step_lines(lines, self._arrays)
        return self._observations, self.rewards, self.terminated, self.truncated

    def sample(self) -> NDArray[np.uint16]:
        """Random actions within the masks. The array is used again by the next call."""
        self._native.sample(self.masks, self.actions)
        return self.actions

    def legal_actions(self, game: int = 0, agent: int = 0) -> list[NDArray[np.int64]]:
        """The choices that the mask allows, for each component."""
        return [np.flatnonzero(part) for part in self.layout.split(self.masks[game, agent])]

    def reveal(self) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """What the agents cannot see, for critics: hidden planes and scalars."""
        layout, rows = self.layout, (self.games, len(self.layout.agents))
        planes = np.zeros((*rows, len(layout.hidden_planes), layout.height, layout.width), dtype=np.uint8)
        scalars = np.zeros((*rows, len(layout.hidden_scalars)), dtype=np.float32)
        self._native.reveal(planes, scalars)
        return planes, scalars

    def view_of(self, seat: int, game: int = 0) -> str:
        """The lines that the bot of a seat would be sent now."""
        return self._native.view_of(game, seat)

    def encode(self, line: str | bytes, seat: int, game: int = 0) -> NDArray[np.uint16] | None:
        """The action of an answer, or ``None`` if no action has the same effect."""
        action = self._native.encode(game, seat, line.encode() if isinstance(line, str) else line)
        return None if action is None else np.array(action, dtype=np.uint16)

    def decode(self, action: Any, seat: int, game: int = 0) -> str:
        """The answer of an action."""
        return self._native.decode(game, seat, [int(choice) for choice in np.atleast_1d(action)])

    def save(self, game: int = 0) -> bytes:
        """A game as bytes: its rules, seed and answers. It is a line of a record, which the viewer shows; ``agon verify``
        accepts it once the game is over."""
        return self._native.save(game)

    def load(self, saved: bytes, game: int = 0) -> None:
        """Puts a saved game in the place of a game. It must have the same rules."""
        self._native.load(game, saved)
        self._native.write(self._arrays)

    def clone(self, games: Sequence[int] | None = None) -> Batch:
        """A batch of copies of some games, to search in: the caller plays all seats, and no game begins again."""
        places = list(range(self.games)) if games is None else [int(game) for game in games]
        copy = Batch.__new__(Batch)
        copy._begin(self._native.branch(places), self.game, len(places), {})
        copy._native.write(copy._arrays)
        return copy

    def simulate(self, game: int = 0, times: int = 1, seed: int = 0) -> NDArray[np.uint8]:
        """The places of all seats after random play from a game, ``[times, players]``."""
        ranks = np.frombuffer(self._native.simulate(game, times, seed), dtype=np.uint8)
        return ranks.reshape(times, self.layout.players)

    def render(self, game: int = 0, width: int = 640, dark: bool = False) -> NDArray[np.uint8]:
        """A picture of a game, ``[height, width, 3]``, drawn as on the pages."""
        height, wide, colours = self._native.render(game, width, dark)
        return np.frombuffer(colours, dtype=np.uint8).reshape(height, wide, 3)

    def picture(self, game: int = 0, colours: bool = True) -> str:
        """A picture of a game for a terminal."""
        return self._native.picture(game, colours)

    def close(self) -> None:
        """Frees the games. A closed batch raises an exception when it is used."""
        self._native.close()

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<agon.Batch {self.game} games={self.games} agents={list(self.layout.agents)}>"


def _shared(name: str, array: Any) -> NDArray[Any]:
    """An array of the caller, without a copy."""
    if isinstance(array, np.ndarray):
        return array
    if hasattr(array, "__array__"):
        # Tensors in main memory give an array over the same memory.
        try:
            return np.asarray(array)
        except (TypeError, ValueError, RuntimeError) as error:
            raise ValueError(f"{name} cannot be used without a copy; pass an array in main memory: {error}") from error
    if hasattr(array, "__dlpack__"):
        return np.from_dlpack(array)
    try:
        return np.asarray(memoryview(array))
    except TypeError as error:
        raise TypeError(f"{name} must be an array, a tensor or a buffer, not {type(array).__name__}") from error
