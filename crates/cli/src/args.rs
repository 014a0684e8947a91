//! The arguments as they are typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use game::{Lang, Selected, Selection};

use crate::Failure;
use crate::commands::bot::BotArgs;
use crate::commands::duel::DuelArgs;
use crate::commands::import::ImportArgs;
use crate::commands::merge::MergeArgs;
use crate::commands::new::NewArgs;
use crate::commands::referee::RefereeArgs;
use crate::commands::report::ReportArgs;
use crate::commands::resume::ResumeArgs;
use crate::commands::tournament::TournamentArgs;
use crate::commands::tune::TuneArgs;
use referee::Clock;
use sandbox::Level;

/// Bot battles: games that are exact to the byte, fast and reproducible.
///
/// A bot is a program that reads lines and writes lines; Agon plays bots against each other.
#[derive(Parser, Debug)]
#[command(name = "agon", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The page that `agon` alone prints.
pub(crate) const FIRST_STEPS: &str = "\
Agon plays bots against each other. First steps:

  agon games                                    the games
  agon new ocean-of-code --lang python          a folder with a bot to start from
  agon statement ocean-of-code                  the rules
  agon play ocean-of-code bot.py @boss --show   one match, in the terminal
  agon play ocean-of-code bot.py @boss --watch  one match, in the browser
  agon duel ocean-of-code -b bot.py -b old.py   is the new bot better?
  agon doctor                                   what this machine can do

agon --help lists all commands, agon COMMAND --help explains one.
";

const EXAMPLES: &str = "\
Examples:
  agon games                                     what can be played
  agon statement ocean-of-code --league 1        how it is played
  agon map hypersonic --seed 42 --pretty         what a seed looks like
  agon new ocean-of-code --lang python           a bot to start from
  agon play ocean-of-code --bot bot.py --bot @random --show
  agon duel hypersonic --bot new.py --bot old.py -n 200
  agon tournament hypersonic -b a.py -b b.py -b @random
  agon tune hypersonic --bot './bot {depth}' --param depth=1:9:4:int
  agon watch match.json                          see it; or play yourself
  agon check hypersonic --bot ./bot              is my bot ready?
  agon debug match.json --seat 0 --turn 31 --bot bot.py --pdb
  agon fork match.json --turn 31 --bot bot.py --bot @boss --answer '0:MOVE N'
  agon simulate back-track -n 1000               how fast the engine is here
  agon verify games/*/traces/*.jsonl.gz          that it plays like the official referees
  agon import replay.json -o record.json         a replay of the contest site, checked
  agon serve                                     an arena for a class or a contest
  agon login https://arena.example.org           then: agon submit, agon status, agon logs
  agon mcp                                       the same as tools of a coding agent

Exit codes: 0 all is well, 1 the answer is no (such as a mismatch), 2 it cannot be done as asked.";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// List the games with their leagues, editions, numbers of players and time limits
    Games(GamesArgs),
    /// Print the statement of a game: all it takes to write a bot
    Statement(StatementArgs),
    /// Print the map of a seed: the lines a bot is sent, or a picture
    Map(MapArgs),
    /// Start a bot: a folder with a kit in your language, the rules and the commands to try it
    New(NewArgs),
    /// Play one match between bots
    ///
    /// A bot is a command line ("python3 bot.py --fast"), a source file (bot.py, bot.cpp, bot.rs, bot.js, bot.java,
    /// ...; compiled in the sandbox and kept), or a built-in: @random, @wait, @boss (of the league), @bronze to
    /// @champion (see `agon bot GAME`), @champion:1 to @champion:10 (the champion with a handicap). The exit code is 0
    /// whichever bot wins, 1 when the match is void or, with --strict, when a bot failed.
    Play(PlayArgs),
    /// Check that a bot works: every seat, several maps, every league it claims
    ///
    /// With --cases it is asked the questions of recorded turns instead, and its answers must have the properties that
    /// the cases name. The exit code is 0 only if all is clean.
    Check(CheckArgs),
    /// Run a bot on the input that a seat was sent in a recorded match
    ///
    /// Without --turn all its answers are compared with the recorded ones. With --turn it is asked for that turn: its
    /// answer, its standard error output and its time are printed, or it is started under a debugger. There is no clock,
    /// and a bot that is named with --bot runs without a sandbox unless --sandbox asks for one. The exit code is 1 when an
    /// answer differs, 2 when the bot fails before the turn it is asked for.
    Debug(crate::commands::debug::DebugArgs),
    /// Continue a recorded match from a turn, with any bots or another answer
    ///
    /// The bots are sent the whole recorded input of their seats; their answers to it are ignored, and the recorded
    /// answers are played. They have plenty of time for it; the clock is strict from the turn on. The result is a record
    /// that names its parent.
    Fork(crate::commands::fork::ForkArgs),
    /// Estimate who wins at each turn of a recorded match, and find the turns that decided it
    ///
    /// The probabilities come from random continuations of each position and a model that was fitted to matches of
    /// built-in bots. At the turns whose answers cost most a better answer is looked for, and confirmed by continuations of
    /// built-in bots. The result is kept beside the record as NAME.analysis.json.
    Analyse(crate::commands::analyse::AnalyseArgs),
    /// Play two bots against each other many times: is the first one better?
    ///
    /// Every seed is played from every seat, and the statistics count seeds, not games. Each finished match is kept
    /// in the run file at once: after a stop or a crash `agon resume` goes on. With more than two players the second
    /// bot takes all other seats.
    Duel(DuelArgs),
    /// Play many bots against each other: which is the best?
    ///
    /// Every seed is played from every seat. Each finished match is kept in the run file at once: after a stop or a
    /// crash `agon resume` goes on and ends with the same table. The table does not depend on the number of matches
    /// at once.
    Tournament(TournamentArgs),
    /// Find better values for the parameters of a bot
    ///
    /// Each step moves all parameters at once, each up or down at random. The bot with these values plays the bot
    /// with the opposite values, from every seat of the same seeds; then all parameters move a little towards the
    /// winner. At the end the values that were found play against the start. Each finished match is kept in the run
    /// file at once: after a stop `agon resume` goes on.
    ///
    /// The bot gets the values in two ways. Its environment has each of them twice: as `AGON_PARAM_NAME` (in capital
    /// letters) and by the plain name. And {name} in an argument of its command line is replaced: --bot './bot
    /// --depth {depth}'. Nothing is added to the command line by itself.
    Tune(TuneArgs),
    /// Go on with a run that was stopped: a duel, a tournament, a tuning
    Resume(ResumeArgs),
    /// Join the parts of a run that several machines played with --shard
    ///
    /// Parts may come in any order and may be incomplete; files that are not different parts of one run are refused.
    /// The result is the run file of the whole run: `agon report` reads it, `agon resume` plays missing matches.
    Merge(MergeArgs),
    /// Play one match as the referee of another tester, by the contract of cg-brutaltester
    Referee(RefereeArgs),
    /// Turn replays of the contest site into records, and check that they end the same here
    ///
    /// FILE is a replay as the site's services give it (with `gameResult` around it or without), or the result file
    /// of an official referee (`-l`), compressed (.gz) or not. Each is played again from its seed and answers. Exit
    /// code 1 when a game ends otherwise here, 2 when a file cannot be read.
    Import(ImportArgs),
    /// List the built-in bots of a game, or play as one of them: lines in, lines out
    ///
    /// `agon play GAME --bot @champion ...` plays them; as a command of its own it serves other tools.
    Bot(BotArgs),
    /// Summarise a run: a text here, and a page with charts that opens in any browser
    ///
    /// The page is one file and loads nothing from other hosts. A run that is still being played can be summarised too.
    Report(ReportArgs),
    /// Show the abilities of this host: the sandbox it reaches, missing programs, the noise of its clock
    Doctor(DoctorArgs),
    /// Watch matches in the browser, or play yourself
    ///
    /// The address is printed. The viewer serves this machine only, unless --listen says otherwise, sends no requests
    /// to other hosts, and runs until Ctrl-C.
    Watch(crate::commands::watch::WatchArgs),
    /// Run an arena: a site with leagues, submissions, a ranking and replays
    ///
    /// Every setting can also be in agon.toml or in the environment (`AGON_` and its name in capital letters);
    /// docs/arena.md is the handbook.
    Serve(crate::commands::serve::ServeArgs),
    /// Play matches for the runs of other machines
    ///
    /// A NATS server hands out the matches of `agon duel`, `agon tournament` and `agon tune` with `--cluster`;
    /// docs/many-machines.md shows how to set it up.
    Worker(crate::commands::worker::WorkerArgs),
    /// Maintain the data of an arena: ratings, records, exports, accounts
    ///
    /// It works on the database itself, without the site and, where that is safe, beside it; the settings are those
    /// of `agon serve`.
    Admin(crate::commands::admin::AdminArgs),
    /// Remember an arena, and a token for it
    ///
    /// Asks for a token, or for a name and a password with which a token is made. It is kept in
    /// ~/.config/agon/login.json, readable by you alone. The variables `AGON_URL` and `AGON_TOKEN` take precedence
    /// over it.
    Login(crate::commands::login::LoginArgs),
    /// Submit a bot to an arena
    ///
    /// With --wait the exit code is 1 when it cannot be built or loses.
    Submit(crate::commands::submit::SubmitArgs),
    /// Show the state of your bots at an arena
    Status(crate::commands::status::StatusArgs),
    /// Print the output of your bot in a match at an arena, or the compiler's output for a version
    Logs(crate::commands::logs::LogsArgs),
    /// Serve the tools of this command to a coding agent, by the Model Context Protocol
    ///
    /// The agent starts it and talks to it by its standard input and output: it lists games, reads statements, makes a bot,
    /// checks, plays, duels and analyses, and submits to the arena where you are logged in. Paths are relative to the folder
    /// in which it is started. docs/mcp.md has the lines for the settings of common programs.
    Mcp(crate::commands::mcp::McpArgs),
    /// Write a match as a page that opens offline, a picture of a turn, or a clip
    Export(crate::commands::export::ExportArgs),
    /// Replay records and traces and compare every line, every map and the end
    ///
    /// FILE is a record, or a file with a record, trace or map on each line (.json, .jsonl), compressed (.gz) or not.
    /// The last line printed is `GAMES games, TURNS turns, M mismatches`; a map counts as a game of no turns. Exit
    /// code 1 on any mismatch, 2 when a file cannot be read.
    Verify(VerifyArgs),
    /// Print the completions of a shell: bash, zsh or fish
    ///
    /// bash: agon completions bash > ~/.local/share/bash-completion/completions/agon
    /// zsh: agon completions zsh > FOLDER/_agon, with FOLDER in $fpath
    /// fish: agon completions fish > ~/.config/fish/completions/agon.fish
    #[command(verbatim_doc_comment)]
    Completions(CompletionsArgs),
    /// Write the manual pages, one for each command, to a folder
    Man(ManArgs),
    /// Play random legal games in memory and measure the speed
    ///
    /// Game number i is played on seed SEED + i. The games depend only on the seeds, never on the number of threads.
    Simulate(SimulateArgs),
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The folder, which is made if it is missing
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
}

/// How the board is shown in the terminal.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ShowMode {
    /// Each board replaces the one before, where the output is a terminal
    Place,
    /// Each board is below the one before
    Scroll,
}

#[derive(Args, Debug)]
pub(crate) struct GamesArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// A game and its rules, as they are typed.
#[derive(Args, Debug)]
pub(crate) struct GameArgs {
    /// Name of the game: see `agon games`
    pub(crate) game: String,
    /// Level of the league, from 1 [default: the last one, the full game]
    #[arg(long, short, value_name = "LEVEL")]
    pub(crate) league: Option<u8>,
    /// Edition of the rules, where the game has several [default: the first one]
    #[arg(long, alias = "rules", value_name = "EDITION")]
    pub(crate) edition: Option<String>,
    /// Number of players [default: the fewest]
    #[arg(long, short, value_name = "COUNT")]
    pub(crate) players: Option<u8>,
}

impl GameArgs {
    /// The game and the rule set of the arguments.
    pub(crate) fn resolve(&self) -> Result<(&'static dyn catalog::AnyGame, Selected), Failure> {
        let game = catalog::find(&self.game)?;
        let asked = Selection { league: self.league, edition: self.edition.clone(), players: self.players };
        Ok((game, game.select(&asked)?))
    }
}

#[derive(Args, Debug)]
pub(crate) struct StatementArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Language
    #[arg(long, env = "AGON_LANG", value_enum, default_value = "en")]
    pub(crate) lang: Language,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Language {
    /// English
    En,
    /// Français
    Fr,
}

impl From<Language> for Lang {
    fn from(language: Language) -> Self {
        match language {
            Language::En => Lang::En,
            Language::Fr => Lang::Fr,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct MapArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// The seed: a whole number of 64 bits with sign
    #[arg(long, short, default_value = "1", value_parser = seed, allow_hyphen_values = true)]
    pub(crate) seed: i64,
    /// The player whose lines are printed, from 0
    #[arg(long, value_name = "PLAYER", default_value_t = 0)]
    pub(crate) player: u8,
    /// Draw the map instead of printing the lines
    #[arg(long, conflicts_with = "json")]
    pub(crate) pretty: bool,
    /// Print the map as JSON, as it stands in a file of maps
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Files with records, traces or maps; `-` is the standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Threads [default: one per core]
    #[arg(long, short = 'j', value_name = "COUNT", value_parser = threads)]
    pub(crate) threads: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// How many games
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 10_000)]
    pub(crate) games: u64,
    /// Threads [default: one per core]
    #[arg(long, short = 'j', value_name = "COUNT", value_parser = threads)]
    pub(crate) threads: Option<usize>,
    /// Seed of the first game
    #[arg(long, short, default_value = "1", value_parser = seed, allow_hyphen_values = true)]
    pub(crate) seed: i64,
    /// Only make the maps, play nothing
    #[arg(long, conflicts_with = "record")]
    pub(crate) maps: bool,
    /// Write each game as a record to FILE, in the order of the seeds (compressed if it ends in .gz)
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// How bots are run.
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// How time is kept: site (killed 50 ms after the limit, the third answer after the limit is a timeout), strict,
    /// bank or bank=MS (what an answer takes beyond the limit comes out of a bank for the match), cpu (only the bot's
    /// CPU time counts), off
    #[arg(long, default_value = "site", value_name = "CLOCK")]
    pub(crate) clock: Clock,
    /// The sandbox: auto (the strongest this host reaches), a, b, c, or none for bots you trust; see `agon doctor`
    #[arg(long, env = "AGON_SANDBOX", default_value = "auto", value_name = "LEVEL", value_parser = level)]
    pub(crate) sandbox: Strength,
    /// Let bots think while they are not asked [default: only where players answer together]
    #[arg(long, overrides_with = "no_ponder")]
    pub(crate) ponder: bool,
    /// Freeze bots while they are not asked [default: where players take turns]
    #[arg(long, overrides_with = "ponder")]
    pub(crate) no_ponder: bool,
}

impl RunArgs {
    /// Whether bots may think while they are not asked.
    pub(crate) fn may_ponder(&self, simultaneous: bool) -> bool {
        self.ponder || (simultaneous && !self.no_ponder)
    }
}

/// The sandbox level that the user asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Strength {
    /// The strongest level of the host.
    Auto,
    /// Exactly this level.
    Just(Level),
}

impl Strength {
    pub(crate) fn level(self) -> Option<Level> {
        match self {
            Strength::Auto => None,
            Strength::Just(level) => Some(level),
        }
    }
}

pub(crate) fn level(text: &str) -> Result<Strength, String> {
    match text {
        "auto" => Ok(Strength::Auto),
        text => text.parse().map(Strength::Just).map_err(|_| "choose one of: auto, a, b, c, none".to_owned()),
    }
}

#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Bots, one for each seat, behind those of --bot
    #[arg(value_name = "BOT", required_unless_present = "bots")]
    pub(crate) seats: Vec<String>,
    /// A bot, once for each seat
    #[arg(long = "bot", short, value_name = "BOT")]
    pub(crate) bots: Vec<String>,
    /// The seed: a whole number of 64 bits with sign [default: another one each time]
    #[arg(long, short, value_parser = seed, allow_hyphen_values = true)]
    pub(crate) seed: Option<i64>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Write the match to FILE as a record (compressed if it ends in .gz)
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Print the board after each turn: in place where the output is a terminal, or each below the one before
    /// (--show=scroll)
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "place")]
    pub(crate) show: Option<ShowMode>,
    /// Show the match in the browser while it is played, and after, until Ctrl-C
    #[arg(long)]
    pub(crate) watch: bool,
    #[command(flatten)]
    pub(crate) page: crate::commands::watch::PageArgs,
    /// Print what the bots write to their standard error output, by answer
    #[arg(long)]
    pub(crate) stderr: bool,
    /// Print nothing but the result
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Print JSON
    #[arg(long, conflicts_with_all = ["show", "stderr"])]
    pub(crate) json: bool,
    /// Print the JSON that psyleague and cgarena read: places from 0, failures, metrics of the bots
    #[arg(long, conflicts_with_all = ["json", "show", "stderr"])]
    pub(crate) play_match_json: bool,
    /// Exit with 1 when a bot failed
    #[arg(long)]
    pub(crate) strict: bool,
}

impl PlayArgs {
    /// The bots by seat, from both kinds of arguments.
    pub(crate) fn all_bots(&self) -> Vec<String> {
        self.bots.iter().chain(&self.seats).cloned().collect()
    }
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// Name of the game: see `agon games`; with --cases only the cases of this game are run
    #[arg(required_unless_present = "cases")]
    pub(crate) game: Option<String>,
    /// The bot
    #[arg(long, short, value_name = "BOT")]
    pub(crate) bot: String,
    /// Leagues the bot claims to play [default: the last one]
    #[arg(long, short, value_name = "LEVEL")]
    pub(crate) league: Vec<u8>,
    /// Edition of the rules [default: the first one]
    #[arg(long, alias = "rules", value_name = "EDITION")]
    pub(crate) edition: Option<String>,
    /// Numbers of players [default: the fewest and the most]
    #[arg(long, short, value_name = "COUNT")]
    pub(crate) players: Vec<u8>,
    /// Play no matches; run the test cases in FOLDER (*.json, *.json.gz), which `agon debug --save` wrote
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["league", "edition", "players", "maps"])]
    pub(crate) cases: Option<PathBuf>,
    /// How many maps for each seat
    #[arg(long, value_name = "COUNT", default_value_t = 3)]
    pub(crate) maps: u16,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct DoctorArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn seed(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| format!("a seed is a whole number from {} to {}", i64::MIN, i64::MAX))
}

pub(crate) fn threads(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|count| (1..=1024).contains(count))
        .ok_or_else(|| "choose 1 to 1024 threads".to_owned())
}

/// The given number of threads, or one per core.
pub(crate) fn workers(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
}
