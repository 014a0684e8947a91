"""Writes the averaged weights of a checkpoint as a file that bots read, with a card and cases for the test.

    python export.py runs/hypersonic ../games/hypersonic/bots --name network

It writes NAME.bin (the weights), NAME.json (the card: origin, length, digest, shares of points) and NAME.cases (positions with the
answers that PyTorch gives with these very weights, which the test of the bot compares with its own).

Bots can read networks whose answer has one plain part, as in Hypersonic. For others it writes nothing and ends with exit code 2.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import struct
import sys
from pathlib import Path

import agon
import torch
from games import SETTINGS
from network import Encoding, Network, Part, Shape, dense
from torch import nn

CASES = 24


def load(folder: Path) -> tuple[Network, dict[str, object]]:
    """The network of a checkpoint, with its averaged weights, and the checkpoint."""
    saved = torch.load(folder / "checkpoint.pt", map_location="cpu", weights_only=True)
    facts = saved["facts"]
    # Checkpoints of older versions have one plain part.
    parts = tuple(Part(**part) for part in facts.get("parts") or [{"component": 0, "choices": facts["shape"]["actions"]}])
    network = Network(Encoding(**facts["encoding"]), parts, Shape(**facts["shape"]))
    network.load_state_dict(saved["average"])
    return network, saved


def convolution(layer: nn.Conv2d) -> bytes:
    """For each output a factor, the bias and the weights as bytes. The layer gets the rounded weights."""
    with torch.no_grad():
        factors = layer.weight.abs().amax((1, 2, 3)).clamp(min=1e-8) / 127
        whole = (layer.weight / factors.view(-1, 1, 1, 1)).round().clamp(-127, 127)
        layer.weight.copy_(whole * factors.view(-1, 1, 1, 1))
    # By tap, then by input.
    rows = whole.permute(0, 2, 3, 1).reshape(len(factors), -1).to(torch.int8).numpy()
    parts = (struct.pack("<ff", factor, bias) + row.tobytes() for factor, bias, row in zip(factors.tolist(), layer.bias.tolist(), rows, strict=True))
    return b"".join(parts)


def written(network: Network, height: int, width: int) -> bytes:
    """The file of a network, whose weights are rounded to those of the file."""
    encoding, shape = network.encoding, network.shape
    lines = [
        "agon network 1",
        f"board {height} {width}",
        f"planes {encoding.planes}",
        *(f"one-hot {plane} {most}" for plane, most in encoding.one_hot),
        *(f"scale {plane} {factor}" for plane, factor in encoding.scale),
        "scalars " + " ".join(map(str, encoding.scalars)),
        f"own {encoding.own}",
        f"channels {shape.channels}",
        f"blocks {shape.blocks}",
        f"hidden {shape.hidden}",
        f"actions {shape.actions}",
    ]
    layers = [network.first, *(layer for block in network.blocks for layer in block)]
    weights = b"".join(map(convolution, layers))
    return "\n".join(lines).encode() + b"\n\n" + weights + dense(network.hidden) + dense(network.actor, network.critic)


def unknown_to_bots(network: Network) -> str:
    """What of a network has no place in the file that bots read; empty if all of it has one."""
    kinds = sorted({part.kind for part in network.parts} - {"plain"})
    if kinds:
        return f"it chooses {' and '.join(kinds)}"
    if len(network.parts) > 1:
        return f"its answer has {len(network.parts)} parts"
    if network.encoding.own is None or network.encoding.unread:
        return "it reads the board in another way"
    return ""


def fail(reason: str) -> None:
    print(reason, file=sys.stderr)
    sys.exit(2)


def cases(network: Network, game: str) -> str:
    """Positions of random play, as hexadecimal planes, scalars, logits and value: a line each."""
    batch = agon.Batch(game, CASES, players=2, seeds=77, sampling_seed=5)
    lines = []
    for turn in range(CASES):
        with torch.no_grad():
            (logits,), values = network(torch.from_numpy(batch.planes[:, 0]), torch.from_numpy(batch.scalars[:, 0]))
        numbers = [*batch.scalars[turn, 0], *logits[turn].tolist(), values[turn].item()]
        lines.append(batch.planes[turn, 0].tobytes().hex() + " " + " ".join(f"{number:.7g}" for number in numbers))
        for _ in range(1 + turn % 3):
            batch.step(batch.sample())
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of the checkpoint")
    parser.add_argument("to", type=Path, help="folder of the bots")
    parser.add_argument("--game", default="hypersonic", choices=SETTINGS)
    parser.add_argument("--name", default="network")
    parser.add_argument("--command", default="", help="the commands of the training, for the card")
    args = parser.parse_args()
    if not (args.run / "checkpoint.pt").exists():
        fail(f"{args.run} has no checkpoint.pt")
    network, saved = load(args.run)
    layout = agon.Batch(args.game, 1, players=2).layout
    if len(network.encoding.scalars) != len(layout.scalars) or network.encoding.planes != len(layout.planes):
        fail(f"{args.run} has a network of another game than {args.game}")
    if unknown := unknown_to_bots(network):
        fail(f"bots cannot compute this network of {args.game} yet: {unknown} (crates/bots/src/network.rs); nothing was written")
    file = written(network.float(), layout.height, layout.width)
    card = {
        "game": args.game,
        "agon": agon.__version__,
        "parameters": sum(array.numel() for array in network.parameters()),
        "sha256": hashlib.sha256(file).hexdigest(),
        "trained_minutes": round(float(saved["seconds"]) / 60, 1),
        "agent_steps": saved["agent_steps"],
        "updates": saved["updates"],
        "commands": args.command,
        "last_measurement": json.loads((args.run / "log.jsonl").read_text().splitlines()[-1]),
    }
    (args.to / f"{args.name}.bin").write_bytes(file)
    (args.to / f"{args.name}.json").write_text(json.dumps(card, indent=2) + "\n")
    (args.to / f"{args.name}.cases").write_text(cases(network, args.game))
    print(f"{len(file):,} bytes, {card['parameters']:,} parameters, sha256 {card['sha256'][:16]}")


if __name__ == "__main__":
    main()
