// Signs that explain an answer over a board: an arrow, a ring around a cell, a cross on a target. Each has a light edge, so that it
// is seen on every ground.

import { circle, group, path, type Shape } from "./shape";
import type { Theme } from "./theme";

const edged = (d: string, colour: string, theme: Theme, width: number, dashed: boolean): Shape[] => [
  path(d, { fill: "none", stroke: theme.paper, "stroke-width": width + 4, "stroke-linecap": "round", "stroke-linejoin": "round", opacity: 0.85 }),
  path(d, { fill: "none", stroke: colour, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round", "stroke-dasharray": dashed ? "3 9" : undefined }),
];

/** An arrow between two points. */
export function arrow(from: [number, number], to: [number, number], colour: string, theme: Theme, dashed = false): Shape {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const wing = (side: number) => `${to[0] - 13 * ux + side * 8 * uy} ${to[1] - 13 * uy - side * 8 * ux}`;
  return group([
    ...edged(`M${from[0]} ${from[1]}L${to[0]} ${to[1]}`, colour, theme, 5, dashed),
    ...edged(`M${wing(1)}L${to[0]} ${to[1]}L${wing(-1)}`, colour, theme, 5, false),
  ]);
}

export function ring([x, y]: [number, number], radius: number, colour: string, theme: Theme): Shape {
  return group([
    circle(x, y, radius, { fill: "none", stroke: theme.paper, "stroke-width": 9, opacity: 0.85 }),
    circle(x, y, radius, { fill: "none", stroke: colour, "stroke-width": 5 }),
  ]);
}

export function cross([x, y]: [number, number], colour: string, theme: Theme): Shape {
  return group([...edged(`M${x - 9} ${y - 9}l18 18m0 -18l-18 18`, colour, theme, 5, false)]);
}
