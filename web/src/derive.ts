// What is computed from a story for panels, charts and the time line.

import { SCENES } from "./scenes";
import type { Mark, Said, Story } from "./wire";

/** The message of a player that stands at a moment. */
export function messageAt(story: Story, index: number, seat: number): string | undefined {
  for (let i = index; i > 0; i--) {
    for (const event of story.moments[i]!.events) {
      if (event.kind === "message" && event.seat === seat) return event.text;
    }
  }
  return undefined;
}

/** The latest answer of a player up to a moment, and whether it is of that very moment. */
export function answerAt(story: Story, index: number, seat: number): { said: Said; now: boolean; first: boolean } | undefined {
  for (let i = index; i > 0; i--) {
    const said = story.moments[i]!.answers[seat];
    if (said) return { said, now: i === index, first: answered(story, seat)[0] === i };
  }
  return undefined;
}

const asked = new WeakMap<Story, number[][]>();

/** The moments a player's answers led to, in order. */
export function answered(story: Story, seat: number): number[] {
  let all = asked.get(story);
  if (!all) {
    all = story.opening.players.map((_, who) => story.moments.flatMap((moment, i) => (moment.answers[who] ? [i] : [])));
    asked.set(story, all);
  }
  return all[seat] ?? [];
}

export interface Marked {
  index: number;
  marks: Mark[];
}

export function marked(story: Story): Marked[] {
  return story.moments.flatMap(({ marks }, index) => (marks.length ? [{ index, marks }] : []));
}

/** A number over time for each player; gaps where it is not known. */
export type Curve = (number | undefined)[][];

/** The names of what charts can show: of the game, of the match, of the bots. */
export function curves(story: Story): string[] {
  const own = Object.keys(SCENES[story.opening.game].series);
  const timed = story.moments.some((moment) => moment.answers.some((said) => said?.wall_us != null));
  const metrics = new Set<string>();
  for (const names of story.closing.metrics) {
    for (const [name, values] of Object.entries(names)) {
      if (values && typeof values === "object") metrics.add(name);
    }
  }
  return [...own, "score", ...(timed ? ["time"] : []), ...[...metrics].sort().map((name) => `bot: ${name}`)];
}

export function curve(story: Story, name: string): Curve {
  return story.opening.players.map((_, seat) => {
    if (name.startsWith("bot: ")) {
      const values = story.closing.metrics[seat]?.[name.slice(5)] as { [turn: string]: unknown } | undefined;
      const line: (number | undefined)[] = Array(story.moments.length).fill(undefined);
      answered(story, seat).forEach((index, turn) => {
        const value = values?.[String(turn)];
        if (typeof value === "number") line[index] = value;
      });
      return line;
    }
    const series = SCENES[story.opening.game].series[name];
    return story.moments.map((moment, index) => {
      if (series) return series(story, index, seat);
      if (name === "time") {
        const wall = moment.answers[seat]?.wall_us;
        return wall == null ? undefined : wall / 1000;
      }
      return moment.scores[seat];
    });
  });
}
