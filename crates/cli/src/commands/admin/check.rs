//! `agon admin check` and `agon admin recompute`: check whether the stored data is consistent.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

use catalog::verify::Report;
use clap::Args;
use serde_json::json;
use server::config::Config;
use store::{Recomputed, Store};

use super::{open, wait};
use crate::Failure;
use crate::args::{threads, workers};
use crate::output::{print, print_json};
use crate::progress::with_progress;

/// Most faults that are printed.
const NAMED: usize = 10;
/// Matches that are read at once.
const CHUNK: i64 = 1000;

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// Also play every stored match again from its seed and answers, and compare how it ends
    #[arg(long)]
    replay: bool,
    /// Threads that replay [default: one per core]
    #[arg(long, short = 'j', value_name = "COUNT", value_parser = threads)]
    threads: Option<usize>,
}

pub(crate) fn check(config: &Config, args: &CheckArgs, json: bool) -> Result<(), Failure> {
    let (ratings, records, bad, replayed) = wait(async {
        let store = open(config).await?;
        let ratings = fold(&store, true).await?;
        let (records, bad) = check_records(&store).await?;
        let replayed = if args.replay { Some(replay(&store, args.threads).await?) } else { None };
        store.close().await;
        Ok((ratings, records, bad, replayed))
    })?;
    let mismatches = replayed.as_ref().map_or(0, |report| report.mismatches + report.unreadable_count);
    if json {
        print_json(&json!({
            "ratings": ratings, "records": records, "records_bad": bad.len(), "bad": bad,
            "replayed": replayed.as_ref().map(|report| json!({"games": report.games, "turns": report.turns, "mismatches": mismatches})),
        }))?;
    } else {
        let mut text = as_text(&ratings)?;
        writeln!(text, "{records} records, {} missing or damaged", bad.len())?;
        for fault in bad.iter().take(NAMED) {
            writeln!(text, "  {fault}")?;
        }
        if let Some(report) = &replayed {
            writeln!(
                text,
                "{} matches played again, {} turns, {mismatches} end otherwise",
                report.games, report.turns
            )?;
            for (_, mismatch) in &report.first {
                writeln!(text, "  {mismatch}")?;
            }
        }
        print(&text)?;
    }
    if ratings.different > 0 || !bad.is_empty() || mismatches > 0 { Err(Failure::No) } else { Ok(()) }
}

pub(crate) fn recompute(config: &Config, json: bool) -> Result<(), Failure> {
    let done = wait(async {
        let store = open(config).await?;
        let done = fold(&store, false).await?;
        store.close().await;
        Ok(done)
    })?;
    if json { print_json(&done) } else { print(&as_text(&done)?) }
}

async fn fold(store: &Store, check: bool) -> Result<Recomputed, Failure> {
    let total = store.counts().await?.matches;
    let done = AtomicU64::new(0);
    let progress = |now: i64, _: i64| done.store(now as u64, Ordering::Relaxed);
    let folding = store.recompute(check, &progress);
    // A separate thread draws the progress from a counter.
    let found = tokio::task::block_in_place(|| {
        with_progress(Some(total as u64), "results", |seen| {
            tokio::runtime::Handle::current().block_on(async {
                tokio::pin!(folding);
                let mut look = tokio::time::interval(std::time::Duration::from_millis(100));
                loop {
                    tokio::select! {
                        found = &mut folding => break found,
                        _ = look.tick() => seen.store(done.load(Ordering::Relaxed), Ordering::Relaxed),
                    }
                }
            })
        })
    });
    Ok(found?)
}

fn as_text(found: &Recomputed) -> Result<String, Failure> {
    let mut text = format!(
        "{} results folded, {} standings, {} ratings differed\n",
        found.matches, found.standings, found.different
    );
    for difference in found.first.iter().take(NAMED) {
        writeln!(text, "  {}: kept {}, computed {}", difference.place, difference.stored, difference.folded)?;
    }
    Ok(text)
}

/// Reads every record that a match names; reading compares the digest.
async fn check_records(store: &Store) -> Result<(u64, Vec<String>), Failure> {
    let (mut seen, mut bad) = (0, Vec::new());
    for contest in store.contests().await? {
        let mut after = 0;
        loop {
            let rows = store.matches_of_contest(contest.id, after, CHUNK).await?;
            let Some(last) = rows.last().and_then(|row| row.seq) else { break };
            after = last;
            for row in rows {
                let Some(digest) = row.record else { continue };
                seen += 1;
                if let Err(error) = store.read_record(&digest).await {
                    bad.push(format!("match {}: {error}", row.id));
                }
            }
        }
    }
    Ok((seen, bad))
}

/// Plays every stored match again.
async fn replay(store: &Store, threads: Option<usize>) -> Result<Report, Failure> {
    let digests = store.record_digests().await?;
    let read = |number: usize| store.records().get(&digests[number]).map_err(std::io::Error::other);
    Ok(tokio::task::block_in_place(|| {
        with_progress(Some(digests.len() as u64), "replayed", |done| {
            catalog::verify::records(digests.len(), read, workers(threads), done)
        })
    }))
}
