// The messages of players. The renderer uses them too, so this file must not import components.

import type { AnyEvent } from "./game-ui";
import type { Replay } from "./wire";

/** The latest message of a player up to a step. */
export function messageAt(replay: Replay, index: number, seat: number): string | undefined {
  for (let i = index; i > 0; i--) {
    for (const event of replay.steps[i]!.events as AnyEvent[]) {
      if (event.kind === "message" && event.seat === seat) return event.text;
    }
  }
  return undefined;
}

/** The message of a player that is shown on the board: one of this step, or of the steps in which the other players moved since. */
export function saidAt(replay: Replay, index: number, seat: number): string | undefined {
  for (let i = index; i > 0 && i > index - replay.header.players.length; i--) {
    const step = replay.steps[i]!;
    const said = (step.events as AnyEvent[]).find((event) => event.kind === "message" && event.seat === seat);
    if (said) return said.text;
    if (step.answers[seat]) return undefined;
  }
  return undefined;
}
