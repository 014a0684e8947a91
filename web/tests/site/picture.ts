// The picture of the site in the README: `cargo xtask picture arena`.

import { expect, test } from "vitest";
import { kit, logInAdmin, openArena, organise, signUp, slow, submit, untilItPlays, visitor } from "./agon";
import { frames } from "../frames";
import { settled } from "./pages";

const out = process.env.PICTURE;
// Without PICTURE no site is started: hooks run only for tests that run.
const arena = openArena();
const PLAYERS: [name: string, game: string][] = [["ada", "hypersonic"], ["grace", "back-track"], ["alan", "ocean-of-code"], ["edsger", "hypersonic"], ["barbara", "back-track"]];

test.runIf(out)("the first page of an arena in which the last league plays", { timeout: 900_000 }, async () => {
  const admin = await visitor();
  await logInAdmin(admin, arena);
  for (const [name, game] of PLAYERS) {
    const player = await visitor();
    await signUp(player, arena.url, name);
    await submit(player, arena.url, game, "bot.py", kit(game, "bot.py"), "activate");
    await untilItPlays(player);
    await player.context().close();
  }
  // A good match of the last league in each game, and one of four players in Hypersonic.
  await expect.poll(() => admin.evaluate(async () => {
    const good = [["ocean-of-code", 2], ["hypersonic", 4], ["back-track", 2]].map(async ([game, seats]) => {
      const { games } = await (await fetch("/api/v1/site")).json();
      const tier = games.find((one: { name: string }) => one.name === game).leagues.length - 1;
      const { matches } = await (await fetch(`/api/v1/matches?game=${game}&tier=${tier}&limit=30`)).json();
      return matches.some((one: { state: string; seats: { cause: string | null }[] }) => one.state === "done" && one.seats.length === seats && one.seats.every((seat) => seat.cause === null));
    });
    return (await Promise.all(good)).filter(Boolean).length;
  }), { timeout: 800_000, interval: 2000 }).toBe(3);
  await organise(admin, "pause", {});
  await expect.poll(() => admin.evaluate(async () => (await (await fetch("/api/v1/matches/live")).json()).length), slow).toBe(0);

  // Without motion each preview shows a turn late in the match. The README shows the picture at three quarters of its size.
  const page = await visitor({ viewport: { width: 1280, height: 1160 }, deviceScaleFactor: 0.75, reducedMotion: "reduce" });
  await page.goto(`${arena.url}/?lang=en&theme=light`);
  await settled(page);
  await expect.poll(() => page.locator("[data-preview=drawn]").count()).toBe(4);
  await frames(page, 30);
  await page.screenshot({ path: out! });
});
