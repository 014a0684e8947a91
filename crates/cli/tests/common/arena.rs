//! An arena for a test: a data folder, a database, and an `agon serve` that uses them.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use store::Store;
use tempfile::TempDir;
use testing::Database;

/// The data folder and the database of an arena.
pub(crate) struct Home {
    /// Removed when this is dropped.
    _scratch: TempDir,
    pub(crate) folder: PathBuf,
    pub(crate) url: String,
    _database: Option<Database>,
    /// More variables of the environment of `agon`.
    pub(crate) variables: Vec<(&'static str, PathBuf)>,
}

impl Home {
    pub(crate) fn sqlite() -> Home {
        let scratch = testing::scratch();
        let folder = scratch.path().to_owned();
        Home {
            url: format!("sqlite:{}/agon.db", folder.display()),
            folder,
            _scratch: scratch,
            _database: None,
            variables: Vec::new(),
        }
    }

    /// A new database on the PostgreSQL server of the tests, if there is one.
    #[allow(dead_code, reason = "each test has its own part of this file")]
    pub(crate) fn postgres() -> Option<Home> {
        let database = Database::create()?;
        Some(Home { url: database.url(), _database: Some(database), ..Home::sqlite() })
    }

    #[allow(dead_code, reason = "each test has its own part of this file")]
    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.url, &self.folder, 1).await.unwrap()
    }

    /// `agon` with the settings of this arena in its environment.
    pub(crate) fn agon(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(words).current_dir(&self.folder);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.env("AGON_DATABASE", &self.url).env("AGON_DATA", &self.folder);
        command.env("XDG_CONFIG_HOME", self.folder.join("config"));
        command.env_remove("AGON_URL").env_remove("AGON_TOKEN").env_remove("AGON_LISTEN");
        command
    }

    pub(crate) fn admin(&self, words: &[&str]) -> Output {
        self.agon(&[&["admin"], words].concat()).output().unwrap()
    }
}

/// A running `agon serve`; it is killed when this is dropped.
pub(crate) struct Server {
    child: Child,
    /// The JSON that it printed at its start.
    pub(crate) said: Value,
    /// Milliseconds from its start until it answered the first request.
    pub(crate) ready: Option<u128>,
}

impl Server {
    /// Starts a server without waiting for it.
    pub(crate) fn launch(home: &Home, flags: &[&str]) -> Server {
        Server::launch_with(home, flags, Stdio::inherit())
    }

    fn launch_with(home: &Home, flags: &[&str], log: Stdio) -> Server {
        let mut serve = home.agon(&["serve", "--json", "--listen", "127.0.0.1:0", "--allow-weak-sandbox"]);
        let child = serve.args(flags).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        Server { child, said: Value::Null, ready: None }
    }

    /// Starts a server and waits until it answers.
    pub(crate) fn start(home: &Home, flags: &[&str]) -> Server {
        Server::launch(home, flags).until_ready()
    }

    /// Starts a server that logs to a file, and waits until it answers.
    #[allow(dead_code, reason = "each test has its own part of this file")]
    pub(crate) fn start_with_log(home: &Home, flags: &[&str], log: &Path) -> Server {
        Server::launch_with(home, flags, fs::File::create(log).unwrap().into()).until_ready()
    }

    fn until_ready(self) -> Server {
        let (since, mut server) = (Instant::now(), self);
        let mut line = String::new();
        BufReader::new(server.child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        server.said = serde_json::from_str(&line).unwrap_or_else(|_| panic!("agon serve said: {line}"));
        while !server.get("/healthz").starts_with("HTTP/1.1 200") {
            assert!(since.elapsed() < Duration::from_mins(1), "it does not get ready");
            std::thread::sleep(Duration::from_millis(5));
        }
        server.ready = Some(since.elapsed().as_millis());
        server
    }

    /// `http://HOST:PORT`
    pub(crate) fn url(&self) -> &str {
        self.said["address"].as_str().unwrap()
    }

    /// A page with its headers.
    pub(crate) fn get(&self, path: &str) -> String {
        let host = self.url().strip_prefix("http://").unwrap().trim_end_matches('/');
        let mut answer = Vec::new();
        let asked = TcpStream::connect(host).and_then(|mut stream| {
            write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")?;
            stream.read_to_end(&mut answer)
        });
        asked.map_or_else(|_| String::new(), |_| String::from_utf8_lossy(&answer).into_owned())
    }

    /// Stops the process with a signal while `look` examines it, then continues it.
    #[allow(dead_code, reason = "each test has its own part of this file")]
    pub(crate) fn freeze_and<T>(&self, look: impl FnOnce(u32) -> T) -> T {
        self.signal("STOP");
        look(self.child.id())
    }

    #[allow(dead_code, reason = "each test has its own part of this file")]
    pub(crate) fn kill_nine(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Stops it in the same way as an organiser.
    #[allow(dead_code, reason = "each test has its own part of this file")]
    pub(crate) fn stop(mut self) {
        self.signal("TERM");
        let since = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(since.elapsed() < Duration::from_mins(2), "it does not stop");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(self.child.wait().unwrap().success());
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A process and its start time, because process ids are reused.
pub(crate) type Process = (u32, u64);

/// All descendants of a process.
#[allow(dead_code, reason = "each test has its own part of this file")]
pub(crate) fn descendants(of: u32) -> Vec<Process> {
    let all: Vec<(u32, u32, u64)> = fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| {
            let process = entry.file_name().to_str()?.parse().ok()?;
            let (parent, began) = stat(process)?;
            Some((process, parent, began))
        })
        .collect();
    let mut found: Vec<Process> = Vec::new();
    let mut parents = vec![of];
    while let Some(parent) = parents.pop() {
        for &(process, _, began) in all.iter().filter(|(_, of, _)| *of == parent) {
            found.push((process, began));
            parents.push(process);
        }
    }
    found
}

/// Whether a process still runs. A zombie does not.
#[allow(dead_code, reason = "each test has its own part of this file")]
pub(crate) fn is_alive(process: &Process) -> bool {
    stat(process.0).is_some_and(|(_, began)| began == process.1)
}

/// The parent and the start time of a process that is not a zombie.
fn stat(process: u32) -> Option<(u32, u64)> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name is in parentheses and may contain any character.
    let mut fields = text.rsplit_once(") ")?.1.split(' ');
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let began = fields.nth(17)?.parse().ok()?;
    (state != "Z" && state != "X").then_some((parent, began))
}
