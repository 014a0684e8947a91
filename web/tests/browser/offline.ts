// The files that `agon export` writes: pages opened from the disk without a network, pictures and clips.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { GAMES } from "../games";
import { close, folder, open, record, run, show, turn } from "./agon";

afterAll(close);

test.each(GAMES)("%s opens from the disk with the network off", async (game) => {
  const out = join(folder, `${game}.html`);
  run("export", record(game, 7), "--html", out);
  const page = await open({ offline: true });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await show(page, `file://${out}`, "turn=8");
  await expect.poll(() => turn(page)).toBe(8);
  await page.keyboard.press("End");
  await expect.poll(() => page.locator("[data-over]").count()).toBe(1);
  expect(asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:") && !url.startsWith("blob:"))).toEqual([]);
  await page.context().close();
});

test("several matches in one page", async () => {
  const out = join(folder, "two.html");
  run("export", record("hypersonic", 7), record("hypersonic", 8), "--html", out);
  const page = await open({ offline: true });
  await page.goto(`file://${out}`);
  await page.locator(".matches button").first().click();
  await page.waitForSelector("[data-ready] .stage svg g *");
  await show(page, `file://${out}`, "match=0&compare=1");
  expect(await page.locator(".stage").count()).toBe(2);
  await page.context().close();
});

test("the picture of an export is the picture of the page", async () => {
  const page = await open();
  const out = join(folder, "page.html");
  run("export", record("ocean-of-code", 7), "--html", out);
  await show(page, `file://${out}`, "turn=30&theme=light");
  const layers = await page.locator(".stage svg > g").evaluateAll((all) => all.map((layer) => [...layer.querySelectorAll("path")].map((path) => path.getAttribute("d"))));
  const svg = join(folder, "turn.svg");
  run("export", record("ocean-of-code", 7), "--svg", "30", "--out", svg);
  const text = readFileSync(svg, "utf8");
  for (const d of layers.flat().filter((d) => d)) expect(text).toContain(d);
  await page.context().close();
});

test("pictures and clips are what they say", async () => {
  const file = record("hypersonic", 7);
  const png = join(folder, "turn.png");
  run("export", file, "--png", "last", "--width", "400", "--out", png);
  expect(readFileSync(png).subarray(1, 4).toString()).toBe("PNG");
  const gif = join(folder, "clip.gif");
  run("export", file, "--gif", "--from", "0", "--to", "6", "--width", "200", "--out", gif);
  const page = await open();
  await page.setContent(`<img src="data:image/gif;base64,${readFileSync(gif).toString("base64")}">`);
  expect(await page.locator("img").evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))).toBe(200);
  await page.context().close();
});
