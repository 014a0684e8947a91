//! A game of a person against bots.

use std::time::{Duration, Instant};

use bots::{Lines, Mind, Seating, Thinking};
use catalog::record::{Header, Line, Parent, Played, Turn};
use catalog::{AnyGame, UnknownBot};
use game::text::safe_line;
use game::{Dice, Fault, Seat, Selection};
use serde_json::Value;

use crate::error::{HumanGameError, ReplayError};
use crate::replayer::{AnswerMeta, Replayer, header_of, replay_of};
use crate::wire::{Asked, Challenge, Replay, ReplayEnd, ReplayHeader, Reply, Step};

/// The opponent that every game has.
pub(crate) const RANDOM: &str = "random";

/// The name of a person.
pub(crate) const PERSON: &str = "you";

/// Time that is added to the limit of a person for the network.
const GRACE: Duration = Duration::from_secs(2);

/// A player that is neither a person nor a built-in bot, such as a program.
pub trait Respond: Send {
    /// The answer to a question.
    fn respond(&mut self, question: &str) -> Response;
}

/// An answer of a [`Respond`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Response {
    /// The line; otherwise why there is none. A player without an answer is not asked again.
    pub line: Result<Vec<u8>, String>,
    /// The standard error output since the question.
    pub stderr: Vec<u8>,
}

/// The player of a seat.
pub(crate) struct Player {
    pub(crate) name: String,
    /// The words that name it in a record.
    pub(crate) command: String,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    Person,
    Random,
    BuiltIn(Box<dyn Mind>),
    Other(Box<dyn Respond>),
    /// It did not answer, and is not asked again.
    Gone,
}

/// A game of a person against bots. It may begin at a turn of another match, and then also be played by bots alone.
pub struct HumanGame {
    pub(crate) record_header: Header,
    pub(crate) human: Option<Seat>,
    pub(crate) players: Vec<Player>,
    pub(crate) replayer: Replayer,
    pub(crate) header: ReplayHeader,
    pub(crate) steps: Vec<Step>,
    /// Number of steps that the person has received.
    sent: usize,
    pub(crate) turns: Vec<Turn>,
    pub(crate) thinking: Thinking,
    asked_before: Vec<bool>,
    dice: Dice,
    limit: Option<Duration>,
    asked_at: Instant,
    /// The match that this one continues.
    pub(crate) parent: Option<Parent>,
    /// Why a player was not asked any more.
    pub(crate) trouble: Option<String>,
}

impl std::fmt::Debug for HumanGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HumanGame").field("game", &self.record_header.game).finish_non_exhaustive()
    }
}

/// The opponents that a person can choose, levels last.
pub fn opponents(game: &dyn AnyGame) -> Vec<String> {
    let bots = game.ladder().iter().chain(game.levels());
    std::iter::once(RANDOM).chain(bots.map(|bot| bot.name)).map(str::to_owned).collect()
}

impl Player {
    pub(crate) fn person() -> Player {
        Player { name: PERSON.to_owned(), command: "a person".to_owned(), kind: Kind::Person }
    }

    /// A built-in bot, or random play.
    pub(crate) fn built_in(
        game: &dyn AnyGame,
        name: &str,
        seating: &Seating,
    ) -> Result<Player, HumanGameError> {
        let kind = match game.bot(name) {
            Some(bot) => Kind::BuiltIn((bot.sit)(seating)),
            None if name == RANDOM => Kind::Random,
            None => return Err(UnknownBot::new(name, [game], [RANDOM]).into()),
        };
        let title = game.bot(name).map_or(name, |bot| bot.title);
        Ok(Player { name: title.to_owned(), command: format!("@{name}"), kind })
    }
}

impl HumanGame {
    /// Begins a game. `fresh` is the seed if the challenge names none.
    ///
    /// # Errors
    ///
    /// When the game, league, seat or opponent does not exist, or when a built-in bot fails.
    pub fn new(challenge: &Challenge, fresh: i64) -> Result<HumanGame, HumanGameError> {
        let game: &dyn AnyGame = catalog::find(&challenge.game)?;
        let asked = Selection {
            league: challenge.league,
            edition: challenge.edition.clone(),
            players: challenge.players,
        };
        let selected = game.select(&asked)?;
        let seed = match challenge.seed.as_deref().map(str::trim) {
            None | Some("") => fresh,
            Some(text) => text.parse().map_err(|_| HumanGameError::Seed(safe_line(text, 60)))?,
        };
        if challenge.seat >= selected.players {
            return Err(HumanGameError::Seat { seat: challenge.seat, players: selected.players });
        }
        let player = |seat: u8| {
            if seat == challenge.seat {
                return Ok(Player::person());
            }
            let seating = Seating { selected, seed: (seed as u64) ^ u64::from(seat) };
            Player::built_in(game, &challenge.opponent, &seating)
        };
        let players = (0..selected.players).map(player).collect::<Result<Vec<Player>, HumanGameError>>()?;
        let mut human_game = HumanGame::start(header_of(game, selected, seed), players)?;
        human_game.limit = challenge.seconds.map(|seconds| Duration::from_secs(seconds.into()));
        human_game.advance()?;
        Ok(human_game)
    }

    /// A game before its first answer.
    pub(crate) fn start(record_header: Header, players: Vec<Player>) -> Result<HumanGame, HumanGameError> {
        let is_person = |player: &Player| matches!(player.kind, Kind::Person);
        let human = players.iter().position(is_person).map(|seat| Seat(seat as u8));
        let (replayer, start) = Replayer::new(&record_header, human).map_err(HumanGameError::Match)?;
        let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
        Ok(HumanGame {
            human,
            header: replayer.header(&record_header, &names, None, human),
            steps: vec![start],
            sent: 1,
            turns: Vec::new(),
            thinking: Thinking::within(replayer.show().limits()),
            asked_before: vec![false; players.len()],
            dice: Dice::new(record_header.seed as u64 ^ 0x5eed),
            limit: None,
            asked_at: Instant::now(),
            players,
            record_header,
            replayer,
            parent: None,
            trouble: None,
        })
    }

    /// The same game with another bot in the seats of the built-in bots.
    #[must_use]
    pub fn with_bot(mut self, sit: impl Fn() -> Box<dyn Mind>) -> HumanGame {
        for player in &mut self.players {
            if let Kind::BuiltIn(mind) = &mut player.kind {
                *mind = sit();
            }
        }
        self
    }

    /// Lets the bots answer until the person is asked or the game is over.
    pub(crate) fn advance(&mut self) -> Result<(), HumanGameError> {
        loop {
            let mut awaited = self.replayer.show().play().awaited();
            let Some(seat) = awaited.find(|&seat| Some(seat) != self.human) else { break };
            let begun = Instant::now();
            let (line, stderr) = self.think(seat, self.thinking)?;
            let meta = AnswerMeta { wall_us: Some(begun.elapsed().as_micros() as u64), stderr };
            self.give(seat, line, meta).map_err(HumanGameError::Match)?;
        }
        self.asked_at = Instant::now();
        Ok(())
    }

    /// The answer of a bot, and its standard error output. `None` if it does not answer.
    pub(crate) fn think(
        &mut self,
        seat: Seat,
        thinking: Thinking,
    ) -> Result<(Option<Vec<u8>>, Vec<u8>), HumanGameError> {
        let play = self.replayer.show().play();
        let player = &mut self.players[seat.index()];
        let mut question = String::new();
        play.question(seat, &mut question);
        let first = !std::mem::replace(&mut self.asked_before[seat.index()], true);
        match &mut player.kind {
            Kind::Person | Kind::Gone => Ok((None, Vec::new())),
            Kind::Random => Ok((Some(play.random_answer(seat, &mut self.dice)), Vec::new())),
            Kind::BuiltIn(mind) => {
                let mut text = question.as_bytes();
                let answer = mind.answer(&mut Lines::new(&mut text), thinking.begin(first));
                let failed = |why: String| HumanGameError::BuiltInBot { name: player.name.clone(), why };
                answer.map(|line| (Some(line), Vec::new())).map_err(|lost| failed(lost.to_string()))
            }
            Kind::Other(other) => {
                let Response { line, stderr } = other.respond(&question);
                if let Err(why) = &line {
                    let what = format!("{}, turn {}: {why}", player.name, play.turn());
                    self.trouble.get_or_insert(safe_line(&what, 500));
                    player.kind = Kind::Gone;
                }
                Ok((line.ok(), stderr))
            }
        }
    }

    pub(crate) fn give(
        &mut self,
        seat: Seat,
        line: Option<Vec<u8>>,
        meta: AnswerMeta,
    ) -> Result<(), ReplayError> {
        self.steps.extend(self.replayer.answer(seat, line.as_deref(), &meta)?);
        let stderr = (!meta.stderr.is_empty()).then_some(Line(meta.stderr));
        self.turns.push(Turn { wall_us: meta.wall_us, stderr, ..Turn::new(seat.0, line) });
        Ok(())
    }

    /// All faults that an answer of the person would have.
    pub fn check(&self, line: &str) -> Vec<Fault> {
        self.human.map_or_else(Vec::new, |human| self.replayer.check(human, line.as_bytes()))
    }

    /// Adds an answer of the person; the bots play on until the person is asked again.
    ///
    /// # Errors
    ///
    /// When the person is not asked, or when a built-in bot fails.
    pub fn answer(&mut self, line: Option<&str>) -> Result<(), HumanGameError> {
        let took = self.asked_at.elapsed();
        let late = self.limit.is_some_and(|limit| took > limit + GRACE);
        let line = line.filter(|_| !late).map(|line| line.replace(['\n', '\r'], " ").into_bytes());
        let meta = AnswerMeta { wall_us: Some(took.as_micros() as u64), stderr: Vec::new() };
        let human = self.human.ok_or_else(|| HumanGameError::NoPerson)?;
        self.give(human, line, meta).map_err(|error| match error {
            ReplayError::NotAwaited(error) => HumanGameError::NotAwaited(error),
            error => HumanGameError::Match(error),
        })?;
        self.advance()
    }

    /// The steps that the person has not received yet, and the next question.
    pub fn reply(&mut self, id: usize) -> Reply {
        let steps = self.steps[self.sent..].to_vec();
        self.sent = self.steps.len();
        let show = self.replayer.show();
        let asked = self.human.filter(|&human| show.play().awaited().contains(human)).map(|human| {
            let mut input = String::new();
            show.play().question(human, &mut input);
            let seconds = self.limit.map(|limit| limit.as_secs() as u16);
            Asked { input, choices: show.choices(human), seconds }
        });
        Reply { id, steps, asked, end: self.end() }
    }

    fn end(&self) -> ReplayEnd {
        ReplayEnd { trouble: self.trouble.clone(), ..self.replayer.end() }
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.replayer.show().play().awaited().is_empty()
    }

    /// The replay: while the game goes on, only the information that the person may see; everything when it is over.
    pub fn replay(&self) -> Replay {
        if self.is_over()
            && let Ok(mut replay) = replay_of(&self.record())
        {
            replay.header.human = self.human.map(|human| human.0);
            replay.header.again = None;
            replay.end.trouble.clone_from(&self.trouble);
            return replay;
        }
        let (header, steps) = (self.header.clone(), self.steps.clone());
        Replay { header, steps, done: false, attempt: 0, end: self.end(), analysis: None }
    }

    /// The record of the game.
    pub fn record(&self) -> Played {
        let play = self.replayer.show().play();
        let end = match play.end() {
            Value::Object(end) => end,
            _ => serde_json::Map::new(),
        };
        let bot = |player: &Player| catalog::record::Player {
            name: player.name.clone(),
            command: player.command.clone(),
            digest: None,
            memory: None,
        };
        let mut played = Played::new(self.record_header.clone(), self.turns.clone(), end);
        played.bots = Some(self.players.iter().map(bot).collect());
        played.parent.clone_from(&self.parent);
        played.outcome = serde_json::to_value(play.outcome()).ok();
        played
    }

    /// The header as it was before the first answer.
    pub fn header(&self) -> &ReplayHeader {
        &self.header
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn challenge(game: &str, seat: u8, players: Option<u8>) -> Challenge {
        Challenge {
            game: game.to_owned(),
            league: None,
            edition: None,
            players,
            seed: Some("5".to_owned()),
            seat,
            opponent: RANDOM.to_owned(),
            seconds: None,
        }
    }

    /// Answers at random until the game is over.
    fn play_on(human_game: &mut HumanGame) -> usize {
        let mut dice = Dice::new(9);
        let mut answers = 0;
        while !human_game.is_over() {
            let line = human_game.replayer.show().play().random_answer(human_game.human.unwrap(), &mut dice);
            let line = String::from_utf8(line).unwrap();
            assert_eq!(human_game.check(&line), [], "{line}");
            human_game.answer(Some(&line)).unwrap();
            answers += 1;
        }
        answers
    }

    #[test]
    fn a_finished_game_is_a_record_like_any_other() {
        for (game, seat, players) in [
            ("ocean-of-code", 1, None),
            ("ocean-of-code", 0, None),
            ("hypersonic", 2, Some(3)),
            ("back-track", 0, None),
        ] {
            let mut human_game = HumanGame::new(&challenge(game, seat, players), 1).unwrap();
            let begun = human_game.reply(0);
            assert!(begun.asked.is_some(), "{game}");
            assert!(play_on(&mut human_game) > 3, "{game}");
            let reply = human_game.reply(0);
            assert!(reply.asked.is_none() && reply.end.outcome.is_some());
            let record = serde_json::to_vec(&human_game.record()).unwrap();
            let checked = catalog::verify::line(&record).unwrap();
            assert!(checked.mismatches.is_empty(), "{game}: {:?}", checked.mismatches);
            let replay = human_game.replay();
            assert!(replay.done);
            assert_eq!(replay.steps.len(), human_game.steps.len());
        }
    }

    #[test]
    fn nothing_secret_is_sent_before_the_end() {
        let mut human_game = HumanGame::new(&challenge("ocean-of-code", 0, None), 1).unwrap();
        let mut dice = Dice::new(2);
        for _ in 0..12 {
            if human_game.is_over() {
                break;
            }
            let line = human_game.replayer.show().play().random_answer(Seat(0), &mut dice);
            human_game.answer(Some(&String::from_utf8(line).unwrap())).unwrap();
        }
        assert!(!human_game.is_over());
        for step in human_game.replay().steps {
            assert_eq!(step.frame["submarines"][1]["cell"], Value::Null);
            assert!(step.answers[1].is_none());
            assert!(step.events.iter().all(|event| {
                event["seat"] != 1 || matches!(event["kind"].as_str(), Some("turn" | "explosion" | "over"))
            }));
        }
        play_on(&mut human_game);
        let last = human_game.replay().steps.pop().unwrap();
        assert_ne!(last.frame["submarines"][1]["cell"], Value::Null);
    }

    #[test]
    fn invalid_challenges_give_the_reason() {
        let why = |challenge: Challenge| HumanGame::new(&challenge, 1).unwrap_err();
        let why = |challenge: Challenge| {
            let error = why(challenge);
            assert!(!error.is_ours(), "{error}");
            error.to_string()
        };
        assert!(why(challenge("chess", 0, None)).contains("choose one of"));
        assert!(why(challenge("hypersonic", 2, None)).contains("seat 2"));
        let nobody = Challenge { opponent: "<b>".to_owned(), ..challenge("hypersonic", 0, None) };
        assert!(why(nobody).contains("random"));
        let seed = Challenge { seed: Some("x".to_owned()), ..challenge("hypersonic", 0, None) };
        assert!(why(seed).contains("64 bits"));
    }

    struct Broken;

    impl Mind for Broken {
        fn answer(&mut self, _: &mut Lines<'_>, _: bots::Budget) -> Result<Vec<u8>, bots::Lost> {
            Err(bots::Lost::Over)
        }
    }

    #[test]
    fn a_built_in_bot_that_fails_is_our_fault() {
        let boss = Challenge { opponent: "boss-1".to_owned(), ..challenge("hypersonic", 0, None) };
        let mut human_game = HumanGame::new(&boss, 1).unwrap().with_bot(|| Box::new(Broken));
        // Both players answer in each turn of Hypersonic: the bot answered the first question before the person.
        let error = human_game.answer(Some("MOVE 0 0")).unwrap_err();
        assert!(error.is_ours() && matches!(error, HumanGameError::BuiltInBot { .. }), "{error}");
    }

    #[test]
    fn an_answer_after_the_end_is_the_callers_fault() {
        let mut human_game = HumanGame::new(&challenge("hypersonic", 0, None), 1).unwrap();
        play_on(&mut human_game);
        let error = human_game.answer(Some("MOVE 0 0")).unwrap_err();
        assert!(!error.is_ours() && matches!(error, HumanGameError::NotAwaited(_)), "{error}");
    }
}
