// Numbers and times in the format of the language.

import { settings } from "../settings.svelte";

class Clock {
  /** The time, updated every 15 seconds. */
  now = $state(Date.now());

  constructor() {
    setInterval(() => (this.now = Date.now()), 15_000);
  }
}

export const clock = new Clock();

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000], ["second", 1000]];

/** "2 minutes ago", "in 3 days". */
export function ago(at: number): string {
  const by = at - clock.now;
  const format = new Intl.RelativeTimeFormat(settings.lang, { numeric: "auto", style: "short" });
  if (Math.abs(by) < 20_000) return format.format(0, "second");
  const [unit, size] = UNITS.find(([, size]) => Math.abs(by) >= size) ?? UNITS[3]!;
  return format.format(Math.round(by / size), unit);
}

/** A duration in its two largest units: "2 d 3 h". */
export function span(ms: number): string {
  const names = settings.lang === "fr" ? ["j", "h", "min", "s"] : ["d", "h", "min", "s"];
  const parts = UNITS.map(([, size], at) => [Math.floor((at ? ms % UNITS[at - 1]![1] : ms) / size), names[at]!] as const);
  const first = Math.max(0, parts.findIndex(([count]) => count > 0));
  return parts.slice(first, first + 2).filter(([count], at) => at === 0 || count > 0).map(([count, name]) => `${count} ${name}`).join(" ");
}

export const date = (at: number) => new Date(at).toLocaleDateString(settings.lang, { dateStyle: "medium" });
export const dateTime = (at: number) => new Date(at).toLocaleString(settings.lang, { dateStyle: "medium", timeStyle: "short" });
export const whole = (value: number) => Math.round(value).toLocaleString(settings.lang);
export const decimal = (value: number, digits = 1) => value.toLocaleString(settings.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });
export const percent = (share: number) => share.toLocaleString(settings.lang, { style: "percent", maximumFractionDigits: 0 });
