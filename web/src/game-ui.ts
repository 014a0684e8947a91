// What a game brings to the pages: `games/NAME/web/index.ts` exports a `GameUi` by default.

import type { Component } from "svelte";
import type { Shape } from "./draw/shape";
import type { Theme } from "./draw/theme";
import type { Scene, View } from "./scene";
import type { Cue } from "./sound";
import type { Replay } from "./wire";
import type { Lang, Speak } from "./words";

/** A text in each language. */
export type Text = { [lang in Lang]: string };

/** Words by name, in each language. Every word must be in both: the type of `fr` follows from `en`. */
export type GameWords<Word extends string = string> = { [lang in Lang]: { [word in Word]: string } };

/** What the shared pages read of an event; the types of a game's own events are in its folder. */
export interface AnyEvent {
  kind: string;
  seat?: number;
  /** The text of a `message`. */
  text?: string;
}

/** The properties of the component with which a person makes an answer. */
export interface ControlsProperties {
  /** The choices of this turn, in the form of the game's `Choices` type. */
  choices: unknown;
  replay: Replay;
  words: Speak<string>;
  /** The answer that is being made; the component changes it. */
  line: string;
  /** What the scene draws over the board for the person; the component sets it. */
  hand: unknown;
  /** Sends the line. */
  send: () => void;
}

/** What the component must export beside: a click on a cell, and a key. */
export interface ControlsExports {
  pick(cell: [number, number]): void;
  /** Whether the key was used. */
  key(event: KeyboardEvent): boolean;
}

/** A picture in a statement, drawn with the parts of the scene. */
export interface Picture {
  width: number;
  height: number;
  draw(theme: Theme): Shape[];
}

export interface GameUi {
  scene: Scene;
  Controls: Component<ControlsProperties, ControlsExports, "line" | "hand">;
  /**
   * The words of the scene and the controls. The name of each display option is the word `option.NAME`, each of its values
   * `value.VALUE`; the name of each number over time is a word too.
   */
  words: GameWords;
  /** Why a match ended, by the name the rules give the reason, with `-` between its parts. */
  reasons: { [reason: string]: Text };
  /**
   * The pictures of the statement, by name: a block that begins with ```picture NAME DESCRIPTION is drawn by its function, which is given the text of the block.
   * Programs and terminals show the text.
   */
  pictures?: { [name: string]: (text: string) => Picture };
  /** The sounds of events, by their kind. */
  cues?: { [kind: string]: Cue };
  /** The number over time that the chart shows first; the first one of the scene if it is missing. */
  chart?: string;
  /** What the board of the side quest counts, in a game that has one. */
  sideQuest?: Text;
}

/** Modules found by a glob over `games/NAME/web/`, by the name of their game. */
export function byGame<T>(modules: { [path: string]: T }): Map<string, T> {
  return new Map(Object.entries(modules).map(([path, module]) => [path.split("/").at(-3)!, module]));
}

/** The input of layers that draw a board alone, for pictures in statements. */
export const boardView = (board: unknown, theme: Theme): View => ({ replay: { header: { board } } as Replay, index: 0, t: 1, theme, chosen: {} });
