// After a match of the arena: it opens at the failing turn, is analysed on demand, continued from a turn, and its author runs the
// bot on a turn again.

import { expect, test } from "vitest";
import { expectNoSidewaysScroll, FAILS, openArena, signUp, slow, submit, text, visitor } from "./agon";

const arena = openArena();

test("a match is looked into: failing turn, analysis, own bot, continuation", { timeout: 300_000 }, async () => {
  expect(FAILS).toContain("out of ideas");
  const author = await visitor();
  await signUp(author, arena.url, "reviewer");
  await submit(author, arena.url, "hypersonic", "bot.py", FAILS, "test");
  await author.waitForSelector("[data-verdict]", slow);
  const id = await author.locator("[data-match]").first().getAttribute("data-match");
  await author.goto(`${arena.url}/matches/${id}`);
  await author.waitForSelector("[data-page=match] [data-ready] .stage svg g *", slow);
  const turn = async () => Number(await author.locator(".stage svg").first().getAttribute("data-turn"));
  expect(await turn()).toBe(6);
  await author.keyboard.press("ArrowLeft");
  await expect.poll(() => new URL(author.url()).searchParams.get("turn")).toBe("5");

  // The own bot on this turn.
  const seat = (await author.evaluate(async (id) => (await (await fetch(`/api/v1/matches/${id}`)).json()).mine[0], id)) as number;
  const own = author.locator(`.panel[data-seat='${seat}']`);
  await own.locator("[data-run]").click();
  await own.locator("[data-tried]").waitFor(slow);
  expect(await text(own.locator("[data-tried-answer]"))).toBe(await text(own.locator("[data-answer]")));
  expect(await text(own.locator("[data-tried-stderr]"))).toContain("my answer 5");
  expect(await author.locator(`.panel:not([data-seat='${seat}']) [data-run]`).count()).toBe(0);

  // The analysis, which is kept: the next visit has it at once.
  await author.locator("[data-analyse]").click();
  await author.locator("[data-odds] svg path").first().waitFor({ state: "attached", ...slow });
  await author.reload();
  await author.locator("[data-odds] svg path").first().waitFor({ state: "attached" });
  expect(await turn()).toBe(5);
  await expectNoSidewaysScroll(author, "the page of a match");

  // A continuation by hand from this turn, and back.
  await author.locator("[data-continue]").click();
  await author.locator(`[data-player='${seat}']`).selectOption("you");
  await author.locator("[data-begin]").click();
  await author.waitForSelector("[data-continuation] [data-asked]");
  const before = Number(await author.locator("[data-asked]").getAttribute("data-asked"));
  expect(before).toBe(6);
  await author.locator("[data-step]").first().click();
  await expect.poll(async () => Number(await author.locator("[data-asked]").getAttribute("data-asked").catch(() => 0))).toBe(before + 1);
  await author.locator("[data-back]").click();
  await author.waitForSelector("[data-analyse], [data-odds]", { state: "attached" });
  // Bots alone: it is played to its end.
  await author.locator("[data-continue]").click();
  for (const one of [0, 1]) await author.locator(`[data-player='${one}']`).selectOption("@random");
  await author.locator("[data-begin]").click();
  await author.waitForSelector("[data-continuation] [data-ready] .stage svg g *", slow);
  expect(await author.locator("[data-continuation] [data-asked]").count()).toBe(0);
  await author.keyboard.press("End");
  await author.waitForSelector("[data-continuation] [data-over]");
  expect(author.errors).toEqual([]);

  // Others may neither see this test nor run the bot.
  const stranger = await visitor();
  await stranger.goto(arena.url);
  const post = (path: string, body: unknown) => stranger.evaluate(async ([path, body]) => {
    const { csrf } = await (await fetch("/api/v1/me")).json();
    return (await fetch(`/api/v1/matches/${path}`, { method: "POST", headers: { "content-type": "application/json", "x-agon-csrf": csrf ?? "" }, body })).status;
  }, [path, JSON.stringify(body)] as const);
  expect(await post(`${id}/run`, { seat, turn: 5, bot: "newest" })).toBeGreaterThanOrEqual(401);
  expect(await post(`${id}/analysis`, {})).toBe(404);
  expect(await post(`${id}/continue`, { turn: 2, seats: ["you", "@random"] })).toBe(404);
  for (const one of [author, stranger]) await one.context().close();
});
