//! `agon admin backup` and `agon admin restore`

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use server::config::Config;
use store::Store;

use super::{open, wait};
use crate::Failure;
use crate::commands::serve;
use crate::output::{note, print, print_json};

#[derive(Args, Debug)]
pub(crate) struct BackupArgs {
    /// The folder to write; it must not be there yet
    #[arg(value_name = "FOLDER")]
    to: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct RestoreArgs {
    /// A folder that `agon admin backup` wrote
    #[arg(value_name = "FOLDER")]
    from: PathBuf,
}

pub(crate) fn backup(config: &Config, args: &BackupArgs, json: bool) -> Result<(), Failure> {
    note(&format!("writing {}", args.to.display()));
    let report = wait(async {
        let store = open(config).await?;
        let report = store.backup(&args.to, server::now_ms()).await?;
        store.close().await;
        Ok(report)
    })?;
    let to = args.to.display().to_string();
    if json {
        return print_json(&json!({"folder": to, "rows": report.rows, "records": report.records}));
    }
    print(&format!(
        "{to}: {} rows and {} records; it holds password hashes and sources, so keep it to yourself\n",
        report.rows, report.records
    ))
}

pub(crate) fn restore(config: &Config, args: &RestoreArgs, json: bool) -> Result<(), Failure> {
    let _alone = serve::take(&config.data)?;
    note(&format!("reading {}", args.from.display()));
    let report = wait(async {
        let url = config.database.url();
        let records = config.records.clone();
        let (store, report) = Store::restore(url, records, &args.from, server::now_ms()).await?;
        store.close().await;
        Ok(report)
    })?;
    if json {
        return print_json(&report);
    }
    print(&format!(
        "{} rows and {} records were restored; `agon admin check` compares them with themselves\n",
        report.rows, report.records
    ))
}
