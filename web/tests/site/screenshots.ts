// Pictures of every page of the site, on a desk and on a phone, in light and in dark: `cargo xtask screenshots`.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { frames } from "../frames";
import { openArena, visitor } from "./agon";
import { furnish, settled } from "./pages";

const out = process.env.SCREENSHOTS;
// Without SCREENSHOTS no site is started: hooks run only for tests that run.
const arena = openArena();

test.runIf(out)("screenshots of the site", { timeout: 900_000 }, async () => {
  mkdirSync(out!, { recursive: true });
  const [player, admin] = [await visitor(), await visitor()];
  const pages = await furnish(arena, player, admin);
  const stranger = await visitor();
  for (const [who, paths] of [[stranger, pages.open], [player, pages.own], [admin, pages.admin]] as const) {
    for (const [place, width, height] of [["desk", 1280, 900], ["phone", 360, 740]] as const) {
      await who.setViewportSize({ width, height });
      for (const theme of ["light", "dark"]) {
        for (const [name, path] of Object.entries(paths)) {
          await who.goto(`${arena.url}${path}${path.includes("?") ? "&" : "?"}lang=${theme === "dark" ? "fr" : "en"}&theme=${theme}`);
          await settled(who);
          await frames(who, 30);
          await who.screenshot({ path: join(out!, `site-${name}-${place}-${theme}.png`) });
        }
      }
    }
  }
});
