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
      strokes += seat
        ? `M${left + 4} ${top + 4}l32 32M${left + 20} ${top + 4}l16 16M${left + 4} ${top + 20}l16 16`
        : `M${left + 36} ${top + 4}l-32 32M${left + 20} ${top + 4}l-16 16M${left + 36} ${top + 20}l-16 16`;
    }
  });
  if (!strokes) return [];
  // The fewer cells are possible, the stronger they are drawn. Round ends would make these thousand strokes late for their frame.
  const opacity = mix(0.85, 0.32, clamp(count / 110));
  const stroke = theme.players[seat]!;
  return [path(strokes, { fill: "none", stroke, "stroke-width": 2, opacity })];
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
  const dot = ({ from }: Leg) => `M${centre(from[0]) - 3.4} ${centre(from[1])}a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0`;
  const stops = path(legs.map(dot).join(""), { fill: stroke, opacity: 0.75 });
  const ways = [path(way(false), { ...base, "stroke-width": 4 }), path(way(true), { ...base, "stroke-width": 3, "stroke-dasharray": "1 8" })];
  return [group([...ways, stops], beside)];
}

/** A submarine seen from above, heading in the direction of its last move: a round one that looks like a whale, and a sharp one that looks like a shark. */
export function boat(seat: number, x: number, y: number, angle: number, theme: Theme, opacity: number, t = 1): Shape {
  const hull = theme.players[seat]!;
  const edge = theme.dark ? "#0b1a24" : "#ffffff";
  const wag = short(Math.sin(t * 4 * Math.PI) * 14);
  const line = { fill: hull, stroke: edge, "stroke-width": 2, "stroke-linejoin": "round" };
  const eye = (side: number, ahead: number) => [circle(ahead, 4.6 * side, 2.5, { fill: edge }), circle(ahead + 0.8, 4.6 * side, 1.2, { fill: theme.dark ? "#ffffff" : "#15181c" })];
  const whale = [
    group([path("M-15 0L-23 -8Q-19 -3 -21 0Q-19 3 -23 8Z", line)], { transform: `rotate(${wag} -15 0)` }),
    path("M2 -9L-4 -15L-7 -8ZM2 9L-4 15L-7 8Z", line),
    path("M-17 0Q-14 -10 0 -10H6Q18 -9 18 0Q18 9 6 10H0Q-14 10 -17 0Z", line),
    path("M-13 0H-3", { stroke: edge, "stroke-width": 1.6, "stroke-linecap": "round" }),
  ];
  const shark = [
    group([path("M-14 0L-24 -9L-19 0L-24 9Z", line)], { transform: `rotate(${wag} -14 0)` }),
    path("M3 -7L-6 -16L-6 -6ZM3 7L-6 16L-6 6Z", line),
    path("M-16 0L-6 -7.5H6L20 0L6 7.5H-6Z", line),
    path("M14 -3l-2 3l2 3M11.5 -4.2l-2 4.2l2 4.2", { fill: "none", stroke: edge, "stroke-width": 1.1 }),
    path("M-12 0L-4 -2.4V2.4Z", { fill: edge }),
  ];
  return group([...(seat ? shark : whale), ...eye(-1, seat ? 6 : 11), ...eye(1, seat ? 6 : 11), mark(seat, seat ? 1 : 2.5, 0, 7, { fill: edge })], {
    transform: `translate(${short(x)} ${short(y)}) rotate(${short(angle)})`,
    opacity,
  });
}

export const mine = (seat: number, cell: Spot, fresh: boolean, theme: Theme): Shape =>
  group([mineSign(seat, fresh, theme)], { transform: `translate(${centre(cell[0])} ${centre(cell[1])})` });

/** A mine around the origin. */
export function mineSign(seat: number, fresh: boolean, theme: Theme): Shape {
  const colour = theme.players[seat]!;
  const spikes = [0, 45, 90, 135].map((turn) => {
    const [dx, dy] = [Math.cos((turn * Math.PI) / 180) * 11, Math.sin((turn * Math.PI) / 180) * 11];
    return `M${short(-dx)} ${short(-dy)}L${short(dx)} ${short(dy)}`;
  });
  return group([
    path(spikes.join(""), { stroke: colour, "stroke-width": 2.4, "stroke-linecap": "round" }),
    circle(0, 0, 7, { fill: theme.dark ? "#10364a" : "#ffffff", stroke: colour, "stroke-width": 2.6, "stroke-dasharray": fresh ? "3 2.5" : undefined }),
    mark(seat, 0, 0, 5.5, { fill: colour }),
  ]);
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
  const wave = between(t, 0.35, 0.95);
  const drops = Array.from({ length: 10 }, (_, i) => {
    const angle = (i * Math.PI) / 5 + cell[0];
    const far = 16 + 48 * ease(wave);
    return circle(x + Math.cos(angle) * far, y + Math.sin(angle) * far - 14 * Math.sin(wave * Math.PI), 4.5 * (1 - wave) + 0.5, { fill: theme.dark ? "#bfe6f5" : "#ffffff", opacity: 1 - wave });
  });
  return [
    rect(x - side / 2, y - side / 2, side, side, { rx: 14, fill: "#ff9a3d", opacity: 0.3 * opacity }),
    ...(wave < 1 ? [0, 0.25].map((late) => circle(x, y, 14 + 62 * ease(between(wave, late, 1)), { fill: "none", stroke: "#ffffff", "stroke-width": 5 * (1 - wave) + 0.5, opacity: 0.9 * (1 - wave) })) : []),
    path(`M${points.join("L")}Z`, { fill: "#ffcf4a", stroke: "#d4481c", "stroke-width": 3, "stroke-linejoin": "round", opacity }),
    circle(x, y, 9 * mix(0.5, 1, grow), { fill: "#fff6d8", opacity }),
    ...(wave < 1 ? drops : []),
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
  const angle = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
  // Bubbles on the way behind it, which fade.
  const wake = Array.from({ length: 7 }, (_, i) => {
    const behind = Math.max(0, place - 0.2 - i * 0.22);
    const [c, d] = [way[Math.floor(behind)]!, way[Math.ceil(behind)]!];
    return circle(mix(c[0], d[0], behind % 1) + (i % 2 ? 3 : -3), mix(c[1], d[1], behind % 1) + (i % 3) - 1, 3.6 - i * 0.35, { fill: "#ffffff", opacity: 0.75 - i * 0.09 });
  });
  return [
    path(`M${points}`, { fill: "none", stroke: colour, "stroke-width": 3.4, "stroke-dasharray": "2 7", "stroke-linecap": "round", "stroke-linejoin": "round", opacity: 0.9 }),
    ...(done < 1
      ? [
          ...wake,
          group([path("M-11 -6L-7 0L-11 6L-3 3.6V-3.6Z", { fill: colour }), path("M-8 -4.2H5Q12 -4.2 12 0Q12 4.2 5 4.2H-8Z", { fill: colour, stroke: "#ffffff", "stroke-width": 1.8 }), path("M3 -4V4", { stroke: "#ffffff", "stroke-width": 1.6 })], {
            transform: `translate(${short(x)} ${short(y)}) rotate(${short(angle)})`,
          }),
        ]
      : []),
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
