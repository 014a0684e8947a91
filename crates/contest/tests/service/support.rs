//! A store in its own folder, a service on it, and users that submit bots.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use contest::{
    ContestService, Event, Final, GameLeagues, League, Leagues, PERMANENT, ServiceConfig, Settings, Stop,
};
use model::{BotId, ContestState, UserId, VersionId};
use serde_json::{Value, json};
use store::{Bot, NewContest, NewUser, NewVersion, Role, Store, Version, VersionState};
use tempfile::TempDir;
use testing::{Database, PATIENCE};
use tokio::runtime::Runtime;
use tokio::sync::broadcast;
use toolchain::Launcher;

/// The permanent contest.
pub(crate) const ARENA: i64 = 1;

pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64
}

/// The default league of a game.
pub(crate) fn league(game: &str, index: usize) -> League {
    Leagues::usual().of(game).unwrap().leagues[index].clone()
}

pub(crate) fn settings(game: &str, leagues: Vec<League>) -> Settings {
    let games = Leagues(vec![GameLeagues { game: game.into(), leagues }]);
    Settings { games, finals: Final { top: 4, matches: 2 }, ..Settings::default() }
}

/// A service on its own database, with the users that submit to it. The service stops before the runtime, also when a
/// test fails.
pub(crate) struct TestArena {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) service: Option<ContestService>,
    events: Option<broadcast::Receiver<Event>>,
    pub(crate) folder: TempDir,
    users: usize,
    contests: usize,
    /// The database on PostgreSQL, which lives as long as the arena.
    pub(crate) database: Option<Database>,
}

impl Drop for TestArena {
    fn drop(&mut self) {
        self.stop(Stop::Abort);
    }
}

impl TestArena {
    /// An arena for the test with this name, on PostgreSQL or on a small disk of PostgreSQL if the name says
    /// so; `None` when PostgreSQL is missing.
    pub(crate) fn new(name: &str) -> Option<TestArena> {
        let folder = testing::scratch();
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let database = match name.strip_suffix("_on_postgres") {
            Some(test) if test.contains("full_disk") => Some(Database::on_small_disk()?),
            Some(_) => Some(Database::create()?),
            None => None,
        };
        let url = match &database {
            None => format!("sqlite:{}", folder.path().join("agon.db").display()),
            Some(database) => database.url(),
        };
        let store = runtime.block_on(Store::open(&url, folder.path(), now())).unwrap();
        Some(TestArena {
            runtime,
            store,
            service: None,
            events: None,
            folder,
            users: 0,
            contests: 0,
            database,
        })
    }

    /// Replaces the settings of the permanent contest.
    pub(crate) fn standing_contest(&mut self, settings: &Settings) {
        settings.check().unwrap();
        let made = self.contest(PERMANENT, settings, None, None, ContestState::Running);
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

    /// Starts the service; it plays only needed matches unless `idle_every` is short.
    pub(crate) fn open(&mut self, workers: usize, idle_every: Duration) {
        let service = self.runtime.block_on(ContestService::start(self.config(workers, idle_every))).unwrap();
        self.events = Some(service.events());
        self.service = Some(service);
    }

    pub(crate) fn config(&self, workers: usize, idle_every: Duration) -> ServiceConfig {
        ServiceConfig {
            store: self.store.clone(),
            handle: self.runtime.handle().clone(),
            level: None,
            workers,
            build_cache: self.folder.path().join("builds"),
            launcher: Launcher::new(std::env::current_exe().unwrap()),
            idle_every,
            name: "test".into(),
            cluster: None,
        }
    }

    pub(crate) fn service(&self) -> &ContestService {
        self.service.as_ref().unwrap()
    }

    pub(crate) fn stop(&mut self, how: Stop) {
        if let Some(service) = self.service.take() {
            self.runtime.block_on(service.stop(how));
        }
    }

    /// Ends a test and checks that nothing is left over.
    pub(crate) fn close(mut self) {
        self.stop(Stop::Abort);
        let ratings = self.runtime.block_on(self.store.recompute(true, &|_, _| {})).unwrap();
        assert_eq!(ratings.different, 0, "{:?}", ratings.first);
        self.runtime.block_on(self.store.close());
    }

    /// A new user.
    pub(crate) fn user(&mut self) -> UserId {
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
        user_id: UserId,
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

    /// Submits a Python bot and activates it.
    pub(crate) fn submit(&self, user: UserId, game: &str, source: &str) -> Version {
        self.submit_to(ARENA, user, game, "Python", source, true)
    }

    /// Waits until a condition holds.
    #[track_caller]
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

    /// Waits until the maintenance task of the service has run completely: it starts two contests, one after the other.
    /// When the second one is running, the run that started the first one is over.
    pub(crate) fn maintained(&mut self) {
        let empty = Settings { games: Leagues(Vec::new()), ..Settings::default() };
        for key in ["first", "second"] {
            self.contests += 1;
            let key = format!("{key}-{}", self.contests);
            let contest = self.contest(&key, &empty, None, None, ContestState::Planned);
            self.until("the contest starts", async |store| {
                let contest = store.contest(contest).await.unwrap();
                contest.filter(|contest| contest.state == ContestState::Running)
            });
        }
    }

    /// Waits until the build of a version has ended.
    pub(crate) fn built(&self, version: VersionId) -> Version {
        self.until("built", async |store| {
            let found = store.version(version).await.unwrap().unwrap();
            matches!(found.state, VersionState::Ready | VersionState::Failed).then_some(found)
        })
    }

    pub(crate) fn bot(&self, id: BotId) -> Bot {
        self.runtime.block_on(self.store.bot(id)).unwrap().unwrap()
    }

    /// The kinds and data of a user's notices, the newest first.
    pub(crate) fn notices(&self, user: UserId) -> Vec<(String, Value)> {
        let notices = self.runtime.block_on(self.store.notices(user, None, 50)).unwrap();
        notices.into_iter().map(|notice| (notice.kind, notice.data)).collect()
    }

    /// The events since the last call.
    pub(crate) fn events(&mut self) -> Vec<Event> {
        let mut told = Vec::new();
        while let Ok(event) = self.events.as_mut().unwrap().try_recv() {
            told.push(event);
        }
        told
    }
}
