//! Turns answers into steps, the same way for a record, a match that is being played and a game of a person.

use catalog::record::{Header, Played, RulesField};
use catalog::{AnyGame, AnyShow};
use game::{Fault, FaultKind, Mark, MarkKind, Seat};
use play::metrics_of;
use serde_json::{Map, Value};

use crate::ReplayError;
use crate::wire::{Answer, PlayerInfo, Replay, ReplayEnd, ReplayHeader, Step};
use game::text::{safe_line, safe_text};

/// Turns the answers of a match into steps.
pub struct Replayer {
    game: &'static dyn AnyGame,
    show: Box<dyn AnyShow>,
    /// The player whose knowledge limits the steps; `None` shows everything.
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

/// Facts about an answer besides the line.
#[derive(Clone, Default, Debug)]
pub struct AnswerMeta {
    /// Its wall time in microseconds.
    pub wall_us: Option<u64>,
    /// The standard error output of the bot while it thought.
    pub stderr: Vec<u8>,
}

/// Longest text of a bot, in characters: a page must stay readable.
const LONGEST_TEXT: usize = 20_000;

impl Replayer {
    /// A match before its first answer, and the step of its start.
    ///
    /// # Errors
    ///
    /// When the game does not exist or the rules of the header cannot be played.
    pub fn new(header: &Header, only_for: Option<Seat>) -> Result<(Replayer, Step), ReplayError> {
        let game = catalog::find(&header.game)?;
        let show = game.show(header)?;
        let players = show.play().players() as usize;
        let mut replayer = Replayer {
            show,
            only_for: only_for.filter(|_| game.info().hidden),
            pending: vec![None; players],
            turn: 0,
            faults: 0,
            game,
            metrics: vec![Map::new(); players],
            answers: vec![0; players],
        };
        let start = replayer.step();
        Ok((replayer, start))
    }

    /// The match.
    pub fn show(&self) -> &dyn AnyShow {
        self.show.as_ref()
    }

    /// Adds an answer; returns the next step when it was the last answer missing.
    ///
    /// # Errors
    ///
    /// When the match does not wait for an answer of `seat`.
    pub fn answer(
        &mut self,
        seat: Seat,
        line: Option<&[u8]>,
        meta: &AnswerMeta,
    ) -> Result<Option<Step>, ReplayError> {
        if seat.index() >= self.pending.len() {
            return Err(ReplayError::NoSeat(seat));
        }
        let mut input = String::new();
        if self.show.play().awaited().contains(seat) {
            self.show.play().question(seat, &mut input);
        }
        let stepped = self.show.answer(seat, line)?;
        let stderr = String::from_utf8_lossy(&meta.stderr);
        metrics_of(&stderr, self.answers[seat.index()], &mut self.metrics[seat.index()]);
        self.answers[seat.index()] += 1;
        let is_secret = self.only_for.is_some_and(|viewer| viewer != seat);
        self.pending[seat.index()] = (!is_secret).then(|| Answer {
            input,
            output: line.map(|line| safe_line(&String::from_utf8_lossy(line), LONGEST_TEXT)),
            wall_us: meta.wall_us,
            stderr: (!stderr.is_empty()).then(|| safe_text(&stderr, LONGEST_TEXT)),
        });
        Ok(stepped.then(|| self.step()))
    }

    fn step(&mut self) -> Step {
        let turn = self.turn;
        self.turn += 1;
        let is_visible = |seats: game::Seats| self.only_for.is_none_or(|viewer| !seats.contains(viewer));
        let happened = self.show.happened();
        let happened: Vec<_> = happened.into_iter().filter(|one| is_visible(one.secret_from)).collect();
        let faults = self.show.play().faults()[self.faults..].to_vec();
        self.faults += faults.len();
        let mut marks: Vec<Mark> = happened.iter().filter_map(|one| one.mark).collect();
        marks.extend(faults.iter().map(|fault| {
            let kind = if fault.kind == FaultKind::Missing { MarkKind::Timeout } else { MarkKind::Error };
            Mark::of(kind, fault.seat)
        }));
        let players = self.pending.len();
        let scores = self.show.play().outcome().scores;
        Step {
            turn,
            frame: self.show.frame(self.only_for),
            events: happened.into_iter().map(|one| cleaned(one.event)).collect(),
            marks,
            parts: self.game.score_parts(&scores),
            scores,
            answers: std::mem::replace(&mut self.pending, vec![None; players]),
            faults,
        }
    }

    /// All faults that an answer would have. The answer is not added.
    pub fn check(&self, seat: Seat, line: &[u8]) -> Vec<Fault> {
        self.show.check(seat, line)
    }

    /// The end of the match, as far as it is known.
    pub fn end(&self) -> ReplayEnd {
        let play = self.show.play();
        ReplayEnd {
            outcome: play.awaited().is_empty().then(|| play.outcome()),
            causes: vec![None; self.pending.len()],
            trouble: None,
            metrics: self.metrics.clone(),
        }
    }

    /// The header before the first answer. `names` are those of the players, `again` is the command that plays the
    /// match again.
    pub fn header(
        &self,
        header: &Header,
        names: &[String],
        again: Option<String>,
        human: Option<Seat>,
    ) -> ReplayHeader {
        let rules = self.show.play().rules();
        let edition = selected_of(self.game, &rules).map(|selected| selected.edition.to_owned());
        let player = |seat: usize| PlayerInfo {
            name: names.get(seat).map_or_else(|| format!("player {seat}"), |name| safe_line(name, 60)),
        };
        ReplayHeader {
            game: header.game.clone(),
            title: self.game.info().title.to_owned(),
            seed: header.seed.to_string(),
            league: rules["league"].as_u64().and_then(|league| u8::try_from(league).ok()),
            again,
            edition,
            players: (0..self.pending.len()).map(player).collect(),
            limits: self.show.limits(),
            board: self.show.board(),
            human: human.map(|seat| seat.0),
        }
    }
}

/// Cleans the text of bots inside an event.
fn cleaned(mut event: Value) -> Value {
    if let Some(Value::String(text)) = event.get_mut("text") {
        *text = safe_line(text, LONGEST_TEXT);
    }
    event
}

/// The rule set by name; `None` if no edition of this program has these rules.
pub(crate) fn selected_of(game: &dyn AnyGame, rules: &Value) -> Option<game::Selected> {
    let is_same = |selected: &game::Selected| game.start(*selected, 1).rules() == *rules;
    game.info().all().find(is_same)
}

/// The command that plays the match of a record again. A record may come from a stranger: its command never disables
/// the sandbox.
fn again(played: &Played, rules: &Value, edition: Option<&str>) -> Option<String> {
    let league = rules["league"].as_u64().and_then(|league| u8::try_from(league).ok());
    let command = play::Command::of_record(played, league, edition)?;
    Some(safe_line(&command.again(), LONGEST_TEXT))
}

/// The whole replay of a record or a trace.
///
/// # Errors
///
/// When its rules cannot be played. A record that is incomplete or inconsistent is shown up to that point.
pub fn replay_of(played: &Played) -> Result<Replay, ReplayError> {
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
            Err(error) => {
                trouble = Some(format!("turns[{place}] of the record does not fit the match: {error}"));
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
    Ok(Replay { header, steps, done: true, attempt: 0, end, analysis: None })
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a game at random, with an answer that cannot be read as the fourth of player 0.
    fn replay_with_a_fault(name: &str) -> Replay {
        let game = catalog::find(name).unwrap();
        let selected = game.select(&game::Selection::default()).unwrap();
        let header = header_of(game, selected, 3);
        let (mut replayer, _) = Replayer::new(&header, None).unwrap();
        let mut dice = game::Dice::new(1);
        let mut turns = Vec::new();
        while let Some(seat) = replayer.show().play().awaited().next() {
            let answered = turns.iter().filter(|turn: &&catalog::record::Turn| turn.player == seat.0).count();
            let line = if seat == Seat(0) && answered == 3 {
                b"nonsense".to_vec()
            } else {
                replayer.show().play().random_answer(seat, &mut dice)
            };
            replayer.answer(seat, Some(&line), &AnswerMeta::default()).unwrap();
            turns.push(catalog::record::Turn::new(seat.0, Some(line)));
        }
        replay_of(&Played::new(header, turns, Map::new())).unwrap()
    }

    #[test]
    fn the_turn_of_a_step_and_of_its_faults_is_its_index() {
        for game in catalog::games() {
            let replay = replay_with_a_fault(game.info().name);
            let mut faults = 0;
            for (index, step) in replay.steps.iter().enumerate() {
                assert_eq!(step.turn as usize, index);
                for fault in &step.faults {
                    assert_eq!(fault.turn as usize, index, "{fault}");
                    assert!(step.answers[fault.seat.index()].is_some(), "{fault}");
                    faults += 1;
                }
            }
            assert!(faults > 0, "{}", game.info().name);
        }
    }

    #[test]
    fn every_step_has_the_scores_for_people() {
        for game in catalog::games() {
            for step in replay_with_a_fault(game.info().name).steps {
                assert_eq!(step.parts, game.score_parts(&step.scores));
            }
        }
    }
}
