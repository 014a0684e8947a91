// The sea, the islands and the grid, which do not change during a match.

import { outline } from "../../../web/src/draw/outline";
import { write } from "../../../web/src/draw/glyphs";
import { group, line, passepartout, path, rect, type Shape } from "../../../web/src/draw/shape";
import type { View } from "../../../web/src/scene";
import type { SeaBoard } from "./wire";

/** Side of a cell, and the frame for the numbers of columns and rows. */
export const CELL = 40;
export const FRAME = 22;

export const boardOf = (view: View) => view.replay.header.board as SeaBoard;
export const centre = (n: number) => FRAME + (n + 0.5) * CELL;
export const isWater = (board: SeaBoard, x: number, y: number) => board.rows[y]?.[x] === ".";
export const sectorOf = (board: SeaBoard, x: number, y: number) => {
  const across = board.size / board.sector_size;
  return 1 + Math.floor(x / board.sector_size) + across * Math.floor(y / board.sector_size);
};
/** The middle of a sector and half its side. */
export const sectorPlace = (board: SeaBoard, sector: number) => {
  const across = board.size / board.sector_size;
  const half = (board.sector_size * CELL) / 2;
  const [column, row] = [(sector - 1) % across, Math.floor((sector - 1) / across)];
  return { x: FRAME + (2 * column + 1) * half, y: FRAME + (2 * row + 1) * half, half };
};

export function sea(view: View): Shape[] {
  const board = boardOf(view);
  const { dark } = view.theme;
  const side = board.size * CELL;
  const waves: string[] = [];
  for (let y = 0; y < board.size; y++) {
    for (let x = 0; x < board.size; x++) {
      // Some cells have a wave, always the same ones.
      if (isWater(board, x, y) && (x * 7 + y * 11) % 5 === 0) {
        const [left, top] = [FRAME + x * CELL + 9, FRAME + y * CELL + 13 + ((x * 5 + y * 3) % 15)];
        waves.push(`M${left} ${top}q5.5 -5 11 0t11 0`);
      }
    }
  }
  const coast = outline(board.size, board.size, (x, y) => !isWater(board, x, y), CELL, 15);
  const at = { transform: `translate(${FRAME} ${FRAME})` };
  const islands = coast
    ? [
        path(coast, { fill: "none", stroke: dark ? "#2b6c86" : "#bfe6ee", "stroke-width": 20, "stroke-linejoin": "round", opacity: dark ? 0.45 : 0.75, ...at }),
        path(coast, { fill: dark ? "#6d6650" : "#efdfb0", stroke: dark ? "#a0926a" : "#c9ad6c", "stroke-width": 3, "stroke-linejoin": "round", ...at }),
        group(scrub(board, dark), at),
      ]
    : [];
  return [
    rect(0, 0, side + 2 * FRAME, side + 2 * FRAME, { fill: view.theme.paper }),
    rect(FRAME, FRAME, side, side, { fill: dark ? "#10364a" : "#8fcfe3", rx: 6 }),
    path(waves.join(""), { fill: "none", stroke: dark ? "#1d5069" : "#b4e1ee", "stroke-width": 2, "stroke-linecap": "round" }),
    ...islands,
    passepartout(side + 2 * FRAME, side + 2 * FRAME, FRAME, view.theme.paper),
  ];
}

/** Grass on the islands: a tuft in the middle of each cell that is land all around. */
function scrub(board: SeaBoard, dark: boolean): Shape[] {
  const tufts: string[] = [];
  for (let y = 0; y < board.size; y++) {
    for (let x = 0; x < board.size; x++) {
      if (isWater(board, x, y)) continue;
      const [left, top] = [x * CELL + 12 + ((x * 13 + y * 7) % 9), y * CELL + 16 + ((x * 3 + y * 5) % 9)];
      tufts.push(`M${left} ${top + 6}l-3 -7m3 7l0 -9m0 9l3 -7`);
    }
  }
  const stroke = dark ? "#8fa06a" : "#86a04f";
  return [path(tufts.join(""), { fill: "none", stroke, "stroke-width": 2, "stroke-linecap": "round" })];
}

export function grid(view: View): Shape[] {
  const board = boardOf(view);
  const { dark, faint } = view.theme;
  const side = board.size * CELL;
  const shapes: Shape[] = [];
  const fine = dark ? "#ffffff" : "#0b3a52";
  let lines = "";
  for (let i = 1; i < board.size; i++) {
    lines += `M${FRAME + i * CELL} ${FRAME}V${FRAME + side}M${FRAME} ${FRAME + i * CELL}H${FRAME + side}`;
  }
  shapes.push(path(lines, { stroke: fine, "stroke-width": 1, opacity: 0.1 }));
  if (view.chosen.sectors !== "off") {
    const sectors = (board.size / board.sector_size) ** 2;
    for (let sector = 1; sector <= sectors; sector++) {
      const { x, y } = sectorPlace(board, sector);
      shapes.push(write(String(sector), x, y, { size: 62, colour: fine, weight: 0.7, attributes: { opacity: 0.1 } }));
    }
    for (let i = board.sector_size; i < board.size; i += board.sector_size) {
      const dash = { stroke: fine, "stroke-width": 2, opacity: 0.35, "stroke-dasharray": "7 6" };
      shapes.push(line(FRAME + i * CELL, FRAME, FRAME + i * CELL, FRAME + side, dash));
      shapes.push(line(FRAME, FRAME + i * CELL, FRAME + side, FRAME + i * CELL, dash));
    }
  }
  for (let i = 0; i < board.size; i++) {
    shapes.push(write(String(i), centre(i), FRAME / 2, { size: 8.5, colour: faint }));
    shapes.push(write(String(i), FRAME / 2, centre(i), { size: 8.5, colour: faint }));
  }
  return shapes;
}
