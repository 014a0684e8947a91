//! `agon worker`

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::{Args, ValueEnum};
use cluster::{Address, Cluster, ClusterError, Feed, Role, WorkerInfo};
use runs::Worker;
use sandbox::{Sandbox, watch_clock};
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use toolchain::{BuildCache, LANGUAGES};

use crate::Failure;
use crate::args::{Strength, level, threads};
use crate::commands::play::open_sandbox;
use crate::commands::series::KeyArgs;
use crate::launcher;
use crate::output::note;

/// The pause between two attempts to find the cluster.
const AGAIN: Duration = Duration::from_millis(500);
/// A worker that stops waits this long until its results are handed in.
const HAND_IN: Duration = Duration::from_secs(20);

#[derive(Args, Debug)]
pub(crate) struct WorkerArgs {
    /// The address of the NATS server of the cluster: `nats://HOST` or `tls://HOST`
    #[arg(long, value_name = "URL", env = "AGON_CLUSTER", hide_env_values = true)]
    cluster: String,
    #[command(flatten)]
    key: KeyArgs,
    /// The name of this worker [default: the name of the host and the number of the process]
    #[arg(long)]
    name: Option<String>,
    /// The number of cores for matches [default: all cores]
    #[arg(long, short = 'j', value_name = "COUNT", value_parser = threads)]
    jobs: Option<usize>,
    /// The sandbox: auto (the strongest this host reaches), a, b, c, or none for bots you trust
    #[arg(long, value_name = "LEVEL", default_value = "auto", value_parser = level)]
    sandbox: Strength,
    /// Whether to take matches that time decides
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    timed: Timed,
    /// The folder for the files of bots [default: in the cache folder of the user]
    #[arg(long, value_name = "FOLDER")]
    files: Option<PathBuf>,
}

/// Whether a worker takes matches that time decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Timed {
    /// If the clock of this host is quiet, measured at the start as `agon doctor` does
    Auto,
    /// Always
    Always,
    /// Never: only matches with `--clock off`
    Never,
}

pub(crate) fn run(args: &WorkerArgs) -> Result<(), Failure> {
    let sandbox = open_sandbox(args.sandbox, false)?;
    let launcher = launcher()?;
    let mut cores = play::cores();
    cores.truncate(args.jobs.unwrap_or(cores.len()).max(1));
    let info = info(args, &sandbox, cores.len());
    if args.timed == Timed::Auto && !info.timed {
        note(
            "the clock of this host is noisy: this worker takes only matches with --clock off (--timed always takes all)",
        );
    }
    let files = args.files.clone().unwrap_or_else(usual_folder);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let stops = Arc::new(AtomicBool::new(false));
    let address = args.key.address(&args.cluster);
    let Some(feed) = open(&runtime, &address, &info, cores.len(), &stops)? else { return Ok(()) };
    let on = if cores.len() == 1 { "1 core".to_owned() } else { format!("{} cores", cores.len()) };
    note(&format!("{} plays on {on}; Ctrl-C lets running matches end", info.name));
    let handle = runtime.handle().clone();
    let worker = Worker { handle, feed, sandbox, launcher, build_cache: BuildCache::usual(), files, cores };
    std::thread::scope(|scope| {
        let worker = &worker;
        scope.spawn(move || {
            // The signals set the flag; the threads end when the feed is closed.
            while !stops.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(50));
            }
            worker.feed.close();
        });
        worker.run();
    });
    worker.feed.drain(HAND_IN);
    Ok(())
}

/// Connects, and begins to take work; waits for the server, and for the first master. `None` if the user stops it.
fn open(
    runtime: &Runtime,
    address: &Address,
    info: &WorkerInfo,
    threads: usize,
    stops: &Arc<AtomicBool>,
) -> Result<Option<Feed>, Failure> {
    runtime.block_on(async { listen(Arc::clone(stops)) })?;
    let mut told = false;
    while !stops.load(Ordering::Relaxed) {
        let opened = runtime.block_on(async {
            let cluster = Cluster::connect(address, Role::Worker(&info.name)).await?;
            Feed::open(cluster, info.clone(), threads).await
        });
        match opened {
            Ok(feed) => return Ok(Some(feed)),
            Err(error @ (ClusterError::Protocol { .. } | ClusterError::File(..))) => return Err(error.into()),
            Err(error) if !told => note(&format!("{error}; waiting for the cluster")),
            Err(_) => {}
        }
        told = true;
        std::thread::sleep(AGAIN);
    }
    Ok(None)
}

/// The first signal sets the flag, the second ends the program.
fn listen(stops: Arc<AtomicBool>) -> io::Result<()> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if stops.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        }
    });
    Ok(())
}

fn info(args: &WorkerArgs, sandbox: &Sandbox, cores: usize) -> WorkerInfo {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned();
    let name = args.name.clone().unwrap_or_else(|| format!("{host}-{}", std::process::id()));
    let noise = watch_clock();
    let name = cluster::worker_name(&name);
    let languages = LANGUAGES.iter().filter(|language| language.missing().is_none());
    WorkerInfo {
        host,
        cores,
        level: sandbox.level(),
        speed: runs::measure_speed(),
        noise,
        timed: match args.timed {
            Timed::Auto => !noise.is_busy(),
            Timed::Always => true,
            Timed::Never => false,
        },
        languages: languages.map(|language| language.name.to_owned()).collect(),
        ..WorkerInfo::new(&name)
    }
}

/// The usual folder for the files of bots.
fn usual_folder() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let cache = cache.or_else(|| std::env::home_dir().map(|home| home.join(".cache")));
    cache.unwrap_or_else(std::env::temp_dir).join("agon").join("files")
}
