// What a page can do with a finished match beside showing it. `agon watch` and the site offer different things.

import type { Analysis, Continuation, RecordedLine, Trial, Tried } from "./wire";

/** A bot or a person that can be chosen. */
export interface Offer {
  value: string;
  label: string;
}

export interface Tools {
  analyse?: () => Promise<Analysis>;
  /** Runs a bot on the input of a recorded turn. */
  run?: { bots: (seat: number) => Offer[]; run: (trial: Trial) => Promise<Tried> };
  /** Continues the match from a turn. */
  continue?: { players: (seat: number) => Offer[]; begin: (wanted: Continuation) => Promise<void> };
}

/** A line of a bot as text. */
export const lineText = (line: RecordedLine): string => (typeof line === "string" ? line : `0x${line.hex}`);

/** A probability or a share as text. */
export const percent = (share: number): string => `${Math.round(100 * share)}\u00a0%`;

/** The message of an error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
