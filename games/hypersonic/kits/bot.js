// Hypersonic: a starter bot.
//
// In each round it tries the ten things it can do (lay a bomb or not; stay or take one of four steps), drops those after which it
// could not survive the bombs that are in play, and takes the one after which it can bomb its next box soonest.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 100 ms for every other one.
// Your answers go to the standard output (console.log); for debugging, use console.error, the standard error output.
"use strict";

const fs = require("fs");

const FUSE = 8; // Rounds from laying a bomb to its explosion.
const HORIZON = FUSE + 1; // So many rounds from now every bomb we know of has gone off.
const PATIENCE = 0.9; // What a box is worth if it comes one round later,
const LATER = [1.0]; // and if it comes that many rounds later.
for (let i = 0; i < HORIZON; i++) LATER.push(LATER[i] * PATIENCE);

// A cell is a number, y * WIDE + x, so that sets of cells are easy. WIDE leaves room for the wall around the grid.
const WIDE = 100;
const STEPS = [0, -1, 1, -WIDE, WIDE]; // Stay, left, right, up, down.
const x = (cell) => cell % WIDE;
const y = (cell) => Math.floor(cell / WIDE);

// ---- Reading ----

const chunk = Buffer.alloc(1 << 16);
let unread = ""; // What has come but is not used yet.

function readLine() {
    let end;
    while ((end = unread.indexOf("\n")) === -1) {
        const count = fs.readSync(0, chunk);
        if (count === 0) process.exit(0); // The input has ended: the game is over, at least for us.
        unread += chunk.toString("latin1", 0, count);
    }
    const line = unread.slice(0, end);
    unread = unread.slice(end + 1);
    return line;
}

function readNumbers() {
    return readLine().split(" ").map(Number);
}

// What you are told before each answer.
class Round {
    constructor() {
        this.rows = []; // "." is floor, "X" a wall, "0", "1", "2" boxes: empty, with extra range, with an extra bomb.
        this.players = []; // bombs: how many it can lay now; range: of the bombs it lays, the cell of the bomb counts.
        this.bombs = []; // timer 1: it goes off in this round, before anybody moves.
        this.items = []; // kind 1: extra range, 2: extra bomb.
    }

    // What is there; outside of the grid, wall.
    at(cell) {
        return this.rows[y(cell)]?.[x(cell)] ?? "X";
    }

    isBox(cell) {
        return "012".includes(this.at(cell));
    }
}

function readRound(height) {
    const round = new Round();
    for (let row = 0; row < height; row++) round.rows.push(readLine());
    const [entities] = readNumbers();
    for (let i = 0; i < entities; i++) {
        const [type, owner, column, row, param1, param2] = readNumbers();
        const cell = row * WIDE + column;
        if (type === 0) round.players.push({ id: owner, cell, bombs: param1, range: param2 });
        if (type === 1) round.bombs.push({ owner, cell, timer: param1, range: param2 });
        if (type === 2) round.items.push({ cell, kind: param1 });
    }
    return round;
}

// ---- Thinking ----

// What the bombs in play will do.
class Forecast {
    constructor(round, bombs) {
        this.round = round;
        this.stops = new Set([...bombs, ...round.items].map((thing) => thing.cell));
        const blasts = bombs.map((bomb) => this.blast(bomb.cell, bomb.range));
        const timers = bombs.map((bomb) => bomb.timer);
        // A bomb that is hit goes off at the same moment: pass earlier timers on until nothing changes.
        for (let changed = true; changed; ) {
            changed = false;
            for (let i = 0; i < bombs.length; i++) {
                for (let j = 0; j < bombs.length; j++) {
                    if (timers[i] < timers[j] && blasts[i].has(bombs[j].cell)) {
                        timers[j] = timers[i];
                        changed = true;
                    }
                }
            }
        }
        this.deadly = LATER.map(() => new Set()); // deadly[t]: who stands there after t steps from now is hit.
        this.blockedUntil = new Map(); // Cell of a bomb: so many steps from now nobody can enter it.
        this.doomed = new Set(); // Boxes that will be gone.
        bombs.forEach((bomb, i) => {
            this.blockedUntil.set(bomb.cell, timers[i]);
            for (const cell of blasts[i]) {
                // What counts is where you stand before the round in which the timer reaches 0.
                this.deadly[timers[i] - 1].add(cell);
                if (round.isBox(cell)) this.doomed.add(cell);
            }
        });
    }

    // The cells that a bomb would hit. A box, an item and another bomb stop it.
    blast(cell, range) {
        const hit = new Set([cell]);
        for (const step of STEPS.slice(1)) {
            for (let i = 1, near = cell + step; i < range; i++, near += step) {
                if (this.round.at(near) === "X") break;
                hit.add(near);
                if (this.round.at(near) !== "." || this.stops.has(near)) break;
            }
        }
        return hit;
    }

    // How many boxes are among these cells, those left out that will be gone anyway.
    boxes(hit) {
        let count = 0;
        for (const cell of hit) {
            if (this.round.isBox(cell) && !this.doomed.has(cell)) count++;
        }
        return count;
    }

    // Whether somebody can walk into this cell with step number t.
    isOpen(cell, t) {
        return this.round.at(cell) === "." && (this.blockedUntil.get(cell) ?? 0) < t;
    }
}

// The cells we can be in after the step `first` and then any others, with the earliest time; null if we cannot survive.
function reach(forecast, here, first) {
    const earliest = new Map();
    let layer = new Set([here]);
    for (let t = 1; t <= HORIZON; t++) {
        const following = new Set();
        for (const cell of layer) {
            for (const step of t === 1 ? [first] : STEPS) {
                const near = cell + step;
                if (near !== cell && !forecast.isOpen(near, t)) continue;
                if (forecast.deadly[t].has(near)) continue;
                following.add(near);
                if (!earliest.has(near)) earliest.set(near, t);
            }
        }
        layer = following;
    }
    return layer.size > 0 ? earliest : null;
}

// How soon a box can be bombed from one of these cells: 1 for at once, less for each round later, 0 for never. `wait` rounds from
// now we can lay a bomb.
function bestAhead(forecast, me, cells, wait) {
    let best = 0;
    for (const [cell, t] of cells) {
        const hit = forecast.blast(cell, me.range);
        // Without a cell to hide in no bomb can be laid.
        const hideout = [...cells.keys()].some((other) => !hit.has(other));
        if (hideout && forecast.boxes(hit) > 0) best = Math.max(best, LATER[Math.max(t, wait)]);
    }
    return best;
}

// Your ideas go here. Returns the command of this round.
function decide(round, me) {
    let [command, target, best] = ["MOVE", me.cell, -1];
    for (const lay of [false, true]) {
        let [bombs, boxesHere] = [round.bombs, 0];
        if (lay) {
            const before = new Forecast(round, round.bombs);
            boxesHere = before.boxes(before.blast(me.cell, me.range));
            if (me.bombs === 0 || before.blockedUntil.has(me.cell) || boxesHere === 0) continue;
            // A bomb that is laid now shows its full timer in the next round.
            bombs = [...bombs, { owner: me.id, cell: me.cell, timer: FUSE + 1, range: me.range }];
        }
        const forecast = new Forecast(round, bombs);
        // The next bomb can be laid at once if there is one left, else when one of ours has gone off.
        const timers = bombs.filter((bomb) => bomb.owner === me.id).map((bomb) => bomb.timer);
        const wait = me.bombs > (lay ? 1 : 0) ? 0 : Math.min(HORIZON, ...timers);
        for (const step of STEPS) {
            const cells = reach(forecast, me.cell, step);
            if (cells === null) continue; // That way lies death.
            const worth = boxesHere + bestAhead(forecast, me, cells, wait);
            if (worth > best) [command, target, best] = [lay ? "BOMB" : "MOVE", me.cell + step, worth];
        }
    }
    console.error(`at (${x(me.cell)}, ${y(me.cell)}): ${command} to (${x(target)}, ${y(target)}), worth ${best.toFixed(2)}`);
    // Idea: a bomb that hits several boxes is worth more than one that hits a single box, and items make your bombs better.
    // Idea: expect a bomb from every opponent who can lay one now, and see that you survive that, too.
    return `${command} ${x(target)} ${y(target)}`;
}

function main() {
    const [, height, myId] = readNumbers();
    for (;;) {
        const round = readRound(height);
        const me = round.players.find((player) => player.id === myId);
        console.log(decide(round, me));
    }
}

main();
