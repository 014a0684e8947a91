// Made from the Rust types by `UPDATE=1 cargo test -p server --lib types`: do not edit.

export type ErrorBody = {
/**
 * What is wrong.
 */
error: ErrorInfo, };
export type ErrorInfo = {
/**
 * A word that never changes, for programs: `not_found`, `too_many`, `bad_request`...
 */
code: string,
/**
 * What is wrong, for people.
 */
message: string,
/**
 * What to do about it.
 */
hint: string, };
export type Text = {
/**
 * English.
 */
en: string,
/**
 * French.
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
 * What is played, with the leagues of the standing contest.
 */
games: Array<GameInfo>,
/**
 * Contests that run or are planned; the standing one first.
 */
contests: Array<Contest>,
/**
 * Languages that bots may be written in.
 */
languages: Array<LanguageInfo>,
/**
 * Who may sign up.
 */
signup: Signup,
/**
 * Whether a forgotten password can be reset by mail.
 */
mail: boolean,
/**
 * What the organiser has to say now.
 */
announcement: Text | null,
/**
 * How much is going on.
 */
counts: Counts, };
export type Signup = "open" | "invited";
export type Counts = {
/**
 * People.
 */
users: number,
/**
 * Bots of people.
 */
bots: number,
/**
 * Matches played.
 */
matches: number,
/**
 * Matches that wait.
 */
queued: number,
/**
 * Matches that are being played.
 */
running: number, };
export type GameInfo = {
/**
 * Its name in addresses.
 */
name: string,
/**
 * Its name for people.
 */
title: string,
/**
 * One sentence that says what it is.
 */
about: Text,
/**
 * From the first league up.
 */
leagues: Array<LeagueInfo>,
/**
 * Fewest and most players.
 */
players: [number, number],
/**
 * Whether players see different things; such a match is shown when it is over.
 */
hidden: boolean,
/**
 * Whether there is a side quest with a board of its own.
 */
side_quest: boolean,
/**
 * What an answer may cost in the last league.
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
 * Its place, from 0.
 */
index: number,
/**
 * Its name in addresses: `wood-2`.
 */
key: string,
/**
 * Its name for people.
 */
name: Text,
/**
 * What is new in it.
 */
about: Text,
/**
 * Level of its rules.
 */
rules: number,
/**
 * Edition of its rules.
 */
edition: string,
/**
 * Name of the boss.
 */
boss: string,
/**
 * Numbers of players there are ladders for.
 */
players: Array<number>,
/**
 * The way up.
 */
way: Way,
/**
 * Ladder matches before the rating counts.
 */
placement: number, };
export type Way = "best_of_five" | "ladder" | "top";
export type LanguageInfo = {
/**
 * Its name: `Python`, `C++`.
 */
name: string,
/**
 * Endings of its source files.
 */
extensions: Array<string>,
/**
 * Whether this host has it.
 */
available: boolean, };
export type Kit = {
/**
 * Name of the language.
 */
language: string,
/**
 * The usual name of the file: `bot.py`.
 */
file: string,
/**
 * Its text.
 */
source: string, };
export type Me = {
/**
 * The account; nothing for a visitor.
 */
user: Account | null,
/**
 * Goes into the header `x-agon-csrf` of every change made with a cookie.
 */
csrf: string,
/**
 * Notices that were not looked at.
 */
notices_unseen: number, };
export type Account = {
/**
 * Its number.
 */
id: number,
/**
 * Its name.
 */
name: string,
/**
 * Its mail address.
 */
email: string | null,
/**
 * What it may do.
 */
role: Role,
/**
 * `en` or `fr`.
 */
lang: string,
/**
 * Since when.
 */
created: number,
/**
 * Whether the password must be changed before anything else.
 */
must_change: boolean, };
export type Role = "player" | "admin";
export type SignupAsk = {
/**
 * 3 to 32 letters, digits, `-`, `_`, `.`.
 */
name: string,
/**
 * At least 8 characters.
 */
password: string,
/**
 * For a forgotten password.
 */
email?: string,
/**
 * The code of an invitation, where one is needed.
 */
invitation?: string,
/**
 * `en` or `fr`.
 */
lang?: string, };
export type LoginAsk = {
/**
 * Name of the account.
 */
name: string,
/**
 * Its password.
 */
password: string, };
export type MePatch = {
/**
 * The password now; needed to change password or address.
 */
old_password?: string,
/**
 * The new password.
 */
password?: string,
/**
 * The new address; an empty one takes it away.
 */
email?: string,
/**
 * `en` or `fr`.
 */
lang?: string, };
export type ResetAsk = {
/**
 * The code.
 */
code: string,
/**
 * The new password.
 */
password: string, };
export type ResetRequest = {
/**
 * Name of the account.
 */
name: string, };
export type NoticeInfo = {
/**
 * Its number.
 */
id: number,
/**
 * When.
 */
at: number,
/**
 * `promotion`, `paused`, `build_failed`, `contest`...
 */
kind: string,
/**
 * What is known, by name.
 */
data: Record<string, unknown>,
/**
 * Whether it was looked at.
 */
seen: boolean, };
export type TokenInfo = {
/**
 * Its number.
 */
id: number,
/**
 * What its owner calls it.
 */
name: string,
/**
 * What it may do: `read`, `submit`, `admin`.
 */
scopes: Array<string>,
/**
 * When it was made.
 */
created: number,
/**
 * When it was used last.
 */
used: number | null, };
export type TokenAsk = {
/**
 * What to call it.
 */
name: string,
/**
 * What it may do: `read`, `submit`, `admin`.
 */
scopes: Array<string>, };
export type TokenMade = {
/**
 * Goes into the header `Authorization: Bearer ...`.
 */
token: string,
/**
 * What is known of it.
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
 * The league; nothing where all are in one list, the highest first.
 */
league: number | null,
/**
 * Number of players of a match.
 */
players: number,
/**
 * Which page, from 0.
 */
page: number,
/**
 * How many stand on it, or were found.
 */
total: number,
/**
 * Whether there is a next page.
 */
more: boolean,
/**
 * The rows.
 */
rows: Array<BoardRow>, };
export type BoardRow = {
/**
 * The place in its league, from 1.
 */
place: number,
/**
 * Who.
 */
bot: BotRef,
/**
 * The league.
 */
league: number,
/**
 * Whether it is the boss of its league.
 */
boss: boolean,
/**
 * The estimate.
 */
rating: number,
/**
 * Its standard deviation.
 */
uncertainty: number,
/**
 * What is sure: boards are ordered by it.
 */
proven: number,
/**
 * Rated matches.
 */
games: number,
/**
 * Of them won.
 */
wins: number,
/**
 * Of them drawn.
 */
draws: number,
/**
 * Of them lost.
 */
losses: number,
/**
 * Of them lost by a crash, a timeout, an invalid answer.
 */
failures: number, };
export type Tally = {
/**
 * The estimate.
 */
rating: number,
/**
 * Its standard deviation.
 */
uncertainty: number,
/**
 * What is sure: boards are ordered by it.
 */
proven: number,
/**
 * Rated matches.
 */
games: number,
/**
 * Of them won.
 */
wins: number,
/**
 * Of them drawn.
 */
draws: number,
/**
 * Of them lost.
 */
losses: number,
/**
 * Of them lost by a crash, a timeout, an invalid answer.
 */
failures: number, };
export type BotRef = {
/**
 * Its number.
 */
id: number,
/**
 * What it is called: the name of its author, or of the built-in bot.
 */
name: string,
/**
 * Name of its author; nothing for built-in bots.
 */
user: string | null,
/**
 * Whether it is a built-in bot.
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
 * The best hundred.
 */
rows: Array<SideQuestRow>, };
export type SideQuestRow = {
/**
 * The place, from 1.
 */
place: number,
/**
 * Who.
 */
bot: BotRef,
/**
 * The league.
 */
league: number,
/**
 * Average points per game.
 */
average: number,
/**
 * Games.
 */
games: number, };
export type MatchPage = {
/**
 * The matches.
 */
matches: Array<MatchInfo>,
/**
 * Ask with `before=` this for the next ones; nothing where there are no more.
 */
next: number | null, };
export type MatchInfo = {
/**
 * Its number.
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
 * The league.
 */
league: number,
/**
 * What it is for.
 */
kind: MatchKind,
/**
 * The seed.
 */
seed: string,
/**
 * How far it is.
 */
state: MatchState,
/**
 * When it was asked for.
 */
created: number,
/**
 * When it was begun.
 */
started: number | null,
/**
 * When it was over.
 */
finished: number | null,
/**
 * Who plays.
 */
seats: Array<SeatInfo>,
/**
 * A short stable name of what ended it, such as `turn-limit`.
 */
reason: string | null, };
export type MatchKind = "ladder" | "trial" | "test" | "final";
export type MatchState = "queued" | "running" | "done" | "void";
export type SeatInfo = {
/**
 * The seat, from 0.
 */
seat: number,
/**
 * Who.
 */
bot: BotRef,
/**
 * Number of its version.
 */
version: number,
/**
 * The score.
 */
score: number | null,
/**
 * The points of the player; nothing where the score only says who won.
 */
points: number | null,
/**
 * The turn in which the player was eliminated.
 */
out: number | null,
/**
 * The place, 1 is best.
 */
rank: number | null,
/**
 * Why it lost by its own fault: `timeout`, `crash`, `invalid`, `flood`, `memory`.
 */
cause: string | null,
/**
 * Points of the side quest.
 */
side_quest: number | null,
/**
 * The rating after the match.
 */
rating: number | null, };
export type MatchPageInfo = {
/**
 * What everybody may know.
 */
info: MatchInfo,
/**
 * What can be watched.
 */
watch: Watch,
/**
 * The last turn that was played, while it is being played.
 */
turn: number | null,
/**
 * Seats of the asker's bot.
 */
mine: Array<number>,
/**
 * What went wrong with the asker's own bot, by seat as in `mine`; with its last words.
 */
details: unknown[], };
export type Watch = "replay" | "live" | "later" | "nothing";
export type LiveMatch = {
/**
 * The match.
 */
info: MatchInfo,
/**
 * Whether it can be followed while it is played.
 */
watch: Watch,
/**
 * The last turn that was played.
 */
turn: number, };
export type HumanGameAsk = {
/**
 * Key of the contest; the standing one where there is none.
 */
contest?: string,
/**
 * Name of the game.
 */
game: string,
/**
 * The league.
 */
league: number,
/**
 * Number of players; the first of the league's where there is none.
 */
players?: number,
/**
 * The seat; the first one where there is none.
 */
seat?: number,
/**
 * The seed; another one each time where there is none.
 */
seed?: string,
/**
 * Seconds for each answer; no limit where there is none.
 */
seconds?: number, };
export type HumanGameLine = {
/**
 * One line, as a bot would print it; nothing when time is up.
 */
line?: string, };
export type Submission = {
/**
 * Key of the contest; the standing one where there is none.
 */
contest?: string,
/**
 * Name of the game.
 */
game: string,
/**
 * Name of the language.
 */
language: string,
/**
 * The source, at most 100,000 characters.
 */
source: string,
/**
 * Whether it plays for its author as soon as it is built. Otherwise it is built, and tried once against the boss.
 */
activate: boolean, };
export type VersionInfo = {
/**
 * Its number among all versions of all bots.
 */
id: number,
/**
 * Number of its bot.
 */
bot: number,
/**
 * Its number among the versions of its bot, from 1.
 */
number: number,
/**
 * Name of its language.
 */
language: string,
/**
 * How far it is.
 */
state: VersionState,
/**
 * The league it was handed in for.
 */
league: number,
/**
 * When it was handed in.
 */
created: number,
/**
 * Whether it is the one that plays.
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
 * Its source.
 */
source: string,
/**
 * What the compiler said.
 */
log: string | null,
/**
 * The league its bot is in now.
 */
league_now: number,
/**
 * Whether it plays by the rules of that league.
 */
fits: boolean,
/**
 * Its matches before it counts, the newest first.
 */
tests: Array<MatchInfo>, };
export type BotCard = {
/**
 * Who.
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
 * The league.
 */
league: number,
/**
 * The version that plays; nothing where one is awaited.
 */
active: VersionInfo | null,
/**
 * Why it does not play; for its owner only.
 */
paused: string | null,
/**
 * How it stands in its league.
 */
standings: Array<StandingInfo>, };
export type StandingInfo = {
/**
 * The league.
 */
league: number,
/**
 * Number of players of a match.
 */
players: number,
/**
 * `ladder`, `trial` (counted, not rated) or `final`.
 */
kind: string,
/**
 * The place; nothing where the board does not show it.
 */
place: number | null,
/**
 * How many stand on the board.
 */
of: number,
/**
 * Matches before the rating counts.
 */
placement: number,
/**
 * The estimate.
 */
rating: number,
/**
 * Its standard deviation.
 */
uncertainty: number,
/**
 * What is sure: boards are ordered by it.
 */
proven: number,
/**
 * Rated matches.
 */
games: number,
/**
 * Of them won.
 */
wins: number,
/**
 * Of them drawn.
 */
draws: number,
/**
 * Of them lost.
 */
losses: number,
/**
 * Of them lost by a crash, a timeout, an invalid answer.
 */
failures: number, };
export type BotPage = {
/**
 * The bot.
 */
card: BotCard,
/**
 * The rating over time, by ladder of the active version.
 */
history: Array<History>,
/**
 * Against whom it won and lost, the most frequent first.
 */
opponents: Array<OpponentInfo>,
/**
 * Its way up, the newest first.
 */
promotions: Array<PromotionInfo>,
/**
 * What only its owner sees.
 */
own: OwnBot | null, };
export type History = {
/**
 * The league.
 */
league: number,
/**
 * Number of players of a match.
 */
players: number,
/**
 * The points, the oldest first; at most 200.
 */
points: Array<HistoryPoint>, };
export type HistoryPoint = {
/**
 * The match after which it was so.
 */
id: number,
/**
 * When.
 */
at: number,
/**
 * The estimate.
 */
rating: number,
/**
 * Its standard deviation.
 */
uncertainty: number, };
export type OpponentInfo = {
/**
 * Who.
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
export type PromotionInfo = {
/**
 * From this league.
 */
from: number,
/**
 * To this one.
 */
to: number,
/**
 * When.
 */
at: number, };
export type OwnBot = {
/**
 * Its versions, the newest first.
 */
versions: Array<VersionInfo>,
/**
 * Its last matches lost by a crash, a timeout, an invalid answer.
 */
errors: Array<MatchInfo>,
/**
 * The best of five that goes on or was the last one.
 */
trial: Trial | null, };
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
 * Whether it is over.
 */
over: boolean,
/**
 * Its matches, the oldest first.
 */
matches: Array<MatchInfo>, };
export type Profile = {
/**
 * The name.
 */
name: string,
/**
 * Since when.
 */
created: number,
/**
 * The bots.
 */
bots: Array<BotCard>, };
export type Contest = {
/**
 * Its name in addresses.
 */
key: string,
/**
 * Its name for people.
 */
title: string,
/**
 * When it starts; nothing for the standing one.
 */
starts: number | null,
/**
 * When it ends; nothing for the standing one.
 */
ends: number | null,
/**
 * Whether an invitation is needed.
 */
invited_only: boolean,
/**
 * How far it is.
 */
state: ContestState,
/**
 * Names of its games.
 */
games: Array<string>, };
export type ContestState = "planned" | "running" | "final" | "closed";
export type ContestPage = {
/**
 * The contest.
 */
contest: Contest,
/**
 * Its games and leagues.
 */
games: Array<GameInfo>,
/**
 * Whether the asker takes part.
 */
joined: boolean,
/**
 * How the final places are found.
 */
final: Finale | null, };
export type Finale = {
/**
 * Number of bots of the highest league that take part.
 */
top: number,
/**
 * Number of matches of each.
 */
matches: number, };
export type JoinAsk = {
/**
 * The code of the invitation, where one is needed.
 */
code?: string, };
export type Overview = {
/**
 * Matches that wait.
 */
queued: number,
/**
 * Matches that are being played.
 */
running: number,
/**
 * Matches recorded.
 */
done: number,
/**
 * Matches given up.
 */
voids: number,
/**
 * Versions that wait to be built.
 */
building: number,
/**
 * People.
 */
users: number,
/**
 * Bots of people.
 */
bots: number,
/**
 * Whether no match is begun at the moment.
 */
paused: boolean,
/**
 * Who plays the matches.
 */
workers: Array<WorkerInfo>,
/**
 * Bots that were paused.
 */
pauses: Array<PausedBot>,
/**
 * What this host can do: the box, the languages.
 */
doctor: Array<DoctorLine>,
/**
 * `sqlite` or `postgres`.
 */
database: string,
/**
 * Who follows events now.
 */
listeners: number,
/**
 * Since when the server runs.
 */
since: number, };
export type WorkerInfo = {
/**
 * Its name.
 */
name: string,
/**
 * What it does now.
 */
doing: string,
/**
 * The match it plays.
 */
match_id: number | null,
/**
 * Since when.
 */
since: number, };
export type PausedBot = {
/**
 * Who.
 */
bot: BotRef,
/**
 * Name of the game.
 */
game: string,
/**
 * Why.
 */
why: string, };
export type DoctorLine = {
/**
 * What was looked at.
 */
what: string,
/**
 * Whether it is fine.
 */
fine: boolean,
/**
 * What was found, and what to do.
 */
says: string, };
export type UserPage = {
/**
 * The accounts.
 */
users: Array<UserInfo>,
/**
 * Which page, from 0.
 */
page: number,
/**
 * Whether there is a next one.
 */
more: boolean, };
export type UserInfo = {
/**
 * Its number.
 */
id: number,
/**
 * Its name.
 */
name: string,
/**
 * Its mail address.
 */
email: string | null,
/**
 * What it may do.
 */
role: Role,
/**
 * Since when.
 */
created: number,
/**
 * Whether it is locked out.
 */
blocked: boolean, };
export type UserPatch = {
/**
 * What it may do.
 */
role?: Role,
/**
 * Whether it is locked out.
 */
blocked?: boolean, };
export type OneTimeLink = {
/**
 * The code in it.
 */
code: string,
/**
 * The address.
 */
url: string,
/**
 * Until when.
 */
expires: number, };
export type InvitationAsk = {
/**
 * The contest it is for; nothing for the site.
 */
contest?: string,
/**
 * How many may use it; 1 where it is not said.
 */
uses?: number,
/**
 * Days it can be used; 14 where it is not said.
 */
days?: number, };
export type InvitationInfo = {
/**
 * Its number.
 */
id: number,
/**
 * What it opens: `signup` or `contest`.
 */
kind: string,
/**
 * The contest it is for; nothing for the site.
 */
contest: string | null,
/**
 * When it was made.
 */
created: number,
/**
 * Until when it can be used.
 */
expires: number,
/**
 * How often it can still be used.
 */
uses_left: number, };
export type ContestAsk = {
/**
 * Its name in addresses: small letters, digits, `-`.
 */
key: string,
/**
 * Its name for people.
 */
title: string,
/**
 * When it starts.
 */
starts: number,
/**
 * When it ends.
 */
ends: number,
/**
 * Whether an invitation is needed.
 */
invited_only: boolean,
/**
 * What is played.
 */
games: Array<ContestGameAsk>,
/**
 * Number of bots of the highest league that play for the final places.
 */
final_top: number,
/**
 * Number of matches of each.
 */
final_matches: number, };
export type ContestGameAsk = {
/**
 * Its name.
 */
game: string,
/**
 * Keys of its leagues; all where there are none.
 */
leagues?: Array<string>,
/**
 * The edition of its rules, where it is not the usual one.
 */
edition?: string, };
export type ContestPatch = {
/**
 * Its name for people.
 */
title?: string,
/**
 * When it starts; only before it has.
 */
starts?: number,
/**
 * When it ends.
 */
ends?: number,
/**
 * Whether an invitation is needed.
 */
invited_only?: boolean, };
export type AnnouncementInfo = {
/**
 * Its number.
 */
id: number,
/**
 * English.
 */
en: string,
/**
 * French.
 */
fr: string,
/**
 * From when.
 */
starts: number,
/**
 * Until when.
 */
ends: number | null, };
export type AnnouncementAsk = {
/**
 * English.
 */
en: string,
/**
 * French.
 */
fr: string,
/**
 * From when; now where it is not said.
 */
starts?: number,
/**
 * Until when.
 */
ends?: number, };
export type RecomputeAsk = {
/**
 * Only compare, change nothing.
 */
check: boolean, };
export type Recompute = {
/**
 * Whether it goes on.
 */
running: boolean,
/**
 * Matches folded.
 */
done: number,
/**
 * Matches in all.
 */
total: number,
/**
 * What came of the last one: standings and seats that differed.
 */
differences: number | null,
/**
 * Why it failed.
 */
error: string | null,
/**
 * When it ended.
 */
finished: number | null, };
export type VoidInfo = {
/**
 * The match.
 */
info: MatchInfo,
/**
 * Why.
 */
why: string,
/**
 * How often it was tried.
 */
attempts: number, };
export type AuditLine = {
/**
 * Its number.
 */
id: number,
/**
 * When.
 */
at: number,
/**
 * By whom.
 */
user: string | null,
/**
 * What.
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
 * The league.
 */
league: number, } | { "type": "promotion",
/**
 * Who.
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
 * From this league.
 */
from: number,
/**
 * To this one.
 */
to: number, } | { "type": "version_built",
/**
 * The version.
 */
version: number,
/**
 * Its bot.
 */
bot: number,
/**
 * Whether it can play.
 */
ready: boolean, } | { "type": "my_match",
/**
 * The match.
 */
match: MatchInfo,
/**
 * Number of the bot.
 */
bot: number, } | { "type": "notice" } | { "type": "contest",
/**
 * Its key.
 */
contest: string,
/**
 * How far it is now.
 */
state: ContestState, } | { "type": "missed" };
