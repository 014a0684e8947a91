// Pictures of every page of the site, on desks and phones, in light and in dark, in English and in French: `cargo xtask screenshots`.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { frames } from "../frames";
import { openArena, visitor } from "./agon";
import { furnish, settled } from "./pages";

const out = process.env.SCREENSHOTS;
// Without SCREENSHOTS no site is started: hooks run only for tests that run.
const arena = openArena();

const SIZES = [["desk", 1366, 768], ["large", 1920, 1080], ["phone", 390, 844], ["phone-lying", 844, 390]] as const;
const LOOKS = [["en", "light"], ["fr", "dark"], ["fr", "light"], ["en", "dark"]] as const;

test.runIf(out)("screenshots of the site", { timeout: 3_600_000 }, async () => {
  mkdirSync(out!, { recursive: true });
  const [player, admin] = [await visitor(), await visitor()];
  const pages = await furnish(arena, player, admin);
  const stranger = await visitor();
  for (const [who, paths] of [[stranger, pages.open], [player, pages.own], [admin, pages.admin]] as const) {
    for (const [place, width, height] of SIZES) {
      await who.setViewportSize({ width, height });
      for (const [lang, theme] of LOOKS) {
        for (const [name, path] of Object.entries(paths)) {
          await who.goto(`${arena.url}${path}${path.includes("?") ? "&" : "?"}lang=${lang}&theme=${theme}`);
          await settled(who);
          await frames(who, 30);
          await who.screenshot({ path: join(out!, `site-${name}-${place}-${theme}-${lang}.png`) });
        }
      }
    }
  }
});
