//! The findings of a run: the score of a duel and its sequential test, the table of a tournament, the values of a
//! tuning.
//!
//! A run is evaluated while it is played, when it is resumed and when it is read later. All three give the same
//! result, because they all use this code: finished units count in the order of the schedule, up to the first unit
//! that is not finished, and no unit counts after the sequential test has decided.

use std::ops::Range;

use rating::{
    CrossTable, Decision, DialFindings, Duel, Estimate, GameResult, Pool, Report, Score, Shape, Sprt, Spsa,
};

use crate::header::{Plan, RunHeader};
use crate::line::MatchLine;
use crate::tune::Tuning;

/// The finished matches of a run, as the findings read them.
pub trait Results {
    /// The matches of a unit in the order of the schedule; `None` while one of them is not finished.
    fn unit(&self, unit: u64) -> Option<Vec<&MatchLine>>;

    /// All finished matches in the order of the schedule.
    fn lines(&self) -> impl Iterator<Item = &MatchLine>;
}

/// The findings of a run.
#[derive(Clone, Debug)]
pub enum Findings {
    /// Is the first bot better than the second?
    Duel(Box<DuelFindings>),
    /// Which of many bots is the best?
    Table(TableFindings),
    /// Which parameters are the best?
    Tune(Box<TuneFindings>),
}

impl Findings {
    /// Evaluates a run by its finished matches.
    pub fn of(header: &RunHeader, results: &impl Results) -> Findings {
        match &header.plan {
            Plan::Duel => {
                let mut duel = DuelFindings::new(header);
                duel.read(results);
                Findings::Duel(Box::new(duel))
            }
            Plan::Tournament(_) => Findings::Table(TableFindings::of(header, results)),
            Plan::Tune(tuning) => {
                let mut tune = TuneFindings::new(header, tuning);
                tune.read(results);
                Findings::Tune(Box::new(tune))
            }
        }
    }

    /// Whether nothing is left to play, given the number of finished matches.
    pub fn is_complete(&self, header: &RunHeader, finished: u64) -> bool {
        match self {
            Findings::Duel(duel) => duel.decision().is_some() || finished >= header.matches(),
            Findings::Table(_) => finished >= header.matches(),
            Findings::Tune(tune) => tune.is_complete(),
        }
    }
}

/// One bot against copies of another: the score, and the decision of the sequential test if there is one.
#[derive(Clone, Debug)]
pub struct DuelFindings {
    duel: Duel,
    test: Option<Sprt>,
    decision: Option<Decision>,
    players: u64,
    first: u64,
    /// Units that are not counted yet.
    left: Range<u64>,
}

impl DuelFindings {
    /// A duel before its first unit.
    pub fn new(header: &RunHeader) -> DuelFindings {
        // The test needs the results of all parts in order.
        let test = header.sprt.filter(|_| header.shard.is_none());
        DuelFindings { test, ..DuelFindings::of_units(header, header.own_units()) }
    }

    fn of_units(header: &RunHeader, units: Range<u64>) -> DuelFindings {
        let players = u32::from(header.players);
        let shape = if players == 2 { Shape::PAIR } else { Shape::one_against_copies(players) };
        DuelFindings {
            duel: Duel::new(shape),
            test: None,
            decision: None,
            players: players.into(),
            first: units.start,
            left: units,
        }
    }

    /// Counts the next unit, if it is finished and the test has not decided. Returns whether a unit was counted.
    pub fn read_unit(&mut self, results: &impl Results) -> bool {
        let unit = self.left.start;
        if self.is_over() {
            return false;
        }
        let Some(lines) = results.unit(unit) else { return false };
        let games: Vec<GameResult> = lines.iter().map(|line| line.against_copies(unit)).collect();
        self.duel.add_unit(&games, 0, 1);
        self.left.start += 1;
        if let Some(test) = &self.test {
            let decision = test.decide(test.llr(&self.duel.pairs));
            self.decision = (decision != Decision::Continue).then_some(decision);
        }
        true
    }

    /// Counts all units that are finished now.
    pub fn read(&mut self, results: &impl Results) {
        while self.read_unit(results) {}
    }

    /// The decision of the sequential test.
    pub fn decision(&self) -> Option<Decision> {
        self.decision
    }

    /// Whether no further unit counts.
    pub fn is_over(&self) -> bool {
        self.decision.is_some() || self.left.is_empty()
    }

    /// Whether a match counts: those after the decision do not.
    pub fn counts(&self, line: &MatchLine) -> bool {
        self.decision.is_none() || line.index < self.left.start * self.players
    }

    /// The Elo difference so far.
    pub fn elo(&self) -> Estimate {
        self.duel.pairs.elo()
    }

    /// The number of counted matches.
    pub fn matches(&self) -> u64 {
        (self.left.start - self.first) * self.players
    }

    /// The running estimate in one line.
    pub fn estimate(&self) -> String {
        let elo = self.elo();
        let los = 100.0 * self.duel.pairs.los();
        let test = self.test.as_ref().map_or_else(String::new, |test| {
            let state = test.state(&self.duel.pairs);
            format!(", LLR {:.2} ({:.2}, {:.2})", state.llr, state.lower, state.upper)
        });
        format!("Elo {elo:+.1}, LOS {los:.1} %{test}")
    }

    /// The block of numbers that testers paste, with these names of the bots.
    pub fn report(&self, first: &str, second: &str) -> Report {
        Report::new(first, second, &self.duel, self.test.as_ref())
    }
}

/// The table of a tournament.
#[derive(Clone, Debug)]
pub struct TableFindings {
    /// From best to worst.
    pub rows: Vec<TableRow>,
    /// The score of each bot against each other bot.
    pub cross: CrossTable,
    /// The Elo difference of the first two bots of the table, with its own interval.
    pub lead: Option<Estimate>,
}

/// A bot in the table of a tournament.
#[derive(Clone, Copy, Debug)]
pub struct TableRow {
    /// The number of the bot in the run.
    pub player: usize,
    /// Elo above the mean of all bots.
    pub elo: Estimate,
    /// Games it played.
    pub games: u64,
    /// Comparisons with other bots: one for each rival in each game.
    pub comparisons: u64,
    /// Points of the comparisons: a win is one, a draw one half.
    pub points: f64,
    /// Its comparisons by result.
    pub score: Score,
    /// Matches it lost by its own fault.
    pub failures: u64,
}

impl TableFindings {
    /// The table of the finished matches.
    pub fn of(header: &RunHeader, results: &impl Results) -> TableFindings {
        let bots = header.bots.len();
        let mut games = Vec::new();
        let mut failures = vec![0; bots];
        for line in results.lines() {
            games.push(line.game(header));
            for (&bot, cause) in line.seats.iter().zip(&line.causes) {
                failures[bot] += u64::from(cause.is_some());
            }
        }
        let cross = CrossTable::of(&games, bots);
        let pool = Pool::of(&games, bots);
        let lead = match pool.table() {
            [first, second, ..] => pool.difference(first.player, second.player),
            _ => None,
        };
        let rows = pool
            .table()
            .iter()
            .map(|rated| TableRow {
                player: rated.player,
                elo: rated.elo,
                games: rated.games,
                comparisons: rated.comparisons,
                points: rated.points,
                score: cross.total(rated.player),
                failures: failures[rated.player],
            })
            .collect();
        TableFindings { rows, cross, lead }
    }
}

/// A tuning: the steps that are finished, and the duels at the end.
#[derive(Clone, Debug)]
pub struct TuneFindings {
    tuning: Tuning,
    /// The steps from each start.
    attempts: Vec<Attempt>,
    /// The values of the first start against the opponent, if the opponent is another bot.
    pub baseline: Option<DuelFindings>,
}

/// The steps from one start, and the values that were found against the first start or against the opponent.
#[derive(Clone, Debug)]
struct Attempt {
    spsa: Spsa,
    /// The values of the two sides of each step.
    sides: Vec<[Vec<f64>; 2]>,
    /// The values at the start and after each step, by parameter.
    paths: Vec<Vec<f64>>,
    confirmation: DuelFindings,
}

impl TuneFindings {
    /// A tuning before its first step.
    pub fn new(header: &RunHeader, tuning: &Tuning) -> TuneFindings {
        let attempts = (0..tuning.starts).map(|start| {
            let dials = tuning.dials(start, header.first_seed);
            Attempt {
                spsa: Spsa::new(&dials, tuning.iterations, (header.first_seed as u64).wrapping_add(start)),
                sides: Vec::new(),
                paths: dials.iter().map(|dial| vec![dial.start]).collect(),
                confirmation: DuelFindings::of_units(header, tuning.confirmation(start)),
            }
        });
        TuneFindings {
            attempts: attempts.collect(),
            baseline: tuning.baseline().map(|units| DuelFindings::of_units(header, units)),
            tuning: tuning.clone(),
        }
    }

    /// The start whose steps are played now; the last one when all are finished.
    fn current(&self) -> usize {
        let unfinished = |attempt: &Attempt| attempt.spsa.done() < self.tuning.iterations;
        self.attempts.iter().position(unfinished).unwrap_or(self.attempts.len() - 1)
    }

    /// Counts the next step, if all its matches are finished. Returns whether a step was counted.
    pub fn read_step(&mut self, results: &impl Results) -> bool {
        if self.is_tuned() {
            return false;
        }
        let Some(score) = score(&self.tuning, results, self.done()) else { return false };
        let current = self.current();
        let attempt = &mut self.attempts[current];
        attempt.sides.push(attempt.spsa.sides());
        attempt.spsa.tell(score);
        for (path, value) in attempt.paths.iter_mut().zip(attempt.spsa.best()) {
            path.push(value);
        }
        true
    }

    /// Counts all steps and all units of the duels at the end that are finished now.
    pub fn read(&mut self, results: &impl Results) {
        while self.read_step(results) {}
        for attempt in &mut self.attempts {
            attempt.confirmation.read(results);
        }
        if let Some(baseline) = &mut self.baseline {
            baseline.read(results);
        }
    }

    /// The number of finished steps from all starts.
    pub fn done(&self) -> u64 {
        self.attempts.iter().map(|attempt| attempt.spsa.done()).sum()
    }

    /// Whether all steps are finished.
    pub fn is_tuned(&self) -> bool {
        self.done() >= self.tuning.steps()
    }

    /// The values of the two sides of the next step.
    pub fn sides(&self) -> [Vec<f64>; 2] {
        self.attempts[self.current()].spsa.sides()
    }

    /// The values of the first start.
    pub fn start(&self) -> Vec<f64> {
        self.tuning.parameters.iter().map(|parameter| parameter.dial.start).collect()
    }

    /// The start that led to the best values: the one that scores best in the duels at the end. While none of them has
    /// been played, the start whose steps are played now.
    pub fn best_start(&self) -> usize {
        let elo = |at: usize| {
            let duel = &self.attempts[at].confirmation;
            if duel.duel.games > 0 {
                return Some(duel.elo().value);
            }
            // Values that did not move are as good as the first start.
            let stayed = self.attempts[at].spsa.done() > 0 && !self.moved_from(at);
            stayed.then(|| self.baseline.as_ref().map_or(0.0, |baseline| baseline.elo().value))
        };
        let any_played = self.attempts.iter().any(|attempt| attempt.confirmation.duel.games > 0);
        let known = (0..self.attempts.len()).filter_map(|at| Some((elo(at)?, at)));
        // Among equals the first one.
        let best = known.rev().max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at)| at);
        best.filter(|_| any_played).unwrap_or_else(|| self.current())
    }

    /// The values that were found so far from a start.
    pub fn found_from(&self, start: usize) -> Vec<f64> {
        self.attempts[start].spsa.best()
    }

    /// The best values that were found so far.
    pub fn found(&self) -> Vec<f64> {
        self.found_from(self.best_start())
    }

    /// What the results say about each parameter.
    pub fn dials(&self) -> Vec<DialFindings> {
        self.attempts[self.best_start()].spsa.findings()
    }

    /// The values at the best start and after each step from it, by parameter.
    pub fn paths(&self) -> &[Vec<f64>] {
        &self.attempts[self.best_start()].paths
    }

    /// The values of both sides in a unit that was played: those of the seat of the first bot, and those of the others. The
    /// others have no values if the opponent is another bot.
    pub fn values_in(&self, unit: u64) -> Option<(Vec<f64>, Option<Vec<f64>>)> {
        let mut sides = if unit < self.tuning.confirmation(0).start {
            let step = unit / (self.tuning.step(1)[0].start);
            let attempt = &self.attempts[(step / self.tuning.iterations) as usize];
            let known = attempt.sides.get((step % self.tuning.iterations) as usize).cloned();
            known.unwrap_or_else(|| attempt.spsa.sides())
        } else {
            let start = (unit - self.tuning.confirmation(0).start).checked_div(self.tuning.confirm)?;
            [self.found_from((start as usize).min(self.attempts.len() - 1)), self.start()]
        };
        let side = self.tuning.side(unit);
        let first = std::mem::take(&mut sides[side]);
        let [_, second] = sides;
        Some((first, (!self.tuning.against).then_some(second)))
    }

    /// Whether any value that was found from a start differs from the first start in the form in which the bot gets it.
    pub fn moved_from(&self, start: usize) -> bool {
        let values = self.start().into_iter().zip(self.found_from(start));
        self.tuning
            .parameters
            .iter()
            .zip(values)
            .any(|(parameter, (start, found))| parameter.text(start) != parameter.text(found))
    }

    /// Whether there is anything to confirm.
    pub fn moved(&self) -> bool {
        (0..self.attempts.len()).any(|start| self.moved_from(start))
    }

    /// The duel at the end of a start.
    pub fn confirmation(&self, start: usize) -> &DuelFindings {
        &self.attempts[start].confirmation
    }

    /// Counts the finished units of the duel at the end of a start.
    pub fn read_confirmation(&mut self, start: usize, results: &impl Results) -> &DuelFindings {
        let confirmation = &mut self.attempts[start].confirmation;
        confirmation.read(results);
        confirmation
    }

    /// Whether nothing is left to play: values that did not move are not confirmed.
    pub fn is_complete(&self) -> bool {
        let confirmed = |start: usize| !self.moved_from(start) || self.attempts[start].confirmation.is_over();
        let compared = self.baseline.as_ref().is_none_or(|baseline| !self.moved() || baseline.is_over());
        self.is_tuned() && compared && (0..self.attempts.len()).all(confirmed)
    }

    /// The report of the duel of the best values, if any of its units is finished. `opponent` is the name of the other bot;
    /// without one the opponent is the first start.
    pub fn report(&self, opponent: Option<&str>) -> Option<Report> {
        let duel = &self.attempts[self.best_start()].confirmation;
        (duel.duel.games > 0).then(|| duel.report("tuned", opponent.unwrap_or("start")))
    }

    /// The report of the first start against the opponent, if the opponent is another bot.
    pub fn baseline_report(&self, opponent: &str) -> Option<Report> {
        let duel = self.baseline.as_ref()?;
        (duel.duel.games > 0).then(|| duel.report("start", opponent))
    }
}

/// How much better the first side of a step is than the second, once all its matches are finished: the share of the points
/// that it took, or that it would take if the difference against the opponent were that of a duel.
fn score(tuning: &Tuning, results: &impl Results, step: u64) -> Option<f64> {
    let [first, second] = tuning.step(step);
    let share = share(results, first)?;
    Some(if tuning.against { 0.5 + (share - self::share(results, second)?) / 2.0 } else { share })
}

/// The share of the points that the first bot took in some units, once all their matches are finished.
fn share(results: &impl Results, units: Range<u64>) -> Option<f64> {
    let (mut won, mut compared) = (0, 0);
    for unit in units {
        for line in results.unit(unit)? {
            for (a, _, half_points) in line.against_copies(unit).comparisons() {
                won += if a == 0 { half_points } else { 2 - half_points };
                compared += 2;
            }
        }
    }
    Some(if compared == 0 { 0.5 } else { f64::from(won) / f64::from(compared) })
}
