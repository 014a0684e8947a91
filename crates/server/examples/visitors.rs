//! A crowd in front of a running arena: people who read pages, and people who watch live. It measures what they feel.
//!
//! ```text
//! visitors ADDRESS [--visitors 300] [--viewers 20] [--seconds 60] [--pause-ms 2000] [--pid PID]
//! ```
//!
//! A visitor opens a page, which is its document and what the document asks for over one kept connection, reads for a moment, and
//! opens the next. A viewer follows the events of the site and the match that is being played. Matches that end meanwhile are
//! looked through for failures: a built-in bot never fails by itself.

// An example talks to the terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// One request may take this long before it counts as failed.
const PATIENCE: Duration = Duration::from_secs(30);
const GAMES: [&str; 3] = ["ocean-of-code", "hypersonic", "back-track"];

fn main() -> Result<(), String> {
    let crowd = Crowd::from_arguments()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| error.to_string())?.block_on(crowd.come())
}

struct Crowd {
    address: String,
    visitors: u64,
    viewers: u64,
    seconds: u64,
    pause: Duration,
    pid: Option<u32>,
}

impl Crowd {
    fn from_arguments() -> Result<Crowd, String> {
        let mut words = std::env::args().skip(1);
        let address = words.next().ok_or("say where the arena is: HOST:PORT")?;
        let address = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let mut crowd = Crowd {
            address,
            visitors: 300,
            viewers: 20,
            seconds: 60,
            pause: Duration::from_secs(2),
            pid: None,
        };
        while let Some(word) = words.next() {
            let number = words.next().and_then(|number| number.parse::<u64>().ok());
            let number = number.ok_or_else(|| format!("{word} takes a number"))?;
            match word.as_str() {
                "--visitors" => crowd.visitors = number,
                "--viewers" => crowd.viewers = number,
                "--seconds" => crowd.seconds = number,
                "--pause-ms" => crowd.pause = Duration::from_millis(number),
                "--pid" => crowd.pid = u32::try_from(number).ok(),
                _ => return Err(format!("there is no {word}")),
            }
        }
        Ok(crowd)
    }

    /// The crowd comes, stays, and goes; then it is told what it felt.
    async fn come(self) -> Result<(), String> {
        let address: Arc<str> = self.address.into();
        let before = newest_match(&address).await?;
        let felt = Arc::new(Felt::default());
        let end = Instant::now() + Duration::from_secs(self.seconds);
        let mut tasks = Vec::new();
        for number in 0..self.visitors {
            let (address, felt, pause) = (Arc::clone(&address), Arc::clone(&felt), self.pause);
            tasks.push(tokio::spawn(async move { visit(&address, &felt, number, pause, end).await }));
        }
        for number in 0..self.viewers {
            let (address, felt) = (Arc::clone(&address), Arc::clone(&felt));
            tasks.push(tokio::spawn(async move { watch(&address, &felt, number, end).await }));
        }
        let mut memory = Vec::new();
        let step = Duration::from_secs(self.seconds.div_ceil(10).max(1));
        while Instant::now() < end {
            memory.extend(self.pid.and_then(resident_kib));
            tokio::time::sleep(step.min(end.saturating_duration_since(Instant::now()))).await;
        }
        memory.extend(self.pid.and_then(resident_kib));
        for task in tasks {
            task.await.map_err(|error| error.to_string())?;
        }
        felt.tell();
        if !memory.is_empty() {
            let shown: Vec<String> = memory.iter().map(|kib| format!("{}", kib / 1024)).collect();
            println!("memory of the server, MiB: {}", shown.join(" "));
        }
        tell_matches(&address, before).await
    }
}

/// What the crowd felt.
#[derive(Default)]
struct Felt {
    /// Milliseconds by what was asked for.
    took: Mutex<BTreeMap<&'static str, Vec<f64>>>,
    errors: Mutex<BTreeMap<String, u64>>,
    events: Mutex<u64>,
}

impl Felt {
    fn took(&self, what: &'static str, time: Duration) {
        let mut took = self.took.lock().unwrap_or_else(PoisonError::into_inner);
        took.entry(what).or_default().push(time.as_secs_f64() * 1000.0);
    }

    fn failed(&self, what: &str, why: &str) {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        *errors.entry(format!("{what}: {why}")).or_default() += 1;
    }

    fn tell(&self) {
        println!("\n| what | requests | p50 ms | p90 ms | p99 ms | most ms |");
        println!("|---|---|---|---|---|---|");
        let mut took = self.took.lock().unwrap_or_else(PoisonError::into_inner);
        for (what, times) in took.iter_mut() {
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
        println!("events seen by viewers: {}", self.events.lock().unwrap_or_else(PoisonError::into_inner));
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        println!("failed requests: {}", errors.values().sum::<u64>());
        for (what, count) in errors.iter() {
            println!("  {count} x {what}");
        }
    }
}

/// The pages people open, and what each asks for.
fn page(number: u64) -> (&'static str, Vec<String>) {
    let game = GAMES[(number / 7 % 3) as usize];
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

async fn visit(address: &str, felt: &Felt, number: u64, pause: Duration, end: Instant) {
    // They do not all come in the same moment.
    tokio::time::sleep(pause.mul_f64((number % 100) as f64 / 100.0)).await;
    let mut turn = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
    let mut last = None;
    let mut line: Option<Line> = None;
    while Instant::now() < end {
        turn = turn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (what, paths) = page((turn >> 33) % 21);
        if last.is_none() {
            last = newest_match(address).await.ok().filter(|id| *id > 0);
        }
        let started = Instant::now();
        let mut whole = true;
        for path in paths {
            let path = path.replace("LAST", &last.unwrap_or(1).to_string()).replace("FIRST", "1");
            let asked = Instant::now();
            match tokio::time::timeout(PATIENCE, ask(&mut line, address, &path)).await {
                Ok(Ok(status)) if status < 400 => felt.took("(each request)", asked.elapsed()),
                Ok(Ok(status)) => {
                    whole = false;
                    felt.failed(what, &format!("status {status} for {path}"));
                }
                Ok(Err(error)) => {
                    whole = false;
                    line = None;
                    felt.failed(what, &error);
                }
                Err(_) => {
                    whole = false;
                    line = None;
                    felt.failed(what, "no answer");
                }
            }
        }
        if whole {
            felt.took(what, started.elapsed());
            felt.took("(each page)", started.elapsed());
        }
        let part = 0.5 + (turn >> 40) as f64 / (1_u64 << 24) as f64;
        tokio::time::sleep(pause.mul_f64(part)).await;
    }
}

/// Follows events, and the match that is played now.
async fn watch(address: &str, felt: &Felt, number: u64, end: Instant) {
    let events = async {
        while Instant::now() < end {
            if let Err(why) = follow_events(address, felt, end).await {
                felt.failed("events", &why);
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    };
    let replay = async {
        let mut line = None;
        tokio::time::sleep(Duration::from_millis(50 * number)).await;
        while Instant::now() < end {
            let asked = Instant::now();
            match ask(&mut line, address, "/api/v1/matches/live").await {
                Ok(status) if status < 400 => felt.took("(live)", asked.elapsed()),
                Ok(status) => felt.failed("live", &format!("status {status}")),
                Err(why) => {
                    line = None;
                    felt.failed("live", &why);
                }
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    };
    tokio::join!(events, replay);
}

async fn follow_events(address: &str, felt: &Felt, end: Instant) -> Result<(), String> {
    let mut line = Line::open(address).await?;
    line.send("/api/v1/events?topics=matches", address, "identity").await?;
    let (status, _) = line.head().await?;
    if status != 200 {
        return Err(format!("status {status}"));
    }
    let mut text = String::new();
    while let Some(left) = end.checked_duration_since(Instant::now()) {
        text.clear();
        match tokio::time::timeout(left, line.stream.read_line(&mut text)).await {
            Err(_) => return Ok(()),
            Ok(Ok(0)) => return Err("the server hung up".into()),
            Ok(Ok(_)) if text.starts_with("data:") => {
                *felt.events.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            }
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return Err(error.to_string()),
        }
    }
    Ok(())
}

/// One kept connection.
struct Line {
    stream: BufReader<TcpStream>,
}

impl Line {
    async fn open(address: &str) -> Result<Line, String> {
        let stream = TcpStream::connect(address).await.map_err(|error| error.to_string())?;
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        Ok(Line { stream: BufReader::new(stream) })
    }

    async fn send(&mut self, path: &str, address: &str, encoding: &str) -> Result<(), String> {
        let text = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\naccept-encoding: {encoding}\r\n\r\n");
        self.stream.get_mut().write_all(text.as_bytes()).await.map_err(|error| error.to_string())
    }

    /// The status, and the length of what follows (`None`: in chunks).
    async fn head(&mut self) -> Result<(u16, Option<usize>), String> {
        let (mut status, mut length) = (0, Some(0));
        loop {
            let mut text = String::new();
            let read = self.stream.read_line(&mut text).await.map_err(|error| error.to_string())?;
            let text = text.trim_end().to_ascii_lowercase();
            if read == 0 {
                return Err("the server hung up".into());
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
        let mut whole = Vec::new();
        if let Some(length) = length {
            whole.resize(length, 0);
            self.stream.read_exact(&mut whole).await.map_err(|error| error.to_string())?;
            return Ok(whole);
        }
        loop {
            let mut text = String::new();
            self.stream.read_line(&mut text).await.map_err(|error| error.to_string())?;
            let size = usize::from_str_radix(text.trim(), 16).map_err(|_| "a broken chunk")?;
            let from = whole.len();
            whole.resize(from + size, 0);
            self.stream.read_exact(&mut whole[from..]).await.map_err(|error| error.to_string())?;
            self.stream.read_line(&mut text).await.map_err(|error| error.to_string())?;
            if size == 0 {
                return Ok(whole);
            }
        }
    }
}

/// Asks over a kept connection, which is opened where there is none.
async fn ask(line: &mut Option<Line>, address: &str, path: &str) -> Result<u16, String> {
    // The server may have closed a line that was idle: then a new one is taken, once, as browsers do.
    let fresh = line.is_none();
    match ask_once(line, address, path).await {
        Err(_) if !fresh => {
            *line = None;
            ask_once(line, address, path).await
        }
        other => other,
    }
}

async fn ask_once(line: &mut Option<Line>, address: &str, path: &str) -> Result<u16, String> {
    if line.is_none() {
        *line = Some(Line::open(address).await?);
    }
    let Some(open) = line.as_mut() else { return Err("no connection".into()) };
    open.send(path, address, "gzip").await?;
    let (status, length) = open.head().await?;
    open.body(length).await?;
    Ok(status)
}

async fn read_json(address: &str, path: &str) -> Result<Value, String> {
    let mut line = Line::open(address).await?;
    line.send(path, address, "identity").await?;
    let (status, length) = line.head().await?;
    let body = line.body(length).await?;
    if status != 200 {
        return Err(format!("{path}: status {status}: {}", String::from_utf8_lossy(&body)));
    }
    serde_json::from_slice(&body).map_err(|error| format!("{path}: {error}"))
}

async fn newest_match(address: &str) -> Result<i64, String> {
    let page = read_json(address, "/api/v1/matches?limit=1").await?;
    Ok(page["matches"][0]["id"].as_i64().unwrap_or(0))
}

/// Counts the matches that ended meanwhile and the failures in them.
async fn tell_matches(address: &str, since: i64) -> Result<(), String> {
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

/// The memory of a process, in KiB.
fn resident_kib(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
