//! The common parts of all commands with many matches: begin a run, go on with it, show its progress, print its
//! results.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use clap::Args;
use cluster::{Address, Cluster, Role};
use game::Selected;
use game::text::safe_text;
use indicatif::{ProgressBar, ProgressStyle};
use referee::Clock;
use runs::{ClusterContext, Coordinator, MatchLine, Plan, Run, RunContext, RunHeader, Shard};
use sandbox::Sandbox;
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;
use toolchain::Bot;

use crate::Failure;
use crate::args::{RunArgs, seed, threads};
use crate::caller::stop_flag;
use crate::commands::play::{LONGEST_LINE, clean};
use crate::launcher;
use crate::output::{complain, note};

/// The time between two lines of progress where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Most losses and failures that are listed.
pub(crate) const LISTED: usize = 10;

/// How many matches are played.
#[derive(Args, Debug)]
pub(crate) struct SeriesArgs {
    /// Matches at once [default: as many as do not disturb each other's clocks]
    #[arg(long, short = 'j', value_name = "COUNT", value_parser = threads)]
    pub(crate) jobs: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Exit with 1 when a bot failed in any match
    #[arg(long)]
    pub(crate) strict: bool,
    /// Let the workers of a cluster play (`agon worker`): the address of its NATS server, `nats://HOST` or `tls://HOST`
    #[arg(long, value_name = "URL", env = "AGON_CLUSTER", hide_env_values = true, conflicts_with = "jobs")]
    pub(crate) cluster: Option<String>,
    #[command(flatten)]
    pub(crate) key: KeyArgs,
}

impl SeriesArgs {
    /// The address of the cluster, if its workers play. An empty variable means that they do not.
    fn cluster(&self) -> Option<&str> {
        self.cluster.as_deref().filter(|url| !url.is_empty())
    }
}

/// How a NATS server accepts this program.
#[derive(Args, Debug)]
pub(crate) struct KeyArgs {
    /// The file with the NKey seed, or with the credentials, for the NATS server
    #[arg(long, value_name = "FILE", env = "AGON_CLUSTER_KEY")]
    cluster_key: Option<PathBuf>,
    /// The file with the certificate of the authority that signed the certificate of the NATS server
    #[arg(long, value_name = "FILE", env = "AGON_CLUSTER_CA")]
    cluster_ca: Option<PathBuf>,
}

impl KeyArgs {
    /// The address of a NATS server with these files.
    pub(crate) fn address(&self, url: &str) -> Address {
        Address { url: url.to_owned(), key: self.cluster_key.clone(), authority: self.cluster_ca.clone() }
    }
}

/// How a run begins.
#[derive(Args, Debug)]
pub(crate) struct NewRunArgs {
    /// Seed of the first map; each next one has the next seed
    #[arg(long, short, default_value = "1", value_parser = seed, allow_hyphen_values = true)]
    pub(crate) seed: i64,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// The run file [default: a new one in this folder]
    #[arg(long = "run", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Write the record of each match to FOLDER, as INDEX.json.gz
    #[arg(long, value_name = "FOLDER")]
    pub(crate) records: Option<PathBuf>,
    /// Play one part of the run, such as 3/16; `agon merge` joins the run files of the parts
    #[arg(long, value_name = "PART/PARTS")]
    pub(crate) shard: Option<Shard>,
}

impl NewRunArgs {
    /// The header of a run between these bots.
    pub(crate) fn header(
        &self,
        (game, selected): (&'static dyn catalog::AnyGame, Selected),
        bots: &[Bot],
        sandbox: &Sandbox,
        units: u64,
        plan: Plan,
    ) -> RunHeader {
        let Selected { league, edition, players } = selected;
        RunHeader {
            agon_run: RunHeader::VERSION,
            game: game.info().name.to_owned(),
            league,
            edition: edition.to_owned(),
            bots: bots.iter().map(|bot| bot.asked.clone()).collect(),
            names: bots.iter().map(|bot| bot.name.clone()).collect(),
            digests: bots.iter().map(|bot| bot.digest.clone()).collect(),
            players,
            first_seed: self.seed,
            units,
            clock: self.run.clock,
            sandbox: sandbox.level(),
            ponder: self.run.may_ponder(game.info().simultaneous),
            sprt: None,
            plan,
            records: self.records.as_ref().map(|folder| folder.display().to_string()),
            shard: self.shard,
        }
    }

    /// Begins the run; `what` is the first word of the name of its file if none is asked for.
    pub(crate) fn begin(&self, header: RunHeader, what: &str) -> Result<Run, Failure> {
        header.check()?;
        let path = self.file.clone().unwrap_or_else(|| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_millis());
            let part =
                self.shard.map_or_else(String::new, |shard| format!("-{}-of-{}", shard.part, shard.of));
            PathBuf::from(format!("{what}-{now}{part}.run"))
        });
        Ok(Run::create(&path, header)?)
    }
}

/// Connects a run to a cluster.
fn connect(address: &Address, run: &Run) -> Result<(Coordinator, Runtime), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let cluster = runtime.block_on(Cluster::connect(address, Role::Master("run")))?;
    let coordinator = Coordinator::open(runtime.handle().clone(), cluster, run)?;
    Ok((coordinator, runtime))
}

/// With a greater share of disturbed answers, clocks measure the host rather than the bots.
const MOST_DISTURBED: f64 = 0.05;

/// The note about a host that disturbs this share of the answers, if it is too busy for the clock.
fn busy_host(clock: Clock, disturbed: Option<f64>) -> Option<String> {
    let share = disturbed.filter(|&share| share > MOST_DISTURBED && clock != Clock::Off)?;
    Some(format!(
        "this host is too busy for clock {clock}: {:.0} % of turns were disturbed; the bots got that time back, but stop other \
         programs or play fewer matches at once with --jobs",
        100.0 * share
    ))
}

/// Gives bots of the same name different names.
pub(crate) fn tell_apart(bots: &mut [Bot]) {
    let mut taken = HashSet::new();
    // By name: the number of the last copy that was tried.
    let mut copies = HashMap::new();
    for bot in bots {
        let copy = copies.entry(bot.name.clone()).or_insert(1);
        let plain = bot.name.clone();
        while !taken.insert(bot.name.clone()) {
            *copy += 1;
            bot.name = format!("{plain} ({copy})");
        }
    }
}

/// A run that is being played.
pub(crate) struct Series {
    pub(crate) run: Run,
    sandbox: Sandbox,
    workers: usize,
    /// The connection to the workers of a cluster, if they play.
    cluster: Option<(Coordinator, Runtime)>,
    json: bool,
    strict: bool,
    /// The command that goes on with the run.
    again: String,
    interrupted: Arc<AtomicBool>,
    bar: ProgressBar,
    started: Instant,
    before: usize,
    void: usize,
    /// Whether the user was told that the host is too busy.
    told_busy: bool,
}

impl Series {
    /// Prepares to play, and prints the path of the run file.
    pub(crate) fn new(run: Run, sandbox: Sandbox, how: &SeriesArgs) -> Result<Series, Failure> {
        let file = run.path().display().to_string();
        let mut again = vec!["agon", "resume", &file];
        if let Some(url) = how.cluster() {
            again.extend(["--cluster", url]);
        }
        let again = shell_words::join(again);
        let (game, selected) = run.header.rules()?;
        let workers =
            how.jobs.unwrap_or_else(|| runs::workers_for(game.info().simultaneous, selected.players));
        let cluster = how.cluster().map(|url| connect(&how.key.address(url), &run)).transpose()?;
        note(&format!("kept in {}; after a stop: {again}", run.path().display()));
        // Running matches end first. The file is valid even if the program ends at once.
        let interrupted = stop_flag()?;
        let bar = if how.json { ProgressBar::hidden() } else { ProgressBar::new(run.header.matches()) };
        if let Ok(style) = ProgressStyle::with_template("{pos}/{len} games, {eta} left  {wide_msg}") {
            bar.set_style(style);
        }
        bar.set_position(run.finished() as u64);
        bar.reset_eta();
        let (json, strict, before) = (how.json, how.strict, run.finished());
        let started = Instant::now();
        Ok(Series {
            run,
            sandbox,
            workers,
            cluster,
            json,
            strict,
            again,
            interrupted,
            bar,
            started,
            before,
            void: 0,
            told_busy: false,
        })
    }

    /// Whether the user asked to stop.
    pub(crate) fn stopped(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Plays the unfinished matches of some units. After finished matches, `look` returns the text beside the
    /// progress, if it changes, and whether to stop.
    pub(crate) fn play(
        &mut self,
        bots: &[Bot],
        units: Range<u64>,
        mut look: impl FnMut(&Run) -> (Option<String>, ControlFlow<()>),
    ) -> Result<(), Failure> {
        let (bar, interrupted, told_busy) = (&self.bar, &self.interrupted, &mut self.told_busy);
        // Without a terminal there is a plain line now and then.
        let plain = !self.json && bar.is_hidden();
        let (began, before, mut next_line) =
            (Instant::now(), self.run.finished(), Instant::now() + LINE_EVERY);
        let stop = AtomicBool::new(interrupted.load(Ordering::Relaxed));
        let after = |run: &Run| {
            let (seen, mut flow) = look(run);
            bar.set_position(run.finished() as u64);
            if plain && Instant::now() >= next_line {
                next_line = Instant::now() + LINE_EVERY;
                let (done, all) = (run.finished(), run.header.matches());
                let each = began.elapsed().as_secs_f64() / (done - before).max(1) as f64;
                let left = (each * all.saturating_sub(done as u64) as f64).round();
                note(&format!(
                    "{done}/{all} games, about {left} s left  {}",
                    seen.as_deref().unwrap_or_default()
                ));
            }
            if let Some(seen) = seen {
                bar.set_message(seen);
            }
            if !*told_busy && let Some(busy) = busy_host(run.header.clock, run.disturbed()) {
                bar.suspend(|| note(&busy));
                *told_busy = true;
            }
            if interrupted.load(Ordering::Relaxed) {
                flow = ControlFlow::Break(());
            }
            flow
        };
        self.void += if let Some((coordinator, _)) = &self.cluster {
            let say = |text: &str| bar.suspend(|| note(&clean(text)));
            let context = ClusterContext { coordinator, bots, say: &say };
            self.run.play_on(&context, units, &stop, after)?
        } else {
            let launcher = launcher()?;
            let context =
                RunContext { bots, sandbox: &self.sandbox, launcher: &launcher, workers: self.workers };
            self.run.play(&context, units, &stop, after)?
        };
        Ok(())
    }

    /// Ends the command with its exit code, after everything is printed.
    pub(crate) fn conclude(self, complete: bool, failed: bool) -> Result<(), Failure> {
        let again = &self.again;
        if self.stopped() && !complete {
            complain(&format!("stopped; {again} goes on"));
            return Err(Failure::No);
        }
        if self.void > 0 {
            let void = self.void;
            return Err(Failure::Unusable(format!(
                "{void} matches were void, by our fault; {again} plays them again"
            )));
        }
        if self.strict && failed { Err(Failure::No) } else { Ok(()) }
    }

    /// Removes the progress once all matches have ended. Returns whether JSON is wanted.
    pub(crate) fn finish(&self) -> bool {
        self.bar.finish_and_clear();
        self.json
    }

    fn played(&self) -> usize {
        self.run.finished() - self.before
    }

    /// The JSON fields that all these commands share, followed by `more`.
    pub(crate) fn as_json(&self, complete: bool, more: Value) -> Value {
        let (played, seconds) = (self.played(), self.started.elapsed().as_secs_f64());
        let mut told = json!({
            "game": self.run.header.game,
            "run": self.run.path().display().to_string(),
            "complete": complete,
            "resume": self.again,
            "played_now": played,
            "games_per_second": if seconds > 0.0 { played as f64 / seconds } else { 0.0 },
            "void": self.void,
            "disturbed": self.run.disturbed(),
        });
        if let (Value::Object(told), Value::Object(more)) = (&mut told, more) {
            told.extend::<Map<String, Value>>(more);
        }
        told
    }

    /// Prints the speed.
    pub(crate) fn write_rate(&self, text: &mut String) -> Result<(), Failure> {
        let (played, seconds) = (self.played(), self.started.elapsed().as_secs_f64());
        if played > 0 && seconds > 0.0 {
            let rate = played as f64 / seconds;
            writeln!(text, "{played} games in {seconds:.1} s, {rate:.1} games/s")?;
        }
        if let Some(busy) = busy_host(self.run.header.clock, self.run.disturbed()) {
            writeln!(text, "{busy}")?;
        }
        Ok(())
    }

    /// Lists the failures of bots, the first ones with the command that replays them.
    pub(crate) fn write_failures(
        &self,
        text: &mut String,
        counts: impl Fn(&MatchLine) -> bool,
    ) -> Result<(), Failure> {
        self.write_skipped(text, &counts)?;
        let failures: Vec<_> = failures(&self.run, counts).collect();
        if failures.is_empty() {
            return Ok(());
        }
        writeln!(text, "{} failures of bots:", failures.len())?;
        for (line, seat, detail) in failures.iter().take(LISTED) {
            let name = clean(self.run.header.name(line.seats[*seat]));
            writeln!(text, "  {name}, seat {seat}: {}", clean(detail))?;
            if let Some(replay) = line.again(&self.run.header) {
                writeln!(text, "    {}", clean(&replay))?;
            }
        }
        if failures.len() > LISTED {
            let more = failures.len() - LISTED;
            writeln!(text, "  ... and {more} more: see {}", self.run.path().display())?;
        }
        Ok(())
    }

    /// Says how many orders of each bot were skipped, and where the first one was.
    fn write_skipped(&self, text: &mut String, counts: &impl Fn(&MatchLine) -> bool) -> Result<(), Failure> {
        for Skipped { bot, count, line, seat, first } in self.skipped(counts) {
            let name = clean(self.run.header.name(bot));
            let MatchLine { index, .. } = line;
            writeln!(
                text,
                "{count} orders of {name} were skipped, the first in match {index}, seat {seat}:"
            )?;
            writeln!(text, "  {}", clean(first))?;
        }
        Ok(())
    }

    /// The bots with skipped orders.
    fn skipped(&self, counts: &impl Fn(&MatchLine) -> bool) -> Vec<Skipped<'_>> {
        let mut found: BTreeMap<usize, Skipped<'_>> = BTreeMap::new();
        for line in self.run.results().filter(|line| counts(line)) {
            let firsts = line.skipped.iter().zip(&line.first_skipped).enumerate();
            for (seat, (&count, first)) in firsts {
                let Some(first) = first.as_deref() else { continue };
                // Copies of a bot have its name.
                let same = |bot: &usize| self.run.header.name(*bot) == self.run.header.name(line.seats[seat]);
                let bot = (0..line.seats[seat]).find(same).unwrap_or(line.seats[seat]);
                let skipped = Skipped { bot, count: 0, line, seat, first };
                found.entry(bot).or_insert(skipped).count += u64::from(count);
            }
        }
        found.into_values().collect()
    }

    /// The bots with skipped orders as JSON.
    pub(crate) fn skipped_json(&self, counts: impl Fn(&MatchLine) -> bool) -> Vec<Value> {
        let header = &self.run.header;
        let told = |Skipped { bot, count, line, seat, first }: Skipped<'_>| {
            json!({
                "bot": header.name(bot), "count": count, "index": line.index, "seed": line.seed.to_string(), "seat": seat,
                "first": first, "replay": line.again(header),
            })
        };
        self.skipped(&counts).into_iter().map(told).collect()
    }

    /// All failures as JSON.
    pub(crate) fn failures_json(&self, counts: impl Fn(&MatchLine) -> bool) -> Vec<Value> {
        let header = &self.run.header;
        failures(&self.run, counts)
            .map(|(line, seat, detail)| {
                json!({
                    "index": line.index, "seed": line.seed.to_string(), "seat": seat, "bot": header.name(line.seats[seat]),
                    "cause": line.causes[seat], "turn": line.failed_turns.get(seat), "detail": detail, "replay": line.again(header),
                })
            })
            .collect()
    }
}

/// The skipped orders of a bot: their number, and the first one.
struct Skipped<'a> {
    bot: usize,
    count: u64,
    line: &'a MatchLine,
    seat: usize,
    first: &'a str,
}

/// Every failure of a bot: the match, the seat, the description.
pub(crate) fn failures(
    run: &Run,
    counts: impl Fn(&MatchLine) -> bool,
) -> impl Iterator<Item = (&MatchLine, usize, &str)> {
    run.results().filter(move |line| counts(line)).flat_map(|line| {
        let failed =
            line.details.iter().enumerate().filter_map(|(seat, detail)| Some((seat, detail.as_deref()?)));
        failed.map(move |(seat, detail)| (line, seat, detail))
    })
}

/// Makes a text of several lines safe to print; it may contain text of bots.
pub(crate) fn clean_lines(text: &str) -> String {
    safe_text(text, LONGEST_LINE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_disturbs_many_turns_is_too_busy() {
        let busy = busy_host(Clock::SITE, Some(0.12)).unwrap();
        assert!(
            busy.starts_with("this host is too busy for clock site: 12 % of turns were disturbed"),
            "{busy}"
        );
        assert_eq!(busy_host(Clock::SITE, Some(0.01)), None);
        assert_eq!(busy_host(Clock::SITE, None), None);
        assert_eq!(busy_host(Clock::Off, Some(0.5)), None);
    }

    #[test]
    fn bots_with_the_same_name_get_different_labels() {
        let named = |name: &str| Bot {
            name: name.into(),
            asked: name.into(),
            digest: None,
            how: toolchain::How::Builtin(toolchain::Builtin::Random),
        };
        let mut bots = ["a", "b", "a", "a (2)", "a"].map(named);
        tell_apart(&mut bots);
        assert_eq!(bots.map(|bot| bot.name), ["a", "b", "a (2)", "a (2) (2)", "a (3)"]);
    }
}
