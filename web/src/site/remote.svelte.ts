// What is asked of the server by a page: the last answer stays while another one is on its way, so that nothing jumps.

import { untrack } from "svelte";
import { ApiError } from "./api";

export class Remote<T> {
  value = $state.raw<T>();
  error = $state.raw<ApiError>();
  loading = $state(true);
  private asked = 0;
  private wait: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ask: () => Promise<T> | undefined) {}

  /** Asks now. Only the latest question counts. */
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

  /** Asks soon: many pieces of news become one question. */
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

/** Asks whenever what the question depends on has changed; `undefined` is no question yet. For the start of a component. */
export function remote<T>(ask: () => Promise<T> | undefined): Remote<T> {
  const made = new Remote(ask);
  $effect(() => made.load());
  $effect(() => () => made.stop());
  return made;
}
