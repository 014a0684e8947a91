// Made from the Rust types by `UPDATE=1 cargo test -p viewer types`: do not edit.

export type Seat = number;
export type Limits = {
/**
 * Time for the first answer, in milliseconds.
 */
first_turn_ms: number,
/**
 * Time for every later answer, in milliseconds.
 */
turn_ms: number,
/**
 * A longer answer counts as none.
 */
answer_bytes: number, };
export type Outcome = {
/**
 * Final score by seat; higher is better.
 */
scores: number[],
/**
 * Place by seat, 1 is best; equal scores share a place.
 */
ranks: Array<number>,
/**
 * Who lost by its answers (invalid or missing), by seat.
 */
disqualified: Array<boolean>,
/**
 * A short stable name of what ended the game, such as `turn-limit`.
 */
reason: string, };
export type FaultKind = "missing" | "unreadable" | "not_allowed";
export type Fault = {
/**
 * The turn in which it happened, as the game counts turns.
 */
turn: number,
/**
 * Whose answer it was.
 */
seat: Seat,
/**
 * Which of the three ways to fail.
 */
kind: FaultKind,
/**
 * Whether it cost the player the game. If not, the piece was skipped and play went on.
 */
fatal: boolean,
/**
 * A short stable name, such as `bad-direction`.
 */
code: string,
/**
 * The reason in the official referee's words, where it has any.
 */
reason: string,
/**
 * What would have been right.
 */
expected: string,
/**
 * What came, escaped and cut by [`quote`]; `nothing` where no answer came.
 */
came: string, };
export type MarkKind = "hit" | "kill" | "ink" | "link" | "error" | "timeout";
export type Mark = {
/**
 * What happened.
 */
kind: MarkKind,
/**
 * To whom, or by whom.
 */
seat: Seat | null, };
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
export type Who = {
/**
 * What it is called. Anybody may call a bot anything: this is shown as text, cleaned.
 */
name: string, };
export type Opening = {
/**
 * Name of the game.
 */
game: GameName,
/**
 * Its title.
 */
title: string,
/**
 * The seed; a string, since it has 64 bits.
 */
seed: string,
/**
 * Level of the league.
 */
league: number | null,
/**
 * Name of the edition, where the rules are those of one.
 */
edition: string | null,
/**
 * Who plays, by seat.
 */
players: Array<Who>,
/**
 * What an answer may cost.
 */
limits: Limits,
/**
 * What stays.
 */
board: Board,
/**
 * A command that plays the match again; nothing where it is not known who played.
 */
again: string | null,
/**
 * The seat of the person who plays, where one does.
 */
human: number | null, };
export type Closing = {
/**
 * How it ended; nothing while it goes on.
 */
outcome: Outcome | null,
/**
 * Why players lost by their own fault, by seat: `timeout`, `crash`, `invalid`, `flood`, `memory`.
 */
causes: Array<string | null>,
/**
 * Why the match is void, or cannot be shown to its end.
 */
trouble: string | null,
/**
 * Numbers that bots wrote about themselves: by seat, by name, by the count of its answers from 0.
 */
metrics: Record<string, unknown>[], };
export type Said = {
/**
 * What the player was sent.
 */
input: string,
/**
 * What it answered; nothing when no answer came in time.
 */
output: string | null,
/**
 * How long it took, in microseconds.
 */
wall_us: number | null,
/**
 * What it allowed itself meanwhile on its standard error output.
 */
stderr: string | null, };
export type Moment = {
/**
 * The number of the turn that was played, as the game counts; of the first one for the start.
 */
turn: number,
/**
 * What is drawn.
 */
frame: Frame,
/**
 * What happened in the step.
 */
events: GameEvent[],
/**
 * Where the time line points.
 */
marks: Array<Mark>,
/**
 * The scores by seat.
 */
scores: number[],
/**
 * The answers by seat; nothing for those who were not asked.
 */
answers: Array<Said | null>,
/**
 * What was wrong with them.
 */
faults: Array<Fault>, };
export type Story = {
/**
 * What is known before the first answer.
 */
opening: Opening,
/**
 * The start, then the state after each step.
 */
moments: Array<Moment>,
/**
 * Whether nothing more will come.
 */
done: boolean,
/**
 * How often the match was begun; a void match is played again from its start.
 */
attempt: number,
/**
 * What is known at the end.
 */
closing: Closing, };
export type More = {
/**
 * The moments from the one that was asked for on.
 */
moments: Array<Moment>,
/**
 * Whether nothing more will come.
 */
done: boolean,
/**
 * What is known at the end.
 */
closing: Closing,
/**
 * How often the match was begun; a void match is played again from its start.
 */
attempt: number, };
export type Listed = {
/**
 * Its place in the library.
 */
id: number,
/**
 * Name of the game.
 */
game: string,
/**
 * The seed.
 */
seed: string,
/**
 * Who plays.
 */
players: Array<Who>,
/**
 * Scores by seat, where it is over.
 */
scores: number[] | null,
/**
 * Whether it is being played.
 */
live: boolean, };
export type Playable = {
/**
 * Its name.
 */
name: string,
/**
 * Its title.
 */
title: string,
/**
 * Names of its leagues, from level 1.
 */
leagues: Array<string>,
/**
 * Names of its editions.
 */
editions: Array<string>,
/**
 * Fewest and most players.
 */
players: [number, number],
/**
 * Who can be played against, weakest first.
 */
opponents: Array<string>, };
export type Library = {
/**
 * The matches.
 */
matches: Array<Listed>,
/**
 * What can be played.
 */
games: Array<Playable>, };
export type Challenge = {
/**
 * Name of the game.
 */
game: string,
/**
 * Level of the league.
 */
league: number | null,
/**
 * Name of the edition.
 */
edition: string | null,
/**
 * Number of players.
 */
players: number | null,
/**
 * The seed; another one each time where there is none.
 */
seed: string | null,
/**
 * The seat of the person.
 */
seat: number,
/**
 * Who plays the other seats.
 */
opponent: string,
/**
 * Seconds for each answer of the person; no limit where there is none.
 */
seconds: number | null, };
export type Asked = {
/**
 * What a bot would be sent.
 */
input: string,
/**
 * What may be chosen.
 */
choices: Choices,
/**
 * Seconds for the answer; no limit where there is none.
 */
seconds: number | null, };
export type Reply = {
/**
 * Its place in the library.
 */
id: number,
/**
 * What happened since the last answer.
 */
moments: Array<Moment>,
/**
 * What is asked now; nothing when the game is over.
 */
asked: Asked | null,
/**
 * How it ended.
 */
closing: Closing, };
export type Line = {
/**
 * One line, as a bot would print it; nothing when time is up.
 */
line: string | null, };
export type GameName = "back-track" | "hypersonic" | "ocean-of-code";
export type Board = RailBoard | BombBoard | SeaBoard;
export type Frame = RailFrame | BombFrame | SeaFrame;
export type GameEvent = RailEvent | BombEvent | SeaEvent;
export type Choices = RailChoices | BombChoices | SeaChoices;
