// The viewer fits every window, and shows how a match ends, what bots say, and what happens on the board.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { SIZES, expectFit } from "../fit";
import { frames } from "../frames";
import { GAMES, inGame } from "../games";
import { close, folder, open, record, run, show, turn, watch } from "./agon";

afterAll(close);

/** A match of four players of Hypersonic. */
const four = () => record("hypersonic", 23, ["boss-3", "boss-2", "boss-2", "boss-3"]);

describe.each(GAMES)("%s", (game) => {
  const file = () => (game === "hypersonic" ? four() : record(game, 7));

  test("board, time line and scores are on the first screen, in the local viewer and in an export", async () => {
    const out = join(folder, `${game}-look.html`);
    run("export", file(), "--html", out);
    for (const address of [await watch(file()), `file://${out}`]) {
      const page = await open();
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await show(page, address, "turn=6&theme=dark&lang=fr");
        await expectFit(page, `${game} at ${width} × ${height}`);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), "nothing is beyond the right edge").toBeLessThanOrEqual(width);
        await page.keyboard.press("t");
        await expectFit(page, `${game} in the theatre at ${width} × ${height}`);
        expect(await page.locator(".panels").isVisible()).toBe(false);
        await page.keyboard.press("Escape");
        expect(await page.locator(".panels").isVisible()).toBe(true);
      }
      await page.context().close();
    }
  });

  test("the result is shown at the end, can be closed, and lets the pointer through to the board", async () => {
    const page = await open();
    await show(page, await watch(file()), "turn=-2&options=motion:off");
    expect(await page.locator("[data-result-banner]").count()).toBe(0);
    await page.keyboard.press("End");
    const banner = page.locator("[data-result-banner]");
    await banner.waitFor();
    const { end, steps, header } = await (await fetch(`${page.url().split("?")[0]}api/matches/0`)).json();
    const best = (end.outcome.ranks as number[]).flatMap((rank, seat) => (rank === 1 ? [seat] : []));
    const text = (await banner.textContent())!;
    expect(text).toContain(best.length === 1 ? `${header.players[best[0]!].name} wins` : "A draw");
    for (const { points } of steps.at(-1).parts) if (points !== null) expect(text).toContain((points as number).toLocaleString("en"));
    // Scores that hold more than points are not shown to people.
    for (const score of end.outcome.scores as number[]) if (Math.abs(score) > 100_000) expect(await page.locator("body").innerText()).not.toContain(String(score));
    expect(await page.locator("[data-winner]").count()).toBe(best.length === 1 ? 1 : 0);
    const box = (await banner.boundingBox())!;
    const under = await page.evaluate(([x, y]) => document.elementFromPoint(x!, y!)?.closest("svg, .bubble") !== null, [box.x + 30, box.y + box.height - 12]);
    expect(under).toBe(true);
    await page.locator("[data-close-result]").click();
    expect(await banner.count()).toBe(0);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("End");
    await banner.waitFor();
    await page.keyboard.press("Escape");
    expect(await banner.count()).toBe(0);
    await page.context().close();
  });

  test("the legend explains the signs in both languages", async () => {
    const page = await open();
    await show(page, await watch(file()), "lang=fr");
    await page.locator("[data-legend] summary").click();
    const count = await page.locator("[data-legend] li").count();
    expect(count).toBeGreaterThan(3);
    expect(await page.locator("[data-legend] li svg > *").count()).toBeGreaterThanOrEqual(count);
    expect(await page.locator("[data-legend]").textContent()).not.toContain("sign.");
    await page.context().close();
  });
});

test("full screen by button and key", async () => {
  const page = await open();
  await show(page, await watch(record("hypersonic", 7)));
  const full = () => page.evaluate(() => document.fullscreenElement?.className ?? "");
  await page.keyboard.press("f");
  await expect.poll(full).toContain("show");
  await expectFit(page, "full screen");
  await page.locator("[data-do=full]").click();
  await expect.poll(full).toBe("");
  await page.context().close();
});

test("an arrow key after a pause inside a turn goes on from the turn that is shown", async () => {
  const page = await open();
  await show(page, await watch(record("ocean-of-code", 7)), "turn=10&speed=0.25");
  await page.keyboard.press(" ");
  await expect.poll(() => turn(page)).toBe(11);
  await page.keyboard.press(" ");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => turn(page)).toBe(12);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => turn(page)).toBe(11);
  await page.context().close();
});

test("a match chosen from the list plays, unless the system asks for less motion", async () => {
  const address = (await watch(record("hypersonic", 47), record("hypersonic", 8))).split("?")[0]!;
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    const page = await open({ reducedMotion });
    await page.goto(address);
    await page.locator(".matches .match").first().click();
    await page.waitForSelector("[data-ready]");
    if (reducedMotion === "reduce") {
      await frames(page, 60);
      expect(await turn(page)).toBe(0);
    } else await expect.poll(() => turn(page)).toBeGreaterThan(1);
    await page.goto(`${address}?match=0&play`);
    await page.waitForSelector("[data-ready]");
    if (reducedMotion !== "reduce") await expect.poll(() => turn(page)).toBeGreaterThan(1);
    await page.context().close();
  }
});

test("the messages of bots are shown on the board, cut, the whole on hover", async () => {
  const long = "I go where the boxes are and where nobody else wants to be today";
  const bot = join(folder, "talker.py");
  const says = readFileSync(inGame("back-track", "kits", "bot.py"), "utf8").replace('";".join(decide(game)) or "WAIT"', `";".join([*decide(game), "MESSAGE ${long}"])`);
  expect(says).toContain(long);
  writeFileSync(bot, says);
  const file = join(folder, "talker.json");
  run("play", "back-track", "--seed", "7", "--bot", bot, "--bot", "@wait", "--record", file, "--quiet");
  const page = await open();
  await show(page, await watch(file), "turn=3");
  const bubble = page.locator("[data-bubble='0']");
  await bubble.waitFor();
  expect(await bubble.textContent()).toBe(long);
  const narrow = (await bubble.boundingBox())!;
  expect(narrow.width).toBeLessThan(200);
  expect(await bubble.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true);
  await bubble.hover();
  await expect.poll(() => bubble.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  await page.context().close();
});

describe("Back Track", () => {
  const busy = () => record("back-track", 7, ["boss-3", "boss-2"]);

  test("labels cover neither towns nor each other, also on a phone", async () => {
    const page = await open();
    const address = await watch(busy());
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await show(page, address, "turn=-20&options=motion:off");
      const { towns, labels } = await page.evaluate(() => {
        const boxes = (what: string) => [...document.querySelectorAll(`.stage ${what}`)].map((one) => one.getBoundingClientRect()).map(({ left, top, right, bottom }) => ({ left, top, right, bottom }));
        return { towns: boxes("[data-town]"), labels: boxes("[data-label]") };
      });
      expect(towns.length).toBeGreaterThan(3);
      expect(labels.length).toBeGreaterThan(width > 900 ? 8 : 1);
      const all = [...towns, ...labels];
      labels.forEach((label, i) => {
        for (const other of all) {
          if (other === label || labels.indexOf(other) > i) continue;
          const apart = label.right <= other.left + 1 || other.right <= label.left + 1 || label.bottom <= other.top + 1 || other.bottom <= label.top + 1;
          expect(apart, `labels at ${width} × ${height}`).toBe(true);
        }
      });
    }
    await page.context().close();
  });

  test("trains run while the match plays; a town tells who wants it", async () => {
    const page = await open();
    const address = await watch(busy());
    await show(page, address, "turn=-20");
    const places = () => page.locator("[data-train]").evaluateAll((all) => all.map((one) => one.getAttribute("transform")));
    const before = await places();
    expect(before.length).toBeGreaterThan(0);
    await page.keyboard.press(" ");
    await expect.poll(places).not.toEqual(before);
    const { header } = await (await fetch(`${page.url().split("?")[0]}api/matches/0`)).json();
    const wanted = (header.board.towns as { wishes: number[] }[]).findIndex((_, id) => header.board.towns.some((other: { wishes: number[] }) => other.wishes.includes(id)));
    const [x, y] = header.board.towns[wanted].cell;
    const svg = page.locator(".stage svg");
    const box = (await svg.boundingBox())!;
    const scale = box.width / Number((await svg.getAttribute("viewBox"))!.split(" ")[2]);
    await page.mouse.move(box.x + (22 + (x + 0.5) * 40) * scale, box.y + (22 + (y + 0.5) * 40) * scale);
    const wanting = (header.board.towns as { wishes: number[] }[]).flatMap(({ wishes }, id) => (wishes.includes(wanted) ? [id] : []));
    await expect.poll(async () => (await page.locator("[data-tip]").textContent())!.replace(/\s+/g, " ")).toContain(`Wanted by ${wanting.join(", ")}`);
    await page.context().close();
  });
});

test("sound is off until it is switched on, and the choice is remembered", async () => {
  const page = await open();
  const address = await watch(record("hypersonic", 47));
  await page.addInitScript(() => {
    const state = window as unknown as { started: number };
    state.started = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when?: number) {
      state.started++;
      start.call(this, when);
    };
  });
  await show(page, address, "autoplay=1&speed=8");
  const started = () => page.evaluate(() => (window as unknown as { started: number }).started);
  await expect.poll(() => turn(page)).toBeGreaterThan(15);
  expect(await started()).toBe(0);
  await page.locator("[data-do=sound]").click();
  expect(await page.locator("[data-do=sound]").getAttribute("aria-pressed")).toBe("true");
  await show(page, address, "autoplay=1&speed=8");
  expect(await page.locator("[data-do=sound]").getAttribute("aria-pressed")).toBe("true");
  await expect.poll(started).toBeGreaterThan(0);
  await page.context().close();
});
