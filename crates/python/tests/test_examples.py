"""The examples run, for a short time."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples"
AGON = Path(sys.executable).parent / "agon"


def run(name: str, *arguments: str | Path) -> str:
    done = subprocess.run([sys.executable, EXAMPLES / name, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_random_play() -> None:
    assert "wins and draws by seat" in run("random_play.py")


def test_imitation(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.gz"
    subprocess.run([AGON, "simulate", "hypersonic", "-n", "6", "--record", path], check=True, capture_output=True)
    said = run("imitation.py", path, "--epochs", "2")
    assert "0 answers cannot be expressed" in said and "epoch 2" in said


@pytest.mark.parametrize("game", ["hypersonic", "back-track"])
def test_mcts(game: str) -> None:
    assert "2 turns" in run("mcts.py", "--game", game, "--games", "1", "--searches", "8", "--turns", "2")


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed: cargo xtask python --torch")
def test_ppo() -> None:
    said = run("ppo.py", "--updates", "3", "--games", "8", "--evaluate", "3", "--threads", "1")
    assert "update 3, 1,536 agent steps" in said
