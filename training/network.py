"""The network: how it sees a position, and the chances and the value that it gives.

A trunk of 3 x 3 convolutions reads the board. The head reads the cell of the own unit, the mean of all cells and the scalars.
`crates/network` computes the same in Rust from a file that `export.py` writes.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Encoding:
    """How the arrays of a batch become the input of the network."""

    planes: int
    """The number of planes of the batch."""
    one_hot: tuple[tuple[int, int], ...]
    """Planes of small numbers: a plane of the input for each number from 1 to the given one; greater numbers count as that one."""
    scale: tuple[tuple[int, float], ...]
    """Planes of other numbers: the factor. A plane that stands in neither list has zeros and ones."""
    scalars: tuple[float, ...]
    """The factor of each scalar."""
    own: int
    """The plane with a 1 at the cell of the own unit."""

    @property
    def inputs(self) -> int:
        """The number of planes of the input. The last one is 1 everywhere: it shows the edge of the board."""
        return self.planes - len(self.one_hot) + sum(most for _, most in self.one_hot) + 1

    def planes_of(self, planes: Tensor) -> Tensor:
        """The planes of the input, for planes as bytes."""
        one_hot, scale = dict(self.one_hot), dict(self.scale)
        parts = []
        for plane in range(self.planes):
            cells = planes[:, plane : plane + 1]
            if plane in one_hot:
                numbers = torch.arange(1, one_hot[plane] + 1, device=planes.device).view(1, -1, 1, 1)
                parts.append((cells.clamp(max=one_hot[plane]) == numbers).half())
            else:
                parts.append(cells.half() * scale.get(plane, 1.0))
        parts.append(torch.ones_like(parts[0][:, :1]))
        return torch.cat(parts, dim=1)

    def scalars_of(self, scalars: Tensor) -> Tensor:
        """The scalars of the input."""
        return scalars * torch.tensor(self.scalars, device=scalars.device)


@dataclass(frozen=True)
class Shape:
    """The size of a network."""

    channels: int = 48
    blocks: int = 3
    hidden: int = 64
    actions: int = 10


class Network(nn.Module):
    """Logits of the actions, and the expected sum of the rewards to come."""

    def __init__(self, encoding: Encoding, shape: Shape) -> None:
        super().__init__()
        self.encoding, self.shape = encoding, shape
        width = shape.channels
        self.first = nn.Conv2d(encoding.inputs, width, 3, padding=1)
        self.blocks = nn.ModuleList(
            nn.ModuleList([nn.Conv2d(width, width, 3, padding=1), nn.Conv2d(width, width, 3, padding=1)]) for _ in range(shape.blocks)
        )
        self.hidden = nn.Linear(2 * width + len(encoding.scalars), shape.hidden)
        self.actor, self.critic = nn.Linear(shape.hidden, shape.actions), nn.Linear(shape.hidden, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)
        nn.init.zeros_(self.actor.bias)
        for block in self.blocks:
            nn.init.zeros_(block[1].weight)

    def forward(self, planes: Tensor, scalars: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values for planes as bytes and scalars as the batch gives them."""
        seen = self.encoding.planes_of(planes).contiguous(memory_format=torch.channels_last)
        own = planes[:, self.encoding.own].to(seen.dtype)
        cells = functional.relu(self.first(seen.to(self.first.weight.dtype)))
        for first, second in self.blocks:
            cells = functional.relu(cells + second(functional.relu(first(cells))))
        here = (cells * own.unsqueeze(1).to(cells.dtype)).sum((2, 3))
        head = torch.cat([here, cells.mean((2, 3)), self.encoding.scalars_of(scalars).to(cells.dtype)], dim=1)
        hidden = functional.relu(self.hidden(head))
        return self.actor(hidden).float(), self.critic(hidden).float().squeeze(-1)

    def facts(self) -> dict[str, object]:
        """Encoding and shape, for checkpoints."""
        return {"encoding": asdict(self.encoding), "shape": asdict(self.shape)}


def dense(*layers: nn.Linear) -> bytes:
    """Biases, then weights by input: those of several layers that read the same are one layer."""
    bias = torch.cat([layer.bias for layer in layers])
    weights = torch.cat([layer.weight for layer in layers]).T.contiguous()
    return b"".join(array.detach().numpy().astype("<f4").tobytes() for array in (bias, weights))
