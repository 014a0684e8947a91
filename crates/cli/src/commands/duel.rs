//! `agon duel` and `agon resume`

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use arena::{MatchLine, Run, RunHeader};
use game::Selected;
use indicatif::{ProgressBar, ProgressStyle};
use rating::{Decision, Duel, GameResult, Model, Report, Shape, Sprt};
use sandbox::Sandbox;
use serde_json::{Value, json};

use crate::Failure;
use crate::args::{DuelArgs, ResumeArgs, SeriesArgs};
use crate::commands::play::{clean, open_sandbox, prepare};
use crate::output::{complain, note, print, print_json};

/// Error rates of an early stop.
const ALPHA: f64 = 0.05;
const BETA: f64 = 0.05;
/// How many losses and failures are listed.
const LISTED: usize = 10;

pub(crate) fn run(args: &DuelArgs) -> Result<(), Failure> {
    if args.bots.len() != 2 {
        return Err(Failure::Unusable(format!(
            "a duel is between two bots; there are {} --bot",
            args.bots.len()
        )));
    }
    let (game, selected) = args.game.resolve()?;
    let Selected { league, edition, players } = selected;
    let sandbox = open_sandbox(args.run.sandbox, args.how.json)?;
    // The second bot takes all seats but one.
    let mut words = args.bots.clone();
    words.resize(players as usize, args.bots[1].clone());
    let bots = prepare(&words, &sandbox)?;
    let games = args.games.unwrap_or(if args.sprt.is_some() { 20_000 } else { 200 });
    let header = RunHeader {
        agon_run: RunHeader::VERSION,
        game: game.info().name.to_owned(),
        league,
        rules: edition.to_owned(),
        bots: words,
        digests: bots.iter().map(|bot| bot.digest.clone()).collect(),
        first_seed: args.seed,
        units: games.div_ceil(u64::from(players)),
        clock: args.run.clock,
        sandbox: sandbox.level(),
        ponder: args.run.may_ponder(game.info().simultaneous),
        sprt: args.sprt.as_ref().map(|elo| (elo[0], elo[1])),
    };
    // A test that makes no sense is refused before a file is made for it.
    test_of(&header)?;
    let path = args.file.clone().unwrap_or_else(fresh_path);
    go_on(Run::create(&path, header)?, &bots, &sandbox, &args.how)
}

pub(crate) fn resume(args: &ResumeArgs) -> Result<(), Failure> {
    let run = Run::open(&args.file)?;
    let sandbox = Sandbox::new(Some(run.header.sandbox))?;
    let bots = prepare(&run.header.bots, &sandbox)?;
    go_on(run, &bots, &sandbox, &args.how)
}

fn fresh_path() -> PathBuf {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_millis());
    PathBuf::from(format!("duel-{now}.run"))
}

fn test_of(header: &RunHeader) -> Result<Option<Sprt>, Failure> {
    let test = header.sprt.map(|(elo0, elo1)| Sprt::new(elo0, elo1, ALPHA, BETA, Model::Normalized));
    Ok(test.transpose()?)
}

/// What the finished units say, in the order of the schedule, up to the one at which an early stop was sound.
struct Judge {
    duel: Duel,
    test: Option<Sprt>,
    seen: u64,
    decided: Option<Decision>,
}

impl Judge {
    fn new(header: &RunHeader) -> Result<Judge, Failure> {
        let players = header.bots.len() as u32;
        let shape = if players == 2 { Shape::PAIR } else { Shape::one_against_copies(players) };
        Ok(Judge { duel: Duel::new(shape), test: test_of(header)?, seen: 0, decided: None })
    }

    fn look(&mut self, run: &Run) {
        while self.decided.is_none()
            && let Some(unit) = run.unit(self.seen)
        {
            let games: Vec<GameResult> = unit.iter().map(|line| game_result(self.seen, line)).collect();
            self.duel.add_unit(&games, 0, 1);
            self.seen += 1;
            if let Some(test) = &self.test {
                let decision = test.decide(test.llr(&self.duel.pairs));
                self.decided = (decision != Decision::Continue).then_some(decision);
            }
        }
    }

    /// Matches that were played after the decision count for nothing.
    fn counts(&self, line: &MatchLine, players: usize) -> bool {
        self.decided.is_none() || line.index < self.seen * players as u64
    }
}

/// The first bot is player 0, every copy of the second is player 1.
fn game_result(unit: u64, line: &MatchLine) -> GameResult {
    GameResult {
        unit,
        players: line.seats.iter().map(|&bot| bot.min(1)).collect(),
        ranks: line.ranks.iter().map(|&rank| u32::from(rank)).collect(),
    }
}

fn go_on(mut run: Run, bots: &[arena::Bot], sandbox: &Sandbox, how: &SeriesArgs) -> Result<(), Failure> {
    let mut judge = Judge::new(&run.header)?;
    judge.look(&run);
    let again = format!("agon resume {}", shell_words::quote(&run.path().display().to_string()));
    note(&format!("kept in {}; after a stop: {again}", run.path().display()));
    let interrupted = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&interrupted);
    // The first signal lets the running matches end; the second ends at once, and the file is whole all the same.
    let handled = ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    handled?;
    let (simultaneous, players) = (run.rules()?.0.info().simultaneous, bots.len());
    let workers = how.jobs.unwrap_or_else(|| arena::workers_for(simultaneous, players as u8));
    let stop = AtomicBool::new(judge.decided.is_some());
    let (started, before) = (Instant::now(), run.finished());
    let bar = progress_bar(&run, how.json);
    let void = run.play(bots, sandbox, workers, &stop, |run| {
        judge.look(run);
        bar.set_position(run.finished() as u64);
        bar.set_message(estimate(&judge));
        if judge.decided.is_some() || interrupted.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    bar.finish_and_clear();
    let seconds = started.elapsed().as_secs_f64();
    let played = run.finished() - before;
    let complete = judge.decided.is_some() || run.finished() as u64 == run.header.matches();
    let told = Told { run: &run, judge: &judge, bots, played, seconds, void, complete, again: &again };
    if how.json {
        print_json(&told.as_json())?;
    } else {
        print(&told.as_text()?)?;
    }
    let failed = told.failures().next().is_some();
    if interrupted.load(Ordering::Relaxed) && !complete {
        complain(&format!("stopped; {again} goes on"));
        return Err(Failure::No);
    }
    if void > 0 {
        return Err(Failure::Unusable(format!(
            "{void} matches were void, by our fault; {again} plays them again"
        )));
    }
    if how.strict && failed { Err(Failure::No) } else { Ok(()) }
}

fn progress_bar(run: &Run, hidden: bool) -> ProgressBar {
    let bar = if hidden { ProgressBar::hidden() } else { ProgressBar::new(run.header.matches()) };
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} games, {per_sec}, {eta} left  {wide_msg}") {
        bar.set_style(style);
    }
    bar.set_position(run.finished() as u64);
    bar.reset_eta();
    bar
}

/// The running estimate in one line.
fn estimate(judge: &Judge) -> String {
    let elo = judge.duel.pairs.elo();
    let mut text = format!(
        "Elo {:+.1} [{:+.1}, {:+.1}], LOS {:.1} %",
        elo.value,
        elo.low,
        elo.high,
        100.0 * judge.duel.pairs.los()
    );
    if let Some(test) = &judge.test {
        let state = test.state(&judge.duel.pairs);
        // A string takes everything.
        let _ = write!(text, ", LLR {:.2} ({:.2}, {:.2})", state.llr, state.lower, state.upper);
    }
    text
}

struct Told<'a> {
    run: &'a Run,
    judge: &'a Judge,
    bots: &'a [arena::Bot],
    played: usize,
    seconds: f64,
    void: usize,
    complete: bool,
    again: &'a str,
}

impl Told<'_> {
    fn report(&self) -> Report {
        Report::new(&self.bots[0].name, &self.bots[1].name, &self.judge.duel, self.judge.test.as_ref())
    }

    fn lines(&self) -> impl Iterator<Item = &MatchLine> {
        self.run.results().filter(|line| self.judge.counts(line, self.bots.len()))
    }

    /// Every failure of a bot: the match, the seat, what happened.
    fn failures(&self) -> impl Iterator<Item = (&MatchLine, usize, &str)> {
        self.lines().flat_map(|line| {
            let failed =
                line.details.iter().enumerate().filter_map(|(seat, detail)| Some((seat, detail.as_deref()?)));
            failed.map(move |(seat, detail)| (line, seat, detail))
        })
    }

    /// Games the first bot lost without failing, the clearest first.
    fn worst_losses(&self) -> Vec<(&MatchLine, i64)> {
        let margin = |line: &MatchLine| {
            let seat = line.seats.iter().position(|&bot| bot == 0)?;
            let best = line.scores.iter().max().copied()?;
            (line.causes[seat].is_none() && line.ranks[seat] > 1).then(|| best - line.scores[seat])
        };
        let mut lost: Vec<(&MatchLine, i64)> =
            self.lines().filter_map(|line| Some((line, margin(line)?))).collect();
        lost.sort_by_key(|(line, margin)| (-margin, line.index));
        lost.truncate(LISTED);
        lost
    }

    /// The command that plays a match of the run again.
    fn replay(&self, line: &MatchLine) -> String {
        let header = &self.run.header;
        let mut words: Vec<String> = ["agon", "play", &header.game, "--league"].map(str::to_owned).to_vec();
        words.extend([header.league.to_string(), "--rules".into(), header.rules.clone()]);
        words.extend(["--seed".into(), line.seed.to_string(), "--clock".into(), header.clock.to_string()]);
        words.extend(["--sandbox".into(), header.sandbox.to_string()]);
        for &bot in &line.seats {
            words.extend(["--bot".into(), header.bots[bot].clone()]);
        }
        shell_words::join(words)
    }

    fn as_json(&self) -> Value {
        let failures: Vec<Value> = self
            .failures()
            .map(|(line, seat, detail)| {
                json!({
                    "index": line.index, "seed": line.seed.to_string(), "seat": seat, "bot": self.bots[line.seats[seat]].name,
                    "cause": line.causes[seat], "detail": detail, "replay": self.replay(line),
                })
            })
            .collect();
        let losses: Vec<Value> = self
            .worst_losses()
            .into_iter()
            .map(|(line, margin)| {
                json!({
                    "index": line.index, "seed": line.seed.to_string(), "scores": line.scores, "seats": line.seats,
                    "margin": margin, "replay": self.replay(line),
                })
            })
            .collect();
        json!({
            "game": self.run.header.game,
            "run": self.run.path().display().to_string(),
            "complete": self.complete,
            "resume": self.again,
            "played_now": self.played,
            "games_per_second": if self.seconds > 0.0 { self.played as f64 / self.seconds } else { 0.0 },
            "void": self.void,
            "report": self.report(),
            "failures": failures,
            "worst_losses": losses,
        })
    }

    fn as_text(&self) -> Result<String, Failure> {
        let mut text = String::new();
        writeln!(text, "{}", clean_lines(&self.report().to_string()))?;
        if let Some(decision) = self.judge.decided {
            let name = clean(&self.bots[0].name);
            let (elo0, elo1) = self.run.header.sprt.unwrap_or_default();
            match decision {
                Decision::AcceptH1 => {
                    writeln!(text, "{name} is better than {elo0} nElo: H1 ({elo1}) is accepted")?;
                }
                _ => writeln!(text, "{name} is not better by {elo1} nElo: H0 ({elo0}) is accepted")?,
            }
        }
        if self.played > 0 && self.seconds > 0.0 {
            writeln!(
                text,
                "{} games in {:.1} s, {:.1} games/s",
                self.played,
                self.seconds,
                self.played as f64 / self.seconds
            )?;
        }
        let losses = self.worst_losses();
        if !losses.is_empty() {
            writeln!(text, "worst losses of {}:", clean(&self.bots[0].name))?;
            for (line, margin) in losses {
                writeln!(text, "  by {margin}: {}", self.replay(line))?;
            }
        }
        let failures: Vec<_> = self.failures().collect();
        if !failures.is_empty() {
            writeln!(text, "{} failures of bots:", failures.len())?;
            for (line, seat, detail) in failures.iter().take(LISTED) {
                let name = clean(&self.bots[line.seats[*seat]].name);
                writeln!(text, "  {name}, seat {seat}: {}", clean(detail))?;
                writeln!(text, "    {}", self.replay(line))?;
            }
            if failures.len() > LISTED {
                writeln!(
                    text,
                    "  ... and {} more: see {}",
                    failures.len() - LISTED,
                    self.run.path().display()
                )?;
            }
        }
        Ok(text)
    }
}

/// The report has names of bots in it, and lines of its own.
fn clean_lines(text: &str) -> String {
    text.lines().map(clean).collect::<Vec<_>>().join("\n")
}
