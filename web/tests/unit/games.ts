// Every game that has a folder is found and has all its words.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { toText } from "../../src/draw/shape";
import { DARK, LIGHT, type Theme } from "../../src/draw/theme";
import { GAMES, uiOf, why, wordsOf } from "../../src/games";
import { blocks } from "../../src/markdown";
import { GAMES as FOLDERS, inGame } from "../games";


test("the games are those that have a folder", () => {
  expect(FOLDERS.length).toBeGreaterThan(0);
  expect([...GAMES.keys()].sort()).toEqual(FOLDERS);
  expect(() => uiOf("no-such-game")).toThrow("no-such-game");
});

describe.each([...GAMES])("%s", (name, ui) => {
  test("its words are there in both languages, with the same values", () => {
    expect(Object.keys(ui.words.fr)).toEqual(Object.keys(ui.words.en));
    const values = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const [word, text] of Object.entries(ui.words.en)) expect(values(ui.words.fr[word]!), word).toEqual(values(text));
  });

  test.each(["en", "fr"] as const)("options, their values, charts and endings have words in %s", (lang) => {
    const words = wordsOf(name, lang);
    for (const choice of ui.scene.choices) {
      expect(words(`option.${choice.name}`)).not.toBe(`option.${choice.name}`);
      if (choice.values.includes("on")) continue;
      for (const value of choice.values) expect(words(`value.${value}`)).not.toBe(`value.${value}`);
    }
    for (const { word } of ui.scene.legend ?? []) expect(words(word)).not.toBe(word);
    for (const series of Object.keys(ui.scene.series)) expect(words(series)).not.toBe(series);
    for (const [reason, text] of Object.entries(ui.reasons)) expect(why(name, reason.replaceAll("-", "_"), lang)).toBe(text[lang]);
    if (ui.chart) expect(["score", ...Object.keys(ui.scene.series)]).toContain(ui.chart);
  });
});

test.each(FOLDERS)("the pictures in the statements of %s are drawn, in both colours", (game) => {
  for (const lang of ["en", "fr"]) {
    const statement = readFileSync(inGame(game, "statements", `${lang}.md`), "utf8");
    const found = blocks(statement).filter((block) => block.kind === "picture");
    const { pictures = {} } = uiOf(game);
    expect(found.map(({ name }) => name).sort()).toEqual(Object.keys(pictures).sort());
    for (const { name, about, text } of found) {
      expect(about, name).not.toBe("");
      const { width, height, draw } = pictures[name]!(text);
      expect(width > 0 && height > 0).toBe(true);
      const drawn = (theme: Theme) => draw(theme).map(toText).join("");
      const [light, dark] = [drawn(LIGHT), drawn(DARK)];
      expect(light).not.toBe(dark);
      expect(light + dark).not.toMatch(/NaN|undefined/);
    }
  }
});

test("an ending without words is made readable", () => {
  const [name] = GAMES.keys();
  expect(why(name!, "disqualified", "fr")).toBe("un joueur a été disqualifié");
  expect(why(name!, "some_other-reason", "en")).toBe("some other reason");
  expect(why("no-such-game", "toString", "en")).toBe("toString");
});
