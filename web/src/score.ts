// Scores as people say them. What decides a match is one number for each seat; what it is made of is worth more to the eye.

export interface Told {
  /** Points as the game counts them; nothing where the number only says who won. */
  points: number | undefined;
  /** The round in which the player was out. */
  out?: number;
}

/** Hypersonic adds to the boxes of those who are still there, or else the round in which they fell (rules, section 11). */
const SURVIVOR = 1_000_000;
const ROUND = 100;

/** What the scores of all seats of a match say. */
export function told(game: string, scores: readonly (number | null)[]): Told[] {
  // Somebody who was disqualified has less than nothing; in the first leagues of Back Track there is winning and losing, and no points.
  const decided = scores.some((score) => score !== null && score < 0) && scores.every((score) => score === null || score <= 0);
  return scores.map((score) => {
    if (score === null || score < 0 || decided) return { points: undefined };
    if (game !== "hypersonic") return { points: score };
    return score >= SURVIVOR ? { points: score - SURVIVOR } : { points: score % ROUND, out: Math.floor(score / ROUND) };
  });
}

/** The points of a seat, to be written where there is little room. */
export const pointsOf = (game: string, scores: readonly number[], seat: number): string => String(told(game, scores)[seat]?.points ?? "–");
