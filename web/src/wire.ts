// Made from the Rust types by `UPDATE=1 cargo test -p replay types`: do not edit.

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
 * Whether a player lost by an invalid or missing answer, by seat.
 */
disqualified: Array<boolean>,
/**
 * A short stable name of the reason for which the game ended, such as `turn-limit`.
 */
reason: string, };
export type FaultKind = "missing" | "unreadable" | "not_allowed";
export type Fault = {
/**
 * The turn in which it happened, as [`crate::Match::turn`] counts.
 */
turn: number,
/**
 * The player who answered.
 */
seat: Seat,
/**
 * The kind of mistake.
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
 * The player concerned.
 */
seat: Seat | null, };
export type PlayerInfo = {
/**
 * Its name, made safe to show: the author of a bot may choose any text.
 */
name: string, };
export type ReplayHeader = {
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
players: Array<PlayerInfo>,
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
export type ReplayEnd = {
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
export type Answer = {
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
 * Its standard error output while it thought.
 */
stderr: string | null, };
export type ScorePart = {
/**
 * Points as the game counts them; `None` where the score only says who won.
 */
points: number | null,
/**
 * The round in which the player was eliminated, where the score holds it.
 */
out: number | null, };
export type Step = {
/**
 * The number of the turn: the index of this step in the replay, 0 for the start position.
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
 * The scores as people say them, by seat.
 */
parts: Array<ScorePart>,
/**
 * The answers by seat; nothing for those who were not asked.
 */
answers: Array<Answer | null>,
/**
 * What was wrong with them.
 */
faults: Array<Fault>, };
export type Replay = {
/**
 * What is known before the first answer.
 */
header: ReplayHeader,
/**
 * The start, then the state after each step.
 */
steps: Array<Step>,
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
end: ReplayEnd, };
export type ReplayDelta = {
/**
 * The steps after those that the client has.
 */
steps: Array<Step>,
/**
 * Whether nothing more will come.
 */
done: boolean,
/**
 * What is known at the end.
 */
end: ReplayEnd,
/**
 * How often the match was begun; a void match is played again from its start.
 */
attempt: number, };
export type ListedReplay = {
/**
 * Its place in the list.
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
players: Array<PlayerInfo>,
/**
 * Scores by seat, where it is over.
 */
scores: number[] | null,
/**
 * The scores as people say them, by seat, where it is over.
 */
parts: Array<ScorePart> | null,
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
export type ReplayList = {
/**
 * The matches.
 */
matches: Array<ListedReplay>,
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
 * Its place in the list.
 */
id: number,
/**
 * What happened since the last answer.
 */
steps: Array<Step>,
/**
 * What is asked now; nothing when the game is over.
 */
asked: Asked | null,
/**
 * How it ended.
 */
end: ReplayEnd, };
export type Line = {
/**
 * One line, as a bot would print it; nothing when time is up.
 */
line: string | null, };
export type GameName = string;
export type Board = unknown;
export type Frame = unknown;
export type GameEvent = unknown;
export type Choices = unknown;
