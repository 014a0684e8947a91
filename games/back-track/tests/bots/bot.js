// Back Track: joins towns that want each other, the nearest first, and washes away where the foe has more tracks.
"use strict";

function* play() {
    const [me, w, h] = [Number(yield), Number(yield), Number(yield)];
    const region = [];
    for (let i = 0; i < w * h; i++) region.push(parseInt(yield));
    const [towns, wishes] = [[], []];
    const count = Number(yield);
    for (let from = 0; from < count; from++) {
        const [, x, y, wanted] = (yield).split(" ");
        towns.push([Number(x), Number(y)]);
        if (wanted !== "x") wanted.split(",").forEach((to) => wishes.push({ from, to: Number(to), tries: 0 }));
    }
    for (const wish of wishes) {
        const [a, b] = [towns[wish.from], towns[wish.to]];
        wish.length = Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);
    }
    wishes.sort((a, b) => a.length - b.length || a.from - b.from || a.to - b.to);
    for (let turn = 0; ; turn++) {
        yield; // my score
        yield; // the foe's
        const more = new Array(Math.max(...region) + 1).fill(0); // tracks the foe has more than we, by region
        const links = [];
        for (let i = 0; i < w * h; i++) {
            const [owner, , , connections] = (yield).split(" ");
            links.push(connections.split(","));
            if (owner === "0" || owner === "1") more[region[i]] += Number(owner) === me ? -1 : 1;
        }
        const answer = [];
        for (const wish of wishes) {
            const [[x, y], to] = [towns[wish.from], towns[wish.to]];
            // The connections of a town are on the line of its cell.
            if (wish.tries >= 15 || links[y * w + x].includes(`${wish.from}-${wish.to}`)) continue;
            wish.tries++;
            const ends = me ? [...to, x, y] : [x, y, ...to]; // the two players meet half way
            answer.push("AUTOPLACE " + ends.join(" "));
            break;
        }
        const most = Math.max(...more);
        if (turn % 2 && most > 0) answer.push(`DISRUPT ${more.indexOf(most)}`);
        process.stdout.write((answer.join(";") || "WAIT") + "\n");
    }
}

const player = play();
player.next();
require("readline").createInterface({ input: process.stdin }).on("line", (line) => player.next(line));
