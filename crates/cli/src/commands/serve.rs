//! `agon serve`

use std::fmt::Write as _;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, IsTerminal as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use server::Server;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::Failure;
use crate::commands::settings::SettingsArgs;
use crate::launcher;
use crate::output::{print, print_json};

/// The target of this command's log lines.
const LOG: &str = "agon::serve";

/// Enough open files for the most connections that the settings allow.
const OPEN_FILES: u64 = 32_768;

#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    settings: SettingsArgs,
    /// Print JSON: the address, and the first admin with its one-time password
    #[arg(long)]
    json: bool,
    /// How the log on the standard error output is written, one line per event; `AGON_LOG` names the levels, as
    /// `info` or `debug`
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log_format: LogFormat,
}

/// The form of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum LogFormat {
    /// For people
    Text,
    /// For programs: one JSON object per line
    Json,
}

/// Levels of the log without `AGON_LOG`.
const LOG_LEVELS: &str = "info,rmcp=error,sqlx=warn";

fn start_log(format: LogFormat) -> Result<(), Failure> {
    let levels = std::env::var("AGON_LOG").unwrap_or_else(|_| LOG_LEVELS.to_owned());
    let levels: Targets = levels
        .parse()
        .map_err(|error| Failure::Unusable(format!("AGON_LOG does not name levels: {error}")))?;
    let lines = fmt::layer().with_writer(io::stderr).with_ansi(false);
    let log = tracing_subscriber::registry().with(levels);
    match format {
        LogFormat::Text => log.with(lines).init(),
        LogFormat::Json => log.with(lines.json()).init(),
    }
    Ok(())
}

pub(crate) fn run(args: &ServeArgs) -> Result<(), Failure> {
    let config = args.settings.read()?;
    start_log(args.log_format)?;
    return_free_memory();
    let _alone = take(&config.data)?;
    allow_many_files();
    tracing::info!(target: LOG, database = config.database.shown(), "opening the database");
    let server = Server::start(config, launcher()?)?;
    tell(&server, args.json)?;
    serve_until_told(&server)
}

/// A server that was killed a moment ago releases its lock within this time: it may have been starting a program, by a
/// process that shares its open files for some milliseconds.
const RELEASED_WITHIN: Duration = Duration::from_secs(2);

/// Makes the data folder, for its owner alone, and locks it against other processes while this file is open.
pub(crate) fn take(folder: &Path) -> Result<File, Failure> {
    let unusable = |error: &dyn std::fmt::Display| {
        Failure::Unusable(format!("{}: {error}; choose another folder with --data", folder.display()))
    };
    server::own_data_folder(folder).map_err(|error| unusable(&error))?;
    let lock = OpenOptions::new().create(true).truncate(false).write(true).open(folder.join("lock"));
    let lock = lock.map_err(|error| unusable(&error))?;
    let begun = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::WouldBlock) if begun.elapsed() < RELEASED_WITHIN => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(TryLockError::WouldBlock) => return Err(unusable(&"another agon serve uses this folder")),
            Err(TryLockError::Error(error)) => return Err(unusable(&error)),
        }
    }
}

/// Every connection is an open file, and the usual limit is too low for a server.
fn allow_many_files() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(OPEN_FILES, |most| most.min(OPEN_FILES));
    if current.is_some_and(|current| current < wanted) {
        // If this fails, the server accepts fewer connections.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
    }
}

/// Makes the allocator of the GNU C library return free memory to the host. By default it keeps a heap with free memory
/// for almost every thread, and keeps large blocks for reuse.
fn return_free_memory() {
    #[cfg(target_env = "gnu")]
    {
        const LARGE: i32 = 128 << 10;
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let heaps = i32::try_from(cores.clamp(2, 8)).unwrap_or(2);
        let settings =
            [(libc::M_ARENA_MAX, heaps), (libc::M_MMAP_THRESHOLD, LARGE), (libc::M_TRIM_THRESHOLD, LARGE)];
        for (setting, value) in settings {
            // If this fails, the server needs more memory.
            //
            // SAFETY: mallopt takes two numbers and no pointer, and it locks the allocator while it changes a setting.
            #[allow(unsafe_code)]
            let _is_set = unsafe { libc::mallopt(setting, value) };
        }
    }
}

fn tell(server: &Server, json: bool) -> Result<(), Failure> {
    let (config, admin) = (&server.app().config, server.first_admin());
    let address = format!("http://{}", reachable(server.address()));
    let status = server.app().service.status();
    let level = status.level.map(|level| level.to_string());
    if json {
        return print_json(&json!({
            "address": address,
            "public_url": config.public_url.as_ref().map(|url| &url.origin),
            "data": config.data.display().to_string(),
            "database": config.database.shown(),
            "box": level,
            "workers": if config.workers == Some(0) { 0 } else { status.workers.len() },
            "cluster": config.cluster.as_ref().map(|cluster| &cluster.url),
            "admin": admin.map(|admin| json!({"name": admin.name, "password": admin.password})),
            "version": env!("CARGO_PKG_VERSION"),
        }));
    }
    let mut text = format!("{address}\n");
    if let Some(url) = &config.public_url {
        writeln!(text, "  for visitors  {}", url.origin)?;
    }
    writeln!(text, "  data          {}", config.data.display())?;
    writeln!(text, "  database      {}", config.database.shown())?;
    let count = if config.workers == Some(0) { 0 } else { status.workers.len() };
    match &level {
        Some(level) => writeln!(text, "  box           level {level}, {count} matches at once")?,
        None => writeln!(text, "  box           none: no match is played here")?,
    }
    if let Some(cluster) = &config.cluster {
        writeln!(text, "  cluster       {}", cluster.url)?;
    }
    if let Some(admin) = admin {
        writeln!(
            text,
            "  admin         name {}, {} (you choose another at the first login)",
            admin.name,
            one_time_password(&admin.password, &config.data)?
        )?;
    }
    print(&text)?;
    tracing::info!(target: LOG, %address, "serving; Ctrl-C lets running matches end and stops, twice stops at once");
    Ok(())
}

/// The file in the data folder that holds the one-time password of the first admin where the output is not a terminal.
const PASSWORD_FILE: &str = "admin-password";

/// The one-time password for the output. Others may read an output that is not a terminal, such as the journal of the
/// host: it gets the name of a file that only its owner can read.
fn one_time_password(password: &str, data: &Path) -> Result<String, Failure> {
    if io::stdout().is_terminal() {
        return Ok(format!("password {password}, shown this once"));
    }
    let path = data.join(PASSWORD_FILE);
    store::private::write(&path, format!("{password}\n").as_bytes())
        .map_err(|error| Failure::Unusable(format!("{} cannot be written: {error}", path.display())))?;
    Ok(format!("password in {}", path.display()))
}

/// The address for a browser on this machine.
fn reachable(address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), address.port())
    } else {
        address
    }
}

/// Waits for a signal, then lets running matches end; the second signal aborts them, the third ends the program.
fn serve_until_told(server: &Server) -> Result<(), Failure> {
    let runtime = server.runtime();
    let mut signals = runtime.block_on(async { Signals::new() })?;
    runtime.block_on(signals.next());
    let playing = server.app().service.live().len();
    tracing::info!(target: LOG, playing, "stopping; running matches are played to their end (once more stops at once)");
    std::thread::scope(|scope| {
        let stopping = scope.spawn(|| server.stop(true));
        let mut signals_seen = 1;
        while !stopping.is_finished() {
            let wait = async { tokio::time::timeout(Duration::from_millis(50), signals.next()).await };
            if runtime.block_on(wait).is_err() {
                continue;
            }
            signals_seen += 1;
            if signals_seen > 2 {
                std::process::exit(130);
            }
            tracing::info!(target: LOG, "stopping at once; running matches are played again after the next start");
            scope.spawn(|| server.stop(false));
        }
    });
    Ok(())
}

struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn new() -> io::Result<Signals> {
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
