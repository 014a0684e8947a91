import { expect, test } from "vitest";
import { pointsOf, told } from "../../src/score";

test("boxes and the round of the fall are told apart", () => {
  expect(told("hypersonic", [1_000_025, 4108, 300, null])).toEqual([{ points: 25 }, { points: 8, out: 41 }, { points: 0, out: 3 }, { points: undefined }]);
  expect(pointsOf("hypersonic", [1_000_000, 7319], 1)).toBe("19");
});

test("points are points, and less than nothing is not told", () => {
  expect(told("back-track", [12116, 23670])).toEqual([{ points: 12116 }, { points: 23670 }]);
  expect(told("back-track", [350, -1])).toEqual([{ points: 350 }, { points: undefined }]);
  expect(told("ocean-of-code", [6, 0])).toEqual([{ points: 6 }, { points: 0 }]);
});

test("where there is only winning and losing, no numbers are shown", () => {
  expect(told("back-track", [0, -1])).toEqual([{ points: undefined }, { points: undefined }]);
  expect(pointsOf("back-track", [0, -1], 0)).toBe("–");
});
