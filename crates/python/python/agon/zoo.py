"""Environments of PettingZoo: all seats are agents.

``parallel_env`` serves every game. ``env`` serves games in which players take turns; for the others use
``pettingzoo.utils.parallel_to_aec(parallel_env(...))``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo import AECEnv, ParallelEnv

from . import game as facts
from ._spaces import RENDER_MODES, action_mask, action_space, check_render_mode, draw, observation, observation_space
from .batch import Batch

__all__ = ["AgonAECEnv", "AgonParallelEnv", "env", "parallel_env"]


def parallel_env(game: str, **options: Any) -> AgonParallelEnv:
    """A game in which all seats answer in each step; an agent that is not asked is not heard."""
    return AgonParallelEnv(game, **options)


def env(game: str, **options: Any) -> AgonAECEnv:
    """A game in which players take turns."""
    return AgonAECEnv(game, **options)


class _Seats:
    """The parts that both kinds share: spaces, seeds, pictures."""

    def __init__(self, game: str, *, render_mode: str | None = None, **options: Any) -> None:
        self.render_mode = check_render_mode(render_mode)
        self.metadata = {"render_modes": RENDER_MODES, "name": f"{game.replace('-', '_')}_v0", "is_parallelizable": True}
        self.batch = Batch(game, 1, autoreset="off", **options)
        layout = self.batch.layout
        self.possible_agents = [f"player_{seat}" for seat in layout.agents]
        self.agents: list[str] = []
        self._seats = {agent: place for place, agent in enumerate(self.possible_agents)}
        # Spaces have a random state: each agent has its own.
        self.observation_spaces = {agent: observation_space(layout) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(layout) for agent in self.possible_agents}
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        """The observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The actions of an agent."""
        return self.action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.batch.reset(seed if seed is not None else int(self._random.integers(2**31)))
        self.agents = self.possible_agents[:]

    def _info(self, agent: str) -> dict[str, Any]:
        place = self._seats[agent]
        asked = bool(self.batch.acting[0, place])
        return {"acting": asked, "action_mask": action_mask(self.batch, 0, place)}

    def state(self) -> Any:
        """All planes, the hidden ones too, of all seats: for critics."""
        return np.concatenate([self.batch.planes[0], self.batch.reveal()[0][0]], axis=1)

    def render(self) -> Any:
        """A picture in the mode of the environment."""
        return draw(self.batch, self.render_mode)

    def close(self) -> None:
        """Frees the game."""
        self.batch.close()


class AgonParallelEnv(_Seats, ParallelEnv[str, dict[str, Any], Any]):
    """A game in which all seats answer in each step; an agent that is not asked (``info["acting"]``) is not heard."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        """Begins a game: that of the seed, or a random one."""
        self._begin(seed)
        return self._observations(), {agent: self._info(agent) for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Plays a turn. The action of an agent that is missing does nothing."""
        if not self.agents:
            raise ValueError("the game is over; reset it")
        rows = np.zeros(self.batch.actions.shape, dtype=np.int64)
        for agent, action in actions.items():
            rows[0, self._seats[agent]] = action
        self.batch.step(rows)
        if self.render_mode == "human":
            self.render()
        ended = bool(self.batch.terminated[0])
        rewards = {agent: float(self.batch.rewards[0, self._seats[agent]]) for agent in self.agents}
        observations = self._observations()
        terminations, truncations = dict.fromkeys(self.agents, ended), dict.fromkeys(self.agents, False)
        infos = {agent: self._info(agent) for agent in self.agents}
        if ended:
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _observations(self) -> dict[str, dict[str, Any]]:
        return {agent: observation(self.batch, 0, self._seats[agent]) for agent in self.agents}


class AgonAECEnv(_Seats, AECEnv[str, dict[str, Any], Any]):
    """A game in which players take turns."""

    def __init__(self, game: str, **options: Any) -> None:
        if facts(game).simultaneous:
            raise ValueError(f"the players of {game} answer together; use parallel_env, or parallel_to_aec of PettingZoo")
        AECEnv.__init__(self)
        _Seats.__init__(self, game, **options)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game: that of the seed, or a random one."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._info(agent) for agent in self.agents}
        self.agent_selection = self._asked()

    def _asked(self) -> str:
        return self.possible_agents[int(np.argmax(self.batch.acting[0]))]

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent sees now."""
        return observation(self.batch, 0, self._seats[agent])

    def step(self, action: Any) -> None:
        """Plays a turn of the agent that is asked."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        rows = np.zeros(self.batch.actions.shape, dtype=np.int64)
        rows[0, self._seats[agent]] = action
        self.batch.step(rows)
        self._cumulative_rewards[agent] = 0.0
        ended = bool(self.batch.terminated[0])
        for other in self.agents:
            self.rewards[other] = float(self.batch.rewards[0, self._seats[other]])
            self.terminations[other] = ended
            self.infos[other] = self._info(other)
        if not ended:
            self.agent_selection = self._asked()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()
