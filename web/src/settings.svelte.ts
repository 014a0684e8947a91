// What the person chose about the page as a whole: language, colours, display options. Remembered.

import { DARK, LIGHT, type Theme } from "./draw/theme";
import { readAddress, recall, remember, settle } from "./options";
import { SCENES } from "./scenes";
import type { Chosen } from "./scene";
import type { GameName } from "./wire";
import { langOf, speak, type Lang } from "./words";

const address = readAddress(location.search);
const remembered = recall();
const text = (value: unknown) => (typeof value === "string" ? value : undefined);
/** Who asked the system for less motion gets none, unless it is asked for here. */
const still = matchMedia("(prefers-reduced-motion: reduce)");
const preference = matchMedia("(prefers-color-scheme: dark)");

class Settings {
  lang = $state<Lang>(langOf(address.lang ?? text(remembered.lang)));
  colours = $state(address.theme ?? text(remembered.colours) ?? "system");
  private systemDark = $state(preference.matches);
  private options = $state<{ [game: string]: Chosen }>({ ...((remembered.options as { [game: string]: Chosen } | undefined) ?? {}) });

  constructor() {
    preference.addEventListener("change", (event) => (this.systemDark = event.matches));
  }

  get dark(): boolean {
    return this.colours === "system" ? this.systemDark : this.colours === "dark";
  }

  get theme(): Theme {
    return this.dark ? DARK : LIGHT;
  }

  words = $derived(speak(this.lang));

  chosen(game: GameName): Chosen {
    const own = this.options[game];
    const calm = still.matches ? { motion: "off" } : undefined;
    return settle(SCENES[game], calm, typeof own === "object" ? own : undefined, address.options);
  }

  choose(game: GameName, name: string, value: string): void {
    this.options[game] = { ...this.options[game], [name]: value };
    // What is chosen by hand counts more than what the address asked for.
    delete address.options[name];
    remember({ options: $state.snapshot(this.options) });
  }

  speakIn(lang: Lang): void {
    this.lang = lang;
    remember({ lang });
  }

  paintIn(colours: string): void {
    this.colours = colours;
    remember({ colours });
  }
}

export const settings = new Settings();
export { address };
