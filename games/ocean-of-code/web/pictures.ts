// The pictures in the statement of Ocean of Code.

import { write } from "../../../web/src/draw/glyphs";
import { rect, type Shape } from "../../../web/src/draw/shape";
import type { Theme } from "../../../web/src/draw/theme";
import { boardView, type Picture } from "../../../web/src/game-ui";
import { CELL, FRAME, centre, grid, sea } from "./board";
import { boat, explosion } from "./pieces";

const SECTOR = 5;

/** The sea with its nine sectors. */
function sectors(): Picture {
  const size = 3 * SECTOR;
  const board = { size, sector_size: SECTOR, rows: Array<string>(size).fill(".".repeat(size)) };
  const side = size * CELL + 2 * FRAME;
  return { width: side, height: side, draw: (theme) => [...sea(boardView(board, theme)), ...grid(boardView(board, theme))] };
}

interface Cell {
  sign: string;
  x: number;
  y: number;
}

/** A square piece of the sea, one sign of the text for each cell, with shapes over it. */
function piece(text: string, over: (cells: Cell[], middle: number, theme: Theme) => Shape[]): Picture {
  const signs = text.split("\n").map((row) => row.trim().split(/\s+/));
  const size = signs.length;
  const board = { size, sector_size: size, rows: signs.map((row) => row.map((sign) => (sign === "x" ? "x" : ".")).join("")) };
  const cells = signs.flatMap((row, y) => row.map((sign, x) => ({ sign, x, y })));
  const side = size * CELL + 2 * FRAME;
  return {
    width: side,
    height: side,
    draw: (theme) => [...sea(boardView(board, theme)), ...grid({ ...boardView(board, theme), chosen: { sectors: "off" } }), ...over(cells, Math.floor(size / 2), theme)],
  };
}

/** The steps of a torpedo to each cell it can reach. */
const range = (text: string) => piece(text, (cells, _, theme) =>
  cells.flatMap(({ sign, x, y }) => {
    if (sign === "S") return [boat(0, centre(x), centre(y), 0, theme, 1)];
    if (!/^\d+$/.test(sign)) return [];
    return [rect(centre(x) - 17, centre(y) - 17, 34, 34, { rx: 8, fill: theme.players[0]!, "fill-opacity": 0.22 }), write(sign, centre(x), centre(y), { size: 15, colour: theme.ink, weight: 1.1 })];
  }));

/** The lives that an explosion costs, by cell. */
const blast = (text: string) => piece(text, (cells, middle, theme) => [
  ...explosion([middle, middle], [], theme, 1),
  ...cells.map(({ sign, x, y }) => write(`-${sign}`, centre(x), centre(y), { size: 14, colour: x === middle && y === middle ? "#5a1208" : theme.ink, weight: 1.25 })),
]);

export const pictures = { sectors, range, blast };
