// Back Track: a starter bot.
//
// It lays tracks for the wish that costs the least paint, turn after turn until it is connected, then for the next one.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 50 ms for every other one.
// Your answers go to the standard output (console.log); for debugging, use console.error, the standard error output.
"use strict";

const fs = require("fs");

const NO_TRACK = -1;
const PAINT = [1, 2, 3, 3]; // For a track on plains, a river, a mountain, a place of interest.

// ---- Reading ----

const chunk = Buffer.alloc(1 << 16);
let unread = ""; // What has come but is not used yet.

function readLine() {
    let end;
    while ((end = unread.indexOf("\n")) === -1) {
        const count = fs.readSync(0, chunk);
        if (count === 0) process.exit(0); // The input has ended: the game is over.
        unread += chunk.toString("latin1", 0, count);
    }
    const line = unread.slice(0, end);
    unread = unread.slice(end + 1);
    return line;
}

function readNumber() {
    return Number(readLine());
}

function readList(text) {
    return text === "x" ? [] : text.split(",");
}

// The map, the towns, and what readTurn adds to them.
function readGame() {
    const [myId, width, height] = [readNumber(), readNumber(), readNumber()];
    const cells = []; // Row by row: (x, y) is at y * width + x.
    for (let i = 0; i < width * height; i++) {
        const [regionId, type] = readLine().split(" ").map(Number);
        cells.push({ regionId, type, town: false });
    }
    const towns = [];
    const townCount = readNumber();
    for (let i = 0; i < townCount; i++) {
        const [id, x, y, wants] = readLine().split(" ");
        const town = { id: Number(id), x: Number(x), y: Number(y), wants: readList(wants).map(Number) };
        town.cell = town.y * width + town.x;
        towns.push(town);
        cells[town.cell].town = true;
    }
    return { myId, width, height, cells, towns, myScore: 0, foeScore: 0 };
}

// What changes from turn to turn.
function readTurn(game) {
    game.myScore = readNumber();
    game.foeScore = readNumber();
    for (const cell of game.cells) {
        const [trackOwner, instability, inked, connections] = readLine().split(" ");
        cell.trackOwner = Number(trackOwner); // -1, or the player 0 or 1, or 2: neutral.
        cell.instability = Number(instability); // Of the whole region.
        cell.inked = inked === "1";
        cell.connections = readList(connections); // ["1-2"]: it is on the way from town 1 to the town 2 it wants.
    }
}

// ---- Thinking ----

// What it costs to go on through this cell; null where no track can be laid.
function paintFor(cell) {
    if (cell.town || cell.trackOwner !== NO_TRACK) return 0;
    return cell.inked ? null : PAINT[cell.type];
}

// The paint that a way from this town to each cell costs, as AUTOPLACE would lay it.
function paintFrom(game, town) {
    const paint = game.cells.map(() => null); // null where no way leads.
    const waiting = [[town.cell]]; // waiting[p]: cells that can be reached for p points of paint.
    for (let p = 0; p < waiting.length; p++) {
        for (const here of waiting[p] ?? []) { // Both lists grow while we walk along them.
            if (paint[here] !== null) continue; // Reached before, for less.
            paint[here] = p;
            const [x, y] = [here % game.width, Math.floor(here / game.width)];
            for (const [nearX, nearY] of [[x, y - 1], [x + 1, y], [x, y + 1], [x - 1, y]]) {
                if (nearX < 0 || nearX >= game.width || nearY < 0 || nearY >= game.height) continue;
                const near = nearY * game.width + nearX;
                const more = paintFor(game.cells[near]);
                if (more !== null && paint[near] === null) (waiting[p + more] ??= []).push(near);
            }
        }
    }
    return paint;
}

// The unfulfilled wish that costs the least paint; null if there is none.
function chooseWish(game) {
    let best = null;
    for (const from of game.towns) {
        const connections = game.cells[from.cell].connections;
        const paint = paintFrom(game, from);
        for (const wanted of from.wants) {
            if (connections.includes(`${from.id}-${wanted}`)) continue;
            const to = game.towns[wanted];
            const cost = paint[to.cell];
            if (cost !== null && (best === null || cost < best.cost)) best = { cost, from, to };
        }
    }
    return best;
}

// Your ideas go here. Returns the actions of this turn.
function decide(game) {
    const actions = [];
    const wish = chooseWish(game);
    if (wish !== null) {
        let { cost, from, to } = wish;
        console.error(`score ${game.myScore} : ${game.foeScore}, town ${from.id} to town ${to.id} for ${cost} paint`);
        // Two players who lay the same tracks in the same turn both pay for neutral ones: the second one begins at the other end.
        if (game.myId === 1) [from, to] = [to, from];
        actions.push(`AUTOPLACE ${from.x} ${from.y} ${to.x} ${to.y}`);
    }
    // Idea: DISRUPT washes the tracks of the opponent away. In which region does it have most to lose, and you least?
    // Idea: PLACE_TRACKS spends the paint that AUTOPLACE leaves over, and finds ways that serve several wishes at once.
    return actions;
}

function main() {
    const game = readGame();
    for (;;) {
        readTurn(game);
        console.log(decide(game).join(";") || "WAIT");
    }
}

main();
