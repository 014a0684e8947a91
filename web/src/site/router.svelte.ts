// The current address. Links are plain links; a click on a link within the site changes the page without loading it.

import { readAddress } from "../options";
import { address } from "../settings.svelte";

class Route {
  path = $state(location.pathname);
  query = $state.raw(new URLSearchParams(location.search));
  /** Counts the pages visited; changes of the query of a page do not count. */
  visit = $state(0);

  /** The value of a name in the query. */
  get(name: string): string | undefined {
    return this.query.get(name) ?? undefined;
  }

  /** An integer in the query; undefined where it is not one. */
  number(name: string): number | undefined {
    const text = this.query.get(name);
    const value = text === null || text.trim() === "" ? NaN : Number(text);
    return Number.isInteger(value) ? value : undefined;
  }
}

export const route = new Route();

function arrive(fresh: boolean): void {
  const changed = route.path !== location.pathname;
  route.path = location.pathname;
  route.query = new URLSearchParams(location.search);
  if (!changed && !fresh) return;
  route.visit++;
  const { turn, speed, autoplay } = readAddress(location.search);
  Object.assign(address, { turn, speed, autoplay });
}

/** Goes to another page of the site. */
export function go(to: string, replace = false): void {
  history[replace ? "replaceState" : "pushState"](null, "", to);
  arrive(true);
  scrollTo(0, 0);
}

/** Changes the query of this page; undefined values are removed. */
export function ask(values: { [name: string]: string | number | undefined }): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, String(value));
  }
  const text = query.toString();
  history.replaceState(null, "", location.pathname + (text ? `?${text}` : ""));
  arrive(false);
}

const OUTSIDE = /^\/(api\/|llms\.txt|healthz|assets\/)/;

/** Handles clicks on links and the back and forward buttons. */
export function listen(): () => void {
  const click = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin || OUTSIDE.test(link.pathname)) return;
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  };
  const back = () => arrive(true);
  document.addEventListener("click", click);
  window.addEventListener("popstate", back);
  return () => {
    document.removeEventListener("click", click);
    window.removeEventListener("popstate", back);
  };
}

/** The parts of a path named by a pattern such as `/games/:game`; undefined where it does not match. */
export function fit(pattern: string, path: string): { [name: string]: string } | undefined {
  const wanted = pattern.split("/").filter(Boolean);
  const given = path.split("/").filter(Boolean);
  if (wanted.length !== given.length) return undefined;
  const found: { [name: string]: string } = {};
  for (const [at, part] of wanted.entries()) {
    if (part.startsWith(":")) {
      try {
        found[part.slice(1)] = decodeURIComponent(given[at]!);
      } catch {
        return undefined;
      }
    } else if (part !== given[at]) return undefined;
  }
  return found;
}
