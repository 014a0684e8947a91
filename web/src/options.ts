// Display options: stored in the browser, and read from the address.

import type { Chosen, Scene } from "./scene";

export function defaults(scene: Scene): Chosen {
  return Object.fromEntries(scene.choices.map((choice) => [choice.name, choice.values[0]!]));
}

/** The defaults of the scene, overridden by those values of `wanted` that the scene knows; later layers win. */
export function settle(scene: Scene, ...wanted: (Chosen | undefined)[]): Chosen {
  const chosen = defaults(scene);
  for (const { name, values } of scene.choices) {
    for (const layer of wanted) {
      const value = layer?.[name];
      if (value !== undefined && values.includes(value)) chosen[name] = value;
    }
  }
  return chosen;
}

/** The values in the address. */
export interface Address {
  match: number | undefined;
  compare: number | undefined;
  turn: number | undefined;
  autoplay: boolean;
  speed: number | undefined;
  lang: string | undefined;
  theme: string | undefined;
  play: string | undefined;
  options: Chosen;
}

/** `?play` alone starts playback; `?play=GAME` chooses the game of a person. Example: `?match=0&turn=12&autoplay=1&speed=2&lang=fr&theme=dark&options=possible:off,eyes:1` */
export function readAddress(search: string): Address {
  const query = new URLSearchParams(search);
  const number = (name: string) => {
    const text = query.get(name);
    const value = text === null || text.trim() === "" ? NaN : Number(text);
    return Number.isFinite(value) ? value : undefined;
  };
  const on = (name: string) => query.has(name) && !["0", "false"].includes(query.get(name)!);
  const pairs = (query.get("options") ?? "").split(",").map((pair) => pair.split(":"));
  return {
    match: number("match"),
    compare: number("compare"),
    turn: number("turn"),
    autoplay: on("autoplay") || query.get("play") === "",
    speed: number("speed"),
    lang: query.get("lang") ?? undefined,
    theme: query.get("theme") ?? undefined,
    play: query.get("play") || undefined,
    options: Object.fromEntries(pairs.filter((pair) => pair.length === 2)),
  };
}

/** Changes values of the address of this page without a visit to another one; undefined values are removed. */
export function writeAddress(values: { [name: string]: number | undefined }): void {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) address.searchParams.delete(name);
    else address.searchParams.set(name, String(value));
  }
  try {
    if (address.href !== location.href) history.replaceState(history.state, "", address);
  } catch {
    // The browser forbids it, as in a frame without an address.
  }
}

const KEY = "agon-viewer";

export type Remembered = { [name: string]: unknown };

/** The stored values; none where the browser forbids storage. */
export function recall(): Remembered {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return value && typeof value === "object" ? (value as Remembered) : {};
  } catch {
    return {};
  }
}

export function remember(values: Remembered): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...recall(), ...values }));
  } catch {
    // The browser forbids storage.
  }
}
