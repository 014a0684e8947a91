import { expect, test } from "vitest";
import { width, write } from "../../src/draw/glyphs";
import { loops, outline } from "../../src/draw/outline";
import { d, rect, shape, toText } from "../../src/draw/shape";

test("text in attributes cannot end them", () => {
  const hostile = shape("g", { id: `"><script>&` }, [rect(0, 0, 1 / 3, 2, { fill: undefined })]);
  expect(toText(hostile)).toBe(`<g id="&quot;&gt;&lt;script&gt;&amp;"><rect x="0" y="0" width="0.33" height="2"/></g>`);
});

test("numbers are short", () => {
  expect(d`M${1 / 3} ${2}L${-0.004} ${10.999}`).toBe("M0.33 2L0 11");
});

test("an outline goes round its cells, holes included", () => {
  const square = loops(3, 3, () => true);
  expect(square).toHaveLength(1);
  expect(square[0]).toHaveLength(12);
  const ring = loops(3, 3, (x, y) => x !== 1 || y !== 1);
  expect(ring.map((loop) => loop.length).sort((a, b) => a - b)).toEqual([4, 12]);
  // Two cells that touch at a corner are two loops.
  expect(loops(2, 2, (x, y) => x === y)).toHaveLength(2);
  expect(outline(2, 2, () => false, 10, 2)).toBe("");
  expect(outline(1, 1, () => true, 10, 2)).toBe("M0 2Q0 0 2 0L8 0Q10 0 10 2L10 8Q10 10 8 10L2 10Q0 10 0 8Z");
});

test("letters are strokes; what has none is a box", () => {
  expect(write("1", 0, 3, { size: 6, colour: "red", anchor: "start" }).attributes.d).toBe("M0.6 1.2L2.2 0V6M0.6 6H3.8");
  const box = write("漢", 0, 3, { size: 6, colour: "red", anchor: "start" }).attributes.d;
  expect(box).toContain("M0.4 1H3.6V5H0.4Z");
  expect(write("é", 0, 0, { size: 6, colour: "red" }).attributes.d).toBe(write("E", 0, 0, { size: 6, colour: "red" }).attributes.d);
  expect(width("AB", 6)).toBeCloseTo(9.4);
});
