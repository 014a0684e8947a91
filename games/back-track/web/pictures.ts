// The pictures in the statement of Back Track.

import { write } from "../../../web/src/draw/glyphs";
import { group } from "../../../web/src/draw/shape";
import type { Theme } from "../../../web/src/draw/theme";
import { boardView, type Picture } from "../../../web/src/game-ui";
import { CELL, FRAME, centre, land, left } from "./land";
import { glow, houses, tracks } from "./rails";
import { edges } from "./scene";
import type { RailBoard, RailFrame } from "./wire";

const plain = (width: number, height: number, regions: number[], towns: RailBoard["towns"]) =>
  ({ width, height, regions, region_count: Math.max(...regions) + 1, terrain: "0".repeat(width * height), towns }) as RailBoard;

const town = (name: string, x: number, y: number, theme: Theme) =>
  group([...houses(theme), write(name, 0, 10, { size: 10, colour: theme.ink, weight: 1.2 })], { transform: `translate(${centre(x)} ${centre(y)})` });

const size = (board: RailBoard) => ({ width: board.width * CELL + 2 * FRAME, height: board.height * CELL + 2 * FRAME });

/** The corner of a map with the region of each cell and two towns. A town is in the region of a neighbour. */
function regions(text: string): Picture {
  const rows = text.split("\n").slice(1).map((row) => row.trim().split(/\s+/).slice(1));
  const [width, height] = [rows[0]!.length, rows.length];
  const named = rows.flatMap((row, y) => row.flatMap((sign, x) => (sign.startsWith("T") ? [{ sign, x, y }] : [])));
  const region = (x: number, y: number): number => {
    const sign = rows[y]?.[x] ?? "";
    return sign.startsWith("T") ? region(x + (sign === "T0" ? 1 : 0), y - (sign === "T0" ? 0 : 1)) : Number(sign);
  };
  const ids = Array.from({ length: width * height }, (_, i) => region(i % width, Math.floor(i / width)));
  const board = plain(width, height, ids, []);
  return {
    ...size(board),
    draw: (theme) => [
      ...land(boardView(board, theme)),
      ...edges(boardView(board, theme)),
      ...ids.map((id, i) => write(String(id), left(i % width) + CELL - 5, left(Math.floor(i / width)) + 9, { size: 9, colour: theme.ink, anchor: "end" })),
      ...named.map(({ sign, x, y }) => town(sign, x, y, theme)),
    ],
  };
}

/** A connection between two towns over tracks of several owners. */
function connection(text: string): Picture {
  const signs = text.trim().split(/\s+/);
  const last = signs.length - 1;
  const path = signs.map((_, x): [number, number] => [x, 0]);
  const board = plain(signs.length, 1, signs.map(() => 0), [{ cell: [0, 0], wishes: [1] }, { cell: [last, 0], wishes: [] }]);
  const frame = { tracks: signs.map((sign) => (/^\d$/.test(sign) ? sign : ".")).join(""), links: [{ from: 0, to: 1, points: [2, 1], path }] } as unknown as RailFrame;
  return {
    ...size(board),
    draw: (theme) => [
      ...land(boardView(board, theme)),
      ...glow(frame.links, theme),
      ...[2, 0, 1].flatMap((owner) => tracks(board, frame, owner, theme)),
      town(signs[0]!, 0, 0, theme),
      town(signs[last]!, last, 0, theme),
    ],
  };
}

export const pictures = { regions, connection };
