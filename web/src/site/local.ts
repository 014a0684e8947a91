/** An address within the site; anything else is none. What comes in a query may have been written by anybody. */
export function local(to: string | undefined): string | undefined {
  if (!to?.startsWith("/")) return undefined;
  try {
    const url = new URL(to, location.origin);
    return url.origin === location.origin ? url.pathname + url.search + url.hash : undefined;
  } catch {
    return undefined;
  }
}

/** A time as an input field of the browser has it: in the visitor's own zone. */
export function toLocal(at: number): string {
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

export const fromLocal = (text: string): number => new Date(text).getTime();

const CODE = "agon-code";

/**
 * The code in a link such as `/signup#CODE`. It stands behind a `#`, so no server logs it; it is nobody's business, so it does not
 * stay in the address; and since an account may have to be made first, it is remembered for this visit.
 */
export function code(): string {
  const found = /^#[\w.-]{4,200}$/.test(location.hash) ? location.hash.slice(1) : "";
  try {
    if (!found) return sessionStorage.getItem(CODE) ?? "";
    sessionStorage.setItem(CODE, found);
  } catch {
    // A browser may forbid to remember.
  }
  history.replaceState(null, "", location.pathname + location.search);
  return found;
}

/** It was used. */
export function forgetCode(): void {
  try {
    sessionStorage.removeItem(CODE);
  } catch {
    // See above.
  }
}

/** What a program or a compiler wrote, without the folder of the workshop it was in: that is long, and tells its author nothing. */
export const withoutFolder = (text: string): string => text.replace(/(?:\/[^\s"':/]+)*\/workshop\/[0-9a-f-]{16,}\//g, "");

/** An address of this site, in full: to be handed to somebody. */
export const inFull = (to: string): string => (to.startsWith("/") ? location.origin + to : to);
