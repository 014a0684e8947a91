//! The verdict on the page: a sentence, then the block of a duel, the tables of a tournament or the parameters of a
//! tuning.

use rating::Score;

use crate::charts::{self, interval, number};
use crate::clean::{html, put, short};
use crate::page::figures_grid;
use crate::run_report::RunReport;
use crate::verdict::{Row, Verdict};

/// Most players of a matrix: a larger one would be unreadable.
const MOST_MATRIX: usize = 40;
/// Most charts of parameters.
const MOST_PARAMETERS: usize = 24;

/// The verdict of the page.
pub(crate) fn section(body: &mut String, findings: &RunReport) {
    body.push_str("<section id=\"verdict\">\n<h2>Verdict</h2>\n");
    put(body, format_args!("<p class=\"answer\">{}</p>\n", html(&answer(findings))));
    match &findings.verdict {
        Verdict::Duel { report, .. } => put(body, format_args!("<pre>{}</pre>\n", block(report))),
        Verdict::Table { rows, against, .. } => {
            table(body, rows);
            matrix(body, findings, rows, against);
        }
        Verdict::Tune { parameters, confirmed, baseline, .. } => {
            for report in confirmed.iter().chain(baseline) {
                put(body, format_args!("<pre>{}</pre>\n", block(report)));
            }
            figures_grid(body, parameters.iter().take(MOST_PARAMETERS).map(charts::parameter), false);
        }
    }
    body.push_str("</section>\n");
}

/// The block that testers paste, line by line; a name cannot begin another line.
fn block(report: &rating::Report) -> String {
    report.to_string().lines().map(html).collect::<Vec<_>>().join("\n")
}

/// The verdict in a sentence.
pub(crate) fn answer(findings: &RunReport) -> String {
    match &findings.verdict {
        Verdict::Duel { report, decision } => {
            let (first, second) = (findings.name(0), findings.name(1));
            if let (Some(decision), Some(state)) = (decision, &report.sprt) {
                return state.test.verdict(first, *decision);
            }
            match &report.elo {
                _ if report.games == 0 => "No pair of games is finished yet.".to_owned(),
                elo if elo.low > 0.0 => format!("{first} is better than {second}: {} Elo", interval(elo)),
                elo if elo.high < 0.0 => format!("{first} is worse than {second}: {} Elo", interval(elo)),
                elo => format!(
                    "Nobody can tell yet whether {first} or {second} is better: {} Elo",
                    interval(elo)
                ),
            }
        }
        Verdict::Table { rows, lead, .. } => match (rows.as_slice(), lead) {
            _ if findings.finished == 0 => "No match is finished yet.".to_owned(),
            ([best, next, ..], Some(lead)) if lead.low > 0.0 => {
                format!("{} is the best: {} Elo above {}", best.name, interval(lead), next.name)
            }
            ([best, next, ..], Some(lead)) => {
                format!(
                    "{} is first, but may not be better than {}: {} Elo",
                    best.name,
                    next.name,
                    interval(lead)
                )
            }
            _ => String::new(),
        },
        Verdict::Tune { iterations, done, confirmed, against, baseline, .. } => match confirmed {
            Some(report) => {
                let opponent = against.as_deref().unwrap_or("the start");
                let before = baseline.as_ref().map_or_else(String::new, |report| {
                    format!(", the start against it: {} Elo", interval(&report.elo))
                });
                format!("What was found against {opponent}: {} Elo{before}", interval(&report.elo))
            }
            None => format!("{done} of {iterations} steps are made"),
        },
    }
}

fn table(body: &mut String, rows: &[Row]) {
    body.push_str(
        "<div class=\"scroll\"><table>\n<tr><th>#</th><th class=\"name\">bot</th><th>Elo</th><th>95 %</th><th>points</th><th>games</th>\
         <th>won</th><th>drawn</th><th>lost</th><th>failures</th></tr>\n",
    );
    for (rank, row) in (1..).zip(rows) {
        let (player, name) = (row.player, html(&row.name));
        let share = 100.0 * row.points / row.comparisons.max(1) as f64;
        put(
            body,
            format_args!(
                "<tr class=\"s{player}\"><td>{rank}</td><td class=\"name\"><span class=\"swatch c{}\"></span><bdi>{name}</bdi></td>\
                 <td>{:+.0}</td><td>{:+.0} to {:+.0}</td><td>{} ({share:.1} %)</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                player % 8,
                row.elo.value,
                row.elo.low,
                row.elo.high,
                number(row.points),
                row.games,
                row.wins,
                row.draws,
                row.losses,
                row.failures
            ),
        );
    }
    body.push_str("</table></div>\n");
}

fn matrix(body: &mut String, findings: &RunReport, rows: &[Row], against: &[Vec<Score>]) {
    body.push_str("<h3>Head to head: share of points of the row against the column</h3>\n");
    if rows.len() > MOST_MATRIX {
        put(body, format_args!("<p class=\"soft\">The first {MOST_MATRIX} of {} bots.</p>\n", rows.len()));
    }
    let shown = &rows[..rows.len().min(MOST_MATRIX)];
    body.push_str("<div class=\"scroll\"><table class=\"matrix\">\n<tr><th></th><th class=\"name\"></th>");
    for rank in 1..=shown.len() {
        put(body, format_args!("<th>{rank}</th>"));
    }
    body.push_str("</tr>\n");
    for (rank, row) in (1..).zip(shown) {
        let (player, name) = (row.player, html(&row.name));
        put(
            body,
            format_args!("<tr class=\"s{player}\"><th>{rank}</th><td class=\"name\"><bdi>{name}</bdi></td>"),
        );
        for other in shown {
            let score = against[row.player][other.player];
            if score.total() == 0 {
                body.push_str("<td>·</td>");
                continue;
            }
            let share = score.points() / score.total() as f64;
            let heat = (share * 4.999) as usize;
            let tip = format!(
                "{} against {} | won {}, drawn {}, lost {}",
                short(findings.name(row.player), 30),
                short(findings.name(other.player), 30),
                score.wins,
                score.draws,
                score.losses
            );
            put(
                body,
                format_args!("<td class=\"h{heat}\" data-tip=\"{}\">{:.0} %</td>", html(&tip), 100.0 * share),
            );
        }
        body.push_str("</tr>\n");
    }
    body.push_str("</table></div>\n");
}
