// What the signs of Back Track mean.

import { write } from "../../../web/src/draw/glyphs";
import { circle, path, rect, type Shape } from "../../../web/src/draw/shape";
import type { Theme } from "../../../web/src/draw/theme";
import type { Sign } from "../../../web/src/scene";
import { place } from "./land";
import { engine, houses, railway } from "./rails";

const LINE = "M-20 0H20";
const tracks = (owner: number) => (theme: Theme): Shape[] => railway(LINE, owner, theme);

export const legend: readonly Sign[] = [
  { word: "sign.town", draw: (theme) => [...houses(theme), circle(-5, -19, 3.5, { fill: theme.gold, stroke: theme.ink, "stroke-width": 1.5 }), circle(5, -19, 3.5, { fill: theme.paper, stroke: theme.ink, "stroke-width": 1.5 })] },
  { word: "sign.own", draw: tracks(0) },
  { word: "sign.other", draw: tracks(1) },
  { word: "sign.neutral", draw: tracks(2) },
  { word: "sign.active", draw: (theme) => [path(LINE, { stroke: theme.gold, "stroke-width": 27, opacity: 0.45 }), ...railway(LINE, 0, theme)] },
  { word: "sign.train", draw: (theme) => engine(theme.players[0]!, theme) },
  { word: "sign.points", draw: (theme) => [rect(-17, -9, 34, 18, { rx: 9, fill: theme.paper, stroke: theme.gold, "stroke-width": 1.6 }), write("+3", 0, 0, { size: 9.5, colour: theme.players[0]!, weight: 1.15 })] },
  { word: "sign.unrest", draw: (theme) => [rect(-20, -14, 40, 28, { rx: 6, fill: "#6a3fb5", "fill-opacity": 0.25 }), ...[-8, 4].map((x, i) => circle(x + 2, 0, 4.2, { fill: i ? "none" : "#5b2fa0", stroke: theme.dark ? "#b79cf0" : "#5b2fa0", "stroke-width": 1.6 }))] },
  { word: "sign.ink", draw: (theme) => [rect(-20, -14, 40, 28, { rx: 6, fill: theme.dark ? "#0a0714" : "#2b2440", stroke: "#6b5f9a", "stroke-width": 1.5 })] },
  { word: "sign.place", draw: (theme) => place(0, 0, theme.dark) },
];
