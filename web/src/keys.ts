// Keys and what they do: one table for the keyboard and for the page of help.

export type Deed =
  | "toggle" | "next" | "previous" | "nextTen" | "previousTen" | "first" | "last" | "faster" | "slower" | "help" | "options" | "inspect" | "leave";

/** Keys by deed, as `KeyboardEvent.key` names them, with `Shift+` where it counts. */
export const KEYS: { [deed in Deed]: string[] } = {
  toggle: [" "],
  next: ["ArrowRight"],
  previous: ["ArrowLeft"],
  nextTen: ["Shift+ArrowRight"],
  previousTen: ["Shift+ArrowLeft"],
  first: ["Home"],
  last: ["End"],
  faster: ["+", "="],
  slower: ["-"],
  options: ["o"],
  inspect: ["i"],
  help: ["?"],
  leave: ["Escape"],
};

export function deedOf(event: KeyboardEvent): Deed | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const arrow = event.key.startsWith("Arrow");
  const key = event.shiftKey && arrow ? `Shift+${event.key}` : event.key;
  return (Object.keys(KEYS) as Deed[]).find((deed) => KEYS[deed].includes(key));
}

/** Whether a key belongs to what has the focus: text that is typed, a list, a slider. */
export function isTyping(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("input:not([type=range]):not([type=checkbox]), select, textarea")) return true;
  // A button that has the focus is pressed by a space.
  return key === " " && target.closest("button, a, summary, input, [role=button]") !== null;
}
