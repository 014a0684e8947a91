//! What all handlers share.

use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::Arc;

use contest::ContestService;
use store::Store;

use crate::admin::Job;
use crate::api::events::Hub;
use crate::api::{HumanGames, LiveCache, ReplayCache, ResponseCache, SiteCache};
use crate::contests::Contests;
use crate::guard::Guard;
use crate::{ApiError, Config};

/// What all handlers share. Clones are cheap.
#[derive(Clone, Debug)]
pub struct App(Arc<Inner>);

/// The parts of an [`App`].
#[derive(Debug)]
pub struct Inner {
    /// The settings.
    pub config: Config,
    /// What is kept.
    pub store: Store,
    /// What stands before every request.
    pub guard: Guard,
    /// LadderRef matches are played.
    pub service: ContestService,
    /// LadderRef the server listens.
    pub listens: SocketAddr,
    /// When the server was started.
    pub since: i64,
    /// What does not change while the site runs.
    pub site: SiteCache,
    /// Answers that are the same for everybody, for a moment.
    pub responses: ResponseCache,
    /// Games of persons.
    pub human_games: HumanGames,
    /// ReplayCache that were asked for lately.
    pub replay_cache: ReplayCache,
    /// What followers of matches were told last.
    pub live_cache: LiveCache,
    /// LadderRef events come together.
    pub hub: Hub,
    /// The ratings, computed again.
    pub recompute: Job,
}

impl App {
    /// Puts the parts together.
    pub fn new(inner: Inner) -> App {
        App(Arc::new(inner))
    }

    /// The contests, at most two seconds old.
    ///
    /// # Errors
    ///
    /// When the store does not answer.
    pub async fn contests(&self) -> Result<Arc<Contests>, ApiError> {
        Ok(self.service.contests().await?)
    }

    /// The address of the site as visitors type it, without a slash at the end.
    pub fn address(&self) -> String {
        match &self.config.public_url {
            Some(url) => url.origin.clone(),
            None => format!("http://{}", self.listens),
        }
    }
}

impl Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
