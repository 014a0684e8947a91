import type { Page } from "playwright-core";

/** Waits until the browser has drawn some frames: what a script did before is shown then. */
export function frames(page: Page, count = 2): Promise<void> {
  return page.evaluate((count) => new Promise<void>((done) => {
    let left = count;
    requestAnimationFrame(function frame() {
      if (--left > 0) requestAnimationFrame(frame);
      else done();
    });
  }), count);
}
