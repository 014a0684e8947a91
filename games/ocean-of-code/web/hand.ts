// The cells a person who plays can choose, drawn over the sea.

import { circle, rect, type Shape } from "../../../web/src/draw/shape";
import type { View } from "../../../web/src/scene";
import { CELL, FRAME, centre } from "./board";

/** The cells that can be chosen now. */
export interface SeaHand {
  cells: [number, number][];
  /** The cells chosen so far. */
  chosen: [number, number][];
}

export function hand(view: View, { cells, chosen }: SeaHand): Shape[] {
  const { gold, ink } = view.theme;
  return [
    ...cells.map(([x, y]) =>
      rect(FRAME + x * CELL + 4, FRAME + y * CELL + 4, CELL - 8, CELL - 8, { rx: 8, fill: gold, "fill-opacity": 0.28, stroke: gold, "stroke-width": 2.5 }),
    ),
    ...chosen.map(([x, y]) => circle(centre(x), centre(y), 9, { fill: "none", stroke: ink, "stroke-width": 3.5 })),
  ];
}
