//! The page: one self-contained file. It loads nothing from any host, and its content security policy forbids it; the
//! only script that runs is the one whose digest the policy names.

use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::charts::{self, Figure, MOST_BESIDE, classes, number};
use crate::clean::{counted, html, put, short, thousands};
use crate::histograms;
use crate::moments::{Moment, relative_link};
use crate::run_report::{MatchMetric, PlayerTimes, RunReport};
use crate::standing;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Most failures on the page.
const LISTED: usize = 100;
/// Failures that are visible before the list is opened.
const OPEN: usize = 5;
/// Most small charts of one kind, one for each player.
const MOST_CARDS: usize = 12;
/// Most charts of metrics.
const MOST_METRICS: usize = 12;
/// Most bots that are named in the head of the page.
const MOST_NAMED: usize = 40;

/// Writes the page for the path `place`.
pub(crate) fn page(findings: &RunReport, place: &Path) -> String {
    let mut body = String::new();
    let title = title(findings);
    header(&mut body, findings, &title);
    filter(&mut body, findings);
    body.push_str("<main>\n");
    standing::section(&mut body, findings);
    failures(&mut body, findings, place);
    losses(&mut body, findings, place);
    every_match(&mut body, findings, place);
    ratings(&mut body, findings);
    scores(&mut body, findings);
    lengths(&mut body, findings);
    times(&mut body, findings);
    metrics(&mut body, findings);
    outcomes(&mut body, findings);
    body.push_str("</main>\n");
    let run = html(&findings.run.display().to_string());
    put(&mut body, format_args!("<footer>Made by <code>agon report {run}</code>.</footer>\n"));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        digest(STYLE),
        digest(SCRIPT)
    );
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\
         <div id=\"tip\" hidden></div>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// SHA-256 in base 64, as content security policies write it.
fn digest(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digest = Sha256::digest(text.as_bytes());
    let mut written = String::new();
    for chunk in digest.chunks(3) {
        let bits = (0..3).fold(0u32, |bits, at| bits << 8 | u32::from(chunk.get(at).copied().unwrap_or(0)));
        for digit in 0..4 {
            let at = bits >> (18 - 6 * digit) & 63;
            written.push(if digit > chunk.len() { '=' } else { char::from(DIGITS[at as usize]) });
        }
    }
    written
}

fn title(findings: &RunReport) -> String {
    let names: Vec<String> = findings.bots.iter().take(3).map(|bot| html(&short(&bot.name, 40))).collect();
    let who = match (findings.kind, findings.bots.len()) {
        ("tournament", count) if count > 3 => format!("{count} bots"),
        ("tune", _) => format!("{}, tuned", names[0]),
        _ => names.join(" against "),
    };
    format!("{}: {who}", html(findings.title))
}

fn header(body: &mut String, findings: &RunReport, title: &str) {
    put(body, format_args!("<header>\n<h1>{title}</h1>\n<p>"));
    let state = if findings.complete { "complete" } else { "not complete" };
    put(
        body,
        format_args!("<span class=\"badge\">{}</span><span class=\"badge\">{state}</span>", findings.kind),
    );
    put(
        body,
        format_args!("<span class=\"badge\">{}</span>", counted(findings.finished, "match", "matches")),
    );
    match findings.failures.total {
        0 => body.push_str("<span class=\"badge\">no failures</span>"),
        count => put(
            body,
            format_args!(
                "<a class=\"badge bad\" href=\"#failures\">{} failures</a>",
                thousands(count as i64)
            ),
        ),
    }
    body.push_str("</p>\n<dl class=\"facts\">\n");
    let mut fact = |name: &str, value: String| put(body, format_args!("<dt>{name}</dt><dd>{value}</dd>\n"));
    let players = findings.players;
    fact("Game", format!("{}, {players} players a match", html(findings.title)));
    fact(
        "Rules",
        format!(
            "league {} ({}), edition {}",
            findings.league,
            html(findings.league_name),
            html(findings.edition)
        ),
    );
    for (player, bot) in findings.bots.iter().enumerate().take(MOST_NAMED) {
        let digest = bot
            .digest
            .as_ref()
            .map(|digest| format!(" <span class=\"soft\">sha256 {}</span>", html(&short(digest, 13))));
        let command = if bot.command == bot.name {
            String::new()
        } else {
            format!(" <code>{}</code>", html(&short(&bot.command, 200)))
        };
        fact(
            &format!("Bot {}", player + 1),
            format!(
                "<span class=\"swatch {}\"></span><bdi>{}</bdi>{command}{}",
                classes(player).split(' ').next().unwrap_or_default(),
                html(&bot.name),
                digest.unwrap_or_default()
            ),
        );
    }
    fact("Clock", html(&findings.clock));
    fact(
        "Box",
        format!(
            "{}{}",
            html(&findings.sandbox),
            if findings.ponder { ", bots may think while they are not asked" } else { "" }
        ),
    );
    fact(
        "Seeds",
        format!("{} to {}, each from every seat", html(&findings.first_seed), html(&findings.last_seed)),
    );
    let mut played =
        format!("{} of {}", thousands(findings.finished as i64), thousands(findings.planned as i64));
    if findings.uncounted > 0 {
        put(
            &mut played,
            format_args!(
                "; the last {} were played after the decision and count for nothing",
                findings.uncounted
            ),
        );
    }
    fact("Matches", played);
    if !findings.complete {
        fact("Go on", format!("<code class=\"command\">{}</code>", html(&findings.resume)));
    }
    if findings.torn {
        fact("File", "ends within a line: a match was being written, or its writer was killed; that match is not counted".into());
    }
    body.push_str("</dl>\n</header>\n");
}

/// The choice of the bots that are shown. The script makes it visible: without the script it would not work.
fn filter(body: &mut String, findings: &RunReport) {
    let many = if findings.bots.len() > 8 { " many" } else { "" };
    put(body, format_args!("<nav class=\"filter{many}\" hidden><span>Show</span>"));
    for player in findings.order() {
        let (class, name) = (classes(player), html(&short(findings.name(player), 40)));
        let colour = class.split(' ').next().unwrap_or_default();
        put(
            body,
            format_args!(
                "<button type=\"button\" aria-pressed=\"true\" data-player=\"{player}\"><span class=\"swatch {colour}\"></span>{name}</button>"
            ),
        );
    }
    body.push_str("</nav>\n");
}

fn failures(body: &mut String, findings: &RunReport, place: &Path) {
    let failures = &findings.failures;
    body.push_str("<section id=\"failures\">\n<h2>Failures of bots</h2>\n");
    if failures.total == 0 {
        body.push_str("<p>No bot failed in any match.</p>\n</section>\n");
        return;
    }
    body.push_str("<div class=\"scroll\"><table>\n<tr><th class=\"name\">bot</th><th class=\"name\">cause</th><th>matches</th></tr>\n");
    for (player, cause, count) in &failures.kinds {
        let (name, cause) = (html(findings.name(*player)), html(cause));
        put(
            body,
            format_args!(
                "<tr class=\"s{player}\"><td class=\"name\"><bdi>{name}</bdi></td><td class=\"name\">{cause}</td><td>{count}</td></tr>\n"
            ),
        );
    }
    body.push_str("</table></div>\n");
    let listed = &failures.listed[..failures.listed.len().min(LISTED)];
    let (first, rest) = listed.split_at(listed.len().min(OPEN));
    moments(body, findings, first, place);
    if !rest.is_empty() {
        put(body, format_args!("<details><summary>{} more</summary>\n", rest.len()));
        moments(body, findings, rest, place);
        body.push_str("</details>\n");
    }
    if failures.total > listed.len() as u64 {
        let more = thousands(failures.total as i64 - listed.len() as i64);
        put(body, format_args!("<p class=\"soft\">… and {more} others: they stand in the run file.</p>\n"));
    }
    body.push_str("</section>\n");
}

fn losses(body: &mut String, findings: &RunReport, place: &Path) {
    body.push_str("<section id=\"losses\">\n<h2>Worst losses</h2>\n");
    if findings.worst_losses.is_empty() {
        body.push_str("<p>There are none without a failure.</p>\n");
    } else {
        body.push_str("<p class=\"soft\">Lost without failing, by the widest margin in score.</p>\n");
        moments(body, findings, &findings.worst_losses, place);
    }
    body.push_str("</section>\n");
}

/// The matches, each with the command that plays it in the viewer and the link to its record.
fn every_match(body: &mut String, findings: &RunReport, place: &Path) {
    let listed = &findings.every_match;
    if listed.is_empty() {
        return;
    }
    let finished = findings.finished - findings.uncounted;
    put(
        body,
        format_args!(
            "<section id=\"matches\">\n<h2>Matches</h2>\n<details><summary>{} of {} matches, losses first; each command plays the \
             match in the viewer</summary>\n<div class=\"scroll\"><table>\n<tr><th>match</th><th>seed</th><th>seat</th>\
             <th class=\"name\">bot</th><th class=\"name\">result</th><th>turns</th><th class=\"name\">open</th></tr>\n",
            thousands(listed.len() as i64),
            thousands(finished as i64)
        ),
    );
    for moment in listed {
        let open = match (&moment.watch, &moment.replay) {
            (Some(watch), _) => html(watch),
            (None, Some(replay)) => html(&format!("{replay} --watch")),
            (None, None) => String::new(),
        };
        let record = moment.record.as_deref().and_then(|record| relative_link(place, record));
        let record = record
            .map_or_else(String::new, |link| format!(" <a href=\"{}\" download>record</a>", html(&link)));
        put(
            body,
            format_args!(
                "<tr class=\"s{}\"><td>{}</td><td>{}</td><td>{}</td><td class=\"name\"><bdi>{}</bdi></td>\
                 <td class=\"name\">{}</td><td>{}</td><td class=\"name\"><code>{open}</code>{record}</td></tr>\n",
                moment.player,
                moment.index,
                html(&moment.seed),
                moment.seat,
                html(&short(findings.name(moment.player), 30)),
                html(&short(&moment.detail, 100)),
                moment.turns,
            ),
        );
    }
    body.push_str("</table></div>\n</details>\n</section>\n");
}

fn moments(body: &mut String, findings: &RunReport, moments: &[Moment], place: &Path) {
    body.push_str("<ol class=\"moments\">\n");
    for moment in moments {
        let (class, name) = (classes(moment.player), html(&short(findings.name(moment.player), 60)));
        put(
            body,
            format_args!(
                "<li class=\"{class}\"><b><bdi>{name}</bdi></b>: {}<div class=\"soft\">match {}, seed {}, seat {}, {}, scores {}</div>",
                html(&short(&moment.detail, 400)),
                moment.index,
                html(&moment.seed),
                moment.seat,
                html(&moment.when),
                html(&moment.said)
            ),
        );
        for command in moment.replay.iter().chain(&moment.watch) {
            put(body, format_args!("<code class=\"command\">{}</code>", html(command)));
        }
        if let Some((page, turn)) = &moment.page
            && let Some(link) = relative_link(place, page)
        {
            let at = turn.map_or_else(String::new, |turn| format!("?turn={turn}"));
            let words = turn.map_or_else(String::new, |turn| format!(" at turn {turn}, which cost most"));
            put(body, format_args!("<a href=\"{}{at}\">analysed replay{words}</a> ", html(&link)));
        }
        if let Some(link) = moment.record.as_deref().and_then(|record| relative_link(place, record)) {
            put(body, format_args!("<a href=\"{}\" download>record of the match</a>", html(&link)));
        }
        body.push_str("</li>\n");
    }
    body.push_str("</ol>\n");
}

fn ratings(body: &mut String, findings: &RunReport) {
    if let Some(figure) = charts::ratings(findings, &findings.ratings) {
        section(body, "ratings", "Rating over games", "", [figure], true);
    }
}

fn scores(body: &mut String, findings: &RunReport) {
    let figures = each_player(findings, |player| histograms::scores(findings, player));
    section(body, "scores", "Final scores", &cut_note(findings), figures, false);
}

fn lengths(body: &mut String, findings: &RunReport) {
    let Some(figure) = histograms::lengths(findings) else { return };
    let mut note = String::new();
    if findings.lengths.kinds.len() > 1 {
        note.push_str("<span class=\"key\">");
        for (kind, colour) in findings.lengths.kinds.iter().zip(["c0", "plain", "c1"]) {
            put(
                &mut note,
                format_args!(
                    "<span><span class=\"swatch {colour}\"></span>{}</span>",
                    html(&short(kind, 60))
                ),
            );
        }
        note.push_str("</span>");
    }
    let endings: Vec<String> = findings
        .endings
        .iter()
        .take(8)
        .map(|(reason, count)| format!("{} ({})", html(&short(reason, 40)), thousands(*count as i64)))
        .collect();
    put(&mut note, format_args!("<p class=\"soft\">What ended them: {}.</p>", endings.join(", ")));
    section(body, "lengths", "Length of matches", &note, [figure], false);
}

fn times(body: &mut String, findings: &RunReport) {
    let players = &findings.times.players;
    let figures = each_player(findings, |player| {
        charts::times(findings, players.iter().find(|times| times.player == player)?)
    });
    let mut note = String::from(
        "<p class=\"soft\">Every answer but the first, wall clock. The box holds half of the matches, the line nine of ten, the mark is the middle, \
         the ring the slowest of all.</p>",
    );
    if players.iter().all(|times| times.median.is_none()) && findings.finished > 0 {
        note.push_str("<p class=\"soft\">This run was kept by an older agon: only the slowest answer of each match is in its file.</p>");
    }
    let in_memory = |times: &&PlayerTimes| times.longest.is_some_and(|longest| longest.max <= 0.0);
    let unmeasured: Vec<String> =
        players.iter().filter(in_memory).map(|times| html(&short(findings.name(times.player), 40))).collect();
    if !unmeasured.is_empty() {
        let names = unmeasured.join(", ");
        put(
            &mut note,
            format_args!("<p class=\"soft\">Not measured, since it plays in memory: {names}.</p>"),
        );
    }
    if findings.times.limit_ms.is_none() {
        note.push_str("<p class=\"soft\">The clock was off: there is no limit to draw.</p>");
    }
    section(body, "times", "Time for an answer", &(note + &cut_note(findings)), figures, false);
}

fn metrics(body: &mut String, findings: &RunReport) {
    let metrics = &findings.metrics;
    let figures: Vec<Figure> = metrics
        .by_turn
        .iter()
        .take(MOST_METRICS)
        .filter_map(|metric| charts::metric(findings, metric))
        .collect();
    let mut note = String::new();
    if figures.is_empty() && metrics.by_match.is_empty() {
        note.push_str(
            "<p class=\"soft\">No bot wrote any: lines such as <code>[TDATA] depth = 7</code> or <code>[PDATA] nodes = 12000</code> on the standard \
             error output are kept by turn and by match.</p>",
        );
    } else if !figures.is_empty() {
        note.push_str("<p class=\"soft\">The line is the mean over matches, the band goes from the least to the most.</p>");
    }
    if !metrics.words.is_empty() {
        let words: Vec<String> = metrics.words.iter().map(|name| html(&short(name, 40))).collect();
        put(&mut note, format_args!("<p class=\"soft\">Words have no chart: {}.</p>", words.join(", ")));
    }
    if metrics.cut || metrics.by_turn.len() > MOST_METRICS {
        note.push_str("<p class=\"soft\">There are more metrics than are shown.</p>");
    }
    match_metrics(&mut note, findings, &metrics.by_match);
    section(body, "metrics", "What bots say about themselves", &note, figures, false);
}

fn match_metrics(body: &mut String, findings: &RunReport, metrics: &[MatchMetric]) {
    if metrics.is_empty() {
        return;
    }
    body.push_str("<div class=\"scroll\"><table>\n<tr><th class=\"name\">by match</th><th class=\"name\">bot</th><th>least</th><th>mean</th><th>most</th><th>matches</th></tr>\n");
    for metric in metrics {
        for (player, spread) in &metric.players {
            put(
                body,
                format_args!(
                    "<tr class=\"s{player}\"><td class=\"name\">{}</td><td class=\"name\"><bdi>{}</bdi></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                    html(&short(&metric.name, 64)),
                    html(findings.name(*player)),
                    number(spread.min),
                    number(spread.mean),
                    number(spread.max),
                    spread.count
                ),
            );
        }
    }
    body.push_str("</table></div>\n");
}

fn outcomes(body: &mut String, findings: &RunReport) {
    let figures: Vec<Figure> = [&findings.by_seat]
        .into_iter()
        .chain(&findings.by_map)
        .filter_map(|sorted| charts::shares(findings, sorted))
        .collect();
    let mut note = String::from(
        "<p class=\"soft\">Dots are shares of points, lines their 95 % intervals (Wilson); a draw is half a point.",
    );
    if findings.kind == "duel" {
        put(&mut note, format_args!(" All are those of <bdi>{}</bdi>.", html(findings.name(0))));
    } else if findings.bots.len() > MOST_BESIDE {
        put(&mut note, format_args!(" The best {MOST_BESIDE} of {} bots are drawn.", findings.bots.len()));
    }
    note.push_str("</p>");
    section(body, "outcomes", "Outcomes by seat and map", &note, figures, false);
}

/// A chart for each player, up to the limit.
fn each_player(findings: &RunReport, chart: impl Fn(usize) -> Option<Figure>) -> Vec<Figure> {
    findings.order().into_iter().take(MOST_CARDS).filter_map(chart).collect()
}

fn cut_note(findings: &RunReport) -> String {
    match findings.bots.len() {
        count if count > MOST_CARDS => {
            format!("<p class=\"soft\">The best {MOST_CARDS} of {count} bots are drawn.</p>")
        }
        _ => String::new(),
    }
}

fn section(
    body: &mut String,
    id: &str,
    title: &str,
    note: &str,
    figures: impl IntoIterator<Item = Figure>,
    full: bool,
) {
    put(body, format_args!("<section id=\"{id}\">\n<h2>{title}</h2>\n{note}\n"));
    figures_grid(body, figures, full);
    body.push_str("</section>\n");
}

/// Charts side by side, or one with the full width of the page.
pub(crate) fn figures_grid(body: &mut String, figures: impl IntoIterator<Item = Figure>, full: bool) {
    body.push_str("<div class=\"charts\">\n");
    for figure in figures {
        let mut class = if full { "full".to_owned() } else { String::new() };
        if let Some(player) = figure.player {
            put(&mut class, format_args!(" s{player}"));
        }
        let title = html(&figure.title);
        put(body, format_args!("<figure class=\"{}\"><figcaption><h3>{title}</h3>", class.trim()));
        if !figure.note.is_empty() {
            put(body, format_args!("<p>{}</p>", html(&figure.note)));
        }
        put(body, format_args!("</figcaption>{}</figure>\n", figure.svg));
    }
    body.push_str("</div>\n");
}

#[cfg(test)]
mod tests {
    #[test]
    fn digests_are_those_of_the_policy() {
        // `printf abc | sha256sum | xxd -r -p | base64`
        assert_eq!(super::digest("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    }

    /// The policy contains the digests of the text between the tags, which must not be closed early.
    #[test]
    fn style_and_script_are_one_element_each() {
        assert!(!super::STYLE.contains("</") && !super::SCRIPT.contains("</"));
    }
}
