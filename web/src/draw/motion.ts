// Small curves for motion. `t` goes from 0 (the state before) to 1 (the state after).

export const clamp = (t: number) => Math.max(0, Math.min(1, t));
/** The part of a motion between two times, from 0 to 1. */
export const between = (t: number, from: number, to: number) => clamp((t - from) / (to - from));
export const ease = (t: number) => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2);
export const mix = (a: number, b: number, t: number) => a + (b - a) * t;
/** The opacity of an event: it rises, then stays at `rest`, so that a still picture shows the event too. */
export const linger = (t: number, from: number, rest = 0.6) => {
  const rise = between(t, from, from + 0.2);
  return rise * mix(1, rest, between(t, from + 0.3, 1));
};
