// The scene of __title__: the grid, the coins and the players. It turns a step of a replay into shapes and has no state.

import { write } from "../../../web/src/draw/glyphs";
import { between, ease, mix } from "../../../web/src/draw/motion";
import { circle, path, rect, type Shape } from "../../../web/src/draw/shape";
import { mark } from "../../../web/src/draw/theme";
import { ON, framed, type Fact, type Scene, type Stat, type View } from "../../../web/src/scene";
import type { Replay } from "../../../web/src/wire";
import type { Board, Event, Frame } from "./wire";
import type { Words } from "./words";

/** What the controls want drawn over the board: the cells the person can go to. */
export interface Hand {
  cells: [number, number][];
}

const CELL = 60;
const FRAME = 22;
const left = (n: number) => FRAME + n * CELL;
const centre = (n: number) => FRAME + (n + 0.5) * CELL;

// The shared types say `unknown` for the parts of a game: the casts to its own types are here.
export const boardOf = (replay: Replay) => replay.header.board as Board;
export const frameAt = (replay: Replay, index: number) => replay.steps[index]!.frame as Frame;
const eventsAt = (replay: Replay, index: number) => replay.steps[index]!.events as Event[];

/** The grid, which stays for the whole match. */
function grid(view: View): Shape[] {
  const { width, height } = boardOf(view.replay);
  const { theme } = view;
  let tiles = "";
  const numbers: Shape[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = y % 2; x < width; x += 2) tiles += `M${left(x)} ${left(y)}h${CELL}v${CELL}h-${CELL}z`;
    numbers.push(write(String(y), FRAME / 2, centre(y), { size: 8.5, colour: theme.faint }));
  }
  for (let x = 0; x < width; x++) numbers.push(write(String(x), centre(x), FRAME / 2, { size: 8.5, colour: theme.faint }));
  return [
    rect(0, 0, width * CELL + 2 * FRAME, height * CELL + 2 * FRAME, { fill: theme.paper }),
    rect(FRAME, FRAME, width * CELL, height * CELL, { fill: theme.dark ? "#22282e" : "#eae6da" }),
    path(tiles, { fill: theme.dark ? "#272e35" : "#f3f0e6" }),
    ...(view.chosen.numbers === "off" ? [] : numbers),
  ];
}

function coins(view: View): Shape[] {
  return frameAt(view.replay, view.index).coins.map(([x, y]) => circle(centre(x), centre(y), 10, { fill: view.theme.gold, stroke: view.theme.ink, "stroke-width": 1.5 }));
}

/** The players on their way from the step before, the coins they collect, and the cell under the pointer. */
function players(view: View): Shape[] {
  const { replay, index, t, theme } = view;
  const now = frameAt(replay, index).players;
  const before = index > 0 ? frameAt(replay, index - 1).players : now;
  const shapes: Shape[] = [];
  for (const event of eventsAt(replay, index)) {
    if (event.kind === "collected") {
      shapes.push(circle(centre(event.at[0]), centre(event.at[1]), 10 + 14 * t, { fill: "none", stroke: theme.gold, "stroke-width": 3, opacity: 1 - between(t, 0.4, 1) }));
    }
  }
  now.forEach(([x, y], seat) => {
    const go = ease(t);
    const [fromX, fromY] = before[seat]!;
    // Two players on one cell are drawn side by side.
    const aside = now.some(([ox, oy], other) => other !== seat && ox === x && oy === y) ? (seat === 0 ? -11 : 11) : 0;
    shapes.push(mark(seat, centre(mix(fromX, x, go)) + aside, centre(mix(fromY, y, go)), 34, { fill: theme.players[seat]!, stroke: theme.paper, "stroke-width": 2.5 }));
  });
  if (view.hand) {
    const { cells } = view.hand as Hand;
    shapes.push(...cells.map(([x, y]) => rect(left(x) + 4, left(y) + 4, CELL - 8, CELL - 8, { rx: 9, fill: theme.gold, "fill-opacity": 0.2, stroke: theme.gold, "stroke-width": 3 })));
  }
  if (view.cell) shapes.push(rect(left(view.cell[0]) + 1.5, left(view.cell[1]) + 1.5, CELL - 3, CELL - 3, { fill: "none", stroke: theme.ink, "stroke-width": 3, rx: 5 }));
  return shapes;
}

/** The facts about a cell, shown beside the pointer. */
function describe(view: View, [x, y]: [number, number], words: Words): Fact[] {
  const frame = frameAt(view.replay, view.index);
  const facts: Fact[] = [{ label: words("cell"), value: `${x} ${y}` }];
  frame.players.forEach((cell, seat) => {
    if (cell[0] === x && cell[1] === y) facts.push({ label: view.replay.header.players[seat]!.name, value: words("here"), seat });
  });
  if (frame.coins.some((cell) => cell[0] === x && cell[1] === y)) facts.push({ value: words("coin") });
  if (facts.length === 1) facts.push({ value: words("empty") });
  return facts;
}

function stats(replay: Replay, index: number, seat: number, words: Words): Stat[] {
  return [{ label: words("coins"), value: String(frameAt(replay, index).collected[seat]) }];
}

export const scene: Scene = {
  ...framed(CELL, FRAME, boardOf),
  choices: [
    { name: "numbers", values: ON },
    { name: "motion", values: ON },
  ],
  layers: [
    { depends: "board", draw: grid },
    { depends: "turn", draw: coins },
    { depends: "time", draw: players },
  ],
  describe,
  stats,
  series: {
    coins: (replay, index, seat) => frameAt(replay, index).collected[seat],
  },
};
