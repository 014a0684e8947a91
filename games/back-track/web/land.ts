// The land of Back Track: terrain, rivers, mountains, places of interest, region borders. It does not change during a match.

import { passepartout, path, rect, type Shape } from "../../../web/src/draw/shape";
import type { View } from "../../../web/src/scene";
import type { Replay } from "../../../web/src/wire";
import type { RailBoard } from "./wire";

export const CELL = 40;
export const FRAME = 22;
export const left = (n: number) => FRAME + n * CELL;
export const centre = (n: number) => FRAME + (n + 0.5) * CELL;
export const boardOf = (replay: Replay) => replay.header.board as RailBoard;

export const [PLAINS, RIVER, MOUNTAIN, PLACE] = ["0", "1", "2", "3"];
export const terrainAt = (board: RailBoard, x: number, y: number) =>
  x >= 0 && y >= 0 && x < board.width && y < board.height ? board.terrain[y * board.width + x] : undefined;
export const regionAt = (board: RailBoard, x: number, y: number) =>
  x >= 0 && y >= 0 && x < board.width && y < board.height ? board.regions[y * board.width + x] : undefined;

export function land(view: View): Shape[] {
  const board = boardOf(view.replay);
  const { dark, paper } = view.theme;
  const [plains, river] = dark ? ["#28322a", "#2d6a8c"] : ["#e3ecd0", "#7dbfe0"];
  const water = rivers(board);
  const fields: string[] = [];
  const hills: Shape[] = [];
  for (let y = 0; y < board.height; y++) {
    for (let x = 0; x < board.width; x++) {
      const terrain = terrainAt(board, x, y);
      const [cx, cy] = [centre(x), centre(y)];
      // Some cells have grass, always the same ones.
      if (terrain === PLAINS && (x * 7 + y * 13) % 6 === 0) fields.push(`M${cx - 9 + ((x * 5 + y) % 12)} ${cy + 8}l-2.5 -6m2.5 6v-7m0 7l2.5 -6`);
      if (terrain === MOUNTAIN) hills.push(...mountain(cx, cy, dark));
      if (terrain === PLACE) hills.push(...place(cx, cy, dark));
    }
  }
  const stroke = { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };
  return [
    rect(0, 0, board.width * CELL + 2 * FRAME, board.height * CELL + 2 * FRAME, { fill: paper }),
    rect(FRAME, FRAME, board.width * CELL, board.height * CELL, { rx: 6, fill: plains }),
    path(fields.join(""), { ...stroke, stroke: dark ? "#3a4a39" : "#c3d3a0", "stroke-width": 1.8 }),
    path(water, { ...stroke, stroke: dark ? "#1f4a63" : "#5fa5c9", "stroke-width": 24 }),
    path(water, { ...stroke, stroke: river, "stroke-width": 20 }),
    ...hills,
    borders(board, dark),
    passepartout(board.width * CELL + 2 * FRAME, board.height * CELL + 2 * FRAME, FRAME, paper),
  ];
}

/** The middle lines of the rivers. */
function rivers(board: RailBoard): string {
  let lines = "";
  for (let y = 0; y < board.height; y++) {
    for (let x = 0; x < board.width; x++) {
      if (terrainAt(board, x, y) !== RIVER) continue;
      const sides = ([[0, -1], [1, 0], [0, 1], [-1, 0]] as const).filter(([dx, dy]) => {
        const beside = terrainAt(board, x + dx, y + dy);
        // A river leaves the map where it reaches the edge.
        return beside === RIVER || beside === undefined;
      });
      lines += sides.length ? sides.map(([dx, dy]) => `M${centre(x)} ${centre(y)}l${dx * 20} ${dy * 20}`).join("") : `M${centre(x) - 8} ${centre(y)}h16`;
    }
  }
  return lines;
}

const RIPPLES = 6;
/** The ripples that were drawn last: most frames show the same ones. */
let drawn: { board: RailBoard; drift: number; dark: boolean; shapes: Shape[] } | undefined;

/** Ripples that drift over the rivers. They move in a few steps each turn: every change is painted again. */
export function ripples(view: View): Shape[] {
  const board = boardOf(view.replay);
  const drift = Math.floor((view.index + view.t) * RIPPLES) / RIPPLES;
  if (drawn?.board === board && drawn.drift === drift && drawn.dark === view.theme.dark) return drawn.shapes;
  let marks = "";
  for (let y = 0; y < board.height; y++) {
    for (let x = 0; x < board.width; x++) {
      if (terrainAt(board, x, y) !== RIVER) continue;
      const along = ((drift * 0.5 + (x * 0.37 + y * 0.61)) % 1) * 22 - 11;
      marks += `M${centre(x) - 6 + along * 0.25} ${centre(y) - 4 + along * 0.35}q3 -3 6 0t6 0`;
    }
  }
  const shapes = marks ? [path(marks, { fill: "none", stroke: view.theme.dark ? "#5b9dbf" : "#d3eefa", "stroke-width": 2, "stroke-linecap": "round" })] : [];
  drawn = { board, drift, dark: view.theme.dark, shapes };
  return shapes;
}

function mountain(x: number, y: number, dark: boolean): Shape[] {
  const [rock, snow, edge] = dark ? ["#59544d", "#a9a49b", "#3a3631"] : ["#b5a68e", "#ffffff", "#8b7c64"];
  return [
    path(`M${x - 18} ${y + 15}L${x - 3} ${y - 15}L${x + 5} ${y - 2}L${x + 9} ${y - 8}L${x + 19} ${y + 15}Z`, { fill: rock, stroke: edge, "stroke-width": 1.6, "stroke-linejoin": "round" }),
    path(`M${x - 3} ${y - 15}L${x - 8} ${y - 4}L${x - 3} ${y - 7}L${x + 1.5} ${y - 4}Z`, { fill: snow }),
  ];
}

/** A place of interest: a building with pillars. */
export function place(x: number, y: number, dark: boolean): Shape[] {
  const [stone, edge] = dark ? ["#d8b75a", "#4a3c12"] : ["#f5d36b", "#7d6212"];
  return [
    path(`M${x - 15} ${y - 4}L${x} ${y - 15}L${x + 15} ${y - 4}ZM${x - 12} ${y - 2}h5v13h-5zM${x - 2.5} ${y - 2}h5v13h-5zM${x + 7} ${y - 2}h5v13h-5zM${x - 15} ${y + 12}h30v4h-30z`, { fill: stone, stroke: edge, "stroke-width": 1.3, "stroke-linejoin": "round" }),
  ];
}

function borders(board: RailBoard, dark: boolean): Shape {
  let lines = "";
  for (let y = 0; y < board.height; y++) {
    for (let x = 0; x < board.width; x++) {
      const here = regionAt(board, x, y);
      if (x + 1 < board.width && regionAt(board, x + 1, y) !== here) lines += `M${left(x + 1)} ${left(y)}v${CELL}`;
      if (y + 1 < board.height && regionAt(board, x, y + 1) !== here) lines += `M${left(x)} ${left(y + 1)}h${CELL}`;
    }
  }
  return path(lines, { stroke: dark ? "#8c9a86" : "#7f8f6d", "stroke-width": 1.8, "stroke-dasharray": "5 4", opacity: 0.8 });
}

const known = new WeakMap<RailBoard, [number, number][]>();

/** A cell in the middle of each region, where the state of the region is drawn. */
export function middles(board: RailBoard): [number, number][] {
  let found = known.get(board);
  if (!found) known.set(board, (found = seek(board)));
  return found;
}

function seek(board: RailBoard): [number, number][] {
  const cells: [number, number][][] = Array.from({ length: board.region_count }, () => []);
  board.regions.forEach((region, i) => cells[region]!.push([i % board.width, Math.floor(i / board.width)]));
  return cells.map((all) => {
    const [mx, my] = [0, 1].map((axis) => all.reduce((sum, cell) => sum + cell[axis]!, 0) / all.length) as [number, number];
    const far = ([x, y]: [number, number]) => Math.hypot(x - mx, y - my);
    return all.reduce((best, cell) => (far(cell) < far(best) ? cell : best));
  });
}
