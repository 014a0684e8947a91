// What an author sees when a bot fails.

import { expect, test } from "vitest";
import { goToItsBot, kit, openArena, signUp, slow, submit, text, untilItPlays, visitor } from "./agon";

const arena = openArena();

test("a compile error is shown with the compiler's words", { timeout: 200_000 }, async () => {
  const page = await visitor();
  await signUp(page, arena.url, "compiles-not");
  await submit(page, arena.url, "hypersonic", "bot.cpp", "#include <iostream>\nint main() {\n  int answer = forty_two;\n}\n", "test");
  await page.waitForSelector("[data-build-failed]", slow);
  const log = await text(page.locator("[data-log]"));
  expect(log).toContain("forty_two");
  expect(log).toContain("error");
  expect(await page.locator("[data-steps] [data-step=failed]").count()).toBe(1);
  expect(await page.locator("[data-activate]").count()).toBe(0);
  await page.goto(`${arena.url}/notices`);
  await page.waitForSelector("[data-notice=build_failed]", slow);
  expect(page.errors).toEqual([]);
  await page.context().close();
});

test("a crash is shown with its traceback, before the bot plays", { timeout: 200_000 }, async () => {
  const page = await visitor();
  await signUp(page, arena.url, "crashes");
  await submit(page, arena.url, "hypersonic", "bot.py", "import sys\ninput()\nraise ValueError('the map is upside down')\n", "test");
  await page.waitForSelector("[data-verdict]", slow);
  expect(await text(page.locator("[data-verdict]"))).toContain("crash");
  await page.waitForSelector("[data-failure=crash]");
  expect(await text(page.locator("[data-failure=crash]"))).toContain("exit code 1");
  expect(await text(page.locator("[data-last-words]"))).toContain("ValueError: the map is upside down");
  expect(await page.locator("[data-page=version]").getAttribute("data-active")).toBe("false");
  // The page of the match shows the same.
  await page.locator("[data-match] .to").first().click();
  await page.waitForSelector("[data-page=match] [data-failure=crash]");
  expect(page.errors).toEqual([]);
  await page.context().close();
});

test("a timeout is shown with the time used and the limit", { timeout: 200_000 }, async () => {
  const page = await visitor();
  await signUp(page, arena.url, "sleeps");
  await submit(page, arena.url, "hypersonic", "bot.py", "import sys\nprint('thinking', end='', flush=True)\nwhile True: pass\n", "test");
  await page.waitForSelector("[data-failure=timeout]", slow);
  expect(await text(page.locator("[data-failure=timeout]"))).toMatch(/No answer after [\d,]+ ms; the limit is 1,000 ms/);
  expect(await text(page.locator("[data-failure=timeout]"))).toContain("thinking");
  expect(page.errors).toEqual([]);
  await page.context().close();
});

test("an answer that is not allowed is shown with the expected one", { timeout: 200_000 }, async () => {
  const page = await visitor();
  await signUp(page, arena.url, "dances");
  await submit(page, arena.url, "hypersonic", "bot.py", "while True:\n    print('DANCE 1 2', flush=True)\n    input()\n", "test");
  await page.waitForSelector("[data-failure=invalid]", slow);
  expect(await text(page.locator("[data-failure=invalid]"))).toContain("DANCE");
  expect(page.errors).toEqual([]);
  await page.context().close();
});

test("tested first, a version plays only when its author says so", { timeout: 200_000 }, async () => {
  const page = await visitor();
  await signUp(page, arena.url, "careful");
  await submit(page, arena.url, "hypersonic", "bot.py", kit("hypersonic", "bot.py"), "test");
  await page.waitForSelector("[data-verdict]", slow);
  expect(await page.locator("[data-page=version]").getAttribute("data-active")).toBe("false");
  await page.getByRole("link", { name: "View bot" }).first().click();
  await page.waitForSelector("[data-awaits]");
  await page.goBack();
  await page.locator("[data-activate]").click();
  await untilItPlays(page);
  await goToItsBot(page);
  await page.waitForSelector("[data-promotions] li, [data-trial]", slow);
  expect(page.errors).toEqual([]);
  await page.context().close();
});

test("a bot that keeps failing is paused, and its author sees why", { timeout: 300_000 }, async () => {
  const page = await visitor();
  await signUp(page, arena.url, "stubborn");
  const version = await submit(page, arena.url, "hypersonic", "bot.py", "raise SystemExit(3)\n", "activate");
  await untilItPlays(page);
  await goToItsBot(page);
  await page.waitForSelector("[data-errors]", slow);
  // A trial may be over before the bot is paused: then another one is started.
  for (let round = 0; round < 3 && !(await page.locator("[data-paused]").count()); round++) {
    const again = page.locator("[data-trial-again]");
    await page.waitForSelector("[data-paused], [data-trial-again]", slow);
    if (await again.count()) await again.click();
    await page.waitForFunction(() => !document.querySelector("[data-trial-again]") || document.querySelector("[data-paused]"));
  }
  await page.waitForSelector("[data-paused]", slow);
  expect(await text(page.locator("[data-paused]"))).toContain("crash");
  await page.goto(`${arena.url}/notices`);
  await page.waitForSelector("[data-notice=paused]");
  expect(version).toBeGreaterThan(0);
  expect(page.errors).toEqual([]);
  await page.context().close();
});
