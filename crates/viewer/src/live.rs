//! A match that is shown while it is played.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use catalog::AnyGame;
use catalog::record::Header;
use game::{Seat, Selected};
use tokio::sync::watch;

use crate::teller::{Aside, Teller, header_of};
use crate::wire::{Closing, Moment, More, Story};

/// A match that is being played: one thread tells it, any number of pages follow. Clones share it.
#[derive(Clone, Debug)]
pub struct Live {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    header: Header,
    told: Mutex<Told>,
    /// Changes whenever there is something new.
    news: watch::Sender<()>,
}

#[derive(Debug)]
struct Told {
    teller: Teller,
    story: Story,
}

impl Live {
    /// A match before its first answer. `names` are those of the players, `commands` the words they were asked for by.
    ///
    /// # Errors
    ///
    /// When the rules cannot be played.
    pub fn new(
        game: &dyn AnyGame,
        selected: Selected,
        seed: i64,
        names: &[String],
        commands: &[String],
    ) -> Result<Live, String> {
        let header = header_of(game, selected, seed);
        let (teller, start) = Teller::new(&header, None)?;
        let opening = teller.opening(&header, names, commands, None);
        let closing = teller.closing();
        let story = Story { opening, moments: vec![start], done: false, attempt: 0, closing };
        let shared =
            Shared { header, told: Mutex::new(Told { teller, story }), news: watch::Sender::new(()) };
        Ok(Live { shared: Arc::new(shared) })
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.shared.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An answer came, or did not.
    pub fn answered(&self, seat: Seat, line: Option<&[u8]>, aside: &Aside) {
        let mut told = self.told();
        match told.teller.answer(seat, line, aside) {
            Ok(moment) => told.story.moments.extend(moment),
            Err(why) => {
                told.story.closing.trouble.get_or_insert(why);
            }
        }
        drop(told);
        self.shared.news.send_replace(());
    }

    /// The match is played again from its start.
    pub fn restart(&self) {
        let mut told = self.told();
        if let Ok((teller, start)) = Teller::new(&self.shared.header, None) {
            told.teller = teller;
            told.story.moments = vec![start];
            told.story.attempt += 1;
        }
        drop(told);
        self.shared.news.send_replace(());
    }

    /// Nothing more will come. `causes` tell why players lost by their own fault, by seat.
    pub fn finish(&self, causes: Vec<Option<String>>, trouble: Option<String>) {
        let mut told = self.told();
        let closing = told.teller.closing();
        told.story.closing = Closing { causes, trouble, ..closing };
        told.story.done = true;
        drop(told);
        self.shared.news.send_replace(());
    }

    /// All that is known.
    pub fn story(&self) -> Story {
        self.told().story.clone()
    }

    /// How far it is: the attempt, how many moments there are, whether nothing more will come. It changes with every news.
    pub fn reach(&self) -> (u32, usize, bool) {
        let told = self.told();
        (told.story.attempt, told.story.moments.len(), told.story.done)
    }

    /// The turn that is being played.
    pub fn turn(&self) -> u32 {
        self.told().story.moments.last().map_or(0, |moment| moment.turn)
    }

    /// What is known from a moment on, where there is something new. A page that followed another attempt gets all.
    pub fn news(&self, from: usize, attempt: u32) -> Option<More> {
        let told = self.told();
        let story = &told.story;
        let from = if story.attempt == attempt { from } else { 0 };
        if !(story.done || story.attempt != attempt || story.moments.len() > from) {
            return None;
        }
        let moments: Vec<Moment> = story.moments.iter().skip(from).cloned().collect();
        Some(More { moments, done: story.done, closing: story.closing.clone(), attempt: story.attempt })
    }

    /// The same; waits until there is something new.
    pub(crate) async fn more(&self, from: usize, attempt: u32) -> More {
        loop {
            self.changed(from, attempt).await;
            if let Some(more) = self.news(from, attempt) {
                return more;
            }
        }
    }

    /// Waits until there is something new from a moment on.
    pub async fn changed(&self, from: usize, attempt: u32) {
        let mut news = self.shared.news.subscribe();
        loop {
            news.mark_unchanged();
            let (now, moments, done) = self.reach();
            if done || now != attempt || moments > from {
                return;
            }
            // It cannot fail: we hold the sender ourselves.
            let _ = news.changed().await;
        }
    }
}
