// The way each submarine went, in order: a frame only has the set of cells of its trail.

import type { SeaEvent, Spot, Story } from "../../wire";

export interface Leg {
  from: Spot;
  to: Spot;
  /** Whether it went unseen. */
  silent: boolean;
}

const known = new WeakMap<Story, { length: number; legs: Leg[][][] }>();

/** The legs of a submarine since its start or its last surfacing, at a moment. */
export function legs(story: Story, index: number, seat: number): Leg[] {
  let made = known.get(story);
  if (!made || made.length !== story.moments.length) {
    made = { length: story.moments.length, legs: follow(story) };
    known.set(story, made);
  }
  return made.legs[index]?.[seat] ?? [];
}

function follow(story: Story): Leg[][][] {
  const now: Leg[][] = [[], []];
  return story.moments.map((moment) => {
    for (const event of moment.events as SeaEvent[]) {
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
