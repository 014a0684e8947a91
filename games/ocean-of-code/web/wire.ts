// Made from the Rust types by `UPDATE=1 cargo test -p ocean-of-code --all-features types`: do not edit.

export type Seat = number;
export type Spot = [number, number];
export type Direction = "N" | "S" | "E" | "W";
export type Power = "torpedo" | "sonar" | "silence" | "mine";
export type SeaBoard = {
/**
 * Width and height.
 */
size: number,
/**
 * Width and height of a sector.
 */
sector_size: number,
/**
 * The rows: `x` for an island, `.` for water.
 */
rows: Array<string>,
/**
 * Lives at the start.
 */
lives: number,
/**
 * Charges needed by torpedo, sonar, silence and mine; `null` where the league does not have the power.
 */
needed: [number | null, number | null, number | null, number | null], };
export type Boat = {
/**
 * Where it is; nowhere before the placement, or for those who may not know.
 */
cell: Spot | null,
/**
 * Lives; -1 once its player is disqualified.
 */
lives: number,
/**
 * Charges gained of torpedo, sonar, silence and mine; nothing for those who may not know.
 */
charges: [number, number, number, number] | null,
/**
 * Cells visited since the start or the last SURFACE.
 */
trail: [number, number, number, number, number, number, number, number, number, number, number, number, number, number, number],
/**
 * Mines that can be set off.
 */
mines: Array<Spot>,
/**
 * The mine laid in its latest turn.
 */
fresh_mine: Spot | null,
/**
 * The orders of its latest turn as its opponent is shown them.
 */
shown: string,
/**
 * Where it could be, judged from public orders and lives alone.
 */
possible: [number, number, number, number, number, number, number, number, number, number, number, number, number, number, number], };
export type SeaFrame = {
/**
 * The submarines by seat.
 */
submarines: [Boat, Boat], };
export type SeaChoices = {
/**
 * Where it may start; nothing once it has.
 */
start: [number, number, number, number, number, number, number, number, number, number, number, number, number, number, number] | null,
/**
 * The directions it may move in.
 */
moves: Array<Direction>,
/**
 * The powers it may charge.
 */
powers: Array<Power>,
/**
 * The powers that can be used.
 */
ready: Array<Power>,
/**
 * Where a torpedo can go.
 */
targets: [number, number, number, number, number, number, number, number, number, number, number, number, number, number, number],
/**
 * How far it may go in silence: north, south, east, west.
 */
silence: [number, number, number, number],
/**
 * Where a mine can be laid.
 */
mine_sides: Array<Direction>,
/**
 * The mines it can set off.
 */
triggers: Array<Spot>, };
export type SeaEvent = { "kind": "placed",
/**
 * Who.
 */
seat: Seat,
/**
 * Where.
 */
cell: Spot, } | { "kind": "turn",
/**
 * Number of the turn.
 */
turn: number,
/**
 * Who.
 */
seat: Seat, } | { "kind": "message",
/**
 * Who.
 */
seat: Seat,
/**
 * What.
 */
text: string, } | { "kind": "moved",
/**
 * Whose.
 */
seat: Seat,
/**
 * From where.
 */
from: Spot,
/**
 * To where.
 */
to: Spot,
/**
 * In which direction.
 */
direction: Direction,
/**
 * The power it charged, if any.
 */
charge: Power | null, } | { "kind": "surfaced",
/**
 * Whose.
 */
seat: Seat,
/**
 * Where.
 */
cell: Spot,
/**
 * The sector the opponent is shown.
 */
sector: number,
/**
 * Lives it cost.
 */
damage: number,
/**
 * Whether it was for want of an action that could be executed.
 */
forced: boolean, } | { "kind": "torpedo",
/**
 * Whose.
 */
seat: Seat,
/**
 * From where.
 */
from: Spot,
/**
 * To where.
 */
to: Spot, } | { "kind": "sonar",
/**
 * Whose.
 */
seat: Seat,
/**
 * Which.
 */
sector: number,
/**
 * Whether the opponent was there.
 */
found: boolean, } | { "kind": "silence",
/**
 * Whose.
 */
seat: Seat,
/**
 * From where.
 */
from: Spot,
/**
 * To where.
 */
to: Spot,
/**
 * In which direction.
 */
direction: Direction,
/**
 * How far.
 */
steps: number, } | { "kind": "mine",
/**
 * Whose.
 */
seat: Seat,
/**
 * Where.
 */
cell: Spot, } | { "kind": "trigger",
/**
 * Whose.
 */
seat: Seat,
/**
 * Where.
 */
cell: Spot, } | { "kind": "explosion",
/**
 * Who did it.
 */
seat: Seat,
/**
 * Where.
 */
cell: Spot,
/**
 * Lives it cost, by seat.
 */
damage: [number, number],
/**
 * Lives left, by seat.
 */
lives: [number, number], } | { "kind": "disqualified",
/**
 * Who.
 */
seat: Seat, } | { "kind": "over",
/**
 * Why, as a short name.
 */
reason: string,
/**
 * Final scores by seat.
 */
scores: [number, number], };
