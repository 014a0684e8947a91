//! A match that is shown while it is played.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use catalog::AnyGame;
use catalog::record::Header;
use game::{Seat, Selected};
use tokio::sync::watch;

use crate::replayer::{AnswerMeta, Replayer, header_of};
use crate::wire::{Replay, ReplayDelta, ReplayEnd, Step};

/// A match that is being played: one thread tells it, any number of pages follow. Clones share it.
#[derive(Clone, Debug)]
pub struct Live {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    record_header: Header,
    told: Mutex<Told>,
    /// Changes whenever there is something new.
    news: watch::Sender<()>,
}

#[derive(Debug)]
struct Told {
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
    ) -> Result<Live, String> {
        let record_header = header_of(game, selected, seed);
        let (replayer, start) = Replayer::new(&record_header, None)?;
        let header = replayer.header(&record_header, names, again, None);
        let end = replayer.end();
        let replay = Replay { header, steps: vec![start], done: false, attempt: 0, end };
        let shared = Shared {
            record_header,
            told: Mutex::new(Told { replayer, replay }),
            news: watch::Sender::new(()),
        };
        Ok(Live { shared: Arc::new(shared) })
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.shared.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An answer came, or did not.
    pub fn answered(&self, seat: Seat, line: Option<&[u8]>, aside: &AnswerMeta) {
        let mut told = self.told();
        match told.replayer.answer(seat, line, aside) {
            Ok(step) => told.replay.steps.extend(step),
            Err(why) => {
                told.replay.end.trouble.get_or_insert(why);
            }
        }
        drop(told);
        self.shared.news.send_replace(());
    }

    /// The match is played again from its start.
    pub fn restart(&self) {
        let mut told = self.told();
        if let Ok((replayer, start)) = Replayer::new(&self.shared.record_header, None) {
            told.replayer = replayer;
            told.replay.steps = vec![start];
            told.replay.attempt += 1;
        }
        drop(told);
        self.shared.news.send_replace(());
    }

    /// Nothing more will come. `causes` tell why players lost by their own fault, by seat.
    pub fn finish(&self, causes: Vec<Option<String>>, trouble: Option<String>) {
        let mut told = self.told();
        let end = told.replayer.end();
        told.replay.end = ReplayEnd { causes, trouble, ..end };
        told.replay.done = true;
        drop(told);
        self.shared.news.send_replace(());
    }

    /// All that is known.
    pub fn replay(&self) -> Replay {
        self.told().replay.clone()
    }

    /// How far it is: the attempt, how many steps there are, whether nothing more will come. It changes with every news.
    pub fn reach(&self) -> (u32, usize, bool) {
        let told = self.told();
        (told.replay.attempt, told.replay.steps.len(), told.replay.done)
    }

    /// The turn that is being played.
    pub fn turn(&self) -> u32 {
        self.told().replay.steps.last().map_or(0, |step| step.turn)
    }

    /// What is known from a step on, where there is something new. A page that followed another attempt gets all.
    pub fn news(&self, from: usize, attempt: u32) -> Option<ReplayDelta> {
        let told = self.told();
        let replay = &told.replay;
        let from = if replay.attempt == attempt { from } else { 0 };
        if !(replay.done || replay.attempt != attempt || replay.steps.len() > from) {
            return None;
        }
        let steps: Vec<Step> = replay.steps.iter().skip(from).cloned().collect();
        Some(ReplayDelta { steps, done: replay.done, end: replay.end.clone(), attempt: replay.attempt })
    }

    /// The same; waits until there is something new.
    pub async fn more(&self, from: usize, attempt: u32) -> ReplayDelta {
        loop {
            self.changed(from, attempt).await;
            if let Some(more) = self.news(from, attempt) {
                return more;
            }
        }
    }

    /// Waits until there is something new from a step on.
    pub async fn changed(&self, from: usize, attempt: u32) {
        let mut news = self.shared.news.subscribe();
        loop {
            news.mark_unchanged();
            let (now, steps, done) = self.reach();
            if done || now != attempt || steps > from {
                return;
            }
            // It cannot fail: we hold the sender ourselves.
            let _ = news.changed().await;
        }
    }
}
