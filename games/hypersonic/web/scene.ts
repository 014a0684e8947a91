// The scene of Hypersonic: the grid, the pieces on it, and the cells that bombs will hit.

import { arrow, ring } from "../../../web/src/draw/arrow";
import { write } from "../../../web/src/draw/glyphs";
import { between, ease, mix } from "../../../web/src/draw/motion";
import { circle, path, rect, type Shape } from "../../../web/src/draw/shape";
import { ON, framed, type Fact, type Scene, type Sign, type Stat, type View } from "../../../web/src/scene";
import type { Replay } from "../../../web/src/wire";
import type { BombBoard, BombEvent, BombFrame, LitBomb, Place } from "./wire";
import type { Words } from "./words";
import { CELL, FRAME, body, bomb, bomber, centre, crate, fallen, flames, item, left, planks, reach, scored, token, wall } from "./pieces";

/** The cells a person who plays can go to. */
export interface BombHand {
  cells: [number, number][];
  chosen: [number, number] | undefined;
}

const frameAt = (replay: Replay, index: number) => replay.steps[index]!.frame as BombFrame;
const boardOf = (replay: Replay) => replay.header.board as BombBoard;
const same = (a: Place, b: Place) => a.x === b.x && a.y === b.y;

export function floor(view: View): Shape[] {
  const { width, height, walls } = boardOf(view.replay);
  const { theme } = view;
  const shapes = [
    rect(0, 0, width * CELL + 2 * FRAME, height * CELL + 2 * FRAME, { fill: theme.paper }),
    rect(FRAME, FRAME, width * CELL, height * CELL, { rx: 6, fill: theme.dark ? "#22282e" : "#eae6da" }),
  ];
  let tiles = "";
  for (let y = 0; y < height; y++) {
    for (let x = y % 2; x < width; x += 2) tiles += `M${left(x)} ${left(y)}h${CELL}v${CELL}h-${CELL}z`;
    shapes.push(write(String(y), FRAME / 2, centre(y), { size: 8.5, colour: theme.faint }));
  }
  for (let x = 0; x < width; x++) shapes.push(write(String(x), centre(x), FRAME / 2, { size: 8.5, colour: theme.faint }));
  shapes.push(path(tiles, { fill: theme.dark ? "#272e35" : "#f3f0e6" }));
  return [...shapes, ...walls.flatMap((cell) => wall(cell, theme))];
}

function danger(view: View): Shape[] {
  if (view.chosen.danger === "off") return [];
  const { fuse } = boardOf(view.replay);
  return frameAt(view.replay, view.index).bombs.map((lit) => reach(lit, fuse, view.theme));
}

function standing(view: View): Shape[] {
  const { boxes, items } = frameAt(view.replay, view.index);
  const showItem = view.chosen.contents !== "off";
  return [
    ...boxes.map((box) => crate(box.cell, box.item, showItem, view.theme)),
    ...items.flatMap((lying) => (lying.item ? [item(lying.cell, lying.item, view.theme)] : [])),
  ];
}

/** Where a player is drawn, on its way from the step before. */
function where(view: View, seat: number): [number, number] {
  const now = frameAt(view.replay, view.index).players[seat]!.cell;
  const before = view.index > 0 ? frameAt(view.replay, view.index - 1).players[seat]!.cell : now;
  const go = ease(Math.min(1, view.t * 1.4));
  return [centre(mix(before.x, now.x, go)), centre(mix(before.y, now.y, go))];
}

function happening(view: View): Shape[] {
  const { replay, index, theme, t } = view;
  const now = frameAt(replay, index);
  const events = replay.steps[index]!.events as BombEvent[];
  const before = index > 0 ? frameAt(replay, index - 1) : now;
  const shapes: Shape[] = [];
  for (const event of events) {
    if (event.kind === "box" && t < 1) {
      const box = before.boxes.find((one) => same(one.cell, event.cell));
      if (box) shapes.push(crate(box.cell, box.item, view.chosen.contents !== "off", theme, 1 - between(t, 0.3, 0.8)));
    }
  }
  const burnt = events.filter((event) => event.kind === "explosion");
  shapes.push(...now.bombs.map((lit) => bomb(lit, theme, t)));
  shapes.push(...burnt.flatMap((event) => flames(event.cell, event.reach, theme, t)));
  shapes.push(...events.flatMap((event) => (event.kind === "box" ? planks(event.cell, theme, t) : [])));
  now.players.forEach((player, seat) => {
    if (!player.alive) shapes.push(fallen(seat, player.cell, theme, before.players[seat]!.alive ? between(t, 0.3, 0.8) : 0.8));
    if (player.alive || (before.players[seat]!.alive && t < 0.5)) {
      // Players on one cell are drawn side by side.
      const together = now.players.filter((other, i) => i < seat && other.alive && same(other.cell, player.cell)).length;
      const [x, y] = where(view, seat);
      const from = before.players[seat]!.cell;
      const way: [number, number] = [Math.sign(player.cell.x - from.x), Math.sign(player.cell.y - from.y)];
      shapes.push(bomber(seat, x + together * 9, y + together * 5, theme, replay.header.human === seat, way, t));
    }
  });
  for (const event of events) {
    if (event.kind === "box" && event.by.length) shapes.push(...scored(event.cell, event.by, theme, t));
  }
  if (view.hand) {
    const { cells, chosen } = view.hand as BombHand;
    shapes.push(...cells.map(([x, y]) => rect(left(x) + 4, left(y) + 4, CELL - 8, CELL - 8, { rx: 9, fill: theme.gold, "fill-opacity": 0.2, stroke: theme.gold, "stroke-width": 3 })));
    if (chosen) shapes.push(circle(centre(chosen[0]), centre(chosen[1]), 17, { fill: "none", stroke: theme.ink, "stroke-width": 3.5 }));
  }
  if (view.cell) shapes.push(rect(left(view.cell[0]) + 1.5, left(view.cell[1]) + 1.5, CELL - 3, CELL - 3, { fill: "none", stroke: theme.ink, "stroke-width": 3, rx: 5 }));
  return shapes;
}

/** Messages are shown at the figure of their player. */
const home = (view: View, seat: number): [number, number] => where(view, seat);

/** Whether a bomb will hit a cell. */
export function hits({ cell, reach }: LitBomb, x: number, y: number): boolean {
  const [l, r, u, d] = reach as [number, number, number, number];
  return (cell.y === y && x >= cell.x - l && x <= cell.x + r) || (cell.x === x && y >= cell.y - u && y <= cell.y + d);
}

function describe(view: View, [x, y]: [number, number], words: Words): Fact[] {
  const { replay, index } = view;
  const frame = frameAt(replay, index);
  const names = replay.header.players.map((player) => player.name);
  const here = (cell: Place) => cell.x === x && cell.y === y;
  const facts: Fact[] = [{ label: words("cell"), value: `${x} ${y}` }];
  const add = (value: string, seat?: number) =>
    facts.push(seat === undefined ? { value } : { label: names[seat]!, value, seat });
  if (boardOf(replay).walls.some(here)) {
    add(words("wall"));
    return facts;
  }
  const box = frame.boxes.find((one) => here(one.cell));
  const lying = frame.items.find((one) => here(one.cell));
  const holds = (what: string | null) => words(what === "extra_range" ? "extraRange" : what === "extra_bomb" ? "extraBomb" : "nothing");
  if (box) add(words("box", { item: holds(box.item) }));
  else if (lying) add(words("item", { item: holds(lying.item) }));
  else add(words("floor"));
  frame.players.forEach((player, seat) => {
    if (here(player.cell)) add(player.alive ? words("bomber", { range: player.range, bombs: player.available }) : words("fallen"), seat);
  });
  for (const lit of frame.bombs) {
    if (here(lit.cell)) add(words("bomb", { due: lit.due, range: lit.range, fuse: lit.fuse }), lit.owner);
  }
  const soonest = Math.min(...frame.bombs.filter((lit) => hits(lit, x, y)).map((lit) => lit.due));
  if (Number.isFinite(soonest)) add(words("burnsIn", { due: soonest }));
  return facts;
}

function stats(replay: Replay, index: number, seat: number, words: Words): Stat[] {
  const player = frameAt(replay, index).players[seat]!;
  const out = replay.steps.slice(0, index + 1).findIndex((_, step) => !frameAt(replay, step).players[seat]!.alive);
  return [
    { label: words("boxes"), value: String(player.boxes) },
    { label: words("bombs"), value: `${player.available}/${player.bombs}`, share: player.available / Math.max(1, player.bombs) },
    { label: words("range"), value: String(player.range) },
    ...(out < 0 ? [] : [{ label: words("eliminated"), value: String(out) }]),
  ];
}

/** The way to the target, and a ring where a bomb is laid. */
function answer({ replay, index, theme }: View, seat: number, line: string, colour: string): Shape[] {
  const order = /^\s*(MOVE|BOMB)\s+(\d+)\s+(\d+)/i.exec(line);
  if (!order) return [];
  const { cell } = frameAt(replay, index).players[seat]!;
  const [from, to]: [number, number][] = [[centre(cell.x), centre(cell.y)], [centre(Number(order[2])), centre(Number(order[3]))]];
  const stays = String(from) === String(to);
  const bombs = order[1]!.toUpperCase() === "BOMB";
  return [...(bombs || stays ? [ring(from!, bombs ? 19 : 13, colour, theme)] : []), ...(stays ? [] : [arrow(from!, to!, colour, theme)])];
}

const legend: readonly Sign[] = [
  { word: "sign.range", draw: (theme) => token("extra_range", theme) },
  { word: "sign.bomb", draw: (theme) => token("extra_bomb", theme) },
  { word: "sign.lit", draw: (theme) => body(0, 5, 8, theme) },
  { word: "sign.danger", draw: (theme) => [rect(-20, -12, 40, 24, { rx: 9, fill: theme.danger, opacity: 0.32 })] },
];

export const scene: Scene = {
  ...framed(CELL, FRAME, boardOf),
  choices: [
    { name: "danger", values: ON },
    { name: "contents", values: ON },
    { name: "motion", values: ON },
  ],
  layers: [
    { depends: "board", draw: floor },
    { depends: "turn", draw: danger },
    { depends: "turn", draw: standing },
    { depends: "time", draw: happening },
  ],
  describe,
  stats,
  home,
  answer,
  legend,
  series: {
    boxes: (replay, index, seat) => frameAt(replay, index).players[seat]?.boxes,
    range: (replay, index, seat) => frameAt(replay, index).players[seat]?.range,
    bombs: (replay, index, seat) => frameAt(replay, index).players[seat]?.bombs,
  },
};
