//! What all handlers share.

use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::Arc;

use contest::Hall;
use store::Store;

use crate::admin::Job;
use crate::api::events::Hub;
use crate::api::{Followed, Shortly, SiteCache, Stories, Tables};
use crate::book::{Book, Contests};
use crate::guard::Guard;
use crate::{Config, Problem};

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
    /// Where matches are played.
    pub hall: Hall,
    /// Where the server listens.
    pub listens: SocketAddr,
    /// When the server was started.
    pub since: i64,
    /// The contests.
    pub book: Book,
    /// What does not change while the site runs.
    pub site: SiteCache,
    /// Answers that are the same for everybody, for a moment.
    pub shortly: Shortly,
    /// Games of persons.
    pub tables: Tables,
    /// Stories that were asked for lately.
    pub stories: Stories,
    /// What followers of matches were told last.
    pub followed: Followed,
    /// Where events come together.
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
    pub async fn contests(&self) -> Result<Arc<Contests>, Problem> {
        self.book.contests(&self.store).await
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
