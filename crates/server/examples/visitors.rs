//! A load test for a running arena: simulated visitors who open pages, and viewers who watch live matches. It measures
//! response times.
//!
//! ```text
//! visitors ADDRESS [--visitors 300] [--viewers 20] [--seconds 60] [--pause-ms 2000] [--pid PID] [--figures FILE]
//!     [--most-growth PERCENT]
//! ```
//!
//! A visitor opens a page (the document and the data it requests, over one persistent connection), pauses, and opens the
//! next page. A viewer follows the events of the site and the list of live matches. At the end the program counts the
//! failures of bots in the matches that were played meanwhile: a built-in bot that fails was slowed down by the load.
//!
//! With the process id of the server it prints the memory and the open descriptors of the server at least once a minute,
//! and writes them to a file of comma-separated values. With `--most-growth` it fails if one of them is larger in the last
//! third of the time than in the second third, by more than this percentage.

// The program prints its results.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// A request that takes longer has failed.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// The kind of all requests of visitors together.
const REQUEST: &str = "(each request)";

fn main() -> Result<(), String> {
    let load = LoadTest::from_arguments()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| error.to_string())?.block_on(load.run())
}

struct LoadTest {
    address: String,
    visitors: u64,
    viewers: u64,
    seconds: u64,
    pause: Duration,
    pid: Option<u32>,
    figures: Option<String>,
    most_growth: Option<f64>,
}

impl LoadTest {
    fn from_arguments() -> Result<LoadTest, String> {
        let mut words = std::env::args().skip(1);
        let address = words.next().ok_or("the address of the arena is missing: HOST:PORT")?;
        let address = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let mut load = LoadTest {
            address,
            visitors: 300,
            viewers: 20,
            seconds: 60,
            pause: Duration::from_secs(2),
            pid: None,
            figures: None,
            most_growth: None,
        };
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("{word} takes a value"))?;
            if word == "--figures" {
                load.figures = Some(value);
                continue;
            }
            let number = value.parse::<u64>().map_err(|_| format!("{word} takes a number"))?;
            match word.as_str() {
                "--visitors" => load.visitors = number,
                "--viewers" => load.viewers = number,
                "--seconds" => load.seconds = number,
                "--pause-ms" => load.pause = Duration::from_millis(number),
                "--pid" => load.pid = u32::try_from(number).ok(),
                "--most-growth" => load.most_growth = Some(number as f64),
                _ => return Err(format!("unknown option {word}")),
            }
        }
        Ok(load)
    }

    /// Starts all visitors and viewers, waits until the time is over, and prints the measurements.
    async fn run(self) -> Result<(), String> {
        let address: Arc<str> = self.address.into();
        let before = newest_match(&address).await?;
        let measured = Arc::new(Measurements::default());
        let end = Instant::now() + Duration::from_secs(self.seconds);
        let mut tasks = Vec::new();
        for number in 0..self.visitors {
            let (address, measured, pause) = (Arc::clone(&address), Arc::clone(&measured), self.pause);
            tasks.push(tokio::spawn(async move { visit(&address, &measured, number, pause, end).await }));
        }
        for number in 0..self.viewers {
            let (address, measured) = (Arc::clone(&address), Arc::clone(&measured));
            tasks.push(tokio::spawn(async move { watch(&address, &measured, number, end).await }));
        }
        let samples = match self.pid {
            Some(pid) => sample(pid, &measured, self.seconds, self.figures.as_deref()).await?,
            None => Vec::new(),
        };
        for task in tasks {
            task.await.map_err(|error| error.to_string())?;
        }
        measured.print();
        print_matches(&address, before).await?;
        let memory = growth("memory of the server, MiB", samples.iter().map(|sample| sample.memory_mib));
        let descriptors =
            growth("open descriptors of the server", samples.iter().map(|sample| sample.descriptors));
        match (memory.max(descriptors), self.most_growth) {
            (growth, Some(most)) if growth > most => {
                Err(format!("a growth of {growth:.0} %, more than {most} %"))
            }
            _ => Ok(()),
        }
    }
}

/// The state of the server at a moment.
struct Sample {
    memory_mib: u64,
    descriptors: u64,
}

/// Prints the state of the server and writes it to a file, now and then until the time is over.
async fn sample(
    pid: u32,
    measured: &Measurements,
    seconds: u64,
    figures: Option<&str>,
) -> Result<Vec<Sample>, String> {
    let mut file = match figures {
        Some(path) => Some(std::fs::File::create(path).map_err(|error| format!("{path}: {error}"))?),
        None => None,
    };
    let mut write = |line: &str| match &mut file {
        Some(file) => writeln!(file, "{line}").map_err(|error| error.to_string()),
        None => Ok(()),
    };
    write("seconds,memory_mib,descriptors,requests,failures")?;
    let begun = Instant::now();
    let step = Duration::from_secs(seconds.div_ceil(10).clamp(1, 60));
    let mut samples = Vec::new();
    loop {
        let (Some(memory), Some(descriptors)) = (resident_kib(pid), open_descriptors(pid)) else {
            return Err("the server has ended".to_owned());
        };
        let sample = Sample { memory_mib: memory / 1024, descriptors };
        let (time, (requests, failures)) = (begun.elapsed().as_secs(), measured.counts());
        println!(
            "{time:5} s: {} MiB, {} descriptors, {requests} requests, {failures} failed",
            sample.memory_mib, sample.descriptors
        );
        write(&format!("{time},{},{},{requests},{failures}", sample.memory_mib, sample.descriptors))?;
        samples.push(sample);
        let left = Duration::from_secs(seconds).saturating_sub(begun.elapsed());
        if left.is_zero() {
            return Ok(samples);
        }
        tokio::time::sleep(step.min(left)).await;
    }
}

/// Prints the range of a figure, and returns its growth in percent: the median of the last third of the samples against
/// that of the second third. The first third is the start.
fn growth(what: &str, figures: impl Iterator<Item = u64>) -> f64 {
    let figures: Vec<u64> = figures.collect();
    let (second, last) = (figures.len() / 3, figures.len() * 2 / 3);
    if second == last {
        return 0.0;
    }
    let median = |part: &[u64]| {
        let mut part = part.to_vec();
        part.sort_unstable();
        part[part.len() / 2] as f64
    };
    let growth = 100.0 * (median(&figures[last..]) / median(&figures[second..last]) - 1.0);
    let mut settled = figures[second..].to_vec();
    settled.sort_unstable();
    let (least, most) = (settled[0], settled[settled.len() - 1]);
    println!(
        "{what}: {} at the start, {least} to {most} after the first third; the last third against the second: {growth:+.1} %",
        figures[0]
    );
    growth
}

/// The measurements of all visitors and viewers.
#[derive(Default)]
struct Measurements {
    /// Response times in milliseconds, by kind of request or page.
    times: Mutex<BTreeMap<&'static str, Vec<f64>>>,
    /// Number of failed requests, by kind and reason.
    errors: Mutex<BTreeMap<String, u64>>,
    /// Number of events that viewers received.
    events: Mutex<u64>,
}

impl Measurements {
    fn add_time(&self, what: &'static str, time: Duration) {
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.entry(what).or_default().push(time.as_secs_f64() * 1000.0);
    }

    fn add_error(&self, what: &str, why: &str) {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        *errors.entry(format!("{what}: {why}")).or_default() += 1;
    }

    /// The number of answered requests and of failed ones.
    fn counts(&self) -> (usize, u64) {
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        (times.get(REQUEST).map_or(0, Vec::len), errors.values().sum())
    }

    fn print(&self) {
        println!("\n| kind | count | p50 ms | p90 ms | p99 ms | max ms |");
        println!("|---|---|---|---|---|---|");
        let mut all = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        for (what, times) in all.iter_mut() {
            times.sort_by(f64::total_cmp);
            let part = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
            println!(
                "| {what} | {} | {:.1} | {:.1} | {:.1} | {:.1} |",
                times.len(),
                part(0.5),
                part(0.9),
                part(0.99),
                part(1.0)
            );
        }
        println!(
            "events received by viewers: {}",
            self.events.lock().unwrap_or_else(PoisonError::into_inner)
        );
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        println!("failed requests: {}", errors.values().sum::<u64>());
        for (what, count) in errors.iter() {
            println!("  {count} x {what}");
        }
    }
}

/// A page by number: its name, and the paths that a browser requests for it.
fn page(number: u64) -> (&'static str, Vec<String>) {
    let games: Vec<&str> = catalog::games().map(|game| game.info().name).collect();
    let game = games[number as usize / 7 % games.len()];
    let api = |rest: &str| format!("/api/v1{rest}");
    match number % 7 {
        0 => (
            "home",
            vec!["/".into(), api("/site"), api("/me"), api("/matches/live"), api("/matches?limit=10")],
        ),
        1 => (
            "game",
            vec![
                format!("/games/{game}"),
                api("/site"),
                api("/me"),
                api(&format!("/games/{game}/statement?tier=0&lang=fr")),
                api(&format!("/matches?contest=arena&game={game}&limit=10")),
            ],
        ),
        2 | 3 => (
            "leaderboard",
            vec![
                format!("/games/{game}/leaderboard"),
                api("/site"),
                api("/me"),
                api(&format!("/boards/arena/{game}")),
            ],
        ),
        4 => (
            "matches",
            vec![
                format!("/games/{game}/matches"),
                api("/site"),
                api("/me"),
                api(&format!("/matches?contest=arena&game={game}&limit=50")),
            ],
        ),
        5 => (
            "match",
            vec!["/matches/LAST".into(), api("/me"), api("/matches/LAST"), api("/matches/LAST/replay")],
        ),
        _ => ("bot", vec!["/bots/FIRST".into(), api("/site"), api("/me"), api("/bots/FIRST")]),
    }
}

/// A visitor: opens random pages, with pauses between them.
async fn visit(address: &str, measured: &Measurements, number: u64, pause: Duration, end: Instant) {
    // The visitors do not all start at the same moment.
    tokio::time::sleep(pause.mul_f64((number % 100) as f64 / 100.0)).await;
    let mut turn = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
    let mut last = None;
    let mut connection: Option<Connection> = None;
    while Instant::now() < end {
        turn = turn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (what, paths) = page(turn >> 33);
        if last.is_none() {
            last = newest_match(address).await.ok().filter(|id| *id > 0);
        }
        let started = Instant::now();
        let mut complete = true;
        for path in paths {
            let path = path.replace("LAST", &last.unwrap_or(1).to_string()).replace("FIRST", "1");
            let sent = Instant::now();
            match get(&mut connection, address, &path).await {
                Ok(status) if status < 400 => measured.add_time(REQUEST, sent.elapsed()),
                Ok(status) => {
                    complete = false;
                    measured.add_error(what, &format!("status {status} for {path}"));
                }
                Err(error) => {
                    complete = false;
                    connection = None;
                    measured.add_error(what, &error);
                }
            }
        }
        if complete {
            measured.add_time(what, started.elapsed());
            measured.add_time("(each page)", started.elapsed());
        }
        let part = 0.5 + (turn >> 40) as f64 / (1_u64 << 24) as f64;
        tokio::time::sleep(pause.mul_f64(part)).await;
    }
}

/// A viewer: follows the events of the site, and requests the list of live matches twice a second.
async fn watch(address: &str, measured: &Measurements, number: u64, end: Instant) {
    let events = async {
        while Instant::now() < end {
            if let Err(why) = follow_events(address, measured, end).await {
                measured.add_error("events", &why);
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    };
    let replay = async {
        let mut connection = None;
        tokio::time::sleep(Duration::from_millis(50 * number)).await;
        while Instant::now() < end {
            let sent = Instant::now();
            match get(&mut connection, address, "/api/v1/matches/live").await {
                Ok(status) if status < 400 => measured.add_time("(live)", sent.elapsed()),
                Ok(status) => measured.add_error("live", &format!("status {status}")),
                Err(why) => {
                    connection = None;
                    measured.add_error("live", &why);
                }
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    };
    tokio::join!(events, replay);
}

async fn follow_events(address: &str, measured: &Measurements, end: Instant) -> Result<(), String> {
    let mut connection = Connection::open(address).await?;
    connection.send("/api/v1/events?topics=matches", address, "identity").await?;
    let (status, _) = connection.head().await?;
    if status != 200 {
        return Err(format!("status {status}"));
    }
    let mut text = String::new();
    while let Some(left) = end.checked_duration_since(Instant::now()) {
        text.clear();
        match tokio::time::timeout(left, connection.stream.read_line(&mut text)).await {
            Err(_) => return Ok(()),
            Ok(Ok(0)) => return Err("the server closed the connection".into()),
            Ok(Ok(_)) if text.starts_with("data:") => {
                *measured.events.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            }
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return Err(error.to_string()),
        }
    }
    Ok(())
}

/// A persistent HTTP connection.
struct Connection {
    stream: BufReader<TcpStream>,
}

impl Connection {
    async fn open(address: &str) -> Result<Connection, String> {
        let stream = TcpStream::connect(address).await.map_err(|error| error.to_string())?;
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        Ok(Connection { stream: BufReader::new(stream) })
    }

    async fn send(&mut self, path: &str, address: &str, encoding: &str) -> Result<(), String> {
        let text = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\naccept-encoding: {encoding}\r\n\r\n");
        self.stream.get_mut().write_all(text.as_bytes()).await.map_err(|error| error.to_string())
    }

    /// Reads the head of an answer: the status, and the length of the body (`None` if the body comes in chunks).
    async fn head(&mut self) -> Result<(u16, Option<usize>), String> {
        let (mut status, mut length) = (0, Some(0));
        loop {
            let mut text = String::new();
            let read = self.stream.read_line(&mut text).await.map_err(|error| error.to_string())?;
            let text = text.trim_end().to_ascii_lowercase();
            if read == 0 {
                return Err("the server closed the connection".into());
            }
            if text.is_empty() {
                return Ok((status, length));
            }
            if let Some(rest) = text.strip_prefix("http/1.1 ") {
                status = rest.get(..3).and_then(|code| code.parse().ok()).ok_or("no status")?;
            } else if let Some(rest) = text.strip_prefix("content-length:") {
                length = rest.trim().parse().ok();
            } else if text == "transfer-encoding: chunked" {
                length = None;
            }
        }
    }

    async fn body(&mut self, length: Option<usize>) -> Result<Vec<u8>, String> {
        let mut body = Vec::new();
        if let Some(length) = length {
            body.resize(length, 0);
            self.stream.read_exact(&mut body).await.map_err(|error| error.to_string())?;
            return Ok(body);
        }
        loop {
            let mut text = String::new();
            self.stream.read_line(&mut text).await.map_err(|error| error.to_string())?;
            let size = usize::from_str_radix(text.trim(), 16).map_err(|_| "a broken chunk")?;
            let from = body.len();
            body.resize(from + size, 0);
            self.stream.read_exact(&mut body[from..]).await.map_err(|error| error.to_string())?;
            self.stream.read_line(&mut text).await.map_err(|error| error.to_string())?;
            if size == 0 {
                return Ok(body);
            }
        }
    }
}

/// Sends a request over a persistent connection, which is opened if necessary.
async fn get(connection: &mut Option<Connection>, address: &str, path: &str) -> Result<u16, String> {
    // The server may have closed an idle connection: then the request is repeated once over a new one, as browsers do.
    let fresh = connection.is_none();
    match get_once(connection, address, path).await {
        Err(_) if !fresh => {
            *connection = None;
            get_once(connection, address, path).await
        }
        other => other,
    }
}

async fn get_once(connection: &mut Option<Connection>, address: &str, path: &str) -> Result<u16, String> {
    let answer = tokio::time::timeout(REQUEST_TIMEOUT, ask(connection, address, path)).await;
    answer.unwrap_or_else(|_| Err("no answer".to_owned()))
}

async fn ask(connection: &mut Option<Connection>, address: &str, path: &str) -> Result<u16, String> {
    if connection.is_none() {
        *connection = Some(Connection::open(address).await?);
    }
    let Some(open) = connection.as_mut() else { return Err("no connection".into()) };
    open.send(path, address, "gzip").await?;
    let (status, length) = open.head().await?;
    open.body(length).await?;
    Ok(status)
}

async fn read_json(address: &str, path: &str) -> Result<Value, String> {
    let answer = tokio::time::timeout(REQUEST_TIMEOUT, ask_json(address, path)).await;
    answer.unwrap_or_else(|_| Err(format!("{path}: no answer")))
}

async fn ask_json(address: &str, path: &str) -> Result<Value, String> {
    let mut connection = Connection::open(address).await?;
    connection.send(path, address, "identity").await?;
    let (status, length) = connection.head().await?;
    let body = connection.body(length).await?;
    if status != 200 {
        return Err(format!("{path}: status {status}: {}", String::from_utf8_lossy(&body)));
    }
    serde_json::from_slice(&body).map_err(|error| format!("{path}: {error}"))
}

async fn newest_match(address: &str) -> Result<i64, String> {
    let page = read_json(address, "/api/v1/matches?limit=1").await?;
    Ok(page["matches"][0]["id"].as_i64().unwrap_or(0))
}

/// Prints the number of matches that were played meanwhile, and the failures of bots in them.
async fn print_matches(address: &str, since: i64) -> Result<(), String> {
    let (mut played, mut failures, mut before) = (0, BTreeMap::<String, u64>::new(), None);
    'pages: loop {
        let from = before.map_or_else(String::new, |id: i64| format!("&before={id}"));
        let page = read_json(address, &format!("/api/v1/matches?limit=100{from}")).await?;
        for found in page["matches"].as_array().into_iter().flatten() {
            if found["id"].as_i64().unwrap_or(0) <= since {
                break 'pages;
            }
            played += u64::from(found["state"] == "done");
            for seat in found["seats"].as_array().into_iter().flatten() {
                if let Some(cause) = seat["cause"].as_str() {
                    *failures.entry(cause.to_owned()).or_default() += 1;
                }
            }
        }
        before = page["next"].as_i64();
        if before.is_none() {
            break;
        }
    }
    println!("matches played meanwhile: {played}; failures of bots in them: {failures:?}");
    Ok(())
}

fn open_descriptors(pid: u32) -> Option<u64> {
    Some(std::fs::read_dir(format!("/proc/{pid}/fd")).ok()?.count() as u64)
}

/// The memory of a process, in KiB.
fn resident_kib(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
