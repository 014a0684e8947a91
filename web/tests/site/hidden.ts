// Hidden data stays hidden: a running match of a game with hidden information, a test of a version, a contest by invitation for
// visitors without one.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { kit, logInAdmin, openArena, organise, signUp, slow, submit, text, visitor } from "./agon";

const arena = openArena();

/** The starter bot, slowed down and without torpedoes, so that the match is still running when it is looked at. */
const SLOW = kit("ocean-of-code", "bot.py").replace("import sys\n", "import sys, time\n")
  .replace('print("|".join(bot.decide(turn))', 'time.sleep(0.025); print("|".join(one for one in bot.decide(turn) if not one.startswith("TORPEDO"))');

/** The answers of the API to direct requests. */
const asked = (page: Page, paths: string[]) => page.evaluate((paths) => Promise.all(paths.map(async (path) => {
  const answer = await fetch(`/api/v1${path}`);
  return { status: answer.status, text: await answer.text() };
})), paths);

test("a game of hidden information is shown when it is over, and only counted before", { timeout: 300_000 }, async () => {
  const player = await visitor();
  await signUp(player, arena.url, "captain");
  expect(SLOW).toContain("TORPEDO\"))");
  await submit(player, arena.url, "ocean-of-code", "bot.py", SLOW, "activate");
  const stranger = await visitor();
  await stranger.goto(arena.url);
  // The player's first match, while it is played.
  const running = () => stranger.evaluate(async () => {
    const live = await (await fetch("/api/v1/matches/live")).json();
    const found = live.find((one: { turn: number; info: { id: number; seats: { bot: { name: string } }[] } }) => one.turn > 3 && one.info.seats.some((seat) => seat.bot.name === "captain"));
    return (found?.info.id ?? 0) as number;
  });
  let id = 0;
  await expect.poll(async () => (id = await running()), { timeout: 120_000, interval: 150 }).toBeGreaterThan(0);
  await Promise.all([stranger, player].map(async (page) => {
    await page.goto(`${arena.url}/matches/${id}`);
    await page.waitForSelector("[data-page=match][data-watch=later] [data-hidden]");
    expect(await text(page.locator("[data-hidden]"))).toMatch(/Turn \d+/);
    // There is no board, no record to download, no score. Its owner does not see it either: it would show the position of the opponent.
    expect(await page.locator(".stage, [data-record]").count()).toBe(0);
    expect(await page.locator("[data-result] strong").count()).toBe(0);
    for (const { status, text } of await asked(page, [`/matches/${id}/replay`, `/matches/${id}/delta?from=0&attempt=1`, `/matches/${id}/record`])) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).not.toMatch(/"steps"|"turns"|"answers"|SURFACE|MOVE/);
    }
  }));
  // When it is over, the page shows it by itself.
  await stranger.waitForSelector("[data-page=match] [data-ready] .stage svg g *", slow);
  expect(await stranger.locator("[data-record]").count()).toBeGreaterThan(0);
  expect([...stranger.errors, ...player.errors]).toEqual([]);
  for (const one of [stranger, player]) await one.context().close();
});

test("a try of a version is its author's alone", { timeout: 200_000 }, async () => {
  const player = await visitor();
  await signUp(player, arena.url, "secretive");
  const version = await submit(player, arena.url, "hypersonic", "bot.py", kit("hypersonic", "bot.py"), "test");
  await player.waitForSelector("[data-verdict]", slow);
  const id = await player.locator("[data-match]").first().getAttribute("data-match");
  const stranger = await visitor();
  await stranger.goto(`${arena.url}/matches/${id}`);
  await stranger.waitForSelector("[data-error=not_found]");
  for (const { status, text } of await asked(stranger, [`/matches/${id}`, `/matches/${id}/replay`, `/matches/${id}/record`, `/versions/${version}`])) {
    expect([401, 404]).toContain(status);
    expect(text).not.toContain("secretive");
  }
  // Nor is it in any list.
  await stranger.goto(`${arena.url}/matches`);
  await stranger.waitForSelector("[data-page=matches] h1");
  const lists = await asked(stranger, ["/matches?limit=100", "/matches/live", "/matches?game=hypersonic&limit=100"]);
  for (const { text } of lists) expect(text).not.toContain("secretive");
  expect([...stranger.errors, ...player.errors]).toEqual([]);
  for (const one of [stranger, player]) await one.context().close();
});

test("a contest takes bots when it runs, and from those who were invited", { timeout: 120_000 }, async () => {
  const admin = await visitor();
  await logInAdmin(admin, arena);
  await organise(admin, "contests", { key: "later", title: "Later", starts: Date.now() + 3_600_000, ends: Date.now() + 7_200_000, invited_only: false, games: [{ game: "hypersonic" }], final_top: 2, final_matches: 1 });
  await organise(admin, "contests", { key: "closed-circle", title: "Closed circle", starts: Date.now() - 60_000, ends: Date.now() + 7_200_000, invited_only: true, games: [{ game: "hypersonic" }], final_top: 2, final_matches: 1 });
  const player = await visitor();
  await signUp(player, arena.url, "outsider");
  await player.goto(`${arena.url}/contests/later`);
  await player.waitForSelector("[data-page=contest][data-state=planned]");
  // Before it begins there is a clock, and no board.
  expect(await player.locator("[data-left]").count()).toBe(1);
  expect(await player.locator("[data-board], [data-matches]").count()).toBe(0);
  await player.goto(`${arena.url}/submit/hypersonic?contest=later`);
  await player.waitForSelector("[data-contest-closed=time]");
  await expect.poll(() => player.evaluate(async () => (await (await fetch("/api/v1/contests/closed-circle")).json()).contest.state), slow).toBe("running");
  await player.goto(`${arena.url}/submit/hypersonic?contest=closed-circle`);
  await player.waitForSelector("[data-contest-closed=invitation]");
  expect(await player.locator("[data-send]").count()).toBe(0);
  // The server refuses direct requests too.
  const status = await player.evaluate(async () => {
    const { csrf } = await (await fetch("/api/v1/me")).json();
    const send = (contest: string) => fetch("/api/v1/submissions", { method: "POST", headers: { "content-type": "application/json", "x-agon-csrf": csrf }, body: JSON.stringify({ contest, game: "hypersonic", language: "Python", source: "print(1)", activate: true }) });
    return [(await send("later")).status, (await send("closed-circle")).status];
  });
  for (const one of status) expect(one).toBeGreaterThanOrEqual(400);
  expect([...admin.errors, ...player.errors]).toEqual([]);
  for (const one of [admin, player]) await one.context().close();
});
