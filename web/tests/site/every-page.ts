// Every page: in French and in English, dark and light, on a narrow phone and on a desk, by the rules of axe, and by keyboard alone.

import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { barriers, expectNoSidewaysScroll, openArena, text, visitor } from "./agon";
import { furnish, settled, type Furnished } from "./pages";

const arena = openArena();
let player: Page & { errors: string[] };
let admin: Page & { errors: string[] };
let pages: Furnished;
beforeAll(async () => {
  player = await visitor();
  admin = await visitor();
  pages = await furnish(arena, player, admin);
}, 300_000);

async function look(page: Page & { errors: string[] }, paths: { [name: string]: string }, width: number, lang: string, theme: string): Promise<void> {
  await page.setViewportSize({ width, height: 760 });
  for (const [name, path] of Object.entries(paths)) {
    const where = `${name} (${lang}, ${theme}, ${width} px)`;
    await page.goto(`${arena.url}${path}${path.includes("?") ? "&" : "?"}lang=${lang}&theme=${theme}`);
    await settled(page);
    expect(await page.locator("html").getAttribute("lang"), where).toBe(lang);
    expect(await page.locator("html").getAttribute("data-theme"), where).toBe(theme);
    await expectNoSidewaysScroll(page, where);
    expect(await page.locator("main").count(), where).toBe(1);
    expect(await page.title(), where).not.toBe("");
    const nameless = await page.evaluate(() => [...document.querySelectorAll("button, a[href], input:not([type=hidden]), select, textarea")]
      .filter((one) => one.checkVisibility())
      .filter((one) => !(one.textContent ?? "").trim() && !one.getAttribute("aria-label") && !one.getAttribute("title") && !(one as HTMLInputElement).labels?.length)
      .map((one) => one.outerHTML.slice(0, 120)));
    expect(nameless, where).toEqual([]);
    expect(await barriers(page), where).toEqual([]);
    expect(page.errors, where).toEqual([]);
  }
}

for (const [width, lang, theme] of [[360, "fr", "dark"], [360, "en", "light"], [1280, "en", "dark"], [1280, "fr", "light"]] as const) {
  test(`all pages in ${lang}, ${theme}, at ${width} px`, { timeout: 600_000 }, async () => {
    const stranger = await visitor();
    await look(stranger, pages.open, width, lang, theme);
    await stranger.context().close();
    await look(player, pages.own, width, lang, theme);
    await look(admin, pages.admin, width, lang, theme);
  });
}

test("language and colours are chosen in the header, and stay", async () => {
  const page = await visitor({ colorScheme: "light" });
  await page.goto(arena.url);
  await page.locator("[data-lang]").click();
  expect(await text(page.locator("h1"))).toContain("Écrivez");
  await page.locator("[data-theme-switch]").click();
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  await page.reload();
  await page.waitForSelector("h1");
  expect(await text(page.locator("h1"))).toContain("Écrivez");
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  await page.context().close();
});

/** Presses Tab until every control had the focus; returns the controls that never had it. */
async function unreached(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const all = document.querySelectorAll("a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select:not(:disabled), textarea:not(:disabled)");
    for (const one of all) if (one.checkVisibility() && (one as HTMLElement).tabIndex >= 0 && !one.closest(".show")) one.setAttribute("data-awaited", "");
    // Of a group of radio buttons only the checked one gets the focus.
    for (const radio of document.querySelectorAll("input[type=radio]:not(:checked)")) radio.removeAttribute("data-awaited");
  });
  for (let step = 0; step < 400; step++) {
    const inEditor = await page.evaluate(() => document.activeElement?.hasAttribute("data-editor") ?? false);
    // The editor takes Tab for itself, unless Escape was pressed before.
    if (inEditor) await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    const left = await page.evaluate(() => {
      document.activeElement?.removeAttribute("data-awaited");
      return document.querySelectorAll("[data-awaited]").length;
    });
    if (!left) return [];
  }
  return page.evaluate(() => [...document.querySelectorAll("[data-awaited]")].map((one) => one.outerHTML.slice(0, 120)));
}

test("everything can be reached by keyboard", { timeout: 300_000 }, async () => {
  await player.setViewportSize({ width: 1280, height: 860 });
  for (const path of ["/", "/games/hypersonic", "/leaderboard/hypersonic", "/submit/hypersonic", "/settings", pages.own["my-bot"]!]) {
    await player.goto(arena.url + path);
    await settled(player);
    expect(await unreached(player), path).toEqual([]);
  }
});

test("the first Tab leads past the menu, and a change of page takes the focus along", async () => {
  const page = await visitor();
  await page.goto(`${arena.url}/games`);
  await settled(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-page=game]");
  await expect.poll(() => page.evaluate(() => document.querySelector("main")?.contains(document.activeElement))).toBe(true);
  await page.context().close();
});

test("the account can be made and the menu used by keyboard on a phone", async () => {
  const page = await visitor({ viewport: { width: 360, height: 700 } });
  await page.goto(`${arena.url}/signup`);
  await page.locator("input[name=name]").focus();
  await page.keyboard.type("keys-only");
  await page.keyboard.press("Tab");
  await page.keyboard.type("a long password");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-account]", { state: "attached" });
  await page.locator("[data-menu]").focus();
  await page.keyboard.press("Enter");
  expect(await page.locator("[data-menu]").getAttribute("aria-expanded")).toBe("true");
  await page.keyboard.press("Escape");
  expect(await page.locator("[data-menu]").getAttribute("aria-expanded")).toBe("false");
  await page.context().close();
});
