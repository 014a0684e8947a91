//! `agon duel`

use std::fmt::Write as _;
use std::ops::ControlFlow;

use clap::Args;
use rating::{Model, Report, Sprt};
use runs::{DuelFindings, MatchLine, Plan, RunHeader};
use serde_json::{Value, json};
use toolchain::Bot;

use crate::Failure;
use crate::args::GameArgs;
use crate::commands::play::{clean, open_sandbox, prepare};
use crate::commands::series::{LISTED, NewRunArgs, Series, SeriesArgs, clean_lines, failures, tell_apart};
use crate::output::{coloured, print, print_json};

#[derive(Args, Debug)]
pub(crate) struct DuelArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// The bot the question is about, then the bot it is compared with
    #[arg(long = "bot", short, value_name = "BOT", required = true)]
    pub(crate) bots: Vec<String>,
    /// How many games at the most; rounded up to whole seeds [default: 200, with --sprt 20000]
    #[arg(long, short = 'n', value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) games: Option<u64>,
    /// Stop as soon as it is sound to say that the first bot is better than ELO0, or that it is not better by ELO1
    /// (normalised Elo, unless --elo is given)
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_hyphen_values = true)]
    pub(crate) sprt: Option<Vec<f64>>,
    /// The bounds of --sprt are Elo, not normalised Elo
    #[arg(long, requires = "sprt")]
    pub(crate) elo: bool,
    /// How often --sprt may say that the bot is better when it is only ELO0 better
    #[arg(long, requires = "sprt", value_name = "RATE", default_value_t = 0.05)]
    pub(crate) alpha: f64,
    /// How often --sprt may say that the bot is not better by ELO1 when it is
    #[arg(long, requires = "sprt", value_name = "RATE", default_value_t = 0.05)]
    pub(crate) beta: f64,
    #[command(flatten)]
    pub(crate) new: NewRunArgs,
    #[command(flatten)]
    pub(crate) how: SeriesArgs,
}

pub(crate) fn run(args: &DuelArgs) -> Result<(), Failure> {
    if args.bots.len() != 2 {
        return Err(Failure::Unusable(format!(
            "a duel is between two bots; there are {} --bot",
            args.bots.len()
        )));
    }
    // A test that makes no sense is refused before anything is built.
    let model = if args.elo { Model::Logistic } else { Model::Normalized };
    let test = |bounds: &Vec<f64>| Sprt::new(bounds[0], bounds[1], args.alpha, args.beta, model);
    let sprt = args.sprt.as_ref().map(test).transpose()?;
    let (game, selected) = args.game.resolve()?;
    let sandbox = open_sandbox(args.new.run.sandbox, args.how.json)?;
    let mut bots = prepare(game.info().name, &args.bots, &sandbox)?;
    tell_apart(&mut bots);
    // The second bot takes all seats but one.
    bots.resize(selected.players as usize, bots[1].clone());
    let games = args.games.unwrap_or(if args.sprt.is_some() { 20_000 } else { 200 });
    let units = games.div_ceil(u64::from(selected.players));
    let header = RunHeader { sprt, ..args.new.header((game, selected), &bots, &sandbox, units, Plan::Duel) };
    go_on(Series::new(args.new.begin(header, "duel")?, sandbox, &args.how)?, &bots)
}

pub(crate) fn go_on(mut series: Series, bots: &[Bot]) -> Result<(), Failure> {
    let mut findings = DuelFindings::new(&series.run.header);
    findings.read(&series.run);
    if findings.decision().is_none() {
        series.play(bots, 0..u64::MAX, |run| {
            findings.read(run);
            let enough = findings.decision().is_some();
            let flow = if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            let elo = findings.elo();
            (Some(coloured(findings.estimate(), elo.low, elo.high)), flow)
        })?;
    }
    let run = &series.run;
    let complete = findings.decision().is_some() || run.finished() as u64 == run.header.matches();
    let told = Told { series: &series, findings: &findings };
    if series.finish() {
        print_json(&series.as_json(complete, told.as_json()))?;
    } else {
        print(&told.as_text()?)?;
    }
    let failed = failures(run, |line| findings.counts(line)).next().is_some();
    series.conclude(complete, failed)
}

struct Told<'a> {
    series: &'a Series,
    findings: &'a DuelFindings,
}

impl Told<'_> {
    fn name(&self, bot: usize) -> &str {
        self.series.run.header.name(bot)
    }

    fn report(&self) -> Report {
        self.findings.report(self.name(0), self.name(1))
    }

    /// Games the first bot lost without failing, the clearest first.
    fn worst_losses(&self) -> Vec<(&MatchLine, i64)> {
        let margin = |line: &MatchLine| {
            let seat = line.seats.iter().position(|&bot| bot == 0)?;
            let best = line.scores.iter().max().copied()?;
            (line.causes[seat].is_none() && line.ranks[seat] > 1)
                .then(|| best.saturating_sub(line.scores[seat]))
        };
        let lines = self.series.run.results().filter(|line| self.findings.counts(line));
        let mut lost: Vec<(&MatchLine, i64)> = lines.filter_map(|line| Some((line, margin(line)?))).collect();
        lost.sort_by_key(|(line, margin)| (-margin, line.index));
        lost.truncate(LISTED);
        lost
    }

    /// The clearest losses with the commands that look into them.
    fn telling(&self) -> Vec<Telling> {
        let header = &self.series.run.header;
        let run = self.series.run.path().display().to_string();
        let mut found = Vec::new();
        for (line, _) in self.worst_losses().into_iter().take(TELLING) {
            let Some(seat) = line.seats.iter().position(|&bot| bot == 0) else { continue };
            let words = format!("{run}:{}", line.index);
            let opened = header.records.is_some().then(|| review::open(&words).ok()).flatten();
            let recording = opened.and_then(|opened| review::Recording::of(opened.played).ok());
            let turn = recording.and_then(|recording| {
                review::worst_turn(&recording, seat as u8, crate::args::workers(None)).ok().flatten()
            });
            let Some(turn) = turn else { continue };
            let (seat_word, turn_word) = (seat.to_string(), turn.to_string());
            let debug = shell_words::join(
                ["agon", "debug", &words, "--seat", &seat_word, "--turn", &turn_word, "--bot"]
                    .into_iter()
                    .chain([header.bots[0].as_str()]),
            );
            let bots = line.seats.iter().flat_map(|&bot| ["--bot", header.bots[bot].as_str()]);
            let fork =
                shell_words::join(["agon", "fork", &words, "--turn", &turn_word].into_iter().chain(bots));
            found.push(Telling { index: line.index, seat, turn, debug, fork });
        }
        found
    }

    fn as_json(&self) -> Value {
        let losses: Vec<Value> = self
            .worst_losses()
            .into_iter()
            .map(|(line, margin)| {
                json!({
                    "index": line.index, "seed": line.seed.to_string(), "scores": line.scores, "seats": line.seats,
                    "margin": margin, "replay": line.again(&self.series.run.header),
                })
            })
            .collect();
        json!({
            "report": self.report(),
            "failures": self.series.failures_json(|line| self.findings.counts(line)),
            "skipped_orders": self.series.skipped_json(|line| self.findings.counts(line)),
            "worst_losses": losses,
            "telling_losses": self.telling().iter().map(Telling::as_json).collect::<Vec<_>>(),
        })
    }

    fn as_text(&self) -> Result<String, Failure> {
        let mut text = String::new();
        writeln!(text, "{}", clean_lines(&self.report().to_string()))?;
        let name = clean(self.name(0));
        if let (Some(decision), Some(test)) = (self.findings.decision(), &self.series.run.header.sprt) {
            writeln!(text, "{}", test.verdict(&name, decision))?;
        }
        self.series.write_rate(&mut text)?;
        let losses = self.worst_losses();
        if !losses.is_empty() {
            writeln!(text, "worst losses of {name}:")?;
            let (game, _) = self.series.run.header.rules()?;
            for (line, _) in losses {
                if let Some(replay) = line.again(&self.series.run.header) {
                    let scores = play::said_scores(game, &line.scores);
                    let seat = line.seats.iter().position(|&bot| bot == 0).unwrap_or(0);
                    writeln!(text, "  {scores} from seat {seat}: {}", clean(&replay))?;
                }
            }
        }
        let telling = self.telling();
        if !telling.is_empty() {
            writeln!(text, "where {name} lost them:")?;
            for Telling { index, seat, turn, debug, fork } in telling {
                writeln!(text, "  match {index}, seat {seat}, turn {turn}:")?;
                writeln!(text, "    {}", clean(&debug))?;
                writeln!(text, "    {}", clean(&fork))?;
            }
        }
        self.series.write_failures(&mut text, |line| self.findings.counts(line))?;
        Ok(text)
    }
}

/// Losses that are looked into.
const TELLING: usize = 3;

/// A loss, the turn that cost most, and the commands that look into it.
struct Telling {
    index: u64,
    seat: usize,
    turn: u32,
    debug: String,
    fork: String,
}

impl Telling {
    fn as_json(&self) -> Value {
        json!({"index": self.index, "seat": self.seat, "turn": self.turn, "debug": self.debug, "fork": self.fork})
    }
}
