// What the scene of a game is. A scene turns a moment of a story into shapes; it keeps nothing and knows neither the page nor
// the clock.

import type { Shape } from "./draw/shape";
import type { Theme } from "./draw/theme";
import type { Words } from "./words";
import type { Story } from "./wire";

/** A choice of what is drawn; remembered, and settable from the address. */
export interface Choice {
  name: string;
  /** Its values, the first one is the default. Two values `on` and `off` are a switch. */
  values: readonly string[];
}

export const ON = ["on", "off"] as const;
export const OFF = ["off", "on"] as const;

export type Chosen = { [name: string]: string };

/** What is to be drawn: the way from moment `index - 1` to moment `index`, `t` of it done. */
export interface View {
  story: Story;
  index: number;
  t: number;
  theme: Theme;
  chosen: Chosen;
  /** The cell under the pointer. */
  cell?: [number, number] | undefined;
  /** What a person who plays has in hand, drawn on top: the scene of its game knows the form. */
  hand?: unknown;
}

/** What a layer depends on, and so when it is drawn anew. */
export type Depends = "board" | "turn" | "time";

export interface Layer {
  depends: Depends;
  draw(view: View): Shape[];
}

/** One thing there is to say, under a heading or not. */
export interface Fact {
  label?: string;
  value: string;
  seat?: number;
}

/** A value in the panel of a player. */
export interface Stat {
  label: string;
  value: string;
  /** Share of the whole, for a bar. */
  share?: number;
}

export interface Scene {
  /** Size of the picture in its own units. */
  size(story: Story): { width: number; height: number };
  choices: readonly Choice[];
  layers: readonly Layer[];
  /** The cell at a point of the picture. */
  cellAt(story: Story, x: number, y: number): [number, number] | undefined;
  /** Everything about a cell. */
  describe(view: View, cell: [number, number], words: Words): Fact[];
  /** What the panel of a player shows beside its score. */
  stats(story: Story, index: number, seat: number, words: Words): Stat[];
  /** Numbers over time that charts can show, by name. */
  series: { [name: string]: (story: Story, index: number, seat: number) => number | undefined };
}

/** A board of square cells within a frame: how large its picture is, and which cell is at a point of it. */
export function framed(cell: number, frame: number, board: (story: Story) => { width: number; height: number }): Pick<Scene, "size" | "cellAt"> {
  return {
    size: (story) => {
      const { width, height } = board(story);
      return { width: width * cell + 2 * frame, height: height * cell + 2 * frame };
    },
    cellAt: (story, x, y) => {
      const { width, height } = board(story);
      const [column, row] = [Math.floor((x - frame) / cell), Math.floor((y - frame) / cell)];
      return column >= 0 && row >= 0 && column < width && row < height ? [column, row] : undefined;
    },
  };
}
