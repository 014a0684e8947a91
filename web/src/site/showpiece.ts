// Which match is shown where one stands for all.

import type { MatchInfo } from "./wire";

/** Of the latest matches the one most worth a look: nobody failed, as many at the table as there are, in as high a league as there is. */
export function showpiece(matches: readonly MatchInfo[]): MatchInfo | undefined {
  const worth = (match: MatchInfo) => (match.seats.some((seat) => seat.cause !== null) ? 0 : 100) + 10 * match.league + match.seats.length;
  return matches.filter((match) => match.state === "done").reduce<MatchInfo | undefined>((best, match) => (best && worth(best) >= worth(match) ? best : match), undefined);
}
