"""Learns a game by playing against itself, or against one bot (PPO).

    python train.py hypersonic --out runs/hypersonic --minutes 9           # on a GPU
    python train.py hypersonic --out runs/small --small --minutes 5        # on two cores
    python train.py hypersonic --out runs/answer --against champion        # a best response to a bot

A run is cut into pieces: each call trains for --minutes and ends with a checkpoint, from which the next call with the same --out
goes on. --total is the length of the whole run, over which the learning rate falls. `log.jsonl` in the folder has a line for each
evaluation.

In most games all seats are played by the present network. In some games an old network plays the other seats, chosen more often
the more it wins; in others a bot of the ladder does. The averaged weights are those that are measured and exported.

With --against all opponents are one bot that does not learn, so that the network learns an answer to this bot: how well it scores is a
lower bound of how much the bot can be exploited. A run can begin with the checkpoint of another one, copied into its folder.
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
from games import SETTINGS, Setting, Table, against
from network import Network, Shape
from torch import Tensor, nn

POOL = 24


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=SETTINGS)
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint and the log")
    parser.add_argument("--minutes", type=float, default=9, help="length of this piece")
    parser.add_argument("--total", type=float, help="minutes of the whole run (default: of this piece)")
    parser.add_argument("--small", action="store_true", help="a small network and few games, for two cores without a GPU")
    parser.add_argument("--against", metavar="BOT", help="learn against this built-in bot alone, for example champion or champion:3")
    parser.add_argument("--nodes", type=int, default=1000, help="nodes of this bot for each answer")
    parser.add_argument("--measured", type=int, help="games from each seat in which a bot is measured")
    parser.add_argument("--games", type=int, help="games at once")
    parser.add_argument("--steps", type=int, default=32, help="steps of each game between two updates")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--minibatch", type=int)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--gamma", type=float, default=0.99)
    parser.add_argument("--lam", type=float, default=0.95, help="lambda of the advantages")
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.02, help="weight of the entropy; it falls with the learning rate")
    parser.add_argument("--lead", type=float, default=0.05, help="reward for one point more ahead")
    parser.add_argument("--average", type=float, default=0.995, help="how slowly the averaged weights follow")
    parser.add_argument("--every", type=float, default=60, help="seconds between two evaluations")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.games = args.games or (64 if args.small else 6144)
    args.measured = args.measured or (10 if args.small else 100)
    args.minibatch = args.minibatch or (1024 if args.small else 32768)
    args.total = args.total or args.minutes
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
        # One seat learns against built-in bots: the maps are symmetric, so that one is enough.
        opponents = {seat: (self.table.opponents, self.table.nodes) for seat in range(1, self.table.players)} if self.built_in else None
        shaped = {name: array.numpy().reshape(self.games, self.agents, *array.shape[1:]) for name, array in arrays.items()}
        self.batch = agon.Batch(
            args.game, self.games, players=self.table.players, threads=args.threads, autoreset="same_step", seeds=seed,
            opponents=opponents, arrays=shaped,
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
            seats.batch.step(actions[at : at + seats.rows].reshape(-1, seats.agents))
            at += seats.rows
            over = np.repeat(seats.batch.terminated, seats.agents)
            rewards.append(seats.batch.rewards.reshape(-1).copy())
            ended.append(over)
            if seats.old.any():
                counted = (over == 1) & ~seats.old
                points += float((rewards[-1][counted] + 1).sum() / 2)
                games += int(counted.sum())
        return np.concatenate(rewards), np.concatenate(ended), points, games


def choose(network: Network, planes: Tensor, scalars: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """A random action by its chances, the logarithm of its chance, and the value."""
    logits, values = network(planes, scalars)
    chances = torch.log_softmax(logits.masked_fill(mask == 0, -1e9), dim=-1)
    # The Gumbel trick: the same as drawing by the chances, in one operation.
    noise = -torch.log(-torch.log(torch.rand_like(chances).clamp_(1e-9, 1 - 1e-7)))
    action = (chances + noise).argmax(-1)
    return action, chances.gather(1, action.unsqueeze(1)).squeeze(1), values


@torch.no_grad()
def measure(network: Network, args: argparse.Namespace, bot: str, nodes: int) -> list[float]:
    """The points of each game against a built-in bot, by the most likely actions: a draw is half a point."""
    points: list[float] = []
    for seat in (0, 1):
        batch = agon.Batch(
            args.game, args.measured, players=2, threads=args.threads, opponents={1 - seat: (bot, nodes)}, autoreset="off", seeds=10**6
        )
        while batch.acting.any():
            planes, scalars, mask = (torch.from_numpy(array[:, 0]).to(args.device) for array in (batch.planes, batch.scalars, batch.masks))
            logits, _ = network(planes, scalars)
            batch.step(logits.masked_fill(mask == 0, -1e9).argmax(-1).cpu().numpy()[:, None])
            points += ((batch.rewards[batch.terminated == 1, 0] + 1) / 2).tolist()
    return points


def interval(points: list[float]) -> list[float]:
    """The 95 % interval of the share of points (Wilson's), which is not empty when all games are lost."""
    games, share, z = len(points), float(np.mean(points)), 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return [round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4)]


def main() -> None:
    args = arguments()
    setting = SETTINGS[args.game]
    if args.against:
        setting = against(setting, args.against, args.nodes)
    has_pool = any(table.opponents == "pool" for table in setting.tables)
    args.out.mkdir(parents=True, exist_ok=True)
    torch.backends.cudnn.benchmark = True
    torch.set_float32_matmul_precision("high")
    shape = Shape(channels=16, blocks=1) if args.small else Shape()
    network = Network(setting.encoding, shape).to(args.device, memory_format=torch.channels_last)
    average, old = copy.deepcopy(network), copy.deepcopy(network)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.rate, eps=1e-5)
    pool: list[dict[str, Tensor]] = []
    beaten: list[float] = []
    """How often the network of the pool loses, for each of them."""
    spent, updates, agent_steps = 0.0, 0, 0
    checkpoint = args.out / "checkpoint.pt"
    if checkpoint.exists():
        saved = torch.load(checkpoint, map_location=args.device, weights_only=True)
        if saved.get("against") not in (None, args.against):
            raise SystemExit(f"{checkpoint} was trained against {saved['against']}: choose another --out")
        network.load_state_dict(saved["network"])
        average.load_state_dict(saved["average"])
        optimizer.load_state_dict(saved["optimizer"])
        pool, beaten = saved["pool"], saved["beaten"]
        spent, updates, agent_steps = saved["seconds"], saved["updates"], saved["agent_steps"]
        print(f"goes on after {spent / 60:.1f} minutes, {agent_steps:,} agent steps", flush=True)
    torch.manual_seed(args.seed + updates)
    generator = np.random.default_rng(args.seed + updates)
    tables = Tables(setting, args, args.seed * 10**9 + updates * 10**5)
    rows, steps = tables.rows, args.steps
    planes = torch.zeros(steps, *tables.planes.shape, dtype=torch.uint8, device=args.device)
    scalars = torch.zeros(steps, *tables.scalars.shape, device=args.device)
    masks = torch.zeros(steps, *tables.masks.shape, dtype=torch.uint8, device=args.device)
    actions = torch.zeros(steps, rows, dtype=torch.int64, device=args.device)
    chances, values, rewards, ended, acted = (torch.zeros(steps, rows, device=args.device) for _ in range(5))
    precision = torch.autocast(args.device.split(":")[0], torch.bfloat16, enabled=args.device != "cpu")
    seen: dict[str, float] = {}
    began, start, evaluated, snapped = time.monotonic(), spent, time.monotonic(), time.monotonic()

    def elapsed() -> float:
        return start + time.monotonic() - began

    def save() -> None:
        facts = {
            "network": network.state_dict(), "average": average.state_dict(), "optimizer": optimizer.state_dict(), "pool": pool,
            "beaten": beaten, "seconds": elapsed(), "updates": updates, "agent_steps": agent_steps, "facts": network.facts(),
            "against": args.against,
        }  # fmt: skip
        torch.save(facts, checkpoint.with_suffix(".new"))
        checkpoint.with_suffix(".new").replace(checkpoint)

    while True:
        over = elapsed() - start >= 60 * args.minutes
        if over or time.monotonic() - evaluated >= args.every:
            with precision:
                points = {bot: measure(average, args, bot, nodes) for bot, nodes in setting.ladder}
            line = {
                "minutes": round(elapsed() / 60, 2), "updates": updates, "agent_steps": agent_steps,
                "shares": {bot: float(np.mean(each)) for bot, each in points.items()},
                "intervals": {bot: interval(each) for bot, each in points.items()}, "pool": len(pool), **seen,
            }  # fmt: skip
            with (args.out / "log.jsonl").open("a") as log:
                print(json.dumps(line), file=log)
            print(json.dumps(line), flush=True)
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
                planes[step], scalars[step], masks[step] = tables.look()
                action, chances[step], values[step] = choose(network, planes[step], scalars[step], masks[step])
                theirs = tables.old
                if len(theirs):
                    action[theirs] = choose(old, planes[step, theirs], scalars[step, theirs], masks[step, theirs])[0]
                actions[step] = action
                acted[step] = torch.from_numpy(tables.acting()).to(args.device)
                before = tables.lead()
                result, done, more, ends = tables.step(action.cpu().numpy())
                points, games = points + more, games + ends
                # After the end the scalars are those of the next game.
                gained = np.where(done == 1, 0, tables.lead() - before)
                rewards[step] = torch.from_numpy(result + args.lead * gained.astype(np.float32)).to(args.device)
                ended[step] = torch.from_numpy(done).to(args.device)
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
                logs = torch.log_softmax(logits.masked_fill(m == 0, -1e9), dim=-1)
                entropy = -(logs.exp() * logs).sum(-1).mean()
                ratio = (logs.gather(1, a.unsqueeze(1)).squeeze(1) - was).exp()
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
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
        gain, surprise, entropy = (round(value, 4) for value in (losses / parts).tolist())
        seen = {"gain": gain, "surprise": surprise, "entropy": entropy, "rate": rate}
        if has_pool:
            seen["beats_pool"] = round(float(np.mean(beaten)), 3)
        if not math.isfinite(surprise):
            raise SystemExit("the loss is no longer a number: start again from an older checkpoint with a lower --rate")
    save()


if __name__ == "__main__":
    main()
