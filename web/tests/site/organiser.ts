// The organiser's pages, and a contest from its creation to a player in it.

import { expect, test } from "vitest";
import { GAMES } from "../games";
import { kit, logInAdmin, openArena, signUp, slow, submit, text, untilItPlays, visitor } from "./agon";

const arena = openArena();

test("overview, people, pause, announcement, recompute, audit", { timeout: 200_000 }, async () => {
  const player = await visitor();
  await signUp(player, arena.url, "player-one");
  const admin = await visitor();
  await logInAdmin(admin, arena);

  await admin.goto(`${arena.url}/admin`);
  await admin.waitForSelector("[data-overview]");
  expect(await admin.locator("section[data-paused]").getAttribute("data-paused")).toBe("false");
  await admin.locator("[data-toggle]").click();
  await admin.waitForSelector("section[data-paused=true]");
  await admin.locator("[data-toggle]").click();
  await admin.waitForSelector("section[data-paused=false]");

  // Every page says so while the storage fails.
  expect(await admin.locator("[data-storage-failure]").count()).toBe(0);
  const failing = "**/api/v1/me";
  await admin.route(failing, async (request) => {
    const response = await request.fetch();
    await request.fulfill({ response, json: { ...(await response.json()), storage_failure: "the disk is full" } });
  });
  await admin.goto(`${arena.url}/matches`);
  expect(await text(admin.locator("[data-storage-failure]"))).toContain("the disk is full");
  await admin.unroute(failing);
  await admin.goto(`${arena.url}/admin`);

  await admin.locator("[data-tab=users]").click();
  await admin.waitForSelector("[data-users]");
  const row = admin.locator("[data-user=player-one]");
  await row.getByRole("button", { name: "Reset link" }).click();
  await admin.waitForSelector("[data-link]");
  expect(await text(admin.locator("[data-link] code"))).toContain("/reset");
  await row.getByRole("button", { name: "Lock out" }).click();
  await admin.locator("dialog button.danger").click();
  await row.getByText("locked out").waitFor();
  // A locked-out user loses access at once.
  await player.goto(`${arena.url}/bots`);
  await player.waitForSelector(".empty");
  await row.getByRole("button", { name: "Unlock" }).click();
  await row.getByText("locked out").waitFor({ state: "detached" });

  await admin.locator("[data-tab=announce]").click();
  await admin.locator("textarea[name=en]").fill("Pizza at noon.");
  await admin.locator("textarea[name=fr]").fill("Pizza à midi.");
  await admin.locator("[data-announce] button.primary").click();
  await admin.waitForSelector("[data-announcement]");
  const french = await visitor({ locale: "fr-FR" });
  await french.goto(arena.url);
  await french.waitForSelector("[data-announcement]");
  expect(await text(french.locator("[data-announcement]"))).toBe("Pizza à midi.");
  await french.context().close();
  await admin.locator("[data-announcements] button.danger").click();
  await admin.locator("[data-announcement]").waitFor({ state: "detached" });

  await admin.locator("[data-tab=recompute]").click();
  await admin.locator("[data-check]").click();
  await admin.waitForSelector("[data-differences]", slow);
  expect(await admin.locator("[data-differences]").getAttribute("data-differences")).toBe("0");

  await admin.locator("[data-tab=voids]").click();
  await admin.waitForSelector(".empty, [data-match]");
  await admin.locator("[data-tab=audit]").click();
  await admin.waitForSelector("[data-audit] tbody tr");

  // Other users do not see these pages.
  const stranger = await visitor();
  await signUp(stranger, arena.url, "stranger");
  await stranger.goto(`${arena.url}/admin`);
  await stranger.waitForSelector("[data-error=not_allowed]");
  expect(await stranger.locator("[data-overview]").count()).toBe(0);
  expect([...admin.errors, ...player.errors, ...stranger.errors]).toEqual([]);
  for (const one of [admin, player, stranger]) await one.context().close();
});

test("a contest by invitation: made, joined with the code, entered", { timeout: 300_000 }, async () => {
  const admin = await visitor();
  await logInAdmin(admin, arena);
  await admin.goto(`${arena.url}/admin/contests`);
  const form = admin.locator("[data-new-contest]");
  await form.locator("input[name=key]").fill("cup");
  await form.locator("input[name=title]").fill("Cup of the class");
  const local = (ms: number) => admin.evaluate((at) => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16), Date.now() + ms);
  await form.locator("input[name=starts]").fill(await local(-120_000));
  await form.locator("input[name=ends]").fill(await local(3_600_000));
  await form.locator("input[name=invited]").check();
  // A picture becomes a part of both descriptions.
  await form.locator("[data-picture-upload]").setInputFiles({ name: "logo.gif", mimeType: "image/gif", buffer: Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64") });
  for (const name of ["about-en", "about-fr"]) await expect.poll(() => form.locator(`textarea[name=${name}]`).inputValue()).toMatch(/^!\[logo\]\(\/api\/v1\/pictures\/[0-9a-f]{64}\)/);
  for (const game of GAMES.filter((name) => name !== "hypersonic")) {
    const box = form.locator(`input[value="${game}"]`);
    if (await box.isChecked()) await box.uncheck();
  }
  await form.locator('input[value="hypersonic"]').check();
  await form.locator("button.primary").click();
  await admin.waitForSelector("[data-contests] a");
  await admin.locator("[data-tab=invite]").click();
  await admin.locator("form select").selectOption("cup");
  await admin.locator("[data-invite]").click();
  await admin.waitForSelector("[data-invitation]");
  const code = await text(admin.locator("[data-invitation] code").first());
  const link = await text(admin.locator("[data-invitation] code").nth(1));

  const player = await visitor();
  await signUp(player, arena.url, "invitee");
  await player.goto(`${arena.url}/contests`);
  await player.locator("[data-contest=cup] a").click();
  await player.waitForSelector("[data-page=contest][data-state=running]", slow);
  expect(await text(player.locator("[data-left]"))).toMatch(/left/);
  await expect.poll(() => player.locator("[data-about] img[alt=logo]").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await player.locator("input[name=code]").fill("wrong");
  await player.locator("[data-join]").click();
  await player.waitForSelector("[data-error]");
  // The link fills the code in, and does not keep it in the address.
  await player.goto(link);
  await player.waitForSelector("[data-join]");
  expect(await player.locator("input[name=code]").inputValue()).toBe(code);
  expect(player.url()).toBe(`${arena.url}/contests/cup`);
  await player.locator("[data-join]").click();
  await player.waitForSelector("[data-joined]");
  await submit(player, arena.url, "hypersonic", "bot.py", kit("hypersonic", "bot.py"), "activate", "?contest=cup");
  await untilItPlays(player);
  await player.goto(`${arena.url}/bots`);
  await player.waitForSelector("[data-bot]");
  expect(await text(player.locator("[data-bot]"))).toContain("Cup of the class");
  await player.goto(`${arena.url}/contests/cup`);
  await player.waitForSelector("[data-matches] [data-match]", slow);
  expect([...admin.errors, ...player.errors]).toEqual([]);
  await admin.context().close();
  await player.context().close();
});
