//! `agon admin report`: pairs of bots of different accounts that deserve a look.

use std::fmt::Write as _;

use contest::{PairReport, ReportedBot};
use server::config::Config;

use super::{open, wait};
use crate::Failure;
use crate::output::{print, print_json};

pub(crate) fn report(config: &Config, json: bool) -> Result<(), Failure> {
    let report = wait(async {
        let store = open(config).await?;
        let report = contest::pair_report(&store).await?;
        store.close().await;
        Ok(report)
    })?;
    if json { print_json(&report) } else { print(&as_text(&report)?) }
}

fn as_text(report: &PairReport) -> Result<String, Failure> {
    let name = |bot: &ReportedBot| format!("{} (bot {})", game::text::safe_line(&bot.name, 60), bot.id);
    let mut text = format!(
        "Results that are unlikely for the ratings: {} of {} pairs of bots of different accounts\n",
        report.results.len(),
        report.judged
    );
    for pair in &report.results {
        let [a, b] = pair.bots.each_ref().map(name);
        writeln!(
            text,
            "  {}: {a} was above {b} in {} of {} decided matches; {:.1} expected, p = {:.1e}",
            pair.bots[0].game,
            pair.above[0],
            pair.above[0] + pair.above[1],
            pair.expected,
            pair.p_value
        )?;
    }
    writeln!(
        text,
        "Similar sources: {} pairs among {} active versions, starter bots not counted",
        report.similar.len(),
        report.sources
    )?;
    for pair in &report.similar {
        let [a, b] = pair.bots.each_ref().map(name);
        writeln!(text, "  {}: {a} and {b}, {:.0} % in common", pair.bots[0].game, 100.0 * pair.similarity)?;
    }
    writeln!(text, "Accounts from one network, of the last 30 days: {} groups", report.neighbours.len())?;
    for group in &report.neighbours {
        let names: Vec<String> =
            group.iter().map(|account| game::text::safe_line(&account.name, 60)).collect();
        writeln!(text, "  {}", names.join(", "))?;
    }
    text += "\nThis report is no verdict: some pairs are unlikely by chance, ratings are estimates, and similar sources\n\
             may have a common teacher. A school or a company is one network. Look at the matches and talk to the authors.\n";
    Ok(text)
}
