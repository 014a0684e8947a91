"""Monte-Carlo tree search from Python: a node is a clone of the game, and random play from there gives its value.

Players may answer together: each seat chooses by its own statistics in a node (decoupled UCT). The search sees the whole state, so
it fits games without hidden information.

    python mcts.py --games 4 --searches 200
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence

import agon
import numpy as np


class Node:
    """A position: a batch of one game, with statistics for the actions of each seat."""

    def __init__(self, batch: agon.Batch, limit: int, random: np.random.Generator) -> None:
        self.batch, self.over = batch, not batch.acting.any()
        self.children: dict[bytes, Node] = {}
        self.visits = 0
        self.actions: list[list[np.ndarray]] = []
        for seat in range(batch.layout.players):
            self.actions.append(candidates(batch, seat, limit, random))
        self.counts = [np.zeros(len(actions)) for actions in self.actions]
        self.sums = [np.zeros(len(actions)) for actions in self.actions]

    def choose(self, exploration: float) -> list[int]:
        """The action of each seat with the highest upper confidence bound."""
        chosen = []
        for counts, sums in zip(self.counts, self.sums, strict=True):
            bonus = exploration * np.sqrt(math.log(self.visits + 1) / np.maximum(counts, 1))
            bounds = np.where(counts == 0, np.inf, sums / np.maximum(counts, 1) + bonus)
            chosen.append(int(bounds.argmax()))
        return chosen

    def learn(self, chosen: Sequence[int], values: np.ndarray) -> None:
        """Adds a result: a value for each seat."""
        self.visits += 1
        for seat, place in enumerate(chosen):
            self.counts[seat][place] += 1
            self.sums[seat][place] += values[seat]


def candidates(batch: agon.Batch, seat: int, limit: int, random: np.random.Generator) -> list[np.ndarray]:
    """All actions of a seat if there is one component, else some random ones."""
    legal = batch.legal_actions(0, seat)
    if len(legal) == 1:
        return [np.array([choice]) for choice in legal[0]]
    return [np.array([random.choice(choices) for choices in legal]) for _ in range(limit)]


def values_of(ranks: np.ndarray) -> np.ndarray:
    """The mean result of each seat: 1 for a win, 0 for the last place."""
    players = ranks.shape[1]
    return 1 - (ranks.mean(axis=0) - 1) / (players - 1)


def search(batch: agon.Batch, game: int, searches: int, playouts: int, seed: int, limit: int = 12) -> list[np.ndarray]:
    """The most visited action of each seat."""
    random = np.random.default_rng(seed)
    root = Node(batch.clone([game]), limit, random)
    for number in range(searches):
        node, path = root, []
        while not node.over:
            chosen = node.choose(exploration=0.7)
            path.append((node, chosen))
            key = bytes(chosen)
            child = node.children.get(key)
            if child is None:
                copy = node.batch.clone()
                copy.step(np.array([[node.actions[seat][place] for seat, place in enumerate(chosen)]]))
                child = node.children[key] = Node(copy, limit, random)
                node = child
                break
            node = child
        # Random play from a game that is over gives its result.
        values = values_of(node.batch.simulate(times=playouts, seed=seed * 100_003 + number))
        for visited, chosen in path:
            visited.learn(chosen, values)
    return [actions[int(counts.argmax())] for actions, counts in zip(root.actions, root.counts, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="hypersonic")
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--searches", type=int, default=100)
    parser.add_argument("--playouts", type=int, default=4)
    parser.add_argument("--turns", type=int, default=10**6, help="stop a game after this many turns")
    parser.add_argument("--opponent", help="a built-in bot; the weakest one without it")
    args = parser.parse_args()
    opponent = args.opponent or next(iter(agon.game(args.game).bots))
    batch = agon.Batch(args.game, args.games, players=2, opponents={1: opponent}, autoreset="off")
    turn = 0
    while batch.acting.any() and turn < args.turns:
        turn += 1
        actions = np.zeros(batch.actions.shape, dtype=np.uint16)
        for game in np.flatnonzero(batch.acting[:, 0]):
            actions[game, 0] = search(batch, int(game), args.searches, args.playouts, seed=turn)[0]
        batch.step(actions)
        for game in np.flatnonzero(batch.terminated):
            print(f"game {game}, turn {turn}: scores {batch.scores[game].astype(int)}, places {batch.ranks[game]}", flush=True)
    print(f"{turn} turns; scores of the search and of @{opponent}:\n{batch.scores}")


if __name__ == "__main__":
    main()
