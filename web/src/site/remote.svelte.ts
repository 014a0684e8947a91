// A value loaded from the server: the last value stays while a new one is loading, so that the page does not jump.

import { untrack } from "svelte";
import { ApiError } from "./api";

export class Remote<T> {
  value = $state.raw<T>();
  error = $state.raw<ApiError>();
  loading = $state(true);
  private asked = 0;
  private wait: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ask: () => Promise<T> | undefined) {}

  /** Loads now. Only the latest request counts. */
  load(): void {
    const number = ++this.asked;
    const answer = this.ask();
    untrack(() => {
      this.loading = answer !== undefined;
    });
    if (!answer) return;
    answer.then(
      (value) => {
        if (number !== this.asked) return;
        this.value = value;
        this.error = undefined;
        this.loading = false;
      },
      (error: unknown) => {
        if (number !== this.asked) return;
        this.error = ApiError.of(error);
        this.loading = false;
      },
    );
  }

  /** Loads after a short delay: many events cause one request. */
  soon(): void {
    if (this.wait !== undefined) return;
    this.wait = setTimeout(() => {
      this.wait = undefined;
      untrack(() => this.load());
    }, 400);
  }

  stop(): void {
    this.asked++;
    clearTimeout(this.wait);
  }
}

/** Loads whenever the inputs of `ask` change; `undefined` means nothing to load yet. Call it while a component is created. */
export function remote<T>(ask: () => Promise<T> | undefined): Remote<T> {
  const made = new Remote(ask);
  $effect(() => made.load());
  $effect(() => () => made.stop());
  return made;
}
