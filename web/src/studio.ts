// Pictures without a page: what `agon export` runs in an engine of its own. It has the very scenes the page has.

import { width as widthOf, write } from "./draw/glyphs";
import { group, rect, shape, toText, type Shape } from "./draw/shape";
import { DARK, LIGHT, mark, type Theme } from "./draw/theme";
import { defaults } from "./options";
import { SCENES } from "./scenes";
import { pointsOf } from "./score";
import type { Scene, View } from "./scene";
import type { Story } from "./wire";

const CAPTION = 58;
let story: Story | undefined;

/** Names and scores above the picture. */
function caption(story: Story, index: number, width: number, theme: Theme): Shape[] {
  const players = story.opening.players;
  const each = (width - 150) / players.length;
  const scores = story.moments[index]!.scores;
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
        write(pointsOf(story.opening.game, scores, seat), x + 18, CAPTION / 2 + 10, { size: 14, colour, anchor: "start", weight: 1.1 }),
      ];
    }),
  ];
}

export function draw(story: Story, at: number, theme: Theme): Shape {
  const scene: Scene = SCENES[story.opening.game];
  const { width, height } = scene.size(story);
  const index = Math.ceil(at);
  const view: View = { story, index, t: at === index ? 1 : at - (index - 1), theme, chosen: defaults(scene) };
  const layers = scene.layers.map((layer) => group(layer.draw(view)));
  return shape("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height + CAPTION}`, width, height: height + CAPTION }, [
    rect(0, 0, width, height + CAPTION, { fill: theme.paper }),
    ...caption(story, index, width, theme),
    group(layers, { transform: `translate(0 ${CAPTION})` }),
  ]);
}

(globalThis as { agonStudio?: unknown }).agonStudio = {
  load(text: string) {
    story = JSON.parse(text) as Story;
  },
  svg(at: number, dark: boolean): string {
    if (!story) throw new Error("there is no match to draw");
    return `${toText(draw(story, at, dark ? DARK : LIGHT))}\n`;
  },
};
