//! The matches a page can be asked for.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use catalog::record::{Entry, Played, read};
use game::text::safe_line;
use replay::wire::{Challenge, ListedReplay, Playable, PlayerInfo, Replay, ReplayList as Contents, Reply};
use replay::{HumanGame, Live, opponents, replay_of};

/// No list has more matches: a page with more is of no use to anybody.
const MOST: usize = 10_000;
/// Games of persons that are kept.
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
    /// An empty one.
    pub fn new() -> ReplayList {
        ReplayList::default()
    }

    fn put(&self, item: Item) -> usize {
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        items.push(item);
        items.len() - 1
    }

    fn take(&self, id: usize) -> Result<Item, String> {
        let items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        items.get(id).cloned().ok_or_else(|| format!("there is no match {id}"))
    }

    /// Adds a match that is being played; tells its place.
    pub fn add_live(&self, live: Live) -> usize {
        self.put(Item::Live(live))
    }

    /// Adds a record; tells its place.
    pub fn add(&self, played: Played) -> usize {
        self.put(Item::Record(Arc::new(played)))
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

    pub(crate) fn replay(&self, id: usize) -> Result<Replay, String> {
        match self.take(id)? {
            Item::Record(played) => replay_of(&played),
            Item::Live(live) => Ok(live.replay()),
            Item::HumanGame(human_game) => Ok(lock(&human_game).replay()),
        }
    }

    pub(crate) fn live(&self, id: usize) -> Result<Live, String> {
        match self.take(id)? {
            Item::Live(live) => Ok(live),
            _ => Err(format!("match {id} is not being played")),
        }
    }

    pub(crate) fn human_game(&self, id: usize) -> Result<Arc<Mutex<HumanGame>>, String> {
        match self.take(id)? {
            Item::HumanGame(human_game) => Ok(human_game),
            _ => Err(format!("match {id} is not a game of a person")),
        }
    }

    /// The record of a match, where there is one.
    pub(crate) fn record(&self, id: usize) -> Result<Played, String> {
        match self.take(id)? {
            Item::Record(played) => Ok(Played::clone(&played)),
            Item::HumanGame(human_game) => {
                let human_game = lock(&human_game);
                if human_game.is_over() {
                    Ok(human_game.record())
                } else {
                    Err("the game is not over yet".to_owned())
                }
            }
            Item::Live(_) => Err("`agon play --record FILE` writes the record of this match".to_owned()),
        }
    }

    /// A person sits down to a game.
    pub(crate) fn play(&self, challenge: &Challenge) -> Result<Reply, String> {
        let human_games = {
            let items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
            items.iter().filter(|item| matches!(item, Item::HumanGame(_))).count()
        };
        if human_games >= MOST_HUMAN_GAMES {
            return Err(format!("{MOST_HUMAN_GAMES} games were begun here; start `agon watch` anew"));
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
            ListedReplay {
                id,
                game: safe_line(&played.header.game, 60),
                seed: played.header.seed.to_string(),
                players: bots.map(|bot| PlayerInfo { name: safe_line(&bot.name, 60) }).collect(),
                scores: played.end.get("scores").and_then(numbers),
                live: false,
            }
        }
        Item::Live(live) => of_story(id, &live.replay()),
        Item::HumanGame(human_game) => {
            let human_game = lock(human_game);
            let replay = human_game.replay();
            ListedReplay { players: human_game.header().players.clone(), ..of_story(id, &replay) }
        }
    }
}

fn of_story(id: usize, replay: &Replay) -> ListedReplay {
    ListedReplay {
        id,
        game: replay.header.game.clone(),
        seed: replay.header.seed.clone(),
        players: replay.header.players.clone(),
        scores: replay.end.outcome.as_ref().map(|outcome| outcome.scores.clone()),
        live: !replay.done,
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
