//! What all handlers share.

use std::ops::Deref;
use std::sync::Arc;

use store::Store;

use crate::Config;
use crate::guard::Guard;

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
    /// When the server was started.
    pub since: i64,
}

impl App {
    /// Puts the parts together.
    pub fn new(inner: Inner) -> App {
        App(Arc::new(inner))
    }
}

impl Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
