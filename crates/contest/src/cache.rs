//! The contests and their settings, cached for all readers ([`ContestCache`]), and the ladders and bosses of open
//! contests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use model::{ContestState, LadderKind, Settings, Tier, VersionId};
use store::{Contest, Ladder, NewContest, Store};

/// The key of the permanent contest, which never ends.
pub const PERMANENT: &str = "arena";

/// The maximum age of the cached contests.
const FRESH: Duration = Duration::from_secs(2);

/// A contest with its settings.
#[derive(Clone, Debug)]
pub struct ContestEntry {
    /// The contest as it is stored.
    pub contest: Contest,
    /// Its games and leagues.
    pub settings: Settings,
}

/// All contests at one moment.
#[derive(Clone, Default, Debug)]
pub struct Contests {
    entries: Vec<Arc<ContestEntry>>,
    /// Why contests are missing: the errors in their settings.
    unreadable: Vec<String>,
}

impl Contests {
    /// All contests, the standing one first.
    pub fn all(&self) -> &[Arc<ContestEntry>] {
        &self.entries
    }

    /// The contest with this number.
    pub fn by_id(&self, id: i64) -> Option<&Arc<ContestEntry>> {
        self.entries.iter().find(|entry| entry.contest.id == id)
    }

    /// The contest with this key.
    pub fn find(&self, key: &str) -> Option<&Arc<ContestEntry>> {
        self.entries.iter().find(|entry| entry.contest.key == key)
    }

    /// The key of a contest; empty when the contest is not known.
    pub fn key_of(&self, id: i64) -> String {
        self.by_id(id).map_or_else(String::new, |entry| entry.contest.key.clone())
    }
}

/// The contests and the time when they were read.
#[derive(Default, Debug)]
pub struct ContestCache {
    read: Mutex<Option<(Instant, Arc<Contests>)>>,
}

impl ContestCache {
    /// The contests, at most two seconds old.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn contests(&self, store: &Store) -> store::Result<Arc<Contests>> {
        let last = self.last().filter(|(read, _)| read.elapsed() < FRESH);
        match last {
            Some((_, contests)) => Ok(contests),
            None => self.refresh(store).await,
        }
    }

    /// Reads the contests now. The settings of a contest that has not changed are not parsed again.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn refresh(&self, store: &Store) -> store::Result<Arc<Contests>> {
        let last = self.last().map(|(_, contests)| contests).unwrap_or_default();
        let mut contests = Contests::default();
        for contest in store.contests().await? {
            match last.by_id(contest.id).filter(|entry| entry.contest == contest) {
                Some(entry) => contests.entries.push(Arc::clone(entry)),
                None => match serde_json::from_value(contest.settings.clone()) {
                    Ok(settings) => contests.entries.push(Arc::new(ContestEntry { contest, settings })),
                    Err(error) => {
                        let key = &contest.key;
                        contests
                            .unreadable
                            .push(format!("contest {key} has settings that cannot be read: {error}"));
                    }
                },
            }
        }
        let contests = Arc::new(contests);
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((Instant::now(), Arc::clone(&contests)));
        Ok(contests)
    }

    /// Invalidates the cache: the next reader reads the store.
    pub fn forget(&self) {
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn last(&self) -> Option<(Instant, Arc<Contests>)> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A ladder and the number of its placement matches.
#[derive(Clone, Debug)]
pub(crate) struct RatedLadder {
    pub(crate) ladder: Ladder,
    pub(crate) placement: u32,
}

/// A contest that is running or in its final.
#[derive(Debug)]
pub(crate) struct OpenContest {
    pub(crate) entry: Arc<ContestEntry>,
    /// The ladders of its leagues.
    pub(crate) ladders: Vec<RatedLadder>,
    /// The trials of its first leagues.
    pub(crate) trials: Vec<Ladder>,
    /// The version of each boss, by game and tier.
    bosses: BTreeMap<(String, Tier), VersionId>,
}

impl OpenContest {
    pub(crate) fn boss(&self, game: &str, tier: Tier) -> Option<VersionId> {
        self.bosses.get(&(game.to_owned(), tier)).copied()
    }

    pub(crate) fn is_running(&self) -> bool {
        self.entry.contest.state == ContestState::Running
    }
}

/// All open contests.
#[derive(Default, Debug)]
pub(crate) struct OpenContests(Mutex<BTreeMap<i64, Arc<OpenContest>>>);

impl OpenContests {
    pub(crate) fn all(&self) -> Vec<Arc<OpenContest>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    pub(crate) fn get(&self, contest: i64) -> Option<Arc<OpenContest>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&contest).cloned()
    }

    /// Reads the contests again. Ladders and built-in bots of a new contest are created. A contest that cannot be
    /// played is left out; the reasons are returned.
    pub(crate) async fn read(
        &self,
        cache: &ContestCache,
        store: &Store,
        now: i64,
    ) -> store::Result<Vec<String>> {
        let contests = cache.refresh(store).await?;
        let mut troubles = contests.unreadable.clone();
        let mut open_contests = BTreeMap::new();
        for entry in contests.all() {
            if matches!(entry.contest.state, ContestState::Planned | ContestState::Closed) {
                continue;
            }
            let known = self.get(entry.contest.id).filter(|open| open.entry.settings == entry.settings);
            let open = match known {
                Some(open) if Arc::ptr_eq(&open.entry, entry) => open,
                Some(open) => Arc::new(OpenContest {
                    entry: Arc::clone(entry),
                    ladders: open.ladders.clone(),
                    trials: open.trials.clone(),
                    bosses: open.bosses.clone(),
                }),
                None => match entry.settings.check() {
                    Ok(()) => Arc::new(open_contest(store, entry, now).await?),
                    Err(error) => {
                        troubles.push(format!("contest {} cannot be played: {error}", entry.contest.key));
                        continue;
                    }
                },
            };
            open_contests.insert(entry.contest.id, open);
        }
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = open_contests;
        Ok(troubles)
    }
}

/// The permanent contest; it is created if it does not exist.
pub(crate) async fn ensure_permanent(store: &Store, now: i64) -> store::Result<Contest> {
    let new = NewContest {
        key: PERMANENT.to_owned(),
        title: "Arena".to_owned(),
        starts: None,
        ends: None,
        invited_only: false,
        settings: serde_json::json!(Settings::default()),
        state: ContestState::Running,
    };
    store.ensure_contest(&new, now).await
}

/// Creates the ladders and the built-in bots of a contest that do not exist yet.
async fn open_contest(store: &Store, entry: &Arc<ContestEntry>, now: i64) -> store::Result<OpenContest> {
    let contest = &entry.contest;
    let (mut ladders, mut trials, mut bosses) = (Vec::new(), Vec::new(), BTreeMap::new());
    for leagues in &entry.settings.games.0 {
        let game = &leagues.game;
        for (tier, league) in leagues.tiers() {
            for &players in &league.players {
                let kind = if league.has_ladders() { LadderKind::Ladder } else { LadderKind::Trial };
                let ladder = store.ensure_ladder(contest.id, game, tier, i64::from(players), kind).await?;
                if league.has_ladders() {
                    ladders.push(RatedLadder { ladder, placement: league.placement });
                } else {
                    trials.push(ladder);
                }
            }
            for built_in in league.built_in() {
                let title = model::title_of(game, built_in);
                let bot = store.ensure_built_in_bot(contest.id, game, built_in, title, tier, now).await?;
                if let Some(version) = bot.active_version.filter(|_| built_in == league.boss) {
                    bosses.insert((game.clone(), tier), version);
                }
            }
        }
    }
    Ok(OpenContest { entry: Arc::clone(entry), ladders, trials, bosses })
}
