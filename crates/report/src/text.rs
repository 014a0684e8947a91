//! The summary for the terminal.

use std::fmt::{self, Write as _};

use crate::charts::number;
use crate::clean::{clean, counted, short, thousands};
use crate::moments::Moment;
use crate::run_report::RunReport;
use crate::standing::answer;
use crate::verdict::Verdict;

/// Most failures and losses in the summary.
const LISTED: usize = 5;
/// Most rows of a table and most players of a list.
const MOST_ROWS: usize = 40;
const MOST_PLAYERS: usize = 12;

/// Writes the summary. All text of bots in it was cleaned when it was read.
pub(crate) fn text(findings: &RunReport) -> Result<String, fmt::Error> {
    let mut text = String::new();
    head(&mut text, findings)?;
    verdict(&mut text, findings)?;
    failures(&mut text, findings)?;
    play(&mut text, findings)?;
    if !findings.worst_losses.is_empty() {
        writeln!(text, "\nworst losses:")?;
        moments(&mut text, findings, &findings.worst_losses)?;
    }
    Ok(text)
}

fn head(text: &mut String, findings: &RunReport) -> fmt::Result {
    writeln!(
        text,
        "{}, league {} ({}), edition {}, {} players; {} clock, box {}",
        findings.title,
        findings.league,
        findings.league_name,
        findings.edition,
        findings.players,
        findings.clock,
        findings.sandbox
    )?;
    let state = if findings.complete { "complete" } else { "not complete" };
    writeln!(
        text,
        "{}, {state}: {} of {} matches, seeds {} to {}",
        findings.kind,
        thousands(findings.finished as i64),
        thousands(findings.planned as i64),
        findings.first_seed,
        findings.last_seed
    )?;
    if findings.uncounted > 0 {
        writeln!(text, "{} matches after the decision count for nothing", findings.uncounted)?;
    }
    if findings.torn {
        writeln!(text, "the file ends within a line; that match is not counted")?;
    }
    if !findings.complete {
        writeln!(text, "go on: {}", findings.resume)?;
    }
    Ok(())
}

fn verdict(text: &mut String, findings: &RunReport) -> fmt::Result {
    writeln!(text)?;
    match &findings.verdict {
        Verdict::Duel { report, .. } => {
            for line in report.to_string().lines() {
                writeln!(text, "{}", clean(line))?;
            }
        }
        Verdict::Table { rows, .. } => {
            writeln!(
                text,
                "  #  {:<28} {:>6} {:>14} {:>14} {:>7} {:>6} {:>6} {:>6} {:>5}",
                "bot", "Elo", "95 %", "points", "games", "won", "drawn", "lost", "fail"
            )?;
            for (rank, row) in (1..).zip(rows).take(MOST_ROWS) {
                let points = format!(
                    "{:.1} ({:.0} %)",
                    row.points,
                    100.0 * row.points / row.comparisons.max(1) as f64
                );
                writeln!(
                    text,
                    "{rank:>3}  {:<28} {:>+6.0} {:>14} {points:>14} {:>7} {:>6} {:>6} {:>6} {:>5}",
                    short(&row.name, 28),
                    row.elo.value,
                    format!("[{:+.0}, {:+.0}]", row.elo.low, row.elo.high),
                    row.games,
                    row.wins,
                    row.draws,
                    row.losses,
                    row.failures
                )?;
            }
            if rows.len() > MOST_ROWS {
                writeln!(text, "     ... and {} more", rows.len() - MOST_ROWS)?;
            }
        }
        Verdict::Tune { parameters, confirmed, baseline, .. } => {
            for parameter in parameters {
                let words = parameter.seen.state.words();
                let state = if words.is_empty() { String::new() } else { format!("; {words}") };
                writeln!(
                    text,
                    "{}: {} at the start, {} found{state}",
                    parameter.name, parameter.start, parameter.found
                )?;
            }
            for report in confirmed.iter().chain(baseline) {
                for line in report.to_string().lines() {
                    writeln!(text, "{}", clean(line))?;
                }
            }
        }
    }
    writeln!(text, "{}", answer(findings))
}

fn failures(text: &mut String, findings: &RunReport) -> fmt::Result {
    let failures = &findings.failures;
    if failures.total == 0 {
        return writeln!(text, "\nno bot failed");
    }
    writeln!(text, "\n{} of bots:", counted(failures.total, "failure", "failures"))?;
    for (player, cause, count) in failures.kinds.iter().take(MOST_PLAYERS) {
        writeln!(
            text,
            "  {}: {} in {}",
            findings.name(*player),
            clean(cause),
            counted(*count, "match", "matches")
        )?;
    }
    moments(text, findings, &failures.listed)
}

fn moments(text: &mut String, findings: &RunReport, moments: &[Moment]) -> fmt::Result {
    for moment in moments.iter().take(LISTED) {
        writeln!(
            text,
            "  {}, seat {}, match {}, {}: {}",
            short(findings.name(moment.player), 40),
            moment.seat,
            moment.index,
            moment.when,
            short(&moment.detail, 200)
        )?;
        for command in moment.replay.iter().chain(&moment.watch) {
            writeln!(text, "    {command}")?;
        }
    }
    Ok(())
}

fn play(text: &mut String, findings: &RunReport) -> fmt::Result {
    writeln!(
        text,
        "\nlength: median {} turns, longest {}",
        findings.lengths.median, findings.lengths.longest
    )?;
    let limit = findings.times.limit_ms.map_or_else(String::new, |limit| format!(" of {limit} ms"));
    for player in findings.order().into_iter().take(MOST_PLAYERS) {
        let times = &findings.times.players[player];
        let name = short(findings.name(player), 40);
        let Some(longest) = &times.longest else { continue };
        if longest.max <= 0.0 {
            writeln!(text, "time of {name}: not measured, it plays in memory")?;
            continue;
        }
        match &times.median {
            Some(median) => writeln!(
                text,
                "time of {name}: usually {} ms, slowest {} ms{limit}",
                number(median.p50 / 1000.0),
                number(longest.max / 1000.0)
            )?,
            None => writeln!(text, "time of {name}: slowest {} ms{limit}", number(longest.max / 1000.0))?,
        }
    }
    let players = if findings.kind == "duel" { vec![0] } else { findings.order() };
    for player in players.into_iter().take(MOST_PLAYERS) {
        let shares = findings.by_seat.groups.iter().filter_map(|group| {
            let share = group.shares[player]?;
            Some(format!("{:.0} % in seat {}", 100.0 * share.points.value, group.range.0))
        });
        let shares: Vec<String> = shares.collect();
        if !shares.is_empty() {
            writeln!(text, "points of {}: {}", short(findings.name(player), 40), shares.join(", "))?;
        }
    }
    Ok(())
}
