//! The state that all handlers share.

use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::Arc;

use contest::ContestService;
use store::Store;

use crate::admin::Job;
use crate::api::events::Hub;
use crate::api::{HumanGames, LiveCache, Pictures, ReplayCache, ResponseCache, Reviews, SiteCache};
use crate::contests::Contests;
use crate::guard::Guard;
use crate::{ApiError, Config};

/// The state that all handlers share. Clones are cheap.
#[derive(Clone, Debug)]
pub struct App(Arc<Inner>);

/// The parts of an [`App`].
#[derive(Debug)]
pub struct Inner {
    /// The settings.
    pub config: Config,
    /// The database.
    pub store: Store,
    /// The checks before every request.
    pub guard: Guard,
    /// Plays the matches.
    pub service: ContestService,
    /// The address the server listens at.
    pub listens: SocketAddr,
    /// When the server was started.
    pub since: i64,
    /// Data that does not change while the site runs.
    pub site: SiteCache,
    /// Answers that are the same for every client, kept for two seconds.
    pub responses: ResponseCache,
    /// Games of persons.
    pub human_games: HumanGames,
    /// Analyses and bots on recorded turns.
    pub reviews: Reviews,
    /// Pictures that were asked for lately.
    pub pictures: Pictures,
    /// Replays that were asked for lately.
    pub replay_cache: ReplayCache,
    /// The last answers to clients that follow matches.
    pub live_cache: LiveCache,
    /// Distributes events.
    pub hub: Hub,
    /// The job that computes all ratings again.
    pub recompute: Job,
    /// The secret of this arena with which the networks of new accounts are stored.
    pub network_key: String,
}

impl App {
    /// Makes the state from its parts.
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
