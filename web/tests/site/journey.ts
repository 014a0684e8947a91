// A newcomer, from the first page to the leaderboard, in French.

import { expect, test } from "vitest";
import { goToItsBot, kit, openArena, signUp, slow, text, untilItPlays, untilItRises, upload, visitor } from "./agon";

const arena = openArena();

test("sign up, read, submit, beat the boss, rise, watch, stand on the board", { timeout: 300_000 }, async () => {
  const page = await visitor({ locale: "fr-FR" });

  // The first page speaks the visitor's language and shows all games.
  await page.goto(arena.url);
  expect(await page.locator("html").getAttribute("lang")).toBe("fr");
  expect(await text(page.locator("h1"))).toBe("Écrivez un bot. Envoyez‑le dans l’arène.");
  const { games } = await page.evaluate(async () => (await fetch("/api/v1/site")).json());
  expect(games.length).toBeGreaterThan(0);
  await expect.poll(() => page.locator("[data-game]").count()).toBe(games.length);

  await page.getByRole("link", { name: "S’inscrire" }).first().click();
  await page.locator("input[name=name]").fill("ada");
  await page.locator("input[name=password]").fill("un mot de passe");
  await page.getByRole("button", { name: "S’inscrire" }).click();
  await page.waitForSelector("[data-account]");

  // The statement of the first league, in French.
  await page.goto(`${arena.url}/games/hypersonic`);
  await page.waitForSelector('[data-statement="fr 0"] .prose h2');
  expect(await text(page.locator("[data-statement]"))).toContain("Vous et jusqu'à trois adversaires");
  expect(await text(page.locator("[data-statement]"))).not.toContain("{{");
  expect(await page.locator("[data-statement-league]").inputValue()).toBe("0");

  // A kit, read and taken.
  await page.locator("[data-tab=kits]").click();
  await page.waitForSelector("[data-editor=ready]");
  await page.getByRole("link", { name: "Partir de ce kit" }).click();
  await page.waitForURL(/\/submit\/hypersonic/);
  await page.waitForSelector("[data-editor=ready]");
  expect(await page.locator("select[data-language]").inputValue()).toBe("Python");
  await upload(page, "bot.py", kit("hypersonic", "bot.py"));
  await page.locator("[data-send=activate]").click();

  // The page follows the build.
  await page.waitForSelector("[data-page=version][data-state=ready]", slow);
  await untilItPlays(page);
  expect(page.errors).toEqual([]);
  await goToItsBot(page);

  // The best of five, then the promotion.
  await page.waitForSelector("[data-page=bot][data-own=true]");
  await untilItRises(page);
  expect(await text(page.locator("[data-promotions] li").first())).toContain("Bois 2");
  await expect.poll(async () => Number(await page.locator("[data-notices]").getAttribute("data-notices")), slow).toBeGreaterThan(0);
  await page.locator("[data-notices]").click();
  await page.waitForSelector("[data-notice=promotion]");
  expect(await text(page.locator("[data-notice=promotion]"))).toContain("Votre bot a été promu");

  // The boss fight has a page with its score, joy, and the news of the next league. The code was carried up.
  await page.locator("[data-notice=promotion]").last().locator("a").click();
  await page.waitForSelector("[data-page=fight][data-won=true] [data-joy]", { state: "attached" });
  expect(await text(page.locator("[data-score]"))).toMatch(/^3 : [0-2]$/);
  expect(await text(page.locator("[data-next-league]"))).toContain("Bois 2");
  expect(await text(page.locator("[data-next-league]"))).toContain("Pica");
  expect(await page.locator("[data-match]").count()).toBeGreaterThanOrEqual(3);
  await page.getByRole("link", { name: "Voir le bot" }).click();
  await page.waitForSelector("[data-page=bot] [data-fights] li");
  expect(await page.locator("[data-awaits]").count()).toBe(0);
  await page.waitForSelector("[data-fight-score]", slow);

  // A replay of a match it won.
  await page.getByRole("button", { name: "Gagnés" }).click();
  await expect.poll(() => page.locator("[data-matches] .won").count()).toBeGreaterThan(0);
  await page.locator("[data-matches] [data-state=done] .to").first().click();
  await page.waitForSelector("[data-page=match] [data-ready] .stage svg g *");
  expect(await text(page.locator("[data-result]"))).toContain("ada");
  // It plays, since it was opened from a list.
  const turn = async () => Number(await page.locator(".stage svg").getAttribute("data-turn"));
  await expect.poll(turn).toBeGreaterThan(1);
  await page.locator("[data-do=toggle]").click();
  await page.keyboard.press("Home");
  await page.locator("[data-do=next]").click();
  await expect.poll(turn).toBe(1);
  await page.keyboard.press("End");
  await page.waitForSelector("[data-over]");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-record]").first().click()]);
  expect(await download.failure()).toBeNull();

  // It is on the board of the new league without another submission.
  await page.goto(`${arena.url}/leaderboard/hypersonic?search=ada`);
  await page.waitForSelector("[data-board=rating] tbody tr[data-bot]", slow);
  expect(await text(page.locator("[data-board=rating]"))).toContain("ada");
  expect(await text(page.locator("[data-board=rating]"))).toContain("vous");
  expect(page.errors).toEqual([]);
  await page.context().close();
});

test("a visitor without an account keeps what was written until it is sent", { timeout: 120_000 }, async () => {
  const page = await visitor();
  await page.goto(`${arena.url}/submit/back-track`);
  await upload(page, "mine.py", "print('WAIT')  # mine\n");
  expect(await page.locator("[data-send]").count()).toBe(0);
  await signUp(page, arena.url, "keeper");
  await page.goto(`${arena.url}/submit/back-track`);
  await page.waitForSelector("[data-editor=ready]");
  await expect.poll(async () => text(page.locator("[data-editor] .cm-content"))).toContain("# mine");
  expect(page.errors).toEqual([]);
  await page.context().close();
});
