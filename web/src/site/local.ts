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
