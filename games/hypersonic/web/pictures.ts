// The pictures in the statement of Hypersonic.

import { group, path, type Shape } from "../../../web/src/draw/shape";
import type { Theme } from "../../../web/src/draw/theme";
import { boardView, type Picture } from "../../../web/src/game-ui";
import { CELL, FRAME, body, centre, crate, flames } from "./pieces";
import { floor } from "./scene";

/** A bomb beside two boxes, before and while it goes off. */
function blast(text: string): Picture {
  const grid = text.split("\n").map((row) => row.split("-->")[0]!.trim().split(/\s{2,}/)[0]!.split(" "));
  const [width, height] = [grid[0]!.length, grid.length];
  const side = width * CELL + 2 * FRAME;
  const all = grid.flatMap((row, y) => row.map((sign, x) => ({ sign, x, y })));
  const bomb = all.find(({ sign }) => sign === "B")!;
  const boxes = all.filter(({ sign }) => sign === "0");
  const near = boxes.find(({ x, y }) => y === bomb.y && x === bomb.x + 1);
  const half = (burns: boolean, theme: Theme): Shape[] => [
    ...floor(boardView({ width, height, walls: [] }, theme)),
    ...boxes.map((box) => crate(box, null, false, theme, burns && box === near ? 0.45 : 1)),
    ...(burns ? flames(bomb, [2, near ? 1 : 2, 2, 2], theme, 0.6) : [group(body(0, 1, 1, theme), { transform: `translate(${centre(bomb.x)} ${centre(bomb.y)})` })]),
  ];
  return {
    width: 2 * side + 40,
    height: height * CELL + 2 * FRAME,
    draw: (theme) => [
      group(half(false, theme)),
      path(`M${side + 4} ${side / 2}h24m-9 -8l9 8l-9 8`, { fill: "none", stroke: theme.ink, "stroke-width": 4, "stroke-linecap": "round", "stroke-linejoin": "round" }),
      group(half(true, theme), { transform: `translate(${side + 40} 0)` }),
    ],
  };
}

export const pictures = { blast };
