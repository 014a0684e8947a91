//! `agon tune`

use std::fmt::Write as _;
use std::ops::ControlFlow;

use clap::Args;
use rating::Report;
use runs::{Parameter, Plan, Run, TuneFindings, Tuning};
use serde_json::{Map, Value, json};
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
    /// Tune against this bot, a source, a command line or an @name, and not against the bot itself: both sides of a step play
    /// the same seeds against it
    #[arg(long, value_name = "BOT")]
    pub(crate) against: Option<String>,
    /// How many starts: the given values, then values drawn from the ranges; each takes all steps, and the best one wins
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) starts: u64,
    /// How many games at the end between the values that were found and the start (against another bot, of each); rounded
    /// up to whole seeds
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
    let asked: Vec<String> = std::iter::once(&args.bot).chain(&args.against).cloned().collect();
    let mut bots = prepare(game.info().name, &asked, &sandbox)?;
    if let How::Builtin(_) = bots[0].how {
        return Err(Failure::Unusable(format!("{} has no parameters; tune a bot of your own", bots[0].name)));
    }
    let other = bots.last().cloned().unwrap_or_else(|| bots[0].clone());
    bots.resize(1, other.clone());
    bots.resize(selected.players as usize, other);
    if args.against.is_none() {
        // The two sides of a step; at the end, the values that were found and the start.
        for (at, bot) in bots.iter_mut().enumerate() {
            bot.name = format!("{} ({})", bot.name, if at == 0 { "first side" } else { "second side" });
        }
    }
    let tuning = Tuning {
        parameters: args.parameters.clone(),
        iterations: args.iterations,
        units: args.pairs,
        confirm: args.confirm.div_ceil(u64::from(selected.players)),
        starts: args.starts,
        against: args.against.is_some(),
    };
    let units = tuning.all_units();
    let header = args.new.header((game, selected), &bots, &sandbox, units, Plan::Tune(tuning.clone()));
    go_on(Series::new(args.new.begin(header, "tune")?, sandbox, &args.how)?, &bots, &tuning)
}

/// Goes on with a tuning. `bots` are those of the header: the tuned bot, then the bots of the other seats.
pub(crate) fn go_on(mut series: Series, bots: &[Bot], tuning: &Tuning) -> Result<(), Failure> {
    let mut findings = TuneFindings::new(&series.run.header, tuning);
    findings.read(&series.run);
    let seated = Seated { bots, tuning };
    while !findings.is_tuned() && !series.stopped() {
        let [first, second] = findings.sides();
        let step = findings.done();
        let seen = format!("step {}/{}: {}", step + 1, tuning.steps(), values(tuning, &findings.found()));
        let [ours, theirs] = tuning.step(step);
        let look = |_: &Run| (Some(seen.clone()), ControlFlow::Continue(()));
        series.play(&seated.with(&series.run, &first, &second), ours, look)?;
        if tuning.against && !series.stopped() {
            series.play(&seated.with(&series.run, &second, &first), theirs, look)?;
        }
        if !findings.read_step(&series.run) {
            break;
        }
    }
    if findings.is_tuned() && findings.moved() {
        confirm(&mut series, &seated, &mut findings)?;
    }
    findings.read(&series.run);
    let complete = findings.is_complete();
    let found = Found { tuning, findings: &findings, run: &series.run, bot: &bots[0] };
    if series.finish() {
        let more = found.as_json(&series.failures_json(|_| true));
        print_json(&series.as_json(complete, more))?;
    } else {
        let mut text = found.as_text()?;
        series.write_rate(&mut text)?;
        series.write_failures(&mut text, |_| true)?;
        print(&text)?;
    }
    let failed = failures(&series.run, |_| true).next().is_some();
    series.conclude(complete, failed)
}

/// Plays the duels at the end: the values that were found from each start against the first start, or all of them and the
/// first start against the other bot.
fn confirm(series: &mut Series, seated: &Seated<'_>, findings: &mut TuneFindings) -> Result<(), Failure> {
    let (tuning, first) = (seated.tuning, findings.start());
    for start in (0..tuning.starts).filter(|&start| findings.moved_from(start as usize)).collect::<Vec<_>>() {
        let found = findings.found_from(start as usize);
        let bots = seated.with(&series.run, &found, &first);
        series.play(&bots, tuning.confirmation(start), |run| {
            let elo = findings.read_confirmation(start as usize, run).elo();
            let opponent = if tuning.against { run.header.name(1) } else { "the start" };
            let seen = format!("what was found against {opponent}: Elo {elo:+.1}");
            (Some(seen), ControlFlow::Continue(()))
        })?;
    }
    if let Some(units) = tuning.baseline() {
        let bots = seated.with(&series.run, &first, &first);
        series.play(&bots, units, |run| {
            let seen = format!("the start against {}", run.header.name(1));
            (Some(seen), ControlFlow::Continue(()))
        })?;
    }
    Ok(())
}

/// The bots of a tuning at their seats.
struct Seated<'a> {
    bots: &'a [Bot],
    tuning: &'a Tuning,
}

impl Seated<'_> {
    /// The tuned bot with `first` values in one seat; in all others the bot with `second` values, or the other bot.
    fn with(&self, run: &Run, first: &[f64], second: &[f64]) -> Vec<Bot> {
        let mut bots = vec![self.tuning.with_values(&self.bots[0], first, run.header.name(0))];
        let other = if self.tuning.against {
            self.bots[1].clone()
        } else {
            self.tuning.with_values(&self.bots[0], second, run.header.name(1))
        };
        bots.resize(run.header.players as usize, other);
        bots
    }
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
    run: &'a Run,
    bot: &'a Bot,
}

impl Found<'_> {
    fn each(&self) -> impl Iterator<Item = (&Parameter, String, String)> {
        let values = self.findings.start().into_iter().zip(self.findings.found());
        let parameters = self.tuning.parameters.iter().zip(values);
        parameters.map(|(parameter, (start, best))| (parameter, parameter.text(start), parameter.text(best)))
    }

    /// The name of the other bot, if there is one.
    fn opponent(&self) -> Option<&str> {
        self.tuning.against.then(|| self.run.header.name(1))
    }

    /// The reports of the best values and, against another bot, of the first start.
    fn reports(&self) -> (Option<Report>, Option<Report>) {
        let opponent = self.opponent();
        let baseline = opponent.and_then(|opponent| self.findings.baseline_report(opponent));
        (self.findings.report(opponent), baseline)
    }

    /// The command line with the values that were found, if it has placeholders.
    fn command(&self) -> Option<String> {
        let asked = &self.bot.asked;
        let filled = self.each().fold(asked.clone(), |command, (parameter, _, best)| {
            command.replace(&format!("{{{}}}", parameter.name), &best)
        });
        (filled != *asked).then_some(filled)
    }

    /// The values that were found from each start, and their Elo at the end.
    fn starts(&self) -> Vec<Value> {
        let from = |start: usize| {
            let duel = self.findings.confirmation(start);
            let found = self.findings.found_from(start);
            let named = self.tuning.parameters.iter().zip(found).map(|(parameter, value)| {
                let value: f64 = parameter.text(value).parse().unwrap_or(value);
                (parameter.name.clone(), json!(value))
            });
            json!({
                "values": named.collect::<Map<String, Value>>(),
                "elo": (duel.matches() > 0).then(|| duel.elo()),
                "best": start == self.findings.best_start(),
            })
        };
        (0..self.tuning.starts as usize).map(from).collect()
    }

    fn as_json(&self, failures: &[Value]) -> Value {
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
        let (report, baseline) = self.reports();
        json!({
            "iterations": self.tuning.steps(), "iterations_done": self.findings.done(), "parameters": parameters,
            "command": self.command(), "against": self.opponent(), "starts": self.starts(),
            "report": report, "start_report": baseline, "failures": failures,
        })
    }

    fn as_text(&self) -> Result<String, Failure> {
        let mut text = String::new();
        let (done, all) = (self.findings.done(), self.tuning.steps());
        writeln!(text, "after {done} of {all} steps, seeds of each: {}", self.tuning.units)?;
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
        if let Some(command) = self.command() {
            writeln!(text, "  {}", clean(&command))?;
        }
        for start in (0..self.tuning.starts as usize).filter(|_| self.tuning.starts > 1) {
            let duel = self.findings.confirmation(start);
            let found = values(self.tuning, &self.findings.found_from(start));
            let elo = if duel.matches() == 0 { String::new() } else { format!(": Elo {:+.1}", duel.elo()) };
            let best = if start == self.findings.best_start() { ", the best" } else { "" };
            writeln!(text, "  start {}: {found}{elo}{best}", start + 1)?;
        }
        match self.reports() {
            (Some(report), baseline) => {
                writeln!(text, "{report}")?;
                if let Some(baseline) = baseline {
                    writeln!(text, "{baseline}")?;
                }
            }
            (None, _) if done == all && !self.findings.moved() => {
                writeln!(text, "nothing moved, so there is nothing to confirm")?;
            }
            (None, baseline) => {
                if self.findings.is_complete() {
                    writeln!(text, "the values at the start are the best ones")?;
                }
                if let Some(baseline) = baseline {
                    writeln!(text, "{baseline}")?;
                }
            }
        }
        Ok(text)
    }
}
