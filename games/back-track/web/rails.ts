// Towns, tracks and connections.

import { width as widthOf, write } from "../../../web/src/draw/glyphs";
import { between, ease, linger } from "../../../web/src/draw/motion";
import { circle, group, path, rect, short, type Shape } from "../../../web/src/draw/shape";
import { mark, type Theme } from "../../../web/src/draw/theme";
import type { Link, RailBoard, RailFrame } from "./wire";
import { around, free, type Box } from "./labels";
import { CELL, centre, left } from "./land";
import { nameOf } from "./names";

const SIDES = [[0, -1], [1, 0], [0, 1], [-1, 0]] as const;

export const ownerAt = (board: RailBoard, frame: RailFrame, x: number, y: number) =>
  x >= 0 && y >= 0 && x < board.width && y < board.height ? frame.tracks[y * board.width + x] : undefined;
export const townAt = (board: RailBoard, x: number, y: number) =>
  board.towns.findIndex(({ cell }) => cell[0] === x && cell[1] === y);

/** Tracks of an owner: 0, 1 or 2 for neutral. The sleepers of player 1 are twice as dense, so that the owner can be seen without colour. */
export function tracks(board: RailBoard, frame: RailFrame, owner: number, theme: Theme): Shape[] {
  let rails = "";
  for (let y = 0; y < board.height; y++) {
    for (let x = 0; x < board.width; x++) {
      if (ownerAt(board, frame, x, y) !== String(owner)) continue;
      const [cx, cy] = [centre(x), centre(y)];
      const on = SIDES.filter(([dx, dy]) => {
        const beside = ownerAt(board, frame, x + dx, y + dy);
        return (beside !== undefined && beside !== ".") || townAt(board, x + dx, y + dy) >= 0;
      });
      rails += on.length ? on.map(([dx, dy]) => `M${cx} ${cy}l${dx * 20} ${dy * 20}`).join("") : `M${cx - 11} ${cy}h22`;
    }
  }
  return rails ? railway(rails, owner, theme) : [];
}

/** Rails and sleepers of an owner along a path. */
export function railway(rails: string, owner: number, theme: Theme): Shape[] {
  const colour = owner === 2 ? theme.neutral : theme.players[owner]!;
  const base = { fill: "none", "stroke-linejoin": "round" };
  return [
    path(rails, { ...base, stroke: theme.dark ? "#0c0f0c" : "#ffffff", "stroke-width": 17, "stroke-linecap": "round", opacity: 0.7 }),
    path(rails, { ...base, stroke: colour, "stroke-width": 15, "stroke-dasharray": owner === 1 ? "1.8 2.2" : owner === 0 ? "3 5" : "1.5 6.5" }),
    path(rails, { ...base, stroke: colour, "stroke-width": 6.5, "stroke-linecap": "round" }),
  ];
}

/** Light below the tracks of active connections: the colours of the owners stay visible. Each piece of track is drawn once. */
export function glow(links: Link[], theme: Theme): Shape[] {
  const pieces = new Set<string>();
  for (const { path: way } of links) {
    for (let i = 1; i < way.length; i++) {
      const [a, b] = [way[i - 1]!, way[i]!];
      const [from, to] = a[0] < b[0] || a[1] < b[1] ? [a, b] : [b, a];
      pieces.add(`M${centre(from[0])} ${centre(from[1])}L${centre(to[0])} ${centre(to[1])}`);
    }
  }
  return pieces.size ? [path([...pieces].join(""), { fill: "none", stroke: theme.gold, "stroke-width": 27, "stroke-linecap": "round", "stroke-linejoin": "round", opacity: theme.dark ? 0.5 : 0.42 })] : [];
}

/** A pair of connected towns: the connections between them in both directions. */
interface Line {
  path: [number, number][];
  points: [number, number];
}

const knownLines = new WeakMap<Link[], Line[]>();

/** The connected pairs of a frame, those that pay most first. */
function lines(links: Link[]): Line[] {
  let found = knownLines.get(links);
  if (!found) knownLines.set(links, (found = pairs(links)));
  return found;
}

function pairs(links: Link[]): Line[] {
  const found = new Map<string, Line>();
  for (const { from, to, path, points } of links) {
    const key = from < to ? `${from} ${to}` : `${to} ${from}`;
    const known = found.get(key);
    if (known) known.points = [known.points[0] + points[0], known.points[1] + points[1]];
    else found.set(key, { path, points: [...points] });
  }
  return [...found.values()].sort((a, b) => b.points[0] + b.points[1] - a.points[0] - a.points[1]);
}

const TRAINS = 12;
const WAGONS = 2;

/** Trains on the connections that pay most; the more a connection pays, the faster its train. `clock` counts turns. */
export function trains(links: Link[], theme: Theme, clock: number): Shape[] {
  return lines(links).slice(0, TRAINS).filter(({ path, points }) => path.length > 1 && points[0] + points[1] > 0).flatMap(({ path: way, points }) => {
    const length = way.length - 1;
    const total = points[0] + points[1];
    const speed = Math.min(4, 0.5 + total * 0.12);
    const colour = points[0] === points[1] ? theme.neutral : theme.players[points[0] > points[1] ? 0 : 1]!;
    // A train goes to the end of its line and back. Its start depends on the line, so that trains on one track are apart.
    const start = (way[0]![0] * 5 + way[0]![1] * 3 + way.at(-1)![0] * 7) % (2 * length);
    const gone = (start + clock * speed) % (2 * length);
    const back = gone > length;
    const at = (behind: number) => {
      const place = Math.max(0, Math.min(length, back ? 2 * length - gone + behind : gone - behind));
      const piece = Math.min(length - 1, Math.floor(place));
      const [a, b] = [way[piece]!, way[piece + 1]!];
      const angle = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI + (back ? 180 : 0);
      return `translate(${short(centre(a[0] + (b[0] - a[0]) * (place - piece)))} ${short(centre(a[1] + (b[1] - a[1]) * (place - piece)))}) rotate(${angle})`;
    };
    const wagons = Array.from({ length: WAGONS }, (_, i) => rect(-8, -5.5, 16, 11, { rx: 2.5, fill: theme.paper, stroke: colour, "stroke-width": 3, transform: at((i + 1) * 0.48) }));
    return [...wagons.reverse(), group(engine(colour, theme), { "data-train": "", transform: at(0) })];
  });
}

/** A locomotive that heads to the right, around the origin. */
export function engine(colour: string, theme: Theme): Shape[] {
  const edge = theme.dark ? "#0b0e0b" : "#ffffff";
  return [
    path("M-9 -6.5H5Q11 -6.5 11 0Q11 6.5 5 6.5H-9Z", { fill: colour, stroke: edge, "stroke-width": 2 }),
    circle(3.5, 0, 2.6, { fill: edge }),
    path("M-6 -3.5V3.5", { stroke: edge, "stroke-width": 2.4, "stroke-linecap": "round" }),
  ];
}

/** The places that labels keep free: the towns with the pips of their wishes. */
const townBoxes = (board: RailBoard): Box[] => board.towns.map(({ cell }) => around(centre(cell[0]), centre(cell[1]) - 4, 46, 52));

const field = (board: RailBoard): Box => ({ x: left(0), y: left(0), width: board.width * CELL, height: board.height * CELL });

const placedNames = new WeakMap<RailBoard, { boxes: Box[]; shown: (Box | undefined)[] }>();

/** The places of the names of towns, which stay the same during a match. */
function names(board: RailBoard): { boxes: Box[]; shown: (Box | undefined)[] } {
  let found = placedNames.get(board);
  if (!found) {
    const boxes = townBoxes(board);
    const shown = board.towns.map(({ cell }, id) => {
      const [x, y, width] = [centre(cell[0]), centre(cell[1]), widthOf(nameOf(id), 9) + 8];
      const beside = 25 + width / 2;
      return free([around(x, y + 27, width, 14), around(x + beside, y, width, 14), around(x - beside, y, width, 14), around(x, y - 38, width, 14)], boxes, field(board));
    });
    placedNames.set(board, (found = { boxes, shown }));
  }
  return found;
}

/** The points of the connections between two towns, beside the middle of their path; those that pay most come first. */
export function payments(board: RailBoard, links: Link[], theme: Theme, coarse: boolean): Shape[] {
  const taken = coarse ? townBoxes(board) : [...names(board).boxes];
  const size = coarse ? 17 : 9.5;
  return lines(links).slice(0, coarse ? 6 : 14).flatMap(({ path: way, points }) => {
    const paid = points.flatMap((count, seat) => (count > 0 ? [{ count: `+${count}`, seat }] : []));
    if (!paid.length) return [];
    const width = paid.reduce((sum, { count }) => sum + widthOf(count, size) + size, 0);
    // From the middle of the path to its ends.
    const middle = (way.length - 1) / 2;
    const order = [...way].map((cell, i) => ({ cell, far: Math.abs(i - middle) })).sort((a, b) => a.far - b.far);
    const box = free(order.map(({ cell }) => around(centre(cell[0]), centre(cell[1]), width, size * 1.9)), taken, field(board));
    if (!box) return [];
    let x = box.x + size / 2;
    return [
      rect(box.x, box.y, box.width, box.height, { "data-label": "", rx: box.height / 2, fill: theme.paper, stroke: theme.gold, "stroke-width": 1.6 }),
      ...paid.map(({ count, seat }) => {
        const text = write(count, x, box.y + box.height / 2, { size, colour: theme.players[seat]!, weight: 1.15, anchor: "start" });
        x += widthOf(count, size) + size;
        return text;
      }),
    ];
  });
}

/** The houses of a town, around the origin. */
export function houses(theme: Theme): Shape[] {
  const [wall, roof, edge] = theme.dark ? ["#e8e2d2", "#c0564a", "#14181d"] : ["#fffaf0", "#b8453a", "#2a2e33"];
  return [
    circle(0, 0, 18.5, { fill: theme.paper, opacity: 0.92, stroke: theme.ink, "stroke-width": 1.5 }),
    path("M-15 3V-4L-9 -10L-3 -4V3ZM3 3V-6L9.5 -13L16 -6V3Z", { fill: wall, stroke: edge, "stroke-width": 1.4, "stroke-linejoin": "round" }),
    path("M-17 -3L-9 -11L-1 -3ZM1 -5L9.5 -14L18 -5Z", { fill: roof, stroke: edge, "stroke-width": 1.4, "stroke-linejoin": "round" }),
  ];
}

/** Towns: houses with the id, the name, and a pip for each wish, full when it is met. In a small picture the ids are large and names are left out. */
export function towns(board: RailBoard, frame: RailFrame, theme: Theme, coarse: boolean): Shape[] {
  const { shown } = names(board);
  return board.towns.flatMap(({ cell, wishes }, id) => {
    const met = new Set(frame.links.filter((link) => link.from === id).map((link) => link.to));
    const [cx, cy] = [centre(cell[0]), centre(cell[1])];
    const pips = wishes.map((wish, i) => circle((i - (wishes.length - 1) / 2) * 9.5, -24, 3.7, { fill: met.has(wish) ? theme.gold : theme.paper, stroke: theme.ink, "stroke-width": 1.6 }));
    const plate = coarse
      ? [circle(0, 0, 19, { fill: theme.ink, stroke: theme.paper, "stroke-width": 2 }), write(String(id), 0, 0, { size: 22, colour: theme.paper, weight: 1.05 })]
      : [...houses(theme), rect(-10, 2.5, 20, 14.5, { rx: 4, fill: theme.ink, stroke: theme.paper, "stroke-width": 1.2 }), write(String(id), 0, 9.8, { size: 10, colour: theme.paper, weight: 1.1 })];
    const label = coarse ? undefined : shown[id];
    return [
      group([...plate, ...(coarse ? [] : pips)], { "data-town": id, transform: `translate(${cx} ${cy})` }),
      ...(label
        ? [
            rect(label.x, label.y, label.width, label.height, { "data-label": "", rx: 4, fill: theme.paper, opacity: 0.85 }),
            write(nameOf(id), label.x + label.width / 2, label.y + label.height / 2, { size: 9, colour: theme.ink, weight: 0.95 }),
          ]
        : []),
    ];
  });
}

/** The wishes of towns as arcs: solid where connected, dashed where not. With a town, only the wishes from and to it. */
export function wishes(board: RailBoard, frame: RailFrame, only: number | undefined, theme: Theme): Shape[] {
  return board.towns.flatMap(({ cell, wishes }, from) =>
    wishes.flatMap((to) => {
      if (only !== undefined && only !== from && only !== to) return [];
      const met = frame.links.some((link) => link.from === from && link.to === to);
      const [ax, ay] = [centre(cell[0]), centre(cell[1])];
      const other = board.towns[to]!.cell;
      const [bx, by] = [centre(other[0]), centre(other[1])];
      const [mx, my] = [(ax + bx) / 2 + (by - ay) * 0.12, (ay + by) / 2 - (bx - ax) * 0.12];
      const stroke = met ? theme.gold : theme.ink;
      return [path(`M${ax} ${ay}Q${mx} ${my} ${bx} ${by}`, { fill: "none", stroke, "stroke-width": met ? 3.2 : 2, "stroke-dasharray": met ? undefined : "3 7", "stroke-linecap": "round", opacity: met ? 0.9 : 0.55 })];
    }),
  );
}

/** Cells on which a track was built in this step; their frame fades. */
export function placed(cells: { seat: number; cell: [number, number] }[], theme: Theme, t: number): Shape[] {
  const grow = ease(between(t, 0, 0.5));
  return cells.map(({ seat, cell: [x, y] }) =>
    rect(left(x) + 3, left(y) + 3, CELL - 6, CELL - 6, { rx: 8, fill: "none", stroke: seat > 1 ? theme.neutral : theme.players[seat]!, "stroke-width": 1 + 3 * (1 - grow) + 1, opacity: linger(t, 0, 0.75) }),
  );
}

/** A disruption: rings around the middle of the region, with the mark of the player. */
export function disruption(seat: number, [x, y]: [number, number], theme: Theme, t: number): Shape[] {
  const colour = theme.players[seat]!;
  const shift = seat ? 9 : -9;
  return [
    ...[0, 0.2].map((late) =>
      circle(centre(x), centre(y), 16 + 34 * ease(between(t, late, 0.8 + late)), { fill: "none", stroke: colour, "stroke-width": 3, opacity: linger(t, late, 0.3) }),
    ),
    mark(seat, centre(x) + shift, centre(y) - 15, 12, { fill: colour, stroke: theme.paper, "stroke-width": 2, opacity: linger(t, 0, 1) }),
  ];
}
