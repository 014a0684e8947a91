"""Matches of records, traces and runs, for imitation::

    for match in agon.records.matches("games.jsonl.gz"):
        for decision in match.decisions():
            learn(decision.planes, decision.scalars, decision.mask, decision.action, decision.reward)
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .batch import Batch


@dataclass(frozen=True)
class Decision:
    """What a player saw, what it did, and how the match ended for it."""

    turn: int
    """The number of the turn, from 1."""
    seat: int
    planes: NDArray[np.uint8]
    scalars: NDArray[np.float32]
    mask: NDArray[np.uint8]
    line: bytes | None
    """The answer; ``None`` if none came in time."""
    action: NDArray[np.uint16] | None
    """The action of the answer; ``None`` if none has the same effect."""
    reward: float
    """1 if the seat won against all others in the end, -1 if it lost against all."""


@dataclass(frozen=True)
class Match:
    """A match of a record or trace."""

    text: bytes
    """The line of the record."""
    game: str
    seed: int
    bots: tuple[str, ...]
    """The names of the players by seat, where the record has them."""
    turns: tuple[tuple[int, bytes | None], ...]
    """The answers in their order: seat and line."""

    def batch(self) -> Batch:
        """The match before its first answer, as a batch of one game."""
        return Batch.of_record(self.text)

    def decisions(self, seats: set[int] | None = None) -> list[Decision]:
        """All decisions of the match, or those of some seats."""
        found: list[Decision] = []
        with self.batch() as batch:
            answers = iter(self.turns)
            rewards, number = np.zeros(batch.layout.players, dtype=np.float32), 0
            while batch.acting.any():
                number += 1
                lines: list[bytes | None] = [None] * batch.layout.players
                asked = np.flatnonzero(batch.acting[0]).tolist()
                # Answers to the same turn stand in the order in which they came.
                given = dict(islice(answers, len(asked)))
                for seat in asked:
                    if seat not in given:
                        raise ValueError(f"turn {number}: the answer of player {seat} is missing")
                    line = given[seat]
                    lines[seat] = line
                    if seats is not None and seat not in seats:
                        continue
                    planes, scalars, mask = (array[0, seat].copy() for array in batch.observations.values())
                    action = None if line is None else batch.encode(line, seat)
                    found.append(Decision(number, seat, planes, scalars, mask, line, action, 0.0))
                batch.step_lines([lines])
                rewards = batch.rewards[0].copy()
        return [_rewarded(decision, float(rewards[decision.seat])) for decision in found]


def _rewarded(decision: Decision, reward: float) -> Decision:
    values = {**decision.__dict__, "reward": reward}
    return Decision(**values)


def matches(path: str | PathLike[str]) -> Iterator[Match]:
    """The matches of a file of records or traces, of a run file, or of all files in a folder. Files may be compressed with gzip.
    Matches that are void, and maps, are passed over."""
    path = Path(path)
    if path.is_dir():
        for file in sorted(file for file in path.rglob("*") if file.is_file() and ".json" in file.name):
            yield from matches(file)
        return
    for text, value in _documents(path):
        if "agon_run" in value:
            # The matches of a run are in its folder of records.
            if not value.get("records"):
                raise ValueError(f"{path} is a run without records; play it with --records FOLDER")
            folder = Path(value["records"])
            yield from matches(folder if folder.is_dir() else path.parent / folder)
            return
        match = _match(text, value)
        if match is not None:
            yield match


def _documents(path: Path) -> Iterator[tuple[bytes, dict[str, Any]]]:
    with path.open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
    with gzip.open(path) if packed else path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except ValueError:
                if number > 1:
                    raise ValueError(f"{path}:{number}: this is not a record") from None
                # A document that spreads over several lines is one match.
                line += file.read()
                value = json.loads(line)
            if not isinstance(value, dict):
                raise ValueError(f"{path}:{number}: this is not a record")
            yield line, value


def _match(text: bytes, value: dict[str, Any]) -> Match | None:
    outcome = value.get("outcome") or {}
    if "turns" not in value or "void" in outcome:
        return None
    turns = tuple((int(turn["player"]), _line(turn.get("output"))) for turn in value["turns"])
    bots = tuple(str(bot["name"]) for bot in value.get("bots") or ())
    return Match(text, value["game"], int(value["seed"]), bots, turns)


def _line(output: list[Any] | None) -> bytes | None:
    if output is None:
        return None
    first = output[0] if output else ""
    return bytes.fromhex(first["hex"]) if isinstance(first, dict) else first.encode()
