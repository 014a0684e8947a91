// The addresses of every page of a site that is in use: for the checks of all pages, and for pictures of them.

import type { Page } from "playwright-core";
import { vi } from "vitest";
import { frames } from "../frames";
import { GAMES } from "../games";
import { goToItsBot, kit, logInAdmin, organise, signUp, slow, submit, untilItPlays, untilItRises, type Site } from "./agon";

export interface Furnished {
  /** Pages for every visitor. */
  open: { [name: string]: string };
  /** Pages of a player. */
  own: { [name: string]: string };
  admin: { [name: string]: string };
}

/** Lets a player submit bots that fail and win, and the organiser make a contest and an announcement. */
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
  await untilItRises(player);
  const bot = new URL(player.url()).pathname;
  // A finished match of each game.
  const last: { [game: string]: number } = {};
  for (const game of GAMES) {
    await vi.waitFor(async () => {
      const { matches } = await player.evaluate(async (game) => (await fetch(`/api/v1/matches?game=${game}&limit=20`)).json(), game);
      last[game] = matches.find((one: { state: string }) => one.state === "done")?.id;
      if (last[game] === undefined) throw new Error(`no match of ${game} is over`);
    }, { ...slow, interval: 200 });
  }
  const matches = Object.fromEntries(Object.entries(last).map(([game, id]) => [`match-${game}`, `/matches/${id}`]));
  return {
    open: {
      "home": "/", "games": "/games", "statement": "/games/hypersonic", "board": "/games/hypersonic/leaderboard", "game-matches": "/games/back-track/matches", "kits": "/games/ocean-of-code/kits",
      "play": "/games/hypersonic/play", "matches": "/matches", ...matches, "embed": `/embed/matches/${last[GAMES[0]!]}`, "leaderboard": "/leaderboard/hypersonic", "side-quest": "/leaderboard/back-track?board=side-quest", "bot": bot, "fight": `${bot}/fights/1`, "against": `${bot}/against/1`, "search": "/search?q=grace", "found": "/matches?player=grace-hopper&result=won", "results": "/contests/spring/results", "profile": "/users/grace-hopper",
      "contests": "/contests", "contest": "/contests/spring", "submit": "/submit", "login": "/login", "signup": "/signup", "reset": "/reset", "developers": "/developers", "not-found": "/nowhere/at/all", "no-match": "/matches/999999",
    },
    own: { "my-bots": "/bots", "my-bot": bot, "submit-game": "/submit/hypersonic", "version-failed": `/versions/${failed}`, "version-crashed": `/versions/${crashed}`, "my-failure": `/matches/${loser}`, "settings": "/settings", "notices": "/notices" },
    admin: { "admin": "/admin", "admin-users": "/admin/users", "admin-invite": "/admin/invite", "admin-contests": "/admin/contests", "admin-announce": "/admin/announce", "admin-voids": "/admin/voids", "admin-workers": "/admin/workers", "admin-recompute": "/admin/recompute", "admin-audit": "/admin/audit" },
  };
}

/** Waits until a page has loaded its content. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector("main h1, main [data-error]");
  await page.waitForFunction(() => !document.querySelector("main .skeleton, main [data-editor=loading]"));
  await frames(page, 10);
}
