"""Trains the value by which the champion of Hypersonic judges a state: the chance to be first, and the boxes that the player will still score.

    cargo run --release -p hypersonic-bots --example hypersonic_cases -- cases.u16 600001 420 6000 16
    python hypersonic_value.py cases.u16 --out runs/value --to ../games/hypersonic/bots

A case is what a player saw in a round, as a set of facts (`games/hypersonic/bots/src/facts.rs` says which), and how the game ended for it. Each fact adds a row of
weights; the sums pass two more layers. Six seeds of each sixty are left for validation, so that all tables are among them. A run that was stopped goes on where its last epoch ended. The log has a
line for each epoch. It uses a GPU where there is one.

With `--to` it writes value.bin (the weights), value.json (the card) and value.cases (facts with the answers of the weights that were written).
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from files import settings, write
from network import dense
from torch import Tensor, nn
from torch.nn import functional

# The numbers of a case before its facts: seed, players, round, seat, bot, share of the first place in twelfths, boxes now and at the end.
HEAD = 8
MOST = 224
CASES = 24
# The numbers that each fact adds to: so many the bot computes.
WIDTH = 64
# The weight of the boxes beside the chance to be first.
BOXES = 0.5
# The boxes head answers in units of so many boxes.
UNIT = 5.0
# Cases that are judged at once.
PART = 1 << 18


class Value(nn.Module):
    """The logit of the chance to be first, and the boxes that are still scored, from facts."""

    def __init__(self, groups: Tensor, width: int, hidden: int) -> None:
        super().__init__()
        self.facts = len(groups)
        self.groups = groups
        self.own = nn.Parameter(torch.randn(self.facts, width) * 0.01)
        """The weights of each fact, to which those of its groups are added: what is seldom seen is taken to be like what is near it."""
        self.shared = nn.Parameter(torch.randn(int(groups.max()) + 1, width) * 0.01)
        self.bias = nn.Parameter(torch.zeros(width))
        self.hidden = nn.Linear(width, hidden)
        self.out = nn.Linear(hidden, 2)

    def rows(self) -> Tensor:
        """What each fact adds to the sums; group 0 is none."""
        shared = torch.cat([torch.zeros_like(self.shared[:1]), self.shared[1:]])
        return self.own + shared[self.groups[:, 0]] + shared[self.groups[:, 1]]

    def forward(self, facts: Tensor, rows: Tensor | None = None) -> Tensor:
        rows = self.rows() if rows is None else rows
        rows = torch.cat([rows, torch.zeros_like(rows[:1])])
        sums = functional.embedding_bag(facts.int(), rows, mode="sum")
        return self.out(functional.relu(self.hidden(functional.relu(sums + self.bias))))


def loss(answers: Tensor, first: Tensor, boxes: Tensor) -> Tensor:
    """How far answers are from how games ended, for each case."""
    wrong = functional.binary_cross_entropy_with_logits(answers[:, 0], first, reduction="none")
    return wrong + BOXES * (answers[:, 1] - boxes / UNIT) ** 2


def judged(network: Value, facts: Tensor) -> Tensor:
    """The answers of all cases."""
    with torch.no_grad():
        rows = network.rows()
        return torch.cat([network(part, rows) for part in facts.split(PART)])


def later(head: Tensor, rounds: int) -> Tensor:
    """For each case that of the same player so many rounds later, or -1."""
    game = (head[:, 0].long() * 4 + head[:, 3]) * 256 + head[:, 2]
    order = game.argsort()
    at = torch.searchsorted(game[order], game + rounds).clamp(max=len(game) - 1)
    found = order[at]
    return torch.where(game[found] == game + rounds, found, torch.full_like(found, -1))


def measured(network: Value, facts: Tensor, first: Tensor, boxes: Tensor, players: Tensor) -> dict[str, object]:
    """For each number of players: nats of the first place, and the share of the variance of the boxes that is foreseen."""
    with torch.no_grad():
        answers = judged(network, facts)
    found: dict[str, object] = {}
    for count in (2, 3, 4):
        of = players == count
        if not of.any():
            continue
        nats = functional.binary_cross_entropy_with_logits(answers[of, 0], first[of])
        error = ((answers[of, 1] * UNIT - boxes[of]) ** 2).mean() / boxes[of].var()
        found[str(count)] = {"nats": round(float(nats), 4), "boxes": round(1 - float(error), 4)}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint and the log")
    parser.add_argument("--to", type=Path, help="folder of the files of the bot")
    parser.add_argument("--origin", default="", help="how the cases came about, for the card")
    parser.add_argument("--ahead", type=int, default=16, help="after the first epochs the answer so many rounds later stands for the end of the game")
    parser.add_argument("--plain", type=int, default=2, help="first epochs, which learn how games end")
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--minutes", type=float, default=60.0, help="the run ends after this time at the latest")
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    numbers = np.fromfile(args.cases, dtype="<u2")
    rows = numbers[: len(numbers) // (HEAD + MOST) * (HEAD + MOST)].reshape(-1, HEAD + MOST)
    head = torch.from_numpy(rows[:, :HEAD].astype(np.int32)).to(device)
    facts = torch.from_numpy(rows[:, HEAD:].astype(np.int16)).to(device)
    first, boxes, players = head[:, 5] / 12.0, (head[:, 7] - head[:, 6]).float(), head[:, 1]
    follows = later(head, args.ahead)
    groups = torch.tensor(json.loads(Path(f"{args.cases}.groups").read_text()))
    held = head[:, 0] // 6 % 10 == 0
    train, test = torch.nonzero(~held).squeeze(1), torch.nonzero(held).squeeze(1)
    network = Value(groups.to(device), WIDTH, args.hidden).to(device)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.rate)
    begun, seconds = 0, 0.0
    saved_at = args.out / "checkpoint.pt"
    if saved_at.exists():
        saved = torch.load(saved_at, weights_only=True, map_location=device)
        network.load_state_dict(saved["network"])
        optimizer.load_state_dict(saved["optimizer"])
        begun, seconds = saved["epochs"], saved["seconds"]
    log = (args.out / "log.jsonl").open("a")
    steps = args.epochs * -(-len(train) // args.batch)
    step = begun * -(-len(train) // args.batch)

    def left() -> float:
        """The share of the run that is left, by steps or by time."""
        return 1 - max(step / steps, (seconds + time.monotonic() - clock) / (60 * args.minutes))

    for epoch in range(begun, args.epochs):
        clock = time.monotonic()
        order = train[torch.randperm(len(train), generator=torch.Generator().manual_seed(args.seed * 1000 + epoch)).to(device)]
        total = torch.zeros((), device=device)
        aims = first, boxes
        if epoch >= args.plain:
            answers = judged(network, facts)[follows]
            gained = (head[follows, 6] - head[:, 6]).float()
            aims = (
                torch.where(follows >= 0, answers[:, 0].sigmoid(), first),
                torch.where(follows >= 0, gained + answers[:, 1] * UNIT, boxes),
            )
        for chosen in order.split(args.batch):
            if left() <= 0:
                break
            for group in optimizer.param_groups:
                group["lr"] = args.rate * left()
            wrong = loss(network(facts[chosen]), aims[0][chosen], aims[1][chosen]).mean()
            optimizer.zero_grad()
            wrong.backward()
            optimizer.step()
            total += wrong.detach() * len(chosen)
            step += 1
        seconds += time.monotonic() - clock
        entry = {"epoch": epoch + 1, "cases": len(train), "loss": round(float(total) / len(train), 4), "seconds": round(seconds, 1)}
        entry["validation"] = measured(network, facts[test], first[test], boxes[test], players[test])
        log.write(json.dumps(entry) + "\n")
        log.flush()
        print(entry, flush=True)
        torch.save({"network": network.state_dict(), "optimizer": optimizer.state_dict(), "epochs": epoch + 1, "seconds": seconds}, saved_at)
        clock = time.monotonic()
        if left() <= 0:
            break
    if args.to:
        network.groups = network.groups.cpu()
        export(network.cpu(), rows, args, seconds)


def export(network: Value, rows: np.ndarray, args: argparse.Namespace, seconds: float) -> None:
    """Writes the files of the bot."""
    with torch.no_grad():
        weights = network.rows()
        # One factor for each column, so that its weights are bytes.
        factor = (weights.abs().amax(0) / 127).clamp(min=1e-12)
        bytes_ = (weights / factor).round().clamp(-127, 127)
    sizes = f"{network.facts} {WIDTH} {args.hidden} 2"
    file = f"agon facts 1\nsizes {sizes}\n\n".encode()
    file += factor.numpy().astype("<f4").tobytes() + network.bias.detach().numpy().astype("<f4").tobytes()
    file += bytes_.numpy().astype("i1").tobytes() + dense(network.hidden) + dense(network.out)
    shown = rows[:: max(1, len(rows) // CASES), HEAD:][:CASES].astype(np.int64)
    with torch.no_grad():
        answers = network(torch.from_numpy(shown), bytes_ * factor)
    card = {
        "game": "hypersonic",
        "parameters": sum(map(torch.numel, (weights, network.bias, *network.hidden.parameters(), *network.out.parameters()))),
        "origin": args.origin,
        "cases": len(rows),
        "games": len(np.unique(rows[:, 0])),
        "trained_seconds": round(seconds, 1),
        "settings": settings(args),
        "last_measurement": json.loads((args.out / "log.jsonl").read_text().splitlines()[-1]),
    }
    known = [[str(fact) for fact in row if fact < network.facts] for row in shown.tolist()]
    write(args.to, "value", file, card, [[*answer, *facts] for answer, facts in zip(answers.tolist(), known, strict=True)])


if __name__ == "__main__":
    main()
