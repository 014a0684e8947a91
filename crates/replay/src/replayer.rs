//! From answers to steps: the one place where a match becomes what is shown, be it a record, a match that is being played,
//! or a game of a person.

use catalog::record::{Header, Played, RulesField};
use catalog::{AnyGame, AnyShow};
use game::{FaultKind, Mark, MarkKind, Seat};
use play::metrics_of;
use referee::Clock;
use sandbox::Level;
use serde::Deserialize as _;
use serde_json::{Map, Value};

use crate::wire::{Answer, PlayerInfo, Replay, ReplayEnd, ReplayHeader, Step};
use game::text::{safe_line, safe_text};

/// Tells a match while its answers come in.
pub struct Replayer {
    show: Box<dyn AnyShow>,
    /// Shown as this player may know it; nothing for onlookers.
    only_for: Option<Seat>,
    /// Answers of the step that is not complete.
    pending: Vec<Option<Answer>>,
    /// The number of the next step: 0 for the start, then that of the turn being played.
    turn: u32,
    faults: usize,
    metrics: Vec<Map<String, Value>>,
    answers: Vec<u64>,
}

impl std::fmt::Debug for Replayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Replayer").field("turn", &self.turn).finish_non_exhaustive()
    }
}

/// What is known of an answer beside the line.
#[derive(Clone, Default, Debug)]
pub struct AnswerMeta {
    /// How long it took, in microseconds.
    pub wall_us: Option<u64>,
    /// What was written to the standard error output meanwhile.
    pub stderr: Vec<u8>,
}

/// A text of a bot is cut after so many characters: a page must stay readable.
const LONGEST_TEXT: usize = 20_000;

impl Replayer {
    /// A match before its first answer, and the step it starts from.
    ///
    /// # Errors
    ///
    /// When the rules of the header cannot be played.
    pub fn new(header: &Header, only_for: Option<Seat>) -> Result<(Replayer, Step), String> {
        let game = catalog::find(&header.game)?;
        let show = game.show(header).map_err(|error| error.to_string())?;
        let players = show.play().players() as usize;
        let mut replayer = Replayer {
            show,
            only_for: only_for.filter(|_| game.info().hidden),
            pending: vec![None; players],
            turn: 0,
            faults: 0,
            metrics: vec![Map::new(); players],
            answers: vec![0; players],
        };
        let start = replayer.step();
        Ok((replayer, start))
    }

    /// The match that is told.
    pub fn show(&self) -> &dyn AnyShow {
        self.show.as_ref()
    }

    /// Takes an answer; gives the next step when it was the last one missing.
    ///
    /// # Errors
    ///
    /// When nobody awaits an answer of `seat`.
    pub fn answer(
        &mut self,
        seat: Seat,
        line: Option<&[u8]>,
        aside: &AnswerMeta,
    ) -> Result<Option<Step>, String> {
        if seat.index() >= self.pending.len() {
            return Err(format!("there is no player {seat}"));
        }
        let mut input = String::new();
        if self.show.play().awaited().contains(seat) {
            self.show.play().question(seat, &mut input);
        }
        let stepped = self.show.answer(seat, line).map_err(|error| error.to_string())?;
        let stderr = String::from_utf8_lossy(&aside.stderr);
        metrics_of(&stderr, self.answers[seat.index()], &mut self.metrics[seat.index()]);
        self.answers[seat.index()] += 1;
        let is_secret = self.only_for.is_some_and(|viewer| viewer != seat);
        self.pending[seat.index()] = (!is_secret).then(|| Answer {
            input,
            output: line.map(|line| safe_line(&String::from_utf8_lossy(line), LONGEST_TEXT)),
            wall_us: aside.wall_us,
            stderr: (!stderr.is_empty()).then(|| safe_text(&stderr, LONGEST_TEXT)),
        });
        Ok(stepped.then(|| self.step()))
    }

    fn step(&mut self) -> Step {
        let is_told = |seats: game::Seats| self.only_for.is_none_or(|viewer| !seats.contains(viewer));
        let happened = self.show.happened();
        let happened: Vec<_> = happened.into_iter().filter(|one| is_told(one.secret_from)).collect();
        let faults = self.show.play().faults()[self.faults..].to_vec();
        self.faults += faults.len();
        let mut marks: Vec<Mark> = happened.iter().filter_map(|one| one.mark).collect();
        marks.extend(faults.iter().map(|fault| {
            let kind = if fault.kind == FaultKind::Missing { MarkKind::Timeout } else { MarkKind::Error };
            Mark::of(kind, fault.seat)
        }));
        let players = self.pending.len();
        Step {
            turn: std::mem::replace(&mut self.turn, self.show.turn()),
            frame: self.show.frame(self.only_for),
            events: happened.into_iter().map(|one| cleaned(one.event)).collect(),
            marks,
            scores: self.show.play().outcome().scores,
            answers: std::mem::replace(&mut self.pending, vec![None; players]),
            faults,
        }
    }

    /// What is known of the end so far.
    pub fn end(&self) -> ReplayEnd {
        let play = self.show.play();
        ReplayEnd {
            outcome: play.awaited().is_empty().then(|| play.outcome()),
            causes: vec![None; self.pending.len()],
            trouble: None,
            metrics: self.metrics.clone(),
        }
    }

    /// What is known before the first answer. `names` are those of the players, `again` is the command that plays the match again.
    pub fn header(
        &self,
        header: &Header,
        names: &[String],
        again: Option<String>,
        human: Option<Seat>,
    ) -> ReplayHeader {
        let rules = self.show.play().rules();
        let (title, edition) = catalog::find(&header.game)
            .map(|game| (game.info().title.to_owned(), edition_of(game, &rules)))
            .unwrap_or_default();
        let who = |seat: usize| PlayerInfo {
            name: names.get(seat).map_or_else(|| format!("player {seat}"), |name| safe_line(name, 60)),
        };
        ReplayHeader {
            game: header.game.clone(),
            title,
            seed: header.seed.to_string(),
            league: rules["league"].as_u64().and_then(|league| u8::try_from(league).ok()),
            again,
            edition,
            players: (0..self.pending.len()).map(who).collect(),
            limits: self.show.limits(),
            board: self.show.board(),
            human: human.map(|seat| seat.0),
        }
    }
}

/// Text of bots inside an event is cleaned as well.
fn cleaned(mut event: Value) -> Value {
    if let Some(Value::String(text)) = event.get_mut("text") {
        *text = safe_line(text, LONGEST_TEXT);
    }
    event
}

/// The edition whose rules these are.
fn edition_of(game: &dyn AnyGame, rules: &Value) -> Option<String> {
    let is_same = |selected: &game::Selected| game.start(*selected, 1).rules() == *rules;
    game.info().all().find(is_same).map(|selected| selected.edition.to_owned())
}

/// The command that plays the match of a record again. A record may come from a stranger: its command never asks for no box.
fn again(played: &Played, rules: &Value, edition: Option<&str>) -> Option<String> {
    let bots = played.bots.as_deref().filter(|bots| !bots.is_empty())?;
    let settings = played.settings.as_ref().unwrap_or(&Value::Null);
    let level = Level::deserialize(&settings["box"]["level"]).ok();
    let command = play::Command {
        game: &played.header.game,
        league: rules["league"].as_u64().and_then(|league| u8::try_from(league).ok()),
        edition,
        seed: played.header.seed,
        clock: Clock::deserialize(&settings["clock"]).ok(),
        sandbox: level.filter(|&level| level != Level::None),
        ponder: settings["ponder"].as_bool(),
        bots: bots.iter().map(|bot| bot.command.as_str()).collect(),
    };
    Some(safe_line(&command.again(), LONGEST_TEXT))
}

/// The whole replay of a record or a trace.
///
/// # Errors
///
/// When its rules cannot be played. A record that breaks off or does not fit is told as far as it goes.
pub fn replay_of(played: &Played) -> Result<Replay, String> {
    let (mut replayer, start) = Replayer::new(&played.header, None)?;
    let bots = played.bots.as_deref().unwrap_or_default();
    let names: Vec<String> = bots.iter().map(|bot| bot.name.clone()).collect();
    let mut header = replayer.header(&played.header, &names, None, None);
    header.again = again(played, &replayer.show.play().rules(), header.edition.as_deref());
    let mut steps = vec![start];
    let mut trouble = None;
    for (place, turn) in played.turns.iter().enumerate() {
        let line = turn.output.as_ref().map(|lines| lines.first().map_or(&[][..], |line| line.0.as_slice()));
        let stderr = turn.stderr.as_ref().map_or_else(Vec::new, |stderr| stderr.0.clone());
        match replayer.answer(Seat(turn.player), line, &AnswerMeta { wall_us: turn.wall_us, stderr }) {
            Ok(step) => steps.extend(step),
            Err(why) => {
                trouble = Some(format!("turns[{place}] of the record does not fit the match: {why}"));
                break;
            }
        }
    }
    let mut end = replayer.end();
    let outcome = played.outcome.as_ref();
    if let Some(causes) = outcome.and_then(|outcome| outcome["causes"].as_array()) {
        for (cause, recorded) in end.causes.iter_mut().zip(causes) {
            *cause = recorded.as_str().map(|cause| safe_line(cause, 60));
        }
    }
    let void = outcome.and_then(|outcome| outcome["void"].as_str()).map(|why| safe_line(why, 500));
    end.trouble = trouble.or(void);
    Ok(Replay { header, steps, done: true, attempt: 0, end })
}

/// The header of a match that is started here.
pub(crate) fn header_of(game: &dyn AnyGame, selected: game::Selected, seed: i64) -> Header {
    let rules = match game.start(selected, seed).rules() {
        Value::Object(rules) => Some(RulesField::Full(rules)),
        _ => None,
    };
    Header {
        agon: Some(catalog::record::VERSION),
        game: game.info().name.to_owned(),
        seed,
        league: None,
        rules,
        players: None,
        options: None,
    }
}
