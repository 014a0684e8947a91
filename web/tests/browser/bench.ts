// The cost of the viewer: `cargo xtask bench web`. It measures and prints; it checks no limits.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, test } from "vitest";
import { inGame } from "../games";
import { close, folder, open, show, watch } from "./agon";

afterAll(close);

/** The first trace with at least this many turns. */
function trace(game: string, turns: number): string {
  const traces = gunzipSync(readFileSync(inGame(game, "traces", "dev.jsonl.gz"))).toString().split("\n");
  const found = traces.find((line) => line && JSON.parse(line).turns.length >= turns);
  if (!found) throw new Error(`there is no trace of ${game} with ${turns} turns`);
  const file = join(folder, `${game}-long.json`);
  writeFileSync(file, found);
  return file;
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Memory of the process behind a page, in MiB, as the kernel counts it. */
async function memory(page: Awaited<ReturnType<typeof open>>): Promise<number> {
  const session = await page.context().browser()!.newBrowserCDPSession();
  const { processInfo } = (await session.send("SystemInfo.getProcessInfo")) as { processInfo: { type: string; id: number }[] };
  const sizes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))?.[1] ?? 0) / 1024);
  return Math.max(...sizes);
}

test.runIf(process.env.BENCH)("bench", { timeout: 600_000 }, async () => {
  const lines: string[] = [];
  const page = readFileSync(join(import.meta.dirname, "../../dist/index.html"));
  lines.push(`| page, compressed | ${(gzipSync(page).length / 1024).toFixed(0)} KiB |`);

  const rounds = await watch(trace("hypersonic", 400));
  const times: number[] = [];
  for (let i = 0; i < 7; i++) {
    const fresh = await open();
    await fresh.goto("about:blank");
    const begun = performance.now();
    await show(fresh, rounds);
    times.push(performance.now() - begun);
    await fresh.context().close();
  }
  lines.push(`| Hypersonic, 200 turns: from the address to the picture, median of 7 | ${median(times).toFixed(0)} ms |`);

  for (const [game, turns] of [["hypersonic", 400], ["ocean-of-code", 300], ["back-track", 200]] as const) {
    const shown = await open();
    await show(shown, await watch(trace(game, turns)), "autoplay=1&speed=2");
    const gaps = await shown.evaluate(
      () =>
        new Promise<number[]>((done) => {
          const gaps: number[] = [];
          let last = performance.now();
          const frame = (now: number) => {
            gaps.push(now - last);
            last = now;
            if (gaps.length < 600) requestAnimationFrame(frame);
            else done(gaps.slice(10));
          };
          requestAnimationFrame(frame);
        }),
    );
    const slow = gaps.filter((gap) => gap > 25).length / gaps.length;
    // The share of the main thread that drawing takes.
    const session = await shown.context().newCDPSession(shown);
    await session.send("Performance.enable");
    const busy = async () => {
      const { metrics } = await session.send("Performance.getMetrics");
      return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    };
    const before = await busy();
    // The length of the measurement.
    await shown.waitForTimeout(3000);
    const after = await busy();
    const share = (after.TaskDuration! - before.TaskDuration!) / (after.Timestamp! - before.Timestamp!);
    lines.push(`| ${game}: frames later than 25 ms, of ${gaps.length}; median gap; share of the main thread | ${(slow * 100).toFixed(1)} %; ${median(gaps).toFixed(1)} ms; ${(share * 100).toFixed(0)} % |`);
    lines.push(`| ${game}: memory of the page's process; of its script | ${(await memory(shown)).toFixed(0)} MiB; ${(after.JSHeapUsedSize! / 1048576).toFixed(0)} MiB |`);
    await shown.context().close();
  }
  console.log(`\n${lines.join("\n")}\n`);
});
