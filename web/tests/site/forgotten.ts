// A forgotten password: a link of the organiser's, and a link by mail.

import { afterAll, expect, test } from "vitest";
import { logIn, logInAdmin, openArena, PASSWORD, signUp, text, visitor } from "./agon";
import { freePort, openMailbox, textOf } from "./mailbox";

const mailbox = await openMailbox();
const port = await freePort();
const arena = openArena(
  "--listen", `127.0.0.1:${port}`, "--public-url", `http://127.0.0.1:${port}`, "--workers", "0",
  "--smtp-host", "127.0.0.1", "--smtp-port", String(mailbox.port), "--smtp-security", "none", "--smtp-from", "arena@example.org",
);
afterAll(() => mailbox.close());

const NEW = "another horse entirely";

/** Opens a link for a new password, chooses one, and logs in with it. */
async function choose(link: string, name: string, password: string): Promise<void> {
  const page = await visitor();
  await page.goto(link);
  await page.waitForSelector("[data-page=reset]");
  // The code is in the form, and no longer in the address, where a bookmark would keep it.
  expect(await page.locator("input[name=code]").inputValue()).toBe(link.split("#")[1]);
  expect(page.url()).not.toContain("#");
  await page.locator("input[name=password]").fill(password);
  await page.getByRole("button", { name: "Change the password" }).click();
  await page.locator(".good").waitFor();
  await logIn(page, arena.url, name, password);
  expect(await text(page.locator("[data-account]"))).toContain(name);
  expect(page.errors).toEqual([]);
  await page.context().close();
}

/** Checks that a login is refused. */
async function refused(name: string, password: string): Promise<void> {
  const page = await visitor();
  await page.goto(`${arena.url}/login`);
  await page.locator("input[name=name]").fill(name);
  await page.locator("input[name=password]").fill(password);
  await page.locator("form button.primary").click();
  await page.waitForSelector("form [data-error]");
  expect(await page.locator("[data-account]").count()).toBe(0);
  await page.context().close();
}

async function spent(link: string): Promise<void> {
  const page = await visitor();
  await page.goto(link);
  await page.locator("input[name=password]").fill("yet another password");
  await page.getByRole("button", { name: "Change the password" }).click();
  await page.waitForSelector("[data-error=code]");
  await page.context().close();
}

test("the organiser hands out a link: it works once, and ends what was open", { timeout: 120_000 }, async () => {
  const player = await visitor();
  await signUp(player, arena.url, "forgetful");
  const admin = await visitor();
  await logInAdmin(admin, arena);
  await admin.goto(`${arena.url}/admin/users`);
  await admin.locator("[data-user=forgetful]").getByRole("button", { name: "Reset link" }).click();
  const link = await text(admin.locator("[data-link] code"));
  expect(link.startsWith(`${arena.url}/reset#`), link).toBe(true);
  // Making a link changes nothing yet.
  await player.goto(`${arena.url}/bots`);
  await player.waitForSelector("[data-account]");

  await choose(link, "forgetful", NEW);
  await refused("forgetful", PASSWORD);
  await spent(link);
  // Sessions with the old password are closed.
  await player.goto(`${arena.url}/bots`);
  await player.waitForSelector(".empty");
  expect(await player.locator("[data-account]").count()).toBe(0);
  expect([...admin.errors, ...player.errors]).toEqual([]);
  for (const one of [admin, player]) await one.context().close();
});

test("a link by mail, in the language of the account; strangers learn nothing", { timeout: 120_000 }, async () => {
  const page = await visitor({ locale: "fr-FR" });
  await page.goto(`${arena.url}/signup`);
  await page.locator("input[name=name]").fill("distraite");
  await page.locator("input[name=password]").fill(PASSWORD);
  await page.locator("input[name=email]").fill("distraite@example.org");
  await page.locator("form button.primary").click();
  await page.waitForSelector("[data-account]");
  await page.context().close();

  const ask = async (name: string) => {
    const stranger = await visitor();
    await stranger.goto(`${arena.url}/login`);
    await stranger.getByRole("link", { name: "Forgot your password?" }).click();
    await stranger.locator("input[name=name]").fill(name);
    await stranger.getByRole("button", { name: "Send me a link" }).click();
    const said = await text(stranger.locator(".good"));
    expect(stranger.errors).toEqual([]);
    await stranger.context().close();
    return said;
  };
  // The page does not reveal whether an account or its address exists.
  const nobody = await ask("nobody-at-all");
  expect(await ask("distraite")).toBe(nobody);
  const mail = await mailbox.next();
  expect(mail).toContain("RCPT TO:<distraite@example.org>");
  const words = textOf(mail);
  expect(words).toContain("Bonjour distraite");
  const link = /http:\S+\/reset#\S+/.exec(words)?.[0];
  expect(link, words).toBeDefined();
  expect(link!.startsWith(`${arena.url}/reset#`)).toBe(true);
  await choose(link!, "distraite", NEW);
  await refused("distraite", PASSWORD);
  await spent(link!);
});
