"""Learns from matches of a strong bot: its choices, and how its games end.

    python imitate.py hypersonic --out runs/hypersonic --matches 12000 --bot "champion --nodes 500"
    python imitate.py back-track --out runs/imitation --small --matches 100 --bot "champion --nodes 100"

It plays the matches with `agon duel` (or reads those of --records), then trains a network on every decision. The checkpoint is that
of `train.py`, which can go on from it by self-play.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import multiprocessing
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import agon
import agon.records
import numpy as np
import torch
from games import SETTINGS, with_nodes
from measure import measure
from network import IMPOSSIBLE, Answers, Network, shape_of, starts_of
from torch import Tensor


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=SETTINGS)
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint and the log")
    parser.add_argument("--bot", default="champion --nodes 500", help="the built-in bot that plays all seats, as `agon bot` takes it")
    parser.add_argument("--matches", type=int, default=1000, help="matches of two players to play")
    parser.add_argument("--fours", type=int, default=0, help="matches of four players to play")
    parser.add_argument("--records", type=Path, action="append", help="folders of matches that were played before")
    parser.add_argument("--agon", default="agon", help="the agon command")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--minibatch", type=int, default=8192)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--small", action="store_true", help="a small network, for two cores without a GPU")
    parser.add_argument("--measured", type=int, help="games from each seat in which a bot is measured")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.measured = args.measured or (20 if args.small else 100)
    if args.fours and args.game != "hypersonic":
        parser.error(f"{args.game} has two players: leave --fours out")
    return args


def play(args: argparse.Namespace) -> Iterator[Path]:
    """Plays the matches; the folders of their records."""
    for players, count in ((2, args.matches), (4, args.fours)):
        if count:
            folder = args.out / f"records-{players}"
            # Two bots with the same seed would mirror each other on these symmetric maps, and draw.
            bots = [f"{args.agon} bot {args.game} {args.bot} --players {players} --seed {seed}" for seed in (1, 2)]
            words = [args.agon, "duel", args.game, "--bot", bots[0], "--bot", bots[1], "--players", str(players), "-n", str(count)]
            more = ["-j", str(args.threads), "--clock", "off", "--sandbox", "none", "--records", str(folder), "--run", f"{folder}.run"]
            subprocess.run([*words, *more], check=True, stdout=subprocess.DEVNULL)
            yield folder


def decisions(files: list[Path]) -> tuple[np.ndarray, ...]:
    """Planes, scalars, masks, choices and results of all decisions in some files."""
    found = [decision for file in files for match in agon.records.matches(file) for decision in match.decisions()]
    found = [decision for decision in found if decision.action is not None]
    return (
        np.stack([decision.planes for decision in found]),
        np.stack([decision.scalars for decision in found]),
        np.stack([decision.mask for decision in found]),
        np.stack([decision.action for decision in found]).astype(np.int64),
        np.array([decision.reward for decision in found], dtype=np.float32),
    )


def collected(folders: list[Path], args: argparse.Namespace) -> list[Tensor]:
    """The decisions of all matches. Those of a match stay together, so that the last ones can check what was learned."""
    files = [file for folder in folders for file in sorted(folder.glob("*.json.gz"))]
    np.random.default_rng(args.seed).shuffle(files)
    parts = [files[at : at + 40] for at in range(0, len(files), 40)]
    with multiprocessing.get_context("spawn").Pool(args.threads) as pool:
        arrays = pool.map(decisions, parts, chunksize=1)
    return [torch.from_numpy(np.concatenate(column)) for column in zip(*arrays, strict=True)]


def main() -> None:
    args = arguments()
    setting = with_nodes(SETTINGS[args.game], 100) if args.small else SETTINGS[args.game]
    layout = agon.Batch(args.game, 1).layout
    starts = starts_of(layout.choices.tolist())
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.backends.cudnn.benchmark = True
    began = time.monotonic()
    folders = args.records or list(play(args))
    print(f"{time.monotonic() - began:.0f} s: the matches are played", flush=True)
    arrays = collected(folders, args)
    count = len(arrays[0])
    learned = count * 19 // 20
    print(f"{time.monotonic() - began:.0f} s: {count:,} decisions", flush=True)
    arrays = [array.to(args.device) for array in arrays]
    network = Network(setting.encoding, setting.parts, shape_of(setting.parts, args.small, setting.stride))
    network = network.to(args.device, memory_format=torch.channels_last)
    average = copy.deepcopy(network)
    optimizer = torch.optim.AdamW(network.parameters(), lr=args.rate, weight_decay=1e-4)
    precision = torch.autocast(args.device.split(":")[0], torch.bfloat16, enabled=args.device != "cpu")
    steps, step = args.epochs * math.ceil(learned / args.minibatch), 0

    def losses(model: Network, part: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        planes, scalars, masks, choices, results = (array[part] for array in arrays)
        with precision:
            logits, values = model(planes, scalars)
        answers = Answers(model, logits, planes, masks, starts)
        # A part that the network may not choose, such as AUTOPLACE between cells without towns, teaches nothing.
        policy, foreseen = -answers.log_chances(choices, leave_out=IMPOSSIBLE / 2).mean(), answers.foreseen(choices).mean()
        return policy, (values - results).square().mean(), foreseen

    for epoch in range(1, args.epochs + 1):
        for part in torch.randperm(learned, device=args.device).split(args.minibatch):
            for group in optimizer.param_groups:
                group["lr"] = args.rate * min(1.0, (step + 1) / 200) * (0.5 + 0.5 * math.cos(math.pi * step / steps))
            policy, value, _ = losses(network, part)
            optimizer.zero_grad(set_to_none=True)
            (policy + value).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            with torch.no_grad():
                for mean, present in zip(average.parameters(), network.parameters(), strict=True):
                    mean.lerp_(present, max(0.002, 1 / (step + 1)))
            step += 1
        with torch.no_grad():
            checks = [losses(average, part) for part in torch.arange(learned, count, device=args.device).split(args.minibatch)]
        policy, value, foreseen = (float(torch.stack(column).mean()) for column in zip(*checks, strict=True))
        print(f"{time.monotonic() - began:.0f} s, epoch {epoch}: policy {policy:.3f}, value {value:.3f}, foreseen {foreseen:.1%}", flush=True)
    with precision:
        measured = measure(average, setting, args)
    minutes = (time.monotonic() - began) / 60
    line = {"minutes": round(minutes, 2), "decisions": count, "policy": policy, "value": value, "foreseen": foreseen, **measured}
    with (args.out / "log.jsonl").open("a") as log:
        print(json.dumps(line), file=log)
    print(json.dumps(line), flush=True)
    state = {name: array.detach().cpu() for name, array in average.state_dict().items()}
    fresh = torch.optim.Adam(network.parameters(), lr=args.rate, eps=1e-5)
    saved = {
        "network": state, "average": state, "optimizer": fresh.state_dict(), "pool": [], "beaten": [], "seconds": 60 * minutes,
        "updates": 0, "agent_steps": 0, "facts": network.facts(), "against": None,
    }  # fmt: skip
    torch.save(saved, args.out / "checkpoint.pt")


if __name__ == "__main__":
    main()
