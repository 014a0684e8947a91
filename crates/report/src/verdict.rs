//! The findings of a run in the form for a report, and the curve of ratings over games.

use rating::{Decision, DialFindings, Estimate, GameResult, Pool, Score};
use runs::{DuelFindings, Findings, Plan, Results as _, TableFindings, TuneFindings, Tuning};
use serde::Serialize;

use crate::clean::clean;
use crate::gather::Gathered;

/// The most points of a curve.
const CURVE_DUEL: u64 = 160;
const CURVE_POOL: usize = 40;
/// The most players for which all these points are rated; the more players, the fewer points, since a rating costs more.
const CURVE_PLAYERS: usize = 50;

/// The result of a run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    /// The result of a duel of two bots.
    Duel {
        /// The numbers of the block that testers paste.
        report: Box<rating::Report>,
        /// The decision of the sequential test.
        decision: Option<Decision>,
    },
    /// The result of a tournament of many bots.
    Table {
        /// From best to worst.
        rows: Vec<Row>,
        /// The score of the player of the row against the player of the column, by number of the player.
        against: Vec<Vec<Score>>,
        /// The Elo difference of the first two players, with its own interval.
        lead: Option<Estimate>,
    },
    /// The result of a tuning: copies of one bot with different parameters.
    Tune {
        /// The number of steps, and the number of finished steps.
        iterations: u64,
        done: u64,
        parameters: Vec<Tuned>,
        /// The other bot that the values were tuned against, if there is one.
        against: Option<String>,
        /// The values that were found against the start or the other bot, as far as this is played.
        confirmed: Option<Box<rating::Report>>,
        /// The values at the start against the other bot.
        baseline: Option<Box<rating::Report>>,
    },
}

/// A player of a tournament.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) player: usize,
    pub(crate) name: String,
    /// Elo above the mean of the pool.
    pub(crate) elo: Estimate,
    pub(crate) games: u64,
    pub(crate) points: f64,
    pub(crate) comparisons: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) failures: u64,
}

/// A parameter that is tuned.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Tuned {
    pub(crate) name: String,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The values in the form in which the bot gets them.
    pub(crate) start: String,
    pub(crate) found: String,
    /// What the results say about the parameter.
    pub(crate) seen: DialFindings,
    /// The value at the start and after each step.
    pub(crate) path: Vec<f64>,
}

/// Ratings after increasing numbers of games.
#[derive(Clone, Default, Debug, Serialize)]
pub(crate) struct Curve {
    /// The number of games at each point.
    pub(crate) games: Vec<u64>,
    /// For each line, its player and its rating at each point.
    pub(crate) lines: Vec<(usize, Vec<Estimate>)>,
}

/// The findings of a run, and the matches that count.
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    pub(crate) curve: Curve,
    /// Matches from this index on were played after the decision and do not count.
    pub(crate) end: u64,
    pub(crate) complete: bool,
}

/// Turns the findings of a run into a verdict, with the curve of ratings.
pub(crate) fn judge(run: &Gathered) -> Judged {
    let findings = Findings::of(&run.header, run);
    let complete = findings.is_complete(&run.header, run.matches.len() as u64);
    let (verdict, curve, end) = match findings {
        Findings::Duel(duel) => {
            let curve = duel_curve(run, run.header.own_units().start, DuelFindings::new(&run.header));
            let end = if duel.decision().is_some() { duel.matches() } else { u64::MAX };
            let report = Box::new(duel.report(&run.names[0], &run.names[1]));
            (Verdict::Duel { report, decision: duel.decision() }, curve, end)
        }
        Findings::Table(table) => (verdict_of_table(run, &table), pool_curve(run), u64::MAX),
        Findings::Tune(tune) => {
            let Plan::Tune(tuning) = &run.header.plan else { unreachable!("a tuning has the plan of one") };
            let best = tune.best_start();
            let before = TuneFindings::new(&run.header, tuning).confirmation(best).clone();
            let curve = duel_curve(run, tuning.confirmation(best as u64).start, before);
            (verdict_of_tune(run, tuning, &tune), curve, u64::MAX)
        }
    };
    Judged { verdict, curve, end, complete }
}

/// Ratings of a duel that begins with unit `from`, after increasing numbers of units.
fn duel_curve(run: &Gathered, from: u64, mut duel: DuelFindings) -> Curve {
    let (each, mut all) = (u64::from(run.header.players), duel.clone());
    all.read(run);
    let finished =
        (from..run.header.own_units().end).take_while(|&unit| run.unit(unit).is_some()).count() as u64;
    let step = finished.div_ceil(CURVE_DUEL).max(1);
    let (mut games, mut line) = (Vec::new(), Vec::new());
    while duel.read_unit(run) {
        if (duel.matches() / each).is_multiple_of(step) || duel.matches() == all.matches() {
            games.push(duel.matches());
            line.push(duel.elo());
        }
    }
    Curve { games, lines: vec![(0, line)] }
}

fn verdict_of_tune(run: &Gathered, tuning: &Tuning, tune: &TuneFindings) -> Verdict {
    let against = tuning.against.then(|| clean(run.header.name(1)));
    let parameters = tuning.parameters.iter().zip(tune.paths()).zip(tune.dials());
    let parameters = parameters.map(|((parameter, path), seen)| Tuned {
        seen,
        name: clean(&parameter.name),
        low: parameter.dial.low,
        high: parameter.dial.high,
        start: parameter.text(parameter.dial.start),
        found: parameter.text(path[path.len() - 1]),
        path: path.clone(),
    });
    Verdict::Tune {
        iterations: tuning.steps(),
        done: tune.done(),
        parameters: parameters.collect(),
        confirmed: tune.report(against.as_deref()).map(Box::new),
        baseline: against.as_deref().and_then(|against| tune.baseline_report(against)).map(Box::new),
        against,
    }
}

fn verdict_of_table(run: &Gathered, table: &TableFindings) -> Verdict {
    let players = run.names.len();
    let against = (0..players)
        .map(|player| (0..players).map(|other| table.cross.at(player, other)).collect())
        .collect();
    let rows = table.rows.iter().map(|row| Row {
        player: row.player,
        name: run.names[row.player].clone(),
        elo: row.elo,
        games: row.games,
        points: row.points,
        comparisons: row.comparisons,
        wins: row.score.wins,
        draws: row.score.draws,
        losses: row.score.losses,
        failures: row.failures,
    });
    Verdict::Table { rows: rows.collect(), against, lead: table.lead }
}

/// Ratings after increasing numbers of games of the schedule.
fn pool_curve(run: &Gathered) -> Curve {
    let games: Vec<GameResult> = run.matches.iter().map(|line| line.game(&run.header)).collect();
    let players = run.names.len();
    let mut curve =
        Curve { games: Vec::new(), lines: (0..players).map(|player| (player, Vec::new())).collect() };
    if games.is_empty() {
        return curve;
    }
    let places = (CURVE_POOL * CURVE_PLAYERS / players.max(CURVE_PLAYERS)).max(2);
    for place in 1..=places {
        let count = games.len() * place / places;
        if count == 0 || curve.games.last() == Some(&(count as u64)) {
            continue;
        }
        curve.games.push(count as u64);
        for rated in Pool::of(&games[..count], players).table() {
            curve.lines[rated.player].1.push(rated.elo);
        }
    }
    curve
}
