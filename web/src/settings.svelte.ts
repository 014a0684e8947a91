// The choices of the visitor for the whole page: language, colours, display options. The browser stores them.

import { DARK, LIGHT, type Theme } from "./draw/theme";
import { uiOf, wordsOf } from "./games";
import { readAddress, recall, remember, settle } from "./options";
import type { Chosen } from "./scene";
import { langOf, speak, type Lang, type Speak } from "./words";

const address = readAddress(location.search);
const remembered = recall();
const text = (value: unknown) => (typeof value === "string" ? value : undefined);
/** Where the system asks for less motion, there is none, unless it is switched on here. */
const still = matchMedia("(prefers-reduced-motion: reduce)");
const preference = matchMedia("(prefers-color-scheme: dark)");

class Settings {
  lang = $state<Lang>(langOf(address.lang ?? text(remembered.lang)));
  colours = $state(address.theme ?? text(remembered.colours) ?? "system");
  sound = $state(remembered.sound === true);
  private systemDark = $state(preference.matches);
  private options = $state<{ [game: string]: Chosen }>({ ...((remembered.options as { [game: string]: Chosen } | undefined) ?? {}) });

  constructor() {
    preference.addEventListener("change", (event) => (this.systemDark = event.matches));
  }

  get dark(): boolean {
    return this.colours === "system" ? this.systemDark : this.colours === "dark";
  }

  /** Whether the system asks for less motion. */
  get still(): boolean {
    return still.matches;
  }

  get theme(): Theme {
    return this.dark ? DARK : LIGHT;
  }

  words = $derived(speak(this.lang));

  /** The words of a game, and those all games share. */
  wordsOf(game: string): Speak<string> {
    return wordsOf(game, this.lang);
  }

  chosen(game: string): Chosen {
    const own = this.options[game];
    const calm = still.matches ? { motion: "off" } : undefined;
    return settle(uiOf(game).scene, calm, typeof own === "object" ? own : undefined, address.options);
  }

  choose(game: string, name: string, value: string): void {
    this.options[game] = { ...this.options[game], [name]: value };
    // A choice made by hand overrides the address.
    delete address.options[name];
    remember({ options: $state.snapshot(this.options) });
  }

  speakIn(lang: Lang): void {
    this.lang = lang;
    remember({ lang });
  }

  /** Switches sound on or off. */
  hear(on: boolean): void {
    this.sound = on;
    remember({ sound: on });
  }

  /** A whole number, as the language writes it. */
  whole(value: number): string {
    return value.toLocaleString(this.lang, { maximumFractionDigits: 0 });
  }

  /** A number with one decimal, as the language writes it. */
  decimal(value: number): string {
    return value.toLocaleString(this.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  }

  paintIn(colours: string): void {
    this.colours = colours;
    remember({ colours });
  }
}

export const settings = new Settings();
export { address };
