// Made from the Rust types by `UPDATE=1 cargo test -p __name__ types`: do not edit.

export type Board = {
/**
 * Cells in a row.
 */
width: number,
/**
 * Cells in a column.
 */
height: number, };
export type Frame = {
/**
 * The cells of the players, by seat.
 */
players: Array<[number, number]>,
/**
 * The cells of the coins that are left.
 */
coins: Array<[number, number]>,
/**
 * Coins collected, by seat.
 */
collected: Array<number>, };
export type Choices = {
/**
 * The directions that stay on the board, and `STAY`.
 */
directions: Array<string>, };
export type Event = { "kind": "moved",
/**
 * The player.
 */
seat: number,
/**
 * The cell it moved to.
 */
to: [number, number], } | { "kind": "collected",
/**
 * The player.
 */
seat: number,
/**
 * The cell of the coin.
 */
at: [number, number], } | { "kind": "message",
/**
 * The player.
 */
seat: number,
/**
 * The text.
 */
text: string, };
