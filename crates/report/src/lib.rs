//! Reports of runs.
//!
//! [`RunReport::read`] reads a run file once, without changing it, and works everything out: the verdict, ratings over games,
//! scores, lengths, times, what bots wrote about themselves, outcomes by seat and map, failures and the worst losses. Three
//! ways to write it: [`RunReport::to_text`] for a terminal, [`RunReport::to_page`] for a browser (one file, pictures drawn here, nothing
//! asked of any host), and its JSON.
//!
//! Everything in a run may come from a hostile bot, and the file itself from a stranger: text is cleaned when it is read and escaped when
//! it is written, numbers are bounded.

mod charts;
mod clean;
mod gather;
mod histograms;
mod moments;
mod names;
mod numbers;
mod outcomes;
mod page;
mod run_report;
mod standing;
mod svg;
mod text;
mod verdict;

use std::path::Path;

pub use clean::clean;
pub use run_report::RunReport;

impl RunReport {
    /// The page that will stand at `place`; links to records start from there.
    pub fn to_page(&self, place: &Path) -> String {
        page::page(self, place)
    }

    /// The summary for a terminal.
    pub fn to_text(&self) -> String {
        text::text(self).unwrap_or_default()
    }
}
