// Sharing: pictures, links, embedded matches; pages that do not exist; titles; the page of the API.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { openArena, text, visitor } from "./agon";

const arena = openArena();

/** A layout shift, as browsers measure it. */
interface Shift extends PerformanceEntry { value: number; sources: { node: Node | null }[] }

/** A finished match of the built-in bots. */
async function finished(page: Awaited<ReturnType<typeof visitor>>): Promise<number> {
  await page.goto(arena.url);
  const first = () => page.evaluate(async () => ((await (await fetch("/api/v1/matches?limit=1")).json()).matches[0]?.id ?? 0) as number);
  await expect.poll(first, { timeout: 60_000 }).toBeGreaterThan(0);
  return first();
}

test("a turn is shared by link, picture and clip, and a match embedded", { timeout: 180_000 }, async () => {
  const page = await visitor();
  const id = await finished(page);
  await page.goto(`${arena.url}/matches/${id}?turn=3`);
  await page.waitForSelector("[data-ready] .stage svg g *");
  await page.locator("[data-share]").click();
  const picture = (await page.locator("[data-picture]").getAttribute("href"))!;
  expect(picture).toContain("turn=3");
  const sent = await page.request.get(arena.url + picture);
  expect([sent.status(), sent.headers()["content-type"]]).toEqual([200, "image/png"]);
  const clip = await page.request.get(arena.url + (await page.locator("[data-clip]").getAttribute("href"))!);
  expect([clip.status(), clip.headers()["content-type"]]).toEqual([200, "image/gif"]);
  await page.locator("[data-copy=link]").click();
  expect(await page.title()).toContain(String(id));

  // Another page frames the embedded match, and nothing else.
  // It has a port of its own: a browser does not let pages of the internet frame pages of this machine.
  const body = `<iframe src="${arena.url}/embed/matches/${id}?turn=2" width=800 height=600></iframe><iframe src="${arena.url}/matches/${id}" name="no"></iframe>`;
  const other = createServer((_, answer) => answer.setHeader("content-type", "text/html").end(body));
  await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  const frame = page.frameLocator("iframe").first();
  await frame.locator("[data-page=embed] .stage svg g *").first().waitFor({ timeout: 60_000 });
  expect(await frame.locator("header nav, footer nav").count()).toBe(0);
  expect(await page.frameLocator("iframe[name=no]").locator("[data-page]").count()).toBe(0);
  await page.context().close();
  other.close();
});

test("pages that do not exist answer 404, and every page has a title of its own", { timeout: 120_000 }, async () => {
  const page = await visitor();
  expect((await page.goto(`${arena.url}/nowhere`))!.status()).toBe(404);
  await page.waitForSelector("[data-page=not-found]");
  expect((await page.request.get(`${arena.url}/robots.txt`)).headers()["content-type"]).toContain("text/plain");
  expect((await page.request.get(`${arena.url}/favicon.ico`)).headers()["content-type"]).toContain("image/");
  const titles: string[] = [];
  for (const path of ["/", "/games", "/games/hypersonic", "/games/hypersonic/kits", "/games/hypersonic/play", "/workshop/hypersonic", "/matches", "/leaderboard/hypersonic", "/contests", "/developers"]) {
    expect((await page.goto(arena.url + path))!.status(), path).toBe(200);
    await page.waitForSelector("[data-page] h1");
    titles.push(await page.title());
  }
  expect(new Set(titles).size, titles.join(" | ")).toBe(titles.length);
  await page.context().close();
});

test("pages do not move while they are loading", { timeout: 180_000 }, async () => {
  const page = await visitor({ viewport: { width: 1366, height: 768 } });
  const id = await finished(page);
  const bot = await page.evaluate(async (id) => (await (await fetch(`/api/v1/matches/${id}`)).json()).info.seats[0].bot.id as number, id);
  for (const path of ["/", "/games/hypersonic", "/matches", `/bots/${bot}`, `/matches/${id}`, "/leaderboard/hypersonic", "/workshop/hypersonic"]) {
    await page.goto(arena.url + path);
    await page.waitForSelector("[data-page] h1");
    await page.waitForTimeout(1500);
    const shift = await page.evaluate(() => new Promise<number>((done) => {
      let sum = 0;
      // A list of matches that grows while it is read moves too: that is news, and no part of the loading.
      const isNews = (shift: Shift) => shift.sources.some(({ node }) => node instanceof Element && node.matches("li.entry"));
      new PerformanceObserver((list) => (list.getEntries() as Shift[]).filter((shift) => !isNews(shift)).forEach(({ value }) => (sum += value))).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => done(sum), 200);
    }));
    expect(shift, path).toBeLessThan(0.1);
  }
  await page.context().close();
});

test("a request of the API is read, and sent", { timeout: 60_000 }, async () => {
  const page = await visitor();
  await page.goto(`${arena.url}/developers`);
  const request = page.locator("[data-request='get /api/v1/games/{game}/kits']");
  await request.locator("summary").click();
  expect(await text(request)).toContain("language");
  expect(await text(request.locator("[data-example]"))).toContain("\"source\"");
  await request.locator("[data-parameter=game]").fill("hypersonic");
  await request.locator("[data-try]").click();
  await expect.poll(() => text(request.locator("[data-status]"))).toBe("200");
  expect(await text(request.locator("[data-result]"))).toContain("bot.py");
  expect(page.errors).toEqual([]);
  await page.context().close();
});

test("a game against the boss goes on after a reload, and sends no empty line", { timeout: 120_000 }, async () => {
  const page = await visitor();
  await page.goto(`${arena.url}/games/hypersonic/play`);
  await page.locator("[data-start]").click();
  await page.waitForSelector("[data-asked]");
  await page.locator("[data-line]").fill("");
  expect(await page.locator("[data-turn-send], .turn [data-send]").isDisabled()).toBe(true);
  await page.locator("[data-step]").first().click();
  await expect.poll(async () => Number(await page.locator("[data-asked]").getAttribute("data-asked").catch(() => 0))).toBe(2);
  await page.reload();
  await page.waitForSelector("[data-asked='2']");
  expect(page.errors).toEqual([]);
  await page.context().close();
});
