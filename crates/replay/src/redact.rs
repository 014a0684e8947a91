//! Decides which parts of a match other users may see. This is the only place with these rules.
//!
//! Everybody may see the board, the answers and the results. The following parts are visible to the author of a bot
//! only:
//!
//! - the standard error output of the bot, and the numbers that were read from it;
//! - the details of its failure;
//! - the digest of its program.
//!
//! The commands that started the bots and the host that played the match are shown to no user. `own` are the seats of
//! the client.

use catalog::record::Played;
use serde_json::{Map, Value};

use crate::wire::{PlayerInfo, Replay, ReplayDelta, ReplayEnd, Step};
use game::text::{safe_line, safe_text};

/// Longest name of a player.
const NAME: usize = 60;
/// Longest text in the details of a failure.
const DETAIL: usize = 20_000;

/// Removes the parts of a replay that the client may not see. `names` are the public names of the players, by seat.
pub fn replay(replay: &mut Replay, names: &[&str], own: &[u8]) {
    steps(&mut replay.steps, &mut replay.end, own);
    replay.header.again = None;
    replay.header.players = names.iter().map(|name| PlayerInfo { name: safe_line(name, NAME) }).collect();
}

/// Removes the parts of a piece of a replay that the client may not see.
pub fn delta(delta: &mut ReplayDelta, own: &[u8]) {
    steps(&mut delta.steps, &mut delta.end, own);
}

fn steps(steps: &mut [Step], end: &mut ReplayEnd, own: &[u8]) {
    for step in steps {
        for (_, answer) in others(&mut step.answers, own) {
            if let Some(answer) = answer {
                answer.stderr = None;
            }
        }
    }
    for (_, metrics) in others(&mut end.metrics, own) {
        metrics.clear();
    }
}

/// Removes the parts of a record that the client may not see. `names` are the public names of the players, by seat.
pub fn record(played: &mut Played, names: &[&str], own: &[u8]) {
    for turn in &mut played.turns {
        if !own.contains(&turn.player) {
            turn.stderr = None;
        }
    }
    for (seat, bot) in played.bots.iter_mut().flatten().enumerate() {
        bot.name = names.get(seat).map_or_else(String::new, |name| safe_line(name, NAME));
        bot.command.clone_from(&bot.name);
    }
    for (_, bot) in others(played.bots.as_deref_mut().unwrap_or_default(), own) {
        bot.digest = None;
    }
    let details = played.outcome.as_mut().and_then(|outcome| outcome.get_mut("details"));
    if let Some(Value::Array(details)) = details {
        others(details, own).for_each(|(_, details)| *details = Value::Null);
    }
    if let Some(Value::Array(metrics)) = &mut played.metrics {
        others(metrics, own).for_each(|(_, metrics)| *metrics = Value::Object(Map::new()));
    }
    played.host = None;
}

/// The entries of the seats that do not belong to the client.
fn others<'a, T>(by_seat: &'a mut [T], own: &'a [u8]) -> impl Iterator<Item = (usize, &'a mut T)> {
    by_seat.iter_mut().enumerate().filter(|(seat, _)| !own.iter().any(|&own| usize::from(own) == *seat))
}

/// The details of a failure for the author of the bot: every text in them is made safe to show.
pub fn details(details: Value) -> Value {
    match details {
        Value::String(text) => Value::String(safe_text(&text, DETAIL)),
        Value::Array(all) => all.into_iter().map(self::details).collect(),
        Value::Object(all) => all.into_iter().map(|(key, value)| (key, self::details(value))).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use catalog::record::{Line, Player};
    use serde_json::json;

    use super::*;
    use crate::replay_of;

    const SECRET: &str = "[TDATA] depth = 7\nsecret";

    /// A record in which both bots wrote to their standard error output.
    fn played() -> Played {
        let path = testing::game_file("ocean-of-code", "traces/dev.jsonl.gz");
        let mut played = None;
        catalog::verify::lines(&path, |_, line| {
            if let Ok(catalog::record::Entry::Played(one)) = catalog::record::read(&line) {
                played = Some(*one);
            }
            played.is_none()
        })
        .unwrap();
        let mut played = played.unwrap();
        let bot = |name: &str| Player {
            name: name.into(),
            command: "./secret-command".into(),
            digest: Some("secret-digest".into()),
            memory: None,
        };
        played.bots = Some(vec![bot("file-a"), bot("file-b")]);
        for turn in &mut played.turns {
            turn.stderr = Some(Line(SECRET.as_bytes().to_vec()));
        }
        played.outcome = Some(json!({"ranks": [1, 2], "details": ["secret of 0", "secret of 1"]}));
        played.metrics = Some(json!([{"depth": {"0": 7}}, {"depth": {"0": 8}}]));
        played.host = Some(json!({"cpu": "secret-host"}));
        played
    }

    #[test]
    fn others_see_no_secret_of_a_record() {
        let mut record = played();
        super::record(&mut record, &["ada", "bob\u{202E}"], &[]);
        let text = serde_json::to_string(&record).unwrap();
        assert!(!text.contains("secret") && !text.contains("file-a"), "{text}");
        assert_eq!(record.bots.unwrap()[1].name, "bob\u{FFFD}");
        assert_eq!(record.metrics, Some(json!([{}, {}])));
        assert_eq!(record.outcome, Some(json!({"ranks": [1, 2], "details": [null, null]})));
    }

    #[test]
    fn an_author_sees_the_own_seat_of_a_record() {
        let mut record = played();
        super::record(&mut record, &["ada", "bob"], &[1]);
        assert!(record.turns.iter().all(|turn| turn.stderr.is_some() == (turn.player == 1)));
        assert_eq!(record.metrics, Some(json!([{}, {"depth": {"0": 8}}])));
        assert_eq!(record.outcome.unwrap()["details"], json!([null, "secret of 1"]));
        let bots = record.bots.unwrap();
        assert_eq!([bots[0].digest.is_some(), bots[1].digest.is_some()], [false, true]);
        assert_eq!(bots[1].command, "bob");
    }

    #[test]
    fn others_see_no_secret_of_a_replay() {
        let whole = replay_of(&played()).unwrap();
        assert!(whole.header.again.is_some() && whole.end.metrics[1].contains_key("depth"));
        let mut public = whole.clone();
        super::replay(&mut public, &["ada", "bob"], &[]);
        let text = serde_json::to_string(&public).unwrap();
        assert!(!text.contains("secret") && !text.contains("file-a"), "a secret is in the replay");
        assert_eq!(public.steps.len(), whole.steps.len());

        let mut own = whole.clone();
        super::replay(&mut own, &["ada", "bob"], &[1]);
        for step in &own.steps {
            assert!(step.answers[0].as_ref().is_none_or(|answer| answer.stderr.is_none()));
            assert!(step.answers[1].as_ref().is_none_or(|answer| answer.stderr.is_some()));
        }
        assert!(own.end.metrics[0].is_empty() && own.end.metrics[1].contains_key("depth"));

        let Replay { steps, done, end, attempt, .. } = whole;
        let mut delta = ReplayDelta { steps, done, end, attempt };
        super::delta(&mut delta, &[0]);
        assert!(delta.end.metrics[1].is_empty() && delta.end.metrics[0].contains_key("depth"));
    }

    #[test]
    fn details_hold_no_control_characters() {
        let cleaned = details(json!({"said": ["a\u{1b}[0m"], "turn": 3}));
        assert_eq!(cleaned, json!({"said": ["a\u{FFFD}[0m"], "turn": 3}));
    }
}
