// The tools of the viewer for a finished match of the arena: analysis, a bot on a recorded turn, continuations.

import { settings } from "../settings.svelte";
import type { Offer, Tools } from "../tools";
import type { Asked, Replay, Trial, Tried } from "../wire";
import { api, humanGames } from "./api";
import { session } from "./session.svelte";
import type { MatchInfo } from "./wire";

/** A continuation of a match. */
export interface Continued {
  replay: Replay;
  id: number;
  asked: Asked | null | undefined;
}

interface Running {
  /** The bots that can be run on the turns of the visitor's seats. */
  bots: Offer[];
  run: (trial: Trial) => Promise<Tried>;
}

export function matchTools(info: MatchInfo, mine: number[], running: Running, show: (continued: Continued, turn: number) => void): Tools | undefined {
  if (info.state !== "done") return undefined;
  const { id, game, contest, tier } = info;
  const bosses = [...new Set((session.game(game)?.leagues ?? []).map(({ boss }) => boss))];
  const players = [{ value: "you", label: settings.words("you") }, ...["random", ...bosses].map((name) => ({ value: `@${name}`, label: name }))];
  return {
    analyse: () => api.analysis(id),
    ...(mine.length ? { run: { bots: (seat: number) => (mine.includes(seat) ? running.bots : []), run: running.run } } : {}),
    continue: {
      players: () => players,
      async begin(wanted) {
        const reply = await api.continued(id, wanted);
        const replay = await humanGames(contest, game, tier).replay(reply.id);
        show({ replay, id: reply.id, asked: replay.header.human === null ? undefined : reply.asked }, wanted.turn);
      },
    },
  };
}
