//! `agon report`

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use replay::replay_of;
use replay::wire::Replay;
use report::{RunReport, clean};
use review::Recording;
use serde_json::json;
use viewer::self_contained;

use crate::Failure;
use crate::args::workers;
use crate::output::{note, print, print_json};
use crate::progress::with_progress;

#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// The run file of a duel, a tournament or a tuning; it is only read, and may still be written to
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Where the page goes [default: the name of the run with .html]
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// The folder with the records of the matches, INDEX.json.gz each [default: the one that the run names]
    #[arg(long, value_name = "FOLDER")]
    records: Option<PathBuf>,
    /// How many of the worst losses get an analysed replay: a page of its own in a folder beside the page
    #[arg(long, value_name = "COUNT", default_value_t = 3)]
    replays: usize,
    /// Print JSON instead of the summary
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &ReportArgs) -> Result<(), Failure> {
    let page = args.html.clone().unwrap_or_else(|| args.run.with_extension("html"));
    if page == args.run {
        return Err(Failure::Unusable(format!(
            "the page would replace the run {}; choose another place with --html",
            args.run.display()
        )));
    }
    if let Some(folder) = args.records.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(Failure::Unusable(format!("there is no folder {} with records", folder.display())));
    }
    let mut findings = RunReport::read(&args.run, args.records.as_deref())?;
    add_replays(&mut findings, &page, args.replays)?;
    write(&page, &findings.to_page(&page))?;
    if args.json {
        return print_json(&json!({ "page": page, "report": findings }));
    }
    let place = clean(&page.display().to_string());
    print(&format!("{}\npage with charts: {place}\n", findings.to_text()))
}

/// Analyses the worst losses that have records and writes a page for each.
fn add_replays(findings: &mut RunReport, page: &Path, most: usize) -> Result<(), Failure> {
    let mut losses = findings.recorded_losses();
    losses.truncate(most);
    if losses.is_empty() {
        return Ok(());
    }
    let stem = page.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = page.with_file_name(format!("{stem}-replays"));
    fs::create_dir_all(&folder)
        .map_err(|error| Failure::Unusable(format!("{} cannot be made: {error}", folder.display())))?;
    with_progress(Some(losses.len() as u64), "replays", |done| {
        for (index, seat, record) in losses {
            match analysed(&record) {
                Ok(replay) => {
                    let found = replay.analysis.iter().flat_map(|analysis| &analysis.moments);
                    let turn = found.filter(|moment| moment.seat == seat).map(|moment| moment.turn).next();
                    let file = folder.join(format!("{index}.html"));
                    write(&file, &self_contained(&[replay])?)?;
                    findings.link_replay(index, &file, turn);
                }
                // The report is of use without this replay.
                Err(why) => note(&format!("match {index} has no replay: {}", clean(&why))),
            }
            done.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    })
}

/// The replay of a record with its analysis.
fn analysed(record: &Path) -> Result<Replay, String> {
    let opened = review::open(&record.display().to_string()).map_err(|error| error.to_string())?;
    let kept = review::kept_analysis(&opened.path, opened.line, &opened.played);
    let replay = replay_of(&opened.played).map_err(|error| error.to_string())?;
    let analysis = match kept {
        Some(analysis) => analysis,
        None => {
            let recording = Recording::of(opened.played).map_err(|error| error.to_string())?;
            review::analyse(&recording, 1, workers(None), &AtomicU64::new(0))
                .map_err(|error| error.to_string())?
        }
    };
    Ok(Replay { analysis: Some(analysis), ..replay })
}

/// Replaces a page atomically: a reader sees the old or the new one.
fn write(page: &Path, text: &str) -> Result<(), Failure> {
    let unwritable = |error| Failure::Unusable(format!("{} cannot be written: {error}", page.display()));
    let mut draft = page.as_os_str().to_owned();
    draft.push(format!(".{}", std::process::id()));
    let draft = PathBuf::from(draft);
    let written = fs::write(&draft, text).and_then(|()| fs::rename(&draft, page));
    if written.is_err() {
        // A partial file is of no use. If it cannot be removed, the first error is still the one to report.
        let _ = fs::remove_file(&draft);
    }
    written.map_err(unwritable)
}
