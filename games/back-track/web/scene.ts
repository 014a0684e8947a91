// The scene of Back Track: the land, the tracks, the connections and the inked regions.

import { arrow } from "../../../web/src/draw/arrow";
import { write } from "../../../web/src/draw/glyphs";
import { between, ease } from "../../../web/src/draw/motion";
import { outline } from "../../../web/src/draw/outline";
import { circle, path, rect, short, type Shape } from "../../../web/src/draw/shape";
import { OFF, ON, framed, type Fact, type Scene, type Stat, type View } from "../../../web/src/scene";
import type { Replay } from "../../../web/src/wire";
import type { RailBoard, RailEvent, RailFrame } from "./wire";
import { legend } from "./legend";
import { nameOf } from "./names";
import type { Words } from "./words";
import { CELL, FRAME, boardOf, centre, land, left, middles, regionAt, ripples, terrainAt } from "./land";
import { disruption, glow, ownerAt, payments, placed, towns, townAt, tracks, trains, wishes } from "./rails";

/** The cells a person can choose, and the cells and the region chosen so far. */
export interface RailHand {
  cells: [number, number][];
  chosen: [number, number][];
  region: number | undefined;
}

const frameAt = (replay: Replay, index: number) => replay.steps[index]!.frame as RailFrame;

const shapes = new WeakMap<RailBoard, string[]>();

/** The outline of a region, found once for each board. */
function regionShape(board: RailBoard, region: number): string {
  let known = shapes.get(board);
  if (!known) shapes.set(board, (known = []));
  return (known[region] ??= outline(board.width, board.height, (x, y) => regionAt(board, x, y) === region, CELL, 9));
}

const at = { transform: `translate(${FRAME} ${FRAME})` };
const inkOf = (dark: boolean) => ({ fill: dark ? "#0a0714" : "#2b2440", "fill-opacity": dark ? 0.86 : 0.8, stroke: "#1a1430", "stroke-width": 2 });

/** The regions that are inked in this step. */
const inkedNow = ({ replay, index }: View) => (replay.steps[index]!.events as RailEvent[]).flatMap((event) => (event.kind === "inked" ? [event.region] : []));

/** Ink over a region, with some blots. */
function ink(board: RailBoard, region: number, dark: boolean): Shape[] {
  const [x, y] = middles(board)[region]!;
  const blots = [[-9, -6, 8], [8, 5, 6], [2, -12, 4]].map(([dx, dy, r]) => `M${centre(x) + dx! - r!} ${centre(y) + dy!}a${r} ${r} 0 1 0 ${2 * r!} 0a${r} ${r} 0 1 0 -${2 * r!} 0`);
  return [path(regionShape(board, region), { ...inkOf(dark), ...at }), path(blots.join(""), { fill: dark ? "#3d3360" : "#4c4270" })];
}

/** Ink that spreads from the middle of a region over its cells. */
function spread(view: View): Shape[] {
  const board = boardOf(view.replay);
  const { dark } = view.theme;
  return inkedNow(view).flatMap((region): Shape[] => {
    if (view.t >= 1) return ink(board, region, dark);
    const [mx, my] = middles(board)[region]!;
    const cells = board.regions.flatMap((one, i) => (one === region ? [[i % board.width, Math.floor(i / board.width)] as const] : []));
    const farthest = Math.max(1, ...cells.map(([x, y]) => Math.hypot(x - mx, y - my)));
    const drops = cells.flatMap(([x, y]) => {
      const late = (0.6 * Math.hypot(x - mx, y - my)) / farthest;
      const radius = short(27 * ease(between(view.t, late, late + 0.4)));
      return Number(radius) > 0 ? [`M${centre(x) - Number(radius)} ${centre(y)}a${radius} ${radius} 0 1 0 ${2 * Number(radius)} 0a${radius} ${radius} 0 1 0 -${2 * Number(radius)} 0`] : [];
    });
    return [path(drops.join(""), { fill: inkOf(dark).fill, "fill-opacity": 0.8 })];
  });
}

/** The inked regions, and the instability of the others. */
function unrest(view: View): Shape[] {
  const board = boardOf(view.replay);
  const frame = frameAt(view.replay, view.index);
  const { theme } = view;
  const middle = middles(board);
  const fresh = inkedNow(view);
  return frame.instability.flatMap((instability, region): Shape[] => {
    const [x, y] = middle[region]!;
    if (frame.inked.includes(region)) return fresh.includes(region) ? [] : ink(board, region, theme.dark);
    if (!instability || view.chosen.instability === "off") return [];
    const share = Math.min(1, instability / board.ink_threshold);
    const drops = Array.from({ length: board.ink_threshold }, (_, i) => {
      const dx = (i - (board.ink_threshold - 1) / 2) * 11;
      return circle(centre(x) + dx, centre(y), 4.2, { fill: i < instability ? "#5b2fa0" : "none", stroke: theme.dark ? "#b79cf0" : "#5b2fa0", "stroke-width": 1.6 });
    });
    return [path(regionShape(board, region), { fill: "#6a3fb5", "fill-opacity": 0.1 + 0.22 * share, ...at }), ...drops];
  });
}

function railways(view: View): Shape[] {
  const board = boardOf(view.replay);
  const frame = frameAt(view.replay, view.index);
  const lit = view.chosen.links === "off" ? [] : glow(frame.links, view.theme);
  const hovered = view.cell ? townAt(board, view.cell[0], view.cell[1]) : -1;
  const wished = view.chosen.wishes === "on" ? wishes(board, frame, undefined, view.theme) : hovered >= 0 ? wishes(board, frame, hovered, view.theme) : [];
  return [...lit, ...[2, 0, 1].flatMap((owner) => tracks(board, frame, owner, view.theme)), ...wished];
}

function running(view: View): Shape[] {
  return view.chosen.links === "off" ? [] : trains(frameAt(view.replay, view.index).links, view.theme, view.index + view.t);
}

function signs(view: View): Shape[] {
  const board = boardOf(view.replay);
  const coarse = view.coarse ?? false;
  const frame = frameAt(view.replay, view.index);
  const paid = view.chosen.links !== "off" && view.chosen.points !== "off" ? payments(board, frame.links, view.theme, coarse) : [];
  return [...towns(board, frame, view.theme, coarse), ...paid];
}

function happening(view: View): Shape[] {
  const board = boardOf(view.replay);
  const { theme, t } = view;
  const events = view.replay.steps[view.index]!.events as RailEvent[];
  const middle = middles(board);
  const shapes: Shape[] = [];
  const built = events.flatMap((event) =>
    event.kind === "placed" ? [{ seat: event.seat, cell: event.cell as [number, number] }] : event.kind === "neutral" ? [{ seat: 2, cell: event.cell as [number, number] }] : [],
  );
  shapes.push(...placed(built, theme, t));
  for (const event of events) {
    if (event.kind === "disrupted") shapes.push(...disruption(event.seat, middle[event.region]!, theme, t));
    if (event.kind === "inked") {
      const lost = event.lost.flat() as [number, number][];
      shapes.push(...lost.map(([x, y]) => path(`M${left(x) + 10} ${left(y) + 10}l20 20m0 -20l-20 20`, { stroke: theme.danger, "stroke-width": 4, "stroke-linecap": "round", opacity: 1 - 0.4 * between(t, 0.5, 1) })));
    }
  }
  if (view.hand) {
    const { cells, chosen, region } = view.hand as RailHand;
    if (region !== undefined) shapes.push(path(regionShape(board, region), { fill: "#6a3fb5", "fill-opacity": 0.35, stroke: theme.ink, "stroke-width": 3, transform: `translate(${FRAME} ${FRAME})` }));
    shapes.push(path(cells.map(([x, y]) => `M${centre(x) - 3} ${centre(y)}h6m-3 -3v6`).join(""), { stroke: theme.gold, "stroke-width": 2, opacity: 0.8 }));
    shapes.push(...chosen.map(([x, y], i) => rect(left(x) + 3, left(y) + 3, CELL - 6, CELL - 6, { rx: 8, fill: theme.gold, "fill-opacity": 0.35, stroke: theme.ink, "stroke-width": 2.5, "data-order": i })));
  }
  if (view.cell) shapes.push(rect(left(view.cell[0]) + 1.5, left(view.cell[1]) + 1.5, CELL - 3, CELL - 3, { fill: "none", stroke: theme.ink, "stroke-width": 3, rx: 5 }));
  return shapes;
}

export function edges(view: View): Shape[] {
  const board = boardOf(view.replay);
  const numbers: Shape[] = [];
  for (let x = 0; x < board.width; x++) numbers.push(write(String(x), centre(x), FRAME / 2, { size: 8.5, colour: view.theme.faint }));
  for (let y = 0; y < board.height; y++) numbers.push(write(String(y), FRAME / 2, centre(y), { size: 8.5, colour: view.theme.faint }));
  return numbers;
}

const TERRAINS = ["plains", "river", "mountain", "place_of_interest"] as const;

function describe(view: View, [x, y]: [number, number], words: Words): Fact[] {
  const board = boardOf(view.replay);
  const frame = frameAt(view.replay, view.index);
  const names = view.replay.header.players.map((player) => player.name);
  const region = regionAt(board, x, y)!;
  const terrain = Number(terrainAt(board, x, y));
  const facts: Fact[] = [
    { label: words("cell"), value: `${x} ${y}` },
    { value: words("terrain", { terrain: words(TERRAINS[terrain]!), cost: board.costs[terrain]! }) },
    { label: words("region"), value: frame.inked.includes(region) ? words("inkedRegion", { region }) : words("regionState", { region, instability: frame.instability[region]!, threshold: board.ink_threshold }) },
  ];
  const town = townAt(board, x, y);
  if (town >= 0) {
    const met = frame.links.filter((link) => link.from === town).map((link) => link.to);
    const unmet = board.towns[town]!.wishes.filter((wish) => !met.includes(wish));
    const wanting = board.towns.flatMap(({ wishes }, other) => (wishes.includes(town) ? [other] : []));
    facts.push({ label: words("town"), value: `${town} ${nameOf(town)}` });
    facts.push({ label: words("met"), value: met.join(", ") || words("none") });
    facts.push({ label: words("unmet"), value: unmet.join(", ") || words("none") });
    facts.push({ label: words("wantedBy"), value: wanting.join(", ") || words("none") });
  }
  const owner = ownerAt(board, frame, x, y);
  if (owner === "2") facts.push({ value: words("neutralTrack") });
  else if (owner && owner !== ".") facts.push({ label: names[Number(owner)]!, value: words("track"), seat: Number(owner) });
  for (const link of frame.links) {
    if (link.path.some((cell) => cell[0] === x && cell[1] === y)) {
      facts.push({ label: words("connection", { from: link.from, to: link.to }), value: words("pays", { a: link.points[0]!, b: link.points[1]! }) });
    }
  }
  return facts;
}

function stats(replay: Replay, index: number, seat: number, words: Words): Stat[] {
  const frame = frameAt(replay, index);
  const count = [...frame.tracks].filter((owner) => owner === String(seat)).length;
  return [
    { label: words("perTurn"), value: `+${frame.points[seat]}` },
    { label: words("tracks"), value: String(count) },
    { label: words("connections"), value: String(frame.links.filter((link) => link.points[seat]! > 0).length) },
    ...(frame.side_quest[seat] ? [{ label: words("sideQuest"), value: words("done") }] : []),
  ];
}

/** Messages are shown where the player built or disrupted in this step; else at the upper edge, each player on its side. */
function home({ replay, index }: View, seat: number): [number, number] {
  const board = boardOf(replay);
  for (const event of replay.steps[index]!.events as RailEvent[]) {
    if (event.kind === "placed" && event.seat === seat) return [centre(event.cell[0]), left(event.cell[1])];
    if (event.kind === "disrupted" && event.seat === seat) return middles(board)[event.region]!.map(centre) as [number, number];
  }
  return [left(board.width * (seat ? 0.88 : 0.12)), left(0)];
}

/** The cells of new tracks, the ends of a route, and the region that is disrupted. */
function answer({ replay, theme }: View, _seat: number, line: string, colour: string): Shape[] {
  const board = boardOf(replay);
  return line.split(";").flatMap((order): Shape[] => {
    const [name, ...rest] = order.trim().split(/\s+/);
    const [x, y, toX, toY] = rest.map(Number);
    switch (name?.toUpperCase()) {
      case "PLACE_TRACKS":
        return terrainAt(board, x!, y!) === undefined ? [] : [rect(left(x!) + 3, left(y!) + 3, CELL - 6, CELL - 6, { rx: 8, fill: colour, "fill-opacity": 0.35, stroke: colour, "stroke-width": 4 })];
      case "AUTOPLACE":
        return rest.length < 4 ? [] : [arrow([centre(x!), centre(y!)], [centre(toX!), centre(toY!)], colour, theme, true)];
      case "DISRUPT":
        return board.regions.includes(x!) ? [path(regionShape(board, x!), { fill: colour, "fill-opacity": 0.25, stroke: colour, "stroke-width": 4, transform: `translate(${FRAME} ${FRAME})` })] : [];
      default:
        return [];
    }
  });
}

export const scene: Scene = {
  ...framed(CELL, FRAME, boardOf),
  choices: [
    { name: "links", values: ON },
    { name: "points", values: ON },
    { name: "wishes", values: OFF },
    { name: "instability", values: ON },
    { name: "motion", values: ON },
  ],
  layers: [
    { depends: "board", draw: land },
    { depends: "board", draw: edges },
    { depends: "time", draw: (view) => [...ripples(view), ...spread(view)] },
    { depends: "turn", draw: unrest },
    { depends: "turn", draw: railways },
    { depends: "time", draw: running },
    { depends: "turn", draw: signs },
    { depends: "time", draw: happening },
  ],
  describe,
  stats,
  home,
  answer,
  legend,
  series: {
    perTurn: (replay, index, seat) => frameAt(replay, index).points[seat],
    tracks: (replay, index, seat) => [...frameAt(replay, index).tracks].filter((owner) => owner === String(seat)).length,
  },
};
