"""PPO by self-play in one file: Hypersonic, first league.

Both seats of every game are played by one network, which learns from both. The network sees the planes shifted so that its own
bomber is in the centre: it need not learn each place of the grid anew. Rewards are the result of the game, and on the way the
change of the lead in boxes.

    python ppo.py                        # trains for some minutes on two cores, and plays against @boss-1 now and then
    python ppo.py --updates 3 --games 8  # a trial run

It needs `pip install torch`. On a GPU use --device cuda and more games.
"""

from __future__ import annotations

import argparse
import time

import agon
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

# The scalars "own boxes" and those of the other seat, and the plane of the own bomber.
OWN_BOXES, OTHER_BOXES, OWN_BOMBER = 5, 9, 5


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="hypersonic")
    parser.add_argument("--league", type=int, default=1)
    parser.add_argument("--games", type=int, default=128, help="games at once")
    parser.add_argument("--steps", type=int, default=32, help="steps of each game between two updates")
    parser.add_argument("--updates", type=int, default=300)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--minibatch", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--gamma", type=float, default=0.97)
    parser.add_argument("--lam", type=float, default=0.95, help="lambda of the advantages")
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--box", type=float, default=0.1, help="reward for a box more than the opponent")
    parser.add_argument("--radius", type=int, default=5, help="how far the network sees, in cells")
    parser.add_argument("--evaluate", type=int, default=25, help="updates between two evaluations")
    parser.add_argument("--opponent", default="boss-1")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", help="file for the weights")
    return parser.parse_args()


class Agent(nn.Module):
    """The chances of the actions, and the value of the position."""

    def __init__(self, layout: agon.Layout, radius: int) -> None:
        super().__init__()
        self.radius, self.side = radius, 2 * radius + 1
        inputs = (len(layout.planes) + 1) * self.side**2 + len(layout.scalars)
        self.body = nn.Sequential(nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.actor, self.critic = nn.Linear(256, layout.mask), nn.Linear(256, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def see(self, observations: agon.batch.Observations) -> np.ndarray:
        """The cells around the own bomber, and the scalars, for each row."""
        planes = observations["planes"].reshape(-1, *observations["planes"].shape[2:])
        rows, kinds, height, width = planes.shape
        # Cells off the grid have a plane of their own.
        padded = np.zeros((rows, kinds + 1, height + 2 * self.radius, width + 2 * self.radius), dtype=np.uint8)
        padded[:, kinds] = 1
        inside = slice(self.radius, self.radius + height), slice(self.radius, self.radius + width)
        padded[:, :kinds, *inside] = planes
        padded[:, kinds, *inside] = 0
        place = planes[:, OWN_BOMBER].reshape(rows, -1).argmax(axis=1)
        y, x = np.divmod(place, width)
        windows = np.lib.stride_tricks.sliding_window_view(padded, (self.side, self.side), axis=(2, 3))
        around = windows[np.arange(rows), :, y, x].reshape(rows, -1)
        scalars = observations["scalars"].reshape(rows, -1) / 10
        return np.concatenate([around, scalars], axis=1).astype(np.float32)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        body = self.body(seen)
        logits = self.actor(body).masked_fill(mask == 0, -1e9)
        return Categorical(logits=logits), self.critic(body).squeeze(-1)


@torch.no_grad()
def evaluate(agent: Agent, args: argparse.Namespace, games: int = 100) -> float:
    """The share of points against the built-in bot, from both seats: a draw is half a point."""
    points = []
    for seat in (0, 1):
        batch = agon.Batch(
            args.game, games // 2, players=2, league=args.league, opponents={1 - seat: args.opponent}, autoreset="off", seeds=10**6
        )
        while batch.acting.any():
            mask = torch.from_numpy(batch.masks[:, 0]).to(args.device)
            chances, _ = agent(torch.from_numpy(agent.see(batch.observations)).to(args.device), mask)
            batch.step(chances.probs.argmax(-1).cpu().numpy()[:, None])
            points += ((batch.rewards[batch.terminated == 1, 0] + 1) / 2).tolist()
    return float(np.mean(points))


def main() -> None:
    args = arguments()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    batch = agon.Batch(
        args.game, args.games, players=2, league=args.league, threads=args.threads, autoreset="same_step", seeds=args.seed
    )
    agent = Agent(batch.layout, args.radius).to(args.device)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.rate, eps=1e-5)
    rows = args.games * 2
    width = agent.see(batch.observations).shape[1]
    seen = torch.zeros(args.steps, rows, width, device=args.device)
    masks = torch.zeros(args.steps, rows, batch.layout.mask, device=args.device)
    actions, chances, values, rewards, ended = (torch.zeros(args.steps, rows, device=args.device) for _ in range(5))
    began, agent_steps = time.time(), 0

    def look() -> tuple[torch.Tensor, torch.Tensor]:
        now = torch.from_numpy(agent.see(batch.observations)).to(args.device)
        return now, torch.from_numpy(batch.masks.reshape(rows, -1)).to(args.device)

    def lead() -> np.ndarray:
        return (batch.scalars[..., OWN_BOXES] - batch.scalars[..., OTHER_BOXES]).reshape(-1).copy()

    for update in range(1, args.updates + 1):
        for group in optimizer.param_groups:
            group["lr"] = args.rate * (1 - (update - 1) / args.updates)
        for step in range(args.steps):
            seen[step], masks[step] = look()
            with torch.no_grad():
                policy, values[step] = agent(seen[step], masks[step])
                action = policy.sample()
                actions[step], chances[step] = action, policy.log_prob(action)
            before = lead()
            batch.step(action.cpu().numpy().reshape(args.games, 2))
            over = np.repeat(batch.terminated, 2)
            # After the end the scalars are those of the next game.
            gained = np.where(over == 1, 0, lead() - before)
            rewards[step] = torch.from_numpy(batch.rewards.reshape(-1) + args.box * gained.astype(np.float32))
            ended[step] = torch.from_numpy(over)
        agent_steps += args.steps * rows

        with torch.no_grad():
            following = agent(*look())[1]
            advantages, advantage = torch.zeros_like(rewards), torch.zeros(rows, device=args.device)
            for step in reversed(range(args.steps)):
                goes_on = 1 - ended[step]
                surprise = rewards[step] + args.gamma * following * goes_on - values[step]
                advantage = surprise + args.gamma * args.lam * goes_on * advantage
                advantages[step], following = advantage, values[step]
            targets = advantages + values

        flat = [array.reshape(args.steps * rows, *array.shape[2:]) for array in (seen, masks, actions, chances, advantages, targets)]
        for _ in range(args.epochs):
            for part in torch.randperm(args.steps * rows, device=args.device).split(args.minibatch):
                s, m, a, old, adv, target = (array[part] for array in flat)
                policy, value = agent(s, m)
                ratio = (policy.log_prob(a) - old).exp()
                adv = (adv - adv.mean()) / (adv.std() + 1e-8)
                gain = torch.min(ratio * adv, ratio.clamp(1 - args.clip, 1 + args.clip) * adv).mean()
                loss = -gain + 0.5 * (value - target).square().mean() - args.entropy * policy.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()

        if update % args.evaluate == 0 or update == args.updates:
            share, spent = evaluate(agent, args), time.time() - began
            print(
                f"update {update}, {agent_steps:,} agent steps, {spent:.0f} s: {share:.0%} of the points against @{args.opponent}",
                flush=True,
            )
    if args.save:
        torch.save(agent.state_dict(), args.save)


if __name__ == "__main__":
    main()
