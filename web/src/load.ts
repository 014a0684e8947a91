// Where stories come from: the page itself, or the server it came from. Nobody else is asked.

import type { Asked, Challenge, Closing, Fault, Library, Moment, More, Opening, Reply, Story } from "./wire";

/** Stories inside the page, packed; nothing where it came from a server. */
export async function insidePage(): Promise<Story[] | undefined> {
  const packed = document.getElementById("agon-stories")?.textContent;
  if (!packed) return undefined;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const text = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
  return (await text.json()) as Story[];
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const request = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, request);
  const answer: unknown = await response.json().catch(() => ({ error: response.statusText }));
  if (!response.ok) throw new Error((answer as { error?: string }).error ?? response.statusText);
  return answer as T;
}

/** Who has the matches that are shown: the viewer's own server, or a site it is part of. */
export interface Source {
  story(id: number): Promise<Story>;
  /** What came after so many moments; waits a while for it. */
  more(id: number, from: number, attempt: number): Promise<More>;
  answer(id: number, line: string | null): Promise<Reply>;
  check(id: number, line: string): Promise<Fault[]>;
  recordAddress(id: number): string;
  statement(opening: Pick<Opening, "game" | "league" | "edition">, lang: string): Promise<string>;
}

export const library = () => ask<Library>("api/library");
export const play = (challenge: Challenge) => ask<Reply>("api/play", challenge);

export const OWN: Source = {
  story: (id) => ask<Story>(`api/matches/${id}`),
  more: (id, from, attempt) => ask<More>(`api/matches/${id}/more?from=${from}&attempt=${attempt}`),
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
  moments: Moment[];
  /** From the start: what was there before is void. */
  anew: boolean;
  closing: Closing;
  done: boolean;
  attempt: number;
}

/** Follows a match that is being played until it is over. */
export async function follow(source: Source, id: number, from: number, attempt: number, grow: (growth: Growth) => void, stop: AbortSignal) {
  let have = from;
  while (!stop.aborted) {
    let more: More;
    try {
      more = await source.more(id, have, attempt);
    } catch {
      // The server may have gone, or be busy: there is time.
      await new Promise((done) => setTimeout(done, 1000));
      continue;
    }
    if (stop.aborted) return;
    const anew = more.attempt !== attempt;
    attempt = more.attempt;
    have = (anew ? 0 : have) + more.moments.length;
    grow({ moments: more.moments, anew, closing: more.closing, done: more.done, attempt });
    if (more.done) return;
  }
}

export type { Asked };
