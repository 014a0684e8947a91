// Drafts of sources and their history by game, stored in the browser; not stored where the browser forbids it.

export interface Draft {
  language: string;
  source: string;
}

export interface KeptDraft extends Draft {
  /** When it was kept. */
  at: number;
}

const name = (contest: string, game: string) => `agon-draft ${contest} ${game}`;
const historyName = (contest: string, game: string) => `agon-drafts ${contest} ${game}`;

/** Most drafts in a history, and most characters of all its sources: browsers store about five million. */
const MOST_KEPT = 30;
const MOST_CHARACTERS = 600_000;

const isDraft = (value: unknown): value is Draft =>
  typeof value === "object" && value !== null && typeof (value as Partial<Draft>).language === "string" && typeof (value as Partial<Draft>).source === "string";

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The browser forbids storage, or it is full.
  }
}

export function recallDraft(contest: string, game: string): Draft | undefined {
  const value = read(name(contest, game));
  return isDraft(value) ? { language: value.language, source: value.source } : undefined;
}

export function keepDraft(contest: string, game: string, draft: Draft): void {
  write(name(contest, game), draft);
}

/** Earlier drafts, the newest first. */
export function draftHistory(contest: string, game: string): KeptDraft[] {
  const value = read(historyName(contest, game));
  return Array.isArray(value) ? value.filter((one): one is KeptDraft => isDraft(one) && typeof (one as Partial<KeptDraft>).at === "number") : [];
}

/** Adds a draft to the history if it differs from the newest one. The oldest ones are removed. */
export function addToHistory(contest: string, game: string, draft: Draft, at: number): void {
  const before = draftHistory(contest, game);
  if (draft.source.trim() === "" || (before[0]?.source === draft.source && before[0].language === draft.language)) return;
  const kept: KeptDraft[] = [];
  let characters = 0;
  for (const one of [{ ...draft, at }, ...before].slice(0, MOST_KEPT)) {
    characters += one.source.length;
    if (kept.length && characters > MOST_CHARACTERS) break;
    kept.push(one);
  }
  write(historyName(contest, game), kept);
}
