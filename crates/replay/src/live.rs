//! A match that is shown while it is played.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use catalog::AnyGame;
use catalog::record::Header;
use game::{Seat, Selected};
use tokio::sync::watch;

use crate::ReplayError;
use crate::replayer::{AnswerMeta, Replayer, header_of};
use crate::wire::{Replay, ReplayDelta, ReplayEnd, ReplayHeader, Step};

/// A match that is being played: one thread adds its answers, any number of pages follow it. Clones share it.
///
/// Steps are shared, so that a reader copies pointers while it holds the lock and makes its copies afterwards. The thread
/// that adds answers makes the steps before it takes the lock.
#[derive(Clone, Debug)]
pub struct Live {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    record_header: Header,
    header: ReplayHeader,
    /// Used by the thread that adds answers only.
    replayer: Mutex<Replayer>,
    progress: Mutex<Progress>,
    /// Sends a notice after every change.
    changes: watch::Sender<()>,
}

/// What readers see. The lock is held for the time of copying pointers only.
#[derive(Clone, Debug)]
struct Progress {
    steps: Vec<Arc<Step>>,
    done: bool,
    attempt: u32,
    end: Arc<ReplayEnd>,
}

/// A lock that is usable even if its owner panicked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The steps themselves.
fn copied(steps: Vec<Arc<Step>>) -> Vec<Step> {
    steps.into_iter().map(Arc::unwrap_or_clone).collect()
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
        let end = Arc::new(replayer.end());
        let shared = Shared {
            record_header,
            header,
            replayer: Mutex::new(replayer),
            progress: Mutex::new(Progress { steps: vec![Arc::new(start)], done: false, attempt: 0, end }),
            changes: watch::Sender::new(()),
        };
        Ok(Live { shared: Arc::new(shared) })
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        lock(&self.shared.progress)
    }

    /// Changes what readers see, and tells them.
    fn change(&self, change: impl FnOnce(&mut Progress)) {
        change(&mut self.progress());
        self.shared.changes.send_replace(());
    }

    /// Adds an answer; `line` is `None` if no answer came in time.
    pub fn answered(&self, seat: Seat, line: Option<&[u8]>, meta: &AnswerMeta) {
        let step = lock(&self.shared.replayer).answer(seat, line, meta);
        match step.map(|step| step.map(Arc::new)) {
            Ok(step) => self.change(|progress| progress.steps.extend(step)),
            Err(error) => self.change(|progress| {
                Arc::make_mut(&mut progress.end).trouble.get_or_insert(error.to_string());
            }),
        }
    }

    /// Restarts the replay, because the match is played again from its start.
    pub fn restart(&self) {
        if let Ok((replayer, start)) = Replayer::new(&self.shared.record_header, None) {
            *lock(&self.shared.replayer) = replayer;
            self.change(|progress| {
                progress.steps = vec![Arc::new(start)];
                progress.attempt += 1;
            });
        }
    }

    /// Ends the replay. `causes` say why players lost by their own fault, by seat.
    pub fn finish(&self, causes: Vec<Option<String>>, trouble: Option<String>) {
        let end = lock(&self.shared.replayer).end();
        let end = Arc::new(ReplayEnd { causes, trouble, ..end });
        self.change(|progress| (progress.end, progress.done) = (end, true));
    }

    /// The replay so far.
    pub fn replay(&self) -> Replay {
        let Progress { steps, done, attempt, end } = self.progress().clone();
        let (header, steps) = (self.shared.header.clone(), copied(steps));
        Replay { header, steps, done, attempt, end: Arc::unwrap_or_clone(end), analysis: None }
    }

    /// The progress: the attempt, the number of steps, whether the match has ended. It differs after every change.
    pub fn reach(&self) -> (u32, usize, bool) {
        let progress = self.progress();
        (progress.attempt, progress.steps.len(), progress.done)
    }

    /// The last turn that was played; 0 before the first one.
    pub fn turn(&self) -> u32 {
        self.progress().steps.last().map_or(0, |step| step.turn)
    }

    /// The steps from `from` on, if there are any or the match has ended. A page that followed another attempt gets
    /// all steps.
    pub fn delta(&self, from: usize, attempt: u32) -> Option<ReplayDelta> {
        let progress = self.progress();
        let (attempt, is_same) = (progress.attempt, progress.attempt == attempt);
        let from = if is_same { from } else { 0 };
        if !(progress.done || !is_same || progress.steps.len() > from) {
            return None;
        }
        let steps: Vec<Arc<Step>> = progress.steps.iter().skip(from).cloned().collect();
        let (done, end) = (progress.done, Arc::clone(&progress.end));
        drop(progress);
        Some(ReplayDelta { steps: copied(steps), done, end: Arc::unwrap_or_clone(end), attempt })
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

#[cfg(test)]
mod tests {
    use game::{Dice, Selection};

    use super::*;

    /// A match of random players that was played to its end.
    fn played() -> Live {
        let game = catalog::find("hypersonic").unwrap();
        let selected = game.select(&Selection::default()).unwrap();
        let live = Live::new(game, selected, 1, &[], None).unwrap();
        let (mut play, mut dice) = (game.start(selected, 1), Dice::new(1));
        while let Some(seat) = play.awaited().next() {
            let line = play.random_answer(seat, &mut dice);
            play.answer(seat, Some(&line)).unwrap();
            live.answered(seat, Some(&line), &AnswerMeta::default());
        }
        live.finish(Vec::new(), None);
        live
    }

    #[test]
    fn readers_share_the_steps_and_get_copies_of_them() {
        let live = played();
        let first = live.progress().clone();
        let second = live.progress().clone();
        assert!(first.steps.iter().zip(&second.steps).all(|(first, second)| Arc::ptr_eq(first, second)));
        let replay = live.replay();
        assert_eq!(replay.steps.len(), first.steps.len());
        assert!(replay.done && replay.end.outcome.is_some());
        let from = replay.steps.len() - 2;
        let delta = live.delta(from, 0).unwrap();
        assert_eq!(
            delta.steps.iter().map(|step| step.turn).collect::<Vec<_>>(),
            [from as u32, from as u32 + 1]
        );
        assert_eq!(
            live.delta(0, 1).unwrap().steps.len(),
            replay.steps.len(),
            "another attempt gets all steps"
        );
    }

    #[test]
    fn steps_are_made_without_the_lock_of_the_readers() {
        let live = played();
        let is_read = {
            // A writer that is busy with a step keeps no reader waiting.
            let _busy = lock(&live.shared.replayer);
            live.replay().steps.len() > 1 && live.reach().2
        };
        assert!(is_read);
        live.restart();
        assert_eq!(live.reach().1, 1);
    }
}
