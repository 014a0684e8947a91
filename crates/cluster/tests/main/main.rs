//! Work, reports and files between masters and workers, over a real NATS server.

// Tests may unwrap.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use cluster::{
    Address, Build, BuildReport, Cluster, ClusterError, Feed, Found, Job, Master, MatchOutcome, MatchReport,
    MatchWork, Matches, Objects, Packed, Received, Role, Work, WorkerInfo,
};
use referee::Clock;
use sandbox::Level;
use serde_json::json;
use testing::{Nats, scratch};
use tokio::runtime::Runtime;

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

async fn connect(nats: &Nats) -> Cluster {
    let address = Address { url: nats.url(), ..Address::default() };
    Cluster::connect(&address, Role::Master("test")).await.unwrap()
}

async fn master(nats: &Nats, id: &str) -> Master {
    Master::open(connect(nats).await, id.to_owned()).await.unwrap()
}

/// A worker with two threads.
async fn feed(nats: &Nats, name: &str, timed: bool) -> Feed {
    Feed::open(connect(nats).await, WorkerInfo { timed, ..WorkerInfo::new(name) }, 2).await.unwrap()
}

fn work(master: &str, item: u64, clock: Clock) -> Work {
    Work {
        master: master.to_owned(),
        token: 7,
        item,
        deadline_s: 60,
        level: Level::None,
        not_by: None,
        job: Job::Matches(Matches {
            game: "hypersonic".to_owned(),
            league: 1,
            edition: "standard".to_owned(),
            players: 2,
            clock,
            ponder: false,
            bots: BTreeMap::new(),
            matches: vec![MatchWork { index: 2 * item, seed: -5, seats: vec![0, 1] }],
            records: true,
            live: false,
        }),
    }
}

fn over(index: u64, record: &[u8]) -> Vec<MatchReport> {
    let outcome = MatchOutcome::Over { line: json!({"index": index}), record: Some(Feed::pack(record)) };
    vec![MatchReport { index, outcome }]
}

/// The reports until there are this many.
fn reports(runtime: &Runtime, master: &Master, count: usize) -> Vec<Received> {
    let begun = Instant::now();
    let mut found = Vec::new();
    while found.len() < count {
        assert!(begun.elapsed() < testing::PATIENCE);
        found.extend(runtime.block_on(master.reports(Duration::from_millis(100))).unwrap());
    }
    found
}

#[test]
fn work_goes_to_a_worker_and_its_report_to_the_master() {
    let Some(nats) = Nats::start() else { return };
    let runtime = runtime();
    let master = runtime.block_on(master(&nats, "a"));
    let worker = runtime.block_on(feed(&nats, "one", true));
    let sent: Vec<Work> = (0..50).map(|item| work("a", item, Clock::SITE)).collect();
    runtime.block_on(master.send(&sent)).unwrap();
    let mut taken = Vec::new();
    for _ in &sent {
        let item = worker.take().unwrap();
        taken.push(item.work.clone());
        let index = item.work.matches().unwrap().matches[0].index;
        worker.done(item, over(index, b"record"), Duration::from_millis(1));
    }
    taken.sort_by_key(|work| work.item);
    assert_eq!(taken, sent, "each work once");
    let received = reports(&runtime, &master, 50);
    for Received { report, .. } in &received {
        assert_eq!((report.worker.as_str(), report.token), ("one", 7));
        let MatchOutcome::Over { record: Some(record), .. } = &report.matches[0].outcome else { panic!() };
        assert_eq!(runtime.block_on(master.unpack(record)).unwrap(), b"record");
    }
    runtime.block_on(master.acknowledge(&received));
    testing::until("all work is done", || {
        runtime.block_on(master.waiting()).unwrap().is_empty().then_some(())
    });
    let seen = runtime.block_on(master.cluster().seen_workers()).unwrap();
    assert_eq!((seen.len(), seen[0].name.as_str()), (1, "one"));
    assert_eq!(runtime.block_on(master.cluster().worker_count()).unwrap(), 1);
}

#[test]
fn a_worker_speaks_only_for_itself() {
    let Some(nats) = Nats::start() else { return };
    let runtime = runtime();
    let master = runtime.block_on(master(&nats, "a"));
    let worker = runtime.block_on(feed(&nats, "one", true));
    runtime.block_on(master.send(&[work("a", 3, Clock::Off)])).unwrap();
    let item = worker.take().unwrap();
    let forged = json!({"item": 3, "token": 7, "worker": "one", "matches": over(6, b"forged")});
    let stranger = WorkerInfo::new("stranger");
    runtime.block_on(async {
        let client = async_nats::connect(nats.url()).await.unwrap();
        let js = async_nats::jetstream::new(client);
        // As the rights of `two` allow.
        let text = forged.to_string();
        js.publish("agon.2.done.a.two", text.into()).await.unwrap().await.unwrap();
        let text = serde_json::to_vec(&stranger).unwrap();
        let workers = js.get_key_value("agon-workers").await.unwrap();
        workers.put("two", text.into()).await.unwrap();
    });
    worker.done(item, over(6, b"true"), Duration::from_secs(1));
    let received = reports(&runtime, &master, 1);
    assert_eq!(received.len(), 1, "{received:?}");
    let MatchOutcome::Over { record: Some(record), .. } = &received[0].report.matches[0].outcome else {
        panic!("{received:?}")
    };
    assert_eq!(runtime.block_on(master.unpack(record)).unwrap(), b"true");
    let seen = runtime.block_on(master.cluster().seen_workers()).unwrap();
    assert!(seen.iter().all(|info| info.name == "one"), "{seen:?}");
}

#[test]
fn reports_wait_for_a_master_that_comes_back() {
    let Some(mut nats) = Nats::start() else { return };
    let runtime = runtime();
    let first = runtime.block_on(master(&nats, "a"));
    let worker = runtime.block_on(feed(&nats, "one", true));
    runtime.block_on(first.send(&[work("a", 3, Clock::Off), work("a", 4, Clock::Off)])).unwrap();
    let (one, two) = (worker.take().unwrap(), worker.take().unwrap());
    worker.done(one, over(6, b"x"), Duration::from_secs(1));
    // A report that is not acknowledged comes again to the next start of the master.
    assert_eq!(reports(&runtime, &first, 1)[0].report.item, 3);
    drop(first);
    nats.kill();
    worker.done(two, over(8, b"x"), Duration::from_secs(1));
    nats.start_again();
    let second = runtime.block_on(master(&nats, "a"));
    let mut items: Vec<u64> =
        reports(&runtime, &second, 2).iter().map(|received| received.report.item).collect();
    items.sort_unstable();
    items.dedup();
    assert_eq!(items, [3, 4]);
}

#[test]
fn a_master_that_stops_ends_its_work() {
    let Some(nats) = Nats::start() else { return };
    let runtime = runtime();
    let master = runtime.block_on(master(&nats, "a"));
    let worker = runtime.block_on(feed(&nats, "one", true));
    let sent: Vec<Work> = (0..5).map(|item| work("a", item, Clock::Off)).collect();
    runtime.block_on(master.send(&sent)).unwrap();
    let item = worker.take().unwrap();
    assert!(!item.is_cancelled());
    runtime.block_on(master.stop(7)).unwrap();
    testing::until("it is broken off", || item.is_cancelled().then_some(()));
    assert!(runtime.block_on(master.waiting()).unwrap().is_empty());
    worker.done(item, over(0, b"x"), Duration::from_secs(1));
    // Another lease of the same master is not concerned.
    let again = Work { token: 8, ..work("a", 9, Clock::Off) };
    runtime.block_on(master.send(std::slice::from_ref(&again))).unwrap();
    assert_eq!(worker.take().unwrap().work, again);
}

#[test]
fn a_noisy_worker_takes_only_matches_without_a_clock() {
    let Some(nats) = Nats::start() else { return };
    let runtime = runtime();
    let master = runtime.block_on(master(&nats, "a"));
    let noisy = runtime.block_on(feed(&nats, "noisy", false));
    let (timed, untimed) = (work("a", 1, Clock::SITE), work("a", 2, Clock::Off));
    runtime.block_on(master.send(&[timed.clone(), untimed.clone()])).unwrap();
    let item = noisy.take().unwrap();
    assert_eq!(item.work, untimed);
    noisy.done(item, over(4, b"x"), Duration::from_millis(1));
    assert_eq!(reports(&runtime, &master, 1)[0].report.item, 2);
    // The worker acknowledges its work after the report.
    testing::until("only the match with a clock waits", || {
        let waiting = runtime.block_on(master.waiting()).unwrap();
        waiting.into_iter().eq([1]).then_some(())
    });
    let quiet = runtime.block_on(feed(&nats, "quiet", true));
    assert_eq!(quiet.take().unwrap().work, timed);
}

#[test]
fn work_that_cannot_be_begun_goes_to_another_worker_and_is_void_in_the_end() {
    let Some(nats) = Nats::start() else { return };
    let runtime = runtime();
    let master = runtime.block_on(master(&nats, "a"));
    let (one, two) = (runtime.block_on(feed(&nats, "one", true)), runtime.block_on(feed(&nats, "two", true)));
    runtime.block_on(master.send(&[work("a", 1, Clock::Off)])).unwrap();
    std::thread::scope(|scope| {
        for worker in [&one, &two] {
            scope.spawn(move || {
                while let Some(item) = worker.take() {
                    worker.failed(item, "there is no compiler");
                }
            });
        }
        let received = reports(&runtime, &master, 1);
        let void = MatchOutcome::void("there is no compiler");
        assert_eq!(received[0].report.matches, [MatchReport { index: 2, outcome: void }]);
        one.close();
        two.close();
    });
}

#[test]
fn large_records_and_files_are_in_the_object_store() {
    let Some(nats) = Nats::start() else { return };
    let (runtime, scratch) = (runtime(), scratch());
    let master = runtime.block_on(master(&nats, "a"));
    let worker = runtime.block_on(feed(&nats, "one", true));
    let large: Vec<u8> = (0..3_000_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    runtime.block_on(master.send(&[work("a", 1, Clock::Off)])).unwrap();
    let item = worker.take().unwrap();
    worker.done(item, over(2, &large), Duration::from_secs(1));
    let received = reports(&runtime, &master, 1);
    let MatchOutcome::Over { record: Some(record), .. } = &received[0].report.matches[0].outcome else {
        panic!()
    };
    assert!(matches!(record, Packed::Object(_)));
    assert!(runtime.block_on(master.unpack(record)).unwrap() == large);
    runtime.block_on(master.forget(record));
    assert!(runtime.block_on(master.unpack(record)).is_err());

    let digest = runtime.block_on(master.put_file(&large)).unwrap();
    let objects = Objects::new(scratch.path().to_owned());
    let fetch = |digest: &str, name: &str| runtime.block_on(objects.file(worker.cluster(), digest, name));
    let path = fetch(&digest, "bot").unwrap();
    assert!(std::fs::read(&path).unwrap() == large);
    // A damaged copy is replaced.
    std::fs::write(&path, "damaged").unwrap();
    assert!(std::fs::read(fetch(&digest, "bot").unwrap()).unwrap() == large);
    assert!(matches!(fetch(&"0".repeat(64), "bot"), Err(ClusterError::Object(_))));
    assert!(fetch("../../etc/passwd", "bot").is_err());
    assert!(fetch(&digest, "../bot").is_err());
}

#[test]
fn a_worker_of_another_version_takes_no_work_and_says_why() {
    let Some(nats) = Nats::start() else { return };
    let runtime = runtime();
    runtime.block_on(async {
        let client = async_nats::connect(nats.url()).await.unwrap();
        let js = async_nats::jetstream::new(client);
        let bucket =
            |name: &str| async_nats::jetstream::kv::Config { bucket: name.to_owned(), ..Default::default() };
        let settings = js.create_key_value(bucket("agon-settings")).await.unwrap();
        settings.put("protocol", "99".into()).await.unwrap();
        js.create_key_value(bucket("agon-workers")).await.unwrap();
        let error = Feed::open(connect(&nats).await, WorkerInfo::new("one"), 1).await.unwrap_err();
        assert!(error.to_string().contains("protocol 99"), "{error}");
        let error = Master::open(connect(&nats).await, "a".to_owned()).await.unwrap_err();
        assert!(matches!(error, ClusterError::Protocol { found: 99 }), "{error}");
        // A worker waits for a master of its own version; such a master takes the cluster over.
        settings.put("protocol", "1".into()).await.unwrap();
        let error = Feed::open(connect(&nats).await, WorkerInfo::new("one"), 1).await.unwrap_err();
        assert!(matches!(error, ClusterError::Protocol { found: 1 }), "{error}");
        Master::open(connect(&nats).await, "a".to_owned()).await.unwrap();
        Feed::open(connect(&nats).await, WorkerInfo::new("one"), 1).await.unwrap();
    });
}

#[test]
fn work_that_is_missing_twice_is_lost() {
    let Some(nats) = Nats::start() else { return };
    runtime().block_on(async {
        let master = master(&nats, "lost").await;
        master.send(&[work("lost", 1, Clock::Off), work("lost", 2, Clock::Off)]).await.unwrap();
        assert_eq!(master.find_lost([1, 2].into_iter()).await.unwrap(), None, "work was sent just now");
        let look = async |open: &[u64]| {
            let begun = Instant::now();
            loop {
                if let Some(found) = master.find_lost(open.iter().copied()).await.unwrap() {
                    return found;
                }
                assert!(begun.elapsed() < testing::PATIENCE);
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        let found = |lost: &[u64], waiting| Found { lost: lost.to_vec(), waiting };
        assert_eq!(look(&[1, 2, 3]).await, found(&[], 2), "a report may be on its way");
        assert_eq!(look(&[1, 2, 3, 4]).await, found(&[3], 2));
        // It was sent again by now, or will be: it must be missing twice again.
        assert_eq!(look(&[1, 2, 3, 4]).await, found(&[4], 2));
        master.clear().await.unwrap();
        assert_eq!(look(&[1]).await, found(&[], 0));
    });
}

fn build(item: u64, language: &str) -> Work {
    let job = Build { name: "x".to_owned(), language: language.to_owned(), source: "0".repeat(64) };
    Work { job: Job::Build(job), ..work("a", item, Clock::Off) }
}

#[test]
fn builds_go_to_workers_that_know_the_language() {
    let Some(nats) = Nats::start() else { return };
    let runtime = runtime();
    let master = runtime.block_on(master(&nats, "a"));
    let builder = |name: &str, languages: &[&str]| {
        let languages = languages.iter().map(|&name| name.to_owned()).collect();
        let info = WorkerInfo { languages, ..WorkerInfo::new(name) };
        runtime.block_on(async { Feed::open(connect(&nats).await, info, 1).await.unwrap() })
    };
    let (cpp, python) = (builder("cpp", &["C++"]), builder("python", &["Python"]));
    let sent = [build(1, "Python"), build(2, "C++"), build(3, "Rust")];
    runtime.block_on(master.send(&sent)).unwrap();
    let text = serde_json::to_string(&sent[0]).unwrap();
    assert_eq!(serde_json::from_str::<Work>(&text).unwrap(), sent[0]);
    assert!(runtime.block_on(master.send(&[build(4, "Brainfuck")])).is_err());
    let (first, second) = (python.take().unwrap(), cpp.take().unwrap());
    assert_eq!((&first.work, &second.work), (&sent[0], &sent[1]));
    // The program of a build can be fetched by its digest, and nothing else under it.
    python.built(first, Ok((b"packed".to_vec(), "here".to_owned())));
    let failed = toolchain::NotBuilt::Failed { log: "line 1".to_owned(), slow: false };
    cpp.built(second, Err(failed.clone()));
    let mut received = reports(&runtime, &master, 2);
    received.sort_by_key(|received| received.report.item);
    let Some(BuildReport::Ready(program)) = &received[0].report.build else { panic!("{received:?}") };
    assert_eq!(program.platform, "here");
    let cluster = master.cluster();
    assert_eq!(runtime.block_on(cluster.get_program(&program.digest)).unwrap(), b"packed");
    assert!(runtime.block_on(cluster.get_program(&"0".repeat(64))).is_err());
    assert_eq!(received[1].report.build, Some(BuildReport::NotBuilt(failed)));
    assert_eq!((received[1].report.worker.as_str(), received[1].report.token), ("cpp", 7));
    runtime.block_on(master.acknowledge(&received));
    // Nobody knows the third language.
    testing::until("the third build waits", || {
        let waiting = runtime.block_on(master.waiting()).unwrap();
        (waiting.into_iter().collect::<Vec<_>>() == [3]).then_some(())
    });
    // A false object is refused: another worker has put other bytes under the digest.
    runtime.block_on(async {
        let js = async_nats::jetstream::new(async_nats::connect(nats.url()).await.unwrap());
        let store = js.get_object_store("agon-programs").await.unwrap();
        store.put(program.digest.as_str(), &mut &b"false"[..]).await.unwrap();
    });
    assert!(matches!(runtime.block_on(cluster.get_program(&program.digest)), Err(ClusterError::Object(_))));
}
