// Letters as strokes, so that a picture looks the same everywhere and an export needs no font. A glyph is drawn on a grid of
// 4 by 6; a character without a glyph becomes a small box.

import { path, short, type Attributes, type Shape } from "./shape";

const GLYPHS: { [character: string]: string } = {
  "0": "M2 0Q4 0 4 3Q4 6 2 6Q0 6 0 3Q0 0 2 0",
  "1": "M.6 1.2L2.2 0V6M.6 6H3.8",
  "2": "M0 1.4Q.3 0 2 0Q4 0 4 1.7Q4 2.8 0 6H4",
  "3": "M.2 0H3.8L1.8 2.3Q4 2.3 4 4.2Q4 6 2 6Q.4 6 0 4.8",
  "4": "M3 6V0L0 4.2H4",
  "5": "M3.8 0H.5L.2 2.6Q1 2.1 2 2.1Q4 2.1 4 4Q4 6 2 6Q.4 6 0 4.9",
  "6": "M3.6 .6Q3 0 2.1 0Q0 0 0 3.6Q0 6 2 6Q4 6 4 4.1Q4 2.3 2.1 2.3Q.6 2.3 0 3.8",
  "7": "M0 0H4L1.4 6",
  "8": "M2 2.7Q.2 2.7 .2 1.4Q.2 0 2 0Q3.8 0 3.8 1.4Q3.8 2.7 2 2.7Q0 2.7 0 4.4Q0 6 2 6Q4 6 4 4.4Q4 2.7 2 2.7",
  "9": "M.4 5.4Q1 6 1.9 6Q4 6 4 2.4Q4 0 2 0Q0 0 0 1.9Q0 3.7 1.9 3.7Q3.4 3.7 4 2.2",
  A: "M0 6L2 0L4 6M.8 3.8H3.2",
  B: "M0 0V6H2.3Q4 6 4 4.4Q4 2.8 2.3 2.8H0H2Q3.6 2.8 3.6 1.4Q3.6 0 2 0H0",
  C: "M4 1Q3.3 0 2.2 0Q0 0 0 3Q0 6 2.2 6Q3.3 6 4 5",
  D: "M0 0V6H1.8Q4 6 4 3Q4 0 1.8 0H0",
  E: "M3.8 0H0V6H3.8M0 2.9H3",
  F: "M3.8 0H0V6M0 2.9H3",
  G: "M3.9 1Q3.2 0 2.1 0Q0 0 0 3Q0 6 2.1 6Q3.6 6 3.9 5V3.2H2.3",
  H: "M0 0V6M4 0V6M0 2.9H4",
  I: "M2 0V6M.8 0H3.2M.8 6H3.2",
  J: "M3.4 0V4.4Q3.4 6 1.8 6Q.4 6 .2 4.6",
  K: "M0 0V6M3.8 0L0 3.4M1.3 2.3L4 6",
  L: "M0 0V6H3.8",
  M: "M0 6V0L2 3.4L4 0V6",
  N: "M0 6V0L4 6V0",
  O: "M2 0Q4 0 4 3Q4 6 2 6Q0 6 0 3Q0 0 2 0",
  P: "M0 6V0H2.2Q4 0 4 1.7Q4 3.4 2.2 3.4H0",
  Q: "M2 0Q4 0 4 3Q4 6 2 6Q0 6 0 3Q0 0 2 0M2.5 4.4L4 6.3",
  R: "M0 6V0H2.2Q4 0 4 1.6Q4 3.2 2.2 3.2H0M2.1 3.2L4 6",
  S: "M3.8 .9Q3.2 0 2 0Q.2 0 .2 1.5Q.2 2.7 2 2.9Q4 3.2 4 4.5Q4 6 2 6Q.6 6 0 5",
  T: "M0 0H4M2 0V6",
  U: "M0 0V4Q0 6 2 6Q4 6 4 4V0",
  V: "M0 0L2 6L4 0",
  W: "M0 0L.9 6L2 2.4L3.1 6L4 0",
  X: "M0 0L4 6M4 0L0 6",
  Y: "M0 0L2 3L4 0M2 3V6",
  Z: "M0 0H4L0 6H4",
  "+": "M2 1.2V4.8M.2 3H3.8",
  "-": "M.4 3H3.6",
  _: "M0 6H4",
  ".": "M1.8 5.8L2.2 5.8",
  ":": "M1.8 1.8L2.2 1.8M1.8 4.8L2.2 4.8",
  "/": "M.4 6L3.6 0",
  "@": "M3 4.2V1.8H1.8Q1 1.8 1 3Q1 4.2 1.8 4.2Q3 4.2 3 3Q3 4.3 3.6 4.2Q4 4 4 3Q4 0 2 0Q0 0 0 3Q0 6 2.4 6",
  "?": "M.2 1.4Q.4 0 2 0Q3.8 0 3.8 1.5Q3.8 2.6 2 3.3V4.2M1.9 5.8L2.1 5.8",
  "!": "M2 0V4M1.9 5.8L2.1 5.8",
  ",": "M2.2 5.4L1.4 6.8",
  " ": "",
};
const UNKNOWN = "M.4 1H3.6V5H.4Z";
const ADVANCE = 5.4;

export interface Writing {
  /** Height of the letters. */
  size: number;
  colour: string;
  /** The part of the text that is at the given x. */
  anchor?: "start" | "middle" | "end";
  weight?: number;
  attributes?: Attributes;
}

export function width(text: string, size: number): number {
  return Math.max(0, [...text].length * ADVANCE - (ADVANCE - 4)) * (size / 6);
}

/** A line of text as one path; `y` is the middle of the letters. */
export function write(text: string, x: number, y: number, writing: Writing): Shape {
  const scale = writing.size / 6;
  const start = { start: 0, middle: 0.5, end: 1 }[writing.anchor ?? "middle"];
  let left = x - width(text, writing.size) * start;
  const top = y - 3 * scale;
  let all = "";
  for (const letter of text.normalize("NFD").replace(/\p{M}/gu, "").toUpperCase()) {
    all += place(GLYPHS[letter] ?? UNKNOWN, left, top, scale);
    left += ADVANCE * scale;
  }
  return path(all, {
    fill: "none",
    stroke: writing.colour,
    "stroke-width": (writing.weight ?? 0.85) * scale,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    ...writing.attributes,
  });
}

/** Moves and scales a glyph; its path has only absolute commands. */
function place(glyph: string, left: number, top: number, scale: number): string {
  return glyph.replace(/([A-Z])([^A-Z]*)/g, (_, command: string, rest: string) => {
    const numbers = rest.match(/-?\d*\.?\d+/g)?.map(Number) ?? [];
    const placed = numbers.map((number, i) => {
      const vertical = command === "V" || (command !== "H" && i % 2 === 1);
      return short(number * scale + (vertical ? top : left));
    });
    return command + placed.join(" ");
  });
}
