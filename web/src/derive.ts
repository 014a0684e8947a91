// Values computed from a replay for panels, charts and the timeline.

import { uiOf } from "./games";
import type { Answer, Mark, Replay } from "./wire";

/** The latest answer of a player up to a step; `now` if it belongs to that step, `first` if it is the player's first answer. */
export function answerAt(replay: Replay, index: number, seat: number): { answer: Answer; now: boolean; first: boolean } | undefined {
  for (let i = index; i > 0; i--) {
    const answer = replay.steps[i]!.answers[seat];
    if (answer) return { answer, now: i === index, first: answered(replay, seat)[0] === i };
  }
  return undefined;
}

const known = new WeakMap<Replay, number[][]>();

/** The indices of the steps in which a player answered, in order. */
export function answered(replay: Replay, seat: number): number[] {
  let all = known.get(replay);
  if (!all) {
    all = replay.header.players.map((_, player) => replay.steps.flatMap((step, i) => (step.answers[player] ? [i] : [])));
    known.set(replay, all);
  }
  return all[seat] ?? [];
}

/**
 * The first turn at which a player failed: no answer in time, an answer that cost the match, a program that ended. Players in
 * `own` come first. Undefined where nobody failed.
 */
export function failingTurn(replay: Replay, own: number[] = []): number | undefined {
  const failed = replay.header.players.flatMap((_, seat) => {
    const fatal = replay.steps.findIndex((step) => step.faults.some((fault) => fault.seat === seat && fault.fatal));
    const silent = replay.steps.findIndex((step) => step.answers[seat] && step.answers[seat].output === null);
    const turns = [fatal, silent, ...(replay.end.causes[seat] ? [answered(replay, seat).at(-1) ?? -1] : [])].filter((turn) => turn > 0);
    return turns.length ? [{ turn: Math.min(...turns), own: own.includes(seat) }] : [];
  });
  return failed.sort((a, b) => Number(b.own) - Number(a.own) || a.turn - b.turn)[0]?.turn;
}

export interface Marked {
  index: number;
  marks: Mark[];
}

/** The steps that have marks on the timeline. */
export function marked(replay: Replay): Marked[] {
  return replay.steps.flatMap(({ marks }, index) => (marks.length ? [{ index, marks }] : []));
}

/** A number over time for each player; undefined where it is not known. */
export type Curve = (number | undefined)[][];

/** The names of the numbers that charts can show: those of the game, the score, the time of answers, those written by the bots. */
export function curves(replay: Replay): string[] {
  const own = Object.keys(uiOf(replay.header.game).scene.series);
  const timed = replay.steps.some((step) => step.answers.some((answer) => answer?.wall_us != null));
  const metrics = new Set<string>();
  for (const names of replay.end.metrics) {
    for (const [name, values] of Object.entries(names)) {
      if (values && typeof values === "object") metrics.add(name);
    }
  }
  return [...own, "score", ...(timed ? ["time"] : []), ...[...metrics].sort().map((name) => `bot: ${name}`)];
}

export function curve(replay: Replay, name: string): Curve {
  return replay.header.players.map((_, seat) => {
    if (name.startsWith("bot: ")) {
      const values = replay.end.metrics[seat]?.[name.slice(5)] as { [answer: string]: unknown } | undefined;
      const line: (number | undefined)[] = Array(replay.steps.length).fill(undefined);
      answered(replay, seat).forEach((index, answer) => {
        const value = values?.[String(answer)];
        if (typeof value === "number") line[index] = value;
      });
      return line;
    }
    const series = uiOf(replay.header.game).scene.series[name];
    return replay.steps.map((step, index) => {
      if (series) return series(replay, index, seat);
      if (name === "time") {
        const wall = step.answers[seat]?.wall_us;
        return wall == null ? undefined : wall / 1000;
      }
      // The score as people say it: the raw one may hold more than points.
      return step.parts[seat]?.points ?? undefined;
    });
  });
}
