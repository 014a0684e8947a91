/** The address if it is within the site, else undefined: anybody can write a query that leads elsewhere. */
export function local(to: string | undefined): string | undefined {
  if (!to?.startsWith("/")) return undefined;
  try {
    const url = new URL(to, location.origin);
    return url.origin === location.origin ? url.pathname + url.search + url.hash : undefined;
  } catch {
    return undefined;
  }
}

/** A time in the form of an input field: in the time zone of the visitor. */
export function toLocal(at: number): string {
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

export const fromLocal = (text: string): number => new Date(text).getTime();

const CODE = "agon-code";

/**
 * The code in a link such as `/signup#CODE`. Behind a `#` it reaches no server log. It is removed from the address, and kept for
 * this visit, since the visitor may have to sign up first.
 */
export function code(): string {
  const found = /^#[\w.-]{4,200}$/.test(location.hash) ? location.hash.slice(1) : "";
  try {
    if (!found) return sessionStorage.getItem(CODE) ?? "";
    sessionStorage.setItem(CODE, found);
  } catch {
    // The browser forbids storage.
  }
  history.replaceState(null, "", location.pathname + location.search);
  return found;
}

/** Removes the stored code after use. */
export function forgetCode(): void {
  try {
    sessionStorage.removeItem(CODE);
  } catch {
    // The browser forbids storage.
  }
}

/** Output of a program or a compiler without the path of the build folder, which is long and means nothing to its author. */
export const withoutFolder = (text: string): string => text.replace(/(?:\/[^\s"':/]+)*\/[0-9a-f-]{16,}\//g, "");

/** The full form of an address of this site. */
export const inFull = (to: string): string => (to.startsWith("/") ? location.origin + to : to);
