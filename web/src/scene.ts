// The interface of a game's scene. A scene turns a step of a replay into shapes; it has no state and knows neither the page nor
// the clock.

import type { Shape } from "./draw/shape";
import type { Theme } from "./draw/theme";
import type { Replay } from "./wire";
import type { Speak } from "./words";

/** A display option; stored in the browser, and read from the address. */
export interface Choice {
  name: string;
  /** Its values; the first one is the default. The two values `on` and `off` make a switch. */
  values: readonly string[];
}

export const ON = ["on", "off"] as const;
export const OFF = ["off", "on"] as const;

export type Chosen = { [name: string]: string };

/** The input of drawing: the way from step `index - 1` to step `index`, `t` of it done (0 to 1). */
export interface View {
  replay: Replay;
  index: number;
  t: number;
  theme: Theme;
  chosen: Chosen;
  /** Whether the picture is so small that labels must be few and large. */
  coarse?: boolean;
  /** The cell under the pointer. */
  cell?: [number, number] | undefined;
  /** What the controls of the game want drawn over the board for a person who plays; its form is the game's own. */
  hand?: unknown;
}

/** The input a layer depends on; it is drawn again when that changes. */
export type Depends = "board" | "turn" | "time";

export interface Layer {
  depends: Depends;
  draw(view: View): Shape[];
}

/** One fact about a cell, with or without a label. */
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

/** An entry of the legend: a small picture around the origin, 40 units wide and high, and a word of the game. */
export interface Sign {
  word: string;
  draw(theme: Theme): Shape[];
}

export interface Scene {
  /** The size of the picture in its own units. */
  size(replay: Replay): { width: number; height: number };
  choices: readonly Choice[];
  layers: readonly Layer[];
  /** The cell at a point of the picture. */
  cellAt(replay: Replay, x: number, y: number): [number, number] | undefined;
  /** Everything about a cell. */
  describe(view: View, cell: [number, number], words: Speak<string>): Fact[];
  /** The values that the panel of a player shows beside its score. */
  stats(replay: Replay, index: number, seat: number, words: Speak<string>): Stat[];
  /** The point of the picture where a player's message is shown: its unit or its home. */
  home?(view: View, seat: number): [number, number] | undefined;
  /** Draws an answer of a player over the board of a step, in a colour. A scene without it shows answers as text only. */
  answer?(view: View, seat: number, line: string, colour: string): Shape[];
  /** What the signs on the board mean. A scene without it has no legend. */
  legend?: readonly Sign[];
  /** Numbers over time that charts can show, by name; the name is a word of the game. */
  series: { [name: string]: (replay: Replay, index: number, seat: number) => number | undefined };
}

/** The size of the picture and the cell at a point, for a board of square cells within a frame. */
export function framed(cell: number, frame: number, board: (replay: Replay) => { width: number; height: number }): Pick<Scene, "size" | "cellAt"> {
  return {
    size: (replay) => {
      const { width, height } = board(replay);
      return { width: width * cell + 2 * frame, height: height * cell + 2 * frame };
    },
    cellAt: (replay, x, y) => {
      const { width, height } = board(replay);
      const [column, row] = [Math.floor((x - frame) / cell), Math.floor((y - frame) / cell)];
      return column >= 0 && row >= 0 && column < width && row < height ? [column, row] : undefined;
    },
  };
}
