// Starts the site and browsers of visitors.

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { inGame } from "../games";

const AGON = process.env.AGON;
if (!AGON || !existsSync(AGON)) throw new Error("set AGON to the agon program: `cargo xtask test` does");

const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const kit = (game: string, file: string) => readFileSync(inGame(game, "kits", file), "utf8");
export const PASSWORD = "correct horse battery";

export interface Site {
  url: string;
  admin: { name: string; password: string };
  stop(): Promise<void>;
}

/** Starts a site with its own data folder and the usual workers. */
async function site(...flags: string[]): Promise<Site> {
  const data = mkdtempSync(join(tmpdir(), "agon-site-"));
  const words = ["serve", "--json", "--data", data, ...(flags.includes("--listen") ? [] : ["--listen", "127.0.0.1:0"]), "--logins-per-minute", "1000", "--uploads-per-hour", "1000", "--signups-per-hour", "1000", "--allow-weak-sandbox", ...flags];
  const child: ChildProcess = spawn(AGON!, words, { cwd: data, stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors] = ["", ""];
  const ended = new Promise<void>((done) => child.on("exit", () => done()));
  const { address: url, admin } = await new Promise<{ address: string; admin: { name: string; password: string } }>((done, fail) => {
    child.stdout!.on("data", (text: Buffer) => {
      output += text;
      try {
        done(JSON.parse(output) as { address: string; admin: { name: string; password: string } });
      } catch {
        // The output is not complete yet.
      }
    });
    child.stderr!.on("data", (text: Buffer) => (errors += text));
    child.on("exit", () => fail(new Error(`agon ${words.join(" ")}: ${output}${errors}`)));
  });
  return {
    url,
    admin,
    async stop() {
      child.kill("SIGTERM");
      // A second signal stops the server without waiting for matches.
      setTimeout(() => child.kill("SIGTERM"), 300);
      setTimeout(() => child.kill("SIGKILL"), 5000);
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Starts a site before the first test of a file and stops it, and the browser, after the last one. */
export function openArena(...flags: string[]): Site {
  const arena: Partial<Site> = {};
  beforeAll(async () => {
    Object.assign(arena, await site(...flags));
  });
  afterAll(async () => {
    await closeBrowser();
    await arena.stop?.();
  });
  return arena as Site;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The violations of the rules of axe on a page: the rule and the elements. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html.slice(0, 140)} ${any[0]?.message ?? ""}`));
  });
}

let browser: Browser | undefined;

/** A visitor with its own browser storage. `errors` collects the errors of its pages. */
export async function visitor(options: BrowserContextOptions = {}): Promise<Page & { errors: string[] }> {
  const executablePath = BROWSERS.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("Chromium is missing: install the Debian package chromium, or set CHROMIUM to its path");
  browser ??= await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-GB", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  // The browser reports violations of the policy here; answers such as 404 are not errors of the page.
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource|net::ERR/.test(message.text())) errors.push(message.text());
  });
  return Object.assign(page, { errors });
}

async function closeBrowser(): Promise<void> {
  await browser?.close();
  browser = undefined;
}

/** Signs up with the form. */
export async function signUp(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}/signup`);
  await page.locator("input[name=name]").fill(name);
  await page.locator("input[name=password]").fill(PASSWORD);
  await page.locator("form button.primary").click();
  await page.waitForSelector("[data-account]", { state: "attached" });
}

export async function logIn(page: Page, url: string, name: string, password: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.locator("input[name=name]").fill(name);
  await page.locator("input[name=password]").fill(password);
  await page.locator("form button.primary").click();
  await page.waitForSelector("[data-account]", { state: "attached" });
}

/** Logs in as the admin and changes the first password if the site asks for it. */
export async function logInAdmin(page: Page, { url, admin }: Site): Promise<void> {
  await logIn(page, url, admin.name, admin.password);
  if (new URL(page.url()).pathname === "/settings") {
    await page.locator("input[name=old]").fill(admin.password);
    await page.locator("input[name=new]").fill(PASSWORD);
    await page.locator("input[name=new] >> xpath=ancestor::form").locator("button.primary").click();
    await page.locator("form .good").waitFor();
    admin.password = PASSWORD;
  }
}

/** Sends a request of the organiser that is not itself under test. */
export async function organise(admin: Page, path: string, body: unknown): Promise<void> {
  const status = await admin.evaluate(async ([path, body]) => {
    const { csrf } = await (await fetch("/api/v1/me")).json();
    return (await fetch(`/api/v1/admin/${path}`, { method: "POST", headers: { "content-type": "application/json", "x-agon-csrf": csrf }, body })).status;
  }, [path, JSON.stringify(body)] as const);
  expect(status, path).toBe(200);
}

/** Puts a source into the editor by uploading a file. */
export async function upload(page: Page, file: string, source: string): Promise<void> {
  await page.waitForSelector("[data-editor=ready]");
  await page.locator("[data-upload]").setInputFiles({ name: file, mimeType: "text/plain", buffer: Buffer.from(source) });
}

/** Uploads and sends a bot; gives the number of its version. */
export async function submit(page: Page, url: string, game: string, file: string, source: string, how: "test" | "activate", query = ""): Promise<number> {
  await page.goto(`${url}/submit/${game}${query}`);
  await upload(page, file, source);
  await page.locator(`[data-send=${how}]`).click();
  await page.waitForURL(/\/versions\/\d+/);
  return Number(/versions\/(\d+)/.exec(page.url())![1]);
}

/** Waits as long as builds and matches take on a busy machine. */
export const slow = { timeout: 120_000 };

/** Waits until a version is active, or its bot was already promoted. */
export async function untilItPlays(page: Page): Promise<void> {
  await page.waitForSelector("[data-now-plays], [data-outgrown]", slow);
}

/** From the page of a version to that of its bot. */
export async function goToItsBot(page: Page): Promise<void> {
  await page.locator("[data-page=version] a.button[href^='/bots/']").first().click();
  await page.waitForSelector("[data-page=bot]");
}

/** Waits on the page of a bot for its promotion. The starter bot wins nine of ten matches: it asks for another best of five when it loses one. */
export async function untilItRises(page: Page): Promise<void> {
  for (let fight = 0; fight < 4; fight++) {
    await page.waitForSelector("[data-promotions] li, [data-trial-again]", slow);
    if ((await page.locator("[data-promotions] li").count()) > 0) return;
    await page.locator("[data-trial-again]").click();
    await page.waitForSelector("[data-trial-again]", { ...slow, state: "detached" });
  }
  throw new Error("the bot lost four fights against the boss");
}

export const text = async (found: Locator) => (await found.textContent()) ?? "";

/** Checks that no part of the page is beyond its right edge. */
export async function expectNoSidewaysScroll(page: Page, where: string): Promise<void> {
  const { wide, who } = await page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - window.innerWidth;
    const far = [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1 && !one.closest(".overflow, .tabs, pre, .scroll"));
    return { wide, who: far.slice(0, 5).map((one) => `${one.tagName.toLowerCase()}.${String(one.className)}`).join(", ") };
  });
  expect(wide, `${where} is wider than the window: ${who}`).toBeLessThanOrEqual(0);
}

/** The starter bot, with a word for its author, which ends at its sixth answer. */
export const FAILS = kit("hypersonic", "bot.py").replace("import sys\n", `import sys
import builtins
count = 0
def print(*words, **more):
    global count
    if "file" in more:
        return builtins.print(*words, **more)
    count += 1
    builtins.print("my answer", count, file=sys.stderr)
    if count == 6:
        sys.exit("out of ideas")
    builtins.print(*words, **{**more, "flush": True})
`);
