// The organiser's page of the workers of a cluster.

import { expect, test } from "vitest";
import type { WorkerReason } from "../../src/site/wire";
import { logInAdmin, openArena, text, visitor } from "./agon";

const arena = openArena();

test("workers are listed, drained and disabled", { timeout: 200_000 }, async () => {
  const admin = await visitor();
  await logInAdmin(admin, arena);
  // An arena without a cluster says so.
  await admin.goto(`${arena.url}/admin/workers`);
  expect(await text(admin.locator("[data-workers] .empty"))).toContain("no cluster");

  const worker = { name: "hall-1", host: "hall", version: "0.2.0", level: "a", cores: 8, speed: 1_000_000, noise_us: 21_500, timed: false, played: 1234, failures: 2, built: 17, languages: ["C++", "Python"], rate: 3.25, first_seen: 1, last_seen: 1_700_000_000_000, state: "active", why: null as WorkerReason | null };
  const asked: unknown[] = [];
  await admin.route("**/api/v1/admin/workers", (request) => request.fulfill({ json: { cluster: true, leads: true, workers: [worker] } }));
  await admin.route("**/api/v1/admin/workers/hall-1", async (request) => {
    const ask = request.request().postDataJSON() as { state: string };
    asked.push(ask);
    Object.assign(worker, ask, { why: ask.state === "disabled" ? { kind: "false_result", match_id: 7, details: "the turns are missing" } : null });
    await request.fulfill({ json: { ok: true } });
  });
  await admin.goto(`${arena.url}/admin/workers`);
  const row = admin.locator("[data-worker=hall-1]");
  await row.waitFor();
  const shown = await text(row);
  for (const part of ["hall", "8", "0.2.0", "1000000", "21.5 ms", "too noisy", "3.3", "1234", "17", "C++, Python"]) expect(shown).toContain(part);
  await row.locator("[data-to=drained]").click();
  await admin.waitForSelector("[data-worker=hall-1][data-state=drained]");
  await row.locator("[data-to=disabled]").click();
  await admin.waitForSelector("[data-worker=hall-1][data-state=disabled]");
  expect(await text(row.locator("[data-why]"))).toBe("match 7 has a false result: the turns are missing");
  await admin.goto(`${arena.url}/admin/workers?lang=fr`);
  expect(await text(row.locator("[data-why]"))).toContain("le match 7 a un résultat faux");
  await admin.goto(`${arena.url}/admin/workers?lang=en`);
  await row.locator("[data-to=active]").click();
  await admin.waitForSelector("[data-worker=hall-1][data-state=active]");
  expect(asked).toEqual([{ state: "drained" }, { state: "disabled" }, { state: "active" }]);
  expect(admin.errors).toEqual([]);
  await admin.context().close();
});
