//! A real PostgreSQL server for tests, on a free port.

use std::fs;
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::postgres_files::PostgresFiles;
use crate::shell;

/// The variable in which the tests find the address of a server on which they may create databases.
const VARIABLE: &str = "AGON_TEST_POSTGRES";
/// How long a server may take to be ready, and to stop.
const PATIENCE: Duration = Duration::from_mins(1);
/// Another program may take a free port before the server does.
const TRIES: u32 = 5;

/// A running server; it stops when this is dropped.
pub(crate) struct Postgres {
    files: PostgresFiles,
    server: Child,
    url: String,
}

/// `cargo xtask postgres COMMAND...`: runs a command with a server, and returns its result.
pub(crate) fn with_server(words: &[&str]) -> Result<(), String> {
    let Some((program, arguments)) = words.split_first() else {
        return Err("say what to run: cargo xtask postgres COMMAND...".to_owned());
    };
    let postgres = Postgres::start()?;
    postgres.run(shell::command(program, arguments))
}

impl Postgres {
    /// Whether PostgreSQL is installed on this host.
    pub(crate) fn is_installed() -> bool {
        PostgresFiles::is_installed()
    }

    /// Makes the files of a server and starts it.
    pub(crate) fn start() -> Result<Postgres, String> {
        let files = PostgresFiles::make()?;
        for _ in 0..TRIES {
            let port = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
            let port = port.map_err(|error| format!("no free port: {error}"))?.port();
            if let Some(server) = serve(&files, port)? {
                let url = format!("postgres://postgres:{}@127.0.0.1:{port}/postgres", files.password());
                return Ok(Postgres { files, server, url });
            }
        }
        let log = fs::read_to_string(files.folder().join("log")).unwrap_or_default();
        Err(format!("PostgreSQL did not start; its log:\n{log}"))
    }

    /// Creates a new database and returns its address.
    pub(crate) fn database(&self, name: &str) -> Result<String, String> {
        let mut make = self.files.client("createdb");
        make.args(["--maintenance-db", &self.url, name]);
        shell::finish(make).map_err(|why| why.replace(&self.url, "..."))?;
        let (server, _) = self.url.rsplit_once('/').ok_or("the address of PostgreSQL has no database")?;
        Ok(format!("{server}/{name}"))
    }

    /// The number of its process, the parent of all its processes.
    pub(crate) fn id(&self) -> u32 {
        self.server.id()
    }

    /// The size of a database.
    pub(crate) fn size_mib(&self, name: &str) -> Result<u64, String> {
        let mut ask = self.files.client("psql");
        ask.args(["--no-psqlrc", "--tuples-only", "--no-align", &self.url, "--command"]);
        ask.arg(format!("SELECT pg_database_size('{name}') / 1048576"));
        let output = ask.output().map_err(|error| format!("psql cannot be started: {error}"))?;
        let told = String::from_utf8_lossy(&output.stdout);
        told.trim().parse().map_err(|_| format!("psql ended with {}: {told}", output.status))
    }

    /// Puts the address of the server into the environment of a command.
    pub(crate) fn give_to(&self, command: &mut Command) {
        command.env(VARIABLE, &self.url);
    }

    /// Runs a command that has the address of the server in its environment. Ctrl-C ends the command first.
    pub(crate) fn run(&self, mut command: Command) -> Result<(), String> {
        self.give_to(&mut command);
        shell::finish_before_us(command).map_err(|why| why.replace(&self.url, "..."))
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // A fast shutdown: connections are closed, and the files are consistent.
        shell::signal("INT", self.server.id());
        let since = Instant::now();
        while since.elapsed() < PATIENCE && matches!(self.server.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(10));
        }
        // If this fails, nothing more can be done.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Starts the server; `None` if it ends by itself, for example because the port is taken.
fn serve(files: &PostgresFiles, port: u16) -> Result<Option<Child>, String> {
    let log_file =
        fs::File::create(files.folder().join("log")).map_err(|error| format!("the log: {error}"))?;
    let mut start = files.server(port);
    start.stdout(Stdio::null()).stderr(log_file);
    // Ctrl-C must reach only the command, which may still need the server.
    start.process_group(0);
    let mut server = start.spawn().map_err(|error| format!("postgres cannot be started: {error}"))?;
    let since = Instant::now();
    while since.elapsed() < PATIENCE {
        let mut ask = files.client("pg_isready");
        ask.args(["--quiet", "--host=127.0.0.1", "--port", &port.to_string()]);
        if let Ok(Some(_)) = server.try_wait() {
            return Ok(None);
        }
        if ask.status().is_ok_and(|status| status.success()) {
            return Ok(Some(server));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    // Another attempt on this port would not help.
    let _ = server.kill();
    let _ = server.wait();
    Ok(None)
}
