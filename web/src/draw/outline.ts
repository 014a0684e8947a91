// The outline of a set of cells, with rounded corners.

import { short } from "./shape";

type Corner = [number, number];

/** Loops around the cells for which `inside` holds, as corners on the grid, with the cells to the right of the way. */
export function loops(width: number, height: number, inside: (x: number, y: number) => boolean): Corner[][] {
  const next = new Map<string, Corner[]>();
  const add = (from: Corner, to: Corner) => {
    const key = from.join();
    next.set(key, [...(next.get(key) ?? []), to]);
  };
  const at = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height && inside(x, y);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!at(x, y)) continue;
      if (!at(x, y - 1)) add([x, y], [x + 1, y]);
      if (!at(x + 1, y)) add([x + 1, y], [x + 1, y + 1]);
      if (!at(x, y + 1)) add([x + 1, y + 1], [x, y + 1]);
      if (!at(x - 1, y)) add([x, y + 1], [x, y]);
    }
  }
  const found: Corner[][] = [];
  for (const [key, ends] of next) {
    while (ends.length) {
      const start = key.split(",").map(Number) as Corner;
      const loop: Corner[] = [start];
      let here = ends.pop()!;
      while (here[0] !== start[0] || here[1] !== start[1]) {
        loop.push(here);
        here = turn(loop, next.get(here.join())!);
      }
      found.push(loop);
    }
  }
  return found;
}

/** The next corner; where two loops touch, the right turn stays at the same cell. */
function turn(loop: Corner[], choices: Corner[]): Corner {
  if (choices.length === 1) return choices.pop()!;
  const [here, before] = [loop.at(-1)!, loop.at(-2)!];
  const [dx, dy] = [here[0] - before[0], here[1] - before[1]];
  const right = choices.findIndex(([x, y]) => x - here[0] === -dy && y - here[1] === dx);
  return choices.splice(Math.max(0, right), 1)[0]!;
}

/** A loop as a path, `cell` wide for each cell, its corners rounded by `radius`. */
export function rounded(loop: Corner[], cell: number, radius: number): string {
  const corners = loop.filter(([x, y], i) => {
    const [a, b] = [loop.at(i - 1)!, loop[(i + 1) % loop.length]!];
    return !((a[0] === x && b[0] === x) || (a[1] === y && b[1] === y));
  });
  let text = "";
  corners.forEach(([x, y], i) => {
    const toward = ([tx, ty]: Corner) => {
      const length = Math.hypot(tx - x, ty - y) * cell;
      const step = Math.min(radius, length / 2) / length;
      return `${short((x + (tx - x) * step) * cell)} ${short((y + (ty - y) * step) * cell)}`;
    };
    const [a, b] = [corners.at(i - 1)!, corners[(i + 1) % corners.length]!];
    text += `${i ? "L" : "M"}${toward(a)}Q${short(x * cell)} ${short(y * cell)} ${toward(b)}`;
  });
  return `${text}Z`;
}

export function outline(
  width: number,
  height: number,
  inside: (x: number, y: number) => boolean,
  cell: number,
  radius: number,
): string {
  return loops(width, height, inside)
    .map((loop) => rounded(loop, cell, radius))
    .join("");
}
