// agon-hostile
// game: back-track
// verdict: memory,crash
// level: B
// clock: off
// about: buffers outside of the heap of the language, without end
"use strict";

// A small legal player of Back Track: it waits.
function* answers() {
    yield; // id
    const [width, height] = [Number(yield), Number(yield)];
    for (let i = 0; i < width * height; i++) yield;
    for (let towns = Number(yield); towns > 0; towns--) yield;
    for (let answer; ; answer = "WAIT") {
        yield answer;
        for (let i = 1; i < 2 + width * height; i++) yield;
    }
}

const hoard = [];

function eat() {
    while (hoard.length < 1536) {
        hoard.push(Buffer.alloc(1 << 20, 1));
        if (hoard.length === 1536) process.stderr.write("BREACH 1.5 GiB of memory\n");
    }
}

const player = answers();
player.next();
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const answer = player.next(line).value;
    if (answer === undefined) return;
    eat();
    process.stdout.write(answer + "\n");
});
