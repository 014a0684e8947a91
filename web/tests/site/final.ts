// The end of a contest: the final is played, the board is final, and everything can be downloaded.

import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { kit, logInAdmin, openArena, organise, signUp, slow, submit, text, visitor } from "./agon";

const arena = openArena();

/** A bot that never moves. */
const IDLE = `
import sys
width, height, me = map(int, input().split())
while True:
    for _ in range(height): input()
    entities = [input().split() for _ in range(int(input()))]
    x, y = next((int(e[2]), int(e[3])) for e in entities if e[0] == "0" and int(e[1]) == me)
    print("MOVE", x, y, flush=True)
`;
const PLAYERS = { first: kit("hypersonic", "bot.py"), second: IDLE, third: IDLE };

/** The lines of the board that is shown: place, name, rating. */
async function lines(page: Page): Promise<{ place: number; name: string; rating: string; builtIn: boolean }[]> {
  await page.waitForSelector("[data-board=rating] tbody tr[data-bot]");
  return page.locator("[data-board=rating] tbody tr[data-bot]").evaluateAll((rows) => rows.map((row) => ({
    place: Number(row.querySelector(".place")!.textContent),
    name: row.querySelector(".bot a")!.textContent!.trim(),
    rating: row.querySelector(".rating strong")?.textContent ?? "",
    builtIn: row.querySelector(".bot .tag:is(.soft, .warn)") !== null,
  })));
}

async function download(page: Page, name: string): Promise<Buffer> {
  const [found] = await Promise.all([page.waitForEvent("download"), page.locator(".exports a", { hasText: name }).click()]);
  expect(await found.failure(), name).toBeNull();
  return readFileSync(await found.path());
}

test("the best play a final, the board is final, and everybody can download it", { timeout: 400_000 }, async () => {
  const admin = await visitor();
  await logInAdmin(admin, arena);
  // The first leagues are left out: a contest with ladders only is quicker to play. No player reaches the last league.
  await organise(admin, "contests", { key: "cup", title: "Cup of the class", starts: Date.now() - 60_000, ends: Date.now() + 86_400_000, invited_only: false, games: [{ game: "hypersonic", leagues: ["bronze", "silver"] }], final_top: 2, final_matches: 2 });
  const players: Page[] = [];
  for (const [name, source] of Object.entries(PLAYERS)) {
    const page = await visitor();
    players.push(page);
    await signUp(page, arena.url, name);
    await submit(page, arena.url, "hypersonic", "bot.py", source, "activate", "?contest=cup");
    await page.waitForSelector("[data-now-plays]", slow);
  }
  const stranger = await visitor();
  await stranger.goto(`${arena.url}/contests/cup`);
  await stranger.waitForSelector("[data-page=contest][data-state=running]", slow);
  // While it runs there is no final, and strangers can download nothing.
  expect(await stranger.getByText("Final board").count()).toBe(0);
  expect(await stranger.locator(".exports").count()).toBe(0);
  expect(await stranger.evaluate(async () => (await fetch("/api/v1/contests/cup/export.csv")).status)).toBe(403);
  // Every player has played a match.
  await expect.poll(() => stranger.evaluate(async () => {
    const { rows } = await (await fetch("/api/v1/boards/cup/hypersonic?tier=0&players=2")).json();
    return rows.filter((row: { games: number; bot: { built_in: boolean } }) => !row.bot.built_in && row.games > 0).length;
  }), { timeout: 150_000, interval: 1000 }).toBe(3);

  // The organiser ends it with the button.
  await admin.goto(`${arena.url}/admin/contests`);
  await admin.getByRole("button", { name: "End it now" }).click();
  await admin.locator("dialog button.danger").click();

  // The page of a visitor follows the final to its end without a reload.
  await stranger.waitForSelector("[data-page=contest][data-state=closed]", { timeout: 200_000 });
  expect(await text(stranger.locator("h2#board"))).toBe("Final board");
  expect(await stranger.locator("[data-winner]").count()).toBe(1);
  const finale = await lines(stranger);
  await stranger.getByRole("button", { name: "All leagues" }).click();
  await expect.poll(() => text(stranger.locator("h2#board"))).toBe("Board");
  await stranger.locator("[data-league]").selectOption("0");
  await expect.poll(async () => (await lines(stranger)).filter((line) => !line.builtIn).length).toBe(3);
  const ladder = await lines(stranger);
  // Two of three are in the final, the two best of the ladder; only the final decides their places.
  const best = ladder.filter((line) => !line.builtIn).slice(0, 2).map((line) => line.name);
  expect(finale.map((line) => line.name).sort()).toEqual([...best].sort());
  expect(finale.map((line) => line.place)).toEqual([1, 2]);
  expect(finale.map((line) => line.rating)).not.toEqual(finale.map(({ name }) => ladder.find((line) => line.name === name)!.rating));
  // Built-in bots fill the matches of four players, and have no place.
  await stranger.getByRole("button", { name: "Final board" }).click();
  await stranger.getByRole("button", { name: "4 players" }).click();
  await expect.poll(async () => (await lines(stranger)).map((line) => line.builtIn)).toEqual([false, false]);
  await stranger.getByRole("button", { name: "2 players" }).click();
  await expect.poll(async () => (await lines(stranger)).map((line) => line.name)).toEqual(finale.map((line) => line.name));

  // The page to print has the same places.
  await stranger.goto(`${arena.url}/contests/cup/results`);
  await stranger.waitForSelector("[data-results]");
  expect(await stranger.locator("[data-results] tbody tr strong").allTextContents()).toEqual(finale.map((line) => line.name));
  await stranger.goBack();
  await stranger.waitForSelector("[data-page=contest][data-state=closed]");

  // Its matches are there, and marked.
  await stranger.locator("[data-matches] [data-match]", { hasText: "final" }).first().locator(".to").click();
  await stranger.waitForSelector("[data-page=match] [data-ready] .stage svg g *");
  await stranger.goBack();
  await stranger.waitForSelector("[data-page=contest][data-state=closed]");

  // It is final: nobody can enter any more, and no match is waiting or running.
  const late = players[2]!;
  await late.goto(`${arena.url}/submit/hypersonic?contest=cup`);
  await late.waitForSelector("[data-contest-closed]");
  expect(await late.locator("[data-send]").count()).toBe(0);
  const states = await stranger.evaluate(async () => {
    const { matches } = await (await fetch("/api/v1/matches?contest=cup&limit=100")).json();
    return [...new Set(matches.map((one: { state: string }) => one.state))];
  });
  expect(states).toEqual(["done"]);
  await stranger.reload();
  expect(await lines(stranger)).toEqual(finale);

  // The downloads of a stranger have the same places.
  const table = (await download(stranger, "CSV")).toString().trim().split("\r\n").map((line) => line.split(","));
  const [head, ...rows] = table;
  const column = (name: string) => head!.indexOf(name);
  const exported = rows.filter((row) => row[column("kind")] === "final" && row[column("players")] === "2").map((row) => ({ place: Number(row[column("place")]), name: row[column("name")] }));
  expect(exported).toEqual(finale.map(({ place, name }) => ({ place, name })));
  const all = JSON.parse((await download(stranger, "JSON")).toString()) as { boards: { kind: string; players: number; rows: { bot: { name: string } }[] }[]; matches: { kind: string }[] };
  expect(all.boards.find((board) => board.kind === "final" && board.players === 2)!.rows.map((row) => row.bot.name)).toEqual(finale.map((line) => line.name));
  expect(all.matches.filter((match) => match.kind === "final").length).toBeGreaterThanOrEqual(4);
  const records = (await download(stranger, "records")).toString().trim().split("\n");
  expect(records.length).toBe(all.matches.length);
  for (const line of records) expect((JSON.parse(line) as { game: string }).game).toBe("hypersonic");
  expect([...admin.errors, ...stranger.errors]).toEqual([]);
});

test("a contest in which nobody came far says that there was no final", { timeout: 120_000 }, async () => {
  const admin = await visitor();
  await logInAdmin(admin, arena);
  await organise(admin, "contests", { key: "empty-cup", title: "Empty cup", starts: Date.now() - 60_000, ends: Date.now() + 86_400_000, invited_only: false, games: [{ game: "back-track" }], final_top: 2, final_matches: 1 });
  await expect.poll(() => admin.evaluate(async () => (await (await fetch("/api/v1/contests/empty-cup")).json()).contest.state), slow).toBe("running");
  await organise(admin, "contests/empty-cup/finish", {});
  const stranger = await visitor();
  await stranger.goto(`${arena.url}/contests/empty-cup`);
  await stranger.waitForSelector("[data-page=contest][data-state=closed]", slow);
  await stranger.getByText("No final was played.").waitFor();
  expect(stranger.errors).toEqual([]);
});
