// Made from the Rust types by `UPDATE=1 cargo test -p server --lib types`: do not edit.

export type ErrorBody = {
/**
 * The error.
 */
error: ErrorInfo, };
export type ErrorInfo = {
/**
 * A stable word for programs: `not_found`, `too_many`, `bad_request`...
 */
code: string,
/**
 * Description of the error, for people.
 */
message: string,
/**
 * How to fix it.
 */
hint: string, };
export type Text = {
/**
 * English text.
 */
en: string,
/**
 * French text.
 */
fr: string, };
export type Done = {
/**
 * Always true.
 */
ok: boolean, };
export type Site = {
/**
 * Name of the site.
 */
title: string,
/**
 * Version of Agon.
 */
version: string,
/**
 * Games, with the leagues of the permanent contest.
 */
games: Array<GameInfo>,
/**
 * Contests that run or are planned; the permanent one first.
 */
contests: Array<Contest>,
/**
 * Programming languages of bots.
 */
languages: Array<LanguageInfo>,
/**
 * Policy for sign-up.
 */
signup: Signup,
/**
 * Whether the site sends mails to reset forgotten passwords.
 */
mail: boolean,
/**
 * Current announcement of the organizer.
 */
announcement: Text | null,
/**
 * Counts of users, bots and matches.
 */
counts: Counts, };
export type Signup = "open" | "invited";
export type Counts = {
/**
 * Accounts.
 */
users: number,
/**
 * Bots of users.
 */
bots: number,
/**
 * Finished matches.
 */
matches: number,
/**
 * Matches in the queue.
 */
queued: number,
/**
 * Matches that are being played.
 */
running: number, };
export type GameInfo = {
/**
 * Name in addresses.
 */
name: string,
/**
 * Display name.
 */
title: string,
/**
 * Description in one sentence.
 */
about: Text,
/**
 * Names of the built-in bots.
 */
built_in: Array<string>,
/**
 * Leagues, from the lowest up: the position in the list is the tier.
 */
leagues: Array<LeagueInfo>,
/**
 * Smallest and largest number of players.
 */
players: [number, number],
/**
 * Whether players have hidden information; then a match can be watched only when it is over.
 */
hidden: boolean,
/**
 * Whether the game has a side quest with its own leaderboard.
 */
side_quest: boolean,
/**
 * Time limits in the highest league.
 */
limits: LimitsInfo, };
export type LimitsInfo = {
/**
 * Time for the first answer, in milliseconds.
 */
first_turn_ms: number,
/**
 * Time for every later answer, in milliseconds.
 */
turn_ms: number, };
export type LeagueInfo = {
/**
 * Tier: position among the leagues of the game in the contest, 0 is the lowest.
 */
tier: number,
/**
 * Stable name: `wood-2`, for example.
 */
key: string,
/**
 * Display name.
 */
name: Text,
/**
 * Description in one sentence.
 */
about: Text,
/**
 * Level of the game's own rules, from 1: the `--league` of the command line.
 */
rules: number,
/**
 * Edition of the rules.
 */
edition: string,
/**
 * Stable name of the boss: `boss-1`, for example.
 */
boss: string,
/**
 * Display name of the boss.
 */
boss_name: string,
/**
 * What the boss says about itself.
 */
boss_says: Text | null,
/**
 * Numbers of players of a match; the league has a ladder for each.
 */
players: Array<number>,
/**
 * How a bot is promoted.
 */
way: Way,
/**
 * Number of placement matches: only after them a bot can be promoted.
 */
placement: number, };
export type Way = "best_of_five" | "ladder" | "top";
export type LanguageInfo = {
/**
 * Name: `Python`, `C++`.
 */
name: string,
/**
 * File extensions of its sources.
 */
extensions: Array<string>,
/**
 * Whether it is installed on this host.
 */
available: boolean, };
export type Kit = {
/**
 * Name of the programming language.
 */
language: string,
/**
 * Usual file name: `bot.py`.
 */
file: string,
/**
 * Source text.
 */
source: string, };
export type SearchResults = {
/**
 * Names of users and teams.
 */
users: Array<string>,
/**
 * Built-in bots.
 */
bots: Array<SearchedBot>,
/**
 * Contests.
 */
contests: Array<Contest>,
/**
 * The match with this id; null if there is none.
 */
match: MatchInfo | null, };
export type SearchedBot = {
/**
 * The bot.
 */
bot: BotRef,
/**
 * Key of the contest.
 */
contest: string,
/**
 * Name of the game.
 */
game: string,
/**
 * Tier, 0 is the lowest.
 */
tier: number, };
export type Me = {
/**
 * The account; null for a visitor.
 */
user: Account | null,
/**
 * Value of the header `x-agon-csrf`, which every change made with the session cookie needs.
 */
csrf: string,
/**
 * Number of notices that the user has not seen.
 */
notices_unseen: number,
/**
 * For admins: the failure of the storage that pauses the arena; null while the storage works.
 */
storage_failure: string | null, };
export type Account = {
/**
 * Id.
 */
id: number,
/**
 * Name.
 */
name: string,
/**
 * Mail address.
 */
email: string | null,
/**
 * Rights.
 */
role: Role,
/**
 * Language of the user: `en` or `fr`.
 */
lang: string,
/**
 * Time of creation.
 */
created: number,
/**
 * Whether the user must change the password before any other request.
 */
must_change: boolean,
/**
 * A few words for the public page of the user.
 */
about: string | null, };
export type Role = "player" | "admin";
export type SignupAsk = {
/**
 * Name: 3 to 32 characters, letters, digits, `-`, `_` and `.`.
 */
name: string,
/**
 * Password: at least 8 characters.
 */
password: string,
/**
 * Mail address, to reset a forgotten password.
 */
email?: string,
/**
 * Code of an invitation; required if sign-up is by invitation.
 */
invitation?: string,
/**
 * Language of the user: `en` or `fr`.
 */
lang?: string, };
export type LoginAsk = {
/**
 * Name of the account.
 */
name: string,
/**
 * Password of the account.
 */
password: string, };
export type MePatch = {
/**
 * Current password; required to change the password or the mail address.
 */
old_password?: string,
/**
 * New password.
 */
password?: string,
/**
 * New mail address; an empty text removes it.
 */
email?: string,
/**
 * A few words for the public page of the user, at most 300 characters; an empty text removes them.
 */
about?: string,
/**
 * Language of the user: `en` or `fr`.
 */
lang?: string, };
export type DeleteMe = {
/**
 * Current password.
 */
password: string, };
export type ResetAsk = {
/**
 * One-time code.
 */
code: string,
/**
 * New password.
 */
password: string, };
export type ResetRequest = {
/**
 * Name of the account.
 */
name: string, };
export type NoticeInfo = {
/**
 * Id.
 */
id: number,
/**
 * Time of the notice.
 */
at: number,
/**
 * Kind of the notice: `promotion`, `paused`, `build_failed`, `contest`...
 */
kind: string,
/**
 * Details; the fields depend on the kind.
 */
data: Record<string, unknown>,
/**
 * Whether the user has seen it.
 */
seen: boolean, };
export type TokenInfo = {
/**
 * Id.
 */
id: number,
/**
 * Name that its owner chose.
 */
name: string,
/**
 * Rights: `read`, `submit`, `admin`.
 */
scopes: Array<string>,
/**
 * Time of creation.
 */
created: number,
/**
 * Time of last use; null if it was never used.
 */
used: number | null, };
export type TokenAsk = {
/**
 * Name of the token.
 */
name: string,
/**
 * Rights: `read`, `submit`, `admin`.
 */
scopes: Array<string>, };
export type TokenMade = {
/**
 * The secret, for the header `Authorization: Bearer ...`.
 */
token: string,
/**
 * The token without its secret.
 */
info: TokenInfo, };
export type Board = {
/**
 * Key of the contest.
 */
contest: string,
/**
 * Name of the game.
 */
game: string,
/**
 * Tier of the rows, 0 is the lowest; null if the board contains all tiers, the highest first.
 */
tier: number | null,
/**
 * Number of players of a match.
 */
players: number,
/**
 * Number of the page, from 0.
 */
page: number,
/**
 * Number of rows on all pages; with a search, number of rows found.
 */
total: number,
/**
 * Whether there is a next page.
 */
more: boolean,
/**
 * The rows of this page.
 */
rows: Array<BoardRow>, };
export type BoardRow = {
/**
 * Place in its tier, from 1.
 */
place: number,
/**
 * The bot.
 */
bot: BotRef,
/**
 * Tier of the bot, 0 is the lowest.
 */
tier: number,
/**
 * Whether the bot is the boss of its league.
 */
boss: boolean,
/**
 * Estimated strength.
 */
rating: number,
/**
 * Standard deviation of the estimate.
 */
uncertainty: number,
/**
 * Lower bound of the strength (rating - 3 uncertainty); boards are sorted by it.
 */
proven: number,
/**
 * Matches played.
 */
games: number,
/**
 * Matches won.
 */
wins: number,
/**
 * Matches drawn.
 */
draws: number,
/**
 * Matches lost.
 */
losses: number,
/**
 * Matches lost by a crash, a timeout or an invalid answer.
 */
failures: number, };
export type Tally = {
/**
 * Estimated strength.
 */
rating: number,
/**
 * Standard deviation of the estimate.
 */
uncertainty: number,
/**
 * Lower bound of the strength (rating - 3 uncertainty); boards are sorted by it.
 */
proven: number,
/**
 * Matches played.
 */
games: number,
/**
 * Matches won.
 */
wins: number,
/**
 * Matches drawn.
 */
draws: number,
/**
 * Matches lost.
 */
losses: number,
/**
 * Matches lost by a crash, a timeout or an invalid answer.
 */
failures: number, };
export type BotRef = {
/**
 * Id.
 */
id: number,
/**
 * Display name: the name of its author, or of the built-in bot.
 */
name: string,
/**
 * Name of its author; null for built-in bots.
 */
user: string | null,
/**
 * Whether the bot is built in.
 */
built_in: boolean, };
export type SideQuestBoard = {
/**
 * Key of the contest.
 */
contest: string,
/**
 * Name of the game.
 */
game: string,
/**
 * Whether the matches of the final count; otherwise the matches of the ladders.
 */
final: boolean,
/**
 * Number of matches that a bot needs for a place.
 */
least: number,
/**
 * The best 100 bots of users.
 */
rows: Array<SideQuestRow>, };
export type SideQuestRow = {
/**
 * Place, from 1.
 */
place: number,
/**
 * The bot.
 */
bot: BotRef,
/**
 * Tier of the bot, 0 is the lowest.
 */
tier: number,
/**
 * Average points per match.
 */
average: number,
/**
 * Lower end of the 95 % interval of the average.
 */
low: number,
/**
 * Upper end of the 95 % interval of the average.
 */
high: number,
/**
 * Number of matches with points.
 */
games: number, };
export type MatchPage = {
/**
 * The matches.
 */
matches: Array<MatchInfo>,
/**
 * Value of `before` for the next page; null on the last page.
 */
next: number | null, };
export type MatchInfo = {
/**
 * Id.
 */
id: number,
/**
 * Key of the contest.
 */
contest: string,
/**
 * Name of the game.
 */
game: string,
/**
 * Tier, 0 is the lowest.
 */
tier: number,
/**
 * Purpose.
 */
kind: MatchKind,
/**
 * Seed of the map; empty while the match waits.
 */
seed: string,
/**
 * State.
 */
state: MatchState,
/**
 * Time of creation.
 */
created: number,
/**
 * Start time; null before the start.
 */
started: number | null,
/**
 * End time; null before the end.
 */
finished: number | null,
/**
 * Players, by seat.
 */
seats: Array<SeatInfo>,
/**
 * Reason of the end, as a stable word: `turn-limit`, for example.
 */
reason: string | null, };
export type MatchKind = "ladder" | "trial" | "test" | "final";
export type MatchState = "queued" | "running" | "done" | "void";
export type SeatInfo = {
/**
 * Seat, from 0.
 */
seat: number,
/**
 * The bot.
 */
bot: BotRef,
/**
 * Number of the version among the versions of the bot, from 1.
 */
version: number,
/**
 * Score; null before the end.
 */
score: number | null,
/**
 * Points of the player; null if the score only tells who won.
 */
points: number | null,
/**
 * Turn in which the player was eliminated; null if it was not.
 */
out: number | null,
/**
 * Place, 1 is best.
 */
rank: number | null,
/**
 * Fault by which the bot lost: `timeout`, `crash`, `invalid`, `flood`, `memory`.
 */
cause: string | null,
/**
 * Side-quest points.
 */
side_quest: number | null,
/**
 * Rating after the match.
 */
rating: number | null, };
export type MatchPageInfo = {
/**
 * Public data.
 */
info: MatchInfo,
/**
 * Whether the match can be watched.
 */
watch: Watch,
/**
 * Last turn that was played; null if the match is not being played.
 */
turn: number | null,
/**
 * Seats of the user's own bots.
 */
mine: Array<number>,
/**
 * Details of the failures of the user's own bots, in the order of `mine`, with the end of their error output; null for
 * a bot that did not fail.
 */
details: unknown[],
/**
 * Whether an analysis of the match is kept: it is sent at once.
 */
analysed: boolean, };
export type Watch = "replay" | "live" | "later" | "nothing";
export type LiveMatch = {
/**
 * The match.
 */
info: MatchInfo,
/**
 * Whether the match can be followed.
 */
watch: Watch,
/**
 * Last turn that was played.
 */
turn: number, };
export type HumanGameAsk = {
/**
 * Key of the contest; default: the permanent contest `arena`.
 */
contest?: string,
/**
 * Name of the game.
 */
game: string,
/**
 * Tier, 0 is the lowest.
 */
tier: number,
/**
 * A built-in bot instead of the boss of the league, for example `champion:3`.
 */
opponent?: string,
/**
 * Number of players; default: the first number the league offers.
 */
players?: number,
/**
 * Seat of the person; default: the seat that the league sets, otherwise 0.
 */
seat?: number,
/**
 * Seed of the map; default: random.
 */
seed?: string,
/**
 * Time for each answer in seconds; default: no limit.
 */
seconds?: number, };
export type HumanGameLine = {
/**
 * One line, as a bot would print it; null if the time is up.
 */
line?: string, };
export type Submission = {
/**
 * Key of the contest; default: the permanent contest `arena`.
 */
contest?: string,
/**
 * Name of the game.
 */
game: string,
/**
 * Name of the programming language.
 */
language: string,
/**
 * Source text, at most 100,000 characters.
 */
source: string,
/**
 * Whether the version becomes active as soon as it is built. If false, it is built and plays one test match against
 * the boss.
 */
activate: boolean, };
export type DraftTestAsk = {
/**
 * Key of the contest; default: the permanent contest `arena`.
 */
contest?: string,
/**
 * Name of the game.
 */
game: string,
/**
 * Name of the programming language.
 */
language: string,
/**
 * Source text, at most 100,000 characters.
 */
source: string,
/**
 * Opponents: `boss`, `@NAME` for a built-in bot, `version:ID` for a version of your own bot, `bot:ID` for the active
 * version of a bot in your league. If there are fewer than free seats, they are repeated. Default: the boss.
 */
opponents: Array<string>,
/**
 * Number of players; default: the first number the league offers.
 */
players?: number,
/**
 * Seat of your code, from 0; default: all seats in turn.
 */
seat?: number,
/**
 * Seed of the first match, the others count up from it; default: a random seed.
 */
seed?: string,
/**
 * Number of matches, 0 to 20; default: 1. With 0 the code is only built, for `POST /matches/{id}/run`.
 */
matches?: number, };
export type VersionInfo = {
/**
 * Id, unique among the versions of all bots.
 */
id: number,
/**
 * Id of its bot.
 */
bot: number,
/**
 * Number among the versions of its bot, from 1; 0 for a draft, which was tested and not submitted.
 */
number: number,
/**
 * Name of the programming language.
 */
language: string,
/**
 * Build state.
 */
state: VersionState,
/**
 * Tier of the bot at the time of submission, 0 is the lowest.
 */
tier: number,
/**
 * Time of submission.
 */
created: number,
/**
 * Whether it is the active version of its bot.
 */
active: boolean, };
export type VersionState = "waiting" | "building" | "failed" | "ready";
export type VersionPage = {
/**
 * The version.
 */
version: VersionInfo,
/**
 * Key of the contest.
 */
contest: string,
/**
 * Name of the game.
 */
game: string,
/**
 * Source text.
 */
source: string,
/**
 * Output of the compiler.
 */
log: string | null,
/**
 * Current tier of its bot, 0 is the lowest.
 */
tier_now: number,
/**
 * Whether it was submitted for the rules of that tier.
 */
fits: boolean,
/**
 * Its test matches, the newest first.
 */
tests: Array<MatchInfo>, };
export type BotCard = {
/**
 * The bot.
 */
bot: BotRef,
/**
 * Key of the contest.
 */
contest: string,
/**
 * Name of the game.
 */
game: string,
/**
 * Tier, 0 is the lowest.
 */
tier: number,
/**
 * Active version; null if the bot needs a new submission.
 */
active: VersionInfo | null,
/**
 * Reason of the pause; null if the bot is not paused, or for other users than its owner.
 */
paused: string | null,
/**
 * Standings of the active version.
 */
standings: Array<StandingInfo>, };
export type StandingInfo = {
/**
 * Tier, 0 is the lowest.
 */
tier: number,
/**
 * Number of players of a match.
 */
players: number,
/**
 * Kind of the ladder: `ladder`, `trial` (counted, not rated) or `final`.
 */
kind: string,
/**
 * Place on the board; null if the board does not list the version.
 */
place: number | null,
/**
 * Number of bots on the board.
 */
of: number,
/**
 * Number of placement matches: only after them the bot can be promoted.
 */
placement: number,
/**
 * Estimated strength.
 */
rating: number,
/**
 * Standard deviation of the estimate.
 */
uncertainty: number,
/**
 * Lower bound of the strength (rating - 3 uncertainty); boards are sorted by it.
 */
proven: number,
/**
 * Matches played.
 */
games: number,
/**
 * Matches won.
 */
wins: number,
/**
 * Matches drawn.
 */
draws: number,
/**
 * Matches lost.
 */
losses: number,
/**
 * Matches lost by a crash, a timeout or an invalid answer.
 */
failures: number, };
export type BotPage = {
/**
 * The bot.
 */
card: BotCard,
/**
 * Rating over time, all versions, for each ladder on which the bot has played; the highest tier first.
 */
history: Array<History>,
/**
 * Results by opponent, the most frequent opponent first.
 */
opponents: Array<OpponentInfo>,
/**
 * Promotions, the newest first.
 */
promotions: Array<PromotionInfo>,
/**
 * Boss fights, the newest first.
 */
fights: Array<FightInfo>,
/**
 * Losses against the opponents that were weakest in comparison, the worst first.
 */
worst: Array<MatchInfo>,
/**
 * What a built-in bot says about itself; null for the bot of a user.
 */
says: Text | null,
/**
 * Members, if the bot is the bot of a team.
 */
members: Array<string>,
/**
 * Private data; null for other users than its owner.
 */
own: OwnBot | null, };
export type History = {
/**
 * Tier, 0 is the lowest.
 */
tier: number,
/**
 * Number of players of a match.
 */
players: number,
/**
 * Whether it is the final of a contest.
 */
final: boolean,
/**
 * At most 200 points, the oldest first.
 */
points: Array<HistoryPoint>, };
export type HistoryPoint = {
/**
 * Id of the match.
 */
id: number,
/**
 * Time.
 */
at: number,
/**
 * Number of the version that played.
 */
version: number,
/**
 * Estimated strength.
 */
rating: number,
/**
 * Standard deviation of the estimate.
 */
uncertainty: number, };
export type OpponentInfo = {
/**
 * The opponent.
 */
bot: BotRef,
/**
 * Matches won.
 */
wins: number,
/**
 * Matches drawn.
 */
draws: number,
/**
 * Matches lost.
 */
losses: number, };
export type MapFeature = {
/**
 * Name of the number, in English.
 */
name: string,
/**
 * Unit of the number, in English.
 */
unit: string,
/**
 * Groups of maps, the smallest numbers first.
 */
groups: Array<MapGroup>, };
export type MapGroup = {
/**
 * Smallest number.
 */
low: number,
/**
 * Largest number.
 */
high: number,
/**
 * Matches won.
 */
wins: number,
/**
 * Matches drawn.
 */
draws: number,
/**
 * Matches lost.
 */
losses: number, };
export type PromotionInfo = {
/**
 * Tier before the promotion.
 */
from: number,
/**
 * Tier after the promotion.
 */
to: number,
/**
 * Time.
 */
at: number, };
export type OwnBot = {
/**
 * Versions, the newest first.
 */
versions: Array<VersionInfo>,
/**
 * Last matches lost by a crash, a timeout or an invalid answer.
 */
errors: Array<MatchInfo>,
/**
 * The current or last best of five; null if there was none.
 */
trial: Trial | null, };
export type FightInfo = {
/**
 * Number among the fights of the bot, from 1.
 */
round: number,
/**
 * Tier of the boss, 0 is the lowest.
 */
tier: number,
/**
 * Matches won.
 */
wins: number,
/**
 * Matches drawn.
 */
draws: number,
/**
 * Matches lost.
 */
losses: number,
/**
 * Whether the fight is decided.
 */
over: boolean,
/**
 * Whether three matches are won: the bot is promoted.
 */
won: boolean,
/**
 * Time of its start.
 */
at: number, };
export type FightPage = {
/**
 * The fight.
 */
fight: FightInfo,
/**
 * Key of the contest.
 */
contest: string,
/**
 * Name of the game.
 */
game: string,
/**
 * The challenger.
 */
bot: BotRef,
/**
 * Number of its version.
 */
version: number,
/**
 * The boss.
 */
boss: BotRef,
/**
 * What the boss says about itself.
 */
says: Text | null,
/**
 * Matches that were begun, the oldest first.
 */
matches: Array<MatchInfo>,
/**
 * Whether the challenger is the user's bot.
 */
own: boolean, };
export type HeadToHead = {
/**
 * The first bot.
 */
bot: BotRef,
/**
 * The other bot.
 */
other: BotRef,
/**
 * Key of the contest of the first bot.
 */
contest: string,
/**
 * Name of the game.
 */
game: string,
/**
 * Results of the first bot by tier and seat, the highest tier first.
 */
results: Array<SeatResults>,
/**
 * Last matches, the newest first.
 */
matches: Array<MatchInfo>, };
export type SeatResults = {
/**
 * Tier, 0 is the lowest.
 */
tier: number,
/**
 * Seat, from 0.
 */
seat: number,
/**
 * Matches won.
 */
wins: number,
/**
 * Matches drawn.
 */
draws: number,
/**
 * Matches lost.
 */
losses: number, };
export type Trial = {
/**
 * Matches won.
 */
wins: number,
/**
 * Matches drawn.
 */
draws: number,
/**
 * Matches lost.
 */
losses: number,
/**
 * Number of the boss fight, for its address.
 */
round: number,
/**
 * Whether the best of five is decided.
 */
over: boolean,
/**
 * Whether three matches are won: the bot is promoted.
 */
won: boolean,
/**
 * Matches, the oldest first.
 */
matches: Array<MatchInfo>, };
export type Profile = {
/**
 * Name.
 */
name: string,
/**
 * Time of sign-up.
 */
created: number,
/**
 * Bots of the user.
 */
bots: Array<BotCard>,
/**
 * A few words of the user; null if there are none.
 */
about: string | null,
/**
 * Members, if this is a team.
 */
members: Array<string>,
/**
 * Promotions and podium places, the newest first.
 */
badges: Array<Badge>, };
export type Badge = {
/**
 * Key of the contest.
 */
contest: string,
/**
 * Name of the game.
 */
game: string,
/**
 * Id of the bot.
 */
bot: number,
/**
 * Tier that the bot reached.
 */
tier: number,
/**
 * Place in the final of the contest, 1 to 3; null for a promotion.
 */
place: number | null,
/**
 * Time; null for a place in a final.
 */
at: number | null, };
export type Contest = {
/**
 * Name in addresses.
 */
key: string,
/**
 * Display name.
 */
title: string,
/**
 * Start time; null for the permanent contest.
 */
starts: number | null,
/**
 * End time; null for the permanent contest.
 */
ends: number | null,
/**
 * Whether an invitation is required.
 */
invited_only: boolean,
/**
 * State.
 */
state: ContestState,
/**
 * Names of the games.
 */
games: Array<string>,
/**
 * Maximum number of members of a team; 1 if everybody plays alone.
 */
team_size: number, };
export type ContestState = "planned" | "running" | "final" | "closed";
export type ContestPage = {
/**
 * The contest.
 */
contest: Contest,
/**
 * Games with their leagues.
 */
games: Array<GameInfo>,
/**
 * Whether the user takes part.
 */
joined: boolean,
/**
 * Settings of the final; null for a contest without an end.
 */
final: Finale | null,
/**
 * Description, in Markdown; empty if there is none.
 */
about: Text,
/**
 * Prizes, in Markdown; empty if there are none.
 */
prizes: Text,
/**
 * Teams with their members, by name.
 */
teams: Array<TeamInfo>,
/**
 * Team of the user; null if the user has none.
 */
team: OwnTeam | null, };
export type TeamInfo = {
/**
 * Name.
 */
name: string,
/**
 * Names of the members.
 */
members: Array<string>, };
export type OwnTeam = {
/**
 * Name.
 */
name: string,
/**
 * Code by which others join.
 */
code: string, };
export type TeamAsk = {
/**
 * Name: 3 to 32 characters, letters, digits, `-`, `_` and `.`; no other team or user has it.
 */
name: string, };
export type TeamJoin = {
/**
 * Code of the team.
 */
code: string, };
export type Finale = {
/**
 * Number of finalists: the best bots of the highest tier that a bot has reached.
 */
top: number,
/**
 * Number of matches of each finalist.
 */
matches: number, };
export type JoinAsk = {
/**
 * Code of the invitation; required if the contest is by invitation.
 */
code?: string, };
export type Overview = {
/**
 * Matches in the queue.
 */
queued: number,
/**
 * Matches that are being played.
 */
running: number,
/**
 * Finished matches.
 */
done: number,
/**
 * Void matches: failed too often by a fault of the server.
 */
voids: number,
/**
 * Versions that wait to be built.
 */
building: number,
/**
 * Accounts.
 */
users: number,
/**
 * Bots of users.
 */
bots: number,
/**
 * Whether the queue is paused, so that no new match begins.
 */
paused: boolean,
/**
 * Workers, which play the matches.
 */
workers: Array<WorkerInfo>,
/**
 * Paused bots.
 */
pauses: Array<PausedBot>,
/**
 * Checks of this host: the sandbox, the programming languages.
 */
doctor: Array<DoctorLine>,
/**
 * Database: `sqlite` or `postgres`.
 */
database: string,
/**
 * Number of clients that listen to events.
 */
listeners: number,
/**
 * Start time of the server.
 */
since: number, };
export type WorkerInfo = {
/**
 * Name.
 */
name: string,
/**
 * Current activity.
 */
doing: string,
/**
 * Id of the match that it plays.
 */
match_id: number | null,
/**
 * Start time of this activity.
 */
since: number, };
export type ClusterWorkers = {
/**
 * Whether the arena has a cluster.
 */
cluster: boolean,
/**
 * Whether this server plans the matches; of several servers, one does.
 */
leads: boolean,
/**
 * All workers that were ever seen, by name.
 */
workers: Array<ClusterWorker>, };
export type ClusterWorker = {
/**
 * Name.
 */
name: string,
/**
 * Name of its host.
 */
host: string,
/**
 * Version of its program.
 */
version: string,
/**
 * Level of its sandbox.
 */
level: string,
/**
 * Number of cores for matches.
 */
cores: number,
/**
 * Turns of random games that a core plays per second.
 */
speed: number,
/**
 * The longest interruption of a program when it was measured, in microseconds.
 */
noise_us: number,
/**
 * Whether it takes matches that time decides.
 */
timed: boolean,
/**
 * Matches that it has played since its start.
 */
played: number,
/**
 * Matches that it could not play.
 */
failures: number,
/**
 * Submissions that it has built since its start.
 */
built: number,
/**
 * Programming languages that it can compile.
 */
languages: Array<string>,
/**
 * Matches per second.
 */
rate: number,
/**
 * When it was seen for the first time.
 */
first_seen: number,
/**
 * When it was seen last.
 */
last_seen: number,
/**
 * Whether it plays.
 */
state: ClusterWorkerState,
/**
 * Why it is disabled or suspected.
 */
why: WorkerReason | null, };
export type ClusterWorkerState = "active" | "drained" | "disabled";
export type WorkerReason = { "kind": "failures",
/**
 * Number of seats.
 */
played: number,
/**
 * Failures in them.
 */
seen: number,
/**
 * Failures that the same bots would have elsewhere.
 */
expected: number, } | { "kind": "wins",
/**
 * Id of the bot.
 */
bot: number,
/**
 * Number of its matches.
 */
played: number,
/**
 * Wins in them.
 */
seen: number,
/**
 * Wins that it would have elsewhere.
 */
expected: number, } | { "kind": "differs",
/**
 * Id of the match.
 */
match_id: number,
/**
 * Name of the other worker.
 */
other: string, } | { "kind": "false_result",
/**
 * Id of the match.
 */
match_id: number,
/**
 * What is wrong with it, in English.
 */
details: string, } | { "kind": "text",
/**
 * The text.
 */
text: string, };
export type WorkerPatch = {
/**
 * Whether it plays.
 */
state: ClusterWorkerState, };
export type PausedBot = {
/**
 * The bot.
 */
bot: BotRef,
/**
 * Name of the game.
 */
game: string,
/**
 * Reason.
 */
why: string, };
export type DoctorLine = {
/**
 * Subject of the check.
 */
what: string,
/**
 * Whether the check succeeded.
 */
fine: boolean,
/**
 * Result of the check, and how to fix a problem.
 */
says: string, };
export type UserPage = {
/**
 * The accounts.
 */
users: Array<UserInfo>,
/**
 * Number of the page, from 0.
 */
page: number,
/**
 * Whether there is a next page.
 */
more: boolean, };
export type UserInfo = {
/**
 * Id.
 */
id: number,
/**
 * Name.
 */
name: string,
/**
 * Mail address.
 */
email: string | null,
/**
 * Rights.
 */
role: Role,
/**
 * Time of creation.
 */
created: number,
/**
 * Whether the account is blocked.
 */
blocked: boolean, };
export type UserPatch = {
/**
 * Rights.
 */
role?: Role,
/**
 * Whether the account is blocked.
 */
blocked?: boolean, };
export type OneTimeLink = {
/**
 * One-time code that the link contains.
 */
code: string,
/**
 * Address.
 */
url: string,
/**
 * Time of expiry.
 */
expires: number, };
export type InvitationAsk = {
/**
 * Key of the contest; null for an invitation to sign up on the site.
 */
contest?: string,
/**
 * Number of times it can be used; default: 1.
 */
uses?: number,
/**
 * Days until it expires; default: 14.
 */
days?: number, };
export type InvitationInfo = {
/**
 * Id.
 */
id: number,
/**
 * Purpose: `signup` or `contest`.
 */
kind: string,
/**
 * Key of the contest; null for an invitation to sign up on the site.
 */
contest: string | null,
/**
 * Time of creation.
 */
created: number,
/**
 * Time of expiry.
 */
expires: number,
/**
 * Number of times it can still be used.
 */
uses_left: number, };
export type ContestAsk = {
/**
 * Name in addresses: small letters, digits and `-`.
 */
key: string,
/**
 * Display name.
 */
title: string,
/**
 * Start time.
 */
starts: number,
/**
 * End time.
 */
ends: number,
/**
 * Whether an invitation is required.
 */
invited_only: boolean,
/**
 * Games.
 */
games: Array<ContestGameAsk>,
/**
 * Number of finalists: the best bots of the highest tier that a bot has reached.
 */
final_top: number,
/**
 * Number of matches of each finalist.
 */
final_matches: number,
/**
 * Description, in Markdown; default: none.
 */
about?: Text,
/**
 * Prizes, in Markdown; default: none.
 */
prizes?: Text,
/**
 * Maximum number of members of a team, at most 20; default: 1, everybody plays alone.
 */
team_size?: number, };
export type ContestGameAsk = {
/**
 * Name.
 */
game: string,
/**
 * Keys of the leagues of the contest; default: all leagues of the game.
 */
leagues?: Array<string>,
/**
 * Edition of the rules; default: the edition of each league.
 */
edition?: string, };
export type ContestPatch = {
/**
 * Display name.
 */
title?: string,
/**
 * Start time; can be changed only before the start.
 */
starts?: number,
/**
 * End time.
 */
ends?: number,
/**
 * Whether an invitation is required.
 */
invited_only?: boolean,
/**
 * Description, in Markdown.
 */
about?: Text,
/**
 * Prizes, in Markdown.
 */
prizes?: Text, };
export type BulkAsk = {
/**
 * One account per line: name, and optionally a mail address after a comma. At most 500 lines.
 */
csv: string,
/**
 * Key of a contest of which the accounts become members.
 */
contest?: string, };
export type BulkLine = {
/**
 * Name.
 */
name: string,
/**
 * First password, which must be changed at the first login; null if the account was not created.
 */
password: string | null,
/**
 * Reason why the account was not created; null if it was.
 */
wrong: string | null, };
export type AnnouncementInfo = {
/**
 * Id.
 */
id: number,
/**
 * English text.
 */
en: string,
/**
 * French text.
 */
fr: string,
/**
 * Time from which it is shown.
 */
starts: number,
/**
 * Time until which it is shown; null for no end.
 */
ends: number | null, };
export type AnnouncementAsk = {
/**
 * English text.
 */
en: string,
/**
 * French text.
 */
fr: string,
/**
 * Time from which it is shown; default: now.
 */
starts?: number,
/**
 * Time until which it is shown; null for no end.
 */
ends?: number, };
export type PictureAsk = {
/**
 * The bytes of the picture, as base64.
 */
base64: string, };
export type PictureInfo = {
/**
 * Address for Markdown: `![description](address)`.
 */
address: string, };
export type RecomputeAsk = {
/**
 * Whether to compare only and change nothing.
 */
check: boolean, };
export type Recompute = {
/**
 * Whether it is running.
 */
running: boolean,
/**
 * Matches processed.
 */
done: number,
/**
 * Matches to process.
 */
total: number,
/**
 * Number of standings and seats that differed; null before the end, and if it failed.
 */
differences: number | null,
/**
 * Error; null if it did not fail.
 */
error: string | null,
/**
 * End time; null before the end.
 */
finished: number | null, };
export type VoidInfo = {
/**
 * The match.
 */
info: MatchInfo,
/**
 * Reason.
 */
why: string,
/**
 * Number of attempts to play it.
 */
attempts: number, };
export type AuditLine = {
/**
 * Id.
 */
id: number,
/**
 * Time.
 */
at: number,
/**
 * Name of the user; null for the server itself.
 */
user: string | null,
/**
 * Action.
 */
what: string, };
export type LiveEvent = { "type": "match_started",
/**
 * The match.
 */
match: MatchInfo, } | { "type": "match_done",
/**
 * The match.
 */
match: MatchInfo, } | { "type": "board",
/**
 * Key of the contest.
 */
contest: string,
/**
 * Name of the game.
 */
game: string,
/**
 * Tier of the leaderboard, 0 is the lowest.
 */
tier: number, } | { "type": "promotion",
/**
 * The bot.
 */
bot: BotRef,
/**
 * Key of the contest.
 */
contest: string,
/**
 * Name of the game.
 */
game: string,
/**
 * Tier before the promotion.
 */
from: number,
/**
 * Tier after the promotion.
 */
to: number, } | { "type": "version_built",
/**
 * Id of the version.
 */
version: number,
/**
 * Id of its bot.
 */
bot: number,
/**
 * Whether the build succeeded, so that the version can play.
 */
ready: boolean, } | { "type": "my_match",
/**
 * The match.
 */
match: MatchInfo,
/**
 * Id of the bot.
 */
bot: number, } | { "type": "notice" } | { "type": "contest",
/**
 * Key of the contest.
 */
contest: string,
/**
 * New state.
 */
state: ContestState, } | { "type": "missed" };
