//! The matches that are being played.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

/// A match that is being played by a worker of this service.
#[derive(Debug)]
pub(crate) struct Playing {
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

    pub(crate) fn playing(&self) -> Vec<Arc<Playing>> {
        self.all().values().cloned().collect()
    }

    pub(crate) fn shown(&self) -> Vec<LiveMatch> {
        self.all().values().map(|playing| playing.shown()).collect()
    }

    pub(crate) fn one(&self, match_id: MatchId) -> Option<(LiveMatch, Option<replay::Live>)> {
        self.all().get(&match_id).map(|playing| (playing.shown(), playing.live.clone()))
    }
}
