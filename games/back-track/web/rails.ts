// Towns, tracks and connections.

import { write } from "../../../web/src/draw/glyphs";
import { between, ease, linger } from "../../../web/src/draw/motion";
import { circle, group, path, rect, type Shape } from "../../../web/src/draw/shape";
import { mark, type Theme } from "../../../web/src/draw/theme";
import type { Link, RailBoard, RailFrame } from "./wire";
import { CELL, centre, left } from "./land";

const SIDES = [[0, -1], [1, 0], [0, 1], [-1, 0]] as const;

export const ownerAt = (board: RailBoard, frame: RailFrame, x: number, y: number) =>
  x >= 0 && y >= 0 && x < board.width && y < board.height ? frame.tracks[y * board.width + x] : undefined;
export const townAt = (board: RailBoard, x: number, y: number) =>
  board.towns.findIndex(({ cell }) => cell[0] === x && cell[1] === y);

/** Tracks of an owner: 0, 1 or 2 for neutral. The sleepers of player 1 are twice as dense, so that the owner can be seen without colour. */
export function tracks(board: RailBoard, frame: RailFrame, owner: number, theme: Theme): Shape[] {
  const colour = owner === 2 ? theme.neutral : theme.players[owner]!;
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
  if (!rails) return [];
  const base = { fill: "none", "stroke-linejoin": "round" };
  return [
    path(rails, { ...base, stroke: theme.dark ? "#0c0f0c" : "#ffffff", "stroke-width": 17, "stroke-linecap": "round", opacity: 0.7 }),
    path(rails, { ...base, stroke: colour, "stroke-width": 15, "stroke-dasharray": owner === 1 ? "1.8 2.2" : owner === 0 ? "3 5" : "1.5 6.5" }),
    path(rails, { ...base, stroke: colour, "stroke-width": 6.5, "stroke-linecap": "round" }),
  ];
}

const through = (way: [number, number][]) => `M${way.map(([x, y]) => `${centre(x)} ${centre(y)}`).join("L")}`;

/** Light along the paths of active connections. */
export function glow(links: Link[], theme: Theme): Shape[] {
  const round = { fill: "none", stroke: theme.gold, "stroke-linecap": "round", "stroke-linejoin": "round" };
  return links.map((link) => path(through(link.path), { ...round, "stroke-width": 26, opacity: 0.16 }));
}

/** Dots that move along active connections. */
export function flow(links: Link[], theme: Theme, t: number): Shape[] {
  if (!links.length) return [];
  const all = links.map((link) => through(link.path)).join("");
  return [path(all, { fill: "none", stroke: theme.gold, "stroke-width": 2.6, "stroke-dasharray": "3 9", "stroke-dashoffset": Math.round(-12 * t), "stroke-linecap": "round", "stroke-linejoin": "round" })];
}

/** The points of each connection, in the middle of its path. */
export function payments(links: Link[], theme: Theme): Shape[] {
  const shapes: Shape[] = [];
  const taken = new Map<string, number>();
  for (const link of links) {
    const [x, y] = link.path[Math.floor(link.path.length / 2)]!;
    // The points of connections with the same middle are drawn below each other.
    const above = taken.get(`${x} ${y}`) ?? 0;
    taken.set(`${x} ${y}`, above + 1);
    shapes.push(...payment(link, centre(x), centre(y) + above * 19, theme));
  }
  return shapes;
}

function payment({ points }: Link, x: number, y: number, theme: Theme): Shape[] {
  const paid = points.flatMap((count, seat) => (count > 0 ? [{ count, seat }] : []));
  const width = Math.max(1, paid.length) * 30 + 4;
  return [
    rect(x - width / 2, y - 9, width, 18, { rx: 9, fill: theme.paper, stroke: theme.gold, "stroke-width": 1.6 }),
    ...(paid.length
      ? paid.map(({ count, seat }, i) => write(`+${count}`, x + (i - (paid.length - 1) / 2) * 29, y, { size: 9.5, colour: theme.players[seat]!, weight: 1.15 }))
      : [write("0", x, y, { size: 9.5, colour: theme.faint })]),
  ];
}

/** Towns with their ids, and a pip for each wish: full when it is met. */
export function towns(board: RailBoard, frame: RailFrame, theme: Theme): Shape[] {
  return board.towns.map(({ cell, wishes }, id) => {
    const met = new Set(frame.links.filter((link) => link.from === id).map((link) => link.to));
    const pips = wishes.map((wish, i) => {
      const angle = -Math.PI / 2 + ((i - (wishes.length - 1) / 2) * Math.PI) / 6.2;
      const [x, y] = [Math.cos(angle) * 23, Math.sin(angle) * 23];
      return circle(x, y, 4, { fill: met.has(wish) ? theme.gold : theme.paper, stroke: theme.ink, "stroke-width": 1.6 });
    });
    return group(
      [
        circle(0, 0, 17, { fill: theme.ink, stroke: theme.paper, "stroke-width": 2.5 }),
        write(String(id), 0, 0, { size: 14, colour: theme.paper, weight: 1.05 }),
        ...pips,
      ],
      { transform: `translate(${centre(cell[0])} ${centre(cell[1])})` },
    );
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
