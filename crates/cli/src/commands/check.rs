//! `agon check`

mod cases;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use game::{Selected, Selection};
use play::{Heartbeat, PlayedMatch, Runner};
use referee::Ending;
use serde_json::{Value, json};
use toolchain::{Bot, Builtin, How};

use crate::Failure;
use crate::args::CheckArgs;
use crate::commands::play::{clean, millis, open_sandbox, plan, prepare, times};
use crate::launcher;
use crate::output::{print, print_json};
use crate::progress::with_progress;

pub(crate) fn run(args: &CheckArgs) -> Result<(), Failure> {
    if let Some(folder) = &args.cases {
        return cases::run(args, folder);
    }
    let game = catalog::find(args.game.as_deref().unwrap_or_default())?;
    let rule_sets = rule_sets(game, args)?;
    let sandbox = open_sandbox(args.run.sandbox, args.json)?;
    let bot = prepare(game.info().name, std::slice::from_ref(&args.bot), &sandbox)?.remove(0);
    let heartbeat = Heartbeat::start();
    let launcher = launcher()?;
    let runner = Runner::new(&sandbox, &launcher, Some(&heartbeat));
    let matches: Vec<(Selected, u8, i64)> = rule_sets
        .iter()
        .flat_map(|&selected| (0..selected.players).map(move |seat| (selected, seat)))
        .flat_map(|(selected, seat)| (1..=i64::from(args.maps)).map(move |seed| (selected, seat, seed)))
        .collect();
    let mut findings = Findings::default();
    with_progress(Some(matches.len() as u64), "matches", |done| {
        for &(selected, seat, seed) in &matches {
            let bots: Vec<Bot> =
                (0..selected.players).map(|at| if at == seat { bot.clone() } else { opponent() }).collect();
            let plan = plan(game, selected, seed, &bots, &args.run, true);
            let played = runner.play(&plan);
            findings.add(&played, &plan, seat as usize);
            done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    });
    if args.json {
        print_json(&findings.as_json(&bot))?;
    } else {
        print(&findings.as_text(&bot)?)?;
    }
    if findings.is_clean() { Ok(()) } else { Err(Failure::No) }
}

fn opponent() -> Bot {
    Bot { name: "@random".into(), asked: "@random".into(), digest: None, how: How::Builtin(Builtin::Random) }
}

/// Every rule set that the bot claims to play.
fn rule_sets(game: &dyn catalog::AnyGame, args: &CheckArgs) -> Result<Vec<Selected>, Failure> {
    let info = game.info();
    let leagues = if args.league.is_empty() { vec![info.leagues.len() as u8] } else { args.league.clone() };
    let mut players =
        if args.players.is_empty() { vec![info.min_players, info.max_players] } else { args.players.clone() };
    players.dedup();
    let mut sets = Vec::new();
    for &league in &leagues {
        for &players in &players {
            let asked =
                Selection { league: Some(league), edition: args.edition.clone(), players: Some(players) };
            sets.push(game.select(&asked)?);
        }
    }
    Ok(sets)
}

/// Failures or skipped orders of the same kind: their number, and the first one with its match.
struct Seen {
    count: u32,
    league: u8,
    seat: usize,
    seed: i64,
    turn: Option<u32>,
    text: String,
}

impl Seen {
    fn first(&self) -> String {
        let Seen { league, seat, seed, text, .. } = self;
        clean(&format!("league {league}, seat {seat}, seed {seed}: {text}"))
    }

    fn as_json(&self, what: &str) -> Value {
        let Seen { count, league, seat, seed, turn, .. } = self;
        json!({
            "what": what, "count": count, "league": league, "seat": seat, "seed": seed.to_string(), "turn": turn,
            "first": self.first(),
        })
    }
}

/// The findings of all matches together.
#[derive(Default)]
struct Findings {
    matches: u32,
    wins: u32,
    void: u32,
    slowest_first: Duration,
    slowest: Duration,
    medians: Vec<Duration>,
    memory: Option<u64>,
    unread: u32,
    stays: u32,
    /// Skipped orders by the code of their fault.
    skipped: BTreeMap<String, Seen>,
    /// Causes by name.
    failures: BTreeMap<String, Seen>,
}

impl Findings {
    fn add(&mut self, played: &PlayedMatch, plan: &play::MatchPlan<'_>, seat: usize) {
        self.matches += 1;
        if let Some(times) = times(plan, played).nth(seat).flatten() {
            self.slowest_first = self.slowest_first.max(times.first);
            self.slowest = self.slowest.max(times.slowest);
            self.medians.push(times.median);
        }
        self.memory = self.memory.max(played.memory[seat]);
        if let Some(compliance) = played.compliance[seat] {
            self.unread += compliance.unread;
            self.stays += u32::from(compliance.ends_with_input == Some(false));
        }
        let seen =
            |turn, text| Seen { count: 0, league: plan.selected.league, seat, seed: plan.seed, turn, text };
        for fault in played.skipped(seat) {
            let first = || seen(Some(fault.turn), fault.to_string());
            self.skipped.entry(fault.code.to_string()).or_insert_with(first).count += 1;
        }
        match &played.ending {
            Ending::Void { .. } => self.void += 1,
            Ending::Over { outcome, causes } => {
                self.wins += u32::from(outcome.ranks[seat] == 1);
                if let Some(cause) = &causes[seat] {
                    let first = || seen(played.last_turn(seat), played.failure(seat, cause));
                    self.failures.entry(cause.name().to_owned()).or_insert_with(first).count += 1;
                }
            }
        }
    }

    fn median(&self) -> Duration {
        let mut medians = self.medians.clone();
        medians.sort();
        medians.get(medians.len() / 2).copied().unwrap_or_default()
    }

    fn is_clean(&self) -> bool {
        self.failures.is_empty() && self.stays == 0 && self.unread == 0 && self.void == 0
    }

    fn as_json(&self, bot: &Bot) -> Value {
        let listed = |found: &BTreeMap<String, Seen>| -> Value {
            found.iter().map(|(name, seen)| seen.as_json(name)).collect()
        };
        json!({
            "bot": bot.name,
            "clean": self.is_clean(),
            "matches": self.matches,
            "first_places": self.wins,
            "void": self.void,
            "slowest_first_answer_ms": millis(self.slowest_first),
            "slowest_answer_ms": millis(self.slowest),
            "median_answer_ms": millis(self.median()),
            "memory_bytes": self.memory,
            "answers_before_reading_all": self.unread,
            "stays_after_input_ends": self.stays,
            "skipped_orders": listed(&self.skipped),
            "failures": listed(&self.failures),
        })
    }

    fn as_text(&self, bot: &Bot) -> Result<String, Failure> {
        let mut text = String::new();
        writeln!(
            text,
            "{}: {} matches against @random, {} first places",
            clean(&bot.name),
            self.matches,
            self.wins
        )?;
        writeln!(
            text,
            "  first answer  {} ms at the slowest (the start of the program included)",
            millis(self.slowest_first)
        )?;
        writeln!(
            text,
            "  other answers {} ms in the median, {} ms at the slowest",
            millis(self.median()),
            millis(self.slowest)
        )?;
        if let Some(memory) = self.memory {
            writeln!(text, "  memory        {} MiB at the most", memory.div_ceil(1 << 20))?;
        }
        for seen in self.skipped.values() {
            writeln!(text, "  skipped       {} orders, the first in {}", seen.count, seen.first())?;
        }
        for (name, seen) in &self.failures {
            writeln!(text, "  FAILED        {} times by {name}, the first in {}", seen.count, seen.first())?;
        }
        if self.unread > 0 {
            writeln!(
                text,
                "  UNREAD        {} answers came before all of the question was read",
                self.unread
            )?;
        }
        if self.stays > 0 {
            writeln!(
                text,
                "  STAYS         {} times it went on after its input had ended; end the program there",
                self.stays
            )?;
        }
        if self.void > 0 {
            writeln!(text, "  VOID          {} matches failed by our fault; try again", self.void)?;
        }
        writeln!(text, "{}", if self.is_clean() { "clean" } else { "not clean" })?;
        Ok(text)
    }
}
