// Loads replays: from the page itself, or from the server that sent it. No other host is asked.

import type { Analysis, Challenge, Continuation, Fault, Replay, ReplayDelta, ReplayEnd, ReplayHeader, ReplayList, Reply, Step, Trial, Tried } from "./wire";

/** The replays inside the page, base64 of gzipped JSON; undefined where the page came from a server. */
export async function insidePage(): Promise<Replay[] | undefined> {
  const packed = document.getElementById("agon-replays")?.textContent;
  if (!packed) return undefined;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const text = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
  return (await text.json()) as Replay[];
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const request = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, request);
  const answer: unknown = await response.json().catch(() => ({ error: response.statusText }));
  if (!response.ok) throw new Error((answer as { error?: string }).error ?? response.statusText);
  return answer as T;
}

/** A server of replays: `agon watch`, or a site. */
export interface Source {
  replay(id: number): Promise<Replay>;
  /** The steps after the first `from` ones; the server waits for them for some time. */
  delta(id: number, from: number, attempt: number): Promise<ReplayDelta>;
  answer(id: number, line: string | null): Promise<Reply>;
  check(id: number, line: string): Promise<Fault[]>;
  recordAddress(id: number): string;
  statement(header: Pick<ReplayHeader, "game" | "league" | "edition">, lang: string): Promise<string>;
}

export const list = () => ask<ReplayList>("api/replays");
export const play = (challenge: Challenge) => ask<Reply>("api/play", challenge);
export const question = (id: number) => ask<Reply>(`api/matches/${id}/question`);
export const analyse = (id: number) => ask<Analysis>(`api/matches/${id}/analysis`, null);
export const run = (id: number, trial: Trial) => ask<Tried>(`api/matches/${id}/run`, trial);
export const continued = (id: number, wanted: Continuation) => ask<Reply>(`api/matches/${id}/continue`, wanted);

/** The server of `agon watch`. */
export const LOCAL: Source = {
  replay: (id) => ask<Replay>(`api/matches/${id}`),
  delta: (id, from, attempt) => ask<ReplayDelta>(`api/matches/${id}/delta?from=${from}&attempt=${attempt}`),
  answer: (id, line) => ask<Reply>(`api/matches/${id}/answer`, { line }),
  check: (id, line) => ask<Fault[]>(`api/matches/${id}/check`, { line }),
  recordAddress: (id) => `api/matches/${id}/record`,
  async statement({ game, league, edition }, lang) {
    const query = new URLSearchParams({ game, lang });
    if (league !== null) query.set("league", String(league));
    if (edition !== null) query.set("edition", edition);
    const response = await fetch(`api/statement?${query}`);
    return response.text();
  },
};

export interface Growth {
  steps: Step[];
  /** The match was started again: the steps so far are void. */
  restarted: boolean;
  end: ReplayEnd;
  done: boolean;
  attempt: number;
}

/** Follows a live match until it is over. */
export async function follow(source: Source, id: number, from: number, attempt: number, grow: (growth: Growth) => void, stop: AbortSignal) {
  let have = from;
  while (!stop.aborted) {
    let delta: ReplayDelta;
    try {
      delta = await source.delta(id, have, attempt);
    } catch {
      // The server may be restarting or busy: ask again in a second.
      await new Promise((done) => setTimeout(done, 1000));
      continue;
    }
    if (stop.aborted) return;
    const restarted = delta.attempt !== attempt;
    attempt = delta.attempt;
    have = (restarted ? 0 : have) + delta.steps.length;
    grow({ steps: delta.steps, restarted, end: delta.end, done: delta.done, attempt });
    if (delta.done) return;
  }
}
