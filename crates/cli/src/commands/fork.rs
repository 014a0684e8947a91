//! `agon fork`

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use catalog::record::Played;
use clap::Args;
use play::{Heartbeat, MatchPlan, PlayedMatch, Runner};
use referee::Ending;
use replay::wire::{Continuation, Given};
use review::{Fork, Recording, Tally, numbered};
use sandbox::{Limits, Sandbox};
use serde_json::{Value, json};
use toolchain::{Bot, Launcher};

use crate::Failure;
use crate::args::{RunArgs, threads};
use crate::commands::play::{RETRIES, as_json, as_text, clean, open_sandbox, prepare};
use crate::commands::watch::{self, PageArgs};
use crate::launcher;
use crate::output::{complain, note, print, print_json};
use crate::progress::with_progress;
use crate::records::RecordFile;

#[derive(Args, Debug)]
pub(crate) struct ForkArgs {
    /// The match: a record, a trace or a replay of the contest site; `FILE:LINE` where a file has several, `RUN:INDEX` for
    /// a match of a run that keeps records
    #[arg(value_name = "RECORD")]
    source: String,
    /// The first turn that is played anew, as the viewer counts
    #[arg(long, value_name = "TURN")]
    turn: u32,
    /// A bot, once for each seat. {seed} in a command is the number of the continuation, from 0. @human is you, in the
    /// viewer
    #[arg(long = "bot", short, value_name = "BOT", required = true)]
    bots: Vec<String>,
    /// Play LINE for a seat at the turn, instead of the answer of its bot (may be repeated for other seats)
    #[arg(long = "answer", value_name = "SEAT:LINE", value_parser = answer)]
    answers: Vec<(u8, String)>,
    /// How many continuations
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Continuations at once [default: as many as do not disturb each other's clocks]
    #[arg(long, short = 'j', value_name = "COUNT", value_parser = threads)]
    jobs: Option<usize>,
    #[command(flatten)]
    run: RunArgs,
    /// Write the continuation to FILE as a record, several one on each line (compressed if it ends in .gz)
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    page: PageArgs,
    /// Print JSON; with @human the address of the page
    #[arg(long)]
    json: bool,
}

/// The word for a person.
const HUMAN: &str = "@human";

/// Reads `SEAT:LINE`.
fn answer(text: &str) -> Result<(u8, String), String> {
    let parts =
        text.split_once(':').and_then(|(seat, line)| Some((seat.trim().parse().ok()?, line.to_owned())));
    parts.ok_or_else(|| "an answer is SEAT:LINE, such as '0:MOVE N'".to_owned())
}

pub(crate) fn run(args: &ForkArgs) -> Result<(), Failure> {
    let recording = Recording::of(review::open(&args.source)?.played)?;
    let given: Vec<(u8, Vec<u8>)> =
        args.answers.iter().map(|(seat, line)| (*seat, line.clone().into_bytes())).collect();
    let fork = Fork::new(&recording, args.turn, &given)?;
    let selected = recording.selected()?;
    if args.bots.len() != usize::from(selected.players) {
        return Err(Failure::Unusable(format!(
            "the match has {} players; give one --bot for each seat, there are {}",
            selected.players,
            args.bots.len()
        )));
    }
    if args.bots.iter().any(|bot| bot == HUMAN) {
        return by_hand(args, recording);
    }
    let sandbox = open_sandbox(args.run.sandbox, args.json)?;
    let bots = prepare(recording.game.info().name, &args.bots, &sandbox)?;
    let launcher = launcher()?;
    let session = Session { args, recording: &recording, fork: &fork, bots: &bots, sandbox: &sandbox };
    let continued = session.play_all(&launcher)?;
    if let Some(path) = &args.record {
        let mut file = RecordFile::create(path)?;
        for one in &continued {
            file.line(&one.record)?;
        }
        file.finish()?;
    }
    match &continued[..] {
        [one] if args.json => print_json(&one.json)?,
        [one] => print(&format!("{}{}", session.title()?, one.text))?,
        all => session.print_tally(all)?,
    }
    if continued.iter().any(|one| one.ranks.is_none()) { Err(Failure::No) } else { Ok(()) }
}

/// Serves a page in which a person plays the continuation.
fn by_hand(args: &ForkArgs, recording: Recording) -> Result<(), Failure> {
    if args.record.is_some() || args.count > 1 {
        return Err(Failure::Unusable(
            "a person plays one continuation, and the page has its record: leave out --record and -n".into(),
        ));
    }
    let programs: Vec<String> = args.bots.iter().filter(|bot| !bot.starts_with('@')).cloned().collect();
    let replays = Arc::new(watch::list(&programs, &args.page)?);
    let id = replays.add(recording.played);
    let seat = |bot: &String| if bot == HUMAN { "you".to_owned() } else { bot.clone() };
    let given = |(seat, line): &(u8, String)| Given { seat: *seat, line: line.clone() };
    let ask = Continuation {
        turn: args.turn,
        seats: args.bots.iter().map(seat).collect(),
        given: args.answers.iter().map(given).collect(),
    };
    let id = replays.continued(id, &ask).map_err(Failure::Unusable)?;
    let server = watch::serve(replays, &args.page)?;
    let address = watch::address(&server, Some(id));
    if args.json {
        print_json(&json!({"address": address}))?;
    } else {
        print(&format!("{address}\n"))?;
        note("Ctrl-C ends it");
    }
    watch::open(&args.page, &address);
    server.serve_for_ever()
}

/// A continuation that was played.
struct Continued {
    record: Played,
    /// The places; `None` if it was void.
    ranks: Option<Vec<u8>>,
    json: Value,
    text: String,
}

/// Everything that the continuations have in common.
struct Session<'a> {
    args: &'a ForkArgs,
    recording: &'a Recording,
    fork: &'a Fork,
    bots: &'a [Bot],
    sandbox: &'a Sandbox,
}

impl Session<'_> {
    /// Plays all continuations, in the order of their numbers.
    fn play_all(&self, launcher: &Launcher) -> Result<Vec<Continued>, Failure> {
        let count = u64::from(self.args.count);
        let simultaneous = self.recording.game.info().simultaneous;
        let players = self.recording.players();
        let workers = self.args.jobs.unwrap_or_else(|| runs::workers_for(simultaneous, players));
        let workers = workers.min(count as usize);
        let placements = runs::placements(simultaneous, players, workers);
        let heartbeat = Heartbeat::start();
        let next = AtomicU64::new(0);
        let results = Mutex::new(Vec::new());
        let lock = || results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        with_progress((count > 1).then_some(count), "continuations", |done| {
            std::thread::scope(|scope| {
                for placement in &placements {
                    let (heartbeat, next, lock) = (&heartbeat, &next, &lock);
                    scope.spawn(move || {
                        loop {
                            let number = next.fetch_add(1, Ordering::Relaxed);
                            if number >= count {
                                break;
                            }
                            let bots = numbered(self.bots, number);
                            let launcher = launcher.clone().seeded(number);
                            let runner = Runner::new(self.sandbox, &launcher, Some(heartbeat))
                                .continuing(self.fork.past(), number);
                            let continued = self
                                .plan(&bots, placement.clone())
                                .and_then(|plan| self.play(&runner, &plan));
                            if continued.is_err() {
                                // The others would fail as well.
                                next.store(count, Ordering::Relaxed);
                            }
                            lock().push((number, continued));
                            done.fetch_add(1, Ordering::Relaxed);
                        }
                    });
                }
            });
        });
        let mut results = std::mem::take(&mut *lock());
        results.sort_by_key(|(number, _)| *number);
        results.into_iter().map(|(_, continued)| continued).collect()
    }

    fn plan<'b>(&self, bots: &'b [Bot], placement: play::Placement) -> Result<MatchPlan<'b>, Failure> {
        let simultaneous = self.recording.game.info().simultaneous;
        Ok(MatchPlan {
            game: self.recording.game,
            selected: self.recording.selected()?,
            seed: self.recording.played.header.seed,
            bots: bots.iter().collect(),
            clock: self.args.run.clock,
            ponder: self.args.run.may_ponder(simultaneous),
            limits: Limits::BOT,
            placement,
            inspect: false,
        })
    }

    /// Plays one continuation. One that is void by our fault is repeated a few times.
    fn play(&self, runner: &Runner<'_>, plan: &MatchPlan<'_>) -> Result<Continued, Failure> {
        let mut played = runner.play(plan);
        for _ in 0..RETRIES {
            match &played.ending {
                // A bot that fails on the past fails each time.
                Ending::Void { why, by: Some(_) } => return Err(Failure::Unusable(clean(why))),
                Ending::Void { why, by: None } => {
                    complain(&format!("void: {}; it is played again", clean(why)));
                }
                Ending::Over { .. } => break,
            }
            played = runner.play(plan);
        }
        self.continued(plan, &played)
    }

    fn continued(&self, plan: &MatchPlan<'_>, played: &PlayedMatch) -> Result<Continued, Failure> {
        let parent = self.fork.parent(&played.caught_up);
        let again = self.again();
        let mut json = as_json(plan, played, &again, self.sandbox);
        json["parent"] = json!(parent);
        let text = as_text(plan, played, &again)?;
        let ranks = match &played.ending {
            Ending::Over { outcome, .. } => Some(outcome.ranks.clone()),
            Ending::Void { .. } => None,
        };
        let record = Played { parent: Some(parent), ..play::to_record(plan, played) };
        Ok(Continued { record, ranks, json, text })
    }

    /// The command that continues the match in the same way.
    fn again(&self) -> String {
        let args = self.args;
        let mut words = vec!["agon".to_owned(), "fork".into(), args.source.clone()];
        words.extend(["--turn".to_owned(), args.turn.to_string()]);
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        option("--clock", args.run.clock.to_string());
        if let Some(level) = args.run.sandbox.level() {
            option("--sandbox", level.to_string());
        }
        for bot in &args.bots {
            option("--bot", bot.clone());
        }
        for (seat, line) in &args.answers {
            option("--answer", format!("{seat}:{line}"));
        }
        if args.count > 1 {
            option("-n", args.count.to_string());
        }
        shell_words::join(words)
    }

    fn title(&self) -> Result<String, Failure> {
        let mut text = String::new();
        writeln!(text, "from turn {} of {}", self.args.turn, clean(&self.args.source))?;
        for (seat, line) in &self.args.answers {
            writeln!(text, "  player {seat} plays {} at turn {}", clean(line), self.args.turn)?;
        }
        Ok(text)
    }

    /// Prints the results of many continuations.
    fn print_tally(&self, continued: &[Continued]) -> Result<(), Failure> {
        let mut tally = Tally::default();
        continued.iter().filter_map(|one| one.ranks.as_deref()).for_each(|ranks| tally.add(ranks));
        let void = continued.len() - tally.matches as usize;
        let again = self.again();
        if self.args.json {
            let first = continued.first();
            return print_json(&json!({
                "game": self.recording.game.info().name,
                "seed": self.recording.played.header.seed.to_string(),
                "bots": self.bots.iter().map(|bot| bot.name.clone()).collect::<Vec<_>>(),
                "continuations": tally.matches,
                "void": void,
                "seats": tally.seats,
                "parent": first.and_then(|one| one.record.parent.as_ref()),
                "again": again,
            }));
        }
        let mut text = self.title()?;
        writeln!(text, "{} continuations", tally.matches)?;
        for (seat, result) in tally.seats.iter().enumerate() {
            let [low, high] = result.interval.map(|share| 100.0 * share);
            writeln!(
                text,
                "  player {seat} ({}): {:.1} % of the points, 95 % interval {low:.1} to {high:.1}; {} wins, {} draws, {} losses",
                clean(&self.bots[seat].name),
                100.0 * result.score,
                result.wins,
                result.draws,
                result.losses,
            )?;
        }
        if void > 0 {
            writeln!(text, "{void} continuations were void, by our fault")?;
        }
        writeln!(text, "again: {}", clean(&again))?;
        print(&text)
    }
}
