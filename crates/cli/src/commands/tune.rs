//! `agon tune`

use std::fmt::Write as _;
use std::ops::ControlFlow;

use clap::Args;
use rating::Report;
use runs::{Parameter, Plan, Run, TuneFindings, Tuning};
use serde_json::{Value, json};
use toolchain::{Bot, How};

use crate::Failure;
use crate::args::GameArgs;
use crate::commands::play::{clean, open_sandbox, prepare};
use crate::commands::series::{NewRunArgs, Series, SeriesArgs, failures};
use crate::output::{print, print_json};

#[derive(Args, Debug)]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// The bot: a source, or a command line in which {name} stands for the value of a parameter
    #[arg(long, short, value_name = "BOT")]
    pub(crate) bot: String,
    /// A parameter, once for each: NAME=LOW:HIGH:START, then optionally :STEP (the size of a change that is worth
    /// trying; a tenth of the range by default) and :int for whole numbers
    #[arg(long = "param", value_name = "PARAMETER", required = true)]
    pub(crate) parameters: Vec<Parameter>,
    /// How many steps
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 100,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) iterations: u64,
    /// How many seeds each step plays, from every seat
    #[arg(long, value_name = "COUNT", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) pairs: u64,
    /// How many games at the end between the values that were found and the start; rounded up to whole seeds
    #[arg(long, value_name = "GAMES", default_value_t = 200, value_parser = clap::value_parser!(u64).range(0..=10_000_000))]
    pub(crate) confirm: u64,
    #[command(flatten)]
    pub(crate) new: NewRunArgs,
    #[command(flatten)]
    pub(crate) how: SeriesArgs,
}

pub(crate) fn run(args: &TuneArgs) -> Result<(), Failure> {
    let (game, selected) = args.game.resolve()?;
    let sandbox = open_sandbox(args.new.run.sandbox, args.how.json)?;
    let mut bots = prepare(game.info().name, std::slice::from_ref(&args.bot), &sandbox)?;
    let bot = bots[0].clone();
    if let How::Builtin(_) = bot.how {
        return Err(Failure::Unusable(format!("{} has no parameters; tune a bot of your own", bot.name)));
    }
    bots.resize(selected.players as usize, bot.clone());
    // The two sides of a step; in the confirmation, the values that were found and the start.
    for (at, bot) in bots.iter_mut().enumerate() {
        bot.name = format!("{} ({})", bot.name, if at == 0 { "first side" } else { "second side" });
    }
    let tuning = Tuning {
        parameters: args.parameters.clone(),
        iterations: args.iterations,
        units: args.pairs,
        confirm: args.confirm.div_ceil(u64::from(selected.players)),
    };
    let units = tuning.confirmation().end;
    let header = args.new.header((game, selected), &bots, &sandbox, units, Plan::Tune(tuning.clone()));
    go_on(Series::new(args.new.begin(header, "tune")?, sandbox, &args.how)?, &bot, &tuning)
}

pub(crate) fn go_on(mut series: Series, bot: &Bot, tuning: &Tuning) -> Result<(), Failure> {
    let mut findings = TuneFindings::new(&series.run.header, tuning);
    findings.read(&series.run);
    while !findings.is_tuned() && !series.stopped() {
        let bots = sides(&series.run, bot, tuning, &findings.sides());
        let step = findings.done();
        let seen = format!("step {}/{}: {}", step + 1, tuning.iterations, values(tuning, &findings.found()));
        series.play(&bots, tuning.iteration(step), |_| (Some(seen.clone()), ControlFlow::Continue(())))?;
        if !findings.read_step(&series.run) {
            break;
        }
    }
    if findings.is_tuned() && findings.moved() {
        let bots = sides(&series.run, bot, tuning, &[findings.found(), findings.start()]);
        series.play(&bots, tuning.confirmation(), |run| {
            findings.confirmation.read(run);
            let elo = findings.confirmation.elo();
            let (value, low, high) = (elo.value, elo.low, elo.high);
            let seen = format!("what was found against the start: Elo {value:+.1} [{low:+.1}, {high:+.1}]");
            (Some(seen), ControlFlow::Continue(()))
        })?;
    }
    findings.read(&series.run);
    let complete = findings.is_complete();
    let report = findings.report();
    let found = Found { tuning, findings: &findings };
    if series.finish() {
        let more = found.as_json(bot, report.as_ref(), &series.failures_json(|_| true));
        print_json(&series.as_json(complete, more))?;
    } else {
        let mut text = found.as_text(bot, report.as_ref())?;
        series.write_rate(&mut text)?;
        series.write_failures(&mut text, |_| true)?;
        print(&text)?;
    }
    let failed = failures(&series.run, |_| true).next().is_some();
    series.conclude(complete, failed)
}

/// The bots of a unit: the first side in one seat, the second in all others.
fn sides(run: &Run, bot: &Bot, tuning: &Tuning, values: &[Vec<f64>; 2]) -> Vec<Bot> {
    let [first, second] = values;
    let mut bots = vec![tuning.with_values(bot, first, run.header.name(0))];
    bots.resize(run.header.players as usize, tuning.with_values(bot, second, run.header.name(1)));
    bots
}

fn values(tuning: &Tuning, values: &[f64]) -> String {
    let each = tuning.parameters.iter().zip(values);
    let each: Vec<String> =
        each.map(|(parameter, &value)| format!("{} {}", parameter.name, parameter.text(value))).collect();
    each.join(", ")
}

/// The result of a tuning, to be printed.
struct Found<'a> {
    tuning: &'a Tuning,
    findings: &'a TuneFindings,
}

impl Found<'_> {
    fn each(&self) -> impl Iterator<Item = (&Parameter, String, String)> {
        let values = self.findings.start().into_iter().zip(self.findings.found());
        let parameters = self.tuning.parameters.iter().zip(values);
        parameters.map(|(parameter, (start, best))| (parameter, parameter.text(start), parameter.text(best)))
    }

    /// The command line with the values that were found, if it has placeholders.
    fn command(&self, bot: &Bot) -> Option<String> {
        let filled = self.each().fold(bot.asked.clone(), |command, (parameter, _, best)| {
            command.replace(&format!("{{{}}}", parameter.name), &best)
        });
        (filled != bot.asked).then_some(filled)
    }

    fn as_json(&self, bot: &Bot, report: Option<&Report>, failures: &[Value]) -> Value {
        let parameters: Vec<Value> = self
            .tuning
            .parameters
            .iter()
            .zip(self.each())
            .zip(self.findings.dials())
            .map(|((parameter, (_, _, best)), seen)| {
                let value: f64 = best.parse().unwrap_or(parameter.dial.start);
                json!({
                    "name": parameter.name, "value": value, "start": parameter.dial.start, "low": parameter.dial.low,
                    "high": parameter.dial.high, "step": parameter.dial.step, "int": parameter.dial.whole,
                    "best_from": seen.low, "best_to": seen.high, "state": seen.state,
                })
            })
            .collect();
        json!({
            "iterations": self.tuning.iterations, "iterations_done": self.findings.done(), "parameters": parameters,
            "command": self.command(bot), "report": report, "failures": failures,
        })
    }

    fn as_text(&self, bot: &Bot, report: Option<&Report>) -> Result<String, Failure> {
        let mut text = String::new();
        let (done, all) = (self.findings.done(), self.tuning.iterations);
        writeln!(text, "after {done} of {all} steps, {} seeds each:", self.tuning.units)?;
        for ((parameter, start, best), seen) in self.each().zip(self.findings.dials()) {
            let [low, high, least, most] = [parameter.dial.low, parameter.dial.high, seen.low, seen.high]
                .map(|value| parameter.text(value));
            let words = seen.state.words();
            let state = if words.is_empty() { String::new() } else { format!("; {words}") };
            writeln!(
                text,
                "  {} = {best} [{least}, {most}], from {start} ({low} to {high}){state}",
                parameter.name
            )?;
        }
        if let Some(command) = self.command(bot) {
            writeln!(text, "  {}", clean(&command))?;
        }
        match report {
            Some(report) => writeln!(text, "{report}")?,
            None if done == all && !self.findings.moved() => {
                writeln!(text, "nothing moved, so there is nothing to confirm")?;
            }
            None => {}
        }
        Ok(text)
    }
}
