// Keyboard shortcuts: one table for the keyboard and for the help dialog.

export type Action =
  | "toggle" | "next" | "previous" | "nextTen" | "previousTen" | "first" | "last" | "faster" | "slower" | "help" | "options" | "inspect" | "nextMoment" | "previousMoment" | "better" | "continue" | "full" | "theatre" | "sound" | "leave";

/** Keys by action, as `KeyboardEvent.key` names them, with `Shift+` where it matters. */
export const KEYS: { [action in Action]: string[] } = {
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
  nextMoment: ["n"],
  previousMoment: ["p"],
  better: ["b"],
  continue: ["c"],
  inspect: ["i"],
  full: ["f"],
  theatre: ["t"],
  sound: ["m"],
  help: ["?"],
  leave: ["Escape"],
};

export function actionOf(event: KeyboardEvent): Action | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const arrow = event.key.startsWith("Arrow");
  const key = event.shiftKey && arrow ? `Shift+${event.key}` : event.key;
  return (Object.keys(KEYS) as Action[]).find((action) => KEYS[action].includes(key));
}

/** Whether the focused element uses the key itself: a text field, a list, or a button that Space presses. */
export function isTyping(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("input:not([type=range]):not([type=checkbox]), select, textarea")) return true;
  // Space presses a focused button.
  return key === " " && target.closest("button, a, summary, input, [role=button]") !== null;
}
