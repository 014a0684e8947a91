// Every page of a site on which something has happened: for the checks of all pages, and for pictures of them.

import type { Page } from "playwright-core";
import { goToItsBot, kit, logInAdmin, organise, signUp, slow, submit, untilItPlays, type Site } from "./agon";

export interface Furnished {
  /** What strangers see. */
  open: { [name: string]: string };
  /** What a player sees. */
  own: { [name: string]: string };
  admin: { [name: string]: string };
}

/** Lets a player play, fail and rise, and the organiser organise. */
export async function furnish(arena: Site, player: Page, admin: Page): Promise<Furnished> {
  await logInAdmin(admin, arena);
  await organise(admin, "announcements", { en: "Finals of the spring cup on Friday at six. Bring a bot.", fr: "Finale de la coupe de printemps vendredi à dix-huit heures. Apportez un bot." });
  await organise(admin, "contests", { key: "spring", title: "Spring cup", starts: Date.now() - 60_000, ends: Date.now() + 200_000_000, invited_only: true, games: [{ game: "hypersonic" }, { game: "back-track" }], final_top: 8, final_matches: 20 });
  await signUp(player, arena.url, "grace-hopper");
  const failed = await submit(player, arena.url, "hypersonic", "bot.cpp", "#include <iostream>\nint main() {\n  int answer = forty_two;\n}\n", "test");
  await player.waitForSelector("[data-build-failed]", slow);
  const crashed = await submit(player, arena.url, "hypersonic", "bot.py", "input()\nraise ValueError('the map is upside down')\n", "test");
  await player.waitForSelector("[data-failure]", slow);
  const loser = await player.locator("[data-match]").first().getAttribute("data-match");
  await submit(player, arena.url, "hypersonic", "bot.py", kit("hypersonic", "bot.py"), "activate");
  await untilItPlays(player);
  await goToItsBot(player);
  await player.waitForSelector("[data-promotions] li", slow);
  const bot = new URL(player.url()).pathname;
  // Another match of each game, to be looked at.
  const last = await player.evaluate(async () => {
    const found: { [game: string]: number } = {};
    for (let look = 0; look < 100 && Object.keys(found).length < 3; look++) {
      for (const game of ["hypersonic", "ocean-of-code", "back-track"]) {
        const { matches } = await (await fetch(`/api/v1/matches?game=${game}&limit=20`)).json();
        const done = matches.find((one: { state: string }) => one.state === "done");
        if (done) found[game] = done.id;
      }
      await new Promise((done) => setTimeout(done, 500));
    }
    return found;
  });
  const matches = Object.fromEntries(Object.entries(last).map(([game, id]) => [`match-${game}`, `/matches/${id}`]));
  return {
    open: {
      "home": "/", "games": "/games", "statement": "/games/hypersonic", "board": "/games/hypersonic/leaderboard", "game-matches": "/games/back-track/matches", "kits": "/games/ocean-of-code/kits",
      "play": "/games/hypersonic/play", "matches": "/matches", ...matches, "leaderboard": "/leaderboard/hypersonic", "side-quest": "/leaderboard/back-track?board=side-quest", "bot": bot, "profile": "/users/grace-hopper",
      "contests": "/contests", "contest": "/contests/spring", "submit": "/submit", "login": "/login", "signup": "/signup", "reset": "/reset", "developers": "/developers", "not-found": "/nowhere/at/all", "no-match": "/matches/999999",
    },
    own: { "my-bots": "/bots", "my-bot": bot, "submit-game": "/submit/hypersonic", "version-failed": `/versions/${failed}`, "version-crashed": `/versions/${crashed}`, "my-failure": `/matches/${loser}`, "settings": "/settings", "notices": "/notices" },
    admin: { "admin": "/admin", "admin-users": "/admin/users", "admin-invite": "/admin/invite", "admin-contests": "/admin/contests", "admin-announce": "/admin/announce", "admin-voids": "/admin/voids", "admin-recompute": "/admin/recompute", "admin-audit": "/admin/audit" },
  };
}

/** Waits until a page stands: nothing is on its way any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector("main h1, main [data-error]");
  await page.waitForFunction(() => !document.querySelector("main .skeleton, main [data-editor=loading]"));
  await page.waitForTimeout(150);
}
