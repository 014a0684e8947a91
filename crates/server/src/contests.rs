//! The contests, read from the store at most every two seconds and shared by all requests.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use contest::{GameLeagues, League, STANDING, Settings};
use store::{Contest, Store};

use crate::ApiError;
use crate::error::log_line;

/// A change of a contest is seen by everybody after this time.
const FRESH: Duration = Duration::from_secs(2);

/// A contest and its settings.
#[derive(Clone, Debug)]
pub struct ContestEntry {
    /// As it is stored.
    pub contest: Contest,
    /// Its games and leagues.
    pub settings: Settings,
}

impl ContestEntry {
    /// The leagues of a game.
    pub(crate) fn game(&self, game: &str) -> Result<&GameLeagues, ApiError> {
        self.settings.games.of(game).ok_or_else(|| {
            let names: Vec<&str> = self.settings.games.0.iter().map(|of| of.game.as_str()).collect();
            ApiError::new(
                axum::http::StatusCode::NOT_FOUND,
                "no_game",
                format!(
                    "{} is not played in {}",
                    game::quote(game.as_bytes()),
                    game::text::safe_line(&self.contest.key, 60)
                ),
                format!("choose one of: {}", names.join(", ")),
            )
        })
    }

    /// A league of a game.
    pub(crate) fn league(&self, game: &str, index: i64) -> Result<&League, ApiError> {
        let leagues = self.game(game)?;
        leagues.league(index).ok_or_else(|| {
            ApiError::new(
                axum::http::StatusCode::NOT_FOUND,
                "no_league",
                format!("{game} has no league {index}"),
                format!("choose one from 0 to {}", leagues.leagues.len() - 1),
            )
        })
    }
}

/// All contests at a time.
#[derive(Clone, Default, Debug)]
pub struct Contests(Vec<Arc<ContestEntry>>);

impl Contests {
    /// All of them, the standing one first.
    pub fn all(&self) -> &[Arc<ContestEntry>] {
        &self.0
    }

    /// By its number.
    pub fn by_id(&self, id: i64) -> Option<&Arc<ContestEntry>> {
        self.0.iter().find(|known| known.contest.id == id)
    }

    /// By its key; the standing one where none is named.
    ///
    /// # Errors
    ///
    /// When there is none of this key.
    pub fn by_key(&self, key: Option<&str>) -> Result<&Arc<ContestEntry>, ApiError> {
        let key = key.unwrap_or(STANDING);
        self.0.iter().find(|known| known.contest.key == key).ok_or_else(|| ApiError::not_found("contest"))
    }

    /// The key of a contest.
    pub(crate) fn key_of(&self, id: i64) -> String {
        self.by_id(id).map_or_else(String::new, |known| known.contest.key.clone())
    }
}

/// The contests and when they were read.
#[derive(Default, Debug)]
pub struct ContestCache {
    read: Mutex<Option<(Instant, Arc<Contests>)>>,
}

impl ContestCache {
    /// The contests, at most two seconds old.
    ///
    /// # Errors
    ///
    /// When the store does not answer.
    pub async fn contests(&self, store: &Store) -> Result<Arc<Contests>, ApiError> {
        if let Some((read, contests)) = &*self.read.lock().unwrap_or_else(PoisonError::into_inner)
            && read.elapsed() < FRESH
        {
            return Ok(Arc::clone(contests));
        }
        let contests = Arc::new(Contests(store.contests().await?.into_iter().filter_map(known).collect()));
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((Instant::now(), Arc::clone(&contests)));
        Ok(contests)
    }

    /// Forgets the contests: the next request reads them again.
    pub fn forget(&self) {
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

fn known(contest: Contest) -> Option<Arc<ContestEntry>> {
    match serde_json::from_value(contest.settings.clone()) {
        Ok(settings) => Some(Arc::new(ContestEntry { contest, settings })),
        Err(error) => {
            tracing::error!(target: "agon::server", contest = %log_line(&contest.key), error = %log_line(&error), "the settings of a contest cannot be read");
            None
        }
    }
}
