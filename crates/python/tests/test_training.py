"""The programs of the folder `training` run, for a short time. Those that learn need PyTorch."""

import hashlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

TRAINING = Path(__file__).parents[3] / "training"
AGON = Path(sys.executable).parent / "agon"
GAMES = ["hypersonic", "ocean-of-code", "back-track"]
needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed: cargo xtask python --torch")


def run(name: str, *arguments: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([sys.executable, TRAINING / name, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def log_of(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


@needs_torch
@pytest.mark.parametrize("game", GAMES)
def test_train(game: str, tmp_path: Path) -> None:
    play, answer = tmp_path / "play", tmp_path / "answer"
    short = ["--small", "--games", "8", "--steps", "8", "--measured", "1", "--threads", "1", "--minutes"]
    run("train.py", game, "--out", play, *short, "0.01")
    # The second piece goes on where the first one ended.
    run("train.py", game, "--out", play, *short, "0.01")
    first, second = log_of(play)
    assert 0 < first["agent_steps"] < second["agent_steps"] and second["piece"] == 2
    assert {"gain", "surprise", "entropy", "shares", "intervals", "elo", "elo_interval"} <= set(second)
    against = ["--against", "champion", "--nodes", "10", "--begin", play]
    run("train.py", game, "--out", answer, *against, *short, "0.01")
    (line,) = log_of(answer)
    assert list(line["shares"]) == ["champion"] and line["begun_with"] == ["play", second["agent_steps"]]
    refused = run("train.py", game, "--out", answer, *short, "0.01", code=1)
    assert "choose another --out" in refused.stderr
    # Bots can compute networks of Hypersonic alone, and no file is better than a wrong one.
    exported = run("export.py", play, tmp_path, "--game", game, code=0 if game == "hypersonic" else 2)
    assert (tmp_path / "network.bin").exists() == (game == "hypersonic")
    assert game == "hypersonic" or "bots cannot compute this network" in exported.stderr


@needs_torch
@pytest.mark.parametrize("game", GAMES)
def test_imitate(game: str, tmp_path: Path) -> None:
    short = ["--matches", "4", "--bot", "bronze --nodes 10", "--epochs", "1", "--small", "--measured", "1", "--threads", "1"]
    assert "foreseen" in run("imitate.py", game, "--out", tmp_path, "--agon", AGON, *short).stdout
    assert (tmp_path / "checkpoint.pt").exists()


@needs_torch
def test_hypersonic_value(tmp_path: Path) -> None:
    head, most, facts = 8, 224, 40
    rows = []
    for seed in range(1, 61):
        for turn in range(12):
            known = [seed % facts, turn, facts - 1]
            rows.append([seed, 2, turn, 0, 2, 12 * (seed % 2), turn, 12, *known] + [facts] * (most - len(known)))
    cases = tmp_path / "cases.u16"
    cases.write_bytes(b"".join(number.to_bytes(2, "little") for row in rows for number in row))
    Path(f"{cases}.groups").write_text(json.dumps([[fact % 3, 0] for fact in range(facts)]))
    words = [cases, "--out", tmp_path, "--plain", "1", "--ahead", "2", "--batch", "64", "--epochs"]
    run("hypersonic_value.py", *words, "1")
    # The second piece goes on where the first one ended.
    run("hypersonic_value.py", *words, "3", "--to", tmp_path / "bot")
    assert [line["epoch"] for line in log_of(tmp_path)] == [1, 2, 3]
    weights = (tmp_path / "bot/value.bin").read_bytes()
    assert weights.startswith(b"agon facts 1\nsizes 40 64 32 2\n\n")
    card = json.loads((tmp_path / "bot/value.json").read_text())
    assert card["sha256"] == hashlib.sha256(weights).hexdigest() and card["cases"] == len(rows) and card["games"] == 60
    assert len((tmp_path / "bot/value.cases").read_text().splitlines()) == 24


def test_plot(tmp_path: Path) -> None:
    lines = [
        {"minutes": 1, "piece": 1, "shares": {"boss-1": 0.5, "boss-2": 0}, "intervals": {"boss-1": [0.3, 0.7], "boss-2": [0, 0.2]}, "elo": 10, "elo_interval": [-90, 110]},
        {"minutes": 2, "piece": 2, "shares": {"boss-1": 0.6}, "intervals": {"boss-1": [0.4, 0.8]}, "elo": 70, "elo_interval": [-30, 170], "entropy": 2.0, "surprise": 0.1},
    ]  # fmt: skip
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, lines)))
    run("plot.py", tmp_path / "log.jsonl", tmp_path / "log.jsonl", tmp_path / "runs.svg")
    assert (tmp_path / "runs.svg").read_text().count("@boss-2") == 2
    assert "Draws the logs" in run("plot.py", code=2).stderr


def test_evaluate(tmp_path: Path) -> None:
    words = ["ocean-of-code", "@boss-2", "@boss-1", "--out", tmp_path, "--agon", AGON, "--games", "2"]
    said = run("evaluate.py", *words, code=1)
    assert "not decided" in said.stdout and "of 2 games" in said.stdout
    line = json.loads((tmp_path / "evaluations.jsonl").read_text())
    assert line["games"] == 2 and line["command"].startswith("agon duel ocean-of-code --bot @boss-2 --bot @boss-1")
    assert "no built-in bot" in run("evaluate.py", "ocean-of-code", "@nobody", "@boss-1", "--out", tmp_path, "--agon", AGON, code=2).stderr
    assert "No such file" in run("evaluate.py", *words[:5], "--agon", tmp_path / "missing", code=2).stderr
