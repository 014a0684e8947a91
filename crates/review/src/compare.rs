//! The answers of a program to recorded questions.

use std::time::{Duration, Instant};

use catalog::record::Line;
use serde::Serialize;

use crate::feeder::{Feeder, NoAnswer};
use crate::recording::Asked;

/// The comparison of all answers of a program with the recorded ones.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Comparison {
    /// The number of recorded answers.
    pub turns: usize,
    /// The number of answers that differ, and of those that did not come.
    pub different: usize,
    /// The first difference.
    pub first: Option<Difference>,
    /// Why the program did not answer all questions.
    pub ended: Option<Ended>,
}

/// A difference between a program and a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// The turn, as the viewer counts.
    pub turn: u32,
    /// The recorded answer; `None` when none came in time.
    pub recorded: Option<Line>,
    /// The answer of the program; `None` when none came.
    pub answered: Option<Line>,
}

/// A program that stopped to answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ended {
    /// The turn of the question that it did not answer.
    pub turn: u32,
    /// The reason.
    pub why: String,
    /// What it wrote to its standard error output since its last answer.
    pub stderr: String,
    /// Whether the time for an answer was over.
    pub late: bool,
}

/// Sends a program all questions, one after the other, and compares its answers with the recorded ones. It has at most
/// `each` for an answer; `None` waits for ever.
pub fn compare(
    feeder: &mut Feeder,
    asked: &[Asked],
    each: Option<Duration>,
    mut after: impl FnMut(),
) -> Comparison {
    let mut comparison = Comparison { turns: asked.len(), different: 0, first: None, ended: None };
    let line = |bytes: &Vec<u8>| Line(bytes.clone());
    for question in asked {
        let mut answered = None;
        if comparison.ended.is_none() {
            // The standard error output of an end belongs to the turn of the end.
            drop(feeder.take_stderr());
            feeder.send(&question.input);
            match feeder.line(each) {
                Ok(answer) => answered = Some(answer),
                Err(why) => {
                    let stderr = String::from_utf8_lossy(&feeder.take_stderr()).into_owned();
                    let late = matches!(why, NoAnswer::Late(_));
                    comparison.ended =
                        Some(Ended { turn: question.turn, why: why.to_string(), stderr, late });
                }
            }
        }
        after();
        if answered.is_none() || answered != question.answer {
            comparison.different += 1;
            comparison.first.get_or_insert_with(|| Difference {
                turn: question.turn,
                recorded: question.answer.as_ref().map(line),
                answered: answered.as_ref().map(line),
            });
        }
    }
    comparison
}

/// The answer of a program to one question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered {
    /// The answer.
    pub answer: Result<Vec<u8>, NoAnswer>,
    /// What the program wrote to its standard error output since the question.
    pub stderr: Vec<u8>,
    /// The time from the question to the answer.
    pub wall: Duration,
}

/// A program that failed on the input before the question. The fault is the program's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the bot failed at turn {turn}, before the turn it is asked for: {why}{}", last_words(.stderr))]
pub struct CatchUpError {
    /// The turn of the question that it did not answer.
    pub turn: u32,
    /// The reason.
    pub why: NoAnswer,
    /// Its standard error output.
    pub stderr: String,
}

/// The end of an output, on a line of its own.
fn last_words(stderr: &str) -> String {
    let lines: Vec<&str> = stderr.trim_end().lines().collect();
    lines[lines.len().saturating_sub(12)..].iter().flat_map(|line| ["\n  | ", line]).collect()
}

/// The time that a program has; `None` waits for ever.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Patience {
    /// For all answers that are ignored.
    pub past: Option<Duration>,
    /// For each of them.
    pub each: Option<Duration>,
    /// For the last answer.
    pub last: Option<Duration>,
}

/// Sends a program all questions but the last one at once and ignores its answers, then asks the last question.
///
/// # Errors
///
/// When it fails before the last question.
///
/// # Panics
///
/// When there is no question.
pub fn answer_at(feeder: &mut Feeder, asked: &[Asked], patience: Patience) -> Result<Answered, CatchUpError> {
    let (last, before) = asked.split_last().expect("a seat that was asked has a question");
    let input: String = before.iter().map(|question| question.input.as_str()).collect();
    feeder.send(&input);
    let begun = Instant::now();
    for question in before {
        let left = patience.past.map(|past| past.saturating_sub(begun.elapsed()));
        let each = [left, patience.each].into_iter().flatten().min();
        feeder.line(each).map_err(|why| CatchUpError {
            turn: question.turn,
            why,
            stderr: String::from_utf8_lossy(&feeder.take_stderr()).into_owned(),
        })?;
    }
    drop(feeder.take_stderr());
    feeder.send(&last.input);
    let answer = feeder.line(patience.last);
    let wall = feeder.since_sent();
    Ok(Answered { answer, stderr: feeder.take_stderr(), wall })
}
