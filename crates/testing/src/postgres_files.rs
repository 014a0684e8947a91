//! The files of a PostgreSQL server of one's own: Debian's package, in a temporary folder that is removed afterwards.
//!
//! PostgreSQL refuses to run as root, so root runs it as the user `postgres` that the package makes.
//!
//! `xtask` includes this file too: it builds no other crate.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The files of a server; removed when this is dropped.
#[derive(Debug)]
pub struct PostgresFiles {
    programs: PathBuf,
    folder: PathBuf,
    password: String,
}

impl PostgresFiles {
    /// Whether PostgreSQL is installed on this host.
    pub fn is_installed() -> bool {
        programs().is_some()
    }

    /// Makes the files.
    ///
    /// # Errors
    ///
    /// When PostgreSQL is not installed or cannot make them.
    pub fn make() -> Result<PostgresFiles, String> {
        let programs = programs().ok_or("there is no PostgreSQL here: apt-get install postgresql")?;
        let folder = std::env::temp_dir().join(format!("agon-postgres-{}", random_word()?));
        fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let files = PostgresFiles { programs, folder, password: random_word()? };
        let password_file = files.folder.join("password");
        fs::write(&password_file, &files.password)
            .map_err(|error| format!("{}: {error}", password_file.display()))?;
        if is_root() {
            finish(Command::new("chown").args(["-R", "postgres:"]).arg(&files.folder))?;
        }
        let mut make = files.as_postgres("initdb");
        make.arg("--pgdata").arg(files.folder.join("data")).arg("--pwfile").arg(&password_file).args([
            "--username=postgres",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
        ]);
        finish(&mut make)?;
        Ok(files)
    }

    /// The folder with the files, the log and the socket.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The password of the user `postgres`.
    pub fn password(&self) -> &str {
        &self.password
    }

    /// A program of PostgreSQL for clients.
    pub fn client(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command.current_dir(&self.folder).stdin(Stdio::null());
        command
    }

    /// The server on this port of the loopback interface, and on the socket of this port in the folder.
    pub fn server(&self, port: u16) -> Command {
        let mut start = self.as_postgres("postgres");
        start.arg("-D").arg(self.folder.join("data")).arg("-k").arg(&self.folder);
        start.args(["-h", "127.0.0.1", "-p", &port.to_string()]);
        // As in production: committed data is on the disk. Many tests connect at once.
        start.args(["-c", "fsync=on", "-c", "synchronous_commit=on", "-c", "max_connections=300"]);
        start
    }

    /// A program that runs as a user who may run PostgreSQL. It ends with this program, however that ends.
    fn as_postgres(&self, name: &str) -> Command {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "INT"]);
        if is_root() {
            command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]);
        }
        command.arg("--").arg(self.programs.join(name)).current_dir(&self.folder).stdin(Stdio::null());
        command
    }
}

impl Drop for PostgresFiles {
    fn drop(&mut self) {
        // If this fails, the folder remains in the host's folder for temporary files.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn finish(command: &mut Command) -> Result<(), String> {
    let done = command.output().map_err(|error| format!("{command:?} cannot be started: {error}"))?;
    if done.status.success() {
        return Ok(());
    }
    Err(format!("{command:?} ended with {}:\n{}", done.status, String::from_utf8_lossy(&done.stderr)))
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
