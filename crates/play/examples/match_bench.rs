//! Measures matches between programs; `cargo xtask bench match` calls it and compares with the raw floor.
//!
//! `match_bench exchange BOT FILE`: plays one match of two BOTs and writes its questions for the floor.
//! `match_bench matches BOT N LEVEL`: plays N matches, prints matches/s.
//! `match_bench turns BOT N`: plays N matches unboxed and N boxed, in turns, prints microseconds per turn of both.
//! `match_bench starts BOT N LEVEL`: starts and ends BOT N times, prints the time a start takes.
//! `match_bench first BOT N LEVEL`: starts two BOTs in sandboxes that are not made yet, as one match does, N times; prints the time that
//! both take together.
//! `match_bench half BOT TURNS CLOCK`: as many matches as cores can carry, of bots that use half their time, until TURNS turns are
//! played; prints how many timeouts there were.
//! `match_bench late N`: N programs that never answer; prints how late the verdict comes.

// A bench prints its results and stops at a mistake.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod shared;

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use game::{Seat, Selection};
use play::{Heartbeat, MatchPlan, Placement, Runner};
use referee::{Cause, Clock, Ending};
use sandbox::{Level, Limits, Sandbox};
use toolchain::{Bot, BotSpec, BuildCache, Builtin, How};

use shared::launcher;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["exchange", bot, file] => exchange(bot, file),
        ["matches", bot, count, level] => matches(bot, count.parse().unwrap(), level),
        ["turns", bot, count] => turns(bot, count.parse().unwrap()),
        ["starts", bot, count, level] => starts(bot, count.parse().unwrap(), level),
        ["first", bot, count, level] => first(bot, count.parse().unwrap(), level),
        ["half", bot, turns, clock] => half(bot, turns.parse().unwrap(), clock.parse().unwrap()),
        ["late", count] => late(count.parse().unwrap()),
        _ => println!("see the head of the source for the seven ways to call it"),
    }
}

fn sandbox(level: &str) -> Sandbox {
    Sandbox::new((level != "auto").then(|| level.parse::<Level>().unwrap())).unwrap()
}

fn prepare(asked: &str, sandbox: &Sandbox) -> Bot {
    BuildCache::usual().prepare(asked, &asked.parse::<BotSpec>().unwrap(), sandbox).unwrap()
}

fn plan(bots: &[Bot], seed: i64, clock: Clock, core: usize) -> MatchPlan<'_> {
    let game = catalog::find("ocean-of-code").unwrap();
    MatchPlan {
        game,
        selected: game.select(&Selection::default()).unwrap(),
        seed,
        bots: bots.iter().collect(),
        clock,
        ponder: false,
        limits: Limits::BOT,
        placement: Placement::of(false, 2, &[core]),
        inspect: false,
    }
}

fn last_core() -> usize {
    play::cores().last().copied().unwrap_or(0)
}

/// Every match of the bench is played on this seed.
const SEED: i64 = 1;

fn exchange(asked: &str, file: &str) {
    let plain = sandbox("none");
    let bots = [prepare(asked, &plain), prepare(asked, &plain)];
    let plan = plan(&bots, SEED, Clock::Off, last_core());
    let played = Runner::new(&plain, launcher(), None).play(&plan);
    shared::write_questions(&plan, &played, file);
}

/// The first answers wait for the programs to start and to touch their memory, which is not the cost of a turn.
const WARM: usize = 10;

/// Takes the time from the answer number [`WARM`] to the last one.
#[derive(Default)]
struct Stopwatch {
    answers: Cell<usize>,
    begin: Cell<Option<Instant>>,
    end: Cell<Option<Instant>>,
}

impl Stopwatch {
    /// Called on the thread of the match after each answer.
    fn answered(&self) {
        let now = Instant::now();
        self.answers.set(self.answers.get() + 1);
        if self.answers.get() == WARM {
            self.begin.set(Some(now));
        }
        self.end.set(Some(now));
    }
}

fn matches(asked: &str, count: u32, level: &str) {
    let sandbox = sandbox(level);
    let bots = [prepare(asked, &sandbox), prepare(asked, &sandbox)];
    let plan = plan(&bots, SEED, Clock::SITE, last_core());
    let runner = Runner::new(&sandbox, launcher(), None);
    let mut failed = 0;
    let started = Instant::now();
    for _ in 0..count {
        let played = runner.play(&plan);
        failed += u32::from(
            !matches!(&played.ending, Ending::Over { causes, .. } if causes.iter().all(Option::is_none)),
        );
    }
    let rate = f64::from(count) / started.elapsed().as_secs_f64();
    println!("level {} matches_per_second {rate:.1} failed {failed}", sandbox.level());
}

/// Plays one match unboxed and one boxed in turns, so that both find the machine in the same state.
fn turns(asked: &str, count: u32) {
    let sandboxes = ["none", "auto"].map(sandbox);
    let bots = sandboxes.each_ref().map(|sandbox| [prepare(asked, sandbox), prepare(asked, sandbox)]);
    let mut per_turn = [Vec::new(), Vec::new()];
    for _ in 0..count {
        for ((sandbox, bots), per_turn) in sandboxes.iter().zip(&bots).zip(&mut per_turn) {
            let watch = Stopwatch::default();
            let plan = plan(bots, SEED, Clock::SITE, last_core());
            let answered = || {
                watch.answered();
                None
            };
            Runner::new(sandbox, launcher(), None).breaking_off(&answered).play(&plan);
            let turns = watch.answers.get() - WARM;
            let time = watch.end.get().unwrap() - watch.begin.get().unwrap();
            per_turn.push(time.as_secs_f64() * 1e6 / turns as f64);
        }
    }
    // The middle one: whatever else the machine does falls on some matches and not on others.
    let [unboxed, boxed] = per_turn.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    println!("plain_us {unboxed:.2} boxed_us {boxed:.2} more_percent {:.1}", 100.0 * (boxed / unboxed - 1.0));
}

fn starts(asked: &str, count: u32, level: &str) {
    let sandbox = sandbox(level);
    let How::Program(program) = prepare(asked, &sandbox).how else { return };
    let (mut start, mut end) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let begun = Instant::now();
        let mut boxed = sandbox.start(&program, &Limits::BOT).unwrap();
        start.push(begun.elapsed());
        let begun = Instant::now();
        boxed.kill();
        end.push(begun.elapsed());
    }
    println!("level {} start_ms {} kill_ms {}", sandbox.level(), spread(start), spread(end));
}

fn first(asked: &str, count: u32, level: &str) {
    let sandbox = sandbox(level);
    let How::Program(program) = prepare(asked, &sandbox).how else { return };
    let mut both = Vec::new();
    for number in 0..count {
        // A program with another environment has another sandbox.
        let env = vec![("NUMBER".into(), number.to_string().into())];
        let program = sandbox::Program { env, ..program.clone() };
        let begun = Instant::now();
        sandbox.prepare(&[(&program, &Limits::BOT), (&program, &Limits::BOT)]);
        let boxes = [(), ()].map(|()| sandbox.start(&program, &Limits::BOT).unwrap());
        both.push(begun.elapsed());
        drop(boxes);
    }
    println!("level {} both_ms {}", sandbox.level(), spread(both));
}

fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
    format!("p50 {:.2} p95 {:.2} p99 {:.2} max {:.2}", at(50), at(95), at(99), at(100))
}

fn half(asked: &str, turns: u64, clock: Clock) {
    let sandbox = sandbox("auto");
    let heartbeat = Heartbeat::start();
    let cores = play::cores();
    let played = AtomicU64::new(0);
    let (timeouts, others, void) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let bots = [prepare(asked, &sandbox), prepare(asked, &sandbox)];
    std::thread::scope(|scope| {
        for &core in &cores {
            let (sandbox, heartbeat, bots, played) = (&sandbox, &heartbeat, &bots, &played);
            let (timeouts, others, void) = (&timeouts, &others, &void);
            scope.spawn(move || {
                let runner = Runner::new(sandbox, launcher(), Some(heartbeat));
                while played.load(Ordering::Relaxed) < turns {
                    let result = runner.play(&plan(bots, SEED, clock, core));
                    played.fetch_add(result.log.len() as u64, Ordering::Relaxed);
                    match &result.ending {
                        Ending::Void { why, .. } => {
                            void.fetch_add(1, Ordering::Relaxed);
                            println!("void: {why}");
                        }
                        Ending::Over { causes, .. } => {
                            for cause in causes.iter().flatten() {
                                let counter =
                                    if matches!(cause, Cause::Timeout { .. }) { timeouts } else { others };
                                counter.fetch_add(1, Ordering::Relaxed);
                            }
                        }
                    }
                }
            });
        }
    });
    println!(
        "clock {clock} turns {} timeouts {} other_failures {} void {}",
        played.into_inner(),
        timeouts.into_inner(),
        others.into_inner(),
        void.into_inner()
    );
}

fn late(count: usize) {
    let sandbox = sandbox("auto");
    let bots = [prepare("/bin/sleep 1000", &sandbox), builtin()];
    let runner = Runner::new(&sandbox, launcher(), None);
    let mut late = Vec::new();
    for _ in 0..count {
        let played = runner.play(&plan(&bots, SEED, Clock::Strict, last_core()));
        let waited = played.log.iter().find(|turn| turn.seat == Seat(0)).unwrap().wall;
        late.push(waited.saturating_sub(Duration::from_secs(1)));
    }
    println!("late_ms {}", spread(late));
}

fn builtin() -> Bot {
    Bot { name: "@random".into(), asked: "@random".into(), digest: None, how: How::Builtin(Builtin::Random) }
}
