// Private data of a player stays private, and all text of users is shown as text.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { frames } from "../frames";
import { logInAdmin, openArena, signUp, slow, submit, text, visitor } from "./agon";

const CORPUS = JSON.parse(readFileSync(join(import.meta.dirname, "xss-corpus.json"), "utf8")) as string[];
const arena = openArena();

const SECRET = "the-secret-of-alice";
/** A bot that writes every string of the corpus in its messages and to its standard error output. */
const talker = (last: string) => `
import sys
CORPUS = ${JSON.stringify(CORPUS)}
width, height, me = map(int, input().split())
turn = 0
while True:
    for _ in range(height): input()
    entities = [input().split() for _ in range(int(input()))]
    x, y = next((int(e[2]), int(e[3])) for e in entities if e[0] == "0" and int(e[1]) == me)
    said = CORPUS[turn % len(CORPUS)].replace("\\n", " ")
    print("${SECRET}", said, file=sys.stderr, flush=True)
    if turn >= 2 * len(CORPUS) or turn >= 60: ${last}
    print("BOMB", x, y, said, flush=True)
    turn += 1
`;

async function expectNothingRan(page: Page, where: string): Promise<void> {
  expect(await page.evaluate(() => (window as unknown as { __xss?: unknown }).__xss), where).toBeUndefined();
  // Nothing of the corpus became an element.
  expect(await page.locator("main img, main iframe, main object, main embed, main script, main style, main form[action], main base").count(), where).toBe(0);
}

test("two accounts: source, log, errors and standard error are for the owner alone", { timeout: 300_000 }, async () => {
  const alice = await visitor();
  await signUp(alice, arena.url, "alice");
  const version = await submit(alice, arena.url, "hypersonic", "bot.py", talker("raise ValueError('<img src=x onerror=window.__xss=1>')"), "activate");
  await alice.waitForSelector("[data-now-plays]", slow);
  await alice.locator("[data-now-plays] a").click();
  await alice.waitForSelector("[data-matches] [data-state=done]", slow);
  const bot = new URL(alice.url()).pathname;
  expect(await alice.locator("[data-versions] li").count()).toBe(1);
  const match = await alice.locator("[data-matches] [data-state=done]").first().getAttribute("data-match");

  // The owner sees the standard error output.
  await alice.goto(`${arena.url}/matches/${match}`);
  await alice.waitForSelector("[data-ready] .stage svg g *");
  await alice.keyboard.press("ArrowRight");
  await alice.waitForSelector("[data-stderr]");
  expect(await text(alice.locator("[data-stderr]").first())).toContain(SECRET);

  const bob = await visitor();
  await signUp(bob, arena.url, "bob");
  for (const who of [bob, await visitor()]) {
    await who.goto(`${arena.url}/versions/${version}`);
    await who.waitForSelector(who === bob ? "[data-error=not_found]" : ".empty");
    await who.goto(arena.url + bot);
    await who.waitForSelector("[data-page=bot]");
    expect(await who.locator("[data-page=bot]").getAttribute("data-own")).toBe("false");
    expect(await who.locator("[data-versions], [data-errors]").count()).toBe(0);
    await who.goto(`${arena.url}/matches/${match}`);
    await who.waitForSelector("[data-ready] .stage svg g *");
    // It opens at the failing turn.
    await who.keyboard.press("Home");
    for (let turn = 0; turn < 5; turn++) await who.keyboard.press("ArrowRight");
    await expect.poll(() => who.locator(".stage svg").getAttribute("data-turn")).toBe("5");
    expect(await who.locator("[data-stderr], [data-failure]").count()).toBe(0);
    const everything = await who.evaluate(async (match) => {
      const asked = await Promise.all(["", "/replay", "/record"].map(async (part) => (await fetch(`/api/v1/matches/${match}${part}`)).text()));
      return document.documentElement.outerHTML + asked.join("");
    }, match);
    expect(everything).not.toContain(SECRET);
  }
  expect([...alice.errors, ...bob.errors]).toEqual([]);
  await alice.context().close();
  await bob.context().close();
});

test("nothing of the hostile corpus runs", { timeout: 300_000 }, async () => {
  expect(CORPUS.length).toBeGreaterThanOrEqual(50);
  const page = await visitor();
  await signUp(page, arena.url, "mallory");
  // As messages and errors of a bot, in a match, shown to its owner.
  await submit(page, arena.url, "hypersonic", "bot.py", talker("raise ValueError(said)"), "test");
  await page.waitForSelector("[data-verdict]", slow);
  await expectNothingRan(page, "version");
  await page.locator("[data-match] .to").first().click();
  await page.waitForSelector("[data-ready] .stage svg g *");
  for (let turn = 0; turn < CORPUS.length; turn++) await page.locator("[data-do=next]").click();
  await page.keyboard.press("End");
  await expectNothingRan(page, "match");
  // In messages of the compiler, and in a source.
  await submit(page, arena.url, "hypersonic", "bot.c", `${CORPUS.map((one) => `#error ${one.replace(/[\s\0\ufffd]/g, " ")}`).join("\n")}\nint main() {}\n`, "test");
  await page.waitForSelector("[data-log]", slow);
  expect(await text(page.locator("[data-log]"))).toContain("onerror");
  await expectNothingRan(page, "log");
  // In addresses.
  for (const one of CORPUS) {
    const part = encodeURIComponent(one);
    for (const path of [`/leaderboard/hypersonic?search=${part}`, `/users/${part}`, `/games/${part}`, `/login?to=${part}`]) {
      await page.evaluate((to) => {
        history.pushState(null, "", to);
        dispatchEvent(new PopStateEvent("popstate"));
      }, path);
      await frames(page, 1);
    }
  }
  await frames(page, 10);
  await expectNothingRan(page, "addresses");
  await page.goto(`${arena.url}/leaderboard/hypersonic?search=${encodeURIComponent(CORPUS[3]!)}`);
  await page.waitForSelector("[data-page=leaderboard] h1");
  await expectNothingRan(page, "search");
  await page.goto(`${arena.url}/login?to=${encodeURIComponent("javascript:window.__xss=1")}`);
  await expectNothingRan(page, "login");
  // As the name of a token.
  await page.goto(`${arena.url}/settings`);
  await page.locator("input[name=token-name]").fill(CORPUS[4]!.slice(0, 60));
  await page.locator("#tokens form button").click();
  await page.waitForSelector("[data-token], #tokens [data-error]");
  await expectNothingRan(page, "token");
  expect(page.errors.filter((error) => !error.includes("Refused"))).toEqual([]);
  await page.context().close();

  // Text of an organiser is shown as text too.
  const admin = await visitor();
  await logInAdmin(admin, arena);
  await admin.goto(`${arena.url}/admin/announce`);
  await admin.locator("textarea[name=en]").fill(CORPUS[0]!);
  await admin.locator("textarea[name=fr]").fill(CORPUS[1]!);
  await admin.locator("[data-announce] button.primary").click();
  await admin.waitForSelector("[data-announcement]");
  expect(await text(admin.locator("[data-announcement]"))).toContain(CORPUS[0]);
  await expectNothingRan(admin, "announcement");
  expect(admin.errors).toEqual([]);
  await admin.context().close();
});
