//! Starts and stops the site.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use contest::{ContestService, ServiceConfig, ServiceError, Stop};
use sandbox::Level;
use sha2::{Digest as _, Sha256};
use store::Store;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use toolchain::Launcher;

use crate::accounts::{self, FirstAdmin};
use crate::admin::Job;
use crate::api::events::Hub;
use crate::api::{
    self, HumanGames, LiveCache, Pictures, ReplayCache, ResponseCache, Reviews, SiteCache, news,
};
use crate::guard::{Guard, connections};
use crate::{App, Config, Inner, error, now_ms};

/// Threads that serve: they never block, so a few are enough.
const THREADS: usize = 4;
/// Requests that are being answered when the server stops get this time.
const GRACE: Duration = Duration::from_secs(5);
/// Old sessions and records are removed for the first time after this time, and then every day.
const FIRST_SWEEP: Duration = Duration::from_hours(1);
const SWEEP: Duration = Duration::from_hours(24);
/// Longer than the site runs.
const NEVER: Duration = Duration::from_hours(24 * 365);

/// The site cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The system provides no threads or no address.
    #[error("the server cannot start: {0}")]
    System(std::io::Error),
    /// The address cannot be used.
    #[error("the server cannot listen at {address}: {error}; choose another address with --listen")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason.
        error: std::io::Error,
    },
    /// The data folder cannot be made.
    #[error("{} cannot be made: {error}; choose another folder with --data", folder.display())]
    Folder {
        /// The folder.
        folder: std::path::PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// The database cannot be opened.
    #[error("{database} cannot be opened: {error}")]
    Store {
        /// The database, without its password.
        database: String,
        /// The reason.
        error: store::StoreError,
    },
    /// The host has no sandbox that is strong enough.
    #[error(
        "{0}\nBots of strangers need it; --allow-weak-sandbox takes the strongest box this host has, for people you trust"
    )]
    Sandbox(ServiceError),
    /// The service that plays the matches cannot start.
    #[error("no match can be played: {0}")]
    Service(ServiceError),
    /// The settings of the mail server cannot be used.
    #[error(transparent)]
    Mail(accounts::mail::MailError),
    /// The first admin cannot be made.
    #[error("no admin can be made: {0}")]
    FirstAdmin(store::StoreError),
}

/// The site, with its own threads. It stops when this is dropped.
#[derive(Debug)]
pub struct Server {
    app: App,
    first: Option<FirstAdmin>,
    stop: watch::Sender<bool>,
    serving: Mutex<Option<JoinHandle<()>>>,
    runtime: Runtime,
}

impl Server {
    /// Opens the store, starts the service, and serves.
    ///
    /// # Errors
    ///
    /// When the address cannot be used, or the store or the service cannot be opened; the message says what to do.
    pub fn start(config: Config, launcher: Launcher) -> Result<Server, StartError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("agon-web")
            .enable_all()
            .build()
            .map_err(StartError::System)?;
        let (app, first, listener) = runtime.block_on(open(config, launcher))?;
        api::prepare();
        let (stop, stopped) = watch::channel(false);
        let (router, connections) = (api::router(&app), app.guard.connections.clone());
        let serving = runtime.spawn(async move {
            if let Err(error) = connections::serve(listener, router, connections, stopped, GRACE).await {
                tracing::error!(target: "agon::server", %error, "no connection is accepted any more");
            }
        });
        Ok(Server { app, stop, first, serving: Mutex::new(Some(serving)), runtime })
    }

    /// The address it listens at.
    pub fn address(&self) -> SocketAddr {
        self.app.listens
    }

    /// The state that its handlers share.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// The admin that was made at this start, with the password to print once.
    pub fn first_admin(&self) -> Option<&FirstAdmin> {
        self.first.as_ref()
    }

    /// Its runtime.
    pub fn runtime(&self) -> &tokio::runtime::Handle {
        self.runtime.handle()
    }

    /// Stops the server. Gracefully: matches that are being played are finished, and pages are served meanwhile;
    /// otherwise the matches go back to the queue. May be called again from another thread to stop at once.
    pub fn stop(&self, graceful: bool) {
        let how = if graceful { Stop::Finish } else { Stop::Abort };
        self.runtime.block_on(self.app.service.stop(how));
        self.stop.send_replace(true);
        let serving = self.serving.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(serving) = serving {
            // It ends by itself after the grace period; its error is logged.
            let _ = self.runtime.block_on(serving);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop(false);
    }
}

async fn open(
    config: Config,
    launcher: Launcher,
) -> Result<(App, Option<FirstAdmin>, TcpListener), StartError> {
    let listener = TcpListener::bind(config.listen)
        .await
        .map_err(|error| StartError::Listen { address: config.listen, error })?;
    let listens = listener.local_addr().map_err(StartError::System)?;
    own_data_folder(&config.data)
        .map_err(|error| StartError::Folder { folder: config.data.clone(), error })?;
    let since = now_ms();
    let store = Store::open_with_records(config.database.url(), config.records.clone(), since)
        .await
        .map_err(|error| StartError::Store { database: config.database.shown(), error })?;
    let service = ContestService::start(service_config(&config, &store, launcher)).await.map_err(
        |error| match error {
            ServiceError::Box(_) if !config.allow_weak_sandbox => StartError::Sandbox(error),
            error => StartError::Service(error),
        },
    )?;
    let network_key = network_key(&store)
        .await
        .map_err(|error| StartError::Store { database: config.database.shown(), error })?;
    let guard = Guard::new(&config)?;
    // The last step that can fail: the caller prints the password of the first admin once.
    let first = accounts::first_admin(&store).await.map_err(StartError::FirstAdmin)?;
    let app = App::new(Inner {
        guard,
        service,
        store,
        listens,
        since,
        site: SiteCache::default(),
        responses: ResponseCache::default(),
        human_games: HumanGames::default(),
        reviews: Reviews::default(),
        pictures: Pictures::default(),
        replay_cache: ReplayCache::default(),
        live_cache: LiveCache::default(),
        hub: Hub::default(),
        recompute: Job::default(),
        network_key,
        config,
    });
    tokio::spawn(news::follow(app.clone(), app.service.events()));
    tokio::spawn(sweep_daily(app.store.clone()));
    Ok((app, first, listener))
}

/// The secret of this arena with which the networks of new accounts are stored.
async fn network_key(store: &Store) -> store::Result<String> {
    const KEY: &str = "network_key";
    if let Some(key) = store.setting(KEY).await? {
        return Ok(key);
    }
    let no_random = |_| store::StoreError::new(store::ErrorKind::Other, "the system has no random bytes");
    let key = accounts::secret::fresh().map_err(no_random)?;
    store.setting_or(KEY, &key).await
}

/// Makes the data folder, for its owner alone. An existing folder is narrowed to its owner.
///
/// # Errors
///
/// When the folder cannot be made.
pub fn own_data_folder(folder: &Path) -> std::io::Result<()> {
    store::private::create_folder(folder)?;
    if let Err(error) = store::private::narrow(folder) {
        // Another user may own the folder and give this one the right to write.
        tracing::warn!(target: "agon::server", folder = %folder.display(), %error, "other users can read the data folder");
    }
    Ok(())
}

async fn sweep_daily(store: Store) {
    let mut wait = FIRST_SWEEP;
    loop {
        tokio::time::sleep(wait).await;
        if let Err(error) = store.sweep(now_ms()).await {
            tracing::warn!(target: "agon::store", error = %error::log_line(&error), "old sessions and records stay for another day");
        }
        wait = SWEEP;
    }
}

/// The name of this server among those of one database: the same after a restart.
fn server_name(data: &Path) -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let folder = data.canonicalize().unwrap_or_else(|_| data.to_owned());
    let digest = Sha256::digest(format!("{host}\n{}", folder.display()));
    format!("server-{}", catalog::record::hex(&digest[..4]))
}

fn service_config(config: &Config, store: &Store, launcher: Launcher) -> ServiceConfig {
    let idle_every = u64::try_from(config.idle_every_ms).unwrap_or(0);
    ServiceConfig {
        store: store.clone(),
        handle: tokio::runtime::Handle::current(),
        level: (!config.allow_weak_sandbox).then_some(Level::A),
        workers: config.workers.unwrap_or_else(contest::default_workers),
        build_cache: config.data.join("builds"),
        launcher,
        idle_every: if idle_every == 0 { NEVER } else { Duration::from_millis(idle_every) },
        name: if config.cluster.is_some() { server_name(&config.data) } else { "service".to_owned() },
        cluster: config.cluster.clone().map(|address| contest::ClusterConfig {
            address,
            level: if config.allow_weak_sandbox { Level::None } else { Level::A },
        }),
    }
}
