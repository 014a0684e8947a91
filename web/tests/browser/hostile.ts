// Names and output of bots are shown as text and run nothing.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { frames } from "../frames";
import { close, folder, open, record, run, show, watch } from "./agon";

afterAll(close);

const HOSTILE = `</script><script>window.hacked=1</script><img src=x onerror="window.hacked=2"> ' " \u202Etxt\u0000\u001b[31m{{constructor}} \${1}`;

test("hostile names, messages, answers and errors", async () => {
  const played = JSON.parse(readFileSync(record("hypersonic", 9), "utf8"));
  played.bots.forEach((bot: { name: string; command: string }) => {
    bot.name = HOSTILE;
    bot.command = HOSTILE;
  });
  for (const turn of played.turns) {
    turn.stderr = `${HOSTILE}\n[TDATA] ${HOSTILE.replaceAll("=", "")} = 3`;
    turn.output = [`${turn.output[0]} ${HOSTILE}`];
  }
  played.outcome.causes = [HOSTILE, HOSTILE];
  const file = join(folder, "hostile.json");
  writeFileSync(file, JSON.stringify(played));
  const out = join(folder, "hostile.html");
  run("export", file, "--html", out);
  for (const address of [await watch(file), `file://${out}`]) {
    const page = await open();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await show(page, address, "turn=2");
    expect(await page.locator(".panel .name").first().textContent()).toContain("<script>window.hacked=1</script>");
    expect(await page.locator("[data-stderr]").first().textContent()).toContain(`<img src=x onerror="window.hacked=2">`);
    expect(await page.locator("[data-answer]").first().textContent()).toContain("</script>");
    const text = await page.locator("body").textContent();
    expect(text).not.toContain("\u202E");
    expect(text).not.toContain("\u001b");
    for (const chart of await page.locator("[data-chart] option").evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))) {
      await page.locator("[data-chart]").selectOption(chart);
    }
    await page.keyboard.press("End");
    await page.waitForSelector("[data-over]");
    await frames(page);
    expect(await page.evaluate(() => (window as unknown as { hacked?: number }).hacked)).toBeUndefined();
    expect(await page.locator("img, script[src]").count()).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  }
});
