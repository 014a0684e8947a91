//! `agon logs`

use std::fmt::Write as _;

use clap::Args;
use serde_json::{Value, json};
use server::wire::{MatchPageInfo, VersionPage, own_answers};

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

/// Prints the output of the user's own bot in a match, turn by turn, and its failure.
fn match_log(remote: &Remote, number: i64, json: bool) -> Result<(), Failure> {
    let answer = remote.get(&format!("/matches/{number}"))?;
    let page: MatchPageInfo = remote.known(&answer, "a match")?;
    if page.mine.is_empty() {
        return Err(Failure::Unusable(format!(
            "no bot of yours plays in match {number}; logs are for their authors alone"
        )));
    }
    let replay = match page.info.state {
        server::wire::MatchState::Done => remote.get(&format!("/matches/{number}/replay"))?,
        _ => Value::Null,
    };
    let written = own_answers(&replay, &page.mine);
    if json {
        return print_json(
            &json!({"match": answer["info"], "mine": page.mine, "details": page.details, "answers": written}),
        );
    }
    let own = page.info.seats.iter().find(|seat| page.mine.contains(&seat.seat));
    let mut text = result_line(&page.info, own.map_or(0, |seat| seat.bot.id))?;
    for line in &written {
        let took = line.wall_us.map_or_else(String::new, |us| format!(" in {:.1} ms", us as f64 / 1000.0));
        let output = line.output.as_deref().map_or_else(|| "no answer".to_owned(), clean);
        writeln!(text, "turn {}, seat {}{took}: {output}", line.turn, line.seat)?;
        for said in line.stderr.iter().flat_map(|said| said.lines()) {
            writeln!(text, "    {}", clean(said))?;
        }
    }
    for detail in &page.details {
        write_detail(&mut text, detail)?;
    }
    print(&text)
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
    fn failures_are_described_in_words() {
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
