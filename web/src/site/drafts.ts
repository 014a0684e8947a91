// Drafts of sources, stored in the browser until they are sent; not stored where the browser forbids it.

export interface Draft {
  language: string;
  source: string;
}

const name = (contest: string, game: string) => `agon-draft ${contest} ${game}`;

export function recallDraft(contest: string, game: string): Draft | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(name(contest, game)) ?? "null");
    const draft = value as Partial<Draft> | null;
    return typeof draft?.language === "string" && typeof draft.source === "string" ? { language: draft.language, source: draft.source } : undefined;
  } catch {
    return undefined;
  }
}

export function keepDraft(contest: string, game: string, draft: Draft): void {
  try {
    localStorage.setItem(name(contest, game), JSON.stringify(draft));
  } catch {
    // The browser forbids storage.
  }
}
