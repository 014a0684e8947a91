"""The network: how it sees a position, and the chances and the value that it gives.

A trunk of 3 x 3 convolutions reads the board. The head reads the cell of the own unit, the mean of all cells and the scalars.
An answer has parts, for example a direction, or a cell to shoot at. Logits of a plain part come from the head. For a part that is a
cell the head gives a vector, and the logit of a cell is its product with what the trunk knows about this cell. For a part that
is a group of cells, the logit is the mean of its cells.

`crates/bots/src/network.rs` computes the same in Rust for networks with one plain part, from a file that `export.py` writes.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

IMPOSSIBLE = -1e9


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
    own: int | None
    """The plane with a 1 at the cell of the own unit. Without one the head reads the greatest number of each channel instead."""
    unread: tuple[int, ...] = ()
    """Planes that are no input: names of groups, which say nothing about a cell."""

    @property
    def inputs(self) -> int:
        """The number of planes of the input. The last one is 1 everywhere: it shows the edge of the board."""
        return self.planes - len(self.unread) - len(self.one_hot) + sum(most for _, most in self.one_hot) + 1

    def planes_of(self, planes: Tensor) -> Tensor:
        """The planes of the input, for planes as bytes."""
        one_hot, scale = dict(self.one_hot), dict(self.scale)
        # A GPU has less to read in half precision; a core computes with 32 bits anyway.
        kind = torch.float16 if planes.is_cuda else torch.float32
        shape = (len(planes), self.inputs, *planes.shape[2:])
        seen = torch.empty(shape, dtype=kind, device=planes.device, memory_format=torch.channels_last)
        at = 0
        for plane in range(self.planes):
            cells = planes[:, plane : plane + 1]
            if plane in self.unread:
                continue
            most = one_hot.get(plane, 1)
            if plane in one_hot:
                numbers = torch.arange(1, most + 1, dtype=torch.uint8, device=planes.device).view(1, -1, 1, 1)
                seen[:, at : at + most] = cells.clamp(max=most) == numbers
            else:
                seen[:, at : at + 1] = cells
            if plane in scale:
                seen[:, at] *= scale[plane]
            at += most
        seen[:, at] = 1
        return seen

    def scalars_of(self, scalars: Tensor) -> Tensor:
        """The scalars of the input."""
        return scalars * torch.tensor(self.scalars, device=scalars.device)


@dataclass(frozen=True)
class Part:
    """A component of an action that the network chooses. Components that no part names keep choice 0."""

    component: int
    choices: int
    kind: str = "plain"
    """`plain`, `cells` (choice 0 is none, then all cells row by row) or `groups` (0 is none, then the numbers in `plane`)."""
    plane: int | None = None
    """Of groups: the plane with their numbers. Of cells: the plane in which a cell is not 0 if the network may choose it."""
    when: tuple[int, int] | None = None
    """The component and its choice without which this part has no effect."""
    calm: float = 0.0
    """How much likelier than another choice an untrained network takes choice 0, as a logarithm."""


@dataclass(frozen=True)
class Shape:
    """The size of a network."""

    channels: int = 48
    blocks: int = 3
    hidden: int = 64
    actions: int = 10
    """Outputs of the head for parts: all choices of plain ones, choice 0 of the others."""
    stride: int = 1
    """With 2 the trunk has one cell for each square of four, which takes a quarter of the time on a large board."""


class Network(nn.Module):
    """Logits of each part, and the expected sum of the rewards to come."""

    def __init__(self, encoding: Encoding, parts: tuple[Part, ...], shape: Shape) -> None:
        super().__init__()
        self.encoding, self.parts, self.shape = encoding, parts, shape
        width = shape.channels
        self.first = nn.Conv2d(encoding.inputs, width, 2 + shape.stride, stride=shape.stride, padding=1)
        self.blocks = nn.ModuleList(
            nn.ModuleList([nn.Conv2d(width, width, 3, padding=1), nn.Conv2d(width, width, 3, padding=1)]) for _ in range(shape.blocks)
        )
        self.hidden = nn.Linear(2 * width + len(encoding.scalars), shape.hidden)
        self.actor, self.critic = nn.Linear(shape.hidden, shape.actions), nn.Linear(shape.hidden, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)
        nn.init.zeros_(self.actor.bias)
        for block in self.blocks:
            nn.init.zeros_(block[1].weight)
        self.spread = [part for part in parts if part.kind != "plain"]
        """The parts whose logits come from cells."""
        if self.spread:
            # A vector for each place in a square.
            self.vectors = nn.Linear(shape.hidden, len(self.spread) * shape.stride**2 * width)
            nn.init.orthogonal_(self.vectors.weight, 0.01)
            nn.init.normal_(self.vectors.bias, 0.0, 0.01)
        at = 0
        for part in parts:
            self.actor.bias.data[at] = part.calm
            at += part.choices if part.kind == "plain" else 1

    def forward(self, planes: Tensor, scalars: Tensor) -> tuple[list[Tensor], Tensor]:
        """Logits of each part and values, for planes as bytes and scalars as the batch gives them."""
        cells = functional.relu(self.first(self.encoding.planes_of(planes).to(self.first.weight.dtype)))
        for first, second in self.blocks:
            cells = functional.relu(cells + second(functional.relu(first(cells))))
        own = self.encoding.own
        if own is None:
            here = cells.amax((2, 3))
        else:
            there = functional.max_pool2d(planes[:, own].unsqueeze(1).to(cells.dtype), self.shape.stride)
            here = (cells * there).sum((2, 3))
        head = torch.cat([here, cells.mean((2, 3)), self.encoding.scalars_of(scalars).to(cells.dtype)], dim=1)
        hidden = functional.relu(self.hidden(head))
        values = self.critic(hidden).float().squeeze(-1)
        plain = self.actor(hidden).float()
        if not self.spread:
            return list(plain.split([part.choices for part in self.parts], dim=1)), values
        vectors = self.vectors(hidden).view(len(planes), -1, self.shape.channels)
        squares = (vectors @ cells.flatten(2)).float().unflatten(2, cells.shape[2:])
        products = iter(functional.pixel_shuffle(squares, self.shape.stride).flatten(2).unbind(1))
        logits = []
        for part, given in zip(self.parts, plain.split([part.choices if part.kind == "plain" else 1 for part in self.parts], dim=1), strict=True):
            if part.kind == "plain":
                logits.append(given)
            elif part.kind == "cells":
                logits.append(torch.cat([given, next(products)], dim=1))
            else:
                logits.append(torch.cat([given, means(next(products), planes[:, part.plane].flatten(1).long(), part.choices)], dim=1))
        return logits, values

    def facts(self) -> dict[str, object]:
        """Encoding, parts and shape, for checkpoints."""
        return {"encoding": asdict(self.encoding), "parts": [asdict(part) for part in self.parts], "shape": asdict(self.shape)}


def means(numbers: Tensor, groups: Tensor, choices: int) -> Tensor:
    """The mean of the numbers of each group from 1. Cells outside of all groups have group 0."""
    groups = groups.clamp(max=choices - 1)
    sums = torch.zeros(len(numbers), choices, device=numbers.device).scatter_add(1, groups, numbers)
    counts = torch.zeros_like(sums).scatter_add(1, groups, torch.ones_like(numbers))
    return (sums / counts.clamp(min=1))[:, 1:]


def shape_of(parts: tuple[Part, ...], small: bool, stride: int = 1) -> Shape:
    """The size of a network for these parts."""
    actions = sum(part.choices if part.kind == "plain" else 1 for part in parts)
    return Shape(channels=16, blocks=1, actions=actions, stride=stride) if small else Shape(actions=actions, stride=stride)


class Answers:
    """The chances of all answers in some positions: a softmax for each part over the choices that its mask allows."""

    def __init__(self, network: Network, logits: list[Tensor], planes: Tensor, masks: Tensor, starts: list[int]) -> None:
        """`starts` has the place of each component in the masks."""
        self.parts = network.parts
        self.logs = []
        for part, each in zip(self.parts, logits, strict=True):
            allowed = masks[:, starts[part.component] : starts[part.component] + part.choices] != 0
            if part.kind == "cells" and part.plane is not None:
                allowed = torch.cat([allowed[:, :1], allowed[:, 1:] & (planes[:, part.plane].flatten(1) != 0)], dim=1)
            self.logs.append(torch.log_softmax(each.masked_fill(~allowed, IMPOSSIBLE), dim=-1))

    def counts(self, actions: Tensor, part: Part) -> Tensor | None:
        """1 where a part of the actions has an effect, or nothing if it always has."""
        return None if part.when is None else (actions[:, part.when[0]] == part.when[1]).float()

    def draw(self, components: int, likeliest: bool = False) -> Tensor:
        """An action for each position: drawn by the chances, or the likeliest choice of each part."""
        actions = torch.zeros(len(self.logs[0]), components, dtype=torch.int64, device=self.logs[0].device)
        for part, logs in zip(self.parts, self.logs, strict=True):
            if not likeliest:
                # The Gumbel trick: the same as drawing by the chances, in one operation.
                logs = logs - torch.log(-torch.log(torch.rand_like(logs).clamp_(1e-9, 1 - 1e-7)))
            actions[:, part.component] = logs.argmax(-1)
        return actions

    def log_chances(self, actions: Tensor, leave_out: float | None = None) -> Tensor:
        """The logarithm of the chance of each action: the sum of those of its parts that have an effect. Parts below `leave_out`
        are left out."""
        total = torch.zeros(len(actions), device=actions.device)
        for part, logs in zip(self.parts, self.logs, strict=True):
            one = logs.gather(1, actions[:, part.component : part.component + 1]).squeeze(1)
            if leave_out is not None:
                one = torch.where(one < leave_out, 0.0, one)
            counted = self.counts(actions, part)
            total = total + (one if counted is None else one * counted)
        return total

    def foreseen(self, actions: Tensor) -> Tensor:
        """1 for each action whose parts, those that have an effect, are the likeliest ones."""
        same = torch.ones(len(actions), device=actions.device)
        for part, logs in zip(self.parts, self.logs, strict=True):
            one = (logs.argmax(-1) == actions[:, part.component]).float()
            counted = self.counts(actions, part)
            same = same * (one if counted is None else torch.maximum(one, 1 - counted))
        return same

    def entropy(self, actions: Tensor) -> Tensor:
        """The mean entropy: the sum of those of the parts that have an effect."""
        total = torch.zeros((), device=actions.device)
        for part, logs in zip(self.parts, self.logs, strict=True):
            one = -(logs.exp() * logs).sum(-1)
            counted = self.counts(actions, part)
            total = total + (one if counted is None else one * counted).mean()
        return total


def starts_of(choices: list[int]) -> list[int]:
    """The place of each component in a mask."""
    return [sum(choices[:component]) for component in range(len(choices))]


def dense(*layers: nn.Linear) -> bytes:
    """Biases, then weights by input: those of several layers that read the same are one layer."""
    bias = torch.cat([layer.bias for layer in layers])
    weights = torch.cat([layer.weight for layer in layers]).T.contiguous()
    return b"".join(array.detach().numpy().astype("<f4").tobytes() for array in (bias, weights))
