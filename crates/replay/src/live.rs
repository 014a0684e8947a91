//! A match that is shown while it is played.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use catalog::AnyGame;
use catalog::record::Header;
use game::{Seat, Selected};
use tokio::sync::watch;

use crate::ReplayError;
use crate::replayer::{AnswerMeta, Replayer, header_of};
use crate::wire::{Replay, ReplayDelta, ReplayEnd, Step};

/// A match that is being played: one thread adds its answers, any number of pages follow it. Clones share it.
#[derive(Clone, Debug)]
pub struct Live {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    record_header: Header,
    state: Mutex<State>,
    /// Sends a notice after every change.
    changes: watch::Sender<()>,
}

#[derive(Debug)]
struct State {
    replayer: Replayer,
    replay: Replay,
}

impl Live {
    /// A match before its first answer. `names` are those of the players, `again` is the command that plays
    /// the match again.
    ///
    /// # Errors
    ///
    /// When the rules cannot be played.
    pub fn new(
        game: &dyn AnyGame,
        selected: Selected,
        seed: i64,
        names: &[String],
        again: Option<String>,
    ) -> Result<Live, ReplayError> {
        let record_header = header_of(game, selected, seed);
        let (replayer, start) = Replayer::new(&record_header, None)?;
        let header = replayer.header(&record_header, names, again, None);
        let end = replayer.end();
        let replay = Replay { header, steps: vec![start], done: false, attempt: 0, end };
        let shared = Shared {
            record_header,
            state: Mutex::new(State { replayer, replay }),
            changes: watch::Sender::new(()),
        };
        Ok(Live { shared: Arc::new(shared) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an answer; `line` is `None` if no answer came in time.
    pub fn answered(&self, seat: Seat, line: Option<&[u8]>, meta: &AnswerMeta) {
        let mut state = self.state();
        match state.replayer.answer(seat, line, meta) {
            Ok(step) => state.replay.steps.extend(step),
            Err(error) => {
                state.replay.end.trouble.get_or_insert(error.to_string());
            }
        }
        drop(state);
        self.shared.changes.send_replace(());
    }

    /// Restarts the replay, because the match is played again from its start.
    pub fn restart(&self) {
        let mut state = self.state();
        if let Ok((replayer, start)) = Replayer::new(&self.shared.record_header, None) {
            state.replayer = replayer;
            state.replay.steps = vec![start];
            state.replay.attempt += 1;
        }
        drop(state);
        self.shared.changes.send_replace(());
    }

    /// Ends the replay. `causes` say why players lost by their own fault, by seat.
    pub fn finish(&self, causes: Vec<Option<String>>, trouble: Option<String>) {
        let mut state = self.state();
        let end = state.replayer.end();
        state.replay.end = ReplayEnd { causes, trouble, ..end };
        state.replay.done = true;
        drop(state);
        self.shared.changes.send_replace(());
    }

    /// The replay so far.
    pub fn replay(&self) -> Replay {
        self.state().replay.clone()
    }

    /// The progress: the attempt, the number of steps, whether the match has ended. It differs after every change.
    pub fn reach(&self) -> (u32, usize, bool) {
        let state = self.state();
        (state.replay.attempt, state.replay.steps.len(), state.replay.done)
    }

    /// The last turn that was played; 0 before the first one.
    pub fn turn(&self) -> u32 {
        self.state().replay.steps.last().map_or(0, |step| step.turn)
    }

    /// The steps from `from` on, if there are any or the match has ended. A page that followed another attempt gets
    /// all steps.
    pub fn delta(&self, from: usize, attempt: u32) -> Option<ReplayDelta> {
        let state = self.state();
        let replay = &state.replay;
        let from = if replay.attempt == attempt { from } else { 0 };
        if !(replay.done || replay.attempt != attempt || replay.steps.len() > from) {
            return None;
        }
        let steps: Vec<Step> = replay.steps.iter().skip(from).cloned().collect();
        Some(ReplayDelta { steps, done: replay.done, end: replay.end.clone(), attempt: replay.attempt })
    }

    /// Like [`Live::delta`], but waits until there is a new step or the match has ended.
    pub async fn next_delta(&self, from: usize, attempt: u32) -> ReplayDelta {
        loop {
            self.changed(from, attempt).await;
            if let Some(delta) = self.delta(from, attempt) {
                return delta;
            }
        }
    }

    /// Waits until there are steps from `from` on, another attempt, or the end.
    pub async fn changed(&self, from: usize, attempt: u32) {
        let mut changes = self.shared.changes.subscribe();
        loop {
            changes.mark_unchanged();
            let (now, steps, done) = self.reach();
            if done || now != attempt || steps > from {
                return;
            }
            // This cannot fail: this value holds the sender.
            let _ = changes.changed().await;
        }
    }
}
