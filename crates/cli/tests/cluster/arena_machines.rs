//! The machines of an arena: a hub with PostgreSQL and NATS, two servers and four workers, each with a cable of its own. While
//! matches are played, all of them are killed (`kill -9`), stopped (`SIGSTOP`) and disconnected, and the connections to PostgreSQL and
//! NATS are delayed, broken and swallowed. Every match has one result, no bot is blamed, and the ratings are those of the results.
//!
//! `cargo xtask torture --machines` runs this with large numbers, as `machines.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use model::{LadderKind, MatchId, Tier, VersionId};
use serde_json::Value;
use store::{MatchState, NewMatch, Store};
use testing::{PostgresFiles, require, scratch};

use crate::Process;
use crate::arena::{GAME, create_contest};
use crate::home::Home;
use crate::hosts::{Chance, Hosts, number};
use crate::proxy::Proxy;

const WORKERS: usize = 4;
/// The hosts: a server each on the first two, then the workers.
const SERVERS: usize = 2;
/// After this time without a result the next fault comes.
const STALL: Duration = Duration::from_secs(5);
/// The ports of the proxies on the hub.
const NATS: u16 = 4223;
const DATABASE: u16 = 5433;
/// The longest time for which the machines are left as they are after a fault.
const LONGEST_HARM_MS: usize = 3000;
/// Servers that run into faults at their start are started again.
const START_AGAIN: Duration = Duration::from_secs(1);

/// The programs of an arena on their hosts.
struct Machines<'a> {
    hosts: &'a Hosts,
    folder: &'a Path,
    files: &'a PostgresFiles,
    homes: &'a [Home],
    postgres: Process,
    nats: Process,
    servers: Vec<Process>,
    started: Instant,
    workers: Vec<Process>,
    to_nats: Proxy,
    to_database: Proxy,
    harms: BTreeMap<&'static str, u64>,
}

fn postgres(hosts: &Hosts, files: &PostgresFiles) -> Process {
    let mut server = hosts.on("hub", &files.server(5432));
    // Its processes are killed and stopped together.
    server.process_group(0);
    Process::start(server)
}

fn signal_group(process: &Process, name: &str) {
    let group = format!("-{}", process.0.id());
    // Some processes of the group may have ended.
    let _ = Command::new("kill").args(["-s", name, "--", &group]).status();
}

fn server(hosts: &Hosts, home: &Home, number: usize) -> Process {
    let nats = format!("nats://{}:{NATS}", Hosts::hub(number));
    let mut words =
        vec!["serve", "--json", "--listen", "127.0.0.1:0", "--allow-weak-sandbox", "--workers", "0"];
    words.extend(["--idle-every", "3600", "--cluster", &nats]);
    Process::start(hosts.on(&number.to_string(), &home.agon(&words)))
}

fn worker(hosts: &Hosts, folder: &Path, number: usize) -> Process {
    let host = SERVERS + number;
    let url = format!("nats://{}:{NATS}", Hosts::hub(host));
    // The clocks of test machines are noisy.
    hosts.worker(folder, host, &url, &["--timed", "always"])
}

impl Machines<'_> {
    /// Does harm; returns how it is undone.
    fn harm(&mut self, chance: &mut Chance) -> Repair {
        let (number, host) = (chance.below(WORKERS), chance.below(SERVERS + WORKERS));
        let (name, repair): (&'static str, Repair) = match chance.below(14) {
            0 => {
                self.workers[number].kill();
                self.workers[number] = worker(self.hosts, self.folder, number);
                ("a worker is killed", Repair::Nothing)
            }
            1 => {
                self.workers[number].signal("STOP");
                ("a worker is stopped", Repair::Worker(number))
            }
            2 | 3 => {
                self.hosts.plug(host, false);
                ("a host is disconnected", Repair::Cable(host))
            }
            4 | 5 => {
                let number = number % SERVERS;
                self.servers[number].kill();
                self.servers[number] = server(self.hosts, &self.homes[number], number);
                ("a server is killed", Repair::Nothing)
            }
            6 | 7 => {
                self.servers[number % SERVERS].signal("STOP");
                ("a server is stopped", Repair::Server(number % SERVERS))
            }
            8 => {
                signal_group(&self.postgres, "KILL");
                self.postgres.kill();
                self.postgres = postgres(self.hosts, self.files);
                ("PostgreSQL is killed", Repair::Nothing)
            }
            9 => {
                signal_group(&self.postgres, "STOP");
                ("PostgreSQL is stopped", Repair::Postgres)
            }
            10 => {
                self.to_database.swallow(true);
                ("PostgreSQL is disconnected", Repair::Database)
            }
            11 => {
                self.nats.kill();
                self.nats = self.hosts.nats(self.folder);
                ("NATS is killed", Repair::Nothing)
            }
            12 => {
                self.nats.signal("STOP");
                ("NATS is stopped", Repair::Nats)
            }
            _ => {
                self.nats.kill();
                // It may have no data yet.
                let _ = std::fs::remove_dir_all(self.folder.join("nats"));
                self.nats = self.hosts.nats(self.folder);
                ("NATS loses its data", Repair::Nothing)
            }
        };
        *self.harms.entry(name).or_default() += 1;
        repair
    }

    fn repair(&mut self, repair: &Repair) {
        match *repair {
            Repair::Nothing => {}
            Repair::Worker(number) => self.workers[number].signal("CONT"),
            Repair::Server(number) => self.servers[number].signal("CONT"),
            Repair::Cable(host) => self.hosts.plug(host, true),
            Repair::Postgres => signal_group(&self.postgres, "CONT"),
            Repair::Database => self.to_database.swallow(false),
            Repair::Nats => self.nats.signal("CONT"),
        }
    }

    /// Lets faults happen while matches are played, spread over them.
    async fn suffer(&mut self, store: &Store, (matches, faults): (u64, u64), chance: &mut Chance) {
        for fault in 0..faults {
            let moment = ((matches - 1) * (fault + 1) / (faults + 1)) as i64;
            let (mut before, mut since) = (0, Instant::now());
            while before < moment && since.elapsed() < STALL {
                tokio::time::sleep(Duration::from_millis(50)).await;
                self.keep_running();
                let now = results(store).await.unwrap_or(before);
                if now > before {
                    (before, since) = (now, Instant::now());
                }
            }
            let mut repairs = vec![self.harm(chance)];
            // Now and then two things happen at once.
            if chance.below(4) == 0 {
                repairs.push(self.harm(chance));
            }
            tokio::time::sleep(Duration::from_millis(chance.below(LONGEST_HARM_MS) as u64)).await;
            for repair in &repairs {
                self.repair(repair);
            }
        }
    }

    /// Starts programs again that ended by themselves, as an operating system does with services.
    fn keep_running(&mut self) {
        if self.started.elapsed() < START_AGAIN {
            return;
        }
        self.started = Instant::now();
        for number in 0..SERVERS {
            if !self.servers[number].is_running() {
                self.servers[number] = server(self.hosts, &self.homes[number], number);
            }
        }
        for number in 0..WORKERS {
            if !self.workers[number].is_running() {
                self.workers[number] = worker(self.hosts, self.folder, number);
            }
        }
        if !self.postgres.is_running() {
            self.postgres = postgres(self.hosts, self.files);
        }
    }
}

/// How harm is undone.
enum Repair {
    Nothing,
    Worker(usize),
    Server(usize),
    Cable(usize),
    Postgres,
    Database,
    Nats,
}

/// A contest of one league with two built-in bots that play fast, and its queue.
async fn prepare(store: &Store, matches: u64) -> Vec<MatchId> {
    let contest = create_contest(store, 1).await;
    let ladder = store.ensure_ladder(contest.id, GAME, Tier::FIRST, 2, LadderKind::Ladder).await.unwrap();
    let mut versions: Vec<VersionId> = Vec::new();
    for name in ["boss-1", "boss-2"] {
        let title = model::title_of(GAME, name);
        let bot = store.ensure_built_in_bot(contest.id, GAME, name, title, Tier::FIRST, 1).await.unwrap();
        versions.push(bot.active_version.unwrap());
    }
    let new: Vec<NewMatch> = (0..matches)
        .map(|number| {
            let mut seats = versions.clone();
            seats.rotate_left(number as usize % 2);
            NewMatch { ladder_id: ladder.id, seed: number as i64, seats, priority: 1_000_000, round: 0 }
        })
        .collect();
    store.enqueue_all(&new, 1).await.unwrap()
}

/// The number of results; `None` while the database does not answer.
async fn results(store: &Store) -> Option<i64> {
    let counts = tokio::time::timeout(Duration::from_secs(2), store.counts()).await;
    counts.ok()?.ok().map(|counts| counts.matches)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_arena_survives_faults_of_all_machines() {
    let program = std::env::var_os("AGON_TEST_NATS");
    if !require("nats-server (its path in AGON_TEST_NATS)", program.is_some())
        || !require("PostgreSQL", PostgresFiles::is_installed())
    {
        return;
    }
    let hosts = Hosts::connect("arena", SERVERS + WORKERS);
    if !require("the right to make network namespaces", hosts.is_some()) {
        return;
    }
    let (hosts, scratch) = (hosts.unwrap(), scratch());
    let matches = number("AGON_TORTURE_MATCHES").unwrap_or(300);
    let faults = number("AGON_TORTURE_KILLS").unwrap_or(10);
    let mut chance = Chance::new();
    println!("{matches} matches, {faults} faults, AGON_TORTURE_SEED={}", chance.0);

    let files = PostgresFiles::make().unwrap();
    let database = postgres(&hosts, &files);
    let socket = files.folder().display().to_string();
    testing::until("PostgreSQL answers", || {
        let mut ask = files.client("pg_isready");
        ask.args(["--quiet", "--host", &socket, "--port", "5432"]);
        ask.status().is_ok_and(|status| status.success()).then_some(())
    });
    // The socket is in the file system, which all hosts share.
    let here = format!("postgres://postgres:{}@localhost/postgres?host={socket}&port=5432", files.password());
    let records: PathBuf = scratch.path().join("records");
    let home_of = |url: String| {
        let mut home = Home::sqlite();
        home.url = url;
        home.variables.push(("AGON_RECORDS", records.clone()));
        home
    };
    let there = |host| {
        let (password, hub) = (files.password(), Hosts::hub(host));
        format!("postgres://postgres:{password}@{hub}:{DATABASE}/postgres")
    };
    let homes: Vec<Home> = (0..SERVERS).map(|host| home_of(there(host))).collect();
    let store = Store::open_with_records(&here, &records, 1).await.unwrap();
    let queued = prepare(&store, matches).await;
    let nats = hosts.nats(scratch.path());
    let to_nats = Proxy::start(hosts.network("hub"), NATS, 4222, chance.0);
    let to_database = Proxy::start(hosts.network("hub"), DATABASE, 5432, chance.0 ^ 0xabcd);
    let mut machines = Machines {
        hosts: &hosts,
        folder: scratch.path(),
        files: &files,
        homes: &homes,
        postgres: database,
        nats,
        servers: (0..SERVERS).map(|number| server(&hosts, &homes[number], number)).collect(),
        started: Instant::now(),
        workers: (0..WORKERS).map(|number| worker(&hosts, scratch.path(), number)).collect(),
        to_nats,
        to_database,
        harms: BTreeMap::new(),
    };
    let begun = Instant::now();
    while results(&store).await.unwrap_or(0) == 0 {
        assert!(begun.elapsed() < testing::PATIENCE, "no match was played");
        machines.keep_running();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    machines.to_nats.set_bad(true);
    machines.to_database.set_bad(true);
    machines.suffer(&store, (matches, faults), &mut chance).await;
    machines.to_nats.set_bad(false);
    machines.to_database.set_bad(false);
    let begun = Instant::now();
    let patience = testing::PATIENCE * 2 + Duration::from_secs(matches / 5);
    loop {
        machines.keep_running();
        let left = unfinished(&store, &queued).await;
        if left == Some(0) {
            break;
        }
        assert!(begun.elapsed() < patience, "{left:?} of {matches} matches have no result");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    println!("all results are there after {} s; {:?}", begun.elapsed().as_secs(), machines.harms);
    for server in &mut machines.servers {
        server.signal("TERM");
    }
    for server in &mut machines.servers {
        testing::until("the server stops", || (!server.is_running()).then_some(()));
    }
    check(&store, &queued).await;
    store.close().await;
    let home = home_of(here);
    let checked = home.admin(&["check", "--replay", "--json"]);
    let told: Value = serde_json::from_slice(&checked.stdout).unwrap();
    assert!(checked.status.success(), "{told} {}", String::from_utf8_lossy(&checked.stderr));
    assert_eq!(told["ratings"]["different"], 0, "{told}");
    assert!(told["replayed"]["games"].as_u64().unwrap() >= matches, "{told}");
    println!("{told}");
}

/// The number of matches without a result; `None` while the database does not answer.
async fn unfinished(store: &Store, queued: &[MatchId]) -> Option<usize> {
    let length = tokio::time::timeout(Duration::from_secs(2), store.queue_length()).await.ok()?.ok()?;
    if length.queued + length.leased > 0 {
        return Some((length.queued + length.leased) as usize);
    }
    let mut left = 0;
    for &id in queued {
        let row = store.match_row(id).await.ok()??;
        assert_ne!(row.state, MatchState::Void, "{row:?}");
        left += usize::from(row.state != MatchState::Done);
    }
    Some(left)
}

/// Every match has one result with its own number, and no bot failed.
async fn check(store: &Store, queued: &[MatchId]) {
    let mut numbers = BTreeSet::new();
    for &id in queued {
        let row = store.match_row(id).await.unwrap().unwrap();
        assert_eq!(row.state, MatchState::Done, "{row:?}");
        assert!(row.seats.iter().all(|seat| seat.rank.is_some() && seat.cause.is_none()), "{row:?}");
        assert!(numbers.insert(row.seq.unwrap()), "two results have one number: {row:?}");
    }
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.voids, counts.paused), (0, 0));
    let contest = store.contest_by_key("arena").await.unwrap().unwrap();
    let (mut all, mut after) = (0, 0);
    loop {
        let rows = store.matches_of_contest(contest.id, after, 1000).await.unwrap();
        let Some(last) = rows.last() else { break };
        after = last.seq.unwrap();
        all += rows.len() as i64;
    }
    assert_eq!(all, counts.matches, "results are numbered without a gap");
}
