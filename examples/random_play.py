"""Random play in ten lines: 512 games at once, and the share of games that each seat wins."""

import agon
import numpy as np

batch = agon.Batch("hypersonic", games=512, players=2)
wins, ended = np.zeros(2), 0
while ended < 1000:
    batch.step(batch.sample())
    wins += (batch.ranks == 1).sum(axis=0)
    ended += int(batch.terminated.sum())
print(f"{ended} games; wins and draws by seat: {wins / ended}")
