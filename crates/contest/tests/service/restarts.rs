//! Stopping and starting again.

use std::time::{Duration, Instant};

use contest::{Doing, Stop, Way};
use store::{MatchList, MatchState};

use crate::ladders::rash;
use crate::support::{House, league, settings};
use crate::trials::NEVER;

const HYPER: &str = "hypersonic";

/// A ladder of two, and one of them takes its time: a match lasts at least a quarter of a second, on any machine.
fn hyper(house: &mut House) {
    let mut only = league(HYPER, 6);
    (only.boss, only.regulars, only.players) = ("boss-1".into(), Vec::new(), vec![2]);
    // Somebody is settled after three times the placement: twelve matches.
    (only.placement, only.way) = (4, Way::Top);
    house.arena(&settings(HYPER, vec![only]));
    let user = house.user();
    let slow =
        rash().replace("    print(", "    time.sleep(0.03); print(").replace("import sys", "import time");
    assert!(slow.contains("import time") && slow.contains("sleep"));
    house.submit(user, HYPER, &slow);
}

fn done(house: &House) -> usize {
    let list = MatchList { limit: 100, ..MatchList::default() };
    house.runtime.block_on(house.store.recent(&list)).unwrap().len()
}

fn queue(house: &House) -> (i64, i64) {
    let length = house.runtime.block_on(house.store.queue_length()).unwrap();
    (length.queued, length.leased)
}

/// Waits until a worker is in the middle of a match.
fn in_the_middle(house: &House) -> i64 {
    house.until("a match", async |_| {
        house.service().live().first().filter(|live| live.turn > 2).map(|live| live.match_id)
    })
}

pub(crate) fn a_restart_loses_nothing(house: &mut House) {
    hyper(house);
    house.open(2, NEVER);
    in_the_middle(house);
    // The patient way: what runs is played to its end, nothing new begins.
    house.stop(Stop::Finish);
    let (_, leased) = queue(house);
    assert_eq!(leased, 0);
    let after_first = done(house);
    assert!(after_first > 0, "the running match counts");

    // The impatient way: it goes back to the queue, unplayed and unblamed.
    house.open(2, NEVER);
    let running = in_the_middle(house);
    let begun = Instant::now();
    house.stop(Stop::Abort);
    assert!(begun.elapsed() < Duration::from_secs(5));
    let row = house.runtime.block_on(house.store.match_row(running)).unwrap().unwrap();
    // It may have ended in that very moment.
    assert!(matches!(row.state, MatchState::Queued | MatchState::Done), "{row:?}");
    assert_eq!(queue(house).1, 0);

    // The rude way: a worker that never came back. Its lease is ours, so the next start takes it back at once.
    let now = crate::support::now();
    house.runtime.block_on(house.store.lease("test/9", now, now + 1_000_000)).unwrap();
    house.open(2, NEVER);
    let all = house.until("all are placed", async |store| {
        let ladders = store.ladders(1, HYPER).await.unwrap();
        let field = store.field(ladders[0].id).await.unwrap();
        let settled = field.iter().all(|one| one.games >= 12 && one.waiting == 0);
        let empty = store.queue_length().await.unwrap();
        (settled && empty.queued + empty.leased == 0).then_some(field)
    });
    // Two bots: every match that was asked for was played, once.
    assert_eq!(all[0].games, all[1].games);
    assert_eq!(done(house) as i64, all[0].games);
    assert!(all[0].games <= 14, "{all:?}");
    assert!(house.runtime.block_on(house.store.voids(None, 10)).unwrap().is_empty(), "nobody was to blame");
    house.stop(Stop::Finish);
    assert!(house.service.is_none());
}

pub(crate) fn a_paused_hall_waits(house: &mut House) {
    hyper(house);
    house.open(1, NEVER);
    in_the_middle(house);
    house.runtime.block_on(house.service().set_paused(true)).unwrap();
    house.until("nobody plays", async |_| {
        house.service().workers().iter().all(|worker| worker.doing == Doing::Waiting).then_some(())
    });
    let before = done(house);
    // Over a restart too.
    house.stop(Stop::Finish);
    house.open(1, NEVER);
    assert!(house.service().status().paused);
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!((done(house), house.service().live().len()), (before, 0));
    house.runtime.block_on(house.service().set_paused(false)).unwrap();
    in_the_middle(house);
}
