// Starts the program and a browser.

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

const AGON = process.env.AGON;
if (!AGON || !existsSync(AGON)) throw new Error("set AGON to the agon program: `cargo xtask test` does");

const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const folder = mkdtempSync(join(tmpdir(), "agon-web-"));

/** Runs agon until it ends; returns its output. */
export function run(...words: string[]): string {
  const done = spawnSync(AGON!, words, { encoding: "utf8", cwd: folder });
  if (done.status !== 0) throw new Error(`agon ${words.join(" ")}: ${done.stderr}`);
  return done.stdout;
}

/** A record of a match between built-in bots. */
export function record(game: string, seed: number, bots = ["random", "random"]): string {
  const file = join(folder, `${game}-${seed}-${bots.join("-")}.json`);
  const asked = bots.flatMap((bot) => ["--bot", `@${bot}`]);
  if (!existsSync(file)) run("play", game, "--seed", String(seed), ...asked, "--record", file, "--quiet");
  return file;
}

const running: ChildProcess[] = [];

/** Starts agon and waits for the address it prints. */
export async function serve(...words: string[]): Promise<string> {
  const child = spawn(AGON!, words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  return new Promise((done, fail) => {
    let output = "";
    const read = (text: Buffer) => {
      output += text;
      const address = /http:\/\/\S+/.exec(output)?.[0];
      if (address) done(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", () => fail(new Error(`agon ${words.join(" ")}: ${output}`)));
  });
}

export const watch = (...files: string[]) => serve("watch", ...files);

let browser: Browser | undefined;

export async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const executablePath = BROWSERS.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("Chromium is missing: install the Debian package chromium, or set CHROMIUM to its path");
  browser ??= await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-GB", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  return page;
}

/** Opens a match and waits for the picture. */
export async function show(page: Page, address: string, query = ""): Promise<void> {
  await page.goto(query ? `${address}${address.includes("?") ? "&" : "?"}${query}` : address);
  await page.waitForSelector("[data-ready] .stage svg g *");
}

export const turn = async (page: Page) => Number(await page.locator(".stage svg").first().getAttribute("data-turn"));

export async function close(): Promise<void> {
  for (const child of running) child.kill();
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}
