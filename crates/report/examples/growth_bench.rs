//! Measures the cost of runs, traces and tournaments as they grow; `cargo xtask bench growth` calls it and makes a table.
//!
//! `growth_bench make-duel MATCHES FILE`: writes the run file of a duel, with times and metrics, as if it had been played.
//! `growth_bench make-parts MATCHES FOLDER`: the same in 16 parts.
//! `growth_bench make-tournament BOTS FILE`: the same for ten rounds of a Swiss tournament.
//! `growth_bench make-trace TURNS FILE`: writes records of random games of Hypersonic, about so many turns in all.
//! `growth_bench resume|table|report|verify FILE`: opens a run to go on with it, rates the bots of a tournament, makes the
//! report of a run with its page, or replays records.
//! `growth_bench merge FOLDER`: joins the parts.
//!
//! Prints the seconds and the memory that the process took at the most.

// A bench prints its results and stops at a mistake.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use catalog::file::RecordFile;
use catalog::simulate;
use game::{Dice, Selection};
use rating::{GameResult, swiss};
use referee::Clock;
use report::RunReport;
use runs::{Findings, Format, MatchLine, Metric, Plan, Run, RunHeader, Shard};
use sandbox::Level;

/// The rounds of a tournament: matches grow in proportion to bots.
const ROUNDS: u64 = 10;
/// The parts of a run.
const PARTS: u64 = 16;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let began = Instant::now();
    match words[..] {
        ["make-duel", matches, file] => make_duel(matches.parse().unwrap(), file.as_ref()),
        ["make-parts", matches, folder] => make_parts(matches.parse().unwrap(), folder.as_ref()),
        ["merge", folder] => {
            let parts: Vec<PathBuf> =
                (1..=PARTS).map(|part| Path::new(folder).join(part.to_string())).collect();
            let out = Path::new(folder).join("out");
            let merged = runs::merge(&out, &parts).unwrap();
            assert_eq!(merged.finished, merged.planned);
            std::fs::remove_file(out).unwrap();
        }
        ["make-tournament", bots, file] => make_tournament(bots.parse().unwrap(), file.as_ref()),
        ["make-trace", turns, file] => make_trace(turns.parse().unwrap(), file.as_ref()),
        ["resume", file] => drop(Run::open(file.as_ref()).unwrap()),
        ["table", file] => {
            let run = Run::open(file.as_ref()).unwrap();
            let _ = Findings::of(&run.header, &run);
        }
        ["report", file] => {
            let report = RunReport::read(file.as_ref(), None).unwrap();
            assert!(!report.to_page("report.html".as_ref()).is_empty());
        }
        ["verify", file] => {
            let verified = catalog::verify::files(&[PathBuf::from(file)], 1, &AtomicU64::new(0));
            assert_eq!((verified.mismatches, verified.unreadable_count), (0, 0));
        }
        _ => println!("see the head of the source for the ways to call it"),
    }
    println!("seconds {:.4} memory_mib {:.1}", began.elapsed().as_secs_f64(), memory_mib());
}

/// The most memory of this process so far.
fn memory_mib() -> f64 {
    let told = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        told.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
    peak.map_or(0.0, |kib: f64| kib / 1024.0)
}

fn header(bots: usize, units: u64, plan: Plan) -> RunHeader {
    let game = catalog::find("hypersonic").unwrap();
    let selected = game.select(&Selection::default()).unwrap();
    RunHeader {
        agon_run: RunHeader::VERSION,
        game: game.info().name.into(),
        league: selected.league,
        edition: selected.edition.into(),
        bots: (0..bots).map(|bot| format!("./bot{bot}")).collect(),
        names: (0..bots).map(|bot| format!("bot{bot}")).collect(),
        digests: vec![None; bots],
        players: 2,
        first_seed: 1,
        units,
        clock: Clock::SITE,
        sandbox: Level::None,
        ponder: true,
        sprt: None,
        plan,
        records: None,
        shard: None,
    }
}

/// A match that the first seat wins if `first_wins`.
fn line(index: u64, seats: [usize; 2], first_wins: bool, dice: &mut Dice) -> MatchLine {
    let ranks = if first_wins { vec![1, 2] } else { vec![2, 1] };
    let metrics = BTreeMap::from([
        ("nodes".to_owned(), Metric::Number(f64::from(dice.below(100_000)))),
        ("depth".to_owned(), Metric::Turns((0..20).map(|turn| (turn, f64::from(dice.below(12)))).collect())),
    ]);
    MatchLine {
        index,
        seed: 1 + (index / 2) as i64,
        seats: seats.to_vec(),
        scores: ranks.iter().map(|rank| i64::from(2 - rank)).collect(),
        ranks,
        reason: "last-standing".to_owned(),
        causes: vec![None, None],
        details: vec![None, None],
        failed_turns: Vec::new(),
        skipped: Vec::new(),
        first_skipped: Vec::new(),
        turns: 100 + dice.below(100),
        slowest_us: vec![90, 80],
        answers: 200,
        disturbed: 0,
        times_us: vec![[30, 60, 90], [20, 50, 80]],
        metrics: vec![metrics.clone(), metrics],
    }
}

fn make_duel(matches: u64, path: &Path) {
    write_duel(&header(2, matches / 2, Plan::Duel), path);
}

fn make_parts(matches: u64, folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    for part in 1..=PARTS {
        let shard = Some(Shard { part, of: PARTS });
        write_duel(
            &RunHeader { shard, ..header(2, matches / 2, Plan::Duel) },
            &folder.join(part.to_string()),
        );
    }
}

fn write_duel(header: &RunHeader, path: &Path) {
    let mut file = BufWriter::new(File::create(path).unwrap());
    write_line(&mut file, header);
    let mut dice = Dice::new(1);
    for index in header.own_indices() {
        let seats = if index.is_multiple_of(2) { [0, 1] } else { [1, 0] };
        let first_wins = dice.below(100) < 50;
        write_line(&mut file, &line(index, seats, first_wins, &mut dice));
    }
    file.flush().unwrap();
}

/// The bots with lower numbers are better, by at most 400 Elo.
fn make_tournament(bots: usize, path: &Path) {
    let mut file = BufWriter::new(File::create(path).unwrap());
    let units = ROUNDS * Format::Swiss.units_per_round(bots, 2);
    write_line(&mut file, &header(bots, units, Plan::Tournament(Format::Swiss)));
    let mut dice = Dice::new(1);
    let mut games: Vec<GameResult> = Vec::new();
    let mut index = 0;
    for _ in 0..ROUNDS {
        for table in swiss::next_round(&games, bots, 2) {
            for seats in [[table[0], table[1]], [table[1], table[0]]] {
                let lead = 400.0 * (seats[1] as f64 - seats[0] as f64) / bots as f64;
                let first_wins = f64::from(dice.below(1000)) < 1000.0 / (1.0 + 10f64.powf(-lead / 400.0));
                let played = line(index, seats, first_wins, &mut dice);
                let ranks = played.ranks.iter().map(|&rank| u32::from(rank)).collect();
                games.push(GameResult { unit: index / 2, players: seats.to_vec(), ranks });
                write_line(&mut file, &played);
                index += 1;
            }
        }
    }
    file.flush().unwrap();
}

fn write_line(file: &mut impl Write, value: &impl serde::Serialize) {
    serde_json::to_writer(&mut *file, value).unwrap();
    file.write_all(b"\n").unwrap();
}

fn make_trace(turns: u64, path: &Path) {
    let game = catalog::find("hypersonic").unwrap();
    let file = Mutex::new(RecordFile::create(path).unwrap());
    game.simulate(&simulate::Plan {
        selected: game.select(&Selection::default()).unwrap(),
        first_seed: 1,
        // Random games have 16 or 17 turns.
        games: turns * 2 / 33,
        workers: 1,
        maps_only: false,
        done: &AtomicU64::new(0),
        record: Some(&|played| file.lock().unwrap().line(&played).unwrap()),
    });
    file.into_inner().unwrap().finish().unwrap();
}
