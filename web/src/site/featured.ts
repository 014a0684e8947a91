// Chooses the match to show on the home page and on the cards of the games.

import type { MatchInfo } from "./wire";

/** Of the latest matches the most interesting one: no player failed, the highest tier, the most players. */
export function mostInteresting(matches: readonly MatchInfo[]): MatchInfo | undefined {
  const worth = (match: MatchInfo) => (match.seats.some((seat) => seat.cause !== null) ? 0 : 100) + 10 * match.tier + match.seats.length;
  return matches.filter((match) => match.state === "done").reduce<MatchInfo | undefined>((best, match) => (best && worth(best) >= worth(match) ? best : match), undefined);
}
