// Made from the Rust types by `UPDATE=1 cargo test -p ocean-of-code --all-features types`: do not edit.

export type Seat = number;
export type Spot = [number, number];
export type Direction = "N" | "S" | "E" | "W";
export type Power = "torpedo" | "sonar" | "silence" | "mine";
export type SeaBoard = {
/**
 * Width and height of the map.
 */
size: number,
/**
 * Width and height of a sector.
 */
sector_size: number,
/**
 * Rows of the map: `x` for an island, `.` for water.
 */
rows: Array<string>,
/**
 * Lives of each submarine at the start.
 */
lives: number,
/**
 * Number of charges needed for torpedo, sonar, silence and mine; `null` if the league does not have the power.
 */
needed: [number | null, number | null, number | null, number | null], };
export type Boat = {
/**
 * Cell of the submarine; `null` before the placement, or if it is hidden from the viewer.
 */
cell: Spot | null,
/**
 * Lives; -1 if the player is disqualified.
 */
lives: number,
/**
 * Charges of torpedo, sonar, silence and mine; `null` before the placement, or if they are hidden from the viewer.
 */
charges: [number, number, number, number] | null,
/**
 * Cells visited since the start or the last SURFACE.
 */
trail: [number, number, number, number, number, number, number, number, number, number, number, number, number, number, number],
/**
 * Cells of the mines that can be triggered.
 */
mines: Array<Spot>,
/**
 * Cell of the mine laid in the latest turn, which cannot be triggered yet.
 */
fresh_mine: Spot | null,
/**
 * The actions of the latest turn in the form that the opponent sees.
 */
shown: string,
/**
 * Possible cells of the submarine, derived only from public actions and lives.
 */
possible: [number, number, number, number, number, number, number, number, number, number, number, number, number, number, number], };
export type SeaFrame = {
/**
 * The submarines by seat.
 */
submarines: [Boat, Boat], };
export type SeaChoices = {
/**
 * Possible start cells; `null` after the placement.
 */
start: [number, number, number, number, number, number, number, number, number, number, number, number, number, number, number] | null,
/**
 * Directions in which the submarine can move.
 */
moves: Array<Direction>,
/**
 * Powers that can be charged.
 */
powers: Array<Power>,
/**
 * Powers that can be used now.
 */
ready: Array<Power>,
/**
 * Possible targets of a torpedo.
 */
targets: [number, number, number, number, number, number, number, number, number, number, number, number, number, number, number],
/**
 * Maximum number of steps of a silent move: north, south, east, west.
 */
silence: [number, number, number, number],
/**
 * Sides of the submarine on which a mine can be laid.
 */
mine_sides: Array<Direction>,
/**
 * Cells of the mines that can be triggered.
 */
triggers: Array<Spot>, };
export type SeaEvent = { "kind": "placed",
/**
 * Seat of the player.
 */
seat: Seat,
/**
 * The start cell.
 */
cell: Spot, } | { "kind": "turn",
/**
 * Number of the turn.
 */
turn: number,
/**
 * Seat of the player.
 */
seat: Seat, } | { "kind": "message",
/**
 * Seat of the player.
 */
seat: Seat,
/**
 * Text of the message.
 */
text: string, } | { "kind": "moved",
/**
 * Seat of the player.
 */
seat: Seat,
/**
 * Cell before the move.
 */
from: Spot,
/**
 * Cell after the move.
 */
to: Spot,
/**
 * Direction of the move.
 */
direction: Direction,
/**
 * The power that the move charged, if any.
 */
charge: Power | null, } | { "kind": "surfaced",
/**
 * Seat of the player.
 */
seat: Seat,
/**
 * Cell of the submarine.
 */
cell: Spot,
/**
 * Sector of the submarine, which the opponent is told.
 */
sector: number,
/**
 * Lives lost by surfacing.
 */
damage: number,
/**
 * Whether the submarine surfaced because no action of the answer could be executed.
 */
forced: boolean, } | { "kind": "torpedo",
/**
 * Seat of the player.
 */
seat: Seat,
/**
 * Cell of the submarine.
 */
from: Spot,
/**
 * Target of the torpedo.
 */
to: Spot, } | { "kind": "sonar",
/**
 * Seat of the player.
 */
seat: Seat,
/**
 * The sector.
 */
sector: number,
/**
 * Whether the opponent was in the sector.
 */
found: boolean, } | { "kind": "silence",
/**
 * Seat of the player.
 */
seat: Seat,
/**
 * Cell before the move.
 */
from: Spot,
/**
 * Cell after the move.
 */
to: Spot,
/**
 * Direction of the move.
 */
direction: Direction,
/**
 * Number of steps.
 */
steps: number, } | { "kind": "mine",
/**
 * Seat of the player.
 */
seat: Seat,
/**
 * Cell of the mine.
 */
cell: Spot, } | { "kind": "trigger",
/**
 * Seat of the player.
 */
seat: Seat,
/**
 * Cell of the mine.
 */
cell: Spot, } | { "kind": "explosion",
/**
 * Seat of the player that caused the explosion.
 */
seat: Seat,
/**
 * Cell of the explosion.
 */
cell: Spot,
/**
 * Lives lost, by seat.
 */
damage: [number, number],
/**
 * Lives after the explosion, by seat.
 */
lives: [number, number], } | { "kind": "disqualified",
/**
 * Seat of the player.
 */
seat: Seat, } | { "kind": "over",
/**
 * Short name of the reason for the end.
 */
reason: string,
/**
 * Final scores by seat.
 */
scores: [number, number], };
