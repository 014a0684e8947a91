import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte({ compilerOptions: { runes: true } })],
  test: { include: ["tests/**/*.ts"], exclude: ["tests/games.ts", "tests/fit.ts", "tests/frames.ts", "tests/**/agon.ts", "tests/site/mailbox.ts", "tests/site/pages.ts"], fileParallelism: false, expect: { poll: { timeout: 15_000, interval: 50 } }, testTimeout: 60_000, hookTimeout: 60_000 },
});
