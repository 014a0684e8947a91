//! Makes the record of a match that was played.

use std::io;
use std::path::Path;
use std::time::Duration;

use catalog::record::{self, Header, Line, Played, Player, RulesField, Turn};
use referee::{Cause, Ending};
use sandbox::Limits;
use serde_json::{Map, Value, json};

use crate::runner::{MatchPlan, PlayedMatch};

/// The record of a match. Only rules, seed and answers determine the match; everything else in the record is
/// information that can be computed again or cannot be verified.
pub fn to_record(plan: &MatchPlan<'_>, played: &PlayedMatch) -> Played {
    let Value::Object(rules) = played.play.rules() else { unreachable!("rules are a struct") };
    let Value::Object(end) = played.play.end() else { unreachable!("an end is a struct") };
    let players = plan
        .bots
        .iter()
        .enumerate()
        .map(|(seat, bot)| Player {
            name: bot.name.clone(),
            command: bot.asked.clone(),
            digest: bot.digest.clone(),
            memory: played.memory[seat],
        })
        .collect();
    let turns = played
        .log
        .iter()
        .map(|turn| Turn {
            wall_us: Some(micros(turn.wall)),
            cpu_us: turn.cpu.map(micros),
            stderr: (!turn.stderr.is_empty()).then(|| Line(turn.stderr.clone())),
            ..Turn::new(turn.seat.0, turn.output.clone())
        })
        .collect();
    Played {
        header: Header {
            agon: Some(record::VERSION),
            game: plan.game.info().name.to_owned(),
            seed: plan.seed,
            league: None,
            rules: Some(RulesField::Full(rules)),
            players: None,
            options: None,
        },
        bots: Some(players),
        turns,
        end,
        outcome: Some(outcome(played)),
        metrics: metrics_by_seat(played).map(|metrics| json!(metrics)),
        settings: Some(settings(plan, played)),
        host: Some(json!({
            "cores": crate::host::cores().len(),
            "stall_us": micros(played.stall),
            "took_us": micros(played.took),
            "waves": played.waves,
        })),
        parent: None,
    }
}

/// The settings of the match: the limits of the referee and of the sandbox, and whether bots could ponder.
fn settings(plan: &MatchPlan<'_>, played: &PlayedMatch) -> Value {
    let mut settings = json!(played.settings);
    // The cores are left out: another host has others.
    let limits = Limits { cores: Vec::new(), ..plan.limits.clone() };
    settings["box"] = json!({"level": played.level, "limits": limits});
    settings["ponder"] = json!(plan.ponder);
    settings
}

fn micros(duration: Duration) -> u64 {
    duration.as_micros() as u64
}

fn outcome(played: &PlayedMatch) -> Value {
    match &played.ending {
        Ending::Void { why, by: None } => json!({"void": why}),
        Ending::Void { why, by: Some(seat) } => json!({"void": why, "by": seat}),
        Ending::Over { outcome, causes } => json!({
            "scores": outcome.scores,
            "ranks": outcome.ranks,
            "reason": outcome.reason,
            "causes": causes.iter().map(|cause| cause.as_ref().map(Cause::name)).collect::<Vec<_>>(),
            "details": causes,
        }),
    }
}

/// Writes a record to a file, compressed if its name ends in `.gz`. Readers see the whole record or none.
///
/// # Errors
///
/// When it cannot be written; no partial file is left then.
pub fn write_record(path: &Path, record: &Played) -> io::Result<()> {
    catalog::file::write_one(path, record)
}

/// The metrics that bots wrote, by seat, then by name, then by turn; `None` if no bot wrote any.
pub fn metrics_by_seat(played: &PlayedMatch) -> Option<Vec<Map<String, Value>>> {
    let mut found: Vec<Map<String, Value>> = vec![Map::new(); played.play.players() as usize];
    let mut turn_of = vec![0; found.len()];
    for entry in &played.log {
        let seat = entry.seat.index();
        if !entry.stderr.is_empty() {
            metrics_of(&String::from_utf8_lossy(&entry.stderr), turn_of[seat], &mut found[seat]);
        }
        turn_of[seat] += 1;
    }
    found.iter().any(|metrics| !metrics.is_empty()).then_some(found)
}

/// Reads the metrics in the standard error output of a bot during one of its turns (counted from 0): `[TDATA] k = v`
/// belongs to the turn, `[PDATA] k = v` to the whole match, the values of `[PDATA+] k = v` are added over the match
/// and `[PDATA][12] k = v` belongs to turn 12.
pub fn metrics_of(stderr: &str, turn: u64, into: &mut Map<String, Value>) {
    for line in stderr.lines() {
        let line = line.trim_start();
        let Some((mark, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) else {
            continue;
        };
        let (at, rest) = match (mark, rest.strip_prefix('[').and_then(|rest| rest.split_once(']'))) {
            ("PDATA", Some((number, rest))) => match number.trim().parse::<u64>() {
                Ok(at) => (Some(at), rest),
                Err(_) => continue,
            },
            ("TDATA", _) => (Some(turn), rest),
            ("PDATA" | "PDATA+", _) => (None, rest),
            _ => continue,
        };
        let Some((key, value)) = rest.split_once('=') else { continue };
        let (key, value) = (key.trim(), value.trim());
        if key.is_empty() || key.len() > 64 {
            continue;
        }
        let value = value
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())
            .map_or_else(|| json!(value), |number| json!(number));
        match at {
            Some(at) => {
                let series = into.entry(key).or_insert_with(|| json!({}));
                if let Some(series) = series.as_object_mut() {
                    series.insert(at.to_string(), value);
                }
            }
            None if mark == "PDATA+" => {
                let before = into.get(key).and_then(Value::as_f64).unwrap_or(0.0);
                into.insert(key.to_owned(), json!(before + value.as_f64().unwrap_or(0.0)));
            }
            None => drop(into.insert(key.to_owned(), value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_read_as_bots_write_them() {
        let mut metrics = Map::new();
        metrics_of(
            "hello\n[TDATA] depth = 7\n[PDATA] opening = rush\n[PDATA+] nodes = 100\n",
            0,
            &mut metrics,
        );
        metrics_of(
            "[TDATA] depth = 9\n  [PDATA+] nodes = 50.5\n[PDATA][12] eval = -3\n[PDATA][x] no = 1\n[TDATA] = 1\n",
            1,
            &mut metrics,
        );
        let expected =
            json!({"depth": {"0": 7.0, "1": 9.0}, "opening": "rush", "nodes": 150.5, "eval": {"12": -3.0}});
        assert_eq!(Value::Object(metrics), expected);
    }
}
