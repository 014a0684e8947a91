"""Environments of Gymnasium: one agent against built-in bots. Importing this module registers them::

    import agon.gym
    import gymnasium

    one = gymnasium.make("agon/Hypersonic-v0", opponents="boss-1")
    many = gymnasium.make_vec("agon/Hypersonic-v0", num_envs=64, opponents="boss-1")

``render_mode="rgb_array"`` gives pictures as on the pages, ``"human"`` draws in the terminal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from . import _agon, game
from ._spaces import RENDER_MODES, action_mask, action_space, check_render_mode, draw, observation, observation_space
from .batch import Batch

__all__ = ["AgonEnv", "AgonVectorEnv", "environments"]

Opponents = str | tuple[str, int] | Mapping[int, str | tuple[str, int]] | None


def _opponents(name: str, seat: int, players: int | None, wanted: Opponents) -> dict[int, str | tuple[str, int]]:
    """The bots of all seats but the agent's: those wanted, by seat or one for all; without a wish the weakest one."""
    if isinstance(wanted, Mapping):
        return dict(wanted)
    bot = next(iter(game(name).bots)) if wanted is None else wanted
    seats = 2 if players is None else players
    return {other: bot for other in range(seats) if other != seat}


class AgonEnv(gymnasium.Env[dict[str, Any], Any]):
    """One game. The agent has one seat, built-in bots have the others.

    :param game: the name of the game
    :param seat: the seat of the agent
    :param players: the number of players, 2 if it is not given
    :param opponents: a built-in bot for all other seats, or bots by seat; the weakest one if it is not given
    :param options: further arguments of ``agon.Batch``
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4}

    def __init__(
        self,
        game: str,
        *,
        seat: int = 0,
        players: int = 2,
        opponents: Opponents = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.render_mode = check_render_mode(render_mode)
        against = _opponents(game, seat, players, opponents)
        self.batch = Batch(game, 1, players=players, opponents=against, autoreset="off", **options)
        if self.batch.layout.agents != (seat,):
            raise ValueError(f"all seats but {seat} need an opponent; {self.batch.layout.agents} have none")
        self.observation_space = observation_space(self.batch.layout)
        self.action_space = action_space(self.batch.layout)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins a game: that of the seed, or a random one."""
        super().reset(seed=seed)
        self.batch.reset(seed if seed is not None else int(self.np_random.integers(2**31)))
        return observation(self.batch, 0, 0), self._info()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Plays a turn of the agent, and those of its opponents."""
        self.batch.step(np.asarray(action).reshape(1, 1, -1))
        ended = bool(self.batch.terminated[0])
        if self.render_mode == "human":
            self.render()
        return observation(self.batch, 0, 0), float(self.batch.rewards[0, 0]), ended, False, self._info()

    def _info(self) -> dict[str, Any]:
        batch = self.batch
        mask = action_mask(batch, 0, 0)
        return {"action_mask": mask, "scores": batch.scores[0].copy(), "ranks": batch.ranks[0].copy()}

    def render(self) -> Any:
        """A picture in the mode of the environment."""
        return draw(self.batch, self.render_mode)

    def close(self) -> None:
        """Frees the game."""
        self.batch.close()


class AgonVectorEnv(gymnasium.vector.VectorEnv[dict[str, Any], Any, Any]):
    """Many games in one batch; the arguments are those of :class:`AgonEnv`.

    :param num_envs: the number of games
    :param threads: the number of threads
    :param autoreset_mode: ``NEXT_STEP``; ``SAME_STEP``, with the last observation of a game in ``infos["final_obs"]`` and its result
        in ``infos["final_info"]``; or ``DISABLED``, with ``reset(options={"reset_mask": ...})``
    :param copy: whether observations are copies; without it the next step writes them again
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seat: int = 0,
        players: int = 2,
        opponents: Opponents = None,
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = check_render_mode(render_mode)
        self.copy = copy
        self.num_envs = num_envs
        against = _opponents(game, seat, players, opponents)
        # In the mode SAME_STEP games begin again here, after their last observation was copied.
        autoreset = "next_step" if self.autoreset_mode == AutoresetMode.NEXT_STEP else "off"
        self.batch = Batch(
            game, num_envs, players=players, opponents=against, autoreset=autoreset, threads=threads, **options
        )
        if self.batch.layout.agents != (seat,):
            raise ValueError(f"all seats but {seat} need an opponent; {self.batch.layout.agents} have none")
        self.single_observation_space = observation_space(self.batch.layout)
        self.single_action_space = action_space(self.batch.layout)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins all games, or those of ``options["reset_mask"]``: with a seed each, with seeds that count up from one, or with the
        next seeds."""
        mask = (options or {}).get("reset_mask")
        games = None if mask is None else np.flatnonzero(np.asarray(mask)).tolist()
        if games is not None and seed is not None and not isinstance(seed, (int, np.integer)):
            seed = [seed[game] for game in games]
        self.batch.reset(seed, games)
        return self._observations(), self._infos()

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Plays a turn of every game."""
        self.batch.step(np.asarray(actions).reshape(self.num_envs, 1, -1))
        batch = self.batch
        rewards, ended = batch.rewards[:, 0].astype(np.float64), batch.terminated.astype(bool)
        final: dict[str, Any] = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended.any():
            final = self._final(ended)
            batch.reset(games=np.flatnonzero(ended).tolist())
        return self._observations(), rewards, ended, batch.truncated.astype(bool), {**self._infos(), **final}

    def _final(self, ended: Any) -> dict[str, Any]:
        """The last observations and the results of the games that ended, as Gymnasium passes them before a game begins again."""
        observations = np.full(self.num_envs, None, dtype=object)
        for place in np.flatnonzero(ended):
            observations[place] = observation(self.batch, int(place), 0)
        infos = {**self._infos(), "_scores": ended}
        return {"final_obs": observations, "_final_obs": ended, "final_info": infos, "_final_info": ended}

    def _observations(self) -> dict[str, Any]:
        rows = {name: array[:, 0] for name, array in self.batch.observations.items()}
        return {name: array.copy() for name, array in rows.items()} if self.copy else rows

    def _infos(self) -> dict[str, Any]:
        batch, all_games = self.batch, np.ones(self.num_envs, dtype=bool)
        ended = batch.terminated.astype(bool)
        return {"scores": batch.scores.copy(), "_scores": all_games, "ranks": batch.ranks.copy(), "_ranks": ended}

    def render(self) -> tuple[Any, ...] | None:
        """The pictures of all games."""
        pictures = tuple(draw(self.batch, self.render_mode, game) for game in range(self.num_envs))
        return pictures if self.render_mode == "rgb_array" else None

    def close_extras(self, **_: Any) -> None:
        """Frees the games."""
        self.batch.close()


def environments() -> dict[str, str]:
    """The ids of all environments, with their games: ``agon/Hypersonic-v0`` and so on."""
    return {f"agon/{''.join(word.capitalize() for word in name.split('-'))}-v0": name for name in _agon.games()}


for _id, _name in environments().items():
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            entry_point="agon.gym:AgonEnv",
            vector_entry_point="agon.gym:AgonVectorEnv",
            kwargs={"game": _name},
        )
