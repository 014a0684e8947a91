//! Short work for visitors, such as an analysis or a bot on a recorded turn. A worker does it between two matches, on its own
//! cores: so it never disturbs the clock of a match that is being played.

use std::collections::VecDeque;
use std::sync::Mutex;

use play::Pinned;
use sandbox::{Limits, Program, Sandbox};
use store::LeasedSeat;
use tokio::sync::oneshot;
use toolchain::{Hold, How};

use crate::service::{ContestService, Inner, lock};

/// Most works that wait.
const MOST: usize = 8;

type Work = Box<dyn FnOnce(&Station<'_>) + Send>;

/// The works that wait for a worker, the oldest first.
#[derive(Default)]
pub(crate) struct Waiting(Mutex<VecDeque<Work>>);

/// Why work was not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotDone {
    /// Too many works wait.
    #[error("too many visitors wait for such work")]
    Full,
    /// This service has no workers.
    #[error("this server plays no matches")]
    NoWorkers,
    /// The service stops, or the work failed.
    #[error("the work was broken off")]
    BrokenOff,
}

/// A worker between two matches.
pub struct Station<'a> {
    inner: &'a Inner,
    /// The sandbox of bots.
    pub sandbox: &'a Sandbox,
    /// The cores of this worker.
    pub cores: &'a [usize],
}

impl std::fmt::Debug for Station<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Station").field("cores", &self.cores).finish_non_exhaustive()
    }
}

impl Station<'_> {
    /// The program of a version, built if necessary; the second value keeps it on disk.
    ///
    /// # Errors
    ///
    /// When it cannot be made ready, or it is a built-in bot.
    pub fn program(&self, seat: &LeasedSeat) -> Result<(Program, Option<Hold>), String> {
        let (bot, hold) = self.inner.prepare(self.sandbox, seat)?;
        match bot.how {
            How::Program(program) => Ok((program, hold)),
            How::Builtin(_) => Err("it is a built-in bot".to_owned()),
        }
    }

    /// The limits of a bot on the cores of this worker.
    pub fn limits(&self) -> Limits {
        Limits { cores: self.cores.to_vec(), ..Limits::BOT }
    }
}

impl Inner {
    /// Does the oldest work that waits. Returns whether there was one.
    pub(crate) fn work_between(&self, sandbox: &Sandbox, cores: &[usize]) -> bool {
        let Some(work) = lock(&self.between.0).pop_front() else { return false };
        let _pinned = Pinned::to(cores);
        let station = Station { inner: self, sandbox, cores };
        // A panic in the work of a visitor must not end the worker; the visitor gets an error.
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&station)));
        if done.is_err() {
            self.trouble("work for a visitor panicked".to_owned());
        }
        true
    }
}

impl ContestService {
    /// Does short work on a worker, between two matches. The caller bounds its time.
    ///
    /// # Errors
    ///
    /// When too many works wait, there are no workers, or the service stops.
    pub async fn between_matches<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Station<'_>) -> T + Send + 'static,
    ) -> Result<T, NotDone> {
        let inner = self.inner();
        if lock(&inner.workers).is_empty() {
            return Err(NotDone::NoWorkers);
        }
        let (done, result) = oneshot::channel();
        {
            let mut waiting = lock(&inner.between.0);
            if waiting.len() >= MOST || inner.stops() {
                return Err(if inner.stops() { NotDone::BrokenOff } else { NotDone::Full });
            }
            waiting.push_back(Box::new(move |station| {
                // Nobody needs work whose visitor has gone.
                if !done.is_closed() {
                    let _ = done.send(work(station));
                }
            }));
        }
        inner.wake();
        result.await.map_err(|_| NotDone::BrokenOff)
    }
}
