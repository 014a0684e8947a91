"""The environments of Gymnasium and PettingZoo pass the checks of these libraries."""

import warnings
from collections.abc import Callable

import agon
import agon.gym
import agon.zoo
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

IDS = agon.gym.environments()
GAMES = agon.games()
TURNS = [name for name in GAMES if not agon.game(name).simultaneous]


def few_nodes(name: str) -> tuple[str, int]:
    return next(iter(agon.game(name).bots)), 10


@pytest.mark.parametrize("environment", IDS)
@pytest.mark.filterwarnings("error::UserWarning")
def test_gymnasium_checks_an_environment(environment: str) -> None:
    env = gymnasium.make(environment, opponents=few_nodes(IDS[environment]), disable_env_checker=True)
    check_env(env.unwrapped)


@pytest.mark.parametrize("environment", IDS)
def test_a_vector_environment_plays(environment: str) -> None:
    env = gymnasium.make_vec(environment, num_envs=3, opponents=few_nodes(IDS[environment]), threads=2)
    assert isinstance(env.unwrapped, agon.gym.AgonVectorEnv)
    first, _ = env.reset(seed=7)
    again, _ = env.reset(seed=7)
    assert all(np.array_equal(first[key], again[key]) for key in first)
    assert first in env.observation_space
    env.action_space.seed(1)
    ended = np.zeros(3, dtype=bool)
    for _ in range(400):
        observation, rewards, terminated, truncated, infos = env.step(env.action_space.sample())
        assert observation in env.observation_space and rewards.shape == (3,) and not truncated.any()
        # The step after the end begins the next game.
        assert not (ended & terminated).any() and not rewards[ended].any()
        ended = terminated
        assert ((infos["ranks"] > 0).any(axis=1) == terminated).all()
    env.close()


def test_a_vector_environment_without_autoreset() -> None:
    env = agon.gym.AgonVectorEnv("hypersonic", 4, opponents=("boss-1", 10), autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=1)
    for _ in range(9):
        before = env.step(np.zeros(4, dtype=np.int64))[0]
    mask = np.array([True, False, False, True])
    observation, _ = env.reset(seed=50, options={"reset_mask": mask})
    assert (observation["scalars"][:, 0] == np.where(mask, 0, before["scalars"][:, 0])).all()


@pytest.mark.parametrize("name", GAMES)
def test_a_vector_environment_that_begins_again_in_the_same_step(name: str) -> None:
    """The games are those of an environment without autoreset, and their last observations are passed on."""
    bot = few_nodes(name)
    same = agon.gym.AgonVectorEnv(name, 4, opponents=bot, autoreset_mode=AutoresetMode.SAME_STEP)
    off = agon.gym.AgonVectorEnv(name, 4, opponents=bot, autoreset_mode=AutoresetMode.DISABLED)
    same.reset(seed=3)
    off.reset(seed=3)
    same.action_space.seed(1)
    count = 0
    for _ in range(300):
        actions = same.action_space.sample()
        observations, rewards, ended, _, infos = same.step(actions)
        expected, expected_rewards, expected_ended, _, result = off.step(actions)
        assert (ended == expected_ended).all() and (rewards == expected_rewards).all()
        assert ("final_obs" in infos) == ended.any()
        if ended.any():
            count += int(ended.sum())
            assert (infos["_final_obs"] == ended).all() and (infos["_final_info"] == ended).all()
            for place in np.flatnonzero(ended):
                last = infos["final_obs"][place]
                assert all((last[key] == expected[key][place]).all() for key in expected)
                assert (infos["final_info"]["ranks"][place] == result["ranks"][place]).all()
                assert (infos["final_info"]["scores"][place] == result["scores"][place]).all()
            expected, _ = off.reset(options={"reset_mask": ended})
        assert all((observations[key] == expected[key]).all() for key in expected)
    assert count > 0


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_checks_parallel_environments(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        parallel_api_test(agon.zoo.parallel_env(name), num_cycles=600)
    parallel_seed_test(lambda: agon.zoo.parallel_env(name), num_cycles=60)


@pytest.mark.parametrize("name", TURNS)
def test_pettingzoo_checks_environments_with_turns(name: str) -> None:
    api_test(agon.zoo.env(name), num_cycles=600)
    seed_test(lambda: agon.zoo.env(name), num_cycles=60)


def test_games_without_turns_have_no_such_environment() -> None:
    simultaneous = next(name for name in GAMES if name not in TURNS)
    with pytest.raises(ValueError, match="parallel_env"):
        agon.zoo.env(simultaneous)


@pytest.mark.parametrize("make", [agon.zoo.parallel_env, agon.gym.AgonEnv])
def test_pictures(make: Callable[..., gymnasium.Env], capsys: pytest.CaptureFixture[str]) -> None:
    env = make(TURNS[0], render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.dtype == np.uint8 and picture.ndim == 3
    env = make(TURNS[0], render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    assert len(capsys.readouterr().out.splitlines()) > 10
    with pytest.raises(ValueError, match="render_mode"):
        make(TURNS[0], render_mode="film")
