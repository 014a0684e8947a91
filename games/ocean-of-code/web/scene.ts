// The scene of Ocean of Code: the sea, the pieces in it, and the cells where submarines could be.

import { arrow, cross, ring } from "../../../web/src/draw/arrow";
import { ease, mix } from "../../../web/src/draw/motion";
import { path, rect, type Shape } from "../../../web/src/draw/shape";
import { ON, framed, type Fact, type Scene, type Sign, type Stat, type View } from "../../../web/src/scene";
import type { Replay } from "../../../web/src/wire";
import type { Boat, Power, SeaBoard, SeaEvent, SeaFrame, Spot } from "./wire";
import type { Words } from "./words";
import { CELL, FRAME, boardOf, centre, grid, isWater, sea, sectorOf, sectorPlace } from "./board";
import { hand, type SeaHand } from "./hand";
import { legs } from "./history";
import { blastArea, boat, explosion, hatched, mine, mineSign, ripples, silence, sonar, torpedo, trail } from "./pieces";

export const POWERS: Power[] = ["torpedo", "sonar", "silence", "mine"];

const frameAt = (replay: Replay, index: number) => replay.steps[index]!.frame as SeaFrame;
const has = (rows: number[], [x, y]: [number, number]) => ((rows[y] ?? 0) >> x) & 1;

/** The seats whose submarines are shown: both, or one. */
function seen(view: View): number[] {
  return { "0": [0], "1": [1] }[view.chosen.eyes ?? "both"] ?? [0, 1];
}

/** Where a submarine is drawn, on its way from the step before. */
function place(view: View, seat: number): { x: number; y: number; angle: number; hidden: boolean } | undefined {
  const now = frameAt(view.replay, view.index).submarines[seat]!.cell;
  if (!now) return undefined;
  const before = (view.index > 0 ? frameAt(view.replay, view.index - 1).submarines[seat]!.cell : null) ?? now;
  const way = view.replay.steps[view.index]!.events as SeaEvent[];
  const hidden = way.some((event) => event.kind === "silence" && event.seat === seat && event.steps > 0);
  const leg = legs(view.replay, view.index, seat).at(-1);
  const [dx, dy] = leg ? [leg.to[0] - leg.from[0], leg.to[1] - leg.from[1]] : [1, 0];
  const go = ease(Math.min(1, view.t * 1.6));
  return {
    x: centre(mix(before[0], now[0], go)),
    y: centre(mix(before[1], now[1], go)),
    angle: (Math.atan2(dy, dx) * 180) / Math.PI,
    hidden,
  };
}

function knowledge(view: View): Shape[] {
  if (view.chosen.possible === "off") return [];
  const { submarines } = frameAt(view.replay, view.index);
  // In the view of one player, its own position is known: only the possible cells of the other one are drawn.
  const eyes = seen(view);
  const { human } = view.replay.header;
  const shown = eyes.length === 1 ? [1 - eyes[0]!] : human !== null && !view.replay.done ? [1 - human] : [0, 1];
  return shown.flatMap((seat) => hatched(submarines[seat]!.possible, seat, view.theme));
}

function water(view: View): Shape[] {
  const { submarines } = frameAt(view.replay, view.index);
  return seen(view).flatMap((seat) => {
    const own: Boat = submarines[seat]!;
    const mines = own.fresh_mine ? [...own.mines, own.fresh_mine] : own.mines;
    return [
      ...(view.chosen.blast === "on" ? mines.map((cell) => blastArea(boardOf(view), cell, view.theme.players[seat]!)) : []),
      ...(view.chosen.trails === "off" ? [] : trail(legs(view.replay, view.index, seat), seat, view.theme)),
      ...mines.map((cell) => mine(seat, cell, String(cell) === String(own.fresh_mine), view.theme)),
    ];
  });
}

function happening(view: View): Shape[] {
  const board = boardOf(view);
  const eyes = seen(view);
  const { theme, t } = view;
  const events = view.replay.steps[view.index]!.events as SeaEvent[];
  const below = events.flatMap((event): Shape[] => {
    switch (event.kind) {
      case "sonar":
        return eyes.includes(event.seat) ? sonar(board, event.sector, event.found, event.seat, theme, t) : [];
      case "surfaced":
        return ripples(event.cell, event.seat, theme, t);
      case "silence":
        return eyes.includes(event.seat) ? silence(event.from, event.to, event.seat, theme, t) : [];
      default:
        return [];
    }
  });
  const boats = eyes.flatMap((seat) => {
    const at = place(view, seat);
    if (!at) return [];
    const sunk = frameAt(view.replay, view.index).submarines[seat]!.lives <= 0;
    const opacity = (at.hidden && t < 1 ? 0.35 : 1) * (sunk ? mix(1, 0.35, t) : 1);
    // Two submarines on one cell are drawn side by side.
    const other = eyes.length > 1 ? place(view, 1 - seat) : undefined;
    const beside = other && Math.hypot(other.x - at.x, other.y - at.y) < 12 ? (seat ? 9 : -9) : 0;
    return [boat(seat, at.x + beside, at.y + beside, at.angle, theme, opacity, t)];
  });
  const above = events.flatMap((event): Shape[] => {
    if (event.kind === "torpedo") return torpedo(board, event.from, event.to, event.seat, theme, t);
    if (event.kind === "explosion") return explosion(event.cell, event.damage, theme, t);
    return [];
  });
  const pointer = view.cell
    ? [rect(FRAME + view.cell[0] * CELL + 1.5, FRAME + view.cell[1] * CELL + 1.5, CELL - 3, CELL - 3, { fill: "none", stroke: theme.ink, "stroke-width": 3, rx: 5 })]
    : [];
  return [...below, ...boats, ...above, ...(view.hand ? hand(view, view.hand as SeaHand) : []), ...pointer];
}

function describe(view: View, cell: [number, number], words: Words): Fact[] {
  const board = boardOf(view);
  const [x, y] = cell;
  const names = view.replay.header.players.map((player) => player.name);
  const facts: Fact[] = [
    { label: words("cell"), value: `${x} ${y}` },
    { label: words("sector"), value: String(sectorOf(board, x, y)) },
    { value: words(isWater(board, x, y) ? "water" : "island") },
  ];
  if (!isWater(board, x, y)) return facts;
  const { submarines } = frameAt(view.replay, view.index);
  const is = (spot: Spot | null) => spot?.[0] === x && spot[1] === y;
  for (const seat of [0, 1]) {
    const own = submarines[seat]!;
    const add = (value: string) => facts.push({ label: names[seat]!, value, seat });
    if (seen(view).includes(seat)) {
      if (is(own.cell)) add(words("submarine", { lives: own.lives }));
      if (own.mines.some(is)) add(words("mine"));
      if (is(own.fresh_mine)) add(words("freshMine"));
      const near = [...own.mines, ...(own.fresh_mine ? [own.fresh_mine] : [])].filter(
        (spot) => !is(spot) && Math.max(Math.abs(spot[0] - x), Math.abs(spot[1] - y)) === 1,
      ).length;
      if (near) add(words("nearMines", { count: near }));
      if (has(own.trail, cell) && !is(own.cell)) add(words("visited"));
    }
    if (own.possible.some((row) => row)) add(words(has(own.possible, cell) ? "possible" : "impossible"));
  }
  return facts;
}

function stats(replay: Replay, index: number, seat: number, words: Words): Stat[] {
  const board = replay.header.board as SeaBoard;
  const own = frameAt(replay, index).submarines[seat]!;
  const stats: Stat[] = [{ label: words("lives"), value: String(own.lives), share: Math.max(0, own.lives) / board.lives }];
  POWERS.forEach((power, i) => {
    const needed = board.needed[i];
    if (needed == null || !own.charges) return;
    stats.push({ label: words(power === "mine" ? "mineCharge" : power), value: `${own.charges[i]}/${needed}`, share: own.charges[i]! / needed });
  });
  const cells = own.possible.reduce((sum, row) => sum + row.toString(2).replace(/0/g, "").length, 0);
  stats.push({ label: words("possibleCells"), value: String(cells) });
  if (own.shown) stats.push({ label: words("shown"), value: own.shown });
  return stats;
}

/** Messages are shown at the submarine of their player, if it is seen. */
function home(view: View, seat: number): [number, number] | undefined {
  const at = seen(view).includes(seat) ? place(view, seat) : undefined;
  return at && [at.x, at.y];
}

const WAYS: { [name: string]: [number, number] } = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };

/** The orders one after the other, each from the cell to which the ones before lead. */
function answer({ replay, index, theme }: View, seat: number, line: string, colour: string): Shape[] {
  const at = frameAt(replay, index).submarines[seat]!.cell;
  const middle = ([x, y]: [number, number]): [number, number] => [centre(x), centre(y)];
  const start = /^\s*(\d+)\s+(\d+)\s*$/.exec(line);
  if (start) return [ring(middle([Number(start[1]), Number(start[2])]), 15, colour, theme)];
  if (!at) return [];
  let here: [number, number] = [at[0], at[1]];
  return line.split("|").flatMap((order): Shape[] => {
    const [name, first = "", second = ""] = order.trim().split(/\s+/);
    const [dx, dy] = WAYS[first.toUpperCase()] ?? [0, 0];
    const from = here;
    const spot: [number, number] = [Number(first), Number(second)];
    switch (name?.toUpperCase()) {
      case "MOVE":
        here = [from[0] + dx, from[1] + dy];
        return [arrow(middle(from), middle(here), colour, theme)];
      case "SILENCE": {
        const steps = Number(second) || 0;
        here = [from[0] + steps * dx, from[1] + steps * dy];
        return steps ? [arrow(middle(from), middle(here), colour, theme, true)] : [ring(middle(from), 13, colour, theme)];
      }
      case "SURFACE":
        return [ring(middle(from), 17, colour, theme)];
      case "MINE":
        return [ring(middle([from[0] + dx, from[1] + dy]), 9, colour, theme)];
      case "TORPEDO":
        return [arrow(middle(from), middle(spot), colour, theme, true), cross(middle(spot), colour, theme)];
      case "TRIGGER":
        return [cross(middle(spot), colour, theme)];
      case "SONAR": {
        const { x, y, half } = sectorPlace(replay.header.board as SeaBoard, Number(first));
        return Number.isFinite(x) ? [rect(x - half + 3, y - half + 3, 2 * half - 6, 2 * half - 6, { fill: "none", stroke: colour, "stroke-width": 5, rx: 8 })] : [];
      }
      default:
        return [];
    }
  });
}

const legend: readonly Sign[] = [
  { word: "sign.hatch", draw: (theme) => [path("M-4 -16l-12 12M12 -16l-24 24M16 -4l-12 12M16 8l-8 8", { stroke: theme.players[0]!, "stroke-width": 2 })] },
  { word: "sign.trail", draw: (theme) => [path("M-18 0H18", { stroke: theme.players[0]!, "stroke-width": 4, opacity: 0.6 })] },
  { word: "sign.silence", draw: (theme) => [path("M-18 0H18", { stroke: theme.players[0]!, "stroke-width": 3, "stroke-dasharray": "1 8", "stroke-linecap": "round" })] },
  { word: "sign.mine", draw: (theme) => [mineSign(0, false, theme)] },
  { word: "sign.blast", draw: (theme) => [rect(-18, -18, 36, 36, { rx: 10, fill: "none", stroke: theme.players[0]!, "stroke-width": 1.6, "stroke-dasharray": "4 5" })] },
];

export const scene: Scene = {
  ...framed(CELL, FRAME, (replay) => {
    const { size } = replay.header.board as SeaBoard;
    return { width: size, height: size };
  }),
  choices: [
    { name: "eyes", values: ["both", "0", "1"] },
    { name: "possible", values: ON },
    { name: "trails", values: ON },
    { name: "blast", values: ON },
    { name: "sectors", values: ON },
    { name: "motion", values: ON },
  ],
  layers: [
    { depends: "board", draw: sea },
    { depends: "turn", draw: grid },
    { depends: "turn", draw: knowledge },
    { depends: "turn", draw: water },
    { depends: "time", draw: happening },
  ],
  describe,
  stats,
  home,
  answer,
  legend,
  series: {
    lives: (replay, index, seat) => frameAt(replay, index).submarines[seat]?.lives,
    possibleCells: (replay, index, seat) =>
      frameAt(replay, index).submarines[seat]?.possible.reduce((sum, row) => sum + row.toString(2).replace(/0/g, "").length, 0),
  },
};
