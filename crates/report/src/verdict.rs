//! Who is better, and how the answer came about game by game.

use std::collections::BTreeMap;

use rating::{Decision, Dial, Duel, Estimate, GameResult, Pool, Score, Shape, Sprt, Spsa};
use runs::{MatchLine, Plan, RunError, Tuning};
use serde::Serialize;

use crate::clean::clean;
use crate::gather::Gathered;

/// At so many places at the most a curve is computed.
const CURVE_DUEL: u64 = 160;
const CURVE_POOL: usize = 40;

/// What the run says.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    /// Two bots.
    Duel {
        /// The numbers of the block that testers paste.
        report: Box<rating::Report>,
        /// What the sequential test decided.
        decision: Option<Decision>,
    },
    /// Many bots.
    Table {
        /// From best to worst.
        rows: Vec<Row>,
        /// What the player of the row did against the player of the column, by number of the player.
        against: Vec<Vec<Score>>,
    },
    /// Copies of one bot with other parameters.
    Tune {
        /// Steps in all, and those finished.
        iterations: u64,
        done: u64,
        parameters: Vec<Tuned>,
        /// What was found against the start, as far as it is played.
        confirmed: Option<Box<rating::Report>>,
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
    /// As the bot is told.
    pub(crate) start: String,
    pub(crate) found: String,
    /// The value at the start and after each step.
    pub(crate) path: Vec<f64>,
}

/// Ratings after so many games.
#[derive(Clone, Default, Debug, Serialize)]
pub(crate) struct Curve {
    /// Games played by then.
    pub(crate) games: Vec<u64>,
    /// For each line its player and its rating at each of the places.
    pub(crate) lines: Vec<(usize, Vec<Estimate>)>,
}

/// What the judge says, and which matches it looked at.
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    pub(crate) curve: Curve,
    /// Matches from this index on were played after the decision and count for nothing.
    pub(crate) end: u64,
    pub(crate) complete: bool,
}

/// Judges a run as `agon duel` and `agon tournament` do.
pub(crate) fn judge(run: &Gathered) -> Result<Judged, RunError> {
    let complete = run.matches.len() as u64 >= run.header.matches();
    match &run.header.plan {
        Plan::Duel => duel(run, complete),
        Plan::Tournament(_) => {
            let games: Vec<GameResult> = run.matches.iter().map(|line| run.game_result(line)).collect();
            let (verdict, curve) = (table(run, &games), pool_curve(run, &games));
            Ok(Judged { verdict, curve, end: u64::MAX, complete })
        }
        Plan::Tune(tuning) => Ok(tune(run, tuning)),
    }
}

/// Complete units in the order of the schedule, from this one up to the first that is not finished.
fn finished_units(run: &Gathered, from: u64) -> Vec<&[MatchLine]> {
    let each = run.header.players as usize;
    let units =
        run.matches.chunk_by(|a, b| run.unit(a) == run.unit(b)).filter(|unit| run.unit(&unit[0]) >= from);
    let in_order =
        (from..).zip(units).take_while(|(at, unit)| unit.len() == each && run.unit(&unit[0]) == *at);
    in_order.map(|(_, unit)| unit).collect()
}

fn unit_results(run: &Gathered, unit: &[MatchLine]) -> Vec<GameResult> {
    unit.iter().map(|line| run.game_result(line)).collect()
}

/// Units one after the other, up to the one at which an early stop was sound.
fn duel(run: &Gathered, complete: bool) -> Result<Judged, RunError> {
    let test = run.header.sprt.map(|(elo0, elo1)| Sprt::of_run(elo0, elo1));
    let test = test.transpose().map_err(|error| RunError::NotARun(run.path.clone(), error.to_string()))?;
    let (duel, decision, curve) = fold(run, &finished_units(run, 0), test.as_ref());
    let end = match decision {
        Some(_) => curve.games.last().copied().unwrap_or(u64::MAX),
        None => u64::MAX,
    };
    let report = Box::new(rating::Report::new(&run.names[0], &run.names[1], &duel, test.as_ref()));
    let verdict = Verdict::Duel { report, decision };
    Ok(Judged { verdict, curve, end, complete: complete || decision.is_some() })
}

fn fold(run: &Gathered, units: &[&[MatchLine]], test: Option<&Sprt>) -> (Duel, Option<Decision>, Curve) {
    let players = u32::from(run.header.players);
    let shape = if players == 2 { Shape::PAIR } else { Shape::one_against_copies(players) };
    let step = (units.len() as u64).div_ceil(CURVE_DUEL).max(1);
    let (mut duel, mut decided) = (Duel::new(shape), None);
    let (mut games, mut line) = (Vec::new(), Vec::new());
    for (seen, unit) in (1..).zip(units) {
        duel.add_unit(&unit_results(run, unit), 0, 1);
        if let Some(test) = test {
            let decision = test.decide(test.llr(&duel.pairs));
            decided = (decision != Decision::Continue).then_some(decision);
        }
        if seen % step == 0 || seen == units.len() as u64 || decided.is_some() {
            games.push(seen * u64::from(players));
            line.push(duel.pairs.elo());
        }
        if decided.is_some() {
            break;
        }
    }
    (duel, decided, Curve { games, lines: vec![(0, line)] })
}

/// The values after each finished step, worked out again as the tuning did; then the duel of what was found against the start.
fn tune(run: &Gathered, tuning: &Tuning) -> Judged {
    let dials: Vec<Dial> = tuning.parameters.iter().map(|parameter| parameter.dial).collect();
    let mut spsa = Spsa::new(&dials, tuning.iterations, run.header.first_seed as u64);
    let mut paths: Vec<Vec<f64>> = dials.iter().map(|dial| vec![dial.start]).collect();
    let steps = finished_units(run, 0);
    for step in steps.chunks_exact(tuning.units as usize).take(tuning.iterations as usize) {
        let games: Vec<GameResult> = step.iter().flat_map(|unit| unit_results(run, unit)).collect();
        let (mut won, mut compared) = (0, 0);
        for (a, _, half_points) in games.iter().flat_map(GameResult::comparisons) {
            won += if a == 0 { half_points } else { 2 - half_points };
            compared += 2;
        }
        spsa.tell(if compared == 0 { 0.5 } else { f64::from(won) / f64::from(compared) });
        for (path, value) in paths.iter_mut().zip(spsa.best()) {
            path.push(value);
        }
    }
    let parameters: Vec<Tuned> = tuning
        .parameters
        .iter()
        .zip(paths)
        .map(|(parameter, path)| Tuned {
            name: clean(&parameter.name),
            low: parameter.dial.low,
            high: parameter.dial.high,
            start: parameter.text(parameter.dial.start),
            found: parameter.text(path[path.len() - 1]),
            path,
        })
        .collect();
    let moved = parameters.iter().any(|parameter| parameter.start != parameter.found);
    let confirming = finished_units(run, tuning.confirmation().start);
    let (duel, _, curve) = fold(run, &confirming, None);
    let confirmed = (duel.games > 0).then(|| Box::new(rating::Report::new("tuned", "start", &duel, None)));
    let complete = spsa.done() == tuning.iterations && (!moved || confirming.len() as u64 == tuning.confirm);
    let verdict = Verdict::Tune { iterations: tuning.iterations, done: spsa.done(), parameters, confirmed };
    Judged { verdict, curve, end: u64::MAX, complete }
}

fn table(run: &Gathered, games: &[GameResult]) -> Verdict {
    let players = run.names.len();
    let mut against = vec![vec![Score::default(); players]; players];
    for (a, b, half_points) in games.iter().flat_map(GameResult::comparisons) {
        against[a][b].add(half_points);
        against[b][a].add(2 - half_points);
    }
    let mut failures: BTreeMap<usize, u64> = BTreeMap::new();
    for line in &run.matches {
        for (seat, cause) in line.causes.iter().enumerate() {
            *failures.entry(run.player(line.seats[seat])).or_default() += u64::from(cause.is_some());
        }
    }
    let pool = Pool::of(games, players);
    let rows = pool.table().iter().map(|rated| {
        let sum = |part: fn(&Score) -> u64| against[rated.player].iter().map(part).sum();
        Row {
            player: rated.player,
            name: run.names[rated.player].clone(),
            elo: rated.elo,
            games: rated.games,
            points: rated.points,
            comparisons: rated.comparisons,
            wins: sum(|score| score.wins),
            draws: sum(|score| score.draws),
            losses: sum(|score| score.losses),
            failures: failures.get(&rated.player).copied().unwrap_or(0),
        }
    });
    Verdict::Table { rows: rows.collect(), against }
}

/// Ratings of the first games of the schedule, more and more of them.
fn pool_curve(run: &Gathered, games: &[GameResult]) -> Curve {
    let players = run.names.len();
    let mut curve =
        Curve { games: Vec::new(), lines: (0..players).map(|player| (player, Vec::new())).collect() };
    if games.is_empty() {
        return curve;
    }
    for place in 1..=CURVE_POOL {
        let count = games.len() * place / CURVE_POOL;
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
