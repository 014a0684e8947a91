//! Builds are work of a cluster: a submission is built by a worker that has the compiler, and played by others as it is. Workers are
//! killed while they build, and lie about their builds.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use cluster::{Address, Build, BuildReport, Cluster, Feed, Job, PROTOCOL, Report, Role, WorkerInfo};
use model::{UserId, VersionId};
use serde_json::json;
use store::{Contest, NewUser, NewVersion, Store, Version, VersionState};
use testing::{Nats, require, scratch};
use toolchain::{NotBuilt, SentProgram};

use crate::arena::{GAME, create_contest};
use crate::home::{Home, Server, descendants};
use crate::{Process, command};

/// The announcements of workers are read well within this time.
const ANNOUNCED: Duration = Duration::from_secs(12);
/// Source code in C++ that keeps the compiler busy for some seconds.
const SLOW: &str = "constexpr unsigned f(unsigned n) { unsigned x = 1; for (unsigned i = 0; i < 100; i++) \
    for (unsigned j = 0; j < n; j++) x = x * 1664525u + 1013904223u; return x; }\nstatic_assert(f(4000) != 0);\n";
/// The setting that pauses an arena: submissions are built, and no match is played.
const PAUSED: &str = "hall_paused";

/// Whether this host has a language.
fn has(language: &str) -> bool {
    toolchain::language(language).is_some_and(|language| language.missing().is_none())
}

fn server(home: &Home, url: &str) -> Server {
    Server::start(home, &["--cluster", url, "--workers", "0", "--idle-every", "1"])
}

/// A worker with a cache of its own, as on another machine.
fn worker(url: &str, folder: &Path, name: &str, path: Option<&Path>) -> Process {
    let files = folder.join(name).display().to_string();
    let mut worker = command(&["worker", "--cluster", url, "--name", name, "--jobs", "1", "--files", &files]);
    worker.args(["--timed", "always"]).env("XDG_CACHE_HOME", folder.join(format!("{name}-cache")));
    if let Some(path) = path {
        worker.env("PATH", path);
    }
    Process::start(worker)
}

/// A worker that announces that it can compile a language, and does what the test says.
async fn builder(nats: &Nats, name: &str, language: &str) -> Feed {
    let address = Address { url: nats.url(), ..Address::default() };
    let info = WorkerInfo { languages: vec![language.to_owned()], ..WorkerInfo::new(name) };
    until("the cluster", async || {
        let cluster = Cluster::connect(&address, Role::Worker(name)).await.unwrap();
        Feed::open(cluster, info.clone(), 1).await.ok()
    })
    .await
}

/// A NATS server and an arena with a contest in which no match is played.
async fn paused_arena() -> Option<(Nats, Home, Store, Contest)> {
    let (nats, home) = (Nats::start()?, Home::postgres()?);
    let store = home.open().await;
    let contest = create_contest(&store, 1000).await;
    store.set_setting(PAUSED, "1").await.unwrap();
    Some((nats, home, store, contest))
}

/// Submits a bot of a new account.
pub(crate) async fn submit(
    store: &Store,
    contest_id: i64,
    name: &str,
    language: &str,
    source: &str,
) -> VersionId {
    let user = NewUser {
        name: name.to_owned(),
        email: None,
        password: "hash".to_owned(),
        role: store::Role::Player,
        lang: "en".to_owned(),
        must_change: false,
    };
    let user_id: UserId = store.create_user(&user, 1).await.unwrap().id;
    let new = NewVersion {
        contest_id,
        game: GAME.to_owned(),
        user_id,
        language: language.to_owned(),
        source: source.to_owned(),
        activate: true,
    };
    store.submit(&new, 1).await.unwrap().id
}

/// Waits for something in the database.
async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(begun.elapsed() < testing::PATIENCE, "never happened: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn version(store: &Store, id: VersionId) -> Version {
    store.version(id).await.unwrap().unwrap()
}

pub(crate) async fn built(store: &Store, id: VersionId) -> Version {
    until("the build ends", async || {
        let found = version(store, id).await;
        matches!(found.state, VersionState::Ready | VersionState::Failed).then_some(found)
    })
    .await
}

/// Waits until workers of these names have announced themselves.
async fn seen(store: &Store, names: &[&str]) {
    until("the workers", async || {
        let rows = store.workers().await.unwrap();
        names.iter().all(|name| rows.iter().any(|row| row.name == *name)).then_some(())
    })
    .await;
}

/// Whether a worker runs a compiler of C++.
fn compiles(worker: &Process) -> bool {
    descendants(worker.0.id()).iter().any(|(process, _)| {
        let name = std::fs::read_to_string(format!("/proc/{process}/comm"));
        name.is_ok_and(|name| name.trim() == "cc1plus")
    })
}

pub(crate) fn source(file: &str) -> String {
    std::fs::read_to_string(testing::game_file(GAME, &format!("tests/bots/{file}"))).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_submission_is_built_once_where_its_compiler_is() {
    if !require("g++ and python3", has("C++") && has("Python")) {
        return;
    }
    let (Some(nats), Some(home)) = (Nats::start(), Home::postgres()) else { return };
    let scratch = scratch();
    let store = home.open().await;
    let contest = create_contest(&store, 1000).await;
    let url = nats.url();
    let _server = server(&home, &url);
    // This worker finds Python and no compiler.
    let poor = scratch.path().join("bin");
    std::fs::create_dir(&poor).unwrap();
    let paths = std::env::var_os("PATH").unwrap();
    let cat = std::env::split_paths(&paths).map(|path| path.join("cat")).find(|file| file.is_file());
    // The sandbox tries itself with this program.
    std::os::unix::fs::symlink(cat.unwrap(), poor.join("cat")).unwrap();
    // The Python that is found may be a shim, which needs other programs.
    let real = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
    let real = String::from_utf8(real.stdout).unwrap();
    let python = poor.join("python3");
    std::fs::write(&python, format!("#!/bin/sh\nexec {} \"$@\"\n", real.trim())).unwrap();
    std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
    let _workers =
        [worker(&url, scratch.path(), "poor", Some(&poor)), worker(&url, scratch.path(), "rich", None)];
    seen(&store, &["poor", "rich"]).await;
    let languages = |name: &'static str| {
        let store = &store;
        async move {
            let rows = store.workers().await.unwrap();
            rows.into_iter().find(|row| row.name == name).unwrap().info["languages"].clone()
        }
    };
    assert_eq!(languages("poor").await, json!(["Python"]));
    let cpp = submit(&store, contest.id, "Ann", "C++", &source("bot.cpp")).await;
    let python = submit(&store, contest.id, "Bob", "Python", &source("bot.py")).await;
    let (first, second) = (built(&store, cpp).await, built(&store, python).await);
    assert_eq!(
        (first.state, first.builder.as_deref()),
        (VersionState::Ready, Some("cluster/rich")),
        "{first:?}"
    );
    assert_eq!(second.state, VersionState::Ready, "{second:?}");
    let builder = second.builder.as_deref().unwrap();
    assert!(["cluster/rich", "cluster/poor"].contains(&builder), "{builder}");
    assert!(first.program.is_some() && second.program.is_some());
    // Both workers play both bots.
    until("all play all", async || {
        let tallies = store.worker_tallies(100_000).await.unwrap();
        let pairs: BTreeSet<(String, VersionId)> = tallies
            .into_iter()
            .filter(|tally| [cpp, python].contains(&tally.version_id))
            .map(|tally| (tally.worker, tally.version_id))
            .collect();
        (pairs.len() == 4).then_some(())
    })
    .await;
    // One compiler ran for each of them, wherever they play.
    tokio::time::sleep(ANNOUNCED).await;
    let rows = store.workers().await.unwrap();
    let sum = |what: &str| rows.iter().map(|row| row.info[what].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("built"), sum("compiled")), (2, 2), "{rows:?}");
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_build_whose_worker_is_killed_is_made_by_another() {
    if !require("g++", has("C++")) {
        return;
    }
    let Some((nats, home, store, contest)) = paused_arena().await else { return };
    let scratch = scratch();
    let url = nats.url();
    let _server = server(&home, &url);
    let names = ["one", "two"];
    let mut workers = names.map(|name| worker(&url, scratch.path(), name, None));
    seen(&store, &names).await;
    let id = submit(&store, contest.id, "Ann", "C++", &format!("{SLOW}{}", source("bot.cpp"))).await;
    let at = until("a compiler runs", async || workers.iter().position(compiles)).await;
    workers[at].kill();
    assert_eq!(version(&store, id).await.state, VersionState::Building);
    let found = built(&store, id).await;
    let other = format!("cluster/{}", names[1 - at]);
    assert_eq!((found.state, found.builder), (VersionState::Ready, Some(other)));
    assert_eq!(found.attempts, 0, "nobody has failed");
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_build_goes_on_when_the_leader_is_killed() {
    if !require("g++", has("C++")) {
        return;
    }
    let Some((nats, home, store, contest)) = paused_arena().await else { return };
    let mut other = Home::sqlite();
    other.url.clone_from(&home.url);
    let scratch = scratch();
    let url = nats.url();
    let leader = server(&home, &url);
    let _next = server(&other, &url);
    let worker = worker(&url, scratch.path(), "one", None);
    seen(&store, &["one"]).await;
    let id = submit(&store, contest.id, "Ann", "C++", &format!("{SLOW}{}", source("bot.cpp"))).await;
    until("a compiler runs", async || compiles(&worker).then_some(())).await;
    leader.kill_nine();
    let before = version(&store, id).await;
    assert_eq!(before.state, VersionState::Building);
    let found = built(&store, id).await;
    assert_eq!((found.state, found.builder.as_deref()), (VersionState::Ready, Some("cluster/one")));
    assert_eq!((found.lease, found.attempts), (None, 0), "it counts once, and nobody has failed");
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_single_worker_says_that_source_does_not_compile() {
    if !require("bash", has("Bash")) {
        return;
    }
    let Some((nats, home, store, contest)) = paused_arena().await else { return };
    let scratch = scratch();
    let _server = server(&home, &nats.url());
    let liar = builder(&nats, "liar", "Bash").await;
    seen(&store, &["liar"]).await;
    let id = submit(&store, contest.id, "Ann", "Bash", &source("bot.sh")).await;
    let item = tokio::time::timeout(testing::PATIENCE, liar.next()).await.unwrap().unwrap();
    assert_eq!(item.work.not_by, None);
    let _worker = worker(&nats.url(), scratch.path(), "one", None);
    seen(&store, &["liar", "one"]).await;
    liar.built(item, Err(NotBuilt::Failed { log: "it does not compile".to_owned(), slow: false }));
    let giving_back = tokio::spawn(async move {
        while let Some(item) = liar.next().await {
            assert_eq!(item.work.not_by.as_deref(), Some("liar"));
            liar.failed(item, "another worker has to build it");
        }
    });
    let found = built(&store, id).await;
    giving_back.abort();
    assert_eq!((found.state, found.builder.as_deref()), (VersionState::Ready, Some("cluster/one")));
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn false_and_old_reports_of_builds_are_refused() {
    let Some((nats, home, store, contest)) = paused_arena().await else { return };
    let _server = server(&home, &nats.url());
    let feed = builder(&nats, "liar", "Python").await;
    seen(&store, &["liar"]).await;
    let id = submit(&store, contest.id, "Ann", "Python", &source("bot.py")).await;
    let item = tokio::time::timeout(testing::PATIENCE, feed.next()).await.unwrap().unwrap();
    let Job::Build(Build { language, source: digest, .. }) = &item.work.job else { panic!("{item:?}") };
    assert_eq!((language.as_str(), digest.as_str()), ("Python", version(&store, id).await.digest.as_str()));
    let js = async_nats::jetstream::new(async_nats::connect(nats.url()).await.unwrap());
    let report = |token: u64, build: BuildReport| Report {
        item: item.work.item,
        token,
        worker: "liar".to_owned(),
        matches: Vec::new(),
        build: Some(build),
    };
    let failed = NotBuilt::Failed { log: "false".to_owned(), slow: false };
    let program = SentProgram { digest: "0".repeat(64), platform: "here".to_owned() };
    // The first report has the token of another lease; the second one names a program that is not there.
    for report in [
        report(item.work.token - 1, BuildReport::NotBuilt(failed)),
        report(item.work.token, BuildReport::Ready(program)),
    ] {
        let subject = format!("agon.{PROTOCOL}.done.{}.liar", item.work.master);
        let text = serde_json::to_vec(&report).unwrap();
        js.publish(subject, text.into()).await.unwrap().await.unwrap();
    }
    let found = built(&store, id).await;
    assert_eq!((found.state, found.builder.as_deref()), (VersionState::Ready, Some("cluster/liar")));
    // Others compile the source.
    assert_eq!(found.program, None);
    store.close().await;
}
