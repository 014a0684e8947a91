//! `agon analyse`

use std::fmt::Write as _;

use clap::Args;
use review::{Analysis, Moment, Recording};

use crate::Failure;
use crate::args::{threads, workers};
use crate::commands::play::clean;
use crate::output::{note, print, print_json};
use crate::progress::with_progress;
use crate::records;

#[derive(Args, Debug)]
pub(crate) struct AnalyseArgs {
    /// The match: a record, a trace or a replay of the contest site; `FILE:LINE` where a file has several, `RUN:INDEX` for
    /// a match of a run that keeps records
    #[arg(value_name = "RECORD")]
    record: String,
    /// How much is computed: depth 4 plays four times as many continuations as depth 1
    #[arg(long, value_name = "DEPTH", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: u32,
    /// Threads [default: one per core]
    #[arg(long, short = 'j', value_name = "COUNT", value_parser = threads)]
    threads: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Lines of the table of probabilities.
const ROWS: usize = 12;

pub(crate) fn run(args: &AnalyseArgs) -> Result<(), Failure> {
    let opened = review::open(&args.record)?;
    let path = opened.analysis_path();
    let recording = Recording::of(opened.played)?;
    let turns = u64::from(recording.last_turn);
    let analysis = with_progress(Some(turns), "turns", |done| {
        review::analyse(&recording, args.depth, workers(args.threads), done)
    })?;
    records::write_one(&path, &analysis)?;
    if args.json {
        return print_json(&analysis);
    }
    print(&as_text(&recording, &analysis)?)?;
    note(&format!("kept in {}", path.display()));
    Ok(())
}

fn name(recording: &Recording, seat: u8) -> String {
    recording
        .name(seat)
        .map_or_else(|| format!("player {seat}"), |name| format!("player {seat} ({})", clean(name)))
}

fn as_text(recording: &Recording, analysis: &Analysis) -> Result<String, Failure> {
    let mut text = String::new();
    let names: Vec<String> = (0..recording.players()).map(|seat| name(recording, seat)).collect();
    writeln!(text, "probability to win after each turn: {}", names.join(", "))?;
    let step = analysis.positions.len().div_ceil(ROWS).max(1);
    let last = analysis.positions.len().saturating_sub(1);
    for (place, position) in analysis.positions.iter().enumerate() {
        if place % step == 0 || place == last {
            let shares: Vec<String> =
                position.win.iter().map(|share| format!("{:5.1} %", 100.0 * share)).collect();
            writeln!(text, "  turn {:>4}  {}", position.turn, shares.join("  "))?;
        }
    }
    if analysis.moments.is_empty() {
        writeln!(text, "no answer cost much")?;
    }
    for moment in &analysis.moments {
        write_moment(&mut text, recording, moment)?;
    }
    Ok(text)
}

fn write_moment(text: &mut String, recording: &Recording, moment: &Moment) -> Result<(), Failure> {
    let shown = |line: &catalog::record::Line| clean(&String::from_utf8_lossy(&line.0));
    let answer = moment.recorded.as_ref().map_or("no answer".to_owned(), shown);
    let word = if moment.blunder { "a blunder" } else { "critical" };
    writeln!(
        text,
        "turn {}, {}: {answer}, {word}, {:.1} % lost",
        moment.turn,
        name(recording, moment.seat),
        100.0 * moment.loss
    )?;
    if let Some(better) = &moment.better {
        let [low, high] = better.interval.map(|gain| 100.0 * gain);
        writeln!(
            text,
            "  better: {}, gains {:.1} % of the points in {} pairs of continuations, 95 % interval {low:.1} to {high:.1}",
            shown(&better.answer),
            100.0 * better.gain,
            better.pairs
        )?;
    }
    Ok(())
}
