import { defineConfig } from "vite";

/** The scenes alone, as one script for an engine without a page. */
export default defineConfig({
  build: {
    target: "es2020",
    lib: { entry: "src/studio.ts", formats: ["iife"], name: "agon", fileName: () => "scenes.js" },
    emptyOutDir: false,
    reportCompressedSize: false,
  },
});
