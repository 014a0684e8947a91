//! The matches a page can be asked for.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use catalog::record::{Entry, Played, read};

use crate::clean::clean_line;
use crate::live::Live;
use crate::table::{Table, opponents};
use crate::teller::tell;
use crate::wire::{Challenge, Library as Contents, Listed, Playable, Reply, Story, Who};

/// No library has more matches: a page with more is of no use to anybody.
const MOST: usize = 10_000;
/// Games of persons that are kept.
const MOST_TABLES: usize = 500;

/// Records, matches that are being played, games of persons.
#[derive(Default, Debug)]
pub struct Library {
    shelf: Mutex<Vec<Volume>>,
}

#[derive(Clone, Debug)]
enum Volume {
    Record(Arc<Played>),
    Live(Live),
    Table(Arc<Mutex<Table>>),
}

impl Library {
    /// An empty one.
    pub fn new() -> Library {
        Library::default()
    }

    fn put(&self, volume: Volume) -> usize {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.push(volume);
        shelf.len() - 1
    }

    fn take(&self, id: usize) -> Result<Volume, String> {
        let shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.get(id).cloned().ok_or_else(|| format!("there is no match {id}"))
    }

    /// Adds a match that is being played; tells its place.
    pub fn add_live(&self, live: Live) -> usize {
        self.put(Volume::Live(live))
    }

    /// Adds a record; tells its place.
    pub fn add(&self, played: Played) -> usize {
        self.put(Volume::Record(Arc::new(played)))
    }

    /// Adds every match in a file of records or traces; tells how many.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or a line of it is no record.
    pub fn add_file(&self, path: &Path) -> Result<usize, String> {
        let played = read_matches(path, MOST)?;
        let count = played.len();
        for played in played {
            self.add(played);
        }
        Ok(count)
    }

    pub(crate) fn story(&self, id: usize) -> Result<Story, String> {
        match self.take(id)? {
            Volume::Record(played) => tell(&played),
            Volume::Live(live) => Ok(live.story()),
            Volume::Table(table) => Ok(lock(&table).story()),
        }
    }

    pub(crate) fn live(&self, id: usize) -> Result<Live, String> {
        match self.take(id)? {
            Volume::Live(live) => Ok(live),
            _ => Err(format!("match {id} is not being played")),
        }
    }

    pub(crate) fn table(&self, id: usize) -> Result<Arc<Mutex<Table>>, String> {
        match self.take(id)? {
            Volume::Table(table) => Ok(table),
            _ => Err(format!("match {id} is not a game of a person")),
        }
    }

    /// The record of a match, where there is one.
    pub(crate) fn record(&self, id: usize) -> Result<Played, String> {
        match self.take(id)? {
            Volume::Record(played) => Ok(Played::clone(&played)),
            Volume::Table(table) => {
                let table = lock(&table);
                if table.is_over() { Ok(table.record()) } else { Err("the game is not over yet".to_owned()) }
            }
            Volume::Live(_) => Err("`agon play --record FILE` writes the record of this match".to_owned()),
        }
    }

    /// A person sits down to a game.
    pub(crate) fn play(&self, challenge: &Challenge) -> Result<Reply, String> {
        let tables = {
            let shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
            shelf.iter().filter(|volume| matches!(volume, Volume::Table(_))).count()
        };
        if tables >= MOST_TABLES {
            return Err(format!("{MOST_TABLES} games were begun here; start `agon watch` anew"));
        }
        let table = Arc::new(Mutex::new(Table::new(challenge, fresh_seed())?));
        let id = self.put(Volume::Table(Arc::clone(&table)));
        let reply = lock(&table).reply(id);
        Ok(reply)
    }

    pub(crate) fn contents(&self) -> Contents {
        let shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let matches = shelf.iter().enumerate().map(|(id, volume)| listed(id, volume)).collect();
        let games = catalog::games()
            .into_iter()
            .map(|game| {
                let info = game.info();
                Playable {
                    name: info.name.to_owned(),
                    title: info.title.to_owned(),
                    leagues: info.leagues.iter().map(|league| league.name.to_owned()).collect(),
                    editions: info.editions.iter().map(|edition| edition.name.to_owned()).collect(),
                    players: [info.min_players, info.max_players],
                    opponents: opponents(info.name),
                }
            })
            .collect();
        Contents { matches, games }
    }
}

fn lock(table: &Mutex<Table>) -> std::sync::MutexGuard<'_, Table> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listed(id: usize, volume: &Volume) -> Listed {
    match volume {
        Volume::Record(played) => {
            let numbers = |scores: &serde_json::Value| -> Option<Vec<i64>> {
                scores.as_array()?.iter().map(serde_json::Value::as_i64).collect()
            };
            let bots = played.bots.iter().flatten();
            Listed {
                id,
                game: clean_line(&played.header.game, 60),
                seed: played.header.seed.to_string(),
                players: bots.map(|bot| Who { name: clean_line(&bot.name, 60) }).collect(),
                scores: played.end.get("scores").and_then(numbers),
                live: false,
            }
        }
        Volume::Live(live) => of_story(id, &live.story()),
        Volume::Table(table) => {
            let table = lock(table);
            let story = table.story();
            Listed { players: table.opening().players.clone(), ..of_story(id, &story) }
        }
    }
}

fn of_story(id: usize, story: &Story) -> Listed {
    Listed {
        id,
        game: story.opening.game.clone(),
        seed: story.opening.seed.clone(),
        players: story.opening.players.clone(),
        scores: story.closing.outcome.as_ref().map(|outcome| outcome.scores.clone()),
        live: !story.done,
    }
}

/// A seed nobody chose, short enough to type.
fn fresh_seed() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64);
    i64::from(game::Dice::new(now).bits() as u32)
}

/// The matches in a file of records or traces, `most` of them at the most. Maps are passed over.
///
/// # Errors
///
/// When the file cannot be read, or a line of it is no record.
pub fn read_matches(path: &Path, most: usize) -> Result<Vec<Played>, String> {
    let mut matches = Vec::new();
    let mut wrong = None;
    let done = catalog::verify::lines(path, |number, line| {
        match read(&line) {
            Ok(Entry::Played(played)) => matches.push(*played),
            Ok(Entry::Map(..)) => {}
            Err(error) => wrong = Some(format!("{}:{number}: {error}", path.display())),
        }
        wrong.is_none() && matches.len() < most
    });
    done.map_err(|error| format!("{}: {error}", path.display()))?;
    match wrong {
        Some(why) => Err(why),
        None if matches.is_empty() => Err(format!(
            "{}: there is no match in it; `agon play --record FILE` and `agon simulate --record FILE` write some",
            path.display()
        )),
        None => Ok(matches),
    }
}
