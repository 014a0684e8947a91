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
 * The same in French; empty in records that were written without it.
 */
expected_fr?: string,
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
 * Name of the player, cleaned for display: the author of a bot may choose any text.
 */
name: string, };
export type ReplayHeader = {
/**
 * Name of the game.
 */
game: GameName,
/**
 * Title of the game.
 */
title: string,
/**
 * The seed, a number of 64 bits as a string.
 */
seed: string,
/**
 * Level of the league, if it is known.
 */
league: number | null,
/**
 * Name of the edition, if the rules are those of an edition.
 */
edition: string | null,
/**
 * The players by seat.
 */
players: Array<PlayerInfo>,
/**
 * The limits of an answer.
 */
limits: Limits,
/**
 * The part of the picture that does not change during the match.
 */
board: Board,
/**
 * A command line that plays the match again; `null` if the record does not name the bots.
 */
again: string | null,
/**
 * Seat of the human player, if there is one.
 */
human: number | null, };
export type ReplayEnd = {
/**
 * The outcome; `null` while the match continues.
 */
outcome: Outcome | null,
/**
 * Why a player lost by its own fault, by seat: `timeout`, `crash`, `invalid`, `flood`, `memory`.
 */
causes: Array<string | null>,
/**
 * Why the match is void, or why the replay stops before the end.
 */
trouble: string | null,
/**
 * The metrics that bots wrote: by seat, then by name, then by the index of the answer, from 0.
 */
metrics: Record<string, unknown>[], };
export type Answer = {
/**
 * The text that was sent to the player.
 */
input: string,
/**
 * The answer; `null` if there was none in time.
 */
output: string | null,
/**
 * Time until the answer, in microseconds.
 */
wall_us: number | null,
/**
 * Standard error output of the bot since its previous answer.
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
 * Number of the turn: the index of this step in the replay, 0 for the start position.
 */
turn: number,
/**
 * The part of the picture that changes.
 */
frame: Frame,
/**
 * The events of the step.
 */
events: GameEvent[],
/**
 * The marks that the time line shows at this step.
 */
marks: Array<Mark>,
/**
 * The scores by seat.
 */
scores: number[],
/**
 * The scores in the form for people, by seat.
 */
parts: Array<ScorePart>,
/**
 * The answers by seat; `null` for players that were not asked.
 */
answers: Array<Answer | null>,
/**
 * The faults of the answers.
 */
faults: Array<Fault>, };
export type Better = {
/**
 * The answer.
 */
answer: RecordedLine,
/**
 * Its gain of points in continuations by built-in bots.
 */
gain: number,
/**
 * The interval that contains the true gain with 95 %.
 */
interval: [number, number],
/**
 * The number of pairs of continuations.
 */
pairs: number, };
export type Moment = {
/**
 * The turn.
 */
turn: number,
/**
 * The player.
 */
seat: number,
/**
 * The recorded answer.
 */
recorded: RecordedLine | null,
/**
 * The loss of probability at this turn.
 */
loss: number,
/**
 * A better answer, if one was found.
 */
better: Better | null,
/**
 * Whether the answer was a blunder: the interval of the gain of the better one is clear of zero.
 */
blunder: boolean, };
export type Position = {
/**
 * The number of turns before it.
 */
turn: number,
/**
 * The probability of each player to win, for an onlooker.
 */
win: Array<number>,
/**
 * The probability of each player to win as far as this player can know, in games with hidden information.
 */
known?: Array<number>, };
export type Analysis = {
/**
 * Version of the form.
 */
agon_analysis: number,
/**
 * The digest of the match.
 */
digest: string,
/**
 * The depth.
 */
depth: number,
/**
 * The positions from the start to the end. Position `k` is the one after turn `k`.
 */
positions: Array<Position>,
/**
 * The moments that decided the match, the dearest first.
 */
moments: Array<Moment>, };
export type Replay = {
/**
 * The facts that are known before the first answer.
 */
header: ReplayHeader,
/**
 * The start position, then the state after each step.
 */
steps: Array<Step>,
/**
 * Whether the replay is complete.
 */
done: boolean,
/**
 * Number of times the match was started. A void match is played again from its start.
 */
attempt: number,
/**
 * The end of the match, as far as it is known.
 */
end: ReplayEnd,
/**
 * The probabilities to win, if the match was analysed.
 */
analysis: Analysis | null, };
export type ReplayDelta = {
/**
 * The steps that the client does not have yet.
 */
steps: Array<Step>,
/**
 * Whether the replay is complete.
 */
done: boolean,
/**
 * The end of the match, as far as it is known.
 */
end: ReplayEnd,
/**
 * Number of times the match was started. A void match is played again from its start.
 */
attempt: number, };
export type ListedReplay = {
/**
 * Index of the match in the list.
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
 * The players by seat.
 */
players: Array<PlayerInfo>,
/**
 * Scores by seat; `null` if the match is not over.
 */
scores: number[] | null,
/**
 * The scores in the form for people, by seat; `null` if the match is not over.
 */
parts: Array<ScorePart> | null,
/**
 * Whether the match is being played.
 */
live: boolean, };
export type Playable = {
/**
 * Name of the game.
 */
name: string,
/**
 * Title of the game.
 */
title: string,
/**
 * Names of the leagues; the first one is level 1.
 */
leagues: Array<string>,
/**
 * Names of the editions.
 */
editions: Array<string>,
/**
 * Minimum and maximum number of players.
 */
players: [number, number],
/**
 * Names of the possible opponents, weakest first; levels of the champion last.
 */
opponents: Array<string>, };
export type ReplayList = {
/**
 * The matches.
 */
matches: Array<ListedReplay>,
/**
 * The bots that the server was started with, as the user named them.
 */
bots: Array<string>,
/**
 * Whether the server starts programs for this page.
 */
starts_bots: boolean,
/**
 * The games that a person can play.
 */
games: Array<Playable>, };
export type Challenge = {
/**
 * Name of the game.
 */
game: string,
/**
 * Level of the league; the default of the game if it is not given.
 */
league: number | null,
/**
 * Name of the edition; the default of the game if it is not given.
 */
edition: string | null,
/**
 * Number of players; the default of the game if it is not given.
 */
players: number | null,
/**
 * The seed; a new one is chosen if it is not given.
 */
seed: string | null,
/**
 * Seat of the person.
 */
seat: number,
/**
 * Name of the bot that plays all other seats.
 */
opponent: string,
/**
 * Time limit for each answer of the person, in seconds; no limit if it is not given.
 */
seconds: number | null, };
export type Continuation = {
/**
 * The first turn that is played anew.
 */
turn: number,
/**
 * The player of each seat: `you`, a built-in bot such as `@boss-1` or `@random`, or another bot that the server
 * offers. At most one seat is `you`.
 */
seats: Array<string>,
/**
 * Answers that are played at this turn instead of those of the players.
 */
given: Array<Given>, };
export type Given = {
/**
 * The seat.
 */
seat: number,
/**
 * The answer, one line.
 */
line: string, };
export type Trial = {
/**
 * The seat whose input the bot is sent.
 */
seat: number,
/**
 * The turn it is asked for.
 */
turn: number,
/**
 * The bot, one of those that the server offers.
 */
bot: string, };
export type Tried = {
/**
 * The seat whose input the bot was sent.
 */
seat: number,
/**
 * The turn.
 */
turn: number,
/**
 * Name of the bot.
 */
bot: string,
/**
 * Its answer; `null` if there was none.
 */
answered: string | null,
/**
 * Whether it is the recorded answer.
 */
same: boolean,
/**
 * Why there is no answer.
 */
why: string | null,
/**
 * Standard error output of the bot since the question.
 */
stderr: string,
/**
 * Time until the answer, in milliseconds.
 */
time_ms: number, };
export type Asked = {
/**
 * The text that a bot would be sent.
 */
input: string,
/**
 * The choices of the person.
 */
choices: Choices,
/**
 * Time limit for the answer, in seconds; `null` if there is no limit.
 */
seconds: number | null, };
export type Reply = {
/**
 * Index of the game in the list of matches.
 */
id: number,
/**
 * The steps since the last answer.
 */
steps: Array<Step>,
/**
 * The current question; `null` if the game is over.
 */
asked: Asked | null,
/**
 * The end of the game, as far as it is known.
 */
end: ReplayEnd, };
export type Line = {
/**
 * One line, as a bot would print it; `null` if the time is up.
 */
line: string | null, };
export type GameName = string;
export type RecordedLine = string | { hex: string };
export type Board = unknown;
export type Frame = unknown;
export type GameEvent = unknown;
export type Choices = unknown;
