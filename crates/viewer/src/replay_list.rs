//! The matches that the local viewer shows.

use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use catalog::record::{Entry, Played, read};
use game::ScorePart;
use game::text::safe_line;
use replay::analysis::Analysis;
use replay::wire::{
    Challenge, Continuation, ListedReplay, Playable, PlayerInfo, Replay, ReplayList as Contents, Reply,
    Trial, Tried,
};
use replay::{HumanGame, HumanGameError, Live, opponents, replay_of};
use review::Recording;

use crate::bots::LocalBots;
use crate::error::{FileError, RequestError};

/// Most matches of one file: a page with more is of no use.
const MOST: usize = 10_000;
/// Most games of persons that are kept.
const MOST_HUMAN_GAMES: usize = 500;

/// Records, matches that are being played, games of persons.
#[derive(Default, Debug)]
pub struct ReplayList {
    items: Mutex<Vec<Item>>,
    bots: Option<LocalBots>,
    /// Held while a match is analysed: an analysis uses all cores.
    analysing: Mutex<()>,
}

/// A record, and its analysis once it is known.
#[derive(Debug)]
struct Recorded {
    played: Played,
    analysis: OnceLock<Analysis>,
}

#[derive(Clone, Debug)]
enum Item {
    Record(Arc<Recorded>),
    Live(Live),
    HumanGame(Arc<Mutex<HumanGame>>),
}

impl ReplayList {
    /// An empty list.
    pub fn new() -> ReplayList {
        ReplayList::default()
    }

    /// A list whose pages may start bots.
    #[must_use]
    pub fn with_bots(self, bots: LocalBots) -> ReplayList {
        ReplayList { bots: Some(bots), ..self }
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
        self.put(Item::Record(Arc::new(Recorded { played, analysis: OnceLock::new() })))
    }

    /// Adds every match in a file of records or traces, with the analyses that are kept beside it; returns their number.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or one of its lines is not a record.
    pub fn add_file(&self, path: &Path) -> Result<usize, FileError> {
        let found = read_matches(path, MOST)?;
        let count = found.len();
        for ReadMatch { played, analysis } in found {
            let analysis = analysis.map_or_else(OnceLock::new, OnceLock::from);
            self.put(Item::Record(Arc::new(Recorded { played, analysis })));
        }
        Ok(count)
    }

    pub(crate) fn replay(&self, id: usize) -> Result<Replay, RequestError> {
        match self.take(id)? {
            Item::Record(recorded) => {
                let analysis = recorded.analysis.get().cloned();
                Ok(Replay { analysis, ..replay_of(&recorded.played)? })
            }
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
            Item::Record(recorded) => Ok(recorded.played.clone()),
            Item::HumanGame(human_game) => {
                let human_game = lock(&human_game);
                if human_game.is_over() { Ok(human_game.record()) } else { Err(RequestError::NotOver) }
            }
            Item::Live(_) => Err(RequestError::NoRecord),
        }
    }

    /// Analyses a match, or returns the analysis that is known.
    pub(crate) fn analyse(&self, id: usize) -> Result<Analysis, RequestError> {
        let item = self.take(id)?;
        let known = || match &item {
            Item::Record(recorded) => recorded.analysis.get().cloned(),
            _ => None,
        };
        let _analysing = self.analysing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(analysis) = known() {
            return Ok(analysis);
        }
        let recording = Recording::of(self.record(id)?)?;
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let analysis = review::analyse(&recording, 1, threads, &AtomicU64::new(0))?;
        if let Item::Record(recorded) = &item {
            return Ok(recorded.analysis.get_or_init(|| analysis).clone());
        }
        Ok(analysis)
    }

    /// Runs a bot on the input of a recorded turn.
    pub(crate) fn run(&self, id: usize, trial: &Trial) -> Result<Tried, RequestError> {
        let bots = self.bots.as_ref().ok_or(RequestError::NoBots)?;
        bots.run(&Recording::of(self.record(id)?)?, trial)
    }

    /// Continues a match from a turn; returns the place of the continuation in the list.
    ///
    /// # Errors
    ///
    /// When the match has no such turn or other players, or a bot cannot play.
    pub fn continued(&self, id: usize, ask: &Continuation) -> Result<usize, String> {
        self.continue_from(id, ask).map(|reply| reply.id).map_err(|error| error.to_string())
    }

    pub(crate) fn continue_from(&self, id: usize, ask: &Continuation) -> Result<Reply, RequestError> {
        let played = self.record(id)?;
        let recording = Recording::of(played)?;
        self.begin(|| {
            HumanGame::continued(&recording.played, ask, |words, seat| match &self.bots {
                Some(bots) => bots.player(&recording, words, seat),
                None => Err(RequestError::NoBots.to_string()),
            })
        })
    }

    /// The question to a person who plays.
    pub(crate) fn question(&self, id: usize) -> Result<Reply, RequestError> {
        let human_game = self.human_game(id)?;
        let reply = lock(&human_game).reply(id);
        Ok(reply)
    }

    /// Begins a game of a person.
    pub(crate) fn play(&self, challenge: &Challenge) -> Result<Reply, RequestError> {
        self.begin(|| HumanGame::new(challenge, fresh_seed()))
    }

    fn begin(
        &self,
        begin: impl FnOnce() -> Result<HumanGame, HumanGameError>,
    ) -> Result<Reply, RequestError> {
        let human_games = {
            let items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
            items.iter().filter(|item| matches!(item, Item::HumanGame(_))).count()
        };
        if human_games >= MOST_HUMAN_GAMES {
            return Err(RequestError::TooManyGames(MOST_HUMAN_GAMES));
        }
        let human_game = Arc::new(Mutex::new(begin()?));
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
        let bots = self.bots.as_ref().map_or_else(Vec::new, |bots| bots.named().to_vec());
        Contents { matches, bots, starts_bots: self.bots.is_some(), games }
    }
}

fn lock(human_game: &Mutex<HumanGame>) -> std::sync::MutexGuard<'_, HumanGame> {
    human_game.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listed(id: usize, item: &Item) -> ListedReplay {
    match item {
        Item::Record(recorded) => {
            let played = &recorded.played;
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

/// A match of a file.
#[derive(Clone, Debug)]
pub struct ReadMatch {
    /// The record.
    pub played: Played,
    /// Its analysis, if `agon analyse` keeps one beside the file.
    pub analysis: Option<Analysis>,
}

/// The matches in a file of records or traces, at most `most` of them. Maps are skipped.
///
/// # Errors
///
/// When the file cannot be read, or one of its lines is not a record.
pub fn read_matches(path: &Path, most: usize) -> Result<Vec<ReadMatch>, FileError> {
    let mut matches = Vec::new();
    let mut wrong = None;
    let done = catalog::verify::lines(path, |number, line| {
        match read(&line) {
            Ok(Entry::Played(played)) => {
                let analysis = review::kept_analysis(path, Some(number), &played);
                matches.push(ReadMatch { played: *played, analysis });
            }
            Ok(Entry::Map(..)) => {}
            Err(error) => {
                wrong = Some(FileError::NoRecord { path: path.to_owned(), line: number, error });
            }
        }
        wrong.is_none() && matches.len() < most
    });
    done.map_err(|error| FileError::Unreadable { path: path.to_owned(), error })?;
    // `agon analyse` takes the name of the file alone where the file has one match.
    if let [only] = &mut matches[..]
        && only.analysis.is_none()
    {
        only.analysis = review::kept_analysis(path, None, &only.played);
    }
    match wrong {
        Some(error) => Err(error),
        None if matches.is_empty() => Err(FileError::Empty(path.to_owned())),
        None => Ok(matches),
    }
}
