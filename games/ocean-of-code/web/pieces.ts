// The pieces in the sea: submarines, trails, mines, torpedoes, explosions, sonar.

import { write } from "../../../web/src/draw/glyphs";
import { clamp, between, ease, linger, mix } from "../../../web/src/draw/motion";
import { circle, group, path, rect, short, type Shape } from "../../../web/src/draw/shape";
import { mark, type Theme } from "../../../web/src/draw/theme";
import type { SeaBoard, Spot } from "./wire";
import { CELL, FRAME, centre, isWater, sectorPlace } from "./board";
import type { Leg } from "./history";

/** A set of cells as rows of bits, hatched: one player's strokes lean left, the other's right, so that both can be seen on one cell. */
export function hatched(rows: number[], seat: number, theme: Theme): Shape[] {
  let strokes = "";
  let count = 0;
  rows.forEach((row, y) => {
    for (let x = 0; row >> x; x++) {
      if (!((row >> x) & 1)) continue;
      count++;
      const [left, top] = [FRAME + x * CELL, FRAME + y * CELL];
      for (const step of [10, 20, 30]) {
        strokes += seat
          ? `M${left + 4} ${top + step - 6}l12 12M${left + 22} ${top + step - 8}l12 12`
          : `M${left + 18} ${top + step - 6}l-12 12M${left + 36} ${top + step - 8}l-12 12`;
      }
    }
  });
  if (!strokes) return [];
  // The fewer cells are possible, the stronger they are drawn.
  const opacity = mix(0.85, 0.32, clamp(count / 110));
  const stroke = theme.players[seat]!;
  return [path(strokes, { fill: "none", stroke, "stroke-width": 2, "stroke-linecap": "round", opacity })];
}

/** Two trails on the same cells run side by side. */
export function trail(legs: Leg[], seat: number, theme: Theme): Shape[] {
  const stroke = theme.players[seat]!;
  const beside = { transform: seat ? "translate(3.5 3.5)" : "translate(-3.5 -3.5)" };
  const way = (silent: boolean) =>
    legs
      .filter((leg) => leg.silent === silent)
      .map(({ from, to }) => `M${centre(from[0])} ${centre(from[1])}L${centre(to[0])} ${centre(to[1])}`)
      .join("");
  const base = { fill: "none", stroke, "stroke-linecap": "round", opacity: 0.6 };
  const stops = legs.map(({ from }) => circle(centre(from[0]), centre(from[1]), 3.4, { fill: stroke, opacity: 0.75 }));
  const ways = [path(way(false), { ...base, "stroke-width": 4 }), path(way(true), { ...base, "stroke-width": 3, "stroke-dasharray": "1 8" })];
  return [group([...ways, ...stops], beside)];
}

/** A submarine seen from above, heading in the direction of its last move. */
export function boat(seat: number, x: number, y: number, angle: number, theme: Theme, opacity: number): Shape {
  const hull = theme.players[seat]!;
  const edge = theme.dark ? "#0b1a24" : "#ffffff";
  return group(
    [
      path("M-17 0Q-15 -8.5 -4 -8.5H7Q17 -8.5 18 0Q17 8.5 7 8.5H-4Q-15 8.5 -17 0Z", { fill: hull, stroke: edge, "stroke-width": 2 }),
      path("M-17 -6L-11 0L-17 6", { fill: "none", stroke: hull, "stroke-width": 4, "stroke-linecap": "round", "stroke-linejoin": "round" }),
      mark(seat, 2, 0, 8.5, { fill: edge }),
    ],
    { transform: `translate(${short(x)} ${short(y)}) rotate(${short(angle)})`, opacity },
  );
}

export function mine(seat: number, cell: Spot, fresh: boolean, theme: Theme): Shape {
  const colour = theme.players[seat]!;
  const spikes = [0, 45, 90, 135].map((turn) => {
    const [dx, dy] = [Math.cos((turn * Math.PI) / 180) * 11, Math.sin((turn * Math.PI) / 180) * 11];
    return `M${short(-dx)} ${short(-dy)}L${short(dx)} ${short(dy)}`;
  });
  return group(
    [
      path(spikes.join(""), { stroke: colour, "stroke-width": 2.4, "stroke-linecap": "round" }),
      circle(0, 0, 7, { fill: theme.dark ? "#10364a" : "#ffffff", stroke: colour, "stroke-width": 2.6, "stroke-dasharray": fresh ? "3 2.5" : undefined }),
      mark(seat, 0, 0, 5.5, { fill: colour }),
    ],
    { transform: `translate(${centre(cell[0])} ${centre(cell[1])})` },
  );
}

/** The cells an explosion there would reach. */
export function blastArea(board: SeaBoard, cell: Spot, colour: string): Shape {
  const [left, top] = cell.map((n) => FRAME + Math.max(0, n - 1) * CELL + 3) as [number, number];
  const [right, bottom] = cell.map((n) => FRAME + Math.min(board.size, n + 2) * CELL - 3) as [number, number];
  return rect(left, top, right - left, bottom - top, {
    rx: 12, fill: colour, "fill-opacity": 0.05, stroke: colour, "stroke-width": 1.6, "stroke-dasharray": "4 5", "stroke-opacity": 0.7,
  });
}

export function explosion(cell: Spot, damage: number[], theme: Theme, t: number): Shape[] {
  const [x, y] = [centre(cell[0]), centre(cell[1])];
  const grow = ease(between(t, 0.35, 0.75));
  const opacity = linger(t, 0.35, 0.75);
  if (opacity <= 0) return [];
  const points: string[] = [];
  for (let i = 0; i < 16; i++) {
    const radius = (i % 2 ? 12 : 26) * mix(0.4, 1, grow);
    points.push(`${short(x + Math.cos((i * Math.PI) / 8) * radius)} ${short(y + Math.sin((i * Math.PI) / 8) * radius)}`);
  }
  const lost = damage.flatMap((lives, seat) =>
    lives > 0
      ? [write(`-${lives}`, x + (seat ? 16 : -16), y - 30 - 12 * grow, { size: 17, colour: theme.players[seat]!, weight: 1.3, attributes: { opacity: clamp(opacity * 1.4) } })]
      : [],
  );
  const side = CELL * 3 * mix(0.3, 1, grow);
  return [
    rect(x - side / 2, y - side / 2, side, side, { rx: 14, fill: "#ff9a3d", opacity: 0.3 * opacity }),
    path(`M${points.join("L")}Z`, { fill: "#ffcf4a", stroke: "#d4481c", "stroke-width": 3, "stroke-linejoin": "round", opacity }),
    ...lost,
  ];
}

/** The path of a torpedo through water, and the torpedo on it. */
export function torpedo(board: SeaBoard, from: Spot, to: Spot, seat: number, theme: Theme, t: number): Shape[] {
  const way = throughWater(board, from, to).map(([x, y]) => [centre(x), centre(y)] as const);
  const done = ease(between(t, 0.05, 0.4));
  const colour = theme.players[seat]!;
  const points = way.map(([x, y]) => `${x} ${y}`).join("L");
  const place = done * (way.length - 1);
  const [a, b] = [way[Math.floor(place)]!, way[Math.ceil(place)]!];
  const [x, y] = [mix(a[0], b[0], place % 1), mix(a[1], b[1], place % 1)];
  return [
    path(`M${points}`, { fill: "none", stroke: colour, "stroke-width": 3.4, "stroke-dasharray": "2 7", "stroke-linecap": "round", "stroke-linejoin": "round", opacity: 0.9 }),
    ...(done < 1 ? [circle(x, y, 6, { fill: colour, stroke: "#ffffff", "stroke-width": 2 })] : []),
  ];
}

/** One shortest path through water; the rules do not say which one a torpedo takes. */
function throughWater(board: SeaBoard, from: Spot, to: Spot): Spot[] {
  const key = (cell: Spot) => cell[1] * board.size + cell[0];
  const before = new Map<number, Spot | null>([[key(from), null]]);
  const queue = [from];
  for (const here of queue) {
    if (key(here) === key(to)) break;
    for (const [dx, dy] of [[0, -1], [1, 0], [0, 1], [-1, 0]] as const) {
      const next: Spot = [here[0] + dx, here[1] + dy];
      if (isWater(board, next[0], next[1]) && !before.has(key(next))) {
        before.set(key(next), here);
        queue.push(next);
      }
    }
  }
  const way: Spot[] = [];
  for (let here: Spot | null | undefined = before.has(key(to)) ? to : null; here; here = before.get(key(here))) way.unshift(here);
  return way.length ? way : [from, to];
}

/** A sonar: a beam turns in the sector, then the result appears. */
export function sonar(board: SeaBoard, sector: number, found: boolean, seat: number, theme: Theme, t: number): Shape[] {
  const { x, y, half } = sectorPlace(board, sector);
  const colour = theme.players[seat]!;
  const angle = t * 1.5 * Math.PI - Math.PI / 2;
  const [dx, dy] = [Math.cos(angle) * half, Math.sin(angle) * half];
  const [ex, ey] = [Math.cos(angle - 0.7) * half, Math.sin(angle - 0.7) * half];
  const rings = [0.35, 0.68, 1].map((share) =>
    circle(x, y, half * share - 3, { fill: "none", stroke: colour, "stroke-width": 2, opacity: 0.5 }),
  );
  return [
    rect(x - half, y - half, half * 2, half * 2, { fill: colour, opacity: found ? 0.22 : 0.1 }),
    ...rings,
    path(`M${short(x)} ${short(y)}L${short(x + dx)} ${short(y + dy)}A${half} ${half} 0 0 0 ${short(x + ex)} ${short(y + ey)}Z`, { fill: colour, opacity: 0.35 * (1 - between(t, 0.8, 1)) + 0.1 }),
    write(found ? "YES" : "NO", x, y + half - 22, { size: 20, colour, weight: 1.2, attributes: { opacity: between(t, 0.5, 0.8) } }),
  ];
}

export function ripples(cell: Spot, seat: number, theme: Theme, t: number): Shape[] {
  const [x, y] = [centre(cell[0]), centre(cell[1])];
  return [0, 0.18, 0.36].map((late) =>
    circle(x, y, 14 + 30 * ease(clamp(t * 1.2 - late)), { fill: "none", stroke: theme.dark ? "#ffffff" : theme.players[seat]!, "stroke-width": 3, opacity: linger(t, late, 0.35) }),
  );
}

/** A SILENCE: a wide line along the way, which the opponent does not see. */
export function silence(from: Spot, to: Spot, seat: number, theme: Theme, t: number): Shape[] {
  const stroke = theme.players[seat]!;
  const way = `M${centre(from[0])} ${centre(from[1])}L${centre(to[0])} ${centre(to[1])}`;
  return [path(way, { stroke, "stroke-width": 26, "stroke-linecap": "round", opacity: 0.22 * linger(t, 0, 0.7) })];
}
