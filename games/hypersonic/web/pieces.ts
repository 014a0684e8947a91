// The pieces on the grid of Hypersonic: walls, boxes, items, bombs, explosions, players.

import { write } from "../../../web/src/draw/glyphs";
import { between, clamp, ease, linger, mix } from "../../../web/src/draw/motion";
import { circle, group, path, rect, short, type Shape } from "../../../web/src/draw/shape";
import { mark, type Theme } from "../../../web/src/draw/theme";
import type { Item, LitBomb, Place } from "./wire";

export const CELL = 48;
export const FRAME = 22;
export const left = (n: number) => FRAME + n * CELL;
export const centre = (n: number) => FRAME + (n + 0.5) * CELL;

export function wall({ x, y }: Place, theme: Theme): Shape[] {
  const [l, t] = [left(x), left(y)];
  const [face, edge, light] = theme.dark ? ["#3d454f", "#59636f", "#4a535e"] : ["#7d8894", "#5d6772", "#939ea9"];
  return [
    rect(l + 1, t + 1, CELL - 2, CELL - 2, { rx: 5, fill: face, stroke: edge, "stroke-width": 2 }),
    path(`M${l + 4} ${t + 16}H${l + CELL - 4}M${l + 4} ${t + 32}H${l + CELL - 4}M${l + 16} ${t + 4}V${t + 16}M${l + 34} ${t + 4}V${t + 16}M${l + 25} ${t + 16}V${t + 32}M${l + 16} ${t + 32}V${t + 44}M${l + 34} ${t + 32}V${t + 44}`, { stroke: light, "stroke-width": 2 }),
  ];
}

export function crate({ x, y }: Place, item: Item | null, showItem: boolean, theme: Theme, opacity = 1): Shape {
  const [face, edge, plank] = theme.dark ? ["#7a5a34", "#c49a62", "#946f43"] : ["#d9a860", "#8a5a20", "#c48f45"];
  return group(
    [
      rect(3, 3, CELL - 6, CELL - 6, { rx: 4, fill: face, stroke: edge, "stroke-width": 2.5 }),
      path(`M5 17H43M5 31H43`, { stroke: plank, "stroke-width": 2.5 }),
      path(`M7 7L41 41M41 7L7 41`, { stroke: edge, "stroke-width": 2.2, opacity: item && showItem ? 0.25 : 0.6 }),
      ...(item && showItem ? [group(token(item, theme), { transform: `translate(${CELL / 2} ${CELL / 2}) scale(.85)` })] : []),
    ],
    { transform: `translate(${left(x)} ${left(y)})`, opacity },
  );
}

/** An item, drawn around the origin: a flame for range, a bomb with a plus for one more bomb. */
export function token(item: Item, theme: Theme): Shape[] {
  const disc = circle(0, 0, 14, { fill: theme.dark ? "#1c2127" : "#fffdf6", stroke: item === "extra_range" ? "#d4481c" : theme.ink, "stroke-width": 2.2 });
  if (item === "extra_range") {
    return [disc, path("M0 -10Q7 -3 6 3Q6 9 0 9Q-6 9 -6 3Q-6 0 -3 -3Q-2 1 0 1Q2 -3 0 -10Z", { fill: "#f08a24", stroke: "#d4481c", "stroke-width": 1.4 })];
  }
  return [
    disc,
    circle(-2, 2, 6.4, { fill: theme.ink }),
    path("M2 -3Q4 -7 7 -6", { fill: "none", stroke: theme.ink, "stroke-width": 1.8 }),
    path("M5.5 1.5V8.5M2 5H9", { stroke: theme.gold, "stroke-width": 2.4, "stroke-linecap": "round" }),
  ];
}

export function item({ x, y }: Place, what: Item, theme: Theme): Shape {
  return group(token(what, theme), { transform: `translate(${centre(x)} ${centre(y)})` });
}

/** The cells a bomb will hit; the sooner it goes off, the stronger their colour. */
export function reach(bomb: LitBomb, fuse: number, theme: Theme): Shape {
  const { x, y } = bomb.cell;
  const [l, r, u, d] = bomb.reach as [number, number, number, number];
  const soon = 1 - clamp((bomb.due - 1) / fuse);
  const inset = 7;
  const width = CELL - 2 * inset;
  const colour = bomb.due <= 2 ? theme.danger : theme.players[bomb.owner]!;
  return group(
    [
      rect(left(x - l) + inset, left(y) + inset, (l + r + 1) * CELL - 2 * inset, width, { rx: 9 }),
      rect(left(x) + inset, left(y - u) + inset, width, (u + d + 1) * CELL - 2 * inset, { rx: 9 }),
    ],
    { fill: colour, opacity: mix(0.1, 0.32, soon) },
  );
}

export function bomb({ cell, owner, due, fuse }: LitBomb, theme: Theme, t: number): Shape {
  const pulse = 1 + 0.06 * Math.sin(t * Math.PI) * (due <= 2 ? 1.6 : 1);
  const colour = theme.players[owner]!;
  return group(
    [
      path("M9 -11Q14 -18 18 -15", { fill: "none", stroke: theme.faint, "stroke-width": 3, "stroke-linecap": "round" }),
      circle(18.5, -15, 3, { fill: "#ffb52e" }),
      circle(0, 1, 15, { fill: theme.dark ? "#050708" : "#23272e", stroke: colour, "stroke-width": 3.5 }),
      write(String(due), 0, 1, { size: 14, colour: due <= 2 ? "#ff8a7a" : "#ffffff", weight: 1.05 }),
      // An arrow if another bomb will set it off before its own fuse ends.
      ...(due < fuse ? [path("M-15 14l5 -4v3h5v2h-5v3z", { fill: theme.gold })] : []),
    ],
    { transform: `translate(${centre(cell.x)} ${centre(cell.y)}) scale(${short(pulse)})` },
  );
}

export function flames(cell: Place, reach: number[], theme: Theme, t: number): Shape[] {
  const [x, y] = [centre(cell.x), centre(cell.y)];
  const opacity = linger(t, 0.02, 0.5);
  const grow = ease(between(t, 0, 0.35));
  const [l, r, u, d] = reach.map((cells) => cells * CELL * grow) as [number, number, number, number];
  const bars = (half: number) => [
    rect(x - l - half, y - half, l + r + 2 * half, 2 * half, { rx: half }),
    rect(x - half, y - u - half, 2 * half, u + d + 2 * half, { rx: half }),
  ];
  return [
    group(bars(18), { fill: theme.dark ? "#c8431a" : "#ef6a2e", opacity: opacity * 0.8 }),
    group(bars(11), { fill: "#ffc23d", opacity: opacity * 0.9 }),
    group(bars(5), { fill: "#fff6d8", opacity }),
  ];
}

/** A player: a helmet with its mark. */
export function bomber(seat: number, x: number, y: number, theme: Theme, me: boolean): Shape {
  const colour = theme.players[seat]!;
  const edge = theme.dark ? "#0d1115" : "#ffffff";
  return group(
    [
      path("M-12 17Q-12 6 0 6Q12 6 12 17Z", { fill: colour, stroke: edge, "stroke-width": 2 }),
      circle(0, -4, 13, { fill: colour, stroke: edge, "stroke-width": 2 }),
      path("M-8.5 -5Q0 -12 8.5 -5V0Q0 4 -8.5 0Z", { fill: edge }),
      mark(seat, 0, -3.5, 6.5, { fill: colour }),
      ...(me ? [path("M-5 -27h10l-5 6z", { fill: theme.gold })] : []),
    ],
    { transform: `translate(${short(x)} ${short(y)})` },
  );
}

export function fallen(seat: number, { x, y }: Place, theme: Theme, opacity: number): Shape {
  const colour = theme.players[seat]!;
  return group(
    [
      path("M-11 15V-5Q-11 -16 0 -16Q11 -16 11 -5V15Z", { fill: theme.dark ? "#2a3037" : "#d5d8dc", stroke: colour, "stroke-width": 2.5 }),
      mark(seat, 0, 0, 9, { fill: colour }),
    ],
    { transform: `translate(${centre(x)} ${centre(y)})`, opacity },
  );
}

/** The points of a destroyed box, which rise. */
export function scored(cell: Place, seats: number[], theme: Theme, t: number): Shape[] {
  const rise = ease(between(t, 0.2, 0.9));
  return seats.map((seat, i) =>
    write("+1", centre(cell.x) + (i - (seats.length - 1) / 2) * 24, centre(cell.y) - 6 - 16 * rise, {
      size: 14, colour: theme.players[seat]!, weight: 1.3, attributes: { opacity: linger(t, 0.15, 0.8) },
    }),
  );
}
