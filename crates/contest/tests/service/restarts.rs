//! Stopping and restarting the service.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use contest::{Doing, Stop, Way};
use model::MatchId;
use store::{MatchList, MatchState};

use crate::ladders::rash;
use crate::support::{ARENA, TestArena, league, settings};
use crate::trials::NEVER;

pub(crate) const HYPER: &str = "hypersonic";

/// A ladder of two bots, one of which is slow: a match lasts at least a quarter of a second, on any machine, so that
/// tests can stop the service in the middle of it.
pub(crate) fn hyper(arena: &mut TestArena) {
    let mut only = league(HYPER, 6);
    (only.boss, only.regulars, only.players) = ("boss-1".into(), Vec::new(), vec![2]);
    // A bot is settled after three times the placement: twelve matches.
    (only.placement, only.way) = (4, Way::Top);
    arena.standing_contest(&settings(HYPER, vec![only]));
    let user = arena.user();
    let slow =
        rash().replace("    print(", "    time.sleep(0.03); print(").replace("import sys", "import time");
    assert!(slow.contains("import time") && slow.contains("sleep"));
    arena.submit(user, HYPER, &slow);
}

pub(crate) fn done(arena: &TestArena) -> usize {
    let list = MatchList { limit: 100, ..MatchList::default() };
    arena.runtime.block_on(arena.store.recent(&list)).unwrap().len()
}

fn queue(arena: &TestArena) -> (i64, i64) {
    let length = arena.runtime.block_on(arena.store.queue_length()).unwrap();
    (length.queued, length.leased)
}

/// Waits until a worker is playing a match.
pub(crate) fn in_the_middle(arena: &TestArena) -> MatchId {
    arena.until("a match", async |_| {
        arena.service().live().first().filter(|live| live.turn > 2).map(|live| live.match_id)
    })
}

pub(crate) fn a_restart_loses_nothing(arena: &mut TestArena) {
    hyper(arena);
    arena.open(2, NEVER);
    in_the_middle(arena);
    // `Stop::Finish`: running matches are played to their end, and no new match begins.
    arena.stop(Stop::Finish);
    let (_, leased) = queue(arena);
    assert_eq!(leased, 0);
    let after_first = done(arena);
    assert!(after_first > 0, "the running match counts");

    // `Stop::Abort`: the match returns to the queue, and no attempt is counted.
    arena.open(2, NEVER);
    let running = in_the_middle(arena);
    let begun = Instant::now();
    arena.stop(Stop::Abort);
    assert!(begun.elapsed() < Duration::from_secs(5));
    let row = arena.runtime.block_on(arena.store.match_row(running)).unwrap().unwrap();
    // The match may have ended at that moment.
    assert!(matches!(row.state, MatchState::Queued | MatchState::Done), "{row:?}");
    assert_eq!(queue(arena).1, 0);

    // A worker that disappeared: its lease belongs to this service, so the next start takes it back at once.
    let now = crate::support::now();
    arena.runtime.block_on(arena.store.lease("test/9", now, now + 1_000_000)).unwrap();
    arena.open(2, NEVER);
    let all = arena.until("all are placed", async |store| {
        let ladders = store.ladders(1, HYPER).await.unwrap();
        let field = store.field(ladders[0].id).await.unwrap();
        let settled = field.iter().all(|one| one.games >= 12 && one.waiting == 0);
        let empty = store.queue_length().await.unwrap();
        (settled && empty.queued + empty.leased == 0).then_some(field)
    });
    // Two bots: every requested match was played, once.
    assert_eq!(all[0].games, all[1].games);
    assert_eq!(done(arena) as i64, all[0].games);
    assert!(all[0].games <= 14, "{all:?}");
    assert!(arena.runtime.block_on(arena.store.voids(None, 10)).unwrap().is_empty(), "nobody was to blame");
    arena.stop(Stop::Finish);
    assert!(arena.service.is_none());
}

pub(crate) fn a_paused_service_plays_nothing(arena: &mut TestArena) {
    hyper(arena);
    arena.open(1, NEVER);
    in_the_middle(arena);
    arena.runtime.block_on(arena.service().set_paused(true)).unwrap();
    arena.until("nobody plays", async |_| {
        arena.service().workers().iter().all(|worker| worker.doing == Doing::Waiting).then_some(())
    });
    let before = done(arena);
    // The setting survives a restart.
    arena.stop(Stop::Finish);
    arena.open(1, NEVER);
    assert!(arena.service().status().paused);
    // Submissions are still built, but their test matches stay in the queue. The worker looked for a match between the
    // two builds.
    for _ in 0..2 {
        let user = arena.user();
        let version = arena.submit_to(ARENA, user, HYPER, "Python", &rash(), false);
        arena.built(version.id);
    }
    assert!(queue(arena).0 > 0);
    assert_eq!((done(arena), arena.service().live().len()), (before, 0));
    arena.runtime.block_on(arena.service().set_paused(false)).unwrap();
    in_the_middle(arena);
}

/// A source in C whose compilation takes some seconds: a macro that expands to very many statements.
fn slow_to_compile() -> String {
    let mut source = String::from("volatile int x;\n#define S0 x = x * 3 + 1;\n");
    for level in 1..=5 {
        let below = format!("S{} ", level - 1).repeat(6);
        writeln!(source, "#define S{level} {below}").unwrap();
    }
    source + "int main(void) { S5 return 0; }\n"
}

/// Whether a worker of this process still runs.
fn has_worker() -> bool {
    let threads = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    // A thread may end at any time: then it has no name.
    let names = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("comm")).ok());
    names.into_iter().any(|name| name.starts_with("worker "))
}

pub(crate) fn an_aborted_build_leaves_the_stopped_runtime_alone(_: &mut TestArena) {
    let panics = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&panics);
    std::panic::set_hook(Box::new(move |panic| {
        eprintln!("{panic}");
        counter.fetch_add(1, Ordering::Relaxed);
    }));
    // An arena of its own: its runtime stops before the compiler ends.
    let mut arena = TestArena::new("aborted").unwrap();
    hyper(&mut arena);
    arena.open(1, NEVER);
    let user = arena.user();
    let version = arena.submit_to(ARENA, user, HYPER, "C", &slow_to_compile(), true);
    arena.until("a build", async |_| {
        let building = Doing::Building { version_id: version.id };
        arena.service().workers().iter().any(|worker| worker.doing == building).then_some(())
    });
    arena.stop(Stop::Abort);
    assert!(has_worker(), "an aborted service does not wait for the compiler");
    // The compiler goes on in the folder of the arena; only the runtime is gone.
    let _folder = std::mem::replace(&mut arena.folder, testing::scratch());
    drop(arena);
    testing::until("the worker ends", || (!has_worker()).then_some(()));
    let _ = std::panic::take_hook();
    assert_eq!(panics.load(Ordering::Relaxed), 0);
}
