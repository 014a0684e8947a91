// A person plays, by mouse, touch and keyboard, to the end.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { devices, type Page } from "playwright-core";
import { close, folder, open, run, watch } from "./agon";

let address: string;
beforeAll(async () => {
  address = await watch();
});
afterAll(close);

async function begin(page: Page, game: string, seconds = ""): Promise<void> {
  await page.goto(`${address}?options=motion:off`);
  await page.locator(".challenge select").first().selectOption(game);
  await page.locator(".challenge label", { hasText: "Opponent" }).locator("select").selectOption("random");
  await page.locator(".challenge label", { hasText: "Seed" }).locator("input").fill("7");
  await page.locator(".challenge label", { hasText: "Seconds" }).locator("input").fill(seconds);
  await page.locator(".challenge button[type=submit]").click();
  await page.waitForSelector("[data-asked]");
}

/** Waits until the person is asked again or the game is over; returns the number of the turn, or null. */
async function next(page: Page, before: string | null): Promise<string | null> {
  await page.waitForFunction((old) => document.querySelector("[data-over]") ?? (document.querySelector("[data-asked]")?.getAttribute("data-asked") ?? old) !== old, before);
  return (await page.locator("[data-over]").count()) ? null : page.locator("[data-asked]").getAttribute("data-asked");
}

async function saved(page: Page, name: string): Promise<void> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-record]").click()]);
  const file = join(folder, name);
  await download.saveAs(file);
  expect(run("verify", file)).toContain("0 mismatches");
  expect(JSON.parse(readFileSync(file, "utf8")).bots[0].name).toBe("you");
}

test("Hypersonic by keyboard", { timeout: 120_000 }, async () => {
  const page = await open();
  await begin(page, "hypersonic");
  await page.locator("[data-rules-open]").click();
  await expect.poll(() => page.locator("[data-rules]").textContent()).toContain("bomb");
  // The statement has a real picture.
  expect(await page.locator("[data-rules] [data-picture=blast] path").count()).toBeGreaterThan(3);
  await page.keyboard.press("Escape");
  let asked = await page.locator("[data-asked]").getAttribute("data-asked");
  // A player who lays a bomb and stays is eliminated.
  await page.locator(".stage svg").hover();
  await page.keyboard.press("b");
  for (let i = 0; asked !== null && i < 60; i++) {
    await page.keyboard.press("Enter");
    asked = await next(page, asked);
  }
  expect(asked).toBe(null);
  expect(await page.locator("[data-over]").textContent()).toContain("The game is over");
  expect(await page.locator("[data-result-banner=lost]").textContent()).toContain("You lost");
  await saved(page, "hypersonic-person.json");
  await page.context().close();
});

test("a limit is kept where one is asked for", async () => {
  const page = await open();
  await begin(page, "hypersonic", "1");
  expect(await page.locator("[data-left]").textContent()).toContain("s left");
  await expect.poll(() => page.locator("[data-over]").textContent()).toContain("You lost");
  await page.context().close();
});

test("Ocean of Code by mouse and touch", { timeout: 120_000 }, async () => {
  const page = await open({ ...devices["Pixel 7"]!, acceptDownloads: true });
  await begin(page, "ocean-of-code");
  // The start: any gold cell.
  const rows = JSON.parse(run("map", "ocean-of-code", "--seed", "7", "--json")).map as string[];
  const y = rows.findIndex((row) => row.includes("."));
  const x = rows[y]!.indexOf(".");
  const svg = page.locator(".stage svg");
  const box = (await svg.boundingBox())!;
  let asked = await page.locator("[data-asked]").getAttribute("data-asked");
  await svg.tap({ position: { x: ((22 + (x + 0.5) * 40) / 644) * box.width, y: ((22 + (y + 0.5) * 40) / 644) * box.height } });
  asked = await next(page, asked);
  expect(asked).not.toBe(null);
  // A fault is shown before the answer is sent.
  await page.locator("[data-line]").fill("MOVE Q");
  await expect.poll(() => page.locator(".turn .fault").count()).toBeGreaterThan(0);
  await page.locator("[data-line]").fill("");
  // An empty line cannot be sent.
  expect(await page.locator("[data-send]").isDisabled()).toBe(true);
  const way = page.locator("[data-move]:not([disabled])").first();
  await way.tap();
  expect(await page.locator("[data-line]").inputValue()).toMatch(/^MOVE [NSEW] TORPEDO$/);
  // The opponent is not shown.
  expect(await page.locator(".panel[data-seat='1'] [data-answer]").count()).toBe(0);
  await page.locator("[data-send]").tap();
  asked = await next(page, asked);
  // Surfacing until there are no lives left ends it.
  for (let i = 0; asked !== null && i < 20; i++) {
    await page.locator("[data-surface]").tap();
    await page.locator("[data-send]").tap();
    asked = await next(page, asked);
  }
  expect(asked).toBe(null);
  // After the end the opponent is shown.
  await expect.poll(() => page.locator(".panel[data-seat='1'] [data-answer]").count()).toBe(1);
  await saved(page, "sea-person.json");
  await page.context().close();
});

test("Back Track by mouse", { timeout: 240_000 }, async () => {
  const page = await open();
  await begin(page, "back-track");
  let asked = await page.locator("[data-asked]").getAttribute("data-asked");
  const svg = page.locator(".stage svg");
  const box = (await svg.boundingBox())!;
  const [, , width] = (await svg.getAttribute("viewBox"))!.split(" ").map(Number);
  const scale = box.width / width!;
  const { terrain, towns, width: columns } = JSON.parse(run("map", "back-track", "--seed", "7", "--json"));
  const place = [...terrain].findIndex((kind, i) => kind === "0" && !towns.some((town: number[]) => town[1] === i % columns && town[2] === Math.floor(i / columns)));
  const [x, y] = [place % columns, Math.floor(place / columns)];
  await svg.click({ position: { x: (22 + (x + 0.5) * 40) * scale, y: (22 + (y + 0.5) * 40) * scale } });
  expect(await page.locator("[data-line]").inputValue()).toBe(`PLACE_TRACKS ${x} ${y}`);
  await page.locator("[data-region]").selectOption({ index: 1 });
  expect(await page.locator("[data-line]").inputValue()).toMatch(/^PLACE_TRACKS \d+ \d+;DISRUPT \d+$/);
  for (let i = 0; asked !== null && i < 120; i++) {
    await page.locator("[data-send]").click();
    asked = await next(page, asked);
  }
  expect(asked).toBe(null);
  await saved(page, "rails-person.json");
  await page.context().close();
});
