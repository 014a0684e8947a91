import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** Names the page index.html: the server sends it for every address of the site. */
function asIndex(): Plugin {
  return {
    name: "as-index",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["site.html"];
      if (page?.type !== "asset") throw new Error("there is no page");
      page.fileName = "index.html";
    },
  };
}

/**
 * The site: a page and hashed files beside it, so that scripts and styles come from files alone and the strictest policy holds.
 * `AGON_SITE=http://127.0.0.1:PORT npm run dev:site` develops against a server that runs.
 */
export default defineConfig({
  base: "/",
  appType: "spa",
  plugins: [svelte({ compilerOptions: { runes: true } }), asIndex()],
  server: { proxy: process.env.AGON_SITE ? { "/api": process.env.AGON_SITE, "/llms.txt": process.env.AGON_SITE } : {} },
  build: {
    target: "es2022",
    outDir: "dist-site",
    assetsDir: "assets",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rollupOptions: { input: "site.html" },
  },
});
