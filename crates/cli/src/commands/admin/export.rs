//! `agon admin export`

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use catalog::record::{Entry, Played};
use clap::Args;
use serde_json::json;
use server::config::Config;
use store::{BoardQuery, Contest, Ladder, MatchRow, Store};

use super::{open, wait};
use crate::Failure;
use crate::commands::play::clean;
use crate::output::{print, print_json};
use crate::progress::with_progress;
use crate::records;

/// Rows that are read at once.
const CHUNK: i64 = 100;

#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// Key of the contest; the standing one is `arena`
    contest: String,
    /// The folder to write to; it is made, and must not hold an export yet
    #[arg(long, value_name = "FOLDER")]
    to: PathBuf,
    /// Leave the records of the matches out
    #[arg(long)]
    no_records: bool,
}

pub(crate) fn export(config: &Config, args: &ExportArgs, json: bool) -> Result<(), Failure> {
    let files = ["contest.json", "boards.csv", "matches.csv", "matches.jsonl"];
    if files.iter().any(|file| args.to.join(file).exists()) {
        return Err(Failure::Unusable(format!(
            "{} holds an export already, and nothing is overwritten; name another folder",
            args.to.display()
        )));
    }
    fs::create_dir_all(&args.to).map_err(|error| unwritable(&args.to, &error))?;
    let (matches, records) = with_progress(None, "matches", |done| {
        wait(async {
            let store = open(config).await?;
            let contest = store.contest_by_key(&args.contest).await?.ok_or_else(|| {
                Failure::Unusable(format!("there is no contest `{}`", game::quote(args.contest.as_bytes())))
            })?;
            write_boards(&store, &contest, &args.to).await?;
            let written = write_matches(&store, &contest, args, done).await?;
            store.close().await;
            Ok(written)
        })
    })?;
    let to = args.to.display().to_string();
    if json {
        return print_json(&json!({"folder": to, "matches": matches, "records": records}));
    }
    print(&format!(
        "{to}: contest.json, boards.csv, matches.csv and matches.jsonl ({matches} matches), {records} records\n"
    ))
}

/// Writes the contest and all its boards, from the first place to the last.
async fn write_boards(store: &Store, contest: &Contest, folder: &Path) -> Result<(), Failure> {
    let mut table = Table::create(
        &folder.join("boards.csv"),
        &[
            "game",
            "tier",
            "players",
            "kind",
            "place",
            "bot",
            "built_in",
            "rating",
            "uncertainty",
            "proven",
            "games",
            "wins",
            "draws",
            "losses",
            "failures",
        ],
    )?;
    let mut ladders: Vec<Ladder> = Vec::new();
    for game in catalog::games() {
        ladders.extend(store.ladders(contest.id, game.info().name).await?);
    }
    for ladder in ladders.iter().filter(|ladder| ladder.kind.counts()) {
        for page in 0.. {
            let query = BoardQuery { page, size: CHUNK, search: String::new() };
            let board = store.leaderboard(ladder.id, &query).await?;
            for row in &board.rows {
                table.row(&[
                    ladder.game.clone(),
                    ladder.tier.to_string(),
                    ladder.players.to_string(),
                    ladder.kind.word().to_owned(),
                    row.place.to_string(),
                    plain(&row.name),
                    u8::from(row.built_in.is_some()).to_string(),
                    row.tally.rating.to_string(),
                    row.tally.uncertainty.to_string(),
                    row.tally.proven.to_string(),
                    row.tally.games.to_string(),
                    row.tally.wins.to_string(),
                    row.tally.draws.to_string(),
                    row.tally.losses.to_string(),
                    row.tally.failures.to_string(),
                ])?;
            }
            if (board.rows.len() as i64) < CHUNK {
                break;
            }
        }
    }
    table.finish()?;
    let path = folder.join("contest.json");
    let text = serde_json::to_string_pretty(&json!({"contest": contest, "ladders": ladders}))?;
    fs::write(&path, text + "\n").map_err(|error| unwritable(&path, &error))
}

/// Writes every match, a line for each seat, in the order of the results, and its record.
async fn write_matches(
    store: &Store,
    contest: &Contest,
    args: &ExportArgs,
    done: &AtomicU64,
) -> Result<(u64, u64), Failure> {
    let mut table = Table::create(
        &args.to.join("matches.csv"),
        &[
            "match",
            "order",
            "game",
            "tier",
            "kind",
            "seed",
            "finished",
            "seat",
            "bot",
            "version",
            "score",
            "rank",
            "cause",
            "side_quest",
            "rating",
            "record",
        ],
    )?;
    let lines_path = args.to.join("matches.jsonl");
    let lines = File::create_new(&lines_path).map_err(|error| unwritable(&lines_path, &error))?;
    let mut lines = BufWriter::new(lines);
    let folder = args.to.join("records");
    if !args.no_records {
        fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
    }
    let (mut after, mut matches, mut copied) = (0, 0, 0);
    loop {
        let rows = store.matches_of_contest(contest.id, after, CHUNK).await?;
        let Some(last) = rows.last().and_then(|row| row.seq) else { break };
        after = last;
        for row in &rows {
            write_seats(&mut table, row)?;
            let written = serde_json::to_string(row).map_err(std::io::Error::from);
            let written = written.and_then(|text| writeln!(lines, "{text}"));
            written.map_err(|error| unwritable(&lines_path, &error))?;
            matches += 1;
            done.store(matches, Ordering::Relaxed);
            if let Some(digest) = row.record.as_deref().filter(|_| !args.no_records) {
                let path = folder.join(format!("{}.json.gz", row.id));
                let record = public_record(&store.read_record(digest).await?, row)?;
                records::write_one(&path, &record)?;
                copied += 1;
            }
        }
    }
    lines.flush().map_err(|error| unwritable(&lines_path, &error))?;
    table.finish()?;
    Ok((matches, copied))
}

/// The public form of a record.
fn public_record(text: &[u8], row: &MatchRow) -> Result<Played, Failure> {
    let Entry::Played(mut played) = catalog::record::read(text)? else {
        return Err(Failure::Unusable(format!("the record of match {} is not of a match", row.id)));
    };
    let names: Vec<&str> = row.seats.iter().map(|seat| seat.name.as_str()).collect();
    replay::redact::record(&mut played, &names, &[]);
    Ok(*played)
}

/// A text that a spreadsheet would read as a formula gets a prefix.
fn plain(text: &str) -> String {
    let text = clean(text);
    if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text }
}

fn write_seats(table: &mut Table, row: &MatchRow) -> Result<(), Failure> {
    let or_nothing = |number: Option<i64>| number.map_or_else(String::new, |number| number.to_string());
    let real = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    for seat in &row.seats {
        table.row(&[
            row.id.to_string(),
            or_nothing(row.seq),
            row.game.clone(),
            row.tier.to_string(),
            row.kind.word().to_owned(),
            row.seed.to_string(),
            or_nothing(row.finished),
            seat.seat.to_string(),
            plain(&seat.name),
            seat.number.to_string(),
            or_nothing(seat.score),
            or_nothing(seat.rank),
            seat.cause.clone().unwrap_or_default(),
            real(seat.side_quest),
            real(seat.rating),
            row.record.clone().unwrap_or_default(),
        ])?;
    }
    Ok(())
}

/// A CSV file.
struct Table {
    path: PathBuf,
    file: csv::Writer<File>,
}

impl Table {
    fn create(path: &Path, head: &[&str]) -> Result<Table, Failure> {
        let file = File::create_new(path).map_err(|error| unwritable(path, &error))?;
        let mut table = Table { path: path.to_owned(), file: csv::Writer::from_writer(file) };
        table.row(head)?;
        Ok(table)
    }

    fn row<T: AsRef<str>>(&mut self, cells: &[T]) -> Result<(), Failure> {
        let written = self.file.write_record(cells.iter().map(|cell| cell.as_ref().as_bytes()));
        written.map_err(|error| unwritable(&self.path, &error))
    }

    fn finish(mut self) -> Result<(), Failure> {
        self.file.flush().map_err(|error| unwritable(&self.path, &error))
    }
}

fn unwritable(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Unusable(format!("{} cannot be written: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_not_formulas_of_spreadsheets() {
        assert_eq!([plain("=1+1"), plain("ada")], ["'=1+1", "ada"]);
    }
}
