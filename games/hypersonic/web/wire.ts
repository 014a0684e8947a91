// Made from the Rust types by `UPDATE=1 cargo test -p hypersonic --all-features types`: do not edit.

export type Seat = number;
export type Place = { x: number; y: number };
export type Item = "extra_range" | "extra_bomb";
export type BombReason = "no_progress" | "boxes_countdown" | "boxes_cleared" | "last_standing" | "max_rounds";
export type BombBoard = {
/**
 * Columns.
 */
width: number,
/**
 * Rows.
 */
height: number,
/**
 * Walls.
 */
walls: Array<Place>,
/**
 * Rounds until a bomb goes off.
 */
fuse: number,
/**
 * Rounds of the game at the most.
 */
max_rounds: number, };
export type Stored = {
/**
 * Where.
 */
cell: Place,
/**
 * What.
 */
item: Item | null, };
export type Bomber = {
/**
 * Where it stands, or stood last.
 */
cell: Place,
/**
 * Whether it is still in the game.
 */
alive: boolean,
/**
 * Bombs it can lay now.
 */
available: number,
/**
 * Bombs it can have in play, those in play included.
 */
bombs: number,
/**
 * Range of the bombs it lays; their own cell counts.
 */
range: number,
/**
 * Boxes it scored.
 */
boxes: number,
/**
 * When it was eliminated.
 */
eliminated_at: number | null, };
export type LitBomb = {
/**
 * Where it lies.
 */
cell: Place,
/**
 * Whose it is.
 */
owner: number,
/**
 * Its range; its own cell counts.
 */
range: number,
/**
 * Rounds until it goes off by itself.
 */
fuse: number,
/**
 * Rounds until it goes off if nobody does anything more: another bomb may set it off before.
 */
due: number,
/**
 * How many cells beyond its own it will hit then, to the left, to the right, upwards and downwards.
 */
reach: [number, number, number, number], };
export type BombFrame = {
/**
 * Boxes with what is in them.
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
 * Where it can stand after this round: its own cell and the open ones beside it.
 */
steps: Array<Place>,
/**
 * Whether it can lay a bomb.
 */
can_bomb: boolean, };
export type BombEvent = { "kind": "round",
/**
 * Its number, counted from 0.
 */
round: number, } | { "kind": "message",
/**
 * Who.
 */
seat: Seat,
/**
 * What the viewer shows of it.
 */
text: string, } | { "kind": "explosion",
/**
 * Whose bomb it was.
 */
owner: Seat,
/**
 * Where it lay.
 */
cell: Place,
/**
 * 1 for a bomb that went off by itself, more for one set off by others.
 */
wave: number,
/**
 * How many cells beyond its own were hit to the left, to the right, upwards and downwards.
 */
reach: [number, number, number, number], } | { "kind": "eliminated",
/**
 * Who.
 */
seat: Seat,
/**
 * Where it stood.
 */
cell: Place,
/**
 * The time that counts for its score.
 */
time: number,
/**
 * Whether an explosion did it, and not its answer.
 */
by_explosion: boolean, } | { "kind": "bomb",
/**
 * By whom.
 */
seat: Seat,
/**
 * Where.
 */
cell: Place,
/**
 * Its range; its own cell counts.
 */
range: number, } | { "kind": "item_destroyed",
/**
 * Where it lay.
 */
cell: Place,
/**
 * What it was.
 */
item: Item, } | { "kind": "box",
/**
 * Where it stood.
 */
cell: Place,
/**
 * Who scored.
 */
by: Array<Seat>, } | { "kind": "move",
/**
 * Who.
 */
seat: Seat,
/**
 * Where it stood.
 */
from: Place,
/**
 * Where it stands now.
 */
to: Place, } | { "kind": "item_taken",
/**
 * Who.
 */
seat: Seat,
/**
 * Where it lay.
 */
cell: Place,
/**
 * What it was.
 */
item: Item, } | { "kind": "item_appeared",
/**
 * Where it lies now.
 */
cell: Place,
/**
 * What it is.
 */
item: Item, } | { "kind": "end",
/**
 * Why: all reasons, the first one counts.
 */
reasons: Array<BombReason>, };
