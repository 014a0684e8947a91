//! `agon report`

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use report::{RunReport, clean};
use serde_json::json;

use crate::Failure;
use crate::output::{print, print_json};

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
    let findings = RunReport::read(&args.run, args.records.as_deref())?;
    write(&page, &findings.to_page(&page))?;
    if args.json {
        return print_json(&json!({ "page": page, "report": findings }));
    }
    let place = clean(&page.display().to_string());
    print(&format!("{}\npage with charts: {place}\n", findings.to_text()))
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
