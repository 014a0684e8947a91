//! The matches that the local viewer shows.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use catalog::record::{Entry, Played, read};
use game::ScorePart;
use game::text::safe_line;
use replay::wire::{Challenge, ListedReplay, Playable, PlayerInfo, Replay, ReplayList as Contents, Reply};
use replay::{HumanGame, Live, opponents, replay_of};

use crate::error::{FileError, RequestError};

/// Most matches of one file: a page with more is of no use.
const MOST: usize = 10_000;
/// Most games of persons that are kept.
const MOST_HUMAN_GAMES: usize = 500;

/// Records, matches that are being played, games of persons.
#[derive(Default, Debug)]
pub struct ReplayList {
    items: Mutex<Vec<Item>>,
}

#[derive(Clone, Debug)]
enum Item {
    Record(Arc<Played>),
    Live(Live),
    HumanGame(Arc<Mutex<HumanGame>>),
}

impl ReplayList {
    /// An empty list.
    pub fn new() -> ReplayList {
        ReplayList::default()
    }

    fn put(&self, item: Item) -> usize {
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        items.push(item);
        items.len() - 1
    }

    fn take(&self, id: usize) -> Result<Item, RequestError> {
        let items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        items.get(id).cloned().ok_or(RequestError::NoMatch(id))
    }

    /// Adds a match that is being played; returns its index.
    pub fn add_live(&self, live: Live) -> usize {
        self.put(Item::Live(live))
    }

    /// Adds a record; returns its index.
    pub fn add(&self, played: Played) -> usize {
        self.put(Item::Record(Arc::new(played)))
    }

    /// Adds every match in a file of records or traces; returns their number.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or one of its lines is not a record.
    pub fn add_file(&self, path: &Path) -> Result<usize, FileError> {
        let played = read_matches(path, MOST)?;
        let count = played.len();
        for played in played {
            self.add(played);
        }
        Ok(count)
    }

    pub(crate) fn replay(&self, id: usize) -> Result<Replay, RequestError> {
        match self.take(id)? {
            Item::Record(played) => Ok(replay_of(&played)?),
            Item::Live(live) => Ok(live.replay()),
            Item::HumanGame(human_game) => Ok(lock(&human_game).replay()),
        }
    }

    pub(crate) fn live(&self, id: usize) -> Result<Live, RequestError> {
        match self.take(id)? {
            Item::Live(live) => Ok(live),
            _ => Err(RequestError::NotLive(id)),
        }
    }

    pub(crate) fn human_game(&self, id: usize) -> Result<Arc<Mutex<HumanGame>>, RequestError> {
        match self.take(id)? {
            Item::HumanGame(human_game) => Ok(human_game),
            _ => Err(RequestError::NotHuman(id)),
        }
    }

    /// The record of a match, if there is one.
    pub(crate) fn record(&self, id: usize) -> Result<Played, RequestError> {
        match self.take(id)? {
            Item::Record(played) => Ok(Played::clone(&played)),
            Item::HumanGame(human_game) => {
                let human_game = lock(&human_game);
                if human_game.is_over() { Ok(human_game.record()) } else { Err(RequestError::NotOver) }
            }
            Item::Live(_) => Err(RequestError::NoRecord),
        }
    }

    /// Begins a game of a person.
    pub(crate) fn play(&self, challenge: &Challenge) -> Result<Reply, RequestError> {
        let human_games = {
            let items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
            items.iter().filter(|item| matches!(item, Item::HumanGame(_))).count()
        };
        if human_games >= MOST_HUMAN_GAMES {
            return Err(RequestError::TooManyGames(MOST_HUMAN_GAMES));
        }
        let human_game = Arc::new(Mutex::new(HumanGame::new(challenge, fresh_seed())?));
        let id = self.put(Item::HumanGame(Arc::clone(&human_game)));
        let reply = lock(&human_game).reply(id);
        Ok(reply)
    }

    pub(crate) fn contents(&self) -> Contents {
        let items = self.items.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let matches = items.iter().enumerate().map(|(id, item)| listed(id, item)).collect();
        let games = catalog::games()
            .map(|game| {
                let info = game.info();
                Playable {
                    name: info.name.to_owned(),
                    title: info.title.to_owned(),
                    leagues: info.leagues.iter().map(|league| league.name.to_owned()).collect(),
                    editions: info.editions.iter().map(|edition| edition.name.to_owned()).collect(),
                    players: [info.min_players, info.max_players],
                    opponents: opponents(game),
                }
            })
            .collect();
        Contents { matches, games }
    }
}

fn lock(human_game: &Mutex<HumanGame>) -> std::sync::MutexGuard<'_, HumanGame> {
    human_game.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listed(id: usize, item: &Item) -> ListedReplay {
    match item {
        Item::Record(played) => {
            let numbers = |scores: &serde_json::Value| -> Option<Vec<i64>> {
                scores.as_array()?.iter().map(serde_json::Value::as_i64).collect()
            };
            let bots = played.bots.iter().flatten();
            let scores = played.end.get("scores").and_then(numbers);
            ListedReplay {
                id,
                game: safe_line(&played.header.game, 60),
                seed: played.header.seed.to_string(),
                players: bots.map(|bot| PlayerInfo { name: safe_line(&bot.name, 60) }).collect(),
                parts: parts(&played.header.game, scores.as_deref()),
                scores,
                live: false,
            }
        }
        Item::Live(live) => of_replay(id, &live.replay()),
        Item::HumanGame(human_game) => {
            let human_game = lock(human_game);
            let replay = human_game.replay();
            ListedReplay { players: human_game.header().players.clone(), ..of_replay(id, &replay) }
        }
    }
}

fn of_replay(id: usize, replay: &Replay) -> ListedReplay {
    let scores = replay.end.outcome.as_ref().map(|outcome| outcome.scores.clone());
    ListedReplay {
        id,
        game: replay.header.game.clone(),
        seed: replay.header.seed.clone(),
        players: replay.header.players.clone(),
        parts: parts(&replay.header.game, scores.as_deref()),
        scores,
        live: !replay.done,
    }
}

/// The scores in a form for people.
fn parts(game: &str, scores: Option<&[i64]>) -> Option<Vec<ScorePart>> {
    Some(catalog::find(game).ok()?.score_parts(scores?))
}

/// A seed that is short enough to type.
fn fresh_seed() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64);
    i64::from(game::Dice::new(now).bits() as u32)
}

/// The matches in a file of records or traces, at most `most` of them. Maps are skipped.
///
/// # Errors
///
/// When the file cannot be read, or one of its lines is not a record.
pub fn read_matches(path: &Path, most: usize) -> Result<Vec<Played>, FileError> {
    let mut matches = Vec::new();
    let mut wrong = None;
    let done = catalog::verify::lines(path, |number, line| {
        match read(&line) {
            Ok(Entry::Played(played)) => matches.push(*played),
            Ok(Entry::Map(..)) => {}
            Err(error) => {
                wrong = Some(FileError::NoRecord { path: path.to_owned(), line: number, error });
            }
        }
        wrong.is_none() && matches.len() < most
    });
    done.map_err(|error| FileError::Unreadable { path: path.to_owned(), error })?;
    match wrong {
        Some(error) => Err(error),
        None if matches.is_empty() => Err(FileError::Empty(path.to_owned())),
        None => Ok(matches),
    }
}
