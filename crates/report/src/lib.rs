//! Reports of runs.
//!
//! [`RunReport::read`] reads a run file once, without changing it, and computes everything: the verdict, ratings over
//! games, scores, lengths, times, metrics of bots, outcomes by seat and map, failures and the worst losses. It has
//! three forms: [`RunReport::to_text`] for a terminal, [`RunReport::to_page`] for a browser (one file with its
//! pictures, which loads nothing from any host), and its JSON.
//!
//! Everything in a run may come from a hostile bot, and the file itself from a stranger: text is cleaned when it is
//! read and escaped when it is written, numbers are bounded.

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
    /// The page for the path `place`; links to records are relative to it.
    pub fn to_page(&self, place: &Path) -> String {
        page::page(self, place)
    }

    /// The summary for a terminal.
    pub fn to_text(&self) -> String {
        text::text(self).unwrap_or_default()
    }
}
