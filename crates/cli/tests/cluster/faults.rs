//! Programs that die while they work.

use std::time::Duration;

use testing::{Nats, scratch, until};

use crate::{Process, alone, command, duel, finished, printed, results, wait_for, worker};

/// Matches of the runs that are disturbed.
const MATCHES: &str = "600";

#[test]
fn workers_and_coordinator_may_be_killed() {
    let Some(nats) = Nats::start() else { return };
    let scratch = scratch();
    let (url, path) = (nats.url(), scratch.path().join("a.run"));
    let file = path.display().to_string();
    let mut arguments = duel(MATCHES, &file);
    let expected = alone(&arguments, scratch.path());
    arguments.extend(["--cluster", &url]);
    let mut workers = ["one", "two"].map(|name| worker(&url, scratch.path(), name));
    let mut coordinator = Process::start(command(&arguments));
    let resume = ["resume", &file, "--cluster", &url];
    for round in 1..=4 {
        wait_for(&path, 60 * round);
        if round % 2 == 0 {
            workers[0].kill();
            workers[0] = worker(&url, scratch.path(), "one");
        }
        coordinator.kill();
        coordinator = Process::start(command(&resume));
    }
    until("the run ends", || (!coordinator.is_running()).then_some(()));
    assert_eq!(results(&path), expected);
}

#[test]
fn a_stopped_worker_loses_its_work_to_others() {
    let Some(nats) = Nats::start() else { return };
    let scratch = scratch();
    let (url, path) = (nats.url(), scratch.path().join("a.run"));
    let file = path.display().to_string();
    let mut arguments = duel(MATCHES, &file);
    let expected = alone(&arguments, scratch.path());
    arguments.extend(["--cluster", &url]);
    let workers = ["one", "two"].map(|name| worker(&url, scratch.path(), name));
    let mut coordinator = Process::start(command(&arguments));
    wait_for(&path, 50);
    workers[0].signal("STOP");
    until("the run ends", || (!coordinator.is_running()).then_some(()));
    assert_eq!(results(&path), expected);
    // It goes on with work that others have done; nothing counts twice.
    workers[0].signal("CONT");
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(finished(&path), expected.len());
}

#[test]
fn the_server_may_be_killed_and_lose_all_its_data() {
    let Some(mut nats) = Nats::start() else { return };
    let scratch = scratch();
    let (url, path) = (nats.url(), scratch.path().join("a.run"));
    let file = path.display().to_string();
    let mut arguments = duel(MATCHES, &file);
    let expected = alone(&arguments, scratch.path());
    arguments.extend(["--cluster", &url]);
    let _workers = ["one", "two"].map(|name| worker(&url, scratch.path(), name));
    let mut coordinator = Process::start(command(&arguments));
    for (round, loses) in [(1, false), (2, true), (3, false), (4, true)] {
        wait_for(&path, 100 * round);
        nats.kill();
        if loses {
            nats.lose_data();
        }
        nats.start_again();
    }
    until("the run ends", || (!coordinator.is_running()).then_some(()));
    assert_eq!(results(&path), expected);
}

#[test]
fn a_worker_that_is_told_to_stop_hands_in_its_results() {
    let Some(nats) = Nats::start() else { return };
    let scratch = scratch();
    let (url, path) = (nats.url(), scratch.path().join("a.run"));
    let file = path.display().to_string();
    let mut arguments = duel("200", &file);
    arguments.extend(["--cluster", &url]);
    let mut first = worker(&url, scratch.path(), "one");
    let mut coordinator = Process::start(command(&arguments));
    wait_for(&path, 20);
    first.signal("TERM");
    until("the worker ends", || (!first.is_running()).then_some(()));
    assert!(coordinator.is_running());
    let _second = worker(&url, scratch.path(), "two");
    until("the run ends", || (!coordinator.is_running()).then_some(()));
    assert_eq!(finished(&path), 200);
    let report = printed(&["report", &file]);
    assert!(report.contains("200"), "{report}");
}
