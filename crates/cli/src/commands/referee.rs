//! `agon referee`: plays one match for a tester that uses its own referee protocol.
//!
//! The contract is that of cg-brutaltester, in both styles. In the new style (`-p1 CMD -p2 CMD ...`) we start the
//! players and print a score for each on a separate line, then the input of the game. In the old style (no players
//! given) the tester owns the players and we talk to it: see [`old_style`].

mod game_result;
mod old_style;
mod options;

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use game::{Outcome, Selected, Selection};
use play::{Heartbeat, PlayedMatch, Runner};
use referee::{Cause, Ending};

use crate::Failure;
use crate::args::{RunArgs, ShowMode, seed};
use crate::commands::play::{Onlooker, fresh_seed, open_sandbox, plan, play_fairly, prepare};
use crate::commands::play_match::clamp;
use crate::launcher;
use crate::output::print;
use crate::records;

pub(crate) use options::spell_out;

const CONTRACT: &str = "\
With players (the new style), prints one whole number for each player, each on its own line, then the input of the game
(seed=N). Higher is better; a negative number says that the player failed. The standard error output stays empty unless
something is wrong.

Without players (the old style, `-o` of cg-brutaltester), reads ###Seed N and ###Start COUNT from the standard input and talks
to the tester, which owns the players: ###Input, ###Output, ###End. --clock and --sandbox mean nothing then.

Options are accepted with one hyphen (-p1, -seed, -league) or two.

Examples:
  java -jar cg-brutaltester.jar -r \"agon referee hypersonic\" -p1 ./new -p2 ./old -n 100 -t 2 -s
  agon referee ocean-of-code -p1 ./bot -p2 \"python3 bot.py\" -d seed=42 -l game.json";

#[derive(Args, Debug)]
#[command(after_help = CONTRACT, override_usage = "agon referee GAME [-p1 BOT -p2 BOT [-p3 BOT [-p4 BOT]]] [OPTIONS]")]
pub(crate) struct RefereeArgs {
    /// Name of the game: see `agon games`
    game: String,
    /// The player of the first seat: a command, a source file or a built-in
    #[arg(long, value_name = "BOT", allow_hyphen_values = true)]
    p1: Option<String>,
    /// The player of the second seat
    #[arg(long, value_name = "BOT", allow_hyphen_values = true)]
    p2: Option<String>,
    /// The player of the third seat
    #[arg(long, value_name = "BOT", allow_hyphen_values = true)]
    p3: Option<String>,
    /// The player of the fourth seat
    #[arg(long, value_name = "BOT", allow_hyphen_values = true)]
    p4: Option<String>,
    /// Input of the game: seed=N; league=LEVEL and edition=EDITION are understood as well. The last one counts
    #[arg(short = 'd', long, value_name = "KEY=VALUE")]
    data: Vec<String>,
    /// The seed: a whole number of 64 bits with sign [default: another one each time]
    #[arg(long, value_parser = seed, allow_hyphen_values = true)]
    seed: Option<i64>,
    /// Level of the league, from 1; a level above the last one is the last one [default: the last one]
    #[arg(long, value_name = "LEVEL")]
    league: Option<u8>,
    /// Edition of the rules [default: the first one]
    #[arg(long, alias = "rules", value_name = "EDITION")]
    edition: Option<String>,
    /// Write the result as JSON, in the form of the official SDK, to FILE
    #[arg(short = 'l', long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print the board after each turn, before the scores
    #[arg(short = 's', long)]
    show: bool,
    #[command(flatten)]
    run: RunArgs,
    /// In the old style: report a player that failed with an ###Error line as well. Not for cg-brutaltester, which
    /// hangs at this line
    #[arg(long)]
    error_lines: bool,
}

pub(crate) fn run(args: &RefereeArgs) -> Result<(), Failure> {
    let players = args.players()?;
    let input = GameInput::read(args)?;
    if players.is_empty() { old_style::run(args, &input) } else { new_style(args, &input, &players) }
}

impl RefereeArgs {
    /// The players by seat; none in the old style.
    fn players(&self) -> Result<Vec<String>, Failure> {
        let given = [&self.p1, &self.p2, &self.p3, &self.p4];
        let players: Vec<String> = given.iter().map_while(|player| player.as_ref()).cloned().collect();
        if given.iter().skip(players.len()).any(|player| player.is_some()) {
            let missing = players.len() + 1;
            return Err(Failure::Unusable(format!(
                "-p{missing} is missing: players are given without a gap"
            )));
        }
        Ok(players)
    }
}

/// The input of the game: the seed and the names of the rules.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct GameInput {
    seed: Option<i64>,
    league: Option<u8>,
    edition: Option<String>,
}

impl GameInput {
    /// Reads `-d` and the options that mean the same.
    fn read(args: &RefereeArgs) -> Result<GameInput, Failure> {
        let mut input = GameInput { seed: None, league: args.league, edition: args.edition.clone() };
        // The input of a game has one line for each value; on a command line blanks separate the values too.
        for pair in args.data.iter().flat_map(|data| data.split_whitespace()) {
            let bad = |why: &str| Failure::Unusable(format!("-d {}: {why}", game::quote(pair.as_bytes())));
            match pair.split_once('=') {
                Some(("seed", text)) => input.seed = Some(seed(text).map_err(|why| bad(&why))?),
                Some(("league", text)) => {
                    input.league =
                        Some(text.parse().map_err(|_| bad("a league is a whole number from 1 to 255"))?);
                }
                Some(("edition" | "rules", text)) => input.edition = Some(text.to_owned()),
                _ => return Err(bad("give seed=N, league=LEVEL or edition=EDITION")),
            }
        }
        match (args.seed, input.seed) {
            (Some(option), Some(data)) if option != data => Err(Failure::Unusable(format!(
                "-seed says {option} and -d says seed={data}; give the seed once"
            ))),
            (option, data) => Ok(GameInput { seed: data.or(option), ..input }),
        }
    }

    /// The game and its rules for this number of players.
    fn resolve(
        &self,
        name: &str,
        players: usize,
    ) -> Result<(&'static dyn catalog::AnyGame, Selected), Failure> {
        let game = catalog::find(name)?;
        // As the official referees do: testers ask for league 19 and mean the full game.
        let last = game.info().leagues.len() as u8;
        let asked = Selection {
            league: self.league.map(|level| level.min(last)),
            edition: self.edition.clone(),
            players: Some(u8::try_from(players).unwrap_or(u8::MAX)),
        };
        Ok((game, game.select(&asked)?))
    }
}

/// Starts the players, plays, and prints the scores.
fn new_style(args: &RefereeArgs, input: &GameInput, players: &[String]) -> Result<(), Failure> {
    let (game, selected) = input.resolve(&args.game, players.len())?;
    let seed = input.seed.unwrap_or_else(fresh_seed);
    // A tester treats any text on the standard error output as an error.
    let sandbox = open_sandbox(args.run.sandbox, true)?;
    let bots = prepare(game.info().name, players, &sandbox)?;
    let plan = plan(game, selected, seed, &bots, &args.run, false);
    let heartbeat = Heartbeat::start();
    let launcher = launcher()?;
    let runner = Runner::new(&sandbox, &launcher, Some(&heartbeat));
    let mut watcher = Onlooker::new(&plan, args.show.then_some(ShowMode::Scroll), false, true);
    let played = play_fairly(&runner, &plan, &mut watcher, |_| {});
    watcher.done()?;
    // The scores come last: a tester that has read them may kill this process at once.
    if let Some(path) = &args.log {
        records::write_one(path, &game_result::of(&plan, &played))?;
    }
    match &played.ending {
        Ending::Void { why, .. } => {
            crate::output::complain(&format!("the match is void, not by the players' fault: {why}"));
            Err(Failure::No)
        }
        Ending::Over { outcome, causes } => {
            let mut text = String::new();
            for score in contract_scores(outcome, causes) {
                writeln!(text, "{score}")?;
            }
            writeln!(text, "seed={seed}")?;
            print(&text)
        }
    }
}

/// Scores as the contract demands them: negative for players that failed and only for them, higher is better.
///
/// The official scores are nearly the same. Where they differ, the sign counts first and the official order second:
/// with three or four players at Hypersonic, a player that failed late is officially above one that was blown up
/// early, and below it here, since one number cannot express both.
fn contract_scores(outcome: &Outcome, causes: &[Option<Cause>]) -> Vec<i32> {
    let failed: Vec<bool> =
        causes.iter().zip(&outcome.disqualified).map(|(cause, &out)| cause.is_some() || out).collect();
    let of = |which: bool| {
        outcome
            .scores
            .iter()
            .zip(&failed)
            .filter(move |(_, failed)| **failed == which)
            .map(|(score, _)| *score)
    };
    let lowest_clean = of(false).min().unwrap_or(0).min(0);
    outcome
        .scores
        .iter()
        .zip(&failed)
        .map(|(&score, &failed)| {
            if failed {
                // -1 for the best player that failed; equal scores stay equal.
                let mut better: Vec<i64> = of(true).filter(|other| *other > score).collect();
                better.sort_unstable();
                better.dedup();
                -1 - better.len() as i32
            } else {
                clamp(score.saturating_sub(lowest_clean))
            }
        })
        .collect()
}

/// The reasons why players failed, each in one line that is safe to print.
fn failures(played: &[Option<Cause>]) -> impl Iterator<Item = (usize, String)> {
    played
        .iter()
        .enumerate()
        .filter_map(|(seat, cause)| Some((seat, crate::commands::play::clean(&cause.as_ref()?.to_string()))))
}

/// The causes of failure, by seat; none of them when the match is void.
fn causes_of(played: &PlayedMatch) -> &[Option<Cause>] {
    match &played.ending {
        Ending::Over { causes, .. } => causes,
        Ending::Void { .. } => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(scores: &[i64]) -> Outcome {
        Outcome {
            scores: scores.to_vec(),
            ranks: game::ranks(scores),
            disqualified: vec![false; scores.len()],
            reason: String::new(),
        }
    }

    const FAILED: Option<Cause> = Some(Cause::Timeout { used_ms: 1, limit_ms: 1, partial: None });

    #[test]
    fn official_scores_are_kept_if_they_fit_the_protocol() {
        assert_eq!(contract_scores(&outcome(&[6, -1]), &[None, FAILED]), [6, -1]);
        assert_eq!(contract_scores(&outcome(&[-1, -1]), &[FAILED, FAILED]), [-1, -1]);
        assert_eq!(contract_scores(&outcome(&[1_000_004, 5_002]), &[None, None]), [1_000_004, 5_002]);
    }

    #[test]
    fn only_players_that_failed_are_negative() {
        // The first leagues of Back Track give -1 to players that did not reach the objective.
        assert_eq!(contract_scores(&outcome(&[-1, 0]), &[None, None]), [0, 1]);
        // Hypersonic: two failed, in rounds 0 and 30; one was blown up in round 7.
        let scores = outcome(&[0, 3_004, 700, 1_000_002]);
        assert_eq!(contract_scores(&scores, &[FAILED, FAILED, None, None]), [-2, -1, 700, 1_000_002]);
        // A player that loses by its answer fails as well.
        let mut scores = outcome(&[100, 1_000_000]);
        scores.disqualified[0] = true;
        assert_eq!(contract_scores(&scores, &[None, None]), [-1, 1_000_000]);
    }
}
