import { expect, test } from "vitest";
import { blocks, pieces } from "../../src/markdown";

test("blocks are found, and a paragraph's lines are one", () => {
  const found = blocks("# Title\n\nOne\ntwo.\n\n- a\n  goes on\n- b\n  - c\n\n```\nx  y\n# z\n```\n| A | B |\n| --- | --- |\n| 1 | `|`|\n1. first\n> said\n> twice\n");
  expect(found.map(({ kind }) => kind)).toEqual(["heading", "paragraph", "list", "code", "table", "list", "quote"]);
  expect(found[1]).toEqual({ kind: "paragraph", pieces: [{ kind: "text", text: "One two." }] });
  expect(found[2]).toMatchObject({ ordered: false, items: [{ pieces: [{ text: "a goes on" }], depth: 0 }, { depth: 0 }, { depth: 1 }] });
  expect(found[3]).toEqual({ kind: "code", text: "x  y\n# z" });
  expect(found[5]).toMatchObject({ ordered: true });
  expect(found[6]).toEqual({ kind: "quote", pieces: [{ kind: "text", text: "said twice" }] });
});

test("a picture has a name, a description and a text", () => {
  expect(blocks("```picture blast A bomb\n. B\n```")).toEqual([{ kind: "picture", name: "blast", about: "A bomb", text: ". B" }]);
});

test("code that is not closed ends with the text", () => {
  expect(blocks("```\na")).toEqual([{ kind: "code", text: "a" }]);
});

test("pieces of a line", () => {
  expect(pieces("Do `A*B*` **now**, *or* not")).toEqual([
    { kind: "text", text: "Do " }, { kind: "code", text: "A*B*" }, { kind: "text", text: " " }, { kind: "strong", text: "now" },
    { kind: "text", text: ", " }, { kind: "em", text: "or" }, { kind: "text", text: " not" },
  ]);
});

test("markup stays text, and links lead only to safe places", () => {
  expect(pieces("<img src=x onerror=alert(1)>")).toEqual([{ kind: "text", text: "<img src=x onerror=alert(1)>" }]);
  expect(pieces("[a](javascript:alert`1`)").some(({ kind }) => kind === "link")).toBe(false);
  expect(pieces("[a](//evil.example)").some(({ kind }) => kind === "link")).toBe(false);
  expect(pieces("[a](data:text/html,x)").some(({ kind }) => kind === "link")).toBe(false);
  expect(pieces("[a](/games)")).toEqual([{ kind: "link", text: "a", to: "/games" }]);
});

test("images are of the same site", () => {
  const uploaded = `/api/v1/pictures/${"0a".repeat(32)}`;
  expect(pieces(`![Our logo](${uploaded})!`)).toEqual([{ kind: "image", text: "Our logo", to: uploaded }, { kind: "text", text: "!" }]);
  expect(pieces("![](/api/v1/matches/7/picture.png?turn=3)")[0]).toMatchObject({ kind: "image" });
  for (const address of ["https://evil.example/x.png", "//evil.example/x.png", "/api/v1/logout", "data:image/svg+xml,x", "/api/v1/pictures/../me", "/api/v1/matches/7/picture.png?turn=3#x"]) {
    expect(pieces(`![a](${address})`)).toEqual([{ kind: "text", text: "a" }]);
  }
});
