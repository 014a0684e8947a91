// agon-hostile
// game: ocean-of-code
// verdict: crash
// level: any
// about: a promise that is rejected and that nobody looks at
"use strict";

// A small legal player of Ocean of Code: the first water cell, then any free neighbour, else up.
function* answers() {
    yield; // size and id
    const sea = [];
    while (sea.length < 15) sea.push(yield);
    const open = (x, y) => x >= 0 && y >= 0 && sea[y] !== undefined && sea[y][x] === ".";
    const first = [...Array(225).keys()].find((i) => open(i % 15, Math.floor(i / 15)));
    let answer = `${first % 15} ${Math.floor(first / 15)}`;
    const been = new Set();
    for (;;) {
        const [x, y] = (yield answer).split(" ").map(Number);
        yield;
        yield;
        been.add(y * 15 + x);
        const ways = [["N", x, y - 1], ["E", x + 1, y], ["S", x, y + 1], ["W", x - 1, y]];
        const way = ways.find(([, u, v]) => open(u, v) && !been.has(v * 15 + u));
        if (way === undefined) been.clear();
        answer = way === undefined ? "SURFACE" : `MOVE ${way[0]} TORPEDO`;
    }
}

const player = answers();
player.next();
let turns = 0;
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const answer = player.next(line).value;
    if (answer === undefined) return;
    turns += 1;
    if (turns > 3) Promise.reject(new Error("no such move"));
    else process.stdout.write(answer + "\n");
});
