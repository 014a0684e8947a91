//! An arena whose matches are played by the workers of a cluster, and several services on one database.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use cluster::{Address, Cluster, Feed, MatchOutcome, MatchReport, Role, WorkerInfo};
use contest::{ClusterConfig, ContestService, Event, ServiceConfig};
use flate2::Compression;
use flate2::write::GzEncoder;
use runs::Worker;
use sandbox::{Level, Sandbox};
use serde_json::{Value, json};
use store::{MatchList, MatchState, Store, WorkerState};
use testing::Nats;
use toolchain::{Bounds, BuildCache, Launcher};

use crate::restarts::{done, hyper};
use crate::support::{TestArena, league, settings};
use crate::trials::NEVER;

/// Longer than another server needs to take the lead.
const TAKE_OVER: Duration = Duration::from_secs(10);

fn config(arena: &TestArena, nats: &Nats, name: &str, workers: usize) -> ServiceConfig {
    ServiceConfig {
        build_cache: arena.folder.path().join(name),
        name: name.to_owned(),
        cluster: Some(ClusterConfig { address: address(nats), level: Level::None }),
        ..arena.config(workers, NEVER)
    }
}

fn address(nats: &Nats) -> Address {
    Address { url: nats.url(), ..Address::default() }
}

fn start(arena: &TestArena, nats: &Nats, name: &str, workers: usize) -> ContestService {
    arena.runtime.block_on(ContestService::start(config(arena, nats, name, workers))).unwrap()
}

async fn feed(address: Address, name: String) -> Feed {
    loop {
        let cluster = Cluster::connect(&address, Role::Worker(&name)).await.unwrap();
        match Feed::open(cluster, WorkerInfo::new(&name), 1).await {
            Ok(feed) => return feed,
            // The arena has not made its queues yet.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

/// A worker with one core; it ends when this is dropped.
struct TestWorker {
    worker: Arc<Worker>,
    thread: Option<JoinHandle<()>>,
}

impl TestWorker {
    fn start(arena: &TestArena, nats: &Nats, name: &str) -> TestWorker {
        let folder = arena.folder.path().join(format!("worker-{name}"));
        let (address, name) = (address(nats), name.to_owned());
        let (sender, started) = mpsc::channel();
        // The programs of bots end with the thread that made the sandbox.
        let thread = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
            let worker = Arc::new(Worker {
                handle: runtime.handle().clone(),
                feed: runtime.block_on(feed(address, name)),
                sandbox: Sandbox::new(None).unwrap(),
                launcher: Launcher::new(std::env::current_exe().unwrap()),
                build_cache: BuildCache::new(folder.join("builds"), Bounds::SHARED),
                files: folder.join("files"),
                cores: vec![play::cores()[0]],
            });
            sender.send(Arc::clone(&worker)).unwrap();
            worker.run();
            worker.feed.drain(Duration::from_secs(5));
        });
        TestWorker { worker: started.recv().unwrap(), thread: Some(thread) }
    }
}

impl Drop for TestWorker {
    fn drop(&mut self) {
        self.worker.feed.close();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A contest of quick built-in bots that need many matches.
fn quick(arena: &mut TestArena) {
    let mut only = league("ocean-of-code", 0);
    (only.boss, only.regulars) = ("boss-1".into(), vec!["boss-2".into()]);
    (only.placement, only.way) = (1000, contest::Way::Top);
    arena.standing_contest(&settings("ocean-of-code", vec![only]));
}

/// The workers of all finished matches.
async fn players(store: &Store) -> BTreeSet<String> {
    let tallies = store.worker_tallies(10_000).await.unwrap();
    tallies.into_iter().map(|tally| tally.worker).collect()
}

/// Waits until this number of matches is finished.
fn until_done(arena: &TestArena, count: usize) {
    let list = MatchList { limit: 100, ..MatchList::default() };
    arena.until("more matches", async |store| {
        (store.recent(&list).await.unwrap().len() >= count).then_some(())
    });
}

pub(crate) fn workers_of_a_cluster_play(arena: &mut TestArena) {
    let Some(mut nats) = Nats::start() else { return };
    hyper(arena);
    let service = start(arena, &nats, "first", 0);
    let mut events = service.events();
    let one = TestWorker::start(arena, &nats, "one");
    // The submission is built here and played there, and visitors can follow the match.
    let live = arena.until("a live match", async |_| {
        let live = service.live().into_iter().find(|live| live.turn > 2)?;
        service.watch(live.match_id).filter(|(_, view)| view.as_ref().is_some_and(|view| view.reach().1 > 2))
    });
    arena.until("the end of the match", async |store| {
        let row = store.match_row(live.0.match_id).await.unwrap().unwrap();
        (row.state == MatchState::Done).then_some(())
    });
    let mut told = Vec::new();
    while let Ok(event) = events.try_recv() {
        told.push(event);
    }
    let id = live.0.match_id;
    assert!(
        told.iter().any(|event| matches!(event, Event::MatchStarted { match_id, .. } if *match_id == id))
    );
    assert!(told.iter().any(|event| matches!(event, Event::MatchDone { match_id, .. } if *match_id == id)));
    // The record is one of ours, without the paths and digests of the worker.
    let row = arena.runtime.block_on(arena.store.match_row(id)).unwrap().unwrap();
    let record = arena.runtime.block_on(arena.store.read_record(row.record.as_deref().unwrap())).unwrap();
    assert!(catalog::verify::line(&record).unwrap().mismatches.is_empty());
    let text: Value = serde_json::from_slice(&record).unwrap();
    assert!(text["bots"].as_array().unwrap().iter().all(|bot| bot["digest"].is_null()), "{}", text["bots"]);
    // The server of the queue loses everything: the matches are sent again.
    let before = done(arena);
    nats.kill();
    nats.lose_data();
    nats.start_again();
    until_done(arena, before + 3);
    assert_eq!(arena.runtime.block_on(players(&arena.store)), BTreeSet::from(["cluster/one".to_owned()]));
    let seen = arena.runtime.block_on(arena.store.workers()).unwrap();
    assert_eq!((seen.len(), seen[0].name.as_str(), seen[0].state), (1, "one", WorkerState::Active));
    drop(one);
    drop(service);
}

pub(crate) fn another_service_takes_the_lead(arena: &mut TestArena) {
    let Some(nats) = Nats::start() else { return };
    hyper(arena);
    let first = start(arena, &nats, "first", 1);
    assert!(first.leads());
    let second = start(arena, &nats, "second", 1);
    assert!(!second.leads());
    let mut events = second.events();
    // Both play, and visitors of the second see the matches of the first.
    arena.until("both play", async |store| {
        let names = players(store).await;
        (names.contains("first/0") && names.contains("second/0")).then_some(())
    });
    let follows =
        || second.live().iter().any(|live| first.live().iter().any(|own| own.match_id == live.match_id));
    arena.until("a match of the other service", async |_| follows().then_some(()));
    assert!(
        std::iter::from_fn(|| events.try_recv().ok()).any(|event| matches!(event, Event::MatchDone { .. }))
    );
    // A pause is for all.
    arena.runtime.block_on(second.set_paused(true)).unwrap();
    arena.until("the pause", async |_| first.status().paused.then_some(()));
    arena.runtime.block_on(second.set_paused(false)).unwrap();
    let begun = Instant::now();
    drop(first);
    arena.until("the lead", async |_| second.leads().then_some(()));
    assert!(begun.elapsed() < TAKE_OVER, "{:?}", begun.elapsed());
    let before = done(arena);
    until_done(arena, before + 2);
    drop(second);
}

/// A record with random answers and the result that the rules give.
fn random_record(work: &cluster::Matches) -> Value {
    let game = catalog::find(&work.game).unwrap();
    let asked = game::Selection {
        league: Some(work.league),
        edition: Some(work.edition.clone()),
        players: Some(work.players),
    };
    let selected = game.select(&asked).unwrap();
    let mut play = game.start(selected, work.matches[0].seed);
    let mut dice = game::Dice::new(7);
    let mut turns = Vec::new();
    while let Some(seat) = play.awaited().into_iter().next() {
        let line = play.random_answer(seat, &mut dice);
        play.answer(seat, Some(&line)).unwrap();
        turns.push(json!({"player": seat.0, "output": [String::from_utf8(line).unwrap()]}));
    }
    let outcome = play.outcome();
    json!({
        "agon": 1, "game": work.game, "seed": work.matches[0].seed.to_string(), "rules": play.rules(), "turns": turns,
        "end": play.end(),
        "outcome": {"scores": outcome.scores, "ranks": outcome.ranks, "reason": outcome.reason, "details": [null, null]},
    })
}

/// The report of a worker on a match.
fn report(index: u64, record: &Value) -> Vec<MatchReport> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    serde_json::to_writer(&mut packed, record).unwrap();
    let record = Some(Feed::pack(&packed.finish().unwrap()));
    vec![MatchReport { index, outcome: MatchOutcome::Over { line: json!({}), record } }]
}

pub(crate) fn false_results_are_refused(arena: &mut TestArena) {
    let Some(nats) = Nats::start() else { return };
    quick(arena);
    let service = start(arena, &nats, "first", 0);
    let workers = ["honest", "liar", "vague", "thief"];
    let forged = |name: &str, record: &mut Value| match name {
        "liar" => record["outcome"]["ranks"] = json!([2, 1]),
        "vague" => drop(record["turns"].as_array_mut().unwrap().pop()),
        "thief" => record["seed"] = json!("12345"),
        _ => {}
    };
    for name in workers {
        let worker = arena.runtime.block_on(feed(address(&nats), name.to_owned()));
        let (sender, taken) = mpsc::channel();
        let worker = Arc::new(worker);
        let own = Arc::clone(&worker);
        let thread = std::thread::spawn(move || sender.send(own.take().unwrap()).unwrap());
        let item = taken.recv_timeout(testing::PATIENCE).unwrap();
        thread.join().unwrap();
        let work = item.work.matches().unwrap();
        let mut record = random_record(work);
        if name == "liar" && record["outcome"]["ranks"] == json!([2, 1]) {
            record["outcome"]["scores"] = json!([99, 98]);
        }
        forged(name, &mut record);
        let index = work.matches[0].index;
        worker.done(item, report(index, &record), Duration::from_millis(1));
        let row = |store: &Store| {
            let store = store.clone();
            async move { store.match_row(model::MatchId(index as i64)).await.unwrap().unwrap() }
        };
        if name == "honest" {
            arena.until("the result", async |store| {
                (row(store).await.state == MatchState::Done).then_some(())
            });
        } else {
            let found = arena.until("the worker is disabled", async |store| {
                let workers = store.workers().await.unwrap();
                workers.into_iter().find(|one| one.name == name && one.state == WorkerState::Disabled)
            });
            assert!(found.why.is_some(), "{found:?}");
            assert_ne!(arena.runtime.block_on(row(&arena.store)).state, MatchState::Done, "{name}");
        }
        worker.close();
        worker.drain(Duration::from_secs(2));
    }
    assert_eq!(done(arena), 1);
    // A real worker plays what the others left.
    let _worker = TestWorker::start(arena, &nats, "one");
    until_done(arena, 5);
    drop(service);
}

pub(crate) fn matches_of_deterministic_bots_are_played_again(arena: &mut TestArena) {
    let Some(nats) = Nats::start() else { return };
    quick(arena);
    let service = start(arena, &nats, "first", 0);
    let _worker = TestWorker::start(arena, &nats, "one");
    // The rules allow the answers of this worker, but they are not those of the bots.
    let cheat = Arc::new(arena.runtime.block_on(feed(address(&nats), "cheat".to_owned())));
    let own = Arc::clone(&cheat);
    let cheating = std::thread::spawn(move || {
        while let Some(item) = own.take() {
            if item.work.not_by.is_some() {
                own.failed(item, "not now");
                continue;
            }
            let work = item.work.matches().unwrap();
            let (index, record) = (work.matches[0].index, random_record(work));
            own.done(item, report(index, &record), Duration::from_millis(5));
        }
    });
    let why = arena.until("a difference", async |store| {
        let workers = store.workers().await.unwrap();
        workers.into_iter().find(|worker| worker.name == "cheat").and_then(|worker| worker.why)
    });
    let why = model::Suspicion::read(&why);
    assert!(matches!(&why, model::Suspicion::Differs { other, .. } if other == "one"), "{why:?}");
    cheat.close();
    cheating.join().unwrap();
    drop(service);
}
