"""Batches, as users of Python see them."""

import subprocess
import sys
from pathlib import Path

import agon
import numpy as np
import pytest

GAMES = agon.games()


def played(name: str, games: int, threads: int, steps: int) -> list[bytes]:
    batch = agon.Batch(name, games, threads=threads, autoreset="off", sampling_seed=3, seeds=11)
    for _ in range(steps):
        batch.step(batch.sample())
    return [batch.save(game) for game in range(games)]


@pytest.mark.parametrize("name", GAMES)
def test_threads_do_not_change_a_game(name: str) -> None:
    assert played(name, 8, 1, 15) == played(name, 8, 3, 15)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_512_is_the_same_alone(name: str) -> None:
    many = agon.Batch(name, 512, seeds=100, autoreset="off", threads=2)
    alone = agon.Batch(name, 1, seeds=300, autoreset="off")
    place = 200
    for _ in range(40):
        actions = many.sample()
        many.step(actions)
        alone.step(actions[place : place + 1])
        for array in ("planes", "scalars", "masks", "rewards", "acting", "scores", "ranks"):
            assert np.array_equal(getattr(many, array)[place], getattr(alone, array)[0]), array
        if not alone.acting.any():
            break
    assert many.save(place) == alone.save(0)


@pytest.mark.parametrize("name", GAMES)
def test_masked_actions_cause_no_fault_in_100_000_steps(name: str) -> None:
    batch = agon.Batch(name, 512, threads=2)
    ended = 0
    for _ in range(200):
        _, rewards, terminated, truncated = batch.step(batch.sample())
        assert not batch.faults.any() and not truncated.any()
        ended += int(terminated.sum())
        assert np.abs(rewards.sum(axis=1)).max() < 1e-6
    assert ended > 0


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_a_record_that_verifies(name: str, tmp_path: Path) -> None:
    batch = agon.Batch(name, 2, autoreset="off", seeds=5)
    while batch.acting.any():
        batch.step(batch.sample())
    path = tmp_path / "games.jsonl"
    path.write_bytes(batch.save(0) + b"\n" + batch.save(1) + b"\n")
    assert agon.verify([path]).lines == 2
    command = Path(sys.executable).parent / "agon"
    said = subprocess.run([command, "verify", path], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    path.write_bytes(batch.save(0).replace(b'"end":{"', b'"end":{"no_such_key":1,"') + b"\n")
    with pytest.raises(ValueError, match="differences"):
        agon.verify([path])


@pytest.mark.parametrize("name", GAMES)
def test_the_golden_traces_are_replayed(name: str) -> None:
    traces = Path(__file__).parents[3] / "games" / name / "traces"
    verified = agon.verify([traces / "dev.jsonl.gz", traces / "maps.jsonl.gz"], threads=2)
    assert verified.lines > 100 and verified.turns > 1000


def test_answers_and_actions() -> None:
    batch = agon.Batch("hypersonic", 1, players=2, seeds=1)
    assert batch.view_of(0).splitlines()[0] == "13 11 0"
    action = batch.encode("MOVE 12 10", seat=0)
    assert action is not None
    assert batch.decode(action, seat=0).startswith("MOVE ")
    assert batch.encode("DANCE", seat=0) is None
    batch.step_lines([["BOMB 0 0", b"MOVE 12 10 hello"]])
    assert batch.scalars[0, 0, 3] == 0, "the bomb is laid"
    batch.step_lines([[None, "MOVE 12 10"]])
    assert batch.faults[0].tolist() == [1, 0], "an answer that did not come is a fault"


@pytest.mark.parametrize("name", GAMES)
def test_opponents_play_in_the_batch(name: str) -> None:
    bot = next(iter(agon.game(name).bots))
    batch = agon.Batch(name, 4, opponents={1: (bot, 20)}, players=2, threads=2, seeds=1, autoreset="same_step")
    assert batch.layout.agents == (0,)
    for _ in range(10):
        assert batch.acting.all()
        batch.step(batch.sample())
    # A game with opponents goes on from its saved form.
    saved, other = batch.save(2), agon.Batch(name, 4, opponents={1: (bot, 20)}, players=2, autoreset="same_step")
    other.load(saved, game=1)
    actions = batch.sample()
    batch.step(actions)
    other.step(np.repeat(actions[2:3], 4, axis=0))
    assert other.save(1) == batch.save(2)


def test_some_games_begin_again() -> None:
    batch = agon.Batch("hypersonic", 3, players=2, seeds=[4, 5, 6], autoreset="off")
    batch.step(batch.sample())
    kept = batch.save(1)
    batch.reset([70, 80], games=[0, 2])
    assert batch.seeds == [70, 5, 80] and batch.save(1) == kept
    assert batch.scalars[:, 0, 0].tolist() == [0, 1, 0]
    batch.reset()
    assert len(set(batch.seeds)) == 3 and batch.scalars[:, 0, 0].tolist() == [0, 0, 0]


def test_clones_are_for_search() -> None:
    batch = agon.Batch("ocean-of-code", 2, seeds=1)
    for _ in range(6):
        batch.step(batch.sample())
    before = batch.save(1)
    copy = batch.clone([1, 1])
    copy.step(copy.sample())
    assert batch.save(1) == before
    assert batch.simulate(1, times=5).shape == (5, 2)
    assert np.array_equal(batch.simulate(1, times=5, seed=9), batch.simulate(1, times=5, seed=9))
    hidden, charges = batch.reveal()
    assert hidden.shape == (2, 2, 3, 15, 15) and charges.shape == (2, 2, 4)
    assert hidden[0, 0, 0].sum() == 1
    batch.load(before, game=0)
    assert batch.save(0) == before
    assert [len(part) > 0 for part in batch.legal_actions(0, 0)] == [True] * len(batch.layout.actions)


def test_arrays_of_the_caller() -> None:
    kinds = len(agon.Batch("hypersonic", players=2).layout.planes)
    planes = np.zeros((2, 2, kinds, 11, 13), dtype=np.uint8)
    masks = bytearray(2 * 2 * 10)
    view = memoryview(masks).cast("B", (2, 2, 10))
    batch = agon.Batch("hypersonic", 2, players=2, arrays={"planes": planes, "masks": view})
    assert planes.any() and any(masks)
    assert batch.planes is planes


@pytest.mark.parametrize("name", GAMES)
def test_pictures(name: str) -> None:
    batch = agon.Batch(name, 1, autoreset="off")
    first = batch.render(width=200)
    assert first.shape[1:] == (200, 3) and first.dtype == np.uint8
    for _ in range(8):
        batch.step(batch.sample())
    assert not np.array_equal(batch.render(width=200), first)
    assert len(batch.picture(colours=False).splitlines()) > 5


def test_the_command_is_part_of_the_package() -> None:
    said = subprocess.run([Path(sys.executable).parent / "agon", "games"], capture_output=True, text=True, check=True)
    assert all(name in said.stdout for name in GAMES)


def test_only_numpy_is_needed() -> None:
    code = "import sys, agon, agon.records; sys.exit('gymnasium' in sys.modules or 'pettingzoo' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
