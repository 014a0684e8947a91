"""Wrong calls raise exceptions, and the batch is as before."""

import random
from collections.abc import Callable
from typing import Any

import agon
import numpy as np
import pytest

ERRORS = (ValueError, TypeError, OverflowError, IndexError, MemoryError)


def junk(rng: random.Random) -> Any:
    """A value that is no argument of anything."""
    return rng.choice(
        [None, "x", b"\xff", -1, 2**70, 1.5, float("nan"), [], [[]], [None], {}, object(), np.zeros(3), np.array("a"), 1 + 2j]
    )


def wrong_actions(rng: random.Random) -> Any:
    """An array that is no array of actions for two games of two agents."""
    shape = tuple(rng.randrange(4) for _ in range(rng.randrange(5)))
    if shape in ((2, 2, 1), (2, 2)):
        return np.full(shape, rng.choice([10, 65535, -1, 70000]))
    return np.zeros(shape, dtype=rng.choice([np.uint16, np.int8, np.float32, np.bool_, object]))


def wrong_array(rng: random.Random) -> Any:
    """An array that is no array of planes for two games of two agents."""
    good = np.zeros_like(agon.Batch("hypersonic", 2, players=2).planes)
    read_only = good.copy()
    read_only.setflags(write=False)
    return rng.choice([good.astype(np.int16), good[0], np.asfortranarray(good), read_only, good.tolist(), junk(rng)])


def wrong_calls(batch: agon.Batch, rng: random.Random) -> list[Callable[[], Any]]:
    many = lambda: rng.choice([2, 99, 2**40, -1, 2**64])  # noqa: E731
    arrays = batch._arrays
    swapped = list(arrays)
    first, second = rng.sample(range(len(arrays)), 2)
    swapped[first] = swapped[second]
    return [
        lambda: batch.step(wrong_actions(rng)),
        lambda: batch.step(junk(rng)),
        lambda: batch.step_lines([["MOVE 0 0"]]),
        lambda: batch.step_lines(rng.choice([[], [[]], [["a", "b"]], [["a", "b"], ["c"]], [[1, 2], [3, 4]], "text", None])),
        lambda: batch.reset(rng.choice(["x", [1], [1, 2, 3], [2**70, 1], [None, 1], 1.5])),
        lambda: batch.reset([1], games=[many()]),
        lambda: batch.reset([1, 2], games=[0]),
        lambda: batch.save(many()),
        lambda: batch.view_of(seat=rng.choice([2, 99, 300, -1])),
        lambda: batch.view_of(0, game=many()),
        lambda: batch.load(rng.randbytes(rng.randrange(50))),
        lambda: batch.load(batch.save(0)[: rng.randrange(200)]),
        lambda: batch.load(agon.Batch("ocean-of-code").save(0)),
        lambda: batch.load(agon.Batch("hypersonic", players=3).save(0)),
        lambda: batch.load(junk(rng)),
        lambda: batch.decode(rng.choice([[10], [99], [-1], [], [1, 2], [2**40]]), seat=0),
        lambda: batch.decode([1], seat=rng.choice([2, 77, -3])),
        lambda: batch.encode("MOVE 1 1", seat=rng.choice([2, 77, -3])),
        lambda: batch.encode(None, seat=0),
        lambda: batch.clone([many()]),
        lambda: batch.clone([]),
        lambda: batch.simulate(many()),
        lambda: batch.simulate(0, times=2**40),
        lambda: batch.render(many()),
        lambda: batch.picture(many()),
        lambda: batch._native.step(batch.actions, tuple(swapped)),
        lambda: batch._native.step(batch.actions, arrays[: rng.randrange(9)]),
        lambda: batch._native.sample(batch.masks, batch.masks),
        lambda: batch._native.reveal(batch.planes, batch.scalars),
        lambda: agon.Batch(rng.choice(["chess", "", "Hypersonic"])),
        lambda: agon.Batch(junk(rng)),
        lambda: agon.Batch("hypersonic", rng.choice([0, -1, 2**40, 2**70, "2", 1.5])),
        lambda: agon.Batch("hypersonic", players=rng.choice([0, 1, 5, 9, 300])),
        lambda: agon.Batch("hypersonic", league=rng.choice([0, 99, 999])),
        lambda: agon.Batch("hypersonic", edition="x"),
        lambda: agon.Batch("hypersonic", threads=rng.choice([0, -1, 2**30])),
        lambda: agon.Batch("hypersonic", autoreset="never"),
        lambda: agon.Batch("hypersonic", seeds=[1, 2, 3]),
        lambda: agon.Batch("hypersonic", opponents={0: "nobody"}),
        lambda: agon.Batch("hypersonic", opponents={9: "boss-1"}),
        lambda: agon.Batch("hypersonic", opponents={0: "boss-1", 1: "boss-1"}, players=2),
        lambda: agon.Batch("hypersonic", opponents={0: ("boss-1", -1)}),
        lambda: agon.Batch("hypersonic", 2, players=2, arrays={"planes": wrong_array(rng)}),
        lambda: agon.Batch("hypersonic", arrays={"plans": np.zeros(3)}),
        lambda: agon.Batch.of_record(rng.choice([b"", b"{}", b"[]", b'{"game":"chess","seed":"1","turns":[],"end":{}}'])),
        lambda: agon.verify(["/does/not/exist"]),
        lambda: agon.game("chess"),
    ]


def test_1000_wrong_calls() -> None:
    rng = random.Random(1)
    batch = agon.Batch("hypersonic", 2, players=2, seeds=1)
    batch.step(batch.sample())
    before = [batch.save(0), batch.save(1)], [array.copy() for array in batch._arrays]
    for number in range(1000):
        calls = wrong_calls(batch, rng)
        place = number % len(calls)
        with pytest.raises(ERRORS) as raised:
            calls[place]()
            pytest.fail(f"call {place} of {number} was accepted")
        assert str(raised.value), f"call {place} of {number}: an exception without words"
    assert [batch.save(0), batch.save(1)] == before[0]
    assert all(np.array_equal(old, new) for old, new in zip(before[1], batch._arrays, strict=True))
    batch.step(batch.sample())


def test_a_closed_batch() -> None:
    batch = agon.Batch("hypersonic", 2, players=2)
    batch.close()
    batch.close()
    calls = [batch.sample, batch.reset, batch.save, batch.reveal, batch.clone, lambda: batch.step(batch.actions)]
    for call in calls:
        with pytest.raises(ValueError, match="closed"):
            call()


def test_a_game_that_is_over() -> None:
    batch = agon.Batch("hypersonic", 2, players=2, autoreset="off")
    while batch.acting.any():
        batch.step(batch.sample())
    with pytest.raises(ValueError, match="reset"):
        batch.step(batch.sample())
    batch.reset()
    batch.step(batch.sample())


def test_two_threads_of_python_use_one_batch() -> None:
    from concurrent.futures import ThreadPoolExecutor

    batch = agon.Batch("hypersonic", 64, players=2, threads=2)
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(lambda: batch.simulate(3, times=50, seed=1).tolist()) for _ in range(20)]:
            assert done.result() == batch.simulate(3, times=50, seed=1).tolist()
