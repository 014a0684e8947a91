// Matches of four players: their own board, and a match in the viewer.

import { expect, test } from "vitest";
import { SIZES, expectFit } from "../fit";
import { frames } from "../frames";
import { expectNoSidewaysScroll, openArena, slow, text, visitor } from "./agon";

const arena = openArena();

test("built-in bots play matches of four; these have their own board; the viewer shows all four players", { timeout: 300_000 }, async () => {
  const page = await visitor();
  await page.goto(`${arena.url}/matches?game=hypersonic`);
  // A match of four players.
  const finished = () => page.evaluate(async () => {
    const { matches } = await (await fetch("/api/v1/matches?game=hypersonic&limit=50")).json();
    const found = matches.find((one: { state: string; seats: unknown[] }) => one.state === "done" && one.seats.length === 4);
    return (found?.id ?? 0) as number;
  });
  let id = 0;
  await expect.poll(async () => (id = await finished()), { timeout: 200_000, interval: 500 }).toBeGreaterThan(0);

  // In lists it has four names, on a desk and on a phone.
  const row = page.locator(`[data-matches] [data-match="${id}"]`);
  await row.waitFor();
  expect(await row.locator(".seats a").count()).toBe(4);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoSidewaysScroll(page, "matches of four");
  await row.locator(".to").click();
  // A match that is opened from a list plays.
  await page.waitForSelector("[data-page=match] [data-ready] .stage svg g *");
  const turn = async () => Number(await page.locator(".stage svg").getAttribute("data-turn"));
  await expect.poll(turn).toBeGreaterThan(1);
  await page.locator("[data-do=toggle]").click();
  await page.keyboard.press("Home");
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    // The size of the viewer follows that of the window.
    await frames(page, 3);
    await expectFit(page, `a match of four at ${width} × ${height}`);
  }

  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 860 });
    await page.waitForSelector("[data-page=match] [data-ready] .stage svg g *");
    await expectNoSidewaysScroll(page, `a match of four at ${width} px`);
    expect(await page.locator("[data-result] li").count()).toBe(4);
    expect(await page.locator("[data-ready] .panel").count()).toBe(4);
  }
  // Places are given to all four, and the names of the panels are those of the result.
  const names = async (where: string) => (await page.locator(where).allTextContents()).map((name) => name.trim()).sort();
  expect(await names("[data-ready] .panel h3 .name")).toEqual(await names("[data-result] li bdi"));
  for (const place of await page.locator("[data-result] .rank").allTextContents()) expect(place.trim()).toMatch(/^[1-4]$/);
  await page.locator("[data-do=next]").click();
  await expect.poll(turn).toBe(1);
  await page.keyboard.press("End");
  await page.waitForSelector("[data-over]");
  expect(await text(page.locator("[data-result-banner]"))).toMatch(/wins|draw/i);

  // The board of four.
  await page.goto(`${arena.url}/leaderboard/hypersonic`);
  await page.getByRole("button", { name: "4 players" }).click();
  await page.waitForSelector("[data-board=rating] tbody tr[data-bot]", slow);
  expect(new URL(page.url()).searchParams.get("players")).toBe("4");
  // The first leagues have only matches of two players.
  expect(await text(page.locator("[data-board=rating]"))).not.toContain("Wood");
  const played = await page.locator("[data-board=rating] tbody tr[data-bot] td:nth-child(5)").allTextContents();
  expect(played.map(Number).reduce((all, one) => all + one, 0)).toBeGreaterThanOrEqual(3);
  const shown = await page.evaluate(async () => (await (await fetch("/api/v1/boards/arena/hypersonic?players=4")).json()).rows.length as number);
  expect(await page.locator("[data-board=rating] tbody tr[data-bot]").count()).toBe(shown);
  await page.reload();
  await page.waitForSelector("[data-board=rating] tbody tr[data-bot]");
  expect(await page.getByRole("button", { name: "4 players" }).getAttribute("aria-pressed")).toBe("true");
  expect(page.errors).toEqual([]);
  await page.context().close();
});
