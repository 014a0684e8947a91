// Draws pictures without a page: `agon export` runs this script in a JavaScript engine without a DOM. It uses the same scenes as
// the pages, and must not import Svelte components.

import { width as widthOf, write } from "./draw/glyphs";
import { group, rect, shape, toText, type Shape } from "./draw/shape";
import { DARK, LIGHT, mark, type Theme } from "./draw/theme";
import { byGame } from "./game-ui";
import { saidAt } from "./messages";
import { defaults } from "./options";
import type { Scene, View } from "./scene";
import type { Replay } from "./wire";

const SCENES = byGame(import.meta.glob<Scene>("../../games/*/web/scene.ts", { eager: true, import: "scene" }));
const CAPTION = 58;
let replay: Replay | undefined;

/** Names and scores above the picture. */
function caption(replay: Replay, index: number, width: number, theme: Theme): Shape[] {
  const players = replay.header.players;
  const each = (width - 150) / players.length;
  const { parts } = replay.steps[index]!;
  const turn = write(`TURN ${index}`, width - 20, CAPTION / 2, { size: 15, colour: theme.faint, anchor: "end" });
  return [
    turn,
    ...players.flatMap(({ name }, seat) => {
      const x = 24 + seat * each;
      const colour = theme.players[seat]!;
      const room = Math.max(3, Math.floor((each - 40) / widthOf("MM", 11)) * 2);
      const shown = name.length > room ? `${name.slice(0, room - 1)}.` : name;
      return [
        mark(seat, x, CAPTION / 2, 20, { fill: colour }),
        write(shown, x + 18, CAPTION / 2 - 9, { size: 11, colour: theme.ink, anchor: "start" }),
        write(String(parts[seat]?.points ?? "–"), x + 18, CAPTION / 2 + 10, { size: 14, colour, anchor: "start", weight: 1.1 }),
      ];
    }),
  ];
}

/** Most letters of a message. */
const LONGEST = 28;

/** The messages of players, each above or below its unit or home. */
function bubbles(scene: Scene, view: View, width: number, height: number): Shape[] {
  const size = Math.max(8, height / 60);
  const [wide, high] = [size, 2.2 * size];
  const gap = high + height / 40;
  return view.replay.header.players.flatMap((_, seat) => {
    const text = saidAt(view.replay, view.index, seat);
    const home = text ? scene.home?.(view, seat) : undefined;
    if (!text || !home) return [];
    const shown = text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}...` : text;
    const half = widthOf(shown, size) / 2 + wide;
    const x = Math.max(half + 2, Math.min(width - half - 2, home[0]));
    const y = home[1] > 0.2 * height ? home[1] - gap : home[1] + gap;
    return [
      rect(x - half, y - high / 2, 2 * half, high, { rx: high / 2, fill: view.theme.paper, "fill-opacity": 0.94, stroke: view.theme.players[seat]!, "stroke-width": 1.5 }),
      write(shown, x, y, { size, colour: view.theme.ink }),
    ];
  });
}

export function draw(replay: Replay, at: number, theme: Theme): Shape {
  const scene = SCENES.get(replay.header.game);
  if (!scene) throw new Error(`there is no scene for the game ${replay.header.game}`);
  const { width, height } = scene.size(replay);
  const index = Math.ceil(at);
  const view: View = { replay, index, t: at === index ? 1 : at - (index - 1), theme, chosen: defaults(scene) };
  const layers = scene.layers.map((layer) => group(layer.draw(view)));
  return shape("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height + CAPTION}`, width, height: height + CAPTION }, [
    rect(0, 0, width, height + CAPTION, { fill: theme.paper }),
    ...caption(replay, index, width, theme),
    group([...layers, group(bubbles(scene, view, width, height))], { transform: `translate(0 ${CAPTION})` }),
  ]);
}

(globalThis as { agonRenderer?: unknown }).agonRenderer = {
  load(text: string) {
    replay = JSON.parse(text) as Replay;
  },
  svg(at: number, dark: boolean): string {
    if (!replay) throw new Error("there is no match to draw");
    return `${toText(draw(replay, at, dark ? DARK : LIGHT))}\n`;
  },
};
