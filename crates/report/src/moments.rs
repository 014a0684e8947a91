//! Notable matches: failures and the clearest losses, each with the command that plays it again and, if there is a
//! record, the command that shows it.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use runs::{Findings, MatchLine, Plan, TuneFindings, Tuning, record_path};
use serde::Serialize;

use crate::clean::{clean, counted};
use crate::gather::Gathered;

/// Most failures that are kept; the others are counted.
const MOST_FAILURES: usize = 500;
/// Most losses that are kept of each bot.
const LOSSES_DUEL: usize = 10;
const LOSSES_TABLE: usize = 3;
/// Most matches in the list of all matches.
const MOST_LISTED: usize = 200;

/// A notable match.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Moment {
    /// Its index in the schedule.
    pub(crate) index: u64,
    /// A text: seeds do not fit into the numbers of every JSON reader.
    pub(crate) seed: String,
    /// The player that failed or lost, and its seat.
    pub(crate) player: usize,
    pub(crate) seat: usize,
    /// The short name of a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cause: Option<String>,
    /// A description in a sentence.
    pub(crate) detail: String,
    /// The number of turns of the match.
    pub(crate) turns: u32,
    /// The turn in words: with two players, a failure ends the match.
    #[serde(skip)]
    pub(crate) when: String,
    pub(crate) scores: Vec<i64>,
    /// The scores as players say them.
    pub(crate) said: String,
    /// The command that plays it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) replay: Option<String>,
    /// The record of the match, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) record: Option<PathBuf>,
    /// The command that shows the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) watch: Option<String>,
    /// The page with the analysed match, if there is one, and the turn that cost its player most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) page: Option<(PathBuf, Option<u32>)>,
}

/// Failures: the first ones, and the number of each kind.
#[derive(Clone, Default, Debug, Serialize)]
pub(crate) struct Failures {
    pub(crate) total: u64,
    /// By player and cause, the most frequent first.
    pub(crate) kinds: Vec<(usize, String, u64)>,
    pub(crate) listed: Vec<Moment>,
}

/// The failures of bots, in the order of the schedule. The first failure of each kind comes before the second of any
/// kind.
pub(crate) fn failures(run: &Gathered, records: Option<&Path>) -> Failures {
    let mut counts: BTreeMap<(usize, &str), u64> = BTreeMap::new();
    let mut found: Vec<(u64, &MatchLine, usize)> = Vec::new();
    for line in &run.matches {
        for (seat, cause) in line.causes.iter().enumerate() {
            if let Some(cause) = cause {
                let count = counts.entry((run.player(line.seats[seat]), cause)).or_default();
                found.push((*count, line, seat));
                *count += 1;
            }
        }
    }
    let (total, tuned) = (found.len() as u64, tuned(run));
    found.sort_by_key(|&(nth, line, seat)| (nth.min(1), line.index, seat));
    found.truncate(MOST_FAILURES);
    let listed = found.into_iter().map(|(_, line, seat)| {
        let detail = line.details[seat].clone().or_else(|| line.causes[seat].clone()).unwrap_or_default();
        Moment {
            cause: line.causes[seat].clone(),
            ..moment(run, tuned.as_ref(), line, seat, &detail, records)
        }
    });
    let listed = listed.collect();
    let mut kinds: Vec<(usize, String, u64)> =
        counts.into_iter().map(|((player, cause), count)| (player, cause.to_owned(), count)).collect();
    kinds.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| (a.0, &a.1).cmp(&(b.0, &b.1))));
    Failures { total, kinds, listed }
}

/// Matches that a bot lost without failing, the clearest first: of the first bot in a duel, of each bot in a
/// tournament.
pub(crate) fn losses(run: &Gathered, records: Option<&Path>) -> Vec<Moment> {
    let (players, each) =
        if run.is_tournament() { (run.names.len(), LOSSES_TABLE) } else { (1, LOSSES_DUEL) };
    let mut lost: Vec<Vec<(i64, &MatchLine, usize)>> = vec![Vec::new(); players];
    for line in &run.matches {
        let best = line.scores.iter().max().copied().unwrap_or(0);
        for seat in 0..line.seats.len() {
            let Some(lost) = lost.get_mut(run.player(line.seats[seat])) else { continue };
            let beaten = run.share(line, seat).is_some_and(|share| share < 0.5);
            if line.causes[seat].is_none() && line.ranks[seat] > 1 && beaten {
                lost.push((best.saturating_sub(line.scores[seat]), line, seat));
                // Only the worst losses are kept, to limit the memory.
                if lost.len() > 64 {
                    keep_worst(lost, each);
                }
            }
        }
    }
    let worst = lost.into_iter().flat_map(|mut lost| {
        keep_worst(&mut lost, each);
        lost
    });
    let tuned = tuned(run);
    worst
        .map(|(_, line, seat)| {
            let scores = play::said_scores(run.game, &line.scores);
            moment(run, tuned.as_ref(), line, seat, &format!("lost {scores}"), records)
        })
        .collect()
}

/// All matches as the first bot sees them: those it lost first, by the widest margin, then draws, then wins. In a tournament,
/// as the bot of the first seat sees them, in the order of the schedule.
pub(crate) fn every(run: &Gathered, records: Option<&Path>) -> Vec<Moment> {
    let seat_of = |line: &MatchLine| {
        let own = line.seats.iter().position(|&bot| run.player(bot) == 0);
        own.filter(|_| !run.is_tournament()).unwrap_or(0)
    };
    let mut sorted: Vec<(&MatchLine, usize)> = run.matches.iter().map(|line| (line, seat_of(line))).collect();
    if !run.is_tournament() {
        let margin = |line: &MatchLine, seat: usize| {
            line.scores.iter().max().map_or(0, |best| best.saturating_sub(line.scores[seat]))
        };
        let share = |line: &MatchLine, seat: usize| run.share(line, seat).unwrap_or(0.5);
        sorted.sort_by(|&(a, at), &(b, other)| {
            share(a, at)
                .total_cmp(&share(b, other))
                .then(margin(b, other).cmp(&margin(a, at)))
                .then(a.index.cmp(&b.index))
        });
    }
    sorted.truncate(MOST_LISTED);
    let tuned = tuned(run);
    let listed = sorted.into_iter().map(|(line, seat)| {
        let result = match run.share(line, seat) {
            Some(share) if share < 0.5 => "lost",
            Some(share) if share > 0.5 => "won",
            _ => "drawn",
        };
        let detail = format!("{result} {}", play::said_scores(run.game, &line.scores));
        moment(run, tuned.as_ref(), line, seat, &detail, records)
    });
    listed.collect()
}

fn keep_worst(lost: &mut Vec<(i64, &MatchLine, usize)>, most: usize) {
    lost.sort_by_key(|&(margin, line, seat)| (std::cmp::Reverse(margin), line.index, seat));
    lost.truncate(most);
}

/// The plan and the findings of a tuning: each of its matches has parameters of its own.
fn tuned(run: &Gathered) -> Option<(&Tuning, TuneFindings)> {
    let Plan::Tune(tuning) = &run.header.plan else { return None };
    let Findings::Tune(findings) = Findings::of(&run.header, run) else { return None };
    Some((tuning, *findings))
}

fn moment(
    run: &Gathered,
    tuned: Option<&(&Tuning, TuneFindings)>,
    line: &MatchLine,
    seat: usize,
    detail: &str,
    records: Option<&Path>,
) -> Moment {
    let again = match tuned {
        Some((tuning, findings)) => line.again_tuned(&run.header, tuning, findings),
        None => line.again(&run.header),
    };
    let record = records.map(|folder| record_path(folder, line.index));
    let record = record.filter(|file| file.is_file());
    let watch =
        record.as_ref().map(|file| clean(&shell_words::join(["agon", "watch", &file.display().to_string()])));
    Moment {
        index: line.index,
        seed: line.seed.to_string(),
        player: run.player(line.seats[seat]),
        seat,
        cause: None,
        detail: clean(detail),
        turns: line.turns,
        when: match (&line.causes[seat], line.seats.len()) {
            (Some(_), 2) => format!("after {}", counted(line.turns.into(), "turn", "turns")),
            _ => format!("{} long", counted(line.turns.into(), "turn", "turns")),
        },
        scores: line.scores.clone(),
        said: play::said_scores(run.game, &line.scores),
        replay: again.map(|command| clean(&command)),
        record,
        watch,
        page: None,
    }
}

/// The relative path from a page to a file, for a link that still works when both are moved together.
pub(crate) fn relative_link(page: &Path, file: &Path) -> Option<String> {
    let (page, file) = (std::path::absolute(page).ok()?, std::path::absolute(file).ok()?);
    let (from, to): (Vec<_>, Vec<_>) = (page.parent()?.components().collect(), file.components().collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[common..].iter().map(|_| "..".to_owned());
    let down = to[common..].iter().map(|part| match part {
        Component::Normal(name) => Some(percent_encoded(name.to_str()?)),
        _ => None,
    });
    let parts: Option<Vec<String>> = up.map(Some).chain(down).collect();
    Some(parts?.join("/"))
}

fn percent_encoded(text: &str) -> String {
    let mut encoded = String::new();
    for &byte in text.as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            encoded.push_str(&catalog::record::hex(&[byte]).to_uppercase());
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_go_from_the_page_to_the_file() {
        let link = |page: &str, file: &str| relative_link(Path::new(page), Path::new(file));
        assert_eq!(link("/a/b/page.html", "/a/b/records/7.json.gz").as_deref(), Some("records/7.json.gz"));
        assert_eq!(link("/a/b/page.html", "/a/c d/\"7.json.gz").as_deref(), Some("../c%20d/%227.json.gz"));
        assert_eq!(link("page.html", "records/7.json.gz").as_deref(), Some("records/7.json.gz"));
        // A file name that looks like a URL scheme is escaped.
        assert_eq!(link("/a/p.html", "/a/javascript:x").as_deref(), Some("javascript%3Ax"));
    }
}
