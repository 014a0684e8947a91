"""The files of a network that a bot uses: NAME.bin (the weights), NAME.json (the card) and NAME.cases (inputs with the answers of PyTorch)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import torch

Numbers = Sequence[float | str]


def write(folder: Path, name: str, weights: bytes, card: dict[str, object], cases: Sequence[Numbers]) -> None:
    """Writes the three files. The card gets the digest of the weights and the version of PyTorch."""
    card = {"game": card.pop("game"), "sha256": hashlib.sha256(weights).hexdigest(), **card, "torch": torch.__version__}
    lines = [" ".join(number if isinstance(number, str) else f"{number:.7g}" for number in case) for case in cases]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.bin").write_bytes(weights)
    (folder / f"{name}.json").write_text(json.dumps(card, indent=2) + "\n")
    (folder / f"{name}.cases").write_text("\n".join(lines) + "\n")


def settings(args: object, *without: str) -> dict[str, object]:
    """The settings of a run, less those that only say where files are."""
    return {key: value for key, value in vars(args).items() if key not in ("cases", "out", "to", "origin", *without)}
