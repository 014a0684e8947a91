// Ocean of Code: keeps to narrow water, charges torpedoes and fires them three cells ahead.
"use strict";

function* play() {
    const [w, h, me] = (yield).split(" ").map(Number);
    const wide = w + 2;
    const step = [-wide, 1, wide, -1];
    // The sea with a frame of land around it, row after row.
    const water = new Array(wide * (h + 2)).fill(false);
    for (let y = 0; y < h; y++) {
        [...(yield)].forEach((cell, x) => (water[(y + 1) * wide + x + 1] = cell === "."));
    }
    for (let i = 0; i < w * h; i++) {
        const at = (i + me * Math.floor((w * h) / 2)) % (w * h);
        const [x, y] = [at % w, Math.floor(at / w)];
        if (water[(y + 1) * wide + x + 1]) {
            process.stdout.write(`${x} ${y}\n`);
            break;
        }
    }
    const been = new Array(water.length).fill(false);
    const open = (cell) => water[cell] && !been[cell];
    for (let turn = 0; ; turn++) {
        const [x, y, , , torpedo] = (yield).split(" ").map(Number);
        yield; // the sonar's answer
        yield; // what was heard
        const here = (y + 1) * wide + x + 1;
        been[here] = true;
        let [best, least] = [-1, 9];
        for (let d = 0; d < 4; d++) {
            const n = here + step[d];
            if (!open(n)) continue;
            // Few ways on: take it now. None at all: only if there is nothing else.
            const exits = step.filter((s) => open(n + s)).length || 8;
            if (exits < least) [best, least] = [d, exits];
        }
        let answer = "";
        for (let k = 0; torpedo === 0 && k < 4; k++) {
            const d = (turn + k) % 4;
            if (![1, 2, 3].every((i) => water[here + i * step[d]])) continue;
            answer = `TORPEDO ${x + [0, 3, 0, -3][d]} ${y + [-3, 0, 3, 0][d]}|`;
            break;
        }
        if (best < 0) been.fill(false);
        answer += best < 0 ? "SURFACE" : `MOVE ${"NESW"[best]} TORPEDO`;
        process.stdout.write(answer + "\n");
    }
}

const player = play();
player.next();
require("readline").createInterface({ input: process.stdin }).on("line", (line) => player.next(line));
