// The script that `agon export` runs, on a replay that is made here.

import { beforeAll, expect, test } from "vitest";
import type { Replay, Step } from "../../src/wire";

const player = (x: number, boxes: number) => ({ cell: { x, y: 0 }, alive: true, available: 1, bombs: 1, range: 3, boxes, eliminated_at: null });
const step = (turn: number, points: number): Step => ({
  turn,
  frame: { boxes: [], items: [], bombs: [], players: [player(turn, points), player(12, 0)] },
  events: [], marks: [], scores: [points, 0], answers: [null, null], faults: [],
  parts: [{ points, out: null }, { points: null, out: 3 }],
});
const replay: Replay = {
  header: {
    game: "hypersonic", title: "Hypersonic", seed: "1", league: 1, edition: null, players: [{ name: "A" }, { name: "B" }],
    limits: { first_turn_ms: 1000, turn_ms: 100, answer_bytes: 1000 }, again: null, human: null,
    board: { width: 13, height: 11, walls: [], fuse: 8, max_rounds: 200 },
  },
  steps: [step(0, 0), step(1, 7)],
  done: true,
  attempt: 1,
  end: { outcome: null, causes: [null, null], trouble: null, metrics: [] },
  analysis: null,
};

let renderer: { load(text: string): void; svg(at: number, dark: boolean): string };
beforeAll(async () => {
  await import("../../src/renderer");
  renderer = (globalThis as unknown as { agonRenderer: typeof renderer }).agonRenderer;
});

test("it draws a step, and each step differently", () => {
  expect(() => renderer.svg(0, false)).toThrow("no match");
  renderer.load(JSON.stringify(replay));
  const start = renderer.svg(0, false);
  expect(start).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(renderer.svg(1, false)).not.toBe(start);
  expect(renderer.svg(0, true)).not.toBe(start);
  expect(renderer.svg(0, false)).toBe(start);
});

test("messages of players are in the picture", () => {
  renderer.load(JSON.stringify(replay));
  const silent = renderer.svg(1, false);
  const saying = (text: string) => {
    const steps = [replay.steps[0]!, { ...replay.steps[1]!, events: [{ kind: "message", seat: 1, text }] }];
    renderer.load(JSON.stringify({ ...replay, steps }));
    return renderer.svg(1, false);
  };
  expect(saying("HELLO").length).toBeGreaterThan(silent.length);
  // The rest of a long message is cut.
  expect(saying(`${"A".repeat(40)}B`)).toBe(saying("A".repeat(50)));
});

test("a game without a scene is named", () => {
  renderer.load(JSON.stringify({ ...replay, header: { ...replay.header, game: "no-such-game" } }));
  expect(() => renderer.svg(0, false)).toThrow("no-such-game");
});
