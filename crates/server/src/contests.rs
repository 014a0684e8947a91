//! Lookups in the contests that answer with an error of the API.

use std::sync::Arc;

pub use contest::{ContestEntry, Contests};
use contest::{GameLeagues, League, PERMANENT};
use model::Tier;

use crate::ApiError;

/// Games and leagues of a contest.
pub(crate) trait LeagueLookup {
    /// The leagues of a game.
    fn game(&self, game: &str) -> Result<&GameLeagues, ApiError>;

    /// The league of a tier of a game.
    fn league(&self, game: &str, tier: Tier) -> Result<&League, ApiError>;
}

impl LeagueLookup for ContestEntry {
    fn game(&self, game: &str) -> Result<&GameLeagues, ApiError> {
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

    fn league(&self, game: &str, tier: Tier) -> Result<&League, ApiError> {
        let leagues = self.game(game)?;
        leagues.league(tier).ok_or_else(|| {
            ApiError::new(
                axum::http::StatusCode::NOT_FOUND,
                "no_league",
                format!("{game} has no tier {tier}"),
                format!("choose one from 0 to {}", leagues.leagues.len() - 1),
            )
        })
    }
}

/// Contests by their keys.
pub(crate) trait ContestLookup {
    /// The contest of a key; the permanent one if no key is given.
    fn by_key(&self, key: Option<&str>) -> Result<&Arc<ContestEntry>, ApiError>;
}

impl ContestLookup for Contests {
    fn by_key(&self, key: Option<&str>) -> Result<&Arc<ContestEntry>, ApiError> {
        self.find(key.unwrap_or(PERMANENT)).ok_or_else(|| ApiError::not_found("contest"))
    }
}
