import { defineConfig } from "vite";

/** The scenes alone, as one script for a JavaScript engine without a DOM. */
export default defineConfig({
  build: {
    target: "es2020",
    lib: { entry: "src/renderer.ts", formats: ["iife"], name: "agon", fileName: () => "scenes.js" },
    emptyOutDir: false,
    reportCompressedSize: false,
  },
});
