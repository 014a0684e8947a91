// A match that is followed while it is played.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { close, folder, open, serve, show, turn } from "./agon";

afterAll(close);

test("a live match is followed to its end", async () => {
  const bot = join(folder, "slow.py");
  writeFileSync(
    bot,
    `import sys, time
w, h, me = map(int, input().split())
n = 0
while True:
    for _ in range(h): input()
    for _ in range(int(input())): input()
    time.sleep(0.5)  # nothing happens for 20 rounds: that is the end
    n += 1
    print("[TDATA] thought = %d" % n, file=sys.stderr)
    print("MOVE %d %d turn %d" % ((0, 0, n) if me == 0 else (12, 10, n)), flush=True)
`,
  );
  const address = await serve("play", "hypersonic", "--bot", `python3 ${bot}`, "--bot", `python3 ${bot}`, "--seed", "3", "--watch", "--sandbox", "none", "--clock", "off");
  const page = await open();
  await show(page, address);
  const early = await turn(page);
  await expect.poll(() => turn(page), { timeout: 20_000 }).toBeGreaterThan(early + 3);
  expect(await page.locator(".live").count()).toBe(1);
  await expect.poll(() => page.locator("[data-over]").count(), { timeout: 40_000 }).toBe(1);
  expect(await page.locator(".live").count()).toBe(0);
  expect(await page.locator(".message").first().textContent()).toContain("turn");
  expect(await page.locator("[data-chart] option").allTextContents()).toContain("bot: thought");
  expect(await page.locator("[data-stderr]").first().textContent()).toContain("[TDATA] thought");
  await page.context().close();
});
