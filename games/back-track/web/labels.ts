// Places for labels: no label covers a town or another label. A label without a free place is left out.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A box around its middle. */
export const around = (x: number, y: number, width: number, height: number): Box => ({ x: x - width / 2, y: y - height / 2, width, height });

const overlap = (a: Box, b: Box) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** The first of these boxes that is inside the board and free; it is taken then. */
export function free(wanted: Iterable<Box>, taken: Box[], board: Box): Box | undefined {
  for (const box of wanted) {
    const inside = box.x >= board.x && box.y >= board.y && box.x + box.width <= board.x + board.width && box.y + box.height <= board.y + board.height;
    if (!inside || taken.some((other) => overlap(box, other))) continue;
    taken.push(box);
    return box;
  }
  return undefined;
}
