//! A real PostgreSQL server for tests: Debian's package, on a free port, in a temporary folder that is removed
//! afterwards.
//!
//! PostgreSQL refuses to run as root, so root runs it as the user `postgres` that the package makes.

use std::fs;
use std::io::Read as _;
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::shell;

/// The variable in which the tests find the address of a server on which they may create databases.
const VARIABLE: &str = "AGON_TEST_POSTGRES";
/// How long a server may take to be ready, and to stop.
const PATIENCE: Duration = Duration::from_mins(1);
/// Another program may take a free port before the server does.
const TRIES: u32 = 5;

/// A running server; it stops when this is dropped.
pub(crate) struct Postgres {
    folder: PathBuf,
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
        programs().is_some()
    }

    /// Makes a cluster and starts a server on it.
    pub(crate) fn start() -> Result<Postgres, String> {
        let programs = programs().ok_or("there is no PostgreSQL here: apt-get install postgresql")?;
        let folder = Folder::new()?;
        let password = random_word()?;
        let password_file = folder.0.join("password");
        fs::write(&password_file, &password)
            .map_err(|error| format!("{}: {error}", password_file.display()))?;
        if shell::is_root() {
            shell::run("chown", &["-R", "postgres:", &folder.0.display().to_string()])?;
        }
        let data = folder.0.join("data");
        let mut make = as_postgres(&programs.join("initdb"), &folder.0);
        make.arg("--pgdata").arg(&data).arg("--pwfile").arg(&password_file).args([
            "--username=postgres",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
        ]);
        let made = make.output().map_err(|error| format!("initdb cannot be started: {error}"))?;
        if !made.status.success() {
            return Err(format!("initdb failed:\n{}", String::from_utf8_lossy(&made.stderr)));
        }
        for _ in 0..TRIES {
            let port = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
            let port = port.map_err(|error| format!("no free port: {error}"))?.port();
            if let Some(server) = serve(&programs, &folder.0, &data, port)? {
                let url = format!("postgres://postgres:{password}@127.0.0.1:{port}/postgres");
                return Ok(Postgres { folder: folder.keep(), server, url });
            }
        }
        let log = fs::read_to_string(folder.0.join("log")).unwrap_or_default();
        Err(format!("PostgreSQL did not start; its log:\n{log}"))
    }

    /// Creates a new database and returns its address.
    pub(crate) fn database(&self, name: &str) -> Result<String, String> {
        let programs = programs().ok_or("PostgreSQL is gone")?;
        let mut make = Command::new(programs.join("createdb"));
        make.args(["--maintenance-db", &self.url, name]).current_dir(&self.folder);
        shell::finish(make).map_err(|why| why.replace(&self.url, "..."))?;
        let (server, _) = self.url.rsplit_once('/').ok_or("the address of PostgreSQL has no database")?;
        Ok(format!("{server}/{name}"))
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
        // If this fails, nothing more can be done; the folder is in the host's folder for temporary files.
        let _ = self.server.kill();
        let _ = self.server.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Starts the server; `None` if it ends by itself, for example because the port is taken.
fn serve(programs: &Path, folder: &Path, data: &Path, port: u16) -> Result<Option<Child>, String> {
    let log_file = fs::File::create(folder.join("log")).map_err(|error| format!("the log: {error}"))?;
    let mut start = as_postgres(&programs.join("postgres"), folder);
    start.arg("-D").arg(data).arg("-k").arg(folder).args(["-h", "127.0.0.1", "-p", &port.to_string()]);
    // As in production: committed data is on the disk. Many tests connect at once.
    start.args(["-c", "fsync=on", "-c", "synchronous_commit=on", "-c", "max_connections=300"]);
    start.stdout(Stdio::null()).stderr(log_file);
    // Ctrl-C must reach only the command, which may still need the server.
    start.process_group(0);
    let mut server = start.spawn().map_err(|error| format!("postgres cannot be started: {error}"))?;
    let since = Instant::now();
    while since.elapsed() < PATIENCE {
        let mut ask = Command::new(programs.join("pg_isready"));
        ask.args(["--quiet", "--host=127.0.0.1", "--port", &port.to_string()]).current_dir(folder);
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

/// A command that runs as a user who may run PostgreSQL. It ends with this program, however that ends.
fn as_postgres(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "INT"]);
    if shell::is_root() {
        command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]);
    }
    command.arg("--").arg(program).current_dir(folder).stdin(Stdio::null());
    command
}

/// The folder of PostgreSQL's programs: the newest of Debian's, or one on the path.
fn programs() -> Option<PathBuf> {
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let debian = debian.map(|entry| entry.path().join("bin"));
    let on_path = std::env::var_os("PATH");
    let on_path: Vec<PathBuf> = on_path.iter().flat_map(std::env::split_paths).collect();
    let version = |folder: &Path| {
        let name = folder.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        name.and_then(|name| name.parse::<u32>().ok()).unwrap_or(0)
    };
    let whole = |folder: &PathBuf| {
        ["initdb", "postgres", "pg_isready"].iter().all(|name| folder.join(name).is_file())
    };
    let newest = debian.filter(whole).max_by_key(|folder| version(folder));
    newest.or_else(|| on_path.into_iter().find(whole))
}

/// 128 random bits.
fn random_word() -> Result<String, String> {
    let mut bytes = [0; 16];
    fs::File::open("/dev/urandom")
        .and_then(|mut file| file.read_exact(&mut bytes))
        .map_err(|error| format!("/dev/urandom: {error}"))?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}

/// A temporary folder that is removed unless it is kept.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, String> {
        let path = std::env::temp_dir().join(format!("agon-postgres-{}", random_word()?));
        fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Folder(path))
    }

    fn keep(mut self) -> PathBuf {
        std::mem::take(&mut self.0)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            // If this fails, the folder remains in the host's folder for temporary files.
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}
