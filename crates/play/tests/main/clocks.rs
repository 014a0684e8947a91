//! Whose time it is: late answers that are our fault, clocks that bots try to stretch, cores that bots share.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use game::Limits;
use play::{MatchPlan, Placement, PlayedMatch, Runner, Watcher, to_record};
use referee::{Cause, Clock, TurnLog};
use toolchain::{Bot, Builtin, How};

use crate::{bot, builtin, causes, launcher, plan, play, sandbox};

/// The bot of `tests/clocks/bot.c`, which spends its time as these words say.
fn timed(words: &str) -> Bot {
    let source = testing::repository("crates/play/tests/clocks/bot.c");
    let mut bot = bot(&source.display().to_string());
    let How::Program(program) = &mut bot.how else { panic!("not a program") };
    program.argv.extend(words.split_whitespace().map(Into::into));
    bot
}

fn timed_bots<const N: usize>(words: [&str; N]) -> [Bot; N] {
    words.map(timed)
}

fn strict<'a>(game: &str, bots: &'a [Bot]) -> MatchPlan<'a> {
    MatchPlan { clock: Clock::Strict, ..plan(game, 7, bots) }
}

fn limits(plan: &MatchPlan<'_>) -> Limits {
    plan.game.limits(plan.selected)
}

/// Sleeps after each of the first answers.
struct Sleepy {
    naps: u32,
    seen: usize,
}

impl Watcher for Sleepy {
    fn answered(&mut self, _: &TurnLog) {
        self.seen += 1;
        if self.naps > 0 {
            self.naps -= 1;
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

#[test]
fn a_slow_watcher_makes_no_bot_late() {
    for seats in [2, 4] {
        let bots: Vec<Bot> = (0..seats).map(|_| timed("sleep 5")).collect();
        let plan = strict("hypersonic", &bots);
        assert_eq!(limits(&plan).turn_ms, 100);
        let mut watcher = Sleepy { naps: 20, seen: 0 };
        let played = Runner::new(sandbox(), launcher(), None).play_watched(&plan, &mut watcher);
        assert_eq!(causes(&played), vec![None; seats]);
        assert_eq!(watcher.seen, played.log.len(), "the watcher has seen all answers");
        let turns = played.log.len() as u32 / seats as u32;
        assert!(played.took < Duration::from_millis(100) * turns, "{:?}, {turns} turns", played.took);
    }
}

#[test]
fn time_that_the_referee_is_away_is_charged_to_nobody() {
    for seats in [2, 4] {
        let bots: Vec<Bot> = (0..seats).map(|_| timed("sleep 5")).collect();
        let plan = strict("hypersonic", &bots);
        let naps = Cell::new(0);
        let sleepy = || {
            naps.set(naps.get() + 1);
            // Not in the first turn, whose limit is longer.
            if (10..20).contains(&naps.get()) {
                std::thread::sleep(Duration::from_millis(200));
            }
            None
        };
        let played = Runner::new(sandbox(), launcher(), None).breaking_off(&sleepy).play(&plan);
        assert_eq!(causes(&played), vec![None; seats]);
        assert!(naps.get() >= 20);
        assert!(
            played.log.iter().any(|turn| turn.wall > Duration::from_millis(150)),
            "nobody had to be excused"
        );
    }
}

#[test]
fn a_bot_that_still_computes_when_the_referee_is_back_is_charged() {
    let bots = timed_bots(["sleep 5", "spin 300"]);
    let plan = strict("hypersonic", &bots);
    let sleepy = || {
        std::thread::sleep(Duration::from_millis(200));
        None
    };
    let played = Runner::new(sandbox(), launcher(), None).breaking_off(&sleepy).play(&plan);
    assert!(matches!(causes(&played), [None, Some(Cause::Timeout { .. })]), "{:?}", causes(&played));
}

#[test]
fn a_program_that_is_slow_to_die_makes_no_other_late() {
    let bots = timed_bots(["sleep 5", "memory 256 sleep 2 wrong 3", "sleep 5"]);
    let played = play(&strict("hypersonic", &bots));
    let causes = causes(&played);
    assert!(matches!(&causes[1], Some(Cause::Invalid { .. })), "{causes:?}");
    assert_eq!((&causes[0], &causes[2]), (&None, &None));
}

/// Plays twenty matches against a bot that wants more time than its limit; each must end with its timeout.
fn is_timed_out(words: &str) {
    let bots = [timed(words), builtin(Builtin::Random)];
    for seed in 0..20 {
        let plan = MatchPlan { clock: Clock::Strict, ..plan("ocean-of-code", seed, &bots) };
        let played = play(&plan);
        let Some(Cause::Timeout { limit_ms, .. }) = &causes(&played)[0] else {
            panic!("`{words}`, seed {seed}: {:?} after {} answers", causes(&played), played.log.len())
        };
        assert_eq!(*limit_ms, u64::from(limits(&plan).turn_ms), "`{words}`, seed {seed}");
        let last = played.log.iter().rfind(|turn| turn.seat.0 == 0).unwrap();
        assert_eq!(last.output, None);
        assert!(last.wall < Duration::from_secs(2), "`{words}`, seed {seed}: stopped after {:?}", last.wall);
    }
}

#[test]
fn a_bot_that_sleeps_and_is_ready_to_run_at_its_deadline_is_timed_out() {
    is_timed_out("sleep 48 until 230");
    is_timed_out("sleep 45 until 2900");
}

#[test]
fn a_bot_that_sleeps_and_computes_by_turns_is_timed_out() {
    is_timed_out("mix 230");
}

#[test]
fn a_bot_whose_threads_wait_for_each_other_is_timed_out() {
    is_timed_out("burst 230");
}

/// A thread that keeps a core busy until it is dropped.
struct Hog<'a>(&'a AtomicBool);

impl Hog<'_> {
    fn on(core: usize, stop: &AtomicBool) {
        let mut only = rustix::thread::CpuSet::new();
        only.set(core);
        rustix::thread::sched_setaffinity(None, &only).unwrap();
        while !stop.load(Ordering::Relaxed) {
            std::hint::spin_loop();
        }
    }
}

impl Drop for Hog<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_bot_whose_core_is_busy_with_other_programs_is_not_timed_out() {
    let core = *play::cores().last().unwrap();
    let bots = timed_bots(["spin 30", "sleep 1"]);
    let mut plan = strict("ocean-of-code", &bots);
    plan.placement = Placement { referee: None, bots: vec![core, core] };
    let limit = Duration::from_millis(limits(&plan).turn_ms.into());
    let stop = AtomicBool::new(false);
    let played = std::thread::scope(|scope| {
        let hog = Hog(&stop);
        for _ in 0..3 {
            scope.spawn(|| Hog::on(core, &stop));
        }
        let answers = Cell::new(0);
        let enough = || {
            answers.set(answers.get() + 1);
            (answers.get() > 60).then(|| "enough".to_owned())
        };
        let played = Runner::new(sandbox(), launcher(), None).breaking_off(&enough).play(&plan);
        drop(hog);
        played
    });
    assert!(
        matches!(&played.ending, referee::Ending::Void { why, .. } if why == "enough"),
        "{:?}",
        played.ending
    );
    let late = played.log.iter().filter(|turn| turn.seat.0 == 0 && turn.wall > limit).count();
    assert!(late >= 20, "only {late} turns took longer than the limit");
}

/// The reports of a seat after its first turn: the time of the turn, its CPU time, the CPU time before the question, in
/// microseconds.
fn reports(played: &PlayedMatch, seat: u8) -> Vec<[u64; 3]> {
    let own = played.log.iter().filter(|turn| turn.seat.0 == seat).skip(1);
    own.map(|turn| {
        let text = String::from_utf8_lossy(&turn.stderr);
        let numbers: Vec<u64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    })
    .collect()
}

/// The CPU time that a seat used between its turns, in a quarter of its turns or more.
fn idle_cpu(played: &PlayedMatch, seat: u8) -> Duration {
    let mut idle: Vec<u64> = reports(played, seat).iter().map(|report| report[2]).collect();
    assert!(idle.len() >= 15, "{} turns", idle.len());
    idle.sort_unstable();
    // On a busy machine some of its turns are longer by the time that the referee waits for a core.
    Duration::from_micros(idle[idle.len() / 4])
}

fn on_cores<'a>(bots: &'a [Bot], cores: &[usize]) -> MatchPlan<'a> {
    let placement = Placement::of(true, bots.len() as u8, cores);
    MatchPlan { placement, ..strict("hypersonic", bots) }
}

/// Bots that compute for 80 ms of each turn and after it, and as many that compute for 60 ms beside them: a neighbour may
/// take a tenth of those 60 ms. Other work on the machine does not count, so the time that the neighbours take is
/// measured: they do not compute during the turn of another bot on their core, neither in their turns nor after them.
fn neighbours_take_no_time(bots: &[Bot], cores: &[usize]) {
    let plan = on_cores(bots, cores);
    let played = play(&plan);
    assert_eq!(causes(&played), vec![None; bots.len()]);
    assert!(played.waves);
    assert_eq!(to_record(&plan, &played).host.unwrap()["waves"], true);
    let turns = reports(&played, 0).len() as u32;
    assert!(played.took > Duration::from_millis(140) * turns, "{:?} for {turns} turns", played.took);
    for seat in 0..bots.len() as u8 / 2 {
        let idle = idle_cpu(&played, seat);
        assert!(
            idle < Duration::from_millis(6),
            "player {seat} computed for {idle:?} while others were asked"
        );
    }
}

#[test]
fn a_neighbour_on_the_same_core_takes_no_time() {
    let core = *play::cores().last().unwrap();
    neighbours_take_no_time(&timed_bots(["until 80 after 1", "until 60"]), &[core]);
}

#[test]
fn four_bots_on_two_cores_are_asked_two_at_a_time() {
    let cores = play::cores();
    let Some(cores) = cores.get(..2).filter(|_| testing::require("a second core", cores.len() > 1)) else {
        return;
    };
    let greedy = "until 80 after 1";
    neighbours_take_no_time(&timed_bots([greedy, greedy, "until 60", "until 60"]), cores);
}

#[test]
fn a_bot_that_may_ponder_does_not_compute_on_the_core_of_another() {
    let bots = timed_bots(["sleep 1 after 1", "until 30"]);
    let mut plan = strict("ocean-of-code", &bots);
    plan.ponder = true;
    let answers = Cell::new(0);
    let enough = || {
        answers.set(answers.get() + 1);
        (answers.get() > 60).then(|| "enough".to_owned())
    };
    let played = Runner::new(sandbox(), launcher(), None).breaking_off(&enough).play(&plan);
    let idle = idle_cpu(&played, 0);
    assert!(idle < Duration::from_millis(6), "{idle:?}");
}

#[test]
fn with_enough_cores_all_are_asked_at_once() {
    let cores = play::cores();
    let Some(cores) = cores.get(..2).filter(|_| testing::require("a second core", cores.len() > 1)) else {
        return;
    };
    let bots = timed_bots(["sleep 50", "sleep 50"]);
    let begun = Instant::now();
    let played = play(&on_cores(&bots, cores));
    assert!(!played.waves);
    let turns = reports(&played, 0).len() as u32;
    assert!(begun.elapsed() < Duration::from_millis(90) * turns + Duration::from_secs(1), "{turns} turns");
}

#[test]
fn the_limit_on_the_wall_time_is_in_the_record() {
    let bots = [builtin(Builtin::Random), builtin(Builtin::Wait)];
    let plan = strict("ocean-of-code", &bots);
    let record = to_record(&plan, &play(&plan));
    let game::Limits { first_turn_ms, turn_ms, .. } = limits(&plan);
    assert_eq!(record.settings.unwrap()["match_ms"], 4 * (2 * first_turn_ms + 598 * turn_ms));
}
