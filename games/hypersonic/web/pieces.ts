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
  return group(body(owner, due, fuse, theme), { transform: `translate(${centre(cell.x)} ${centre(cell.y)}) scale(${short(pulse)})` });
}

/** A bomb around the origin, with the number of turns until it goes off. */
export function body(owner: number, due: number, fuse: number, theme: Theme): Shape[] {
  return [
    path("M9 -11Q14 -18 18 -15", { fill: "none", stroke: theme.faint, "stroke-width": 3, "stroke-linecap": "round" }),
    circle(18.5, -15, 3, { fill: "#ffb52e" }),
    circle(0, 1, 15, { fill: theme.dark ? "#050708" : "#23272e", stroke: theme.players[owner]!, "stroke-width": 3.5 }),
    write(String(due), 0, 1, { size: 14, colour: due <= 2 ? "#ff8a7a" : "#ffffff", weight: 1.05 }),
    // An arrow if another bomb will set it off before its own fuse ends.
    ...(due < fuse ? [path("M-15 14l5 -4v3h5v2h-5v3z", { fill: theme.gold })] : []),
  ];
}

/** The ragged edge of a flame from a point towards one side, `length` long. */
function tongue(x: number, y: number, [dx, dy]: readonly [number, number], length: number, half: number, t: number): string {
  const [px, py] = [-dy, dx];
  const points: string[] = [];
  const steps = Math.max(1, Math.round(length / 12));
  const side = (sign: number, order: number[]) =>
    order.forEach((i) => {
      const along = (length * i) / steps;
      const wide = half * (i % 2 ? 1 : 0.72) * (1 + 0.12 * Math.sin(t * 22 + i * 2 + sign));
      points.push(`${short(x + dx * along + px * sign * wide)} ${short(y + dy * along + py * sign * wide)}`);
    });
  const order = Array.from({ length: steps + 1 }, (_, i) => i);
  side(1, order);
  points.push(`${short(x + dx * (length + half))} ${short(y + dy * (length + half))}`);
  side(-1, order.reverse());
  return `M${points.join("L")}Z`;
}

/** An explosion: flames along its reach, a flash and a ring at its middle, sparks, and smoke when it is over. */
export function flames(cell: Place, reach: number[], theme: Theme, t: number): Shape[] {
  const [x, y] = [centre(cell.x), centre(cell.y)];
  const opacity = linger(t, 0.02, 0.5);
  const grow = ease(between(t, 0, 0.35));
  const sides = [[-1, 0], [1, 0], [0, -1], [0, 1]] as const;
  const fire = (half: number) => sides.map((side, i) => tongue(x, y, side, reach[i]! * CELL * grow, half, t)).join("");
  const blast = between(t, 0, 0.45);
  const sparks = Array.from({ length: 8 }, (_, i) => {
    const angle = i * 0.785 + 0.4 + cell.x;
    const far = 14 + 44 * ease(between(t, 0.05, 0.7));
    return `M${short(x + Math.cos(angle) * far)} ${short(y + Math.sin(angle) * far)}l${short(Math.cos(angle) * 7)} ${short(Math.sin(angle) * 7)}`;
  });
  return [
    path(fire(19), { fill: theme.dark ? "#c8431a" : "#ef6a2e", opacity: opacity * 0.85, "stroke-linejoin": "round" }),
    path(fire(12), { fill: "#ffc23d", opacity: opacity * 0.9 }),
    path(fire(5.5), { fill: "#fff6d8", opacity }),
    circle(x, y, 22 * (0.7 + 0.3 * grow), { fill: "#fff6d8", opacity: opacity * 0.9 }),
    ...(blast < 1 ? [circle(x, y, 12 + 60 * ease(blast), { fill: "none", stroke: "#fff6d8", "stroke-width": short(7 * (1 - blast)), opacity: 1 - blast })] : []),
    ...(t < 0.8 ? [path(sparks.join(""), { stroke: "#ffe08a", "stroke-width": 3, "stroke-linecap": "round", opacity: 1 - between(t, 0.3, 0.8) })] : []),
    ...[[-12, -6, 11], [10, -10, 9], [2, 8, 10]].map(([dx, dy, r]) =>
      circle(x + dx!, y + dy! - 10 * between(t, 0.4, 1), r! * between(t, 0.35, 0.9), { fill: theme.dark ? "#59606a" : "#7a7f86", opacity: 0.4 * between(t, 0.35, 0.6) }),
    ),
  ];
}

/** The heads of the four figures: a diver with a lamp, a robot, a cat, a knight with a plume. */
function head(seat: number, colour: string, edge: string): Shape[] {
  const line = { fill: colour, stroke: edge, "stroke-width": 2, "stroke-linejoin": "round" };
  switch (seat) {
    case 0:
      return [path("M0 -17V-22", { stroke: edge, "stroke-width": 5 }), path("M0 -16V-22", { stroke: colour, "stroke-width": 2.5 }), circle(0, -23, 3.2, { fill: "#ffd24a", stroke: edge, "stroke-width": 1.2 }), circle(0, -5, 13, line)];
    case 1:
      return [path("M-9 -17l-4 -6M9 -17l4 -6", { stroke: colour, "stroke-width": 3, "stroke-linecap": "round" }), rect(-13, -17, 26, 23, { rx: 5, ...line }), path("M-16 -8h3v7h-3zM13 -8h3v7h-3z", line)];
    case 2:
      return [path("M-13 -3Q-14 -14 -12 -23L-5 -16Q0 -18 5 -16L12 -23Q14 -14 13 -3Q11 8 0 8Q-11 8 -13 -3Z", line)];
    default:
      return [path("M0 -16Q3 -27 12 -24Q8 -20 8 -15", { fill: "#e0503c", stroke: edge, "stroke-width": 1.4 }), path("M-13 5V-6Q-13 -18 0 -18Q13 -18 13 -6V5L0 9Z", line)];
  }
}

/** The face: the eyes look where the figure goes. */
function face(seat: number, edge: string, [dx, dy]: [number, number]): Shape[] {
  const eye = (x: number) => circle(x + dx * 2.2, -6 + dy * 1.6, 1.9, { fill: "#15181c" });
  const visor = [
    () => path("M-9 -6Q0 -14 9 -6V0Q0 5 -9 0Z", { fill: edge }),
    () => rect(-9.5, -12, 19, 11, { rx: 2.5, fill: edge }),
    () => path("M-9 -6a4.2 4.6 0 1 0 8.4 0a4.2 4.6 0 1 0 -8.4 0M.6 -6a4.2 4.6 0 1 0 8.4 0a4.2 4.6 0 1 0 -8.4 0", { fill: edge }),
    () => path("M-10 -9H10V-3H-10Z", { fill: edge }),
  ][seat] ?? (() => rect(-9, -10, 18, 9, { fill: edge }));
  const whiskers = seat === 2 ? [path("M-4 1h-8M-4 3l-7 2M4 1h8M4 3l7 2", { stroke: edge, "stroke-width": 1.1, "stroke-linecap": "round" })] : [];
  return [visor(), eye(-4.4), eye(4.4), ...whiskers];
}

/** A player: each seat has its own figure. It walks in the direction of its step. */
export function bomber(seat: number, x: number, y: number, theme: Theme, me: boolean, way: [number, number] = [0, 0], t = 1): Shape {
  const colour = theme.players[seat]!;
  const edge = theme.dark ? "#e9edf2" : "#ffffff";
  const walks = (way[0] || way[1]) && t < 1 ? Math.sin(t * 4 * Math.PI) : 0;
  return group(
    [
      path("M-13 19a13 3.6 0 1 0 26 0a13 3.6 0 1 0 -26 0", { fill: "#000000", opacity: 0.22 }),
      rect(-9, 13 - Math.max(0, walks) * 4, 7, 7, { rx: 3, fill: theme.dark ? "#0d1115" : "#2b3036" }),
      rect(2, 13 - Math.max(0, -walks) * 4, 7, 7, { rx: 3, fill: theme.dark ? "#0d1115" : "#2b3036" }),
      group(
        [
          path("M-11 17Q-12 5 0 5Q12 5 11 17Z", { fill: colour, stroke: edge, "stroke-width": 2 }),
          mark(seat, 0, 12.5, 6, { fill: edge }),
          ...head(seat, colour, edge),
          ...face(seat, edge, way),
        ],
        { transform: `translate(0 ${short(-Math.abs(walks) * 2.5)})` },
      ),
      ...(me ? [path("M-5 -33h10l-5 6z", { fill: theme.gold })] : []),
    ],
    { transform: `translate(${short(x)} ${short(y)})` },
  );
}

/** The planks of a box that was blown up fly away. */
export function planks({ x, y }: Place, theme: Theme, t: number): Shape[] {
  const gone = between(t, 0.25, 0.95);
  if (gone <= 0 || gone >= 1) return [];
  return [0, 1, 2, 3, 4].map((i) => {
    const angle = i * 1.26 + ((x * 7 + y * 3) % 6);
    const far = 34 * ease(gone);
    return rect(-8, -2.5, 16, 5, {
      rx: 1.5, fill: theme.dark ? "#946f43" : "#c48f45", stroke: theme.dark ? "#c49a62" : "#8a5a20", "stroke-width": 1.2, opacity: short(1 - gone),
      transform: `translate(${short(centre(x) + Math.cos(angle) * far)} ${short(centre(y) + Math.sin(angle) * far - 10 * Math.sin(gone * Math.PI))}) rotate(${Math.round(angle * 57 + gone * 300)})`,
    });
  });
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
