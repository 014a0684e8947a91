//! `agon admin`: works on the stored data of an arena, without the site.

mod backup;
mod check;
mod export;
mod report;
mod users;

use std::future::Future;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;
use server::config::{Config, Settings};
use store::Store;

use crate::Failure;
use crate::output::{print, print_json};

#[derive(Args, Debug)]
pub(crate) struct AdminArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    what: What,
}

/// The data folder and the database of the arena.
#[derive(Args, Debug)]
pub(crate) struct PlaceArgs {
    /// Settings in TOML [default: agon.toml in this folder, if there is one] [env: `AGON_CONFIG`]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The data folder, as for `agon serve` [env: `AGON_DATA`]
    #[arg(long, global = true, value_name = "FOLDER")]
    data: Option<String>,
    /// The database, as for `agon serve` [env: `AGON_DATABASE`]
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Write everything, as of one moment, into a folder; the site may run meanwhile
    Backup(backup::BackupArgs),
    /// Fill an empty database and data folder from a backup
    Restore(backup::RestoreArgs),
    /// Check the stored data: ratings against the results, records against their digests; exit code 1 when something
    /// is wrong
    Check(check::CheckArgs),
    /// Compute all ratings afresh from the results, and write them; results wait meanwhile
    Recompute,
    /// Write a contest as CSV, JSON and records
    Export(export::ExportArgs),
    /// List pairs of bots of different accounts that deserve a look: unlikely results, similar sources
    Report,
    /// Remove records that no match refers to, old sessions and old attempts
    Sweep,
    /// Accounts: list, add, reset a password, change the role, lock out
    #[command(subcommand)]
    User(users::UserCommand),
}

pub(crate) fn run(args: &AdminArgs) -> Result<(), Failure> {
    let config = args.place.read()?;
    match &args.what {
        What::Backup(what) => backup::backup(&config, what, args.json),
        What::Restore(what) => backup::restore(&config, what, args.json),
        What::Check(what) => check::check(&config, what, args.json),
        What::Recompute => check::recompute(&config, args.json),
        What::Export(what) => export::export(&config, what, args.json),
        What::Report => report::report(&config, args.json),
        What::Sweep => sweep(&config, args.json),
        What::User(what) => users::run(&config, what, args.json),
    }
}

impl PlaceArgs {
    fn read(&self) -> Result<Config, Failure> {
        let flags = [("data", self.data.clone()), ("database", self.database.clone())];
        Ok(Settings::read(self.config.as_deref(), flags)?)
    }
}

/// Runs an asynchronous operation on the database.
fn wait<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(work)
}

/// Opens the store of an existing arena. A missing store is not created: most likely the folder was mistyped.
async fn open(config: &Config) -> Result<Store, Failure> {
    let url = config.database.url();
    if let Some(path) = url.strip_prefix("sqlite:")
        && !PathBuf::from(path).exists()
    {
        return Err(Failure::Unusable(format!(
            "there is no arena: {path} does not exist; say where it is with --data, --database or --config"
        )));
    }
    Ok(Store::open_with_records(url, config.records.clone(), server::now_ms()).await?)
}

fn sweep(config: &Config, json: bool) -> Result<(), Failure> {
    let removed = wait(async {
        let store = open(config).await?;
        let removed = store.sweep(server::now_ms()).await?;
        store.close().await;
        Ok(removed)
    })?;
    if json {
        return print_json(&json!({"records_removed": removed}));
    }
    print(&format!("{removed} records that nobody referred to were removed, and old sessions and attempts\n"))
}
