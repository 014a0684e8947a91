//! Simulated workers for `cargo xtask scale`: they speak the protocol of the cluster with a real arena, but compute their
//! matches in memory with random play, so that one machine holds a thousand of them.
//!
//! ```text
//! scale_load fill DATA --bots 1000
//! scale_load play NATS ADDRESS DATA [--workers 10] [--match-ms 1000] [--failures 10] [--voids 1] [--warm-up 5] [--seconds 20]
//!     [--cpu NAME=PID]...
//! ```
//!
//! `fill` fills the empty database in `AGON_DATABASE` with bots in the leagues of all games. `play` runs workers of one core,
//! each of which takes `--match-ms` for a match; per thousand matches, one seat fails by a timeout in `--failures` of them and
//! `--voids` of them are void. Meanwhile clients ask the arena at ADDRESS for pages. It prints one line of JSON.

#![allow(clippy::print_stdout, reason = "it is a program")]

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use catalog::record::{Header, Played, RulesField, Turn, VERSION};
use cluster::{Address, Cluster, Feed, MatchOutcome, MatchReport, Matches, Role, WorkerInfo};
use flate2::Compression;
use flate2::write::GzEncoder;
use game::{Dice, Selection};
use model::{Leagues, Settings};
use referee::Cause;
use serde_json::{Value, json};
use store::Store;
use store::fill::{self, Plan, World, WorldGame, WorldLeague};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Clients that ask for pages, and their pause after each answer.
const CLIENTS: usize = 4;
const PAUSE: Duration = Duration::from_millis(100);
/// Workers connect in groups of this number.
const GROUP: usize = 50;
/// The longest wait for the first result.
const PATIENCE: Duration = Duration::from_mins(3);
/// The clock ticks of a second in `/proc`.
const TICKS: f64 = 100.0;

type Done<T> = Result<T, String>;

fn said(error: impl Display) -> String {
    error.to_string()
}

fn main() -> Done<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(said)?;
    let words: Vec<String> = std::env::args().skip(1).collect();
    let flags = Flags(words.clone());
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["fill", data, ..] => runtime.block_on(fill_database(data, flags.number("--bots", 1000)?)),
        ["play", nats, address, data, ..] => runtime.block_on(play(nats, address, data, &flags)),
        _ => Err("say `fill DATA` or `play NATS ADDRESS DATA`".to_owned()),
    }
}

struct Flags(Vec<String>);

impl Flags {
    fn number(&self, name: &str, usual: u64) -> Done<u64> {
        let Some(place) = self.0.iter().position(|word| word == name) else { return Ok(usual) };
        let number = self.0.get(place + 1).and_then(|word| word.parse().ok());
        number.ok_or_else(|| format!("{name} needs a number"))
    }

    /// The processes of `--cpu NAME=PID`.
    fn processes(&self) -> Vec<(String, u32)> {
        let values = self.0.windows(2).filter(|pair| pair[0] == "--cpu");
        let of = |pair: &[String]| {
            let (name, process) = pair[1].split_once('=')?;
            Some((name.to_owned(), process.parse().ok()?))
        };
        values.filter_map(of).collect()
    }
}

async fn open(data: &str) -> Done<Store> {
    let url = std::env::var("AGON_DATABASE").map_err(|_| "AGON_DATABASE is missing")?;
    Store::open(&url, Path::new(data), 1).await.map_err(said)
}

/// Fills the database with bots on the ladders of all games.
async fn fill_database(data: &str, bots: u64) -> Done<()> {
    let store = open(data).await?;
    let game = |of_game: &model::GameLeagues| WorldGame {
        name: of_game.game.clone(),
        leagues: of_game
            .tiers()
            .filter(|(_, league)| league.has_ladders())
            .map(|(tier, league)| WorldLeague {
                tier,
                players: league.players.iter().map(|&players| i64::from(players)).collect(),
                built_in: league.built_in().map(str::to_owned).collect(),
                share: 1,
            })
            .collect(),
    };
    let world = World {
        settings: json!(Settings::default()).to_string(),
        games: Leagues::usual().0.iter().map(game).collect(),
    };
    let plan = Plan { bots: bots as i64, matches: 0, seed: 1 };
    fill::generate_in(&store, &plan, &world, &|_, _| ()).await.map_err(said)?;
    store.close().await;
    Ok(())
}

/// The speed and the failures of the workers.
#[derive(Clone, Copy)]
struct Manner {
    match_time: Duration,
    /// Per thousand.
    failures: u32,
    voids: u32,
}

async fn play(nats: &str, address: &str, data: &str, flags: &Flags) -> Done<()> {
    let (workers, seconds) = (flags.number("--workers", 10)?, flags.number("--seconds", 20)?);
    let manner = Manner {
        match_time: Duration::from_millis(flags.number("--match-ms", 1000)?),
        failures: flags.number("--failures", 10)? as u32,
        voids: flags.number("--voids", 1)? as u32,
    };
    let store = open(data).await?;
    let begun = Instant::now();
    let stops = Arc::new(AtomicBool::new(false));
    let sent = Arc::new(AtomicU64::new(0));
    let mut tasks = Vec::new();
    let numbers: Vec<u64> = (0..workers).collect();
    for group in numbers.chunks(GROUP) {
        let opening: Vec<_> =
            group.iter().map(|&number| tokio::spawn(connect(nats.to_owned(), number))).collect();
        for (opened, &number) in opening.into_iter().zip(group) {
            let feed = Arc::new(opened.await.map_err(said)??);
            let (stops, sent) = (Arc::clone(&stops), Arc::clone(&sent));
            tasks.push(tokio::spawn(work(feed, manner, number, stops, sent)));
        }
    }
    let connected = begun.elapsed();
    let before = results(&store).await?;
    while results(&store).await? == before {
        if begun.elapsed() > PATIENCE {
            return Err("no result came".to_owned());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let first = begun.elapsed();
    tokio::time::sleep(Duration::from_secs(flags.number("--warm-up", 5)?)).await;

    let processes = flags.processes();
    let times: Arc<Mutex<Vec<Duration>>> = Arc::default();
    let failed = Arc::new(AtomicU64::new(0));
    let (from, cpu_before, since) = (results(&store).await?, cpu_of(&processes), Instant::now());
    let until = since + Duration::from_secs(seconds);
    let clients = (0..CLIENTS).map(|number| {
        let (address, times, failed) = (address.to_owned(), Arc::clone(&times), Arc::clone(&failed));
        tokio::spawn(ask(address, number, until, times, failed))
    });
    for client in clients.collect::<Vec<_>>() {
        client.await.map_err(said)?;
    }
    let took = since.elapsed().as_secs_f64();
    let recorded = results(&store).await? - from;
    let cpu_after = cpu_of(&processes);
    stops.store(true, Ordering::Relaxed);
    for task in &tasks {
        task.abort();
    }
    let mut times = times.lock().unwrap_or_else(PoisonError::into_inner).clone();
    times.sort_unstable();
    let part = |share: f64| {
        let place = (times.len().saturating_sub(1) as f64 * share).round() as usize;
        times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    };
    let cpu: BTreeMap<&String, f64> =
        cpu_after.iter().map(|(name, after)| (name, after - cpu_before.get(name).unwrap_or(&0.0))).collect();
    let voids = store.counts().await.map_err(said)?.voids;
    println!(
        "{}",
        json!({
            "recorded": recorded, "seconds": took, "rate": recorded as f64 / took, "sent": sent.load(Ordering::Relaxed),
            "requests": times.len(), "failed": failed.load(Ordering::Relaxed), "p50_ms": part(0.5), "p99_ms": part(0.99),
            "connected_s": connected.as_secs_f64(), "first_s": first.as_secs_f64(), "cpu": cpu, "voids": voids,
        })
    );
    Ok(())
}

/// The number of results in the log.
async fn results(store: &Store) -> Done<i64> {
    Ok(store.counts().await.map_err(said)?.matches)
}

/// Connects a worker, as soon as the arena has made its queues.
async fn connect(nats: String, number: u64) -> Done<Feed> {
    let name = format!("worker-{number:04}");
    let info = WorkerInfo { host: "simulated".to_owned(), speed: 1, ..WorkerInfo::new(&name) };
    let begun = Instant::now();
    loop {
        let opened = async {
            let cluster =
                Cluster::connect(&Address { url: nats.clone(), ..Address::default() }, Role::Worker(&name))
                    .await?;
            Feed::open(cluster, info.clone(), 1).await
        };
        match opened.await {
            Ok(feed) => return Ok(feed),
            Err(error) if begun.elapsed() > PATIENCE => return Err(said(error)),
            Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
}

/// Plays until it is told to stop.
async fn work(
    feed: Arc<Feed>,
    manner: Manner,
    number: u64,
    stops: Arc<AtomicBool>,
    sent: Arc<AtomicU64>,
) -> Done<()> {
    let mut dice = Dice::new(number + 1);
    while !stops.load(Ordering::Relaxed) {
        let Some(item) = feed.next().await else { break };
        let begun = Instant::now();
        let is_own = item.work.not_by.as_deref() == Some(&feed.name());
        if is_own {
            feed.failed(item, "another worker has to play it");
            continue;
        }
        let Some(work) = item.work.matches() else {
            feed.failed(item, "a simulated worker does not build");
            continue;
        };
        let mut reports = Vec::with_capacity(work.matches.len());
        for each in &work.matches {
            let outcome = if dice.below(1000) < manner.voids {
                MatchOutcome::void("a simulated failure of the host")
            } else {
                let fails = dice.below(1000) < manner.failures;
                MatchOutcome::Over {
                    line: json!({}),
                    record: Some(record(work, each.seed, fails, &mut dice)?),
                }
            };
            reports.push(MatchReport { index: each.index, outcome });
        }
        // Workers that begin together do not stay together.
        let share = 0.5 + f64::from(dice.below(1000)) / 1000.0;
        tokio::time::sleep(manner.match_time.mul_f64(share).saturating_sub(begun.elapsed())).await;
        feed.done(item, reports, begun.elapsed());
        sent.fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}

/// A compressed record of random play. If it `fails`, a seat does not answer after some turns.
fn record(work: &Matches, seed: i64, fails: bool, dice: &mut Dice) -> Done<cluster::Packed> {
    let game = catalog::find(&work.game).map_err(said)?;
    let asked = Selection {
        league: Some(work.league),
        edition: Some(work.edition.clone()),
        players: Some(work.players),
    };
    let selected = game.select(&asked).map_err(said)?;
    let mut play = game.start(selected, seed);
    let mut causes: Vec<Option<Cause>> = vec![None; usize::from(work.players)];
    let mut fails_at = fails.then(|| 1 + dice.below(20) as usize);
    let mut turns = Vec::new();
    while let Some(seat) = play.awaited().into_iter().next() {
        let is_late = fails_at.is_some_and(|turn| turns.len() >= turn);
        let line = (!is_late).then(|| play.random_answer(seat, dice));
        if is_late {
            fails_at = None;
            causes[seat.index()] = Some(Cause::Timeout { used_ms: 60, limit_ms: 50, partial: None });
        }
        play.answer(seat, line.as_deref()).map_err(said)?;
        turns.push(Turn { wall_us: Some(100), cpu_us: Some(90), ..Turn::new(seat.0, line) });
    }
    let (Value::Object(rules), Value::Object(end)) = (play.rules(), play.end()) else {
        return Err("rules and end are objects".to_owned());
    };
    let header = Header {
        agon: Some(VERSION),
        game: work.game.clone(),
        seed,
        league: None,
        rules: Some(RulesField::Full(rules)),
        players: None,
        options: None,
    };
    let outcome = play.outcome();
    let names: Vec<Option<&str>> = causes.iter().map(|cause| cause.as_ref().map(Cause::name)).collect();
    let mut played = Played::new(header, turns, end);
    played.outcome = Some(json!({
        "scores": outcome.scores, "ranks": outcome.ranks, "reason": outcome.reason, "causes": names, "details": causes,
    }));
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    serde_json::to_writer(&mut packed, &played).map_err(said)?;
    Ok(Feed::pack(&packed.finish().map_err(said)?))
}

/// Asks for one page after the other until a time.
async fn ask(
    address: String,
    number: usize,
    until: Instant,
    times: Arc<Mutex<Vec<Duration>>>,
    failed: Arc<AtomicU64>,
) {
    let host = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let games: Vec<&str> = catalog::games().map(|game| game.info().name).collect();
    let pages: Vec<String> = games
        .iter()
        .flat_map(|game| {
            [
                "/api/v1/site".to_owned(),
                "/api/v1/matches?limit=10".to_owned(),
                format!("/api/v1/boards/arena/{game}"),
                format!("/api/v1/matches?contest=arena&game={game}&limit=10"),
            ]
        })
        .collect();
    let mut turn = number;
    while Instant::now() < until {
        let page = &pages[turn % pages.len()];
        turn += 1;
        let begun = Instant::now();
        match get(&host, page).await {
            Ok(answer) if answer.starts_with("HTTP/1.1 200") => {
                times.lock().unwrap_or_else(PoisonError::into_inner).push(begun.elapsed());
            }
            _ => drop(failed.fetch_add(1, Ordering::Relaxed)),
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn get(host: &str, path: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(host).await?;
    let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// The CPU seconds that these processes and their children have used, and those of this process.
fn cpu_of(processes: &[(String, u32)]) -> BTreeMap<String, f64> {
    let mut all: Vec<(u32, u32, f64)> = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let text = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name is in parentheses and may contain any character.
        let fields: Vec<&str> = text.rsplit_once(") ").map_or("", |(_, rest)| rest).split(' ').collect();
        let number = |place: usize| fields.get(place).and_then(|field| field.parse::<f64>().ok());
        let (Some(parent), Some(user), Some(system)) = (number(1), number(11), number(12)) else { continue };
        all.push((process, parent as u32, (user + system) / TICKS));
    }
    let own = [("workers".to_owned(), std::process::id())];
    let sum = |of: u32| {
        let used = |(process, parent, used): &(u32, u32, f64)| {
            if *process == of || *parent == of { *used } else { 0.0 }
        };
        all.iter().map(used).sum()
    };
    processes.iter().chain(&own).map(|(name, process)| (name.clone(), sum(*process))).collect()
}
