"""Matches of records as decisions of players."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import agon
import agon.records
import numpy as np
import pytest

AGON = Path(sys.executable).parent / "agon"
TRACES = Path(__file__).parents[3] / "games"


@pytest.mark.parametrize("name", agon.games())
def test_a_record_becomes_decisions(name: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.gz"
    subprocess.run([AGON, "simulate", name, "-n", "3", "--record", path], check=True, capture_output=True)
    found = list(agon.records.matches(path))
    assert [match.game for match in found] == [name] * 3
    for match in found:
        decisions = match.decisions()
        assert len(decisions) == len(match.turns)
        assert all(decision.action is not None for decision in decisions), "random play can be expressed"
        assert sum({decision.seat: decision.reward for decision in decisions}.values()) == pytest.approx(0, abs=1e-6)
        # The actions lead to the same game.
        batch = match.batch()
        for number in range(1, decisions[-1].turn + 1):
            actions = np.zeros_like(batch.actions)
            for decision in (decision for decision in decisions if decision.turn == number):
                assert np.array_equal(batch.planes[0, decision.seat], decision.planes)
                actions[0, decision.seat] = decision.action
            batch.step(actions)
        end = json.loads(match.text)["end"]
        assert batch.terminated[0] == 1 and json.loads(batch.save())["end"].get("scores") == end.get("scores")
    alone = found[0].decisions(seats={1})
    assert alone and all(decision.seat == 1 for decision in alone)


@pytest.mark.parametrize("name", agon.games())
def test_traces_of_the_referee_become_decisions(name: str) -> None:
    found = agon.records.matches(TRACES / name / "traces" / "dev.jsonl.gz")
    for _, match in zip(range(20), found, strict=False):
        assert len(match.decisions()) == len(match.turns)


def test_a_run_names_its_records(tmp_path: Path) -> None:
    batch = agon.Batch("hypersonic", 1, players=2, autoreset="off")
    while batch.acting.any():
        batch.step(batch.sample())
    folder = tmp_path / "records"
    folder.mkdir()
    (folder / "0.json.gz").write_bytes(gzip.compress(batch.save()))
    (folder / "1.json.gz").write_bytes(gzip.compress(json.dumps({**json.loads(batch.save()), "outcome": {"void": "x"}}).encode()))
    run = tmp_path / "run.jsonl"
    run.write_text(json.dumps({"agon_run": 3, "records": str(folder)}) + "\n" + json.dumps({"index": 0}) + "\n")
    assert len(list(agon.records.matches(run))) == 1, "a void match is passed over"
    assert len(list(agon.records.matches(folder))) == 1
    run.write_text(json.dumps({"agon_run": 3}) + "\n")
    with pytest.raises(ValueError, match="records"):
        list(agon.records.matches(run))
    run.write_text("[]\n")
    with pytest.raises(ValueError, match="not a record"):
        list(agon.records.matches(run))


def test_a_match_with_a_missing_answer() -> None:
    batch = agon.Batch("hypersonic", 1, players=2)
    batch.step(batch.sample())
    value = json.loads(batch.save())
    match = agon.records._match(json.dumps({**value, "turns": value["turns"][:1]}).encode(), {**value, "turns": value["turns"][:1]})
    assert match is not None
    with pytest.raises(ValueError, match="missing"):
        match.decisions()


def test_answers_to_the_same_turn_stand_in_any_order() -> None:
    batch = agon.Batch("hypersonic", 1, players=2, autoreset="off")
    while batch.acting.any():
        batch.step(batch.sample())
    value = json.loads(batch.save())
    turned = {**value, "turns": [turn for pair in zip(value["turns"][1::2], value["turns"][::2], strict=True) for turn in pair]}
    plain, other = (agon.records._match(json.dumps(value).encode(), value) for value in (value, turned))
    assert plain is not None and other is not None
    assert [turn.line for turn in plain.decisions()] == [turn.line for turn in other.decisions()]
    assert plain.turns != other.turns
