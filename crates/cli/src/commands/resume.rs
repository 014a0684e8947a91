//! `agon resume`

use std::path::PathBuf;

use clap::Args;
use runs::{Plan, Run};
use sandbox::Sandbox;

use crate::Failure;
use crate::commands::play::prepare;
use crate::commands::series::{Series, SeriesArgs};
use crate::commands::{duel, tournament, tune};

#[derive(Args, Debug)]
pub(crate) struct ResumeArgs {
    /// The run file
    #[arg(value_name = "RUN")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) how: SeriesArgs,
}

pub(crate) fn run(args: &ResumeArgs) -> Result<(), Failure> {
    let mut run = Run::open(&args.file)?;
    let sandbox = Sandbox::new(Some(run.header.sandbox))?;
    let bots = prepare(&run.header.game, &run.header.bots, &sandbox)?;
    if run.header.names.is_empty() {
        run.header.names = bots.iter().map(|bot| bot.name.clone()).collect();
    }
    let plan = run.header.plan.clone();
    let series = Series::new(run, sandbox, &args.how)?;
    match plan {
        Plan::Duel => duel::go_on(series, &bots),
        Plan::Tournament(_) => tournament::go_on(series, &bots, None),
        Plan::Tune(tuning) => tune::go_on(series, &bots, &tuning),
    }
}
