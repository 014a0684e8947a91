//! `agon merge`

use std::path::PathBuf;

use clap::Args;
use report::RunReport;
use serde_json::json;

use crate::Failure;
use crate::output::{note, print, print_json};

#[derive(Args, Debug)]
pub(crate) struct MergeArgs {
    /// The run file to write
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// The run files of the parts, in any order
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &MergeArgs) -> Result<(), Failure> {
    let merged = runs::merge(&args.out, &args.parts)?;
    let resume = shell_words::join(["agon", "resume", &args.out.display().to_string()]);
    if merged.separate_records {
        note("the records of the parts are in different folders; the merged run names none of them");
    }
    let report = RunReport::read(&args.out, None)?;
    if args.json {
        let missing: Vec<String> = merged.missing.iter().map(ToString::to_string).collect();
        return print_json(&json!({
            "run": args.out, "finished": merged.finished, "planned": merged.planned, "missing_parts": missing,
            "resume": resume, "report": report,
        }));
    }
    if !merged.missing.is_empty() {
        let parts: Vec<String> = merged.missing.iter().take(LISTED).map(ToString::to_string).collect();
        let more = if merged.missing.len() > LISTED { ", ..." } else { "" };
        note(&format!("missing: part {}{more}; {resume} plays the missing matches", parts.join(", ")));
    }
    print(&report.to_text())
}

/// Most missing parts that are listed.
const LISTED: usize = 20;
