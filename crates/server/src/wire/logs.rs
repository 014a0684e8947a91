//! The answers of a bot in a replay, for its author.

use serde::Serialize;
use serde_json::Value;

/// One answer of the client's own bot.
#[derive(Clone, Debug, Serialize)]
pub struct OwnAnswer {
    /// Seat of the bot.
    pub seat: u8,
    /// Turn, as the viewer counts.
    pub turn: u64,
    /// The lines of the answer, joined by ` | `; `None` if there was no answer.
    pub output: Option<String>,
    /// Time of the answer in microseconds.
    pub wall_us: Option<u64>,
    /// Standard error output.
    pub stderr: Option<String>,
}

/// The answers of some seats in a replay.
pub fn own_answers(replay: &Value, mine: &[u8]) -> Vec<OwnAnswer> {
    let steps = replay["steps"].as_array().into_iter().flatten();
    let answers = steps.flat_map(|step| mine.iter().map(move |&seat| (step, seat)));
    answers
        .filter_map(|(step, seat)| {
            let answer = step["answers"].get(usize::from(seat)).filter(|answer| !answer.is_null())?;
            Some(OwnAnswer {
                seat,
                turn: step["turn"].as_u64().unwrap_or_default(),
                output: answer["output"].as_str().map(|output| output.trim_end().replace('\n', " | ")),
                wall_us: answer["wall_us"].as_u64(),
                stderr: answer["stderr"].as_str().map(str::to_owned),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_own_answers_are_shown_with_the_turns_of_the_viewer() {
        let replay = json!({"steps": [
            {"turn": 0, "answers": [null, null]},
            {"turn": 1, "answers": [{"output": "7 7\n1", "stderr": "hello\n", "wall_us": 12}, null]},
            {"turn": 2, "answers": [null, {"output": "1 1", "stderr": "secret"}]},
            {"turn": 3, "answers": [{"output": null}, null]},
        ]});
        let own = own_answers(&replay, &[0]);
        assert_eq!(own.len(), 2);
        assert_eq!(
            (own[0].turn, own[0].output.as_deref(), own[0].stderr.as_deref(), own[0].wall_us),
            (1, Some("7 7 | 1"), Some("hello\n"), Some(12))
        );
        assert_eq!((own[1].turn, own[1].output.as_deref()), (3, None));
        assert!(own_answers(&Value::Null, &[0]).is_empty());
        assert!(own_answers(&replay, &[7]).is_empty());
    }
}
