//! A store in a folder of its own, a service in it, and people who submit.

use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use contest::{
    ContestService, Event, Final, GameLeagues, League, Leagues, STANDING, ServiceConfig, Settings, Stop,
};
use serde_json::{Value, json};
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Executor as _};
use store::{Bot, ContestState, NewContest, NewUser, NewVersion, Role, Store, Version, VersionState};
use tokio::runtime::Runtime;
use tokio::sync::broadcast;

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_mins(1);
/// The standing contest.
pub(crate) const ARENA: i64 = 1;

pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64
}

/// The usual league of a game.
pub(crate) fn league(game: &str, index: usize) -> League {
    Leagues::usual().of(game).unwrap().leagues[index].clone()
}

pub(crate) fn settings(game: &str, leagues: Vec<League>) -> Settings {
    let games = Leagues(vec![GameLeagues { game: game.into(), leagues }]);
    Settings { games, finals: Final { top: 4, matches: 2 }, ..Settings::default() }
}

/// Everything a test needs.
pub(crate) struct House {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) service: Option<ContestService>,
    events: Option<broadcast::Receiver<Event>>,
    folder: PathBuf,
    users: usize,
    /// The server and the name of the database, on PostgreSQL.
    database: Option<(String, String)>,
}

impl House {
    /// A house for a test of this name; none where there is no database to build it on.
    pub(crate) fn new(name: &str) -> Option<House> {
        let folder =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("service-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let database = if name.ends_with("_on_postgres") {
            let Ok(server) = std::env::var("AGON_TEST_POSTGRES") else {
                println!("passed over: AGON_TEST_POSTGRES names no PostgreSQL server");
                return None;
            };
            let name = format!("agon_hall_{}_{}", std::process::id(), name.len());
            runtime.block_on(ask(&server, &format!("CREATE DATABASE {name}")));
            Some((server, name))
        } else {
            None
        };
        let url = match &database {
            None => format!("sqlite:{}", folder.join("agon.db").display()),
            Some((server, name)) => {
                let (before, query) = server.split_once('?').unwrap_or((server, ""));
                format!("{}/{name}?{query}", before.rsplit_once('/').unwrap().0)
            }
        };
        let store = runtime.block_on(Store::open(&url, &folder, now())).unwrap();
        Some(House { runtime, store, service: None, events: None, folder, users: 0, database })
    }

    /// Makes the standing contest one of few leagues.
    pub(crate) fn arena(&mut self, settings: &Settings) {
        settings.check().unwrap();
        let made = self.contest(STANDING, settings, None, None, ContestState::Running);
        assert_eq!(made, ARENA);
    }

    pub(crate) fn contest(
        &mut self,
        key: &str,
        settings: &Settings,
        starts: Option<i64>,
        ends: Option<i64>,
        state: ContestState,
    ) -> i64 {
        let new = NewContest {
            key: key.into(),
            title: key.into(),
            starts,
            ends,
            invited_only: false,
            settings: json!(settings),
            state,
        };
        self.runtime.block_on(self.store.create_contest(&new, now())).unwrap().id
    }

    /// Opens the service; it plays for need only unless `idle_every` is short.
    pub(crate) fn open(&mut self, workers: usize, idle_every: Duration) {
        let config = ServiceConfig {
            store: self.store.clone(),
            handle: self.runtime.handle().clone(),
            level: None,
            workers,
            workshop: self.folder.join("workshop"),
            idle_every,
            name: "test".into(),
        };
        let service = self.runtime.block_on(ContestService::start(config)).unwrap();
        self.events = Some(service.events());
        self.service = Some(service);
    }

    pub(crate) fn service(&self) -> &ContestService {
        self.service.as_ref().unwrap()
    }

    pub(crate) fn stop(&mut self, how: Stop) {
        if let Some(service) = self.service.take() {
            self.runtime.block_on(service.stop(how));
        }
    }

    /// The end of a test: nothing is left over.
    pub(crate) fn close(mut self) {
        self.stop(Stop::Abort);
        let ratings = self.runtime.block_on(self.store.recompute(true, &|_, _| {})).unwrap();
        assert_eq!(ratings.different, 0, "{:?}", ratings.first);
        if let Some((server, name)) = &self.database {
            self.runtime.block_on(ask(server, &format!("DROP DATABASE {name} WITH (FORCE)")));
        }
        drop(self.runtime);
        let _ = std::fs::remove_dir_all(&self.folder);
    }

    /// A new user.
    pub(crate) fn user(&mut self) -> i64 {
        self.users += 1;
        let name = format!("user{}", self.users);
        let new = NewUser {
            name,
            email: None,
            password: "x".into(),
            role: Role::Player,
            lang: "en".into(),
            must_change: false,
        };
        self.runtime.block_on(self.store.create_user(&new, now())).unwrap().id
    }

    pub(crate) fn submit_to(
        &self,
        contest_id: i64,
        user_id: i64,
        game: &str,
        language: &str,
        source: &str,
        activate: bool,
    ) -> Version {
        let new = NewVersion {
            contest_id,
            game: game.into(),
            user_id,
            language: language.into(),
            source: source.into(),
            activate,
        };
        let version = self.runtime.block_on(self.store.submit(&new, now())).unwrap();
        if let Some(service) = &self.service {
            service.wake();
        }
        version
    }

    /// A Python bot, which is to play.
    pub(crate) fn submit(&self, user: i64, game: &str, source: &str) -> Version {
        self.submit_to(ARENA, user, game, "Python", source, true)
    }

    /// Waits until something is so.
    pub(crate) fn until<T>(&self, what: &str, mut look: impl AsyncFnMut(&Store) -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            if let Some(found) = self.runtime.block_on(look(&self.store)) {
                return found;
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "{what}: {:?}",
                self.service.as_ref().map(ContestService::status)
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until a version is built, or is not.
    pub(crate) fn built(&self, version: i64) -> Version {
        self.until("built", async |store| {
            let found = store.version(version).await.unwrap().unwrap();
            matches!(found.state, VersionState::Ready | VersionState::Failed).then_some(found)
        })
    }

    pub(crate) fn bot(&self, id: i64) -> Bot {
        self.runtime.block_on(self.store.bot(id)).unwrap().unwrap()
    }

    /// The kinds and data of a user's notices, the newest first.
    pub(crate) fn notices(&self, user: i64) -> Vec<(String, Value)> {
        let notices = self.runtime.block_on(self.store.notices(user, None, 50)).unwrap();
        notices.into_iter().map(|notice| (notice.kind, notice.data)).collect()
    }

    /// What was told since the last time.
    pub(crate) fn events(&mut self) -> Vec<Event> {
        let mut told = Vec::new();
        while let Ok(event) = self.events.as_mut().unwrap().try_recv() {
            told.push(event);
        }
        told
    }
}

/// One statement on a PostgreSQL server.
async fn ask(server: &str, statement: &str) {
    sqlx::any::install_default_drivers();
    let mut admin = AnyConnection::connect(server).await.unwrap();
    admin.execute(AssertSqlSafe(statement.to_owned())).await.unwrap();
}
