// Ocean of Code: a starter bot.
//
// It stays in the larger part of the sea, keeps a list of the cells the enemy may be in, and fires where that list is dense.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 50 ms for every other one.
// Your answers go to the standard output (console.log); for debugging, use console.error, the standard error output.
"use strict";

const fs = require("fs");

const DIRECTIONS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };
const TORPEDO_RANGE = 4;
const SILENCE_STEPS = 4;
const ANYWHERE = 1000; // More steps than there are.
const FIRE_AT = 0.5; // Fire when the damage to expect is at least this.

// ---- Reading ----

// The map: it never changes. A cell is a number, y * width + x, so that sets of cells are easy; -1 is no water.
class Sea {
    constructor(width, height, myId, rows) {
        Object.assign(this, { width, height, myId, rows });
        this.cells = []; // All water, row by row.
        for (let y = 0; y < height; y++) {
            for (let x = 0; x < width; x++) {
                if (this.at(x, y) !== -1) this.cells.push(this.at(x, y));
            }
        }
    }

    at(x, y) {
        const inside = x >= 0 && x < this.width && y >= 0 && y < this.height;
        return inside && this.rows[y][x] === "." ? y * this.width + x : -1;
    }

    x(cell) {
        return cell % this.width;
    }

    y(cell) {
        return Math.floor(cell / this.width);
    }

    // The cell next to this one; -1 if that is no water.
    step(cell, direction) {
        const [dx, dy] = DIRECTIONS[direction];
        return this.at(this.x(cell) + dx, this.y(cell) + dy);
    }

    // 1 to 9, row by row.
    sector(cell) {
        return Math.floor(this.x(cell) / 5) + Math.floor(this.y(cell) / 5) * 3 + 1;
    }
}

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

function readNumbers() {
    return readLine().split(" ").map(Number);
}

function readSea() {
    const [width, height, myId] = readNumbers();
    const rows = [];
    for (let y = 0; y < height; y++) rows.push(readLine());
    return new Sea(width, height, myId, rows);
}

// What you are told before each answer. A cooldown counts the charges that are missing: 0 is ready, -1 is not in this league.
function readTurn(sea) {
    const [x, y, myLife, oppLife, torpedoCooldown, sonarCooldown, silenceCooldown, mineCooldown] = readNumbers();
    const sonarResult = readLine(); // Y or N after your own SONAR, else NA.
    const heard = readLine();
    const oppOrders = heard === "NA" ? [] : heard.split("|"); // What the enemy did, as far as it can be heard.
    const cell = sea.at(x, y);
    return { cell, myLife, oppLife, torpedoCooldown, sonarCooldown, silenceCooldown, mineCooldown, sonarResult, oppOrders };
}

// ---- Thinking ----

// Steps from `start` to each water cell that can be reached in `limit` steps without entering a blocked one.
function distances(sea, start, blocked, limit) {
    const found = new Map([[start, 0]]);
    for (const [cell, steps] of found) { // The map grows while we walk along it.
        if (steps === limit) continue;
        for (const direction in DIRECTIONS) {
            const near = sea.step(cell, direction);
            if (near !== -1 && !blocked.has(near) && !found.has(near)) found.set(near, steps + 1);
        }
    }
    return found;
}

class Bot {
    constructor(sea) {
        this.sea = sea;
        this.trail = new Set(); // Cells that may not be entered again until we surface.
        this.suspects = new Set(sea.cells); // Cells the enemy may be in.
        this.life = null; // Our lives, as far as we know why.
    }

    // A cell of the largest sea, as near to the middle as possible: in a corner there is little room to hide.
    chooseStart() {
        const sea = this.sea;
        let largest = new Map();
        const seen = new Set();
        for (const cell of sea.cells) {
            if (seen.has(cell)) continue;
            const region = distances(sea, cell, new Set(), ANYWHERE);
            for (const reached of region.keys()) seen.add(reached);
            if (region.size > largest.size) largest = region;
        }
        const [x, y] = [Math.floor(sea.width / 2), Math.floor(sea.height / 2)];
        const far = (cell) => Math.abs(sea.x(cell) - x) + Math.abs(sea.y(cell) - y);
        const choices = sea.cells.filter((cell) => largest.has(cell));
        return choices.reduce((best, cell) => (far(cell) < far(best) ? cell : best));
    }

    // Keeps those suspects that fit what the enemy was heard to do.
    listen(order) {
        const sea = this.sea;
        const [word, ...args] = order.split(" ");
        let fitting = [...this.suspects];
        if (word === "MOVE") {
            fitting = fitting.map((cell) => sea.step(cell, args[0])).filter((cell) => cell !== -1);
        } else if (word === "SURFACE") {
            fitting = fitting.filter((cell) => sea.sector(cell) === Number(args[0]));
        } else if (word === "TORPEDO") {
            const [x, y] = args.map(Number);
            fitting = fitting.filter((cell) => Math.abs(sea.x(cell) - x) + Math.abs(sea.y(cell) - y) <= TORPEDO_RANGE);
        } else if (word === "SILENCE") {
            for (const start of this.suspects) {
                for (const direction in DIRECTIONS) {
                    let cell = sea.step(start, direction);
                    for (let i = 0; i < SILENCE_STEPS && cell !== -1; i++) {
                        fitting.push(cell);
                        cell = sea.step(cell, direction);
                    }
                }
            }
        }
        this.suspects = new Set(fitting);
        // Idea: MINE and TRIGGER tell something as well, and so do the lives that our own shots cost the enemy.
    }

    // The direction with the most room behind it; of equal ones the one with the fewest ways on, which follows the shores and so
    // keeps the sea in one piece. null if every way is closed.
    bestDirection(here) {
        let [best, bestRoom, bestWays] = [null, 0, 0];
        for (const direction in DIRECTIONS) {
            const cell = this.sea.step(here, direction);
            if (cell === -1 || this.trail.has(cell)) continue;
            const room = distances(this.sea, cell, this.trail, ANYWHERE).size;
            const ways = distances(this.sea, cell, this.trail, 1).size - 1;
            if (best === null || room > bestRoom || (room === bestRoom && ways < bestWays)) {
                [best, bestRoom, bestWays] = [direction, room, ways];
            }
        }
        return best;
    }

    // The cell in range with the highest damage to expect, and that damage.
    bestTarget(here) {
        const sea = this.sea;
        let [best, bestDamage] = [here, 0];
        const inRange = distances(sea, here, new Set(), TORPEDO_RANGE);
        for (const target of sea.cells) {
            const [x, y] = [sea.x(target), sea.y(target)];
            // A blast next to us would hit us, too.
            const near = Math.abs(x - sea.x(here)) <= 1 && Math.abs(y - sea.y(here)) <= 1;
            if (near || !inRange.has(target)) continue;
            let lives = this.suspects.has(target) ? 1 : 0; // 2 in the middle, 1 around it.
            for (const dx of [-1, 0, 1]) {
                for (const dy of [-1, 0, 1]) {
                    if (this.suspects.has(sea.at(x + dx, y + dy))) lives++;
                }
            }
            const damage = lives / this.suspects.size;
            if (damage > bestDamage) [best, bestDamage] = [target, damage];
        }
        return [best, bestDamage];
    }

    // Your ideas go here. Returns the actions of this turn; each word may be there once only.
    decide(turn) {
        const sea = this.sea;
        const actions = [];
        let here = turn.cell;
        this.trail.add(here);
        const wasHit = this.life !== null && turn.myLife < this.life;
        this.life = turn.myLife;

        for (const order of turn.oppOrders) this.listen(order);
        if (this.suspects.size === 0) this.suspects = new Set(sea.cells); // We have misunderstood something: begin again.

        // Move; where no way is left, surface first, which costs a life and wipes out the trail.
        let direction = this.bestDirection(here);
        if (direction === null) {
            actions.push("SURFACE");
            this.trail = new Set([here]);
            this.life -= 1;
            direction = this.bestDirection(here);
        }
        if (direction !== null) {
            const power = turn.torpedoCooldown === 0 && turn.silenceCooldown > 0 ? "SILENCE" : "TORPEDO";
            actions.push(`MOVE ${direction} ${power}`);
            if (power === "TORPEDO" && turn.torpedoCooldown > 0) turn.torpedoCooldown -= 1;
            here = sea.step(here, direction);
            this.trail.add(here);
        }

        // Fire, if the enemy is likely enough to be hit.
        const [target, damage] = this.bestTarget(here);
        if (turn.torpedoCooldown === 0 && damage >= FIRE_AT) {
            actions.push(`TORPEDO ${sea.x(target)} ${sea.y(target)}`);
        }

        // Somebody knows where we are: slip away unheard.
        const escape = this.bestDirection(here);
        if (wasHit && turn.silenceCooldown === 0 && escape !== null) actions.push(`SILENCE ${escape} 1`);

        const place = `(${sea.x(turn.cell)}, ${sea.y(turn.cell)})`;
        console.error(`at ${place}, ${this.suspects.size} suspects, damage to expect ${damage.toFixed(2)}`);
        // Idea: SONAR halves the suspects, MINE and TRIGGER make whole regions dangerous.
        return actions;
    }
}

function main() {
    const sea = readSea();
    const bot = new Bot(sea);
    const start = bot.chooseStart();
    console.log(`${sea.x(start)} ${sea.y(start)}`);
    for (;;) {
        const turn = readTurn(sea);
        console.log(bot.decide(turn).join("|") || "SURFACE");
    }
}

main();
