// The workshop: code is tested beside the editor, compared with earlier code, and submitted.

import { expect, test } from "vitest";
import { expectNoSidewaysScroll, FAILS, kit, openArena, signUp, slow, text, upload, visitor } from "./agon";

const arena = openArena();

test("write, play, watch, compare and submit on one screen", { timeout: 300_000 }, async () => {
  const page = await visitor({ viewport: { width: 1366, height: 768 } });
  const missing: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 404) missing.push(response.url());
  });
  const warnings: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "warning") warnings.push(message.text());
  });
  await signUp(page, arena.url, "maker");
  await page.goto(`${arena.url}/workshop/hypersonic`);
  await upload(page, "bot.py", FAILS);

  // Ctrl+Enter in the editor plays; the match opens at the failing turn, with the standard error output.
  await page.locator("[data-editor]").click();
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector("[data-shown] [data-ready] .stage svg g *", slow);
  expect(await page.locator("[data-test-score]").getAttribute("data-test-score")).toBe("0-0-1");
  expect(Number(await page.locator("[data-shown] .stage svg").first().getAttribute("data-turn"))).toBe(6);
  expect(await text(page.locator("[data-editor] .cm-content"))).not.toMatch(/^\n/);
  await page.locator("[data-do=previous]").click();
  await expect.poll(() => page.locator("[data-stderr]").allTextContents()).toContainEqual(expect.stringContaining("my answer 5"));
  // Everything is on the first screen.
  for (const part of ["[data-editor]", "[data-play]", ".stage svg", "[data-do=toggle]", "[data-send=activate]"]) {
    const box = (await page.locator(part).first().boundingBox())!;
    expect(box.y + Math.min(box.height, 20), part).toBeLessThanOrEqual(768);
  }
  await expectNoSidewaysScroll(page, "the workshop");

  // Keys typed into the editor do not move the viewer.
  const turn = () => page.locator("[data-shown] .stage svg").first().getAttribute("data-turn");
  const before = await turn();
  await page.locator("[data-editor] .cm-content").click();
  await page.keyboard.press("End");
  await page.keyboard.press("Space");
  expect(await turn()).toBe(before);

  // The code in the editor on this turn.
  await upload(page, "bot.py", FAILS.replaceAll("my answer", "another answer"));
  await page.locator("[data-run]").first().click();
  await page.locator("[data-tried]").waitFor(slow);
  expect(await text(page.locator("[data-tried-stderr]"))).toContain("another answer 5");

  // Three matches at once on the map of this match, with a score.
  await upload(page, "bot.py", kit("hypersonic", "bot.py"));
  await page.locator("[data-seed-mode]").selectOption("this");
  await page.locator("[data-opponent='0']").selectOption("@random");
  await page.locator("[data-count]").fill("3");
  await page.locator("[data-play]").click();
  await expect.poll(() => page.locator("[data-test]:not([disabled])").count(), slow).toBe(3);
  await page.waitForSelector("[data-bench=over]", slow);
  expect((await page.locator("[data-test-score]").getAttribute("data-test-score"))!.split("-").map(Number).reduce((a, b) => a + b)).toBe(3);
  await page.locator("[data-test]").nth(1).click();
  await expect.poll(() => page.locator("[data-test]").nth(1).getAttribute("aria-pressed")).toBe("true");

  // The test is shown again after a reload, with the same match.
  await page.reload();
  await expect.poll(() => page.locator("[data-test]").nth(1).getAttribute("aria-pressed", { timeout: 1000 }).catch(() => null), slow).toBe("true");
  await page.waitForSelector("[data-shown] [data-ready] .stage svg g *", slow);

  // The history compares earlier code with the code in the editor.
  await page.locator("[data-open-history]").click();
  await page.waitForSelector("[data-history] [data-diff]");
  expect(await text(page.locator("[data-diff]"))).toContain("− ");
  await page.keyboard.press("Escape");

  // Submitting is one button.
  await page.locator("[data-send=activate]").click();
  await page.waitForURL(/\/versions\/\d+/);
  await page.waitForSelector("[data-page=version][data-state=ready]", slow);
  expect(await text(page.locator("[data-page=version] h1"))).toContain("Version 1");
  await page.locator("a[href*='/submit/']").first().click();
  await page.waitForSelector("[data-page=submit] [data-editor=ready]");
  expect(missing).toEqual([]);
  expect(warnings.filter((line) => line.includes("derived_inert"))).toEqual([]);
  expect(page.errors).toEqual([]);
  await page.context().close();
});

test("on a phone the parts are stacked, in French too", { timeout: 120_000 }, async () => {
  const page = await visitor({ viewport: { width: 390, height: 844 }, locale: "fr-FR" });
  await signUp(page, arena.url, "poche");
  await page.goto(`${arena.url}/workshop/back-track`);
  await page.waitForSelector("[data-editor=ready]");
  await expectNoSidewaysScroll(page, "the workshop on a phone");
  expect(await text(page.locator("[data-play]"))).toContain("Jouer");
  expect(await page.title()).toContain("atelier");
  expect(page.errors).toEqual([]);
  await page.context().close();
});
