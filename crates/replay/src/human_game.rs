//! A game of a person against built-in bots.

use std::time::{Duration, Instant};

use bots::{Lines, Mind, Seating, Thinking};
use catalog::AnyGame;
use catalog::record::{Header, Played, Player, Turn};
use game::text::safe_line;
use game::{Dice, Fault, Seat, Selection};
use serde_json::Value;

use crate::error::{HumanGameError, ReplayError};
use crate::replayer::{AnswerMeta, Replayer, header_of, replay_of};
use crate::wire::{Asked, Challenge, Replay, ReplayEnd, ReplayHeader, Reply, Step};

/// The opponent that every game has.
pub(crate) const RANDOM: &str = "random";

/// Time that is added to the limit of a person for the network.
const GRACE: Duration = Duration::from_secs(2);

/// A game of a person against built-in bots.
pub struct HumanGame {
    record_header: Header,
    human: Seat,
    opponent: String,
    replayer: Replayer,
    header: ReplayHeader,
    steps: Vec<Step>,
    /// Number of steps that the person has received.
    sent: usize,
    turns: Vec<Turn>,
    /// The built-in bots by seat; `None` for the person and for random play.
    minds: Vec<Option<Box<dyn Mind>>>,
    thinking: Thinking,
    asked_before: Vec<bool>,
    dice: Dice,
    limit: Option<Duration>,
    asked_at: Instant,
}

impl std::fmt::Debug for HumanGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HumanGame").field("game", &self.record_header.game).finish_non_exhaustive()
    }
}

/// The opponents that a person can choose.
pub fn opponents(game: &dyn AnyGame) -> Vec<String> {
    std::iter::once(RANDOM).chain(game.ladder().iter().map(|bot| bot.name)).map(str::to_owned).collect()
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
        let opponent = challenge.opponent.clone();
        let known = opponents(game);
        if !known.contains(&opponent) {
            return Err(HumanGameError::Opponent { name: safe_line(&opponent, 60), known });
        }
        let human = Seat(challenge.seat);
        let record_header = header_of(game, selected, seed);
        let (replayer, start) = Replayer::new(&record_header, Some(human)).map_err(HumanGameError::Match)?;
        let seats = selected.players as usize;
        let sit = |seat: usize| {
            let bot = game.bot(&opponent).filter(|_| seat != human.index())?;
            Some((bot.sit)(&Seating { selected, seed: (seed as u64) ^ seat as u64 }))
        };
        let names: Vec<String> =
            (0..seats).map(|seat| name(seat == human.index(), &opponent).to_owned()).collect();
        let header = replayer.header(&record_header, &names, None, Some(human));
        let mut human_game = HumanGame {
            human,
            header,
            steps: vec![start],
            sent: 1,
            turns: Vec::new(),
            minds: (0..seats).map(sit).collect(),
            thinking: Thinking::within(replayer.show().limits()),
            asked_before: vec![false; seats],
            dice: Dice::new(seed as u64 ^ 0x5eed),
            limit: challenge.seconds.map(|seconds| Duration::from_secs(seconds.into())),
            asked_at: Instant::now(),
            record_header,
            opponent,
            replayer,
        };
        human_game.advance()?;
        Ok(human_game)
    }

    /// The same game with another bot in the seats of the opponent.
    #[must_use]
    pub fn with_bot(mut self, sit: impl Fn() -> Box<dyn Mind>) -> HumanGame {
        self.minds.iter_mut().flatten().for_each(|mind| *mind = sit());
        self
    }

    /// Lets the bots answer until the person is asked or the game is over.
    fn advance(&mut self) -> Result<(), HumanGameError> {
        loop {
            let mut awaited = self.replayer.show().play().awaited();
            let Some(seat) = awaited.find(|&seat| seat != self.human) else { break };
            let begun = Instant::now();
            let line = self.think(seat)?;
            let wall_us = Some(begun.elapsed().as_micros() as u64);
            self.give(seat, Some(line), wall_us).map_err(HumanGameError::Match)?;
        }
        self.asked_at = Instant::now();
        Ok(())
    }

    fn think(&mut self, seat: Seat) -> Result<Vec<u8>, HumanGameError> {
        let play = self.replayer.show().play();
        let Some(mind) = &mut self.minds[seat.index()] else {
            return Ok(play.random_answer(seat, &mut self.dice));
        };
        let mut question = String::new();
        play.question(seat, &mut question);
        let first = !self.asked_before[seat.index()];
        let mut text = question.as_bytes();
        let answer = mind.answer(&mut Lines::new(&mut text), self.thinking.begin(first));
        self.asked_before[seat.index()] = true;
        answer
            .map_err(|lost| HumanGameError::BuiltInBot { name: self.opponent.clone(), why: lost.to_string() })
    }

    fn give(&mut self, seat: Seat, line: Option<Vec<u8>>, wall_us: Option<u64>) -> Result<(), ReplayError> {
        let meta = AnswerMeta { wall_us, stderr: Vec::new() };
        self.steps.extend(self.replayer.answer(seat, line.as_deref(), &meta)?);
        self.turns.push(Turn { wall_us, ..Turn::new(seat.0, line) });
        Ok(())
    }

    /// All faults that an answer of the person would have.
    pub fn check(&self, line: &str) -> Vec<Fault> {
        self.replayer.check(self.human, line.as_bytes())
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
        self.give(self.human, line, Some(took.as_micros() as u64)).map_err(|error| match error {
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
        let asked = show.play().awaited().contains(self.human).then(|| {
            let mut input = String::new();
            show.play().question(self.human, &mut input);
            let seconds = self.limit.map(|limit| limit.as_secs() as u16);
            Asked { input, choices: show.choices(self.human), seconds }
        });
        Reply { id, steps, asked, end: self.replayer.end() }
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
            replay.header.human = Some(self.human.0);
            replay.header.again = None;
            return replay;
        }
        let end: ReplayEnd = self.replayer.end();
        let (header, steps) = (self.header.clone(), self.steps.clone());
        Replay { header, steps, done: false, attempt: 0, end }
    }

    /// The record of the game.
    pub fn record(&self) -> Played {
        let play = self.replayer.show().play();
        let end = match play.end() {
            Value::Object(end) => end,
            _ => serde_json::Map::new(),
        };
        let bot = |seat: usize| {
            let name = name(seat == self.human.index(), &self.opponent).to_owned();
            let command = if seat == self.human.index() { "a person".into() } else { format!("@{name}") };
            Player { name, command, digest: None, memory: None }
        };
        let mut played = Played::new(self.record_header.clone(), self.turns.clone(), end);
        played.bots = Some((0..self.minds.len()).map(bot).collect());
        played.outcome = serde_json::to_value(play.outcome()).ok();
        played
    }

    /// The header as it was before the first answer.
    pub fn header(&self) -> &ReplayHeader {
        &self.header
    }
}

fn name(human: bool, opponent: &str) -> &str {
    if human { "you" } else { opponent }
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
            let line = human_game.replayer.show().play().random_answer(human_game.human, &mut dice);
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
