// Made from the Rust types by `UPDATE=1 cargo test -p __name__ --all-features types`: do not edit.

export type Seat = number;
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
seat: Seat,
/**
 * The cell it moved to.
 */
to: [number, number], } | { "kind": "collected",
/**
 * The player.
 */
seat: Seat,
/**
 * The cell of the coin.
 */
at: [number, number], } | { "kind": "message",
/**
 * The player.
 */
seat: Seat,
/**
 * The text.
 */
text: string, };
