import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte({ compilerOptions: { runes: true } })],
  test: { include: ["tests/**/*.ts"], exclude: ["tests/**/agon.ts"], fileParallelism: false, testTimeout: 60_000, hookTimeout: 60_000 },
});
