//! `agon simulate`

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use catalog::record::Played;
use catalog::simulate::{Plan, Tally};
use game::Selected;
use serde_json::{Value, json};

use crate::Failure;
use crate::args::{SimulateArgs, workers};
use crate::output::{print, print_json};
use crate::progress::with_progress;
use crate::records::RecordFile;

pub(crate) fn run(args: &SimulateArgs) -> Result<(), Failure> {
    let (game, selected) = args.game.resolve()?;
    let workers = workers(args.threads);
    let writer = args.record.as_deref().map(RecordFile::create).transpose()?.map(Writer::new);
    let take = |played| {
        if let Some(writer) = &writer {
            writer.take(args.seed, played);
        }
    };
    let started = Instant::now();
    let tally = with_progress(Some(args.games), "games", |done| {
        game.simulate(&Plan {
            selected,
            first_seed: args.seed,
            games: args.games,
            workers,
            maps_only: args.maps,
            done,
            record: writer.is_some().then_some(&take),
        })
    });
    let seconds = started.elapsed().as_secs_f64();
    if let Some(writer) = writer {
        writer.finish()?;
    }
    let measured = Measured { name: game.info().name, selected, args, workers, seconds, tally };
    if args.json { print_json(&measured.as_json()) } else { print(&measured.as_text()?) }
}

struct Measured<'a> {
    name: &'static str,
    selected: Selected,
    args: &'a SimulateArgs,
    workers: usize,
    seconds: f64,
    tally: Tally,
}

impl Measured<'_> {
    fn per_second(&self, count: u64) -> f64 {
        if self.seconds > 0.0 { count as f64 / self.seconds } else { 0.0 }
    }

    fn as_json(&self) -> Value {
        let Selected { league, edition, players } = self.selected;
        json!({
            "game": self.name,
            "league": league,
            "rules": edition,
            "players": players,
            "seed": self.args.seed.to_string(),
            "threads": self.workers,
            "seconds": self.seconds,
            "games": self.tally.games,
            "turns": self.tally.turns,
            "games_per_second": self.per_second(self.tally.games),
            "turns_per_second": self.per_second(self.tally.turns),
            "wins": self.tally.wins,
            "draws": self.tally.draws,
            "scores": self.tally.scores,
            "reasons": self.tally.reasons,
        })
    }

    fn as_text(&self) -> Result<String, Failure> {
        let Selected { league, edition, players } = self.selected;
        let Tally { games, turns, wins, draws, reasons, .. } = &self.tally;
        let mut text = String::new();
        writeln!(
            text,
            "{}, league {league}, rules {edition}, {players} players, {} threads",
            self.name, self.workers
        )?;
        let rate = |count| thousands(self.per_second(count));
        if self.args.maps {
            writeln!(text, "{games} maps in {:.3} s: {} maps/s", self.seconds, rate(*games))?;
            return Ok(text);
        }
        writeln!(
            text,
            "{games} games, {turns} turns in {:.3} s: {} games/s, {} turns/s",
            self.seconds,
            rate(*games),
            rate(*turns)
        )?;
        let wins: Vec<String> =
            wins.iter().enumerate().map(|(seat, wins)| format!("player {seat}: {wins}")).collect();
        writeln!(text, "won by {}; shared: {draws}", wins.join(", "))?;
        let reasons: Vec<String> =
            reasons.iter().map(|(reason, count)| format!("{reason}: {count}")).collect();
        writeln!(text, "ended by {}", reasons.join(", "))?;
        Ok(text)
    }
}

/// A number with a blank between groups of three digits.
fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

/// Writes records in the order of their seeds, whichever thread is finished first.
struct Writer {
    state: Mutex<WriterState>,
}

struct WriterState {
    out: RecordFile,
    /// Number of records that are written.
    written: u64,
    /// Records that wait for earlier ones.
    waiting: BTreeMap<u64, Played>,
    /// The first error.
    error: Option<Failure>,
}

impl Writer {
    fn new(out: RecordFile) -> Writer {
        Writer { state: Mutex::new(WriterState { out, written: 0, waiting: BTreeMap::new(), error: None }) }
    }

    fn take(&self, first_seed: i64, played: Played) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let index = played.header.seed.wrapping_sub(first_seed) as u64;
        state.waiting.insert(index, played);
        let state = &mut *state;
        while let Some(played) = state.waiting.remove(&state.written) {
            state.written += 1;
            if let Err(error) = state.out.line(&played) {
                state.error.get_or_insert(error);
            }
        }
    }

    fn finish(self) -> Result<(), Failure> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.error.map_or(Ok(()), Err)?;
        state.out.finish()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_grouped() {
        assert_eq!(super::thousands(1_234_567.4), "1 234 567");
        assert_eq!(super::thousands(999.0), "999");
    }
}
