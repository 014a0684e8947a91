//! Measures a ladder: each bot against the one below it, in memory, every seed from every seat.
//!
//! ```text
//! cargo run --release -p runs --example ladder -- hypersonic --pairs 100 --nodes 5000
//! cargo run --release -p runs --example ladder -- hypersonic --only gold,champion --players 4
//! ```
//!
//! Two bots meet under the rules of the higher one's league, so that both can play; above the leagues these are the full
//! rules. At a table for more than two, one seat is the higher bot's and all others are copies of the lower one.

// This program prints its table.
#![allow(clippy::print_stdout)]

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bots::{BuiltIn, Mind, Seating, Thinking};
use catalog::AnyGame;
use catalog::built_in::play;
use clap::Parser;
use game::{Selected, Selection};
use rating::{Duel, GameResult, Shape, score_of_elo};

/// Plays each bot of a ladder against its neighbour and prints the score of the higher one.
#[derive(Parser)]
struct Args {
    /// The game.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(catalog::games().map(|game| game.info().name)))]
    game: String,
    /// How many seeds; each is played from every seat.
    #[arg(long, default_value_t = 50)]
    pairs: u64,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: i64,
    /// Nodes of search for each answer.
    #[arg(long, default_value_t = 5000, conflicts_with = "clock")]
    nodes: u64,
    /// Think by the clock instead, as in a real match.
    #[arg(long)]
    clock: bool,
    /// Matches at a time.
    #[arg(short, long, default_value_t = 1)]
    jobs: usize,
    /// These bots only, weakest first: each plays the one named after it.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// The league whose rules are played, instead of the higher bot's.
    #[arg(long)]
    league: Option<u8>,
    /// The edition of the rules.
    #[arg(long)]
    edition: Option<String>,
    /// How many players.
    #[arg(long)]
    players: Option<u8>,
    /// Print a line for every match.
    #[arg(short, long)]
    verbose: bool,
}

fn main() -> ExitCode {
    match measure(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn measure(args: &Args) -> Result<(), String> {
    let game = catalog::find(&args.game).map_err(|error| error.to_string())?;
    let bots = chosen(args, game)?;
    println!(
        "{:<24} {:>6} {:>15} {:>16} {:>6}  slowest answers",
        "match", "score", "95 % interval", "won drawn lost", "faults"
    );
    for (lower, higher) in bots.iter().zip(&bots[1..]) {
        let asked = Selection {
            league: args.league.or(higher.league),
            edition: args.edition.clone(),
            players: args.players,
        };
        let selected = game.select(&asked).map_err(|error| error.to_string())?;
        let meeting = Meeting {
            game,
            selected,
            higher,
            lower,
            thinking: thinking(args, game, selected),
            verbose: args.verbose,
        };
        meeting.play_all(args)?.print(higher, lower);
    }
    Ok(())
}

/// The bots that play, weakest first.
fn chosen(args: &Args, game: &dyn AnyGame) -> Result<Vec<&'static BuiltIn>, String> {
    let all = game.ladder();
    let chosen: Vec<&BuiltIn> = if args.only.is_empty() {
        all.iter().collect()
    } else {
        let find = |name: &String| {
            game.bot(name).ok_or_else(|| catalog::UnknownBot::new(name, [game], []).to_string())
        };
        args.only.iter().map(find).collect::<Result<_, _>>()?
    };
    if chosen.len() < 2 {
        return Err("a ladder needs two bots at least".to_owned());
    }
    Ok(chosen)
}

fn thinking(args: &Args, game: &dyn AnyGame, selected: Selected) -> Thinking {
    if args.clock { Thinking::within(game.limits(selected)) } else { Thinking::Nodes(args.nodes) }
}

/// Two bots and the rules under which they meet.
struct Meeting {
    game: &'static dyn AnyGame,
    selected: Selected,
    higher: &'static BuiltIn,
    lower: &'static BuiltIn,
    thinking: Thinking,
    verbose: bool,
}

/// The results of all matches of a meeting.
struct Tally {
    duel: Duel,
    faults: usize,
    /// The slowest answers of the higher bot and of the lower one, first answers apart.
    slowest: [Duration; 2],
}

/// The higher bot's number in the results; the lower one's is the other.
const HIGHER: usize = 0;
const LOWER: usize = 1;

impl Meeting {
    /// Plays all units, several at a time; the result is that of one at a time.
    fn play_all(&self, args: &Args) -> Result<Tally, String> {
        let next = AtomicU64::new(0);
        let units = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..args.jobs.max(1) {
                scope.spawn(|| {
                    loop {
                        let unit = next.fetch_add(1, Ordering::Relaxed);
                        if unit >= args.pairs {
                            break;
                        }
                        let played = self.play_unit(unit, args.seed.wrapping_add(unit as i64));
                        if let Ok(mut units) = units.lock() {
                            units.push(played);
                        }
                    }
                });
            }
        });
        let seats = u32::from(self.selected.players);
        let mut games = Vec::new();
        let mut tally = Tally {
            duel: Duel::new(Shape::one_against_copies(seats)),
            faults: 0,
            slowest: [Duration::ZERO; 2],
        };
        for unit in units.into_inner().map_err(|_| "a match failed".to_owned())? {
            let unit = unit?;
            games.extend(unit.games);
            tally.faults += unit.faults;
            for (slowest, time) in tally.slowest.iter_mut().zip(unit.slowest) {
                *slowest = time.max(*slowest);
            }
        }
        tally.duel = Duel::of(&games, HIGHER, LOWER, Shape::one_against_copies(seats));
        Ok(tally)
    }

    /// One seed from every seat.
    fn play_unit(&self, unit: u64, seed: i64) -> Result<Unit, String> {
        let seats = usize::from(self.selected.players);
        let mut result = Unit { games: Vec::new(), faults: 0, slowest: [Duration::ZERO; 2] };
        for seat in 0..seats {
            let players: Vec<usize> = (0..seats).map(|at| if at == seat { HIGHER } else { LOWER }).collect();
            let mut minds: Vec<Box<dyn Mind>> = players
                .iter()
                .zip(0..)
                .map(|(&player, at)| {
                    let bot = [self.higher, self.lower][player];
                    (bot.sit)(&Seating { selected: self.selected, seed: (seed as u64) << 2 | at })
                })
                .collect();
            let thinking = vec![self.thinking; seats];
            let played = play(self.game, self.selected, seed, &mut minds, &thinking)
                .map_err(|lost| format!("seed {seed}: {lost}"))?;
            result.faults += played.faults;
            for (&player, &time) in players.iter().zip(&played.slowest) {
                result.slowest[player] = result.slowest[player].max(time);
            }
            if self.verbose {
                let names: Vec<&str> = players.iter().map(|&at| [self.higher, self.lower][at].name).collect();
                let end = &played.outcome;
                println!(
                    "seed {seed}: {names:?} {:?} after {} turns, {}",
                    end.scores, played.turns, end.reason
                );
            }
            let ranks = played.outcome.ranks.iter().map(|&rank| u32::from(rank)).collect();
            result.games.push(GameResult { unit, players, ranks });
        }
        Ok(result)
    }
}

/// One seed from every seat.
struct Unit {
    games: Vec<GameResult>,
    faults: usize,
    slowest: [Duration; 2],
}

impl Tally {
    fn print(&self, higher: &BuiltIn, lower: &BuiltIn) {
        let score = &self.duel.score;
        let elo = self.duel.pairs.elo();
        let [low, high] = [elo.low, elo.high].map(|elo| 100.0 * score_of_elo(elo));
        let ms = self.slowest.map(|time| 1e3 * time.as_secs_f64());
        println!(
            "{:<24} {:>5.1}% {:>6.1} to {:>4.1}% {:>6} {:>4} {:>4} {:>6}  {:.1} ms, {:.1} ms",
            format!("{} - {}", higher.name, lower.name),
            100.0 * score.points() / (score.total().max(1) as f64),
            low,
            high,
            score.wins,
            score.draws,
            score.losses,
            self.faults,
            ms[HIGHER],
            ms[LOWER],
        );
    }
}
