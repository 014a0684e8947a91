//! An arena of two servers and two workers on one database and one NATS server. The leader and a worker are killed; matches
//! are played on, and each counts once.

use std::path::Path;
use std::time::{Duration, Instant};

use model::ContestState;
use serde_json::{Value, json};
use store::{Contest, NewContest, Store};
use testing::{Nats, scratch};

use crate::home::{Home, Server};
use crate::{Process, worker_with};

/// The time until the other server has taken the lead and recorded results, on a busy machine.
const TAKE_OVER: Duration = Duration::from_secs(15);

/// The game of the arenas in these tests.
pub(crate) const GAME: &str = "ocean-of-code";

/// The permanent contest with one league of quick bots that need many matches.
pub(crate) async fn prepare(store: &Store) {
    create_contest(store, 1000).await;
}

/// The permanent contest with one league of two quick bots, of which each needs `placement` matches.
pub(crate) async fn create_contest(store: &Store, placement: u32) -> Contest {
    let league = json!({
        "key": "open", "name": {"en": "Open", "fr": "Libre"}, "about": {"en": "All.", "fr": "Tous."}, "rules": 1,
        "edition": "standard", "boss": "boss-1", "regulars": ["boss-2"], "players": [2], "way": "top", "placement": placement,
    });
    let contest = NewContest {
        key: "arena".into(),
        title: "Arena".into(),
        starts: None,
        ends: None,
        invited_only: false,
        settings: json!({"games": [{"game": GAME, "leagues": [league]}]}),
        state: ContestState::Running,
    };
    store.create_contest(&contest, 1).await.unwrap()
}

pub(crate) async fn results(store: &Store) -> i64 {
    store.counts().await.unwrap().matches
}

/// Waits for this number of results. Returns the time that it took.
pub(crate) async fn until(store: &Store, count: i64) -> Duration {
    let begun = Instant::now();
    while results(store).await < count {
        assert!(begun.elapsed() < testing::PATIENCE, "{} results of {count}", results(store).await);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    begun.elapsed()
}

fn server(home: &Home, url: &str) -> Server {
    Server::start(home, &["--cluster", url, "--workers", "0", "--idle-every", "1"])
}

fn arena_worker(url: &str, folder: &Path, name: &str) -> Process {
    // The clocks of test machines are noisy.
    worker_with(url, folder, name, &["--timed", "always"])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_server_takes_the_lead() {
    let (Some(nats), Some(mut home)) = (Nats::start(), Home::postgres()) else { return };
    let scratch = scratch();
    let records = scratch.path().join("records");
    let mut other = Home::sqlite();
    other.url.clone_from(&home.url);
    for each in [&mut home, &mut other] {
        each.variables.push(("AGON_RECORDS", records.clone()));
    }
    let store = Store::open_with_records(&home.url, &records, 1).await.unwrap();
    prepare(&store).await;
    let url = nats.url();
    let first = server(&home, &url);
    let second = server(&other, &url);
    let mut one = arena_worker(&url, scratch.path(), "one");
    let _two = arena_worker(&url, scratch.path(), "two");
    until(&store, 20).await;
    // The first server leads. With it the pages of the second go on, and so do the matches.
    first.kill_nine();
    let before = results(&store).await;
    // More results than matches that were with the workers.
    let took = until(&store, before + 5).await;
    assert!(took < TAKE_OVER, "{took:?}");
    one.kill();
    let first = server(&home, &url);
    until(&store, results(&store).await + 20).await;
    second.kill_nine();
    until(&store, results(&store).await + 20).await;
    let page: String = first.get("/api/v1/matches?limit=1");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    first.stop();
    let workers: Vec<String> = store.workers().await.unwrap().into_iter().map(|worker| worker.name).collect();
    assert_eq!(workers, ["one", "two"]);
    let played = results(&store).await;
    store.close().await;
    // The ratings are those of the results, every result has its record, and the records are those of the rules.
    let checked = home.admin(&["check", "--replay", "--json"]);
    let told: Value = serde_json::from_slice(&checked.stdout).unwrap();
    assert!(checked.status.success(), "{told} {}", String::from_utf8_lossy(&checked.stderr));
    assert_eq!(told["ratings"]["different"], 0, "{told}");
    assert!(told["replayed"]["games"].as_i64().unwrap() >= played, "{told}");
}

#[test]
fn a_cluster_with_sqlite_is_refused() {
    let home = Home::sqlite();
    let refused = home.agon(&["serve", "--cluster", "nats://127.0.0.1:1"]).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("--cluster: a cluster needs PostgreSQL"), "{said}");
}
