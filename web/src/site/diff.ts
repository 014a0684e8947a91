// The difference of two texts by lines.

export interface Line {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Above this number of pairs of lines the changed part is shown as removed and added as a whole. */
const MOST = 4_000_000;

export function diff(before: string, after: string): Line[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const [x, y] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  const same = (lines: string[]): Line[] => lines.map((text) => ({ kind: "same", text }));
  return [...same(a.slice(0, head)), ...changed(x, y), ...same(a.slice(a.length - tail))];
}

function changed(a: string[], b: string[]): Line[] {
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  if (a.length * b.length <= MOST) {
    // Lengths of the longest common subsequences of the rests of both texts.
    const width = b.length + 1;
    const common = new Uint32Array((a.length + 1) * width);
    for (let i = a.length - 1; i >= 0; i--) {
      for (let j = b.length - 1; j >= 0; j--) {
        common[i * width + j] = a[i] === b[j] ? common[(i + 1) * width + j + 1]! + 1 : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
      }
    }
    while (i < a.length && j < b.length) {
      if (a[i] === b[j]) {
        lines.push({ kind: "same", text: a[i]! });
        i++;
        j++;
      } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) lines.push({ kind: "removed", text: a[i++]! });
      else lines.push({ kind: "added", text: b[j++]! });
    }
  }
  lines.push(...a.slice(i).map((text): Line => ({ kind: "removed", text })), ...b.slice(j).map((text): Line => ({ kind: "added", text })));
  return lines;
}
