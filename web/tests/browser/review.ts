// After the match: the curve, the turns that decided it, better answers, continuations, bots on recorded turns.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { devices } from "playwright-core";
import { close, folder, open, record, run, serve, show, turn, watch } from "./agon";
import { GAMES } from "../games";

afterAll(close);

/** A match in which an answer cost much and a better one is known. */
function analysed(): string {
  const file = record("hypersonic", 4, ["boss-2", "boss-3"]);
  run("analyse", file);
  return file;
}

interface Kept {
  positions: { turn: number; win: number[] }[];
  moments: { turn: number; seat: number; better: { answer: string } | null }[];
}
const analysisOf = (file: string) => JSON.parse(run("analyse", file, "--json")) as Kept;

describe("an analysis beside the record", () => {
  test("keys jump from one decisive turn to the next, and the better answer is named and drawn", async () => {
    const file = analysed();
    const { moments } = analysisOf(file);
    const turns = moments.map((moment) => moment.turn).sort((a, b) => a - b);
    const better = moments.find((moment) => moment.better)!;
    expect(turns.length).toBeGreaterThan(1);
    const page = await open({ viewport: { width: 1366, height: 768 } });
    await show(page, await watch(file), "turn=0");
    await page.waitForSelector("[data-odds] svg path");
    expect(await page.locator("[data-moment-mark]").count()).toBe(moments.length);
    for (const one of turns) {
      await page.keyboard.press("n");
      await expect.poll(() => turn(page)).toBe(one);
    }
    await page.keyboard.press("p");
    await expect.poll(() => turn(page)).toBe(turns.at(-2));
    await page.locator(`[data-moment='${better.turn}']`).click();
    await expect.poll(() => page.locator("[data-better]").textContent()).toBe(better.better!.answer);
    expect(await page.locator("[data-gain]").textContent()).toMatch(/gains \d+\s% of the points, 95 % interval -?\d+\s% to \d+\s%/);
    // The better answer is drawn on the board before the turn, beside the recorded one.
    await page.keyboard.press("b");
    await expect.poll(() => turn(page)).toBe(better.turn - 1);
    await expect.poll(() => page.locator("[data-answers='2'] > *").count()).toBeGreaterThan(1);
    await page.keyboard.press("b");
    await expect.poll(() => page.locator("[data-answers='0'] > *").count()).toBe(0);
    // The probabilities are those of the turn.
    await page.keyboard.press("Home");
    await expect.poll(() => page.locator("[data-chances=all]").first().textContent()).toMatch(/\d+\s%.*\d+\s%/);
    await page.keyboard.press("?");
    for (const key of ["n", "p", "b", "c"]) expect(await page.locator("[data-help] kbd", { hasText: new RegExp(`^${key}$`) }).count()).toBe(1);
    await page.context().close();
  });

  test("an exported page has it too", async () => {
    const out = join(folder, "analysed.html");
    run("export", analysed(), "--html", out);
    const page = await open({ offline: true });
    await show(page, `file://${out}`);
    await page.waitForSelector("[data-odds] svg path");
    // Nothing that takes a server is offered.
    expect(await page.locator("[data-continue], [data-analyse], [data-run]").count()).toBe(0);
    await page.context().close();
  });

  test("a match that was not analysed is analysed on demand", async () => {
    const page = await open({ locale: "fr-FR" });
    await show(page, await watch(record("back-track", 3, ["boss-1", "random"])));
    expect(await page.locator("[data-odds]").count()).toBe(0);
    expect(await page.locator("[data-analyse]").textContent()).toBe("Analyser ce match");
    await page.locator("[data-analyse]").click();
    await page.waitForSelector("[data-odds] svg path", { timeout: 60_000 });
    expect(await page.locator("[data-analyse]").count()).toBe(0);
    await page.context().close();
  });
});

/** A bot that says what it does, and ends after some turns where it is told to. */
function bot(name: string, turns: number): string {
  const file = join(folder, name);
  writeFileSync(file, `import sys
width, height, me = map(int, input().split())
for turn in range(${turns}):
    for _ in range(height):
        input()
    for _ in range(int(input())):
        kind, owner, x, y, a, b = map(int, input().split())
        if kind == 0 and owner == me:
            cell = x, y
    print("turn", turn + 1, file=sys.stderr)
    print("MOVE", *cell, flush=True)
`);
  return file;
}

/** A record of a match of that bot. */
function played(name: string, turns: number): { file: string; own: string } {
  const own = bot(name, turns);
  const file = join(folder, `${name}.json`);
  run("play", "hypersonic", "--seed", "4", "--bot", own, "--bot", "@boss-3", "--record", file, "--quiet");
  return { file, own };
}

test("the replay opens at the failing turn, and the address follows the turn", async () => {
  const { file } = played("fails.py", 4);
  const address = await watch(file);
  const page = await open();
  await show(page, address);
  // The fifth answer did not come.
  expect(await turn(page)).toBe(5);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => new URL(page.url()).searchParams.get("turn")).toBe("4");
  await page.reload();
  await page.waitForSelector("[data-ready] .stage svg g *");
  expect(await turn(page)).toBe(4);
  await show(page, address, "turn=1");
  expect(await turn(page)).toBe(1);
  await page.context().close();
});

test("a bot is run on the turn that is shown", { timeout: 60_000 }, async () => {
  const { file, own } = played("stays.py", 300);
  const page = await open();
  await show(page, await watch(file, "--bot", own), "turn=3");
  const panel = page.locator(".panel[data-seat='0']");
  await panel.locator("[data-run]").click();
  await expect.poll(() => panel.locator("[data-tried-answer]").textContent()).toBe(await panel.locator("[data-answer]").textContent());
  expect(await panel.locator("[data-tried-stderr]").textContent()).toContain("turn 3");
  expect(await panel.locator("[data-tried]").textContent()).toMatch(/the recorded answer · [\d.]+ ms/);
  // The result belongs to its turn.
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => panel.locator("[data-tried]").count()).toBe(0);
  // A built-in bot, and the bot of the record.
  const other = page.locator(".panel[data-seat='1']");
  await other.locator(".run-bot select").selectOption("@boss-1");
  await other.locator("[data-run]").click();
  await expect.poll(() => other.locator("[data-tried]").textContent()).toContain("boss-1");
  await panel.locator(".run-bot select").selectOption("recorded");
  await panel.locator("[data-run]").click();
  await expect.poll(() => panel.locator("[data-tried-stderr]").textContent()).toContain("turn 4");
  await page.context().close();
});

test("a page names no program of its own", async () => {
  const { file } = played("stays.py", 300);
  const base = new URL(await watch(file)).origin;
  const post = (path: string, body: unknown) => fetch(`${base}/api/matches/0/${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const ran = await post("run", { seat: 0, turn: 1, bot: "touch /tmp/x" });
  expect([ran.status, ((await ran.json()) as { error: string }).error]).toEqual([400, "it is none of the bots that `agon watch --bot` named"]);
  const continued = await post("continue", { turn: 1, seats: ["touch /tmp/x", "@random"], given: [] });
  expect([continued.status, ((await continued.json()) as { error: string }).error]).toEqual([400, expect.stringContaining("none of the bots")]);
  // A form of another site cannot send JSON.
  const form = await fetch(`${base}/api/matches/0/analysis`, { method: "POST", body: "null" });
  expect(form.status).toBe(415);
});

describe.each(GAMES)("%s", (game) => {
  test("a match is continued by hand from a turn, also after the page was loaded again", { timeout: 120_000 }, async () => {
    const page = await open();
    await show(page, await watch(record(game, 7)), "turn=6&options=motion:off");
    await page.locator("[data-continue]").click();
    await page.locator("[data-player='0']").selectOption("you");
    await page.locator("[data-player='1']").selectOption("@random");
    await page.locator("[data-begin]").click();
    await page.waitForSelector("[data-asked]");
    // Seven positions of the match and, where players take turns, one more of the opponent.
    expect(Number(await page.locator("[data-asked]").getAttribute("data-asked"))).toBeGreaterThanOrEqual(7);
    expect(await turn(page)).toBeGreaterThanOrEqual(6);
    await page.reload();
    await page.waitForSelector("[data-asked]");
    await page.context().close();
  });
});

test("bots continue alone, with the better answer first", { timeout: 120_000 }, async () => {
  const file = analysed();
  const better = analysisOf(file).moments.find((moment) => moment.better)!;
  const page = await open();
  await show(page, await watch(file), `turn=${better.turn}`);
  await page.locator("[data-play-better]").click();
  expect(await page.locator("[data-given]").textContent()).toBe(better.better!.answer);
  await page.locator(`[data-player='${better.seat}']`).selectOption("@boss-2");
  await page.locator("[data-begin]").click();
  await page.waitForSelector("[data-continue-dialog]", { state: "detached", timeout: 60_000 });
  await page.waitForSelector("[data-ready] .stage svg g *");
  // It opens at the position before the turn; one step on, the better answer was played.
  await expect.poll(() => turn(page)).toBe(better.turn - 1);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.locator(`.panel[data-seat='${better.seat}'] [data-answer]`).textContent()).toBe(better.better!.answer);
  const base = new URL(page.url());
  const continuation = await (await fetch(`${base.origin}/api/matches/${base.searchParams.get("match")}/record`)).text();
  const kept = join(folder, "continued.json");
  writeFileSync(kept, continuation);
  expect(run("verify", kept)).toContain("0 mismatches");
  expect(JSON.parse(continuation).parent.turn).toBe(better.turn);
  await page.context().close();
});

test("agon fork with @human opens the viewer at the position", { timeout: 60_000 }, async () => {
  const { file, own } = played("stays.py", 300);
  const address = await serve("fork", file, "--turn", "3", "--bot", "@human", "--bot", own, "--answer", "1:MOVE 12 9");
  const page = await open();
  await page.goto(`${address}&options=motion:off`);
  await page.waitForSelector("[data-asked]");
  expect(await turn(page)).toBe(2);
  await page.locator("[data-line]").fill("MOVE 0 0");
  await page.locator("[data-send]").click();
  await expect.poll(() => turn(page)).toBe(3);
  expect(await page.locator(".panel[data-seat='1'] [data-answer]").textContent()).toBe("MOVE 12 9");
  await page.context().close();
});

test("all of it fits a phone", { timeout: 60_000 }, async () => {
  const page = await open({ ...devices["Pixel 7"]! });
  await show(page, await watch(analysed()), "turn=10");
  await page.waitForSelector("[data-odds]");
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await wide()).toBeLessThanOrEqual(0);
  await page.locator("[data-continue]").tap();
  await page.waitForSelector("[data-continue-dialog]");
  expect(await wide()).toBeLessThanOrEqual(0);
  await page.context().close();
});
