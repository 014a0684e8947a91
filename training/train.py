"""Learns a game by playing against itself, or against one bot (PPO).

    python train.py hypersonic --out runs/hypersonic --minutes 9           # on a GPU
    python train.py ocean-of-code --out runs/small --small --minutes 5     # on one or two cores
    python train.py back-track --out runs/answer --against champion        # a best response to a bot

A run is cut into pieces: each call trains for --minutes and ends with a checkpoint, from which the next call with the same --out
goes on; each evaluation writes one too. --total is the length of the whole run, over which the learning rate falls. `log.jsonl` in the folder has a line for each
evaluation; --minutes 0 adds one and trains nothing.

In most games all seats are played by the present network. In some games an old network plays the other seats, chosen more often
the more it wins; in others a bot of the ladder does. The averaged weights are those that are measured and exported.

With --against all opponents are one bot that does not learn, so that the network learns an answer to this bot: how well it scores is a
lower bound of how much the bot can be exploited. --begin takes the first weights from another run.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import time
from pathlib import Path

import agon
import numpy as np
import torch
from games import SETTINGS, Setting, Table, against, with_nodes
from measure import measure
from network import Answers, Network, Shape, shape_of, starts_of
from torch import Tensor, nn

POOL = 24


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=SETTINGS)
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint and the log")
    parser.add_argument("--minutes", type=float, default=9, help="length of this piece")
    parser.add_argument("--total", type=float, help="minutes of the whole run (default: of this piece)")
    parser.add_argument("--small", action="store_true", help="a small network and few games, for one or two cores without a GPU")
    parser.add_argument("--begin", type=Path, metavar="FOLDER", help="begin with the weights of this run, if there is no checkpoint yet")
    parser.add_argument("--against", metavar="BOT", help="learn against this built-in bot alone, for example champion or champion:3")
    parser.add_argument("--nodes", type=int, default=1000, help="nodes of this bot for each answer")
    parser.add_argument("--league", type=int, help="learn by the rules of this league (default: the full game, by which it is always measured)")
    parser.add_argument("--measured", type=int, help="games from each seat in which a bot is measured")
    parser.add_argument("--games", type=int, help="games at once")
    parser.add_argument("--steps", type=int, default=32, help="steps of each game between two updates")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--minibatch", type=int)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--gamma", type=float, default=0.99)
    parser.add_argument("--lam", type=float, default=0.95, help="lambda of the advantages")
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, help="weight of the entropy (default: that of the game); it falls with the learning rate")
    parser.add_argument("--lead", type=float, default=0.05, help="reward for one point more ahead")
    parser.add_argument("--average", type=float, help="how slowly the averaged weights follow")
    parser.add_argument("--every", type=float, default=60, help="seconds between two evaluations")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    # A core computes small parts of a minibatch faster, since they stay in its cache.
    args.games = args.games or ((128 if args.against else 64) if args.small else 6144)
    args.measured = args.measured or (20 if args.small else 100)
    args.minibatch = args.minibatch or (512 if args.small else 32768)
    args.average = args.average or (0.95 if args.small else 0.995)
    args.total = args.total or args.minutes
    args.entropy = SETTINGS[args.game].entropy if args.entropy is None else args.entropy
    return args


class Seats:
    """The games of a table, and the rows of them that learn."""

    def __init__(self, table: Table, args: argparse.Namespace) -> None:
        self.table = table
        self.games = max(2, round(args.games * table.share))
        self.built_in = table.opponents not in ("self", "pool")
        self.agents = 1 if self.built_in else table.players
        self.rows = self.games * self.agents
        old = np.zeros((self.games, self.agents), dtype=bool)
        if table.opponents == "pool":
            old[:] = True
            old[np.arange(self.games), np.arange(self.games) % self.agents] = False
        self.old = old.reshape(-1)
        """The rows that an old network plays."""

    def begin(self, args: argparse.Namespace, seed: int, arrays: dict[str, Tensor]) -> None:
        """Begins the games, which write into parts of the arrays of all tables."""
        # One seat learns against built-in bots.
        others = set(range(self.table.players)) - {self.table.seat}
        opponents = {seat: (self.table.opponents, self.table.nodes) for seat in others} if self.built_in else None
        shaped = {name: array.numpy().reshape(self.games, self.agents, *array.shape[1:]) for name, array in arrays.items()}
        self.batch = agon.Batch(
            args.game, self.games, players=self.table.players, league=args.league, threads=args.threads, autoreset="same_step",
            seeds=seed, opponents=opponents, arrays=shaped,
        )  # fmt: skip


class Tables:
    """All games of a run: their rows one after the other."""

    def __init__(self, setting: Setting, args: argparse.Namespace, seed: int) -> None:
        self.setting, self.device = setting, args.device
        self.seats = [Seats(table, args) for table in setting.tables]
        self.rows = sum(seats.rows for seats in self.seats)
        old = np.concatenate([seats.old for seats in self.seats])
        self.old = torch.from_numpy(np.flatnonzero(old)).to(args.device)
        self.learns = torch.from_numpy(~old).to(args.device)
        layout = agon.Batch(args.game, 1).layout
        self.components, self.starts = len(layout.actions), starts_of(layout.choices.tolist())
        pinned = args.device != "cpu"
        shape = (len(layout.planes), layout.height, layout.width)
        self.planes = torch.zeros(self.rows, *shape, dtype=torch.uint8, pin_memory=pinned)
        self.scalars = torch.zeros(self.rows, len(layout.scalars), pin_memory=pinned)
        self.masks = torch.zeros(self.rows, layout.mask, dtype=torch.uint8, pin_memory=pinned)
        at = 0
        for place, seats in enumerate(self.seats):
            part = slice(at, at + seats.rows)
            arrays = {"planes": self.planes[part], "scalars": self.scalars[part], "masks": self.masks[part]}
            seats.begin(args, seed + 10**7 * place, arrays)
            at += seats.rows

    def look(self) -> tuple[Tensor, Tensor, Tensor]:
        """Planes, scalars and masks of all rows."""
        return tuple(array.to(self.device, non_blocking=True) for array in (self.planes, self.scalars, self.masks))

    def acting(self) -> np.ndarray:
        return np.concatenate([seats.batch.acting.reshape(-1) for seats in self.seats])

    def lead(self) -> np.ndarray:
        return np.concatenate([self.setting.lead(seats.batch.scalars).reshape(-1) for seats in self.seats])

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, float, int]:
        """Plays a turn: the rewards of the ends, the rows whose game is over, the points against old networks and their number."""
        rewards, ended, points, games = [], [], 0.0, 0
        at = 0
        for seats in self.seats:
            seats.batch.step(actions[at : at + seats.rows].reshape(-1, seats.agents, self.components))
            at += seats.rows
            over = np.repeat(seats.batch.terminated, seats.agents)
            rewards.append(seats.batch.rewards.reshape(-1).copy())
            ended.append(over)
            if seats.old.any():
                counted = (over == 1) & ~seats.old
                points += float((rewards[-1][counted] + 1).sum() / 2)
                games += int(counted.sum())
        return np.concatenate(rewards), np.concatenate(ended), points, games


def load(path: Path, network: Network, device: str) -> dict[str, object]:
    """A checkpoint, which must be one of such a network."""
    saved = torch.load(path, map_location=device, weights_only=True)
    shape = Shape(**saved["facts"]["shape"])
    if shape != network.shape or len(saved["facts"]["encoding"]["scalars"]) != len(network.encoding.scalars):
        raise SystemExit(f"{path} is a network of another game or size: {shape}")
    return saved


def main() -> None:
    args = arguments()
    setting = SETTINGS[args.game]
    if args.against:
        setting = against(setting, args.against, args.nodes)
    elif args.small:
        setting = with_nodes(setting, 100)
    has_pool = any(table.opponents == "pool" for table in setting.tables)
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    torch.backends.cudnn.benchmark = True
    torch.set_float32_matmul_precision("high")
    network = Network(setting.encoding, setting.parts, shape_of(setting.parts, args.small, setting.stride))
    network = network.to(args.device, memory_format=torch.channels_last)
    average, old = copy.deepcopy(network), copy.deepcopy(network)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.rate, eps=1e-5)
    pool: list[dict[str, Tensor]] = []
    beaten: list[float] = []
    """How often the network of the pool loses, for each of them."""
    spent, updates, agent_steps, pieces = 0.0, 0, 0, 0
    begun_with = None
    """The run of the first weights, and its agent steps."""
    checkpoint = args.out / "checkpoint.pt"
    if checkpoint.exists():
        saved = load(checkpoint, network, args.device)
        opponent = [args.against, args.nodes] if args.against else None
        if saved.get("against") != opponent:
            raise SystemExit(
                f"{checkpoint} was trained against {saved.get('against') or 'itself'}: choose another --out, and --begin for its weights"
            )
        network.load_state_dict(saved["network"])
        average.load_state_dict(saved["average"])
        optimizer.load_state_dict(saved["optimizer"])
        pool, beaten, begun_with = saved["pool"], saved["beaten"], saved.get("begun_with")
        spent, updates, agent_steps, pieces = saved["seconds"], saved["updates"], saved["agent_steps"], saved.get("pieces", 1)
        print(f"goes on after {spent / 60:.1f} minutes, {agent_steps:,} agent steps", flush=True)
    elif args.begin:
        saved = load(args.begin / "checkpoint.pt", network, args.device)
        network.load_state_dict(saved["average"])
        average.load_state_dict(saved["average"])
        begun_with = [args.begin.name, saved["agent_steps"]]
        print(f"begins with {args.begin} after {saved['agent_steps']:,} agent steps", flush=True)
    torch.manual_seed(args.seed + updates)
    generator = np.random.default_rng(args.seed + updates)
    tables = Tables(setting, args, args.seed * 10**9 + updates * 10**5)
    rows, steps = tables.rows, args.steps
    planes = torch.zeros(steps, *tables.planes.shape, dtype=torch.uint8, device=args.device)
    scalars = torch.zeros(steps, *tables.scalars.shape, device=args.device)
    masks = torch.zeros(steps, *tables.masks.shape, dtype=torch.uint8, device=args.device)
    actions = torch.zeros(steps, rows, tables.components, dtype=torch.int64, device=args.device)
    chances, values, rewards, ended, acted = (torch.zeros(steps, rows, device=args.device) for _ in range(5))
    precision = torch.autocast(args.device.split(":")[0], torch.bfloat16, enabled=args.device != "cpu")
    seen: dict[str, float] = {}
    began, start, evaluated, snapped = time.monotonic(), spent, time.monotonic(), time.monotonic()
    watch = {"network": 0.0, "games": 0.0, "learning": 0.0, "measuring": 0.0}
    """The seconds of each kind of work in this piece."""

    def elapsed() -> float:
        return start + time.monotonic() - began

    def save() -> None:
        facts = {
            "network": network.state_dict(), "average": average.state_dict(), "optimizer": optimizer.state_dict(), "pool": pool,
            "beaten": beaten, "seconds": elapsed(), "updates": updates, "agent_steps": agent_steps, "facts": network.facts(),
            "against": [args.against, args.nodes] if args.against else None, "begun_with": begun_with, "pieces": pieces + 1,
        }  # fmt: skip
        torch.save(facts, checkpoint.with_suffix(".new"))
        checkpoint.with_suffix(".new").replace(checkpoint)

    while True:
        over = elapsed() - start >= 60 * args.minutes
        if over or time.monotonic() - evaluated >= args.every:
            mark = time.monotonic()
            with precision:
                measured = measure(average, setting, args)
            watch["measuring"] += time.monotonic() - mark
            line = {
                "minutes": round(elapsed() / 60, 2), "piece": pieces + 1, "league": args.league, "updates": updates, "agent_steps": agent_steps, **measured,
                "pool": len(pool), **seen, "seconds": {work: round(spent, 1) for work, spent in watch.items()},
            }  # fmt: skip
            if args.against:
                line["against"] = f"{args.against}, {args.nodes} nodes"
            if begun_with:
                line["begun_with"] = begun_with
            with (args.out / "log.jsonl").open("a") as log:
                print(json.dumps(line), file=log)
            print(json.dumps(line), flush=True)
            # A run that is stopped before its piece ends loses what it learned since the last evaluation.
            save()
            evaluated = time.monotonic()
            if over:
                break
        if has_pool and (not pool or time.monotonic() - snapped >= 20):
            snapped = time.monotonic()
            pool.append({name: array.detach().half().cpu().clone() for name, array in average.state_dict().items()})
            beaten.append(0.5)
            if len(pool) > POOL:
                # The one that is beaten most has least to teach.
                weakest = int(np.argmax(beaten[:-1]))
                del pool[weakest], beaten[weakest]

        left = max(0.0, 1 - elapsed() / (60 * args.total))
        rate = args.rate * max(0.02, left)
        for group in optimizer.param_groups:
            group["lr"] = rate
        chosen = 0
        if has_pool:
            hard = np.square(1.02 - np.array(beaten))
            chosen = int(generator.choice(len(pool), p=hard / hard.sum()))
            old.load_state_dict(pool[chosen])
        points, games = 0.0, 0
        with torch.no_grad(), precision:
            for step in range(steps):
                mark = time.monotonic()
                planes[step], scalars[step], masks[step] = tables.look()
                asked = torch.from_numpy(tables.acting()).to(args.device)
                acted[step] = asked
                for player, learns in ((network, tables.learns), (old, ~tables.learns)):
                    # Nothing is computed for seats that are not asked.
                    which = torch.nonzero((asked > 0) & learns).squeeze(1)
                    if len(which):
                        p, s, m = planes[step, which], scalars[step, which], masks[step, which]
                        logits, value = player(p, s)
                        answers = Answers(player, logits, p, m, tables.starts)
                        action = answers.draw(tables.components)
                        actions[step, which], values[step, which], chances[step, which] = action, value, answers.log_chances(action)
                action = actions[step].cpu().numpy()
                watch["network"] += time.monotonic() - mark
                mark = time.monotonic()
                before = tables.lead()
                result, done, more, ends = tables.step(action)
                points, games = points + more, games + ends
                # After the end the scalars are those of the next game.
                gained = np.where(done == 1, 0, tables.lead() - before)
                rewards[step] = torch.from_numpy(result + args.lead * gained.astype(np.float32)).to(args.device)
                ended[step] = torch.from_numpy(done).to(args.device)
                watch["games"] += time.monotonic() - mark
            mark = time.monotonic()
            if games:
                beaten[chosen] += 0.1 * (points / games - beaten[chosen])
            following = network(*tables.look()[:2])[1]
            advantages, advantage = torch.zeros_like(rewards), torch.zeros(rows, device=args.device)
            for step in reversed(range(steps)):
                goes_on, asked = 1 - ended[step], acted[step]
                now = rewards[step] + goes_on * args.gamma * following
                there = now - values[step] + args.gamma * args.lam * goes_on * advantage
                # A seat that is not asked waits: its later rewards are those of its last answer.
                advantage = torch.where(asked > 0, there, goes_on * advantage)
                following = torch.where(asked > 0, values[step], rewards[step] + goes_on * following)
                advantages[step] = advantage
            targets = advantages + values
        learned = torch.nonzero((acted > 0) & tables.learns).cpu()
        agent_steps += len(learned)
        learned = learned[torch.randperm(len(learned))].to(args.device)
        flat = [array.flatten(0, 1) for array in (planes, scalars, masks, actions, chances, advantages, targets)]
        learned = learned[:, 0] * rows + learned[:, 1]
        losses = torch.zeros(3, device=args.device)
        parts = 0
        for _ in range(args.epochs):
            for part in learned.split(args.minibatch):
                p, s, m, a, was, advantage, target = (array[part] for array in flat)
                with precision:
                    logits, value = network(p, s)
                answers = Answers(network, logits, p, m, tables.starts)
                entropy = answers.entropy(a)
                ratio = (answers.log_chances(a) - was).exp()
                advantage = (advantage - advantage.mean()) / (advantage.std(correction=0) + 1e-8)
                gain = torch.min(ratio * advantage, ratio.clamp(1 - args.clip, 1 + args.clip) * advantage).mean()
                surprise = (value - target).square().mean()
                loss = -gain + 0.5 * surprise - args.entropy * max(0.1, left) * entropy
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), 0.5)
                optimizer.step()
                losses += torch.stack([gain.detach(), surprise.detach(), entropy.detach()])
                parts += 1
        follow = min(args.average, 1 - 1 / (updates + 1))
        with torch.no_grad():
            for mean, present in zip(average.parameters(), network.parameters(), strict=True):
                mean.lerp_(present, 1 - follow)
        updates += 1
        watch["learning"] += time.monotonic() - mark
        gain, surprise, entropy = (round(value, 4) for value in (losses / parts).tolist())
        seen = {"gain": gain, "surprise": surprise, "entropy": entropy, "rate": rate}
        if has_pool:
            seen["beats_pool"] = round(float(np.mean(beaten)), 3)
        if not math.isfinite(surprise):
            raise SystemExit("the loss is no longer a number: start again from an older checkpoint with a lower --rate")


if __name__ == "__main__":
    main()
