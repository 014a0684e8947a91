// Records in the browser: keys, options, hover, panels, charts, addresses, frames.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devices, type Page } from "playwright-core";
import { frames } from "../frames";
import { GAMES } from "../games";
import { close, open, record, run, show, turn, watch } from "./agon";

afterAll(close);

/** Seeds whose match between random players is long enough, where seed 7 is not. */
const SEEDS: { [game: string]: number } = { hypersonic: 47 };
const seedOf = (game: string) => SEEDS[game] ?? 7;
/** Turns before the end at which there is something to show, where 10 turns are not right. */
const BACK: { [game: string]: number } = { hypersonic: 1 };

/** Points at a cell, given the size of a cell in the picture; returns the facts that are shown. */
async function hover(page: Page, cell: number, x: number, y: number): Promise<string> {
  const svg = page.locator(".stage svg").first();
  const box = (await svg.boundingBox())!;
  const [, , width] = (await svg.getAttribute("viewBox"))!.split(" ").map(Number);
  const scale = box.width / width!;
  await page.mouse.move(box.x + (22 + (x + 0.5) * cell) * scale, box.y + (22 + (y + 0.5) * cell) * scale);
  const lines = await page.locator("[data-tip] > div").allTextContents();
  return lines.map((line) => line.replace(/\s+/g, " ").trim()).join(" | ");
}

describe.each(GAMES)("%s", (game) => {
  let page: Page;
  let address: string;
  const errors: string[] = [];
  const elsewhere: string[] = [];
  beforeAll(async () => {
    address = await watch(record(game, seedOf(game)));
    page = await open();
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("request", (request) => request.url().startsWith(address.split("?")[0]!) || request.url().startsWith("data:") || elsewhere.push(request.url()));
    await show(page, address);
  });

  test("every key does what it says", async () => {
    const replay = await (await fetch(`${address.split("?")[0]}api/matches/0`)).json();
    const last = replay.steps.length - 1;
    await page.keyboard.press("End");
    await expect.poll(() => turn(page)).toBe(last);
    await expect.poll(() => page.locator("[data-over]").count()).toBe(1);
    await page.keyboard.press("Home");
    await expect.poll(() => turn(page)).toBe(0);
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => turn(page)).toBe(1);
    await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(() => turn(page)).toBe(11);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => turn(page)).toBe(10);
    await page.keyboard.press("Shift+ArrowLeft");
    await expect.poll(() => turn(page)).toBe(0);
    await page.keyboard.press("+");
    await expect.poll(() => page.locator("[data-speed]").textContent()).toBe("2×");
    await page.keyboard.press("-");
    await page.keyboard.press("-");
    await expect.poll(() => page.locator("[data-speed]").textContent()).toBe("0.5×");
    for (let i = 0; i < 4; i++) await page.keyboard.press("=");
    await page.keyboard.press(" ");
    await expect.poll(() => turn(page)).toBeGreaterThan(2);
    await page.keyboard.press(" ");
    await expect.poll(() => page.locator("[data-do=toggle]").getAttribute("aria-label")).toBe("Play");
    const stopped = await turn(page);
    await frames(page, 20);
    expect(await turn(page)).toBe(stopped);
    await page.keyboard.press("?");
    expect(await page.locator("[data-help]").isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("[data-help]").count()).toBe(0);
  });

  test("every option changes the picture and is remembered", async () => {
    await page.keyboard.press("Home");
    await page.keyboard.press("End");
    for (let i = 0; i < (BACK[game] ?? 10); i++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("o");
    const names = await page.locator("[data-option]").evaluateAll((all) => all.map((one) => one.getAttribute("data-option")!));
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      if (name === "theme" || name === "lang" || name === "motion") continue;
      const option = page.locator(`[data-option=${name}]`);
      // Not every turn shows mines, bombs or wishes: earlier turns are tried.
      const change = async () => {
        const before = await page.locator(".stage svg").innerHTML();
        if ((await option.getAttribute("type")) === "checkbox") await option.click();
        else await option.selectOption({ index: 1 });
        return before !== (await page.locator(".stage svg").innerHTML());
      };
      let changed = false;
      for (let i = 0; i < 20 && !changed; i++) {
        changed = await change();
        if (!changed) {
          if ((await option.getAttribute("type")) === "checkbox") await option.click();
          else await option.selectOption({ index: 0 });
          await page.locator("[data-do=previous]").click();
        }
      }
      expect(changed, name).toBe(true);
      if ((await option.getAttribute("type")) === "checkbox") await option.click();
      else await option.selectOption({ index: 0 });
    }
    for (const name of names) {
      const option = page.locator(`[data-option=${name}]`);
      if ((await option.getAttribute("type")) === "checkbox") await option.click();
      else await option.selectOption({ index: 1 });
    }
    const chosen = () => page.locator("[data-option]").evaluateAll((all) => all.map((one) => (one instanceof HTMLInputElement ? one.checked : (one as HTMLSelectElement).value)));
    const before = await chosen();
    await show(page, address);
    await page.keyboard.press("o");
    expect(await chosen()).toEqual(before);
    await page.evaluate(() => localStorage.clear());
    await show(page, address);
  });

  test("language, colours, turn, speed and options come from the address", async () => {
    await show(page, address, "lang=fr&theme=dark&turn=5&speed=4&options=motion:off");
    await expect.poll(() => turn(page)).toBe(5);
    await expect.poll(() => page.locator("[data-where]").textContent()).toContain("Tour 5 sur");
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("fr");
    await expect.poll(() => page.locator("[data-speed]").textContent()).toBe("4×");
    await page.keyboard.press("o");
    expect(await page.locator("[data-option=motion]").isChecked()).toBe(false);
    await show(page, address, "turn=3&autoplay=1&speed=8");
    await expect.poll(() => turn(page)).toBeGreaterThan(4);
    await show(page, address, "turn=-1");
    await expect.poll(() => page.locator("[data-over]").count()).toBe(1);
  });

  test("the time line can be dragged, and the charts clicked", async () => {
    await show(page, address);
    const line = page.locator(".timeline input");
    await line.fill("4");
    await expect.poll(() => turn(page)).toBe(4);
    const names = await page.locator("[data-chart] option").allTextContents();
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) {
      await page.locator("[data-chart]").selectOption({ label: name });
      expect(await page.locator(".chart polyline").count()).toBe(2);
    }
    await page.locator(".chart svg").click({ position: { x: 1, y: 20 } });
    await expect.poll(() => turn(page)).toBe(0);
  });

  test("the input of a turn and the command to replay are copied", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await show(page, address, "turn=1");
    await page.locator("[data-copy=input]").first().click();
    const input = await page.evaluate(() => navigator.clipboard.readText());
    // The map comes first.
    const map = run("map", game, "--seed", String(seedOf(game)));
    expect(input.slice(0, map.length)).toBe(map);
    expect(map.length).toBeGreaterThan(10);
    await page.locator("[data-copy=again]").click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(new RegExp(`^agon play ${game} .*--seed ${seedOf(game)} `));
  });

  test("everything can be done by keyboard, and screen readers get the facts", async () => {
    await show(page, address);
    await page.keyboard.press("i");
    await expect.poll(() => page.locator(".stage [role=status]").textContent()).toContain("Cell");
    const before = await page.locator(".stage [role=status]").textContent();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.locator(".stage [role=status]").textContent()).not.toBe(before);
    await page.keyboard.press("Escape");
    const nameless = await page.locator("button, input, select").evaluateAll((all) =>
      all.filter((one) => !one.closest("[aria-hidden]") && !(one.getAttribute("aria-label") || one.textContent?.trim() || (one as HTMLInputElement).labels?.length)).length,
    );
    expect(nameless).toBe(0);
    expect(await page.locator(".stage svg").first().getAttribute("aria-label")).toContain("Turn 0 of");
  });

  test("there were no errors, and no requests to other hosts", () => {
    expect(errors).toEqual([]);
    expect(elsewhere).toEqual([]);
  });

  test("it fits a phone, and a tap shows the facts of a cell", async () => {
    const phone = await open(devices["Pixel 7"]);
    await show(phone, address, "turn=6");
    const width = await phone.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(412);
    await phone.locator(".stage svg").tap();
    expect(await phone.locator("[data-tip]").textContent()).toContain("Cell");
    await phone.context().close();
  });
});

test("hover shows the facts of a cell", async () => {
  const page = await open();
  await show(page, await watch(record("ocean-of-code", 7)), "turn=40");
  const { turns } = JSON.parse(readFileSync(record("ocean-of-code", 7), "utf8"));
  expect(turns[0].player).toBe(0);
  expect(await hover(page, 40, 5, 3)).toBe("Cell 5 3 | Sector 2 | island");
  expect(await hover(page, 40, 3, 11)).toContain("submarine, 5 lives");
  expect(await hover(page, 40, 3, 11)).toContain("could be here, judging by public information");
  expect(await hover(page, 40, 3, 12)).toContain("visited");
  expect(await hover(page, 40, 0, 0)).toContain("ruled out by public information");

  await show(page, await watch(record("hypersonic", 7)), "turn=0");
  expect(await hover(page, 48, 1, 1)).toBe("Cell 1 1 | wall");
  expect(await hover(page, 48, 0, 0)).toContain("range 3, 1 bombs to lay");
  const rows = JSON.parse(run("map", "hypersonic", "--seed", "7", "--json")).map as string[];
  const y = rows.findIndex((row) => /[12]/.test(row));
  const x = rows[y]!.search(/[12]/);
  const what = rows[y]![x] === "1" ? "an extra range" : "an extra bomb";
  expect(await hover(page, 48, x, y)).toBe(`Cell ${x} ${y} | box with ${what}`);

  await show(page, await watch(record("back-track", 7)), "turn=60");
  const { towns, regions, width } = JSON.parse(run("map", "back-track", "--seed", "7", "--json"));
  const [id, tx, ty, wishes] = towns[3];
  const facts = await hover(page, 40, tx, ty);
  expect(facts).toContain(`Town ${id}`);
  expect(facts).toContain(`Region ${regions[ty * width + tx]}`);
  const named = [...facts.matchAll(/(?:Connected to|Wants) ([\d, ]+)/g)].flatMap((found) => found[1]!.split(",").map(Number)).filter((n) => wishes.includes(n));
  expect(named.sort((a, b) => a - b)).toEqual(wishes);
  await page.context().close();
});

test("there is no motion where the system asks for less", async () => {
  const page = await open({ reducedMotion: "reduce" });
  await show(page, await watch(record("hypersonic", 7)));
  await page.keyboard.press("o");
  expect(await page.locator("[data-option=motion]").isChecked()).toBe(false);
  await page.locator("[data-option=motion]").click();
  expect(await page.locator("[data-option=motion]").isChecked()).toBe(true);
  await page.context().close();
});

test("two matches side by side under one clock", async () => {
  const page = await open();
  const address = (await watch(record("hypersonic", 7), record("hypersonic", 8))).split("?")[0]!;
  await page.goto(address);
  await page.waitForSelector(".matches button");
  expect(await page.locator(".matches .match").count()).toBe(2);
  await page.locator(".matches select").first().selectOption({ index: 1 });
  await page.waitForSelector("[data-match='1'] .stage svg g *");
  await page.keyboard.press("ArrowRight");
  const turns = () => page.locator(".stage svg").evaluateAll((all) => all.map((svg) => svg.getAttribute("data-turn")));
  await expect.poll(turns).toEqual(["1", "1"]);
  expect(await page.locator(".panel").count()).toBe(4);
  await page.context().close();
});

test("an embedding page can follow and control it", async () => {
  const page = await open();
  const address = await watch(record("hypersonic", 7));
  const host = address.split("?")[0]!;
  await page.goto(`${host}api/replays`);
  await page.setContent("<p>A page of somebody.</p>");
  await page.evaluate((address) => {
    (window as unknown as { heard: unknown[] }).heard = [];
    window.addEventListener("message", (event) => (window as unknown as { heard: unknown[] }).heard.push(event.data));
    const frame = document.createElement("iframe");
    frame.src = address;
    document.body.append(frame);
  }, address);
  const heard = () => page.evaluate(() => (window as unknown as { heard: { agon: string; turn?: number }[] }).heard);
  await expect.poll(async () => (await heard()).some((one) => one.agon === "ready")).toBe(true);
  await page.evaluate(() => document.querySelector("iframe")!.contentWindow!.postMessage({ agon: "seek", turn: 9 }, "*"));
  await expect.poll(async () => (await heard()).some((one) => one.agon === "turn" && one.turn === 9)).toBe(true);
  await page.context().close();
});
