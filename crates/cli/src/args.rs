//! The arguments as they are typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use game::{Lang, Selected, Selection};

use crate::Failure;

/// Bot battles: three games, exact to the byte, fast and reproducible.
///
/// A bot is a program that reads lines and writes lines; Agon plays bots against each other.
#[derive(Parser, Debug)]
#[command(name = "agon", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  agon games                                     what can be played
  agon statement ocean-of-code --league 1        how it is played
  agon map hypersonic --seed 42 --pretty         what a seed looks like
  agon simulate back-track -n 1000               how fast the engine is here
  agon verify fixtures/*/*.jsonl.gz              that it plays like the official referees

Exit codes: 0 all is well, 1 the answer is no (such as a mismatch), 2 it cannot be done as asked.";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// List the games with their leagues, editions, numbers of players and time limits
    Games(GamesArgs),
    /// Print the statement of a game: all it takes to write a bot
    Statement(StatementArgs),
    /// Print the map of a seed: the lines a bot is sent, or a picture
    Map(MapArgs),
    /// Replay records and traces and compare every line, every map and the end
    ///
    /// FILE is a record, or a file with a record, trace or map on each line (.json, .jsonl), compressed (.gz) or not. The
    /// last line printed is `GAMES games, TURNS turns, M mismatches`; a map counts as a game of no turns. Exit code 1 on
    /// any mismatch, 2 when a file cannot be read.
    Verify(VerifyArgs),
    /// Play random legal games in memory and measure the speed
    ///
    /// Game number i is played on seed SEED + i. What is played depends only on the seeds, never on the number of threads.
    Simulate(SimulateArgs),
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
    game: String,
    /// Level of the league, from 1 [default: the last one, the full game]
    #[arg(long, short, value_name = "LEVEL")]
    league: Option<u8>,
    /// Edition of the rules, where the game has several [default: the first one]
    #[arg(long, value_name = "EDITION")]
    rules: Option<String>,
    /// Number of players [default: the fewest]
    #[arg(long, short, value_name = "COUNT")]
    players: Option<u8>,
}

impl GameArgs {
    /// The game and the rule set that are meant.
    pub(crate) fn resolve(&self) -> Result<(&'static dyn catalog::AnyGame, Selected), Failure> {
        let game = catalog::find(&self.game).map_err(Failure::Unusable)?;
        let asked = Selection { league: self.league, edition: self.rules.clone(), players: self.players };
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
    /// Whose lines, from 0
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

fn seed(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| format!("a seed is a whole number from {} to {}", i64::MIN, i64::MAX))
}

fn threads(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|count| (1..=1024).contains(count))
        .ok_or_else(|| "choose 1 to 1024 threads".to_owned())
}

/// One thread per core, unless another number is asked for.
pub(crate) fn workers(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
}
