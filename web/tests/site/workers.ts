// The organiser's page of the workers of a cluster.

import { expect, test } from "vitest";
import { logInAdmin, openArena, text, visitor } from "./agon";

const arena = openArena();

test("workers are listed, drained and disabled", { timeout: 200_000 }, async () => {
  const admin = await visitor();
  await logInAdmin(admin, arena);
  // An arena without a cluster says so.
  await admin.goto(`${arena.url}/admin/workers`);
  expect(await text(admin.locator("[data-workers] .empty"))).toContain("no cluster");

  const worker = { name: "hall-1", host: "hall", version: "0.2.0", level: "a", cores: 8, speed: 1_000_000, noise_us: 21_500, timed: false, played: 1234, failures: 2, rate: 3.25, first_seen: 1, last_seen: 1_700_000_000_000, state: "active", why: null as string | null };
  const asked: unknown[] = [];
  await admin.route("**/api/v1/admin/workers", (request) => request.fulfill({ json: { cluster: true, leads: true, workers: [worker] } }));
  await admin.route("**/api/v1/admin/workers/hall-1", async (request) => {
    const ask = request.request().postDataJSON() as { state: string };
    asked.push(ask);
    Object.assign(worker, ask, { why: ask.state === "disabled" ? "match 7: the result is wrong" : null });
    await request.fulfill({ json: { ok: true } });
  });
  await admin.goto(`${arena.url}/admin/workers`);
  const row = admin.locator("[data-worker=hall-1]");
  await row.waitFor();
  const shown = await text(row);
  for (const part of ["hall", "8", "0.2.0", "1000000", "21.5 ms", "too noisy", "3.3", "1234"]) expect(shown).toContain(part);
  await row.locator("[data-to=drained]").click();
  await admin.waitForSelector("[data-worker=hall-1][data-state=drained]");
  await row.locator("[data-to=disabled]").click();
  await admin.waitForSelector("[data-worker=hall-1][data-state=disabled]");
  expect(await text(row.locator("[data-why]"))).toContain("match 7");
  await row.locator("[data-to=active]").click();
  await admin.waitForSelector("[data-worker=hall-1][data-state=active]");
  expect(asked).toEqual([{ state: "drained" }, { state: "disabled" }, { state: "active" }]);
  expect(admin.errors).toEqual([]);
  await admin.context().close();
});
