import { createHash } from "node:crypto";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** Puts script and style into the page: one file, which loads nothing else and whose policy allows only this script. */
function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const page = files.find((file) => file.fileName === "index.html");
      if (page?.type !== "asset") throw new Error("there is no page");
      let html = String(page.source);
      let script = "";
      let style = "";
      for (const file of files) {
        if (file === page) continue;
        if (file.type === "chunk") script += file.code;
        else style += String(file.source);
        delete bundle[file.fileName];
      }
      // Inside a page these character sequences would end the script.
      script = script.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--").trim();
      const digest = createHash("sha256").update(script).digest("base64");
      const policy = [
        "default-src 'none'",
        `script-src 'sha256-${digest}'`,
        "style-src 'unsafe-inline'",
        "img-src data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
      ].join("; ");
      html = html
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace("<title>", () => `<meta http-equiv="Content-Security-Policy" content="${policy}" />\n    <title>`)
        .replace("</head>", () => `<style>${style.trim()}</style>\n  </head>`)
        .replace("</body>", () => `<script type="module">${script}</script>\n  </body>`);
      page.source = html;
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [svelte({ compilerOptions: { runes: true } }), oneFile()],
  build: {
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 1 << 20,
    emptyOutDir: false,
    reportCompressedSize: false,
  },
});
