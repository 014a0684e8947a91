// A person plays against built-in bots, without an account.

import { expect, test } from "vitest";
import { openArena, text, visitor } from "./agon";

const arena = openArena();

test("a game against the boss is played in the page, with the rules at hand", { timeout: 120_000 }, async () => {
  const page = await visitor({ locale: "fr-FR" });
  await page.goto(`${arena.url}/games/hypersonic/play`);
  await page.locator("[data-start]").click();
  await page.waitForSelector("[data-asked]");
  const before = Number(await page.locator("[data-asked]").getAttribute("data-asked"));
  await page.locator("[data-step]").first().click();
  await expect.poll(async () => Number(await page.locator("[data-asked]").getAttribute("data-asked").catch(() => 0))).toBe(before + 1);
  // A fault is shown before the answer is sent.
  await page.locator("[data-line]").fill("DANCE");
  await page.waitForSelector(".turn .fault");
  await page.locator("[data-rules-open]").click();
  await page.waitForSelector("[data-rules] .prose h2");
  expect(await text(page.locator("[data-rules]"))).toContain("But du jeu");
  await page.keyboard.press("Escape");
  // An invalid answer loses; then the record can be downloaded.
  await page.locator("[data-send]").click();
  await page.waitForSelector("[data-over]");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-record]").click()]);
  expect(await download.failure()).toBeNull();
  expect(page.errors).toEqual([]);
  await page.context().close();
});

test("a visitor chooses the level of the opponent", { timeout: 60_000 }, async () => {
  const page = await visitor();
  await page.goto(`${arena.url}/games/hypersonic/play`);
  const levels = page.locator("[data-opponent] optgroup option");
  await expect.poll(() => levels.allTextContents()).toEqual(Array.from({ length: 10 }, (_, at) => `Level ${at + 1} of 10`));
  await page.locator("[data-opponent]").selectOption("champion:2");
  await page.locator("[data-start]").click();
  await page.waitForSelector("[data-asked]");
  expect(await text(page.locator(".game-frame"))).toContain("Phoenix 2");
  expect(page.errors).toEqual([]);
  await page.context().close();
});

test("what is not there is said so, and what fails can be tried again", { timeout: 60_000 }, async () => {
  const page = await visitor();
  await page.goto(`${arena.url}/bots/123456789`);
  await page.waitForSelector("[data-error=not_found]");
  await page.goto(`${arena.url}/nowhere`);
  await page.waitForSelector("[data-page=not-found]");
  await page.route("**/api/v1/site", (route) => route.abort());
  await page.goto(arena.url);
  await page.waitForSelector("[data-error=offline]");
  await page.unroute("**/api/v1/site");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForSelector("[data-page=home]");
  expect(page.errors).toEqual([]);
  await page.context().close();
});
