// Made from the Rust types by `UPDATE=1 cargo test -p hypersonic --all-features types`: do not edit.

export type Seat = number;
export type Place = { x: number; y: number };
export type Item = "extra_range" | "extra_bomb";
export type BombReason = "no_progress" | "boxes_countdown" | "boxes_cleared" | "last_standing" | "max_rounds";
export type BombBoard = {
/**
 * Number of columns.
 */
width: number,
/**
 * Number of rows.
 */
height: number,
/**
 * Cells with a wall.
 */
walls: Array<Place>,
/**
 * Number of rounds after which a bomb explodes.
 */
fuse: number,
/**
 * Maximum number of rounds.
 */
max_rounds: number, };
export type Stored = {
/**
 * Cell of the box or item.
 */
cell: Place,
/**
 * The item; `null` for an empty box.
 */
item: Item | null, };
export type Bomber = {
/**
 * Current cell; the last cell if the player is eliminated.
 */
cell: Place,
/**
 * Whether the player is not eliminated.
 */
alive: boolean,
/**
 * Number of bombs that the player can lay now.
 */
available: number,
/**
 * Number of bombs that the player can have in play at the same time.
 */
bombs: number,
/**
 * Range of the bombs that the player lays, their own cell included.
 */
range: number,
/**
 * Number of boxes that the player scored.
 */
boxes: number,
/**
 * Time of the elimination; `null` if the player is not eliminated.
 */
eliminated_at: number | null, };
export type LitBomb = {
/**
 * Cell of the bomb.
 */
cell: Place,
/**
 * Seat of the owner.
 */
owner: number,
/**
 * Range of the bomb, its own cell included.
 */
range: number,
/**
 * Number of rounds until the fuse ends.
 */
fuse: number,
/**
 * Number of rounds until the bomb explodes if no player acts any more. Less than `fuse` if another bomb sets it off.
 */
due: number,
/**
 * Number of cells beyond its own that the bomb will hit then: left, right, up, down.
 */
reach: [number, number, number, number], };
export type BombFrame = {
/**
 * Boxes and their contents.
 */
boxes: Array<Stored>,
/**
 * Items on the floor.
 */
items: Array<Stored>,
/**
 * Players by seat.
 */
players: Array<Bomber>,
/**
 * Bombs, oldest first.
 */
bombs: Array<LitBomb>, };
export type BombChoices = {
/**
 * Cells on which the player can be after this round: its own cell and the open neighbours.
 */
steps: Array<Place>,
/**
 * Whether the player can lay a bomb.
 */
can_bomb: boolean, };
export type BombEvent = { "kind": "round",
/**
 * Number of the round, counted from 0.
 */
round: number, } | { "kind": "message",
/**
 * Seat of the player.
 */
seat: Seat,
/**
 * The part of the message that the viewer shows.
 */
text: string, } | { "kind": "explosion",
/**
 * Seat of the owner.
 */
owner: Seat,
/**
 * Cell of the bomb.
 */
cell: Place,
/**
 * 1 for a bomb whose fuse ended; a bomb set off by another bomb has a wave one higher than that bomb.
 */
wave: number,
/**
 * Number of cells beyond its own that the bomb hit: left, right, up, down.
 */
reach: [number, number, number, number], } | { "kind": "eliminated",
/**
 * Seat of the player.
 */
seat: Seat,
/**
 * Cell of the player.
 */
cell: Place,
/**
 * Time of the elimination, which determines the score.
 */
time: number,
/**
 * `true` if an explosion eliminated the player, `false` if its answer did.
 */
by_explosion: boolean, } | { "kind": "bomb",
/**
 * Seat of the owner.
 */
seat: Seat,
/**
 * Cell of the bomb.
 */
cell: Place,
/**
 * Range of the bomb, its own cell included.
 */
range: number, } | { "kind": "item_destroyed",
/**
 * Cell of the item.
 */
cell: Place,
/**
 * The item.
 */
item: Item, } | { "kind": "box",
/**
 * Cell of the box.
 */
cell: Place,
/**
 * Seats of the players that scored.
 */
by: Array<Seat>, } | { "kind": "move",
/**
 * Seat of the player.
 */
seat: Seat,
/**
 * Cell before the move.
 */
from: Place,
/**
 * Cell after the move.
 */
to: Place, } | { "kind": "item_taken",
/**
 * Seat of the player.
 */
seat: Seat,
/**
 * Cell of the item.
 */
cell: Place,
/**
 * The item.
 */
item: Item, } | { "kind": "item_appeared",
/**
 * Cell of the item.
 */
cell: Place,
/**
 * The item.
 */
item: Item, } | { "kind": "end",
/**
 * All reasons for the end; the first one decides.
 */
reasons: Array<BombReason>, };
