// Teams of a contest, the search, and matches by their properties.

import { expect, test } from "vitest";
import { logInAdmin, openArena, organise, PASSWORD, signUp, slow, text, visitor } from "./agon";

const arena = openArena();

test("two players make a team, and a stranger finds it", { timeout: 200_000 }, async () => {
  const admin = await visitor();
  await logInAdmin(admin, arena);
  await organise(admin, "contests", {
    key: "cup", title: "Railway cup", starts: Date.now() - 60_000, ends: Date.now() + 86_400_000, invited_only: false, games: [{ game: "back-track" }], final_top: 2, final_matches: 1,
    team_size: 2, about: { en: "# Welcome\n\nBuild **rails**, see [the rules](/games/back-track).", fr: "# Bienvenue" }, prizes: { en: "- a train", fr: "- un train" },
  });
  const [ann, bob] = [await visitor(), await visitor()];
  await signUp(ann, arena.url, "ann");
  await ann.goto(`${arena.url}/contests/cup`);
  await ann.waitForSelector("[data-page=contest][data-state=running]", slow);
  // The description is rendered.
  expect(await text(ann.locator("[data-about] strong"))).toBe("rails");
  expect(await text(ann.locator("[data-prizes] li"))).toBe("a train");
  await ann.locator("input[name=team-name]").fill("rail-riders");
  await ann.getByRole("button", { name: "Create a team" }).click();
  const code = await text(ann.locator("[data-team-code]"));
  expect(code.length).toBeGreaterThan(7);

  await signUp(bob, arena.url, "bob");
  await bob.goto(`${arena.url}/contests/cup`);
  await bob.locator("input[name=team-code]").fill(code.toUpperCase());
  await bob.getByRole("button", { name: "Join a team" }).click();
  await bob.waitForSelector("[data-team-code]");
  expect(await text(bob.locator("[data-teams] ul"))).toContain("ann, bob");

  const stranger = await visitor();
  await stranger.goto(arena.url);
  expect(await text(stranger.locator("[data-going-on]"))).toContain("Railway cup");
  await stranger.locator("[data-search]").click();
  await stranger.locator("input[name=q]").fill("rail");
  await stranger.keyboard.press("Enter");
  await stranger.locator("[data-users] a", { hasText: "rail-riders" }).click();
  await stranger.waitForSelector("[data-page=profile] [data-avatar]");
  expect(await text(stranger.locator("[data-page=profile]"))).toContain("ann");
  for (const page of [admin, ann, bob, stranger]) {
    expect(page.errors).toEqual([]);
    await page.context().close();
  }
});

test("matches are found by their properties, which are in the address", { timeout: 200_000 }, async () => {
  const page = await visitor();
  await page.goto(`${arena.url}/matches?game=back-track`);
  // Built-in bots play by themselves.
  await page.waitForSelector("[data-matches] [data-state=done]", slow);
  await page.locator("[data-match-finder] summary").click();
  await page.locator("select[name=result]").selectOption("won");
  await page.locator("input[name=player]").fill("nobody-at-all");
  await page.locator("[data-match-finder] button.primary").click();
  await expect.poll(() => new URL(page.url()).searchParams.get("player")).toBe("nobody-at-all");
  await page.waitForSelector("text=No match here yet.");
  await page.locator("[data-match-finder] button[type=button]").click();
  await page.waitForSelector("[data-matches] [data-state=done]");
  const seed = await page.evaluate(async () => (await (await fetch("/api/v1/matches?game=back-track&limit=1")).json()).matches[0].seed as string);
  await page.goto(`${arena.url}/matches?seed=${seed}`);
  await page.waitForSelector("[data-matches] [data-match]");
  expect(await page.locator("[data-matches] [data-match]").count()).toBe(1);
  expect(page.errors).toEqual([]);
  await page.context().close();
});

test("an account is deleted by its owner", { timeout: 100_000 }, async () => {
  const page = await visitor();
  await signUp(page, arena.url, "leaver");
  await page.goto(`${arena.url}/settings`);
  await page.locator("textarea[name=about]").fill("I was here.");
  await page.locator("form", { has: page.locator("textarea[name=about]") }).getByRole("button").click();
  await page.goto(`${arena.url}/users/leaver`);
  await page.waitForSelector("[data-about]");
  await page.goto(`${arena.url}/settings`);
  await page.locator("input[name=delete-password]").fill("not this one");
  await page.getByRole("button", { name: "Delete the account" }).click();
  await page.locator("dialog button.danger").click();
  await page.waitForSelector("[data-your-data] [data-error]");
  expect(await page.evaluate(async () => (await fetch("/api/v1/users/leaver")).status)).toBe(200);
  await page.locator("input[name=delete-password]").fill(PASSWORD);
  await page.getByRole("button", { name: "Delete the account" }).click();
  await page.locator("dialog button.danger").click();
  await page.waitForSelector("[data-page=home]");
  expect(await page.evaluate(async () => (await fetch("/api/v1/users/leaver")).status)).toBe(404);
  await page.context().close();
});
