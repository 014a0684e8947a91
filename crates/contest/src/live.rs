//! The matches that are being played.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use model::MatchId;
use serde::Serialize;

use crate::events::{LadderRef, SeatRef};

/// The public part of a match that is being played.
#[derive(Clone, Debug, Serialize)]
pub struct LiveMatch {
    /// The match.
    pub match_id: MatchId,
    /// The ladder for which it counts.
    pub at: LadderRef,
    /// The players by seat.
    pub seats: Vec<SeatRef>,
    /// When it began.
    pub started: i64,
    /// Turns played so far.
    pub turn: u32,
    /// Whether the game has hidden information: then spectators see nothing before the end.
    pub hidden: bool,
}

/// A match that is being played.
#[derive(Debug)]
pub(crate) struct Playing {
    /// The worker or the server that plays it; `None` if a worker of this service does.
    pub(crate) by: Option<String>,
    /// When its last answers came from another machine, and the number of all its answers.
    pub(crate) heard: Mutex<(Instant, usize)>,
    pub(crate) match_id: MatchId,
    pub(crate) token: i64,
    pub(crate) at: LadderRef,
    pub(crate) seats: Vec<SeatRef>,
    pub(crate) started: i64,
    pub(crate) hidden: bool,
    /// The live view of spectators; `None` when the game has hidden information.
    pub(crate) live: Option<replay::Live>,
    pub(crate) turn: AtomicU32,
    /// Whether the match must be aborted because its lease is lost.
    pub(crate) lost: AtomicBool,
}

impl Playing {
    fn shown(&self) -> LiveMatch {
        LiveMatch {
            match_id: self.match_id,
            at: self.at.clone(),
            seats: self.seats.clone(),
            started: self.started,
            turn: self.turn.load(Ordering::Relaxed),
            hidden: self.hidden,
        }
    }
}

/// All running matches, by number.
#[derive(Default, Debug)]
pub(crate) struct Registry(Mutex<BTreeMap<MatchId, Arc<Playing>>>);

impl Registry {
    fn all(&self) -> MutexGuard<'_, BTreeMap<MatchId, Arc<Playing>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(&self, playing: &Arc<Playing>) {
        self.all().insert(playing.match_id, Arc::clone(playing));
    }

    pub(crate) fn remove(&self, match_id: MatchId) {
        self.all().remove(&match_id);
    }

    /// The matches that workers of this service play.
    pub(crate) fn playing(&self) -> Vec<Arc<Playing>> {
        self.all().values().filter(|playing| playing.by.is_none()).cloned().collect()
    }

    pub(crate) fn find(&self, match_id: MatchId) -> Option<Arc<Playing>> {
        self.all().get(&match_id).cloned()
    }

    /// Removes a match that another machine plays; its viewers get its record.
    pub(crate) fn remove_remote(&self, match_id: MatchId) {
        let mut all = self.all();
        if all.get(&match_id).is_some_and(|playing| playing.by.is_some()) {
            let playing = all.remove(&match_id);
            drop(all);
            if let Some(live) = playing.as_ref().and_then(|playing| playing.live.as_ref()) {
                live.finish(Vec::new(), None);
            }
        }
    }

    /// Removes matches of other machines that sent nothing for this time.
    pub(crate) fn forget_silent(&self, after: Duration) {
        let is_silent = |playing: &Playing| {
            let heard = playing.heard.lock().unwrap_or_else(PoisonError::into_inner).0;
            playing.by.is_some() && heard.elapsed() > after
        };
        self.all().retain(|_, playing| !is_silent(playing));
    }

    pub(crate) fn shown(&self) -> Vec<LiveMatch> {
        self.all().values().map(|playing| playing.shown()).collect()
    }

    pub(crate) fn one(&self, match_id: MatchId) -> Option<(LiveMatch, Option<replay::Live>)> {
        self.all().get(&match_id).map(|playing| (playing.shown(), playing.live.clone()))
    }
}
