// The pictures in the statement of Ocean of Code.

import { write } from "../../../web/src/draw/glyphs";
import { rect } from "../../../web/src/draw/shape";
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

/** A square piece of the sea, one sign of the text for each cell. */
function piece(text: string) {
  const signs = text.split("\n").map((row) => row.trim().split(/\s+/));
  const size = signs.length;
  const board = { size, sector_size: size, rows: signs.map((row) => row.map((sign) => (sign === "x" ? "x" : ".")).join("")) };
  const cells = signs.flatMap((row, y) => row.map((sign, x) => ({ sign, x, y })));
  return { board, cells, side: size * CELL + 2 * FRAME };
}

/** The steps of a torpedo to each cell it can reach. */
function range(text: string): Picture {
  const { board, cells, side } = piece(text);
  return {
    width: side,
    height: side,
    draw: (theme) => [
      ...sea(boardView(board, theme)),
      ...grid({ ...boardView(board, theme), chosen: { sectors: "off" } }),
      ...cells.flatMap(({ sign, x, y }) => {
        if (sign === "S") return [boat(0, centre(x), centre(y), 0, theme, 1)];
        if (!/^\d+$/.test(sign)) return [];
        return [rect(centre(x) - 17, centre(y) - 17, 34, 34, { rx: 8, fill: theme.players[0]!, "fill-opacity": 0.22 }), write(sign, centre(x), centre(y), { size: 15, colour: theme.ink, weight: 1.1 })];
      }),
    ],
  };
}

/** The lives that an explosion costs, by cell. */
function blast(text: string): Picture {
  const { board, cells, side } = piece(text);
  const middle = Math.floor(board.size / 2);
  return {
    width: side,
    height: side,
    draw: (theme) => [
      ...sea(boardView(board, theme)),
      ...grid({ ...boardView(board, theme), chosen: { sectors: "off" } }),
      ...explosion([middle, middle], [], theme, 1),
      ...cells.map(({ sign, x, y }) => write(`-${sign}`, centre(x), centre(y), { size: 14, colour: x === middle && y === middle ? "#5a1208" : theme.ink, weight: 1.25 })),
    ],
  };
}

export const pictures = { sectors, range, blast };
