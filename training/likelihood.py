"""Trains the network by which the champion of Ocean of Code tells how likely a player was to play a line, on one core.

    cargo run --release -p ocean-of-code-bots --example ocean_of_code_cases -- cases.f32 20001 712 6000 boss-4 bronze silver gold legend champion-1 champion
    python likelihood.py cases.f32 --out runs/likelihood --to ../games/ocean-of-code/bots

A case is a turn of a player: the lines that it could have played, those that look alike as one, from its true place and from other places that its
opponent thought possible; or the ways that its silence could have gone. The network learns to foresee the line from the true place (maximum
likelihood) and, with `--places`, then to tell the true place from the others by the line. Games whose seed ends in 0 are left for validation. A run that was
stopped goes on where its last epoch ended. The log has a line for each epoch: all losses in bits per turn.

With `--to` it writes likelihood.bin (the weights), likelihood.json (the card) and likelihood.cases (inputs with the answers of PyTorch).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from files import settings, write
from network import dense
from torch import Tensor, nn
from torch.nn import functional

# The numbers of a row before its features: seed, player, a mark of the first row of a place (2: a true one, which begins a case, 1: another place of the
# case, 3: the ways of a silence), the chance of the place before the turn, whether this line was the one that was shown, and the factor for its target.
HEAD = 6
TRUTH, SILENCE = 2, 3
# The share of lines that follow no reason, and the chance of such a line, as in the bot.
WHIM, ANY_LINE = 0.1, 0.1
# The formula that the network is compared with: a difference of worth (the first feature) of so many lives makes a line e times less likely.
TEMPERATURE = 0.03
CASES = 24
BATCH = 512
# The weight of lines while the network learns to tell places.
LINES_AMONG_PLACES = 0.1


@dataclass
class Cases:
    """Rows of lines, and the places and cases they belong to."""

    features: Tensor
    first: Tensor
    """The first row of each place, and the number of all rows."""
    shown: Tensor
    """The row of each place that was shown, -1 where it was no line of the place."""
    mass: Tensor
    aim: Tensor
    case: Tensor
    """The first place of each case, and the number of all places."""
    player: Tensor
    seed: Tensor
    silence: Tensor
    """Whether a case is the ways of a silence."""

    @staticmethod
    def read(path: Path, width: int) -> Cases:
        """The cases of a file; an unfinished last one is left out."""
        numbers = np.fromfile(path, dtype="<f4")
        rows = numbers[: len(numbers) // width * width].reshape(-1, width)
        rows = rows[: np.flatnonzero(rows[:, 2] >= TRUTH)[-1]]
        first = np.flatnonzero(rows[:, 2] > 0)
        lengths = np.diff(np.append(first, len(rows)))
        place_of_row = np.repeat(np.arange(len(first)), lengths)
        shown = np.full(len(first), -1)
        hits = np.flatnonzero(rows[:, 4] == 1)
        shown[place_of_row[hits]] = hits
        case = np.flatnonzero(rows[first, 2] >= TRUTH)
        heads = rows[first]
        as_tensor = lambda array, kind: torch.from_numpy(np.ascontiguousarray(array)).to(kind)  # noqa: E731
        return Cases(
            features=as_tensor(rows[:, HEAD:], torch.float32),
            first=as_tensor(np.append(first, len(rows)), torch.int64),
            shown=as_tensor(shown, torch.int64),
            mass=as_tensor(heads[:, 3], torch.float32),
            aim=as_tensor(heads[:, 5], torch.float32),
            case=as_tensor(np.append(case, len(first)), torch.int64),
            player=as_tensor(heads[case, 1], torch.int64),
            seed=as_tensor(heads[case, 0], torch.int64),
            silence=as_tensor(heads[case, 2] == SILENCE, torch.bool),
        )


def spans(starts: Tensor, ends: Tensor) -> tuple[Tensor, Tensor]:
    """All numbers of these ranges, and for each the number of its range."""
    lengths = ends - starts
    owner = torch.repeat_interleave(torch.arange(len(starts)), lengths)
    before = torch.cumsum(lengths, 0) - lengths
    return starts[owner] + torch.arange(int(lengths.sum())) - before[owner], owner


def firsts(owner: Tensor) -> Tensor:
    """Where the elements of each range begin, for `spans`."""
    counts = torch.bincount(owner)
    return torch.cumsum(counts, 0) - counts


class Formula(nn.Module):
    """What the network is compared with."""

    def forward(self, features: Tensor) -> Tensor:
        return features[:, :1] / TEMPERATURE


def chances(network: nn.Module, cases: Cases, places: Tensor) -> Tensor:
    """The chance of the shown line in each of these places, as a logarithm; very little where it is no line of the place."""
    rows, owner = spans(cases.first[places], cases.first[places + 1])
    logits = network(cases.features[rows]).squeeze(-1)
    most = torch.full((len(places),), -torch.inf).scatter_reduce(0, owner, logits.detach(), "amax")
    sums = torch.zeros(len(places)).index_add(0, owner, (logits - most[owner]).exp())
    shown = cases.shown[places]
    at = (firsts(owner) + shown - cases.first[places]).clamp(min=0)
    return torch.where(shown >= 0, logits[at] - most - sums.log(), torch.tensor(-30.0))


def line_loss(network: nn.Module, cases: Cases, chosen: Tensor) -> Tensor:
    """Nats by which the lines of these cases are unexpected in the true places."""
    return -chances(network, cases, cases.case[chosen])


def places_of(cases: Cases, chosen: Tensor) -> tuple[Tensor, Tensor]:
    """All places of these cases, and the number of the case of each."""
    return spans(cases.case[chosen], cases.case[chosen + 1])


def place_loss(network: nn.Module, cases: Cases, chosen: Tensor) -> Tensor:
    """Nats by which the true places are unexpected after the turn."""
    places, owner = places_of(cases, chosen)
    weight = cases.mass[places] * ((1 - WHIM) * chances(network, cases, places).exp() * cases.aim[places] + WHIM * ANY_LINE)
    sums = torch.zeros(len(chosen)).index_add(0, owner, weight)
    return sums.log() - weight[firsts(owner)].log()


BIT = float(np.log(2))


def measured(network: nn.Module, cases: Cases, chosen: Tensor) -> dict[str, object]:
    """Bits per turn of lines, places and ways of silences, and the same of each player."""
    lines, places = [], []
    turns, silences = chosen[~cases.silence[chosen]], chosen[cases.silence[chosen]]

    def bits(part: Tensor, any_line: Tensor) -> Tensor:
        share = chances(network, cases, cases.case[part]).exp()
        return -((1 - WHIM) * share + WHIM * any_line).log() / BIT

    with torch.no_grad():
        for part in turns.split(4096):
            lines.append(bits(part, torch.tensor(ANY_LINE)))
            places.append(place_loss(network, cases, part) / BIT)
        ways = cases.first[cases.case[silences] + 1] - cases.first[cases.case[silences]]
        silence = bits(silences, 1 / ways)
    line, place, player = torch.cat(lines), torch.cat(places), cases.player[turns]
    mean = lambda array: round(float(array.mean()), 4)  # noqa: E731
    by = {int(p): [mean(line[player == p]), mean(place[player == p]), mean(silence[cases.player[silences] == p])] for p in player.unique()}
    return {"line": mean(line), "place": mean(place), "silence": mean(silence), "players": by}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint and the log")
    parser.add_argument("--to", type=Path, help="folder of the files of the bot")
    parser.add_argument("--origin", default="", help="how the cases came about, for the card")
    parser.add_argument("--features", type=int, default=40)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--lines", type=int, default=20, help="epochs on lines")
    parser.add_argument("--places", type=int, default=0, help="epochs on places after them")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    cases = Cases.read(args.cases, HEAD + args.features)
    count = len(cases.seed)
    held = cases.seed % 10 == 0
    train, test = torch.arange(count)[~held], torch.arange(count)[held]
    network = nn.Sequential(
        nn.Linear(args.features, args.hidden), nn.ReLU(), nn.Linear(args.hidden, args.hidden), nn.ReLU(), nn.Linear(args.hidden, 1)
    )
    optimizer = torch.optim.Adam(network.parameters(), lr=args.rate)
    begun, seconds = 0, 0.0
    saved_at = args.out / "checkpoint.pt"
    if saved_at.exists():
        saved = torch.load(saved_at, weights_only=True)
        network.load_state_dict(saved["network"])
        optimizer.load_state_dict(saved["optimizer"])
        begun, seconds = saved["epochs"], saved["seconds"]
    log = (args.out / "log.jsonl").open("a")

    def note(entry: dict[str, object]) -> None:
        log.write(json.dumps(entry) + "\n")
        log.flush()
        print(entry, flush=True)

    if begun == 0:
        note({"epoch": 0, "formula": measured(Formula(), cases, test), "cases": len(train), "validation": len(test)})
    for epoch in range(begun, args.lines + args.places):
        clock = time.monotonic()
        on_lines = epoch < args.lines
        # The rate falls to nothing at the end of each of the two parts.
        left = (args.lines - epoch) / args.lines if on_lines else (args.lines + args.places - epoch) / args.places * 0.5
        for group in optimizer.param_groups:
            group["lr"] = args.rate * left
        order = train[torch.randperm(len(train), generator=torch.Generator().manual_seed(args.seed * 1000 + epoch))]
        total = 0.0
        for chosen in order.split(BATCH):
            if on_lines:
                loss = line_loss(network, cases, chosen).mean()
            else:
                loss = place_loss(network, cases, chosen[~cases.silence[chosen]]).mean() + LINES_AMONG_PLACES * line_loss(network, cases, chosen).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += float(loss.detach()) * len(chosen)
        seconds += time.monotonic() - clock
        note({"epoch": epoch + 1, "on": "lines" if on_lines else "places", "loss": total / len(train) / BIT, "seconds": round(seconds), **measured(network, cases, test)})
        torch.save({"network": network.state_dict(), "optimizer": optimizer.state_dict(), "epochs": epoch + 1, "seconds": seconds}, saved_at)
    if args.to:
        export(network, cases, args, seconds)


def export(network: nn.Sequential, cases: Cases, args: argparse.Namespace, seconds: float) -> None:
    """Writes the files of the bot."""
    layers = [layer for layer in network if isinstance(layer, nn.Linear)]
    sizes = [layers[0].in_features, *(layer.out_features for layer in layers)]
    file = b"agon layers 1\nsizes " + " ".join(map(str, sizes)).encode() + b"\n\n" + b"".join(map(dense, layers))
    inputs = cases.features[:: max(1, len(cases.features) // CASES)][:CASES]
    with torch.no_grad():
        answers = network(inputs)
    measurements = [json.loads(line) for line in (args.out / "log.jsonl").read_text().splitlines()]
    card = {
        "game": "ocean-of-code",
        "parameters": sum(array.numel() for array in network.parameters()),
        "origin": args.origin,
        "cases": len(cases.seed),
        "cases_sha256": hashlib.sha256(args.cases.read_bytes()).hexdigest(),
        "games": int(cases.seed.unique().numel()),
        "seeds": [int(cases.seed.min()), int(cases.seed.max())],
        "trained_minutes": round(seconds / 60, 1),
        "settings": settings(args),
        "formula": measurements[0]["formula"],
        "last_measurement": measurements[-1],
    }
    write(args.to, "likelihood", file, card, torch.hstack([inputs, answers]).tolist())


if __name__ == "__main__":
    main()
