// Hypersonic: bombs boxes it stands beside when there is a way out, and never waits in the reach of a bomb.
"use strict";

function* play() {
    const [w, h, me] = (yield).split(" ").map(Number);
    const wide = w + 2;
    const steps = [-1, 1, -wide, wide];
    for (;;) {
        // The grid with a frame of wall around it, row after row.
        let grid = "X".repeat(wide);
        for (let y = 0; y < h; y++) grid += "X" + (yield) + "X";
        grid += "X".repeat(wide);
        let [here, left, range] = [0, 0, 0];
        const [bombs, hot] = [new Set(), new Set()];
        const blast = (cell, reach) => {
            hot.add(cell);
            for (const s of steps) {
                for (let i = 1, n = cell + s; i < reach && grid[n] === "."; i++, n += s) hot.add(n);
            }
        };
        for (let count = Number(yield); count > 0; count--) {
            const [kind, owner, x, y, a, b] = (yield).split(" ").map(Number);
            const cell = (y + 1) * wide + x + 1;
            if (kind === 0 && owner === me) [here, left, range] = [cell, a, b];
            if (kind === 1) bombs.add(cell), blast(cell, b);
        }
        const safe = (cell) => !hot.has(cell);
        const besideBox = (cell) => steps.some((s) => "012".includes(grid[cell + s]));
        // The first step to the nearest goal; -1 if there is none.
        const find = (overHot, goal) => {
            const first = new Map([[here, -1]]);
            for (const cell of first.keys()) {
                if (cell !== here && goal(cell)) return first.get(cell);
                for (const n of steps.map((s) => cell + s)) {
                    if (grid[n] !== "." || bombs.has(n) || first.has(n) || !(overHot || safe(n))) continue;
                    first.set(n, cell === here ? n : first.get(cell));
                }
            }
            return -1;
        };
        let [verb, to] = ["MOVE", -1];
        if (!safe(here)) {
            to = find(true, safe);
        } else if (left > 0 && besideBox(here)) {
            blast(here, range);
            to = find(true, safe);
            if (to >= 0) verb = "BOMB";
        } else if (left > 0) {
            to = find(false, besideBox);
        }
        if (to < 0) to = here;
        process.stdout.write(`${verb} ${(to % wide) - 1} ${Math.floor(to / wide) - 1}\n`);
    }
}

const player = play();
player.next();
require("readline").createInterface({ input: process.stdin }).on("line", (line) => player.next(line));
