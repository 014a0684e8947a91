import { expect, test } from "vitest";
import { blocks } from "../../src/markdown";
import { diff } from "../../src/site/diff";
import { example, exampleBody, fields, requests, typeName, type Description } from "../../src/site/openapi";

const shown = (before: string, after: string) => diff(before, after).map(({ kind, text }) => `${kind === "same" ? " " : kind === "added" ? "+" : "-"}${text}`);

test("texts are compared by lines", () => {
  expect(shown("a\nb\nc", "a\nb\nc")).toEqual([" a", " b", " c"]);
  expect(shown("a\nb\nc\nd", "a\nx\nc\ny\nd")).toEqual([" a", "-b", "+x", " c", "+y", " d"]);
  expect(shown("a", "a\nb")).toEqual([" a", "+b"]);
  expect(shown("a\na", "a")).toEqual([" a", "-a"]);
});

test("a long difference is shown as a whole", () => {
  const long = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word} ${at}`).join("\n");
  const lines = diff(`first\n${long("x")}`, `first\n${long("y")}`);
  expect(lines.filter(({ kind }) => kind === "same").length).toBe(1);
  expect(lines.length).toBe(6001);
});

test("emphasised text may contain code, and code a bar", () => {
  expect(blocks("**use `A` here**")[0]).toMatchObject({ kind: "paragraph", pieces: [{ kind: "strong", text: "use " }, { kind: "code", text: "A" }, { kind: "strong", text: " here" }] });
  expect(blocks("| a | b |\n|---|---|\n| `x|y` | z |")[0]).toMatchObject({ kind: "table", rows: [[[{ kind: "code", text: "x|y" }], [{ kind: "text", text: "z" }]]] });
});

const DESCRIPTION: Description = {
  paths: { "/a/{id}": { get: { tags: ["t"] }, post: {} } },
  components: { schemas: {
    Ask: { type: "object", required: ["game"], properties: { game: { type: "string", description: "Name" }, seed: { type: ["integer", "null"] }, of: { oneOf: [{ type: "null" }, { $ref: "#/components/schemas/Of" }] } } },
    Of: { type: "object", properties: { kind: { enum: ["x", "y"] }, list: { type: "array", items: { type: "boolean" } } } },
    Loop: { type: "object", properties: { next: { $ref: "#/components/schemas/Loop" } } },
  } },
};

test("requests, fields and examples come from the description", () => {
  expect(requests(DESCRIPTION).map(({ method, path }) => `${method} ${path}`)).toEqual(["get /a/{id}", "post /a/{id}"]);
  const ask = { $ref: "#/components/schemas/Ask" };
  expect(fields(ask, DESCRIPTION)[0]).toEqual({ name: "game", type: "string", required: true, description: "Name" });
  expect(typeName({ type: "array", items: ask })).toBe("[Ask]");
  expect(example(ask, DESCRIPTION)).toEqual({ game: "text", seed: 0, of: { kind: "x", list: [false] } });
  expect(exampleBody(ask, DESCRIPTION)).toEqual({ game: "text" });
  expect(JSON.stringify(example({ $ref: "#/components/schemas/Loop" }, DESCRIPTION)).length).toBeLessThan(100);
});
