//! `agon import`

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

use catalog::replay::{self, Difference, Hints, Imported};
use clap::Args;
use flate2::bufread::MultiGzDecoder;
use serde_json::{Value, json};

use crate::Failure;
use crate::commands::play::clean;
use crate::output::{complain, print, print_json};
use crate::records::RecordFile;

/// A larger file is not a replay.
const LARGEST_FILE: u64 = 256 << 20;

#[derive(Args, Debug)]
pub(crate) struct ImportArgs {
    /// Files with replays; `-` is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the records of the games that end the same to FILE, one on each line (compressed if it ends in .gz)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Name of the game [default: the one in its title, else the one that fits]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Level of the league [default: the one the replay names, else the one that fits]
    #[arg(long, value_name = "LEVEL")]
    league: Option<u8>,
    /// Edition of the rules [default: the one that fits]
    #[arg(long, alias = "rules", value_name = "EDITION")]
    edition: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The result of importing a replay.
struct Finding {
    /// The file, and the number of the replay in it if there are several.
    place: String,
    result: Result<Imported, String>,
}

pub(crate) fn run(args: &ImportArgs) -> Result<(), Failure> {
    let hints = Hints { game: args.game.clone(), league: args.league, edition: args.edition.clone() };
    if let Some(name) = &hints.game {
        catalog::find(name)?;
    }
    let mut file = args.output.as_deref().map(RecordFile::create).transpose()?;
    let mut findings = Vec::new();
    for path in &args.files {
        for finding in import(path, &hints) {
            if let (Some(file), Ok(imported)) = (&mut file, &finding.result)
                && imported.differences.is_empty()
            {
                file.line(&imported.record)?;
            }
            findings.push(finding);
        }
    }
    if let Some(file) = file {
        file.finish()?;
    }
    if args.json {
        print_json(&as_json(&findings))?;
    } else {
        print(&as_text(&findings)?)?;
    }
    let unreadable: Vec<_> = findings
        .iter()
        .filter_map(|finding| Some((&finding.place, finding.result.as_ref().err()?)))
        .collect();
    for (place, why) in &unreadable {
        complain(&format!("{place}: {}", clean(why)));
    }
    if !unreadable.is_empty() {
        let (count, all) = (unreadable.len(), findings.len());
        return Err(Failure::Unusable(format!("{count} of {all} replays could not be read")));
    }
    let differs =
        |finding: &Finding| matches!(&finding.result, Ok(imported) if !imported.differences.is_empty());
    if findings.iter().any(differs) { Err(Failure::No) } else { Ok(()) }
}

fn import(path: &Path, hints: &Hints) -> Vec<Finding> {
    let name = path.display().to_string();
    let text = match read(path) {
        Ok(text) => text,
        Err(error) => return vec![Finding { place: name, result: Err(error.to_string()) }],
    };
    let replays = replay::read(&text);
    let single = replays.len() == 1;
    replays
        .into_iter()
        .enumerate()
        .map(|(at, replay)| Finding {
            place: if single { name.clone() } else { format!("{name}, replay {}", at + 1) },
            result: replay
                .map_err(|error| error.to_string())
                .and_then(|replay| replay.import(hints).map_err(|error| error.to_string())),
        })
        .collect()
}

/// Reads a whole file, and decompresses it if its first bytes show that it is compressed.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let raw: Box<dyn Read> =
        if path.as_os_str() == "-" { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    let mut raw = BufReader::new(raw);
    let mut text = Vec::new();
    if raw.fill_buf()?.starts_with(&[0x1F, 0x8B]) {
        MultiGzDecoder::new(raw).take(LARGEST_FILE + 1).read_to_end(&mut text)?;
    } else {
        raw.take(LARGEST_FILE + 1).read_to_end(&mut text)?;
    }
    if text.len() as u64 > LARGEST_FILE {
        return Err(io::Error::other(format!(
            "the file is larger than {} MiB; no replay is",
            LARGEST_FILE >> 20
        )));
    }
    Ok(text)
}

fn as_text(findings: &[Finding]) -> Result<String, Failure> {
    let mut text = String::new();
    let (mut same, mut different) = (0, 0);
    for Finding { place, result } in findings {
        let Ok(imported) = result else { continue };
        let Imported { record, league, edition, answers, outcome, differences, notes, tried } = imported;
        let header = &record.header;
        write!(text, "{place}: {}, league {league}, rules {edition}, seed {}", header.game, header.seed)?;
        if differences.is_empty() {
            same += 1;
            let scores = play::said_scores(catalog::find(&header.game)?, &outcome.scores);
            writeln!(text, ": ends the same after {answers} answers, scores {scores}")?;
        } else {
            different += 1;
            writeln!(text, ": does not end the same")?;
            for difference in differences {
                writeln!(text, "  {}", clean(&difference.to_string()))?;
            }
            if *tried > 1 {
                writeln!(
                    text,
                    "  {tried} rule sets were tried and this one came closest; name the right one with --game, --league, --edition"
                )?;
            }
        }
        for note in notes {
            writeln!(text, "  note: {}", clean(note))?;
        }
    }
    let unreadable = findings.len() - same - different;
    writeln!(text, "{same} replays end the same, {different} do not, {unreadable} could not be read")?;
    Ok(text)
}

fn as_json(findings: &[Finding]) -> Value {
    findings
        .iter()
        .map(|Finding { place, result }| match result {
            Err(why) => json!({"at": place, "unreadable": why}),
            Ok(imported) => json!({
                "at": place,
                "game": imported.record.header.game,
                "league": imported.league,
                "rules": imported.edition,
                "seed": imported.record.header.seed.to_string(),
                "answers": imported.answers,
                "same": imported.differences.is_empty(),
                "scores": imported.outcome.scores,
                "ranks": imported.outcome.ranks,
                "differences": imported.differences.iter().map(difference_json).collect::<Vec<_>>(),
                "notes": imported.notes,
                "tried": imported.tried,
            }),
        })
        .collect()
}

fn difference_json(difference: &Difference) -> Value {
    let Difference { turn, frame, player, what, expected, got, because } = difference;
    json!({
        "turn": turn, "frame": frame, "player": player, "what": what, "expected": expected, "got": got, "because": because,
    })
}
