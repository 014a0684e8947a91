// A change that a page makes: whether it is being made, and the error of the last one.

import { ApiError } from "./api";

export class Action {
  busy = $state(false);
  error = $state.raw<ApiError>();

  /** `after` is called after each change that succeeds. */
  constructor(private readonly after: () => void = () => {}) {}

  /** Makes a change. Returns whether it succeeded. */
  async run(change: () => Promise<unknown>): Promise<boolean> {
    this.busy = true;
    try {
      await change();
      this.error = undefined;
      this.after();
    } catch (error) {
      this.error = ApiError.of(error);
    }
    this.busy = false;
    return this.error === undefined;
  }
}
