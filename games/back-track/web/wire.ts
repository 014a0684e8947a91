// Made from the Rust types by `UPDATE=1 cargo test -p back-track --all-features types`: do not edit.

export type RailReason = "disqualified" | "objective" | "no_connection_possible" | "max_turns";
export type Station = {
/**
 * Where it stands.
 */
cell: [number, number],
/**
 * The towns it wants to be connected to.
 */
wishes: Array<number>, };
export type RailBoard = {
/**
 * Cells in a row.
 */
width: number,
/**
 * Cells in a column.
 */
height: number,
/**
 * Terrain by cell, row by row: `0` plains, `1` river, `2` mountain, `3` place of interest.
 */
terrain: string,
/**
 * Region by cell, row by row.
 */
regions: Array<number>,
/**
 * How many regions there are.
 */
region_count: number,
/**
 * Towns by id.
 */
towns: Array<Station>,
/**
 * Instability at which a region is inked.
 */
ink_threshold: number,
/**
 * Paint of each player each turn.
 */
paint: number,
/**
 * What a track costs, by terrain.
 */
costs: [number, number, number, number],
/**
 * Turns of the game at the most.
 */
max_turns: number, };
export type Link = {
/**
 * The town that wants it.
 */
from: number,
/**
 * The town it wants to be connected to.
 */
to: number,
/**
 * What it gives each player each turn.
 */
points: [number, number],
/**
 * The cells of its path, both towns included.
 */
path: Array<[number, number]>, };
export type RailFrame = {
/**
 * Owner of the track by cell, row by row: `.` none, `0`, `1`, `2` neutral.
 */
tracks: string,
/**
 * Instability by region.
 */
instability: Array<number>,
/**
 * Regions that are inked.
 */
inked: Array<number>,
/**
 * The active connections.
 */
links: Array<Link>,
/**
 * What all of them give each player each turn.
 */
points: [number, number],
/**
 * Players that have a place of interest connected to a town.
 */
side_quest: [boolean, boolean], };
export type RailChoices = {
/**
 * Cost of a track by cell, row by row; `.` where none can be placed.
 */
costs: string,
/**
 * Paint to spend.
 */
paint: number,
/**
 * The regions that can be disrupted; none where players have no disruption.
 */
disruptable: Array<number>, };
export type RailEvent = { "kind": "message",
/**
 * Who.
 */
seat: number,
/**
 * What.
 */
text: string, } | { "kind": "route",
/**
 * Whose.
 */
seat: number,
/**
 * The cells it would place tracks on, in order.
 */
cells: Array<[number, number]>, } | { "kind": "placed",
/**
 * Who.
 */
seat: number,
/**
 * Where.
 */
cell: [number, number],
/**
 * The paint it took.
 */
cost: number,
/**
 * Whether an AUTOPLACE asked for it.
 */
auto: boolean, } | { "kind": "neutral",
/**
 * Where.
 */
cell: [number, number], } | { "kind": "disrupted",
/**
 * Who.
 */
seat: number,
/**
 * Which region.
 */
region: number,
/**
 * Its instability now.
 */
instability: number, } | { "kind": "inked",
/**
 * Which region.
 */
region: number,
/**
 * The cells whose tracks are gone, by owner: player 0, player 1, neutral.
 */
lost: [Array<[number, number]>, Array<[number, number]>, Array<[number, number]>], } | { "kind": "connected",
/**
 * The town that wants it.
 */
from: number,
/**
 * The town it wants to be connected to.
 */
to: number,
/**
 * The cells of the path, both towns among them.
 */
path: Array<[number, number]>,
/**
 * What it gives each player each turn.
 */
points: [number, number], } | { "kind": "disconnected",
/**
 * The town that wants it.
 */
from: number,
/**
 * The town it wants to be connected to.
 */
to: number, } | { "kind": "scored",
/**
 * What each player got.
 */
points: [number, number],
/**
 * The scores now.
 */
scores: [number, number], } | { "kind": "side_quest",
/**
 * Who.
 */
seat: number, } | { "kind": "objective" } | { "kind": "over",
/**
 * Why.
 */
reason: RailReason, };
