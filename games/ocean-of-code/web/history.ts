// The moves of each submarine in order, from the events: a frame only has the set of cells of its trail.

import type { Replay } from "../../../web/src/wire";
import type { SeaEvent, Spot } from "./wire";

export interface Leg {
  from: Spot;
  to: Spot;
  /** Whether it was a SILENCE. */
  silent: boolean;
}

const known = new WeakMap<Replay, { length: number; legs: Leg[][][] }>();

/** The legs of a submarine since its start or its last surfacing, at a step. */
export function legs(replay: Replay, index: number, seat: number): Leg[] {
  let made = known.get(replay);
  if (!made || made.length !== replay.steps.length) {
    made = { length: replay.steps.length, legs: follow(replay) };
    known.set(replay, made);
  }
  return made.legs[index]?.[seat] ?? [];
}

function follow(replay: Replay): Leg[][][] {
  const now: Leg[][] = [[], []];
  return replay.steps.map((step) => {
    for (const event of step.events as SeaEvent[]) {
      if (event.kind === "moved") {
        now[event.seat] = [...now[event.seat]!, { from: event.from, to: event.to, silent: false }];
      } else if (event.kind === "silence" && event.steps > 0) {
        now[event.seat] = [...now[event.seat]!, { from: event.from, to: event.to, silent: true }];
      } else if (event.kind === "surfaced") {
        now[event.seat] = [];
      }
    }
    return [...now];
  });
}
