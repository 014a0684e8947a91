// Whether the viewer is on the first screen.

import { expect } from "vitest";
import type { Page } from "playwright-core";

/** Windows of people: two desks, a phone upright, a phone that lies. */
export const SIZES = [[1366, 768], [1920, 1080], [390, 844], [844, 390]] as const;

/** Checks that these parts are on the first screen as a whole, and none covers another. */
export async function expectFit(page: Page, where: string): Promise<void> {
  await page.evaluate(() => scrollTo(0, 0));
  const { boxes, width, height } = await page.evaluate(() => ({
    boxes: [".stage", ".scores", ".controls"].map((part) => {
      const { left, top, right, bottom } = document.querySelector(part)!.getBoundingClientRect();
      return { part, left, top, right, bottom };
    }),
    width: innerWidth,
    height: innerHeight,
  }));
  for (const { part, left, top, right, bottom } of boxes) {
    expect(Math.min(left, top), `${part} of ${where}`).toBeGreaterThanOrEqual(-0.5);
    expect(right, `${part} of ${where}`).toBeLessThanOrEqual(width + 0.5);
    expect(bottom, `${part} of ${where}`).toBeLessThanOrEqual(height + 0.5);
    expect((right - left) * (bottom - top), `${part} of ${where}`).toBeGreaterThan(2000);
  }
  boxes.forEach((a, i) =>
    boxes.slice(i + 1).forEach((b) => {
      const apart = a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;
      expect(apart, `${a.part} and ${b.part} of ${where}`).toBe(true);
    }),
  );
}
