"""What the environments of Gymnasium and PettingZoo share."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from .batch import Batch, Layout

RENDER_MODES = ["rgb_array", "human"]
_LARGEST = np.float32(1e9)


def observation_space(layout: Layout) -> spaces.Dict:
    """The planes, the scalars and the mask of one agent."""
    return spaces.Dict(
        {
            "planes": spaces.Box(0, 255, (len(layout.planes), layout.height, layout.width), np.uint8),
            "scalars": spaces.Box(-_LARGEST, _LARGEST, (len(layout.scalars),), np.float32),
            "mask": spaces.Box(0, 1, (layout.mask,), np.uint8),
        }
    )


def action_space(layout: Layout) -> spaces.Discrete | spaces.MultiDiscrete:
    """The choices of one agent: discrete where an action has one component."""
    if len(layout.actions) == 1:
        return spaces.Discrete(layout.actions[0][1])
    return spaces.MultiDiscrete(layout.choices)


def observation(batch: Batch, game: int, agent: int) -> dict[str, Any]:
    """A copy of the observation of one agent."""
    return {name: array[game, agent].copy() for name, array in batch.observations.items()}


def action_mask(batch: Batch, game: int, agent: int) -> Any:
    """The mask in the form that ``sample`` of the action space takes."""
    parts = [part.astype(np.int8) for part in batch.layout.split(batch.masks[game, agent])]
    return parts[0] if len(parts) == 1 else tuple(parts)


def check_render_mode(mode: str | None) -> str | None:
    """Refuses modes that do not exist."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode is {', '.join(RENDER_MODES)} or None, not {mode!r}")
    return mode


def draw(batch: Batch, mode: str | None, game: int = 0) -> Any:
    """A picture as an array, or in the terminal for people."""
    if mode == "rgb_array":
        return batch.render(game)
    if mode == "human":
        print(batch.picture(game), flush=True)
    return None
