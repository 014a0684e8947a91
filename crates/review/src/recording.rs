//! A record that was played again.

use catalog::record::{Played, Turn};
use catalog::{AnyGame, AnyMatch, SetUpError, UnknownGame};
use game::{Limits, MatchError, Seat, Seats, Selected};
use serde_json::Value;

/// A question to a seat, and the recorded answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// The turn, as the viewer counts.
    pub turn: u32,
    /// All lines that the seat was sent, each with its line feed.
    pub input: String,
    /// The recorded answer; `None` when none came in time.
    pub answer: Option<Vec<u8>>,
}

/// A match of which every question is known again.
#[derive(Clone)]
pub struct Recording {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The record.
    pub played: Played,
    /// The rule set by name; `None` if no edition of this program has these rules.
    pub selected: Option<Selected>,
    /// All numbers of the rules.
    pub rules: Value,
    /// Time and size limits of an answer.
    pub limits: Limits,
    /// The number of the last turn; if the match was not played to its end, of the turn that was being played.
    pub last_turn: u32,
    /// The questions of each seat.
    seats: Vec<Vec<Asked>>,
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording")
            .field("game", &self.game.info().name)
            .field("seed", &self.played.header.seed)
            .field("last_turn", &self.last_turn)
            .finish_non_exhaustive()
    }
}

/// A record or a place in it that cannot be used. The fault lies with the record or with the caller.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordingError {
    /// The game does not exist.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The rules cannot be played, such as those of an unknown edition.
    #[error(transparent)]
    Rules(#[from] SetUpError),
    /// An answer that the match does not wait for.
    #[error("turns[{place}] of the record does not fit the match: {error}")]
    Misfit {
        /// Index of the answer.
        place: usize,
        /// The reason.
        error: MatchError,
    },
    /// A seat that does not exist.
    #[error("there is no seat {seat}; the seats of this match are 0 to {}", .players - 1)]
    NoSeat {
        /// The seat.
        seat: u8,
        /// The number of players.
        players: u8,
    },
    /// A turn that does not exist.
    #[error("there is no turn {turn}; the turns of this match are 1 to {last}")]
    NoTurn {
        /// The turn.
        turn: u32,
        /// The last turn.
        last: u32,
    },
    /// A seat that was never asked.
    #[error("player {0} was never asked")]
    NeverAsked(u8),
    /// A seat that is out at this turn.
    #[error("player {seat} is not asked at turn {turn}: it was asked last at turn {last}, then it was out")]
    Out {
        /// The seat.
        seat: u8,
        /// The turn.
        turn: u32,
        /// The last turn at which it was asked.
        last: u32,
    },
    /// It is not the turn of this seat.
    #[error("player {seat} is not asked at turn {turn}; the next turn at which it is asked is {next}")]
    NotItsTurn {
        /// The seat.
        seat: u8,
        /// The turn.
        turn: u32,
        /// The next turn at which it is asked.
        next: u32,
    },
    /// Rules that no edition of this program has.
    #[error("the rules of this record are those of no edition of {0} that this program knows")]
    UnknownEdition(&'static str),
}

impl Recording {
    /// Plays a record again.
    ///
    /// # Errors
    ///
    /// When its game or its rules do not exist, or its answers do not fit the match.
    pub fn of(played: Played) -> Result<Recording, RecordingError> {
        let game = catalog::find(&played.header.game)?;
        let mut show = game.show(&played.header)?;
        let limits = show.limits();
        let rules = show.play().rules();
        let mut seats: Vec<Vec<Asked>> = vec![Vec::new(); usize::from(show.play().players())];
        for (place, entry) in played.turns.iter().enumerate() {
            let (seat, turn) = (Seat(entry.player), show.turn());
            let awaited = show.play().awaited();
            // Seats beyond 7 are no seats of a set.
            if entry.player >= 8 || !awaited.contains(seat) {
                return Err(RecordingError::Misfit { place, error: MatchError { seat, awaited } });
            }
            let input = input_of(entry, show.play(), seat);
            seats[seat.index()].push(Asked { turn, input, answer: entry.answer().map(<[u8]>::to_vec) });
            show.answer(seat, entry.answer()).map_err(|error| RecordingError::Misfit { place, error })?;
        }
        let last_turn = show.turn();
        let is_same = |selected: &Selected| game.start(*selected, 1).rules() == rules;
        let selected = game.info().all().find(is_same);
        Ok(Recording { game, played, selected, rules, limits, last_turn, seats })
    }

    /// The number of players.
    pub fn players(&self) -> u8 {
        self.seats.len() as u8
    }

    /// The rule set by name.
    ///
    /// # Errors
    ///
    /// When no edition of this program has the rules of the record.
    pub fn selected(&self) -> Result<Selected, RecordingError> {
        self.selected.ok_or(RecordingError::UnknownEdition(self.game.info().title))
    }

    /// The digest of the match.
    pub fn digest(&self) -> String {
        self.played.digest(&self.rules)
    }

    /// The name of a player.
    pub fn name(&self, seat: u8) -> Option<&str> {
        self.played.bots.as_ref()?.get(usize::from(seat)).map(|bot| bot.name.as_str())
    }

    /// All questions to a seat.
    ///
    /// # Errors
    ///
    /// When there is no such seat, or it was never asked.
    pub fn asked(&self, seat: u8) -> Result<&[Asked], RecordingError> {
        let players = self.players();
        let asked = self.seats.get(usize::from(seat)).ok_or(RecordingError::NoSeat { seat, players })?;
        if asked.is_empty() { Err(RecordingError::NeverAsked(seat)) } else { Ok(asked) }
    }

    /// The questions to a seat up to the one of a turn.
    ///
    /// # Errors
    ///
    /// When there is no such seat or turn, or the seat is not asked at this turn.
    pub fn asked_until(&self, seat: u8, turn: u32) -> Result<&[Asked], RecordingError> {
        let asked = self.asked(seat)?;
        self.check_turn(turn)?;
        let place = asked.partition_point(|asked| asked.turn < turn);
        match asked.get(place) {
            Some(found) if found.turn == turn => Ok(&asked[..=place]),
            Some(later) => Err(RecordingError::NotItsTurn { seat, turn, next: later.turn }),
            None => Err(RecordingError::Out { seat, turn, last: asked[place - 1].turn }),
        }
    }

    /// Whether a turn exists.
    ///
    /// # Errors
    ///
    /// When it does not.
    pub fn check_turn(&self, turn: u32) -> Result<(), RecordingError> {
        let last = self.last_turn;
        if (1..=last).contains(&turn) { Ok(()) } else { Err(RecordingError::NoTurn { turn, last }) }
    }

    /// The match at the start of a turn, and the recorded answers before it in their order.
    ///
    /// # Errors
    ///
    /// When there is no such turn.
    pub fn before(&self, turn: u32) -> Result<(Box<dyn AnyMatch>, &[Turn]), RecordingError> {
        self.check_turn(turn)?;
        let mut play = self.game.set_up(&self.played.header)?;
        let turns = &self.played.turns;
        for (place, entry) in turns.iter().enumerate() {
            if play.turn() >= turn {
                return Ok((play, &turns[..place]));
            }
            let misfit = |error| RecordingError::Misfit { place, error };
            play.answer(Seat(entry.player), entry.answer()).map_err(misfit)?;
        }
        Ok((play, turns))
    }

    /// The seats that are asked at a turn.
    pub fn awaited(&self, turn: u32) -> Seats {
        let mut seats = Seats::NONE;
        for (seat, asked) in self.seats.iter().enumerate() {
            if asked.binary_search_by_key(&turn, |asked| asked.turn).is_ok() {
                seats.add(Seat(seat as u8));
            }
        }
        seats
    }
}

/// The lines that a seat was sent: those of the record if it has them, otherwise made again by the engine.
fn input_of(entry: &Turn, play: &dyn AnyMatch, seat: Seat) -> String {
    match &entry.input {
        Some(lines) => lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect(),
        None => {
            let mut input = String::new();
            play.question(seat, &mut input);
            input
        }
    }
}
