//! A match that continues a recorded one from a turn.

use bots::{Lines, Lost, Mind, Thinking};
use catalog::record::{Header, Line, Parent, ParentSeat, Played, RulesField, Turn};
use game::{Seat, Seats};
use referee::{CaughtUp, Past};
use serde_json::{Map, Value, json};
use toolchain::{Bot, How};

use crate::recording::{Recording, RecordingError};

/// The place from which a match is continued.
#[derive(Clone, Debug)]
pub struct Fork {
    turn: u32,
    past: Past,
    given: Vec<Option<Line>>,
    digest: String,
    names: Vec<Option<String>>,
}

/// A place from which a match cannot be continued. The fault is the caller's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ForkError {
    /// The turn or the rules.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// A seat that does not exist or is not asked at the turn.
    #[error(
        "player {seat} is not asked at turn {turn}, so no answer can be given for it; asked are {asked:?}"
    )]
    NotAsked {
        /// The seat.
        seat: u8,
        /// The turn.
        turn: u32,
        /// The seats that are asked.
        asked: Seats,
    },
    /// Two answers for one seat.
    #[error("there are two answers for player {0}")]
    GivenTwice(u8),
    /// An answer of several lines.
    #[error("the answer for player {0} has more than one line")]
    Lines(u8),
}

impl Fork {
    /// A continuation from a turn; `given` are lines that are played at this turn instead of answers of the bots.
    ///
    /// # Errors
    ///
    /// When there is no such turn, or a seat that an answer is given for is not asked.
    pub fn new(recording: &Recording, turn: u32, given: &[(u8, Vec<u8>)]) -> Result<Fork, ForkError> {
        let (play, before) = recording.before(turn)?;
        let mut past = Past::default();
        for entry in before {
            past.push(Seat(entry.player), entry.answer().map(<[u8]>::to_vec));
        }
        let players = recording.players();
        let mut lines: Vec<Option<Line>> = vec![None; usize::from(players)];
        for (seat, line) in given {
            let asked = play.awaited();
            if *seat >= players || !asked.contains(Seat(*seat)) {
                return Err(ForkError::NotAsked { seat: *seat, turn, asked });
            }
            if line.contains(&b'\n') || line.contains(&b'\r') {
                return Err(ForkError::Lines(*seat));
            }
            if lines[usize::from(*seat)].replace(Line(line.clone())).is_some() {
                return Err(ForkError::GivenTwice(*seat));
            }
            past.push(Seat(*seat), Some(line.clone()));
        }
        let names = (0..players).map(|seat| recording.name(seat).map(str::to_owned)).collect();
        Ok(Fork { turn, past, given: lines, digest: recording.digest(), names })
    }

    /// The recorded answers, for [`play::Runner::continuing`].
    pub fn past(&self) -> &Past {
        &self.past
    }

    /// The description of the parent in the record of a continuation.
    pub fn parent(&self, caught_up: &[CaughtUp]) -> Parent {
        let seat = |(seat, caught_up): (usize, &CaughtUp)| ParentSeat {
            name: self.names[seat].clone(),
            ignored: caught_up.ignored,
            differed: caught_up.differed,
            given: self.given[seat].clone(),
        };
        let seats = caught_up.iter().enumerate().map(seat).collect();
        Parent { digest: self.digest.clone(), turn: self.turn, seats }
    }

    /// Continues the match in memory with built-in bots, one for each seat. `past_thinking` limits their thinking about questions whose
    /// answers are ignored.
    ///
    /// # Errors
    ///
    /// When a bot cannot read its question, which is a mistake in the bot.
    ///
    /// # Panics
    ///
    /// When there are fewer bots than seats.
    pub fn in_memory(
        &self,
        recording: &Recording,
        minds: &mut [Box<dyn Mind>],
        past_thinking: Thinking,
        thinking: Thinking,
    ) -> Result<Played, ForkInMemoryError> {
        let mut play = recording.game.set_up(&recording.played.header).map_err(RecordingError::from)?;
        let mut past = self.past.clone();
        let mut caught_up = vec![CaughtUp::default(); minds.len()];
        let mut first = Seats::first(recording.players());
        let mut turns = Vec::new();
        let mut question = String::new();
        loop {
            let awaited = play.awaited();
            if awaited.is_empty() {
                break;
            }
            let mut answers = Vec::new();
            for seat in awaited {
                question.clear();
                play.question(seat, &mut question);
                let mut text = question.as_bytes();
                let recorded = past.take(seat);
                let thinking = if recorded.is_some() { past_thinking } else { thinking };
                let budget = thinking.begin(first.contains(seat));
                first.discard(seat);
                let own = minds[seat.index()].answer(&mut Lines::new(&mut text), budget)?;
                let answer = match recorded {
                    None => Some(own),
                    Some(recorded) => {
                        let caught_up = &mut caught_up[seat.index()];
                        caught_up.ignored += 1;
                        caught_up.differed += u32::from(recorded.as_ref() != Some(&own));
                        recorded
                    }
                };
                answers.push((seat, answer));
            }
            for (seat, answer) in answers {
                // Only awaited seats were asked.
                let _ = play.answer(seat, answer.as_deref());
                turns.push(Turn::new(seat.0, answer));
            }
        }
        let object = |value: Value| match value {
            Value::Object(object) => object,
            _ => Map::new(),
        };
        let header = Header {
            agon: Some(catalog::record::VERSION),
            game: recording.game.info().name.to_owned(),
            seed: recording.played.header.seed,
            league: None,
            rules: Some(RulesField::Full(object(play.rules()))),
            players: None,
            options: None,
        };
        let mut played = Played::new(header, turns, object(play.end()));
        played.outcome = Some(json!(play.outcome()));
        played.parent = Some(self.parent(&caught_up));
        Ok(played)
    }
}

/// A continuation in memory that failed.
#[derive(Debug, thiserror::Error)]
pub enum ForkInMemoryError {
    /// The rules of the record.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// A built-in bot does not understand its question: our fault.
    #[error("a built-in bot failed: {0}")]
    Bot(#[from] Lost),
}

/// The bots of continuation `number`. Programs get the number in two ways, so that they can use other random numbers in
/// each continuation: `{seed}` in an argument is replaced, and `AGON_SEED` is in the environment.
#[must_use]
pub fn numbered(bots: &[Bot], number: u64) -> Vec<Bot> {
    let mut bots = bots.to_vec();
    for bot in &mut bots {
        let How::Program(program) = &mut bot.how else { continue };
        for word in &mut program.argv {
            if let Some(text) = word.to_str().filter(|text| text.contains("{seed}")) {
                *word = text.replace("{seed}", &number.to_string()).into();
            }
        }
        program.env.push(("AGON_SEED".into(), number.to_string().into()));
    }
    bots
}

#[cfg(test)]
mod tests {
    use super::*;
    use sandbox::Program;

    #[test]
    fn each_continuation_has_its_number() {
        let program = Program {
            argv: vec!["bot".into(), "--seed={seed}".into()],
            folder: None,
            writable: None,
            env: Vec::new(),
        };
        let how = How::Program(program);
        let bot = Bot { name: "bot".into(), asked: "bot".into(), digest: None, how };
        let How::Program(program) = numbered(&[bot], 7).remove(0).how else { panic!("a program") };
        assert_eq!(program.argv[1], "--seed=7");
        assert_eq!(program.env, [("AGON_SEED".into(), "7".into())]);
    }
}
