//! `agon logs`

use std::fmt::Write as _;

use clap::Args;
use serde_json::{Value, json};
use server::wire::{MatchPageInfo, VersionPage};

use crate::Failure;
use crate::commands::play::clean;
use crate::commands::series::clean_lines;
use crate::commands::submit::result_line;
use crate::output::{print, print_json};
use crate::remote::{Remote, RemoteArgs};

#[derive(Args, Debug)]
pub(crate) struct LogsArgs {
    /// A match (its number: 1234) or a version (v and its number: v56), as `agon submit` and the pages name them
    #[arg(value_name = "MATCH|VERSION")]
    what: String,
    #[command(flatten)]
    remote: RemoteArgs,
}

pub(crate) fn run(args: &LogsArgs) -> Result<(), Failure> {
    let number = |text: &str| text.parse::<i64>().ok().filter(|number| *number > 0);
    let unclear = || {
        Failure::Unusable(format!(
            "`{}` is neither a match (1234) nor a version (v56); `agon submit` and the pages tell the numbers",
            clean(&args.what)
        ))
    };
    let of_version = args.what.strip_prefix('v').map(number);
    let remote = Remote::open(&args.remote)?;
    match of_version {
        Some(version) => version_log(&remote, version.ok_or_else(unclear)?, args.remote.json),
        None => match_log(&remote, number(&args.what).ok_or_else(unclear)?, args.remote.json),
    }
}

/// Prints the output of the compiler and the results of the test matches.
fn version_log(remote: &Remote, version: i64, json: bool) -> Result<(), Failure> {
    let answer = remote.get(&format!("/versions/{version}"))?;
    let page: VersionPage = remote.known(&answer, "a version")?;
    if json {
        return print_json(&json!({"version": page.version, "log": page.log, "tests": answer["tests"]}));
    }
    let state = serde_json::to_value(page.version.state)?;
    let mut text = format!(
        "version {} of your bot for {}, {}: {}\n",
        page.version.number,
        clean(&page.game),
        clean(&page.version.language),
        state.as_str().unwrap_or_default(),
    );
    if let Some(log) = page.log.as_deref().filter(|log| !log.trim().is_empty()) {
        writeln!(text, "{}", clean_lines(log))?;
    }
    for played in &page.tests {
        text.push_str(&result_line(played, page.version.bot)?);
    }
    print(&text)
}

/// Prints the output of the user's own bot in a match, answer by answer, and its failure.
fn match_log(remote: &Remote, number: i64, json: bool) -> Result<(), Failure> {
    let answer = remote.get(&format!("/matches/{number}"))?;
    let page: MatchPageInfo = remote.known(&answer, "a match")?;
    if page.mine.is_empty() {
        return Err(Failure::Unusable(format!(
            "no bot of yours plays in match {number}; logs are for their authors alone"
        )));
    }
    let record = match page.info.state {
        server::wire::MatchState::Done => remote.get(&format!("/matches/{number}/record"))?,
        _ => Value::Null,
    };
    let written = written(&record, &page.mine);
    if json {
        let lines: Vec<Value> = written
            .iter()
            .map(|line| json!({"seat": line.seat, "answer": line.number, "output": line.output, "wall_us": line.wall_us, "stderr": line.stderr}))
            .collect();
        return print_json(
            &json!({"match": answer["info"], "mine": page.mine, "details": page.details, "answers": lines}),
        );
    }
    let own = page.info.seats.iter().find(|seat| page.mine.contains(&seat.seat));
    let mut text = result_line(&page.info, own.map_or(0, |seat| seat.bot.id))?;
    for line in &written {
        let took = line.wall_us.map_or_else(String::new, |us| format!(" in {:.1} ms", us as f64 / 1000.0));
        let output = line.output.as_deref().map_or_else(|| "no answer".to_owned(), clean);
        writeln!(text, "seat {}, answer {}{took}: {output}", line.seat, line.number)?;
        for said in line.stderr.iter().flat_map(|said| said.lines()) {
            writeln!(text, "    {}", clean(said))?;
        }
    }
    for detail in &page.details {
        write_detail(&mut text, detail)?;
    }
    print(&text)
}

/// One answer of the user's own bot.
struct Answer {
    seat: u64,
    number: usize,
    output: Option<String>,
    wall_us: Option<u64>,
    stderr: Option<String>,
}

/// The answers of some seats in a record.
fn written(record: &Value, mine: &[u8]) -> Vec<Answer> {
    let mut answers = Vec::new();
    let mut counts = [0_usize; 256];
    for turn in record["turns"].as_array().into_iter().flatten() {
        let Some(seat) = turn["player"].as_u64().filter(|seat| *seat < 256) else { continue };
        let count = &mut counts[seat as usize];
        *count += 1;
        if mine.iter().any(|own| u64::from(*own) == seat) {
            answers.push(Answer {
                seat,
                number: *count,
                output: turn["output"].as_array().map(|lines| {
                    let text = |line: &Value| line.as_str().map_or_else(|| line.to_string(), str::to_owned);
                    lines.iter().map(text).collect::<Vec<_>>().join(" | ")
                }),
                wall_us: turn["wall_us"].as_u64(),
                stderr: turn["stderr"].as_str().map(str::to_owned),
            });
        }
    }
    answers
}

/// Describes the failure. The output of the bot is already printed with its answers.
fn write_detail(text: &mut String, detail: &Value) -> Result<(), Failure> {
    let words = detail["said"].as_str().or(detail["cause"].as_str()).or(detail.as_str());
    let Some(words) = words else { return Ok(()) };
    write!(text, "it failed")?;
    if let Some(turn) = detail["turn"].as_u64() {
        write!(text, " at turn {turn}")?;
    }
    writeln!(text, ": {}", clean_lines(words).replace('\n', "\n  "))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_answers_are_shown_and_counted_by_seat() {
        let record = json!({"turns": [
            {"player": 0, "output": ["7 7"], "stderr": "hello\n", "wall_us": 12},
            {"player": 1, "output": ["1 1"], "stderr": "secret"},
            {"player": 0, "output": null},
            {"player": 999, "output": ["x"]},
        ]});
        let own = written(&record, &[0]);
        assert_eq!(own.len(), 2);
        assert_eq!(
            (own[0].number, own[0].output.as_deref(), own[0].stderr.as_deref()),
            (1, Some("7 7"), Some("hello\n"))
        );
        assert_eq!((own[1].number, own[1].output.as_deref()), (2, None));
        assert!(written(&Value::Null, &[0]).is_empty());
    }

    #[test]
    fn failures_are_told_in_words() {
        let told = |detail: Value| {
            let mut text = String::new();
            write_detail(&mut text, &detail).unwrap();
            text
        };
        assert_eq!(
            told(json!({"cause": "crash", "said": "crash: signal 6", "turn": 3})),
            "it failed at turn 3: crash: signal 6\n"
        );
        assert_eq!(told(json!({"cause": "timeout"})), "it failed: timeout\n");
        assert_eq!(told(Value::Null), "");
    }
}
