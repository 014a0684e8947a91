//! The contests that are on, with their leagues, ladders and bosses: read from the store now and then, looked up all the time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use model::VersionId;
use serde_json::Value;
use store::{Contest, ContestState, Ladder, LadderKind, NewContest, Store};

use crate::{GameLeagues, Settings};

/// The key of the standing contest, which is always on.
pub const STANDING: &str = "arena";

/// A ladder and what belongs to it.
#[derive(Clone, Debug)]
pub(crate) struct RatedLadder {
    pub(crate) ladder: Ladder,
    pub(crate) placement: u32,
}

/// A contest that is on.
#[derive(Debug)]
pub(crate) struct OpenContest {
    pub(crate) contest: Contest,
    pub(crate) settings: Settings,
    /// The ladders of its leagues.
    pub(crate) ladders: Vec<RatedLadder>,
    /// The trials of its first leagues.
    pub(crate) trials: Vec<Ladder>,
    /// The version of each boss, by game and league.
    bosses: BTreeMap<(String, i64), VersionId>,
}

impl OpenContest {
    pub(crate) fn boss(&self, game: &str, league: i64) -> Option<VersionId> {
        self.bosses.get(&(game.to_owned(), league)).copied()
    }

    pub(crate) fn is_running(&self) -> bool {
        self.contest.state == ContestState::Running
    }
}

/// All contests that are on.
#[derive(Default, Debug)]
pub(crate) struct ContestCache {
    open_contests: Mutex<BTreeMap<i64, Arc<OpenContest>>>,
}

impl ContestCache {
    pub(crate) fn open_contests(&self) -> Vec<Arc<OpenContest>> {
        self.open_contests.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    pub(crate) fn open(&self, contest: i64) -> Option<Arc<OpenContest>> {
        self.open_contests.lock().unwrap_or_else(PoisonError::into_inner).get(&contest).cloned()
    }

    /// Reads the contests again. What a new one needs (ladders, built-in bots) is made; one that cannot be played is passed over,
    /// and why is told.
    pub(crate) async fn read(&self, store: &Store, now: i64) -> store::Result<Vec<String>> {
        let mut troubles = Vec::new();
        let mut open_contests = BTreeMap::new();
        for contest in store.contests().await? {
            if matches!(contest.state, ContestState::Planned | ContestState::Closed) {
                continue;
            }
            let known = self.open(contest.id).filter(|open| open.contest.settings == contest.settings);
            let open = match known {
                Some(open) if open.contest.state == contest.state && open.contest.ends == contest.ends => {
                    open
                }
                Some(open) => Arc::new(OpenContest {
                    contest,
                    settings: open.settings.clone(),
                    ladders: open.ladders.clone(),
                    trials: open.trials.clone(),
                    bosses: open.bosses.clone(),
                }),
                None => match read_settings(&contest.settings) {
                    Ok(settings) => Arc::new(open_contest(store, contest, settings, now).await?),
                    Err(why) => {
                        troubles.push(format!("contest {} cannot be played: {why}", contest.key));
                        continue;
                    }
                },
            };
            open_contests.insert(open.contest.id, open);
        }
        *self.open_contests.lock().unwrap_or_else(PoisonError::into_inner) = open_contests;
        Ok(troubles)
    }
}

fn read_settings(settings: &Value) -> Result<Settings, String> {
    let settings: Settings = serde_json::from_value(settings.clone()).map_err(|error| error.to_string())?;
    settings.check().map_err(|error| error.to_string())?;
    Ok(settings)
}

/// The standing contest, made if it is not there yet.
pub(crate) async fn ensure_standing(store: &Store, now: i64) -> store::Result<Contest> {
    let new = NewContest {
        key: STANDING.to_owned(),
        title: "Arena".to_owned(),
        starts: None,
        ends: None,
        invited_only: false,
        settings: serde_json::json!(Settings::default()),
        state: ContestState::Running,
    };
    store.ensure_contest(&new, now).await
}

/// Makes the ladders and the built-in bots of a contest, as far as they are not there yet.
async fn open_contest(
    store: &Store,
    contest: Contest,
    settings: Settings,
    now: i64,
) -> store::Result<OpenContest> {
    let (mut ladders, mut trials, mut bosses) = (Vec::new(), Vec::new(), BTreeMap::new());
    for GameLeagues { game, leagues } in &settings.games.0 {
        for (league, index) in leagues.iter().zip(0_i64..) {
            for &players in &league.players {
                let kind = if league.has_ladders() { LadderKind::Ladder } else { LadderKind::Trial };
                let ladder = store.ensure_ladder(contest.id, game, index, i64::from(players), kind).await?;
                if league.has_ladders() {
                    ladders.push(RatedLadder { ladder, placement: league.placement });
                } else {
                    trials.push(ladder);
                }
            }
            for built_in in league.built_in() {
                let bot = store.ensure_built_in_bot(contest.id, game, built_in, index, now).await?;
                if let Some(version) = bot.active_version.filter(|_| built_in == league.boss) {
                    bosses.insert((game.clone(), index), version);
                }
            }
        }
    }
    Ok(OpenContest { contest, settings, ladders, trials, bosses })
}
