// Made from the Rust types by `UPDATE=1 cargo test -p back-track --all-features types`: do not edit.

export type RailReason = "disqualified" | "objective" | "no_connection_possible" | "max_turns";
export type Station = {
/**
 * Cell of the town.
 */
cell: [number, number],
/**
 * Ids of the towns to which this town wants to be connected.
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
 * Number of regions.
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
 * Paint that each player gets per turn.
 */
paint: number,
/**
 * Cost of a track, by terrain.
 */
costs: [number, number, number, number],
/**
 * Maximum number of turns.
 */
max_turns: number, };
export type Link = {
/**
 * Id of the town that wants the connection.
 */
from: number,
/**
 * Id of the town to which it wants to be connected.
 */
to: number,
/**
 * Points per turn, by seat.
 */
points: [number, number],
/**
 * Cells of the path, both towns included.
 */
path: Array<[number, number]>, };
export type RailFrame = {
/**
 * Owner of the track by cell, row by row: `.` no track, `0` player 0, `1` player 1, `2` neutral.
 */
tracks: string,
/**
 * Instability by region.
 */
instability: Array<number>,
/**
 * Ids of the inked regions.
 */
inked: Array<number>,
/**
 * The active connections.
 */
links: Array<Link>,
/**
 * Points per turn from all active connections, by seat.
 */
points: [number, number],
/**
 * Whether the player achieved the side quest, by seat.
 */
side_quest: [boolean, boolean], };
export type RailChoices = {
/**
 * Cost of a track by cell, row by row; `.` if no track can be placed there.
 */
costs: string,
/**
 * Paint to spend.
 */
paint: number,
/**
 * Ids of the regions that can be disrupted; empty if the rules have no disruption.
 */
disruptable: Array<number>, };
export type RailEvent = { "kind": "message",
/**
 * Seat of the player.
 */
seat: number,
/**
 * Text of the message.
 */
text: string, } | { "kind": "route",
/**
 * Seat of the player.
 */
seat: number,
/**
 * Cells of the route that need a track, in order.
 */
cells: Array<[number, number]>, } | { "kind": "placed",
/**
 * Seat of the player.
 */
seat: number,
/**
 * Cell of the track.
 */
cell: [number, number],
/**
 * Paint spent on the track.
 */
cost: number,
/**
 * Whether the track is part of an AUTOPLACE.
 */
auto: boolean, } | { "kind": "neutral",
/**
 * Cell of the track.
 */
cell: [number, number], } | { "kind": "disrupted",
/**
 * Seat of the player.
 */
seat: number,
/**
 * Id of the region.
 */
region: number,
/**
 * Instability of the region after the disruption.
 */
instability: number, } | { "kind": "inked",
/**
 * Id of the region.
 */
region: number,
/**
 * Cells whose tracks were removed, by owner: player 0, player 1, neutral.
 */
lost: [Array<[number, number]>, Array<[number, number]>, Array<[number, number]>], } | { "kind": "connected",
/**
 * Id of the town that wants the connection.
 */
from: number,
/**
 * Id of the town to which it wants to be connected.
 */
to: number,
/**
 * Cells of the path, both towns included.
 */
path: Array<[number, number]>,
/**
 * Points per turn, by seat.
 */
points: [number, number], } | { "kind": "disconnected",
/**
 * Id of the town that wants the connection.
 */
from: number,
/**
 * Id of the town to which it wants to be connected.
 */
to: number, } | { "kind": "scored",
/**
 * Points of this turn, by seat.
 */
points: [number, number],
/**
 * Scores after this turn, by seat.
 */
scores: [number, number], } | { "kind": "side_quest",
/**
 * Seat of the player.
 */
seat: number, } | { "kind": "objective" } | { "kind": "over",
/**
 * Reason for the end.
 */
reason: RailReason, };
