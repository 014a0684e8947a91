//! `agon simulate`

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use catalog::record::Played;
use catalog::simulate::{Plan, Tally};
use flate2::Compression;
use flate2::write::GzEncoder;
use game::Selected;
use serde_json::{Value, json};

use crate::Failure;
use crate::args::{SimulateArgs, workers};
use crate::output::{print, print_json};
use crate::progress::with_progress;

pub(crate) fn run(args: &SimulateArgs) -> Result<(), Failure> {
    let (game, selected) = args.game.resolve()?;
    let workers = workers(args.threads);
    let writer = args.record.as_deref().map(Writer::create).transpose()?;
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

/// Writes records in the order of their seeds, whichever thread is done first.
struct Writer {
    state: Mutex<WriterState>,
}

enum Out {
    Plain(BufWriter<File>),
    Compressed(GzEncoder<BufWriter<File>>),
}

impl Out {
    fn line(&mut self, mut line: Vec<u8>) -> io::Result<()> {
        line.push(b'\n');
        match self {
            Out::Plain(file) => file.write_all(&line),
            Out::Compressed(file) => file.write_all(&line),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Out::Plain(mut file) => file.flush(),
            Out::Compressed(file) => file.finish()?.flush(),
        }
    }
}

struct WriterState {
    out: Out,
    /// How many records are written.
    written: u64,
    /// Records that came before their turn.
    waiting: BTreeMap<u64, Played>,
    /// What went wrong first.
    error: Option<io::Error>,
}

impl Writer {
    fn create(path: &Path) -> Result<Writer, Failure> {
        let file = File::create(path)
            .map_err(|error| Failure::Unusable(format!("{} cannot be written: {error}", path.display())))?;
        let file = BufWriter::new(file);
        let out = if path.extension().is_some_and(|extension| extension == "gz") {
            Out::Compressed(GzEncoder::new(file, Compression::default()))
        } else {
            Out::Plain(file)
        };
        Ok(Writer {
            state: Mutex::new(WriterState { out, written: 0, waiting: BTreeMap::new(), error: None }),
        })
    }

    fn take(&self, first_seed: i64, played: Played) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let index = played.header.seed.wrapping_sub(first_seed) as u64;
        state.waiting.insert(index, played);
        let state = &mut *state;
        while let Some(played) = state.waiting.remove(&state.written) {
            state.written += 1;
            let line = serde_json::to_vec(&played).map_err(io::Error::from);
            if let Err(error) = line.and_then(|line| state.out.line(line)) {
                state.error.get_or_insert(error);
            }
        }
    }

    fn finish(self) -> Result<(), Failure> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let finished = state.out.finish();
        match state.error.map_or(finished, Err) {
            Ok(()) => Ok(()),
            Err(error) => Err(Failure::Unusable(format!("the records could not be written: {error}"))),
        }
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
