// Pictures of each scene, on a desk and on a phone, in light and in dark: `cargo xtask screenshots`.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { devices } from "playwright-core";
import { afterAll, test } from "vitest";
import { close, open, record, show, watch } from "./agon";

const out = process.env.SCREENSHOTS;
const MATCHES = [
  { game: "ocean-of-code", seed: 5, bots: ["gold", "legend"], turn: 61 },
  { game: "hypersonic", seed: 5, bots: ["gold", "gold", "silver", "gold"], turn: 40 },
  { game: "back-track", seed: 5, bots: ["gold", "silver"], turn: 40 },
];

afterAll(close);

test.runIf(out)("screenshots", { timeout: 300_000 }, async () => {
  mkdirSync(out!, { recursive: true });
  for (const { game, seed, bots, turn } of MATCHES) {
    const address = await watch(record(game, seed, bots));
    for (const [place, device] of [["desk", {}], ["phone", devices["Pixel 7"]!]] as const) {
      for (const theme of ["light", "dark"] as const) {
        const page = await open(device);
        await show(page, address, `turn=${turn}&theme=${theme}`);
        await page.screenshot({ path: join(out!, `${game}-${place}-${theme}.png`) });
        await page.context().close();
      }
    }
  }
  const page = await open();
  await page.goto((await watch(record("hypersonic", 3), record("hypersonic", 4))).split("?")[0]!);
  await page.waitForSelector(".challenge");
  await page.screenshot({ path: join(out!, "home.png") });
});
