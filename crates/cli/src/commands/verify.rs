//! `agon verify`

use std::fmt::Write as _;
use std::path::PathBuf;

use catalog::verify::{Place, Report};
use serde_json::{Value, json};

use crate::Failure;
use crate::args::{VerifyArgs, workers};
use crate::output::{complain, print, print_json};
use crate::progress::with_progress;

pub(crate) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let files: Vec<PathBuf> = args
        .files
        .iter()
        .map(|file| if file.as_os_str() == "-" { PathBuf::from("/dev/stdin") } else { file.clone() })
        .collect();
    let report =
        with_progress(None, "replayed", |done| catalog::verify::files(&files, workers(args.threads), done));
    let named = |place: &Place| match (args.files[place.file].display(), place.line) {
        (file, 0) => file.to_string(),
        (file, line) => format!("{file}:{line}"),
    };
    if args.json {
        print_json(&as_json(&report, named))?;
    } else {
        print(&as_text(&report, named)?)?;
    }
    for (place, why) in &report.unreadable {
        complain(&format!("{}: {why}", named(place)));
    }
    if report.unreadable_count > 0 {
        let count = report.unreadable_count;
        let what = if count == 1 { "place" } else { "places" };
        return Err(Failure::Unusable(format!(
            "{count} {what} could not be read; everything else was verified"
        )));
    }
    if report.mismatches > 0 { Err(Failure::No) } else { Ok(()) }
}

fn as_text(report: &Report, named: impl Fn(&Place) -> String) -> Result<String, Failure> {
    let mut text = String::new();
    for (place, mismatch) in &report.first {
        writeln!(text, "{}: {mismatch}", named(place))?;
    }
    let rest = report.mismatches - report.first.len() as u64;
    if rest > 0 {
        writeln!(text, "... and {rest} more")?;
    }
    if report.maps > 0 {
        writeln!(text, "{} of the games are maps", report.maps)?;
    }
    writeln!(text, "{} games, {} turns, {} mismatches", report.games, report.turns, report.mismatches)?;
    Ok(text)
}

fn as_json(report: &Report, named: impl Fn(&Place) -> String) -> Value {
    let first: Vec<Value> = report
        .first
        .iter()
        .map(|(place, mismatch)| {
            json!({
                "at": named(place),
                "game": mismatch.game,
                "seed": mismatch.seed.to_string(),
                "turn": mismatch.turn,
                "what": mismatch.what,
                "expected": mismatch.expected,
                "got": mismatch.got,
            })
        })
        .collect();
    let unreadable: Vec<Value> =
        report.unreadable.iter().map(|(place, why)| json!({"at": named(place), "why": why})).collect();
    json!({
        "games": report.games,
        "maps": report.maps,
        "turns": report.turns,
        "mismatches": report.mismatches,
        "first": first,
        "unreadable_count": report.unreadable_count,
        "unreadable": unreadable,
    })
}
