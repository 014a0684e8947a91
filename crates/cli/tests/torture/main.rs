//! The server is killed (`kill -9`) again and again while it plays a ladder. At any moment of the kill: every match
//! ends with one result, ratings agree with the results, the server starts again, and no bot goes on running.
//!
//! `cargo xtask torture` runs this with large numbers: `AGON_TORTURE_MATCHES`, `AGON_TORTURE_KILLS`, and
//! `AGON_TORTURE_READY_MS`, the longest time of a start. `AGON_TORTURE_SEED` repeats the moments of another run, as
//! far as this is possible.

// Tests may unwrap, and this one prints measurements.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../common/arena.rs"]
mod arena;
mod clock;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use arena::{Home, Server, descendants, is_alive};
use model::{ContestState, LadderKind, MatchId, Tier, VersionId};
use serde_json::{Value, json};
use store::{MatchState, NewContest, NewMatch, NewUser, NewVersion, Role, Store, VersionState};

/// A player of Ocean of Code that gives only legal answers, at once.
const BOT: &str = include_str!("../../../../games/ocean-of-code/tests/fast.c");
const BOTS: i64 = 4;
/// The time limit of every step, on a machine that is busy with other work as well.
const PATIENCE: Duration = Duration::from_mins(3);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite() {
    let home = Home::sqlite();
    torture(&home).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres() {
    if let Some(home) = Home::postgres() {
        torture(&home).await;
    }
}

async fn torture(home: &Home) {
    let (matches, kills) =
        (number("AGON_TORTURE_MATCHES").unwrap_or(40), number("AGON_TORTURE_KILLS").unwrap_or(6));
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_nanos();
    let mut chance = Chance(number("AGON_TORTURE_SEED").unwrap_or(clock.into()));
    println!("{matches} matches, {kills} kills, AGON_TORTURE_SEED={}", chance.0);

    let store = home.open().await;
    let versions = enter(&store, 100).await;
    let mut server = Some(Server::start(home, &["--idle-every", "3600"]));
    until("the bots are built", || async { all_ready(&store, &versions).await }).await;
    let queued = enqueue(&store, &versions, matches).await;
    let before = store.counts().await.unwrap().matches as u64;

    // The numbers of results after which the server is killed, in rising order; now and then it is killed while it
    // starts.
    let mut moments: Vec<u64> = (0..kills).map(|_| chance.below(matches)).collect();
    moments.sort_unstable();
    let (mut ready, mut gone) = (Vec::new(), Vec::new());
    for (kill, moment) in moments.into_iter().enumerate() {
        let mut running = match server.take() {
            Some(running) => running,
            None if kill % 5 == 4 => {
                let starting = Server::launch(home, &["--idle-every", "3600"]);
                std::thread::sleep(Duration::from_millis(chance.below(400)));
                gone.push(kill_nine(starting).await);
                Server::start(home, &["--idle-every", "3600"])
            }
            None => Server::start(home, &["--idle-every", "3600"]),
        };
        ready.extend(running.ready.take());
        until("results come in", || async {
            store.counts().await.unwrap().matches as u64 >= before + moment
        })
        .await;
        std::thread::sleep(Duration::from_millis(chance.below(80)));
        gone.push(kill_nine(running).await);
    }
    let mut last = Server::start(home, &["--idle-every", "3600"]);
    ready.extend(last.ready.take());
    until("all matches are played", || async {
        let state = store.match_row(*queued.last().unwrap()).await.unwrap().unwrap().state;
        state == MatchState::Done && store.counts().await.unwrap().matches as u64 >= before + matches
    })
    .await;
    last.stop();

    tell("ready again after", &mut ready, "ms");
    tell("bots gone after", &mut gone, "ms");
    check(&store, &queued).await;
    store.close().await;
    let checked = home.admin(&["check", "--replay", "--json"]);
    let told: Value = serde_json::from_slice(&checked.stdout).unwrap();
    println!("{told}");
    assert!(checked.status.success(), "{told} {}", String::from_utf8_lossy(&checked.stderr));
    assert_eq!(told["ratings"]["different"], 0, "{told}");
    assert!(told["replayed"]["games"].as_u64().unwrap() >= matches, "{told}");
    if let Some(most) = number("AGON_TORTURE_READY_MS") {
        let slowest = ready.iter().max().unwrap();
        assert!(*slowest <= u128::from(most), "a start took {slowest} ms");
    }
}

/// A contest of one league, and bots in it that wait to be built. Each bot thinks `spin_us` microseconds longer than the
/// one before it.
async fn enter(store: &Store, spin_us: i64) -> Vec<VersionId> {
    let league = json!({
        "key": "open", "name": {"en": "Open", "fr": "Libre"}, "about": {"en": "All.", "fr": "Tous."}, "rules": 4,
        "edition": "standard", "boss": "boss-1", "players": [2], "way": "top", "placement": 1,
    });
    let contest = NewContest {
        key: "torture".into(),
        title: "Torture".into(),
        starts: None,
        ends: None,
        invited_only: false,
        settings: json!({"games": [{"game": "ocean-of-code", "leagues": [league]}]}),
        state: ContestState::Running,
    };
    let contest = store.create_contest(&contest, 1).await.unwrap();
    let mut versions = Vec::new();
    for bot in 0..BOTS {
        let user = NewUser {
            name: format!("tortured-{bot}"),
            email: None,
            password: "none".into(),
            role: Role::Player,
            lang: "en".into(),
            must_change: false,
        };
        let user = store.create_user(&user, 1).await.unwrap();
        let version = NewVersion {
            contest_id: contest.id,
            game: "ocean-of-code".into(),
            user_id: user.id,
            language: "C".into(),
            source: format!("#define SPIN_US {}\n{BOT}", bot * spin_us),
            activate: true,
        };
        versions.push(store.submit(&version, 1).await.unwrap().id);
    }
    versions
}

async fn all_ready(store: &Store, versions: &[VersionId]) -> bool {
    for &version in versions {
        let version = store.version(version).await.unwrap().unwrap();
        assert_ne!(version.state, VersionState::Failed, "{:?}", version.build_log);
        let bot = store.bot(version.bot_id).await.unwrap().unwrap();
        if bot.active_version != Some(version.id) {
            return false;
        }
    }
    true
}

/// Queues the matches of the ladder, before all others.
async fn enqueue(store: &Store, versions: &[VersionId], matches: u64) -> Vec<MatchId> {
    let contest = store.contest_by_key("torture").await.unwrap().unwrap();
    let ladder =
        store.ensure_ladder(contest.id, "ocean-of-code", Tier::FIRST, 2, LadderKind::Ladder).await.unwrap();
    let pair = |number: usize| {
        let first = number % versions.len();
        let second = (first + 1 + number / versions.len() % (versions.len() - 1)) % versions.len();
        vec![versions[first], versions[second]]
    };
    let new: Vec<NewMatch> = (0..matches)
        .map(|number| NewMatch {
            ladder_id: ladder.id,
            seed: number as i64,
            seats: pair(number as usize),
            priority: 1_000_000,
            round: 0,
        })
        .collect();
    store.enqueue_all(&new, 1).await.unwrap()
}

/// Every match has one result; results are numbered without a gap.
///
/// These bots fail only when the machine is overloaded; failures are printed, but are not errors.
async fn check(store: &Store, queued: &[MatchId]) {
    let (mut numbers, mut failures) = (BTreeSet::new(), BTreeMap::<String, u64>::new());
    for &id in queued {
        let row = store.match_row(id).await.unwrap().unwrap();
        assert_eq!(row.state, MatchState::Done, "{row:?}");
        assert!(row.seats.iter().all(|seat| seat.rank.is_some() && seat.rating.is_some()), "{row:?}");
        for seat in store.seat_details(id).await.unwrap() {
            let said = seat.details.and_then(|details| details["said"].as_str().map(str::to_owned));
            *failures.entry(said.unwrap_or_default()).or_default() += 1;
        }
        assert!(numbers.insert(row.seq.unwrap()), "two results have one number: {row:?}");
    }
    failures.remove("");
    let counts = store.counts().await.unwrap();
    let (mut results, mut games) = (0, 0);
    for contest in store.contests().await.unwrap() {
        let mut after = 0;
        loop {
            let rows = store.matches_of_contest(contest.id, after, 1000).await.unwrap();
            let Some(last) = rows.last() else { break };
            after = last.seq.unwrap();
            results += rows.len() as i64;
            games +=
                rows.iter().filter(|row| row.kind.counts()).map(|row| row.seats.len() as i64).sum::<i64>();
        }
    }
    assert_eq!(results, counts.matches, "results are numbered without a gap");
    assert_eq!(counts.voids, 0);
    println!(
        "{} results for {} matches, {results} in all, {games} seats, none twice; failures of bots: {failures:?}",
        numbers.len(),
        queued.len()
    );
}

/// Kills a server and waits for the end of all its processes; returns the time this took, in milliseconds.
async fn kill_nine(server: Server) -> u128 {
    // The server is suspended while its children are counted, so that none is missed.
    let left = server.freeze_and(descendants);
    server.kill_nine();
    let since = Instant::now();
    until("its bots are gone", || async { !left.iter().any(is_alive) }).await;
    since.elapsed().as_millis()
}

async fn until<F: Future<Output = bool>>(what: &str, mut happened: impl FnMut() -> F) {
    let since = Instant::now();
    while !happened().await {
        assert!(since.elapsed() < PATIENCE, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn tell(what: &str, times: &mut [u128], unit: &str) {
    times.sort_unstable();
    let part = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    println!(
        "{what}: least {} {unit}, median {}, p90 {}, most {} ({} times)",
        part(0.0),
        part(0.5),
        part(0.9),
        part(1.0),
        times.len()
    );
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Random moments.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit.max(1)
    }
}
