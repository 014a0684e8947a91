//! `agon check --cases`: the test cases of a bot.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use referee::Clock;
use review::{Case, Verdict};
use sandbox::{Program, Sandbox};
use serde_json::{Value, json};
use toolchain::{Bot, How};

use crate::Failure;
use crate::args::CheckArgs;
use crate::commands::play::{clean, millis, open_sandbox, prepare};
use crate::launcher;
use crate::output::{print, print_json};
use crate::progress::with_progress;

/// Runs all cases of a folder.
pub(super) fn run(args: &CheckArgs, folder: &Path) -> Result<(), Failure> {
    let mut cases = Case::read_folder(folder)?;
    if let Some(game) = &args.game {
        catalog::find(game)?;
        cases.retain(|(_, case)| case.game == *game);
    }
    if cases.is_empty() {
        return Err(Failure::Unusable(format!("{}: there is no case of this game", folder.display())));
    }
    let sandbox = open_sandbox(args.run.sandbox, args.json)?;
    let results = with_progress(Some(cases.len() as u64), "cases", |done| {
        let results = cases.into_iter().map(|(path, case)| {
            let verdict = verdict(args, &case, &sandbox)?;
            done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Ok(CaseResult { path, case, verdict })
        });
        results.collect::<Result<Vec<CaseResult>, Failure>>()
    })?;
    let failed = results.iter().filter(|result| result.verdict.failed.is_some()).count();
    if args.json {
        let listed: Vec<Value> = results.iter().map(CaseResult::as_json).collect();
        print_json(
            &json!({"bot": args.bot, "clean": failed == 0, "cases": listed.len(), "failed": failed, "results": listed}),
        )?;
    } else {
        let mut text = String::new();
        results.iter().try_for_each(|result| result.write(&mut text))?;
        let word = if failed == 0 { "clean" } else { "not clean" };
        writeln!(text, "{} of {} cases pass: {word}", results.len() - failed, results.len())?;
        print(&text)?;
    }
    if failed == 0 { Ok(()) } else { Err(Failure::No) }
}

fn verdict(args: &CheckArgs, case: &Case, sandbox: &Sandbox) -> Result<Verdict, Failure> {
    let bot = prepare(&case.game, std::slice::from_ref(&args.bot), sandbox)?.remove(0);
    let program = program_of(bot, case)?;
    Ok(case.run(sandbox, &program, args.run.clock != Clock::Off)?)
}

fn program_of(bot: Bot, case: &Case) -> Result<Program, Failure> {
    let builtin = match bot.how {
        How::Program(program) => return Ok(program),
        How::Builtin(builtin) => builtin,
    };
    let game = catalog::find(&case.game)?;
    let unusable = || Failure::Unusable(format!("{} cannot be asked for the answer of a case", bot.asked));
    let selected = case.selected().ok_or_else(unusable)?;
    launcher()?.program(builtin, game, selected)?.ok_or_else(unusable)
}

struct CaseResult {
    path: PathBuf,
    case: Case,
    verdict: Verdict,
}

impl CaseResult {
    fn as_json(&self) -> Value {
        let Verdict { failed, answer, stderr, wall } = &self.verdict;
        json!({
            "case": self.path.display().to_string(),
            "game": self.case.game,
            "seat": self.case.seat,
            "turn": self.case.turn,
            "expect": self.case.expect,
            "passed": failed.is_none(),
            "why": failed,
            "answer": answer.as_ref().map(|line| catalog::record::Line(line.clone())),
            "time_ms": millis(*wall),
            "stderr": String::from_utf8_lossy(stderr),
        })
    }

    fn write(&self, text: &mut String) -> Result<(), Failure> {
        let Verdict { failed, stderr, .. } = &self.verdict;
        let name = clean(&self.path.display().to_string());
        let expected = clean(&self.case.expect.words());
        match failed {
            None => writeln!(text, "  passes  {name}: {expected}")?,
            Some(why) => {
                writeln!(text, "  FAILED  {name}: {expected}; {}", clean(why))?;
                let said = String::from_utf8_lossy(stderr);
                let lines: Vec<&str> = said.trim_end().lines().collect();
                for line in &lines[lines.len().saturating_sub(12)..] {
                    writeln!(text, "    | {}", clean(line))?;
                }
            }
        }
        Ok(())
    }
}
