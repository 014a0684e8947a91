//! Bots that the local viewer starts: on the input of a recorded turn, and as players of continuations.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use game::text::{safe_line, safe_text};
use replay::wire::{Trial, Tried};
use replay::{Respond, Response};
use review::{Feeder, Patience, Recording, answer_at};
use sandbox::{Limits, Program, Sandbox};

use crate::error::RequestError;

/// A bot has this time for each answer in a page: nobody measures its clock here, but the page must not wait for ever.
const PATIENCE: Duration = Duration::from_secs(20);
/// Longest text of a bot, in characters.
const LONGEST_TEXT: usize = 20_000;
/// The word for the bot that had the seat in the record.
const RECORDED: &str = "recorded";

/// A bot that can be started.
#[derive(Debug)]
pub struct Ready {
    /// Its name.
    pub name: String,
    /// Its program.
    pub program: Program,
    /// The sandbox it runs in.
    pub sandbox: Arc<Sandbox>,
}

/// A bot that a page asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted<'a> {
    /// By words: one of those that the user named, or a built-in bot such as `@boss-1`.
    Named(&'a str),
    /// The bot of a seat of the record. The record may come from a stranger.
    Recorded(u8),
}

type Prepare = dyn Fn(&Recording, Wanted<'_>) -> Result<Ready, String> + Send + Sync;

/// The bots that pages may start. Pages choose among the bots that the user named; they cannot name others.
pub struct LocalBots {
    named: Vec<String>,
    prepare: Box<Prepare>,
}

impl std::fmt::Debug for LocalBots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalBots").field("named", &self.named).finish_non_exhaustive()
    }
}

impl LocalBots {
    /// The bots that the user named, and how a bot is made ready; this is done each time it is started, so that a changed
    /// source is compiled again.
    pub fn new(
        named: Vec<String>,
        prepare: impl Fn(&Recording, Wanted<'_>) -> Result<Ready, String> + Send + Sync + 'static,
    ) -> LocalBots {
        LocalBots { named, prepare: Box::new(prepare) }
    }

    pub(crate) fn named(&self) -> &[String] {
        &self.named
    }

    fn ready(&self, recording: &Recording, words: &str, seat: u8) -> Result<Ready, String> {
        let wanted = match words {
            RECORDED => Wanted::Recorded(seat),
            built_in if built_in.starts_with('@') => Wanted::Named(built_in),
            named if self.named.iter().any(|one| one == named) => Wanted::Named(named),
            _ => return Err("it is none of the bots that `agon watch --bot` named".to_owned()),
        };
        (self.prepare)(recording, wanted)
    }

    /// A player of a continuation.
    pub(crate) fn player(
        &self,
        recording: &Recording,
        words: &str,
        seat: u8,
    ) -> Result<Box<dyn Respond>, String> {
        let ready = self.ready(recording, words, seat)?;
        Ok(Box::new(ProgramPlayer::start(ready)?))
    }

    /// Runs a bot on the input of a recorded turn.
    pub(crate) fn run(&self, recording: &Recording, trial: &Trial) -> Result<Tried, RequestError> {
        let asked = recording.asked_until(trial.seat, trial.turn)?;
        let bot = self.ready(recording, &trial.bot, trial.seat).map_err(RequestError::Bot)?;
        let mut feeder = Feeder::start(&bot.sandbox, &bot.program, &Limits::BOT)
            .map_err(|error| RequestError::Bot(error.to_string()))?;
        let patience = Patience { past: None, each: Some(PATIENCE), last: Some(PATIENCE) };
        let answered =
            answer_at(&mut feeder, asked, patience).map_err(|error| RequestError::Bot(error.to_string()))?;
        let recorded = asked.last().and_then(|asked| asked.answer.clone());
        let text = |line: &Vec<u8>| safe_line(&String::from_utf8_lossy(line), LONGEST_TEXT);
        Ok(Tried {
            seat: trial.seat,
            turn: trial.turn,
            bot: safe_line(&bot.name, 60),
            answered: answered.answer.as_ref().ok().map(text),
            same: answered.answer.as_ref().ok() == recorded.as_ref(),
            why: answered.answer.as_ref().err().map(ToString::to_string),
            stderr: safe_text(&String::from_utf8_lossy(&answered.stderr), LONGEST_TEXT),
            time_ms: answered.wall.as_secs_f64() * 1e3,
        })
    }
}

/// A program that plays. A program in a sandbox ends with the thread that started it, so it has a thread of its own, which
/// ends with this value.
struct ProgramPlayer {
    questions: Sender<String>,
    answers: Receiver<Response>,
}

impl ProgramPlayer {
    fn start(ready: Ready) -> Result<ProgramPlayer, String> {
        let (questions, asked) = channel::<String>();
        let (answer, answers) = channel();
        let (started, start) = channel();
        let play = move || {
            let mut feeder = match Feeder::start(&ready.sandbox, &ready.program, &Limits::BOT) {
                Ok(feeder) => feeder,
                Err(error) => return drop(started.send(Err(error.to_string()))),
            };
            // The receiver is gone if nobody waits for the start any more; then the first question never comes.
            let _ = started.send(Ok(()));
            for question in asked {
                drop(feeder.take_stderr());
                feeder.send(&question);
                let line = feeder.line(Some(PATIENCE)).map_err(|why| why.to_string());
                if answer.send(Response { line, stderr: feeder.take_stderr() }).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("bot".to_owned()).spawn(play).map_err(|error| error.to_string())?;
        start.recv().map_err(|error| error.to_string())??;
        Ok(ProgramPlayer { questions, answers })
    }
}

impl Respond for ProgramPlayer {
    fn respond(&mut self, question: &str) -> Response {
        let asked = self.questions.send(question.to_owned());
        let gone = || Response { line: Err("its thread has ended".to_owned()), stderr: Vec::new() };
        if asked.is_err() { gone() } else { self.answers.recv().unwrap_or_else(|_| gone()) }
    }
}
