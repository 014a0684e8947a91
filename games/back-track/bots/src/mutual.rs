//! Chooses an answer with regard to what the opponent may choose: both players answer at the same time.
//!
//! First the answers of the opponent are searched as if its seat were ours (see [`super::playout`]), then ours, each tried against
//! the opponent's best. Then the best answers of both sides are tried against each other. Neither player knows the choice of
//! the other, so the opponent is assumed to mix its answers: the better one does against our likely answers, the likelier it is, and
//! our answers are likely in the same way (a quantal response equilibrium). The answer that does best against this mixture is
//! taken. A single expected answer would be wrong too often, and one that must do well against several depends less on the
//! accidents of one simulation.

use super::planner::Planner;
use super::playout::{Candidate, Lookahead, Search};
use super::position::Position;
use bots::Budget;

/// How widely the answers of both players are compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    /// How the answers of each player are searched.
    pub(super) lookahead: Lookahead,
    /// Own answers that are compared.
    pub(super) mine: usize,
    /// Answers of the opponent with which they are compared.
    pub(super) theirs: usize,
    /// A player is assumed to choose an answer that is this many points worse than another about a third as often.
    pub(super) doubt: f32,
}

/// The share of the budget after which the search for the opponent's answers ends.
const THEIR_SEARCH: f64 = 0.3;
/// The share of the budget after which the search for our own answers ends.
const OWN_SEARCH: f64 = 0.7;
/// Steps towards an equilibrium: enough for a mixture, which need not be exact.
const STEPS: u8 = 100;

/// Looks for the best candidate of a turn. Each own one is misjudged by what `error` returns.
pub(super) fn best(
    planner: &mut Planner,
    comparison: Comparison,
    position: &Position,
    budget: Budget,
    error: &mut dyn FnMut() -> f32,
) -> Candidate {
    let Comparison { lookahead, mine, theirs, doubt } = comparison;
    let mut search = Search::new(planner, lookahead, position, 1 - position.me, budget);
    search.until = THEIR_SEARCH;
    search.run();
    let theirs = search.different_answers(theirs);
    let budget = search.budget.clone();
    let mut search = Search::new(planner, lookahead, position, position.me, budget);
    search.rival = theirs.first().copied();
    search.until = OWN_SEARCH;
    search.error = Some(error);
    search.run();
    let mine = search.different_answers(mine);
    let table = table(&mut search, &mine, &theirs);
    let values = theirs.iter().map(|their| their.value).collect::<Vec<f32>>();
    let mixture = mixture(&table, likely(&values, doubt), doubt);
    let against = |row: &[f32]| expected(row, &mixture);
    let best = table.iter().map(|row| against(row)).enumerate().reduce(|a, b| if b.1 > a.1 { b } else { a });
    mine[best.map_or(0, |(at, _)| at)]
}

/// The values of our answers, in rows, against those of the opponent; only rows for which the budget sufficed.
fn table(search: &mut Search<'_>, mine: &[Candidate], theirs: &[Candidate]) -> Vec<Vec<f32>> {
    let mut table = Vec::with_capacity(mine.len());
    for one in mine {
        // The search tried it against the first.
        let mut row = vec![one.value];
        for their in theirs.iter().skip(1) {
            let Some(value) = search.meet(one, their) else { return table };
            row.push(value + one.error);
        }
        table.push(row);
    }
    table
}

/// The mixture of the opponent's answers, at first `theirs`, when each player mixes its answers by what they are worth against the
/// mixture of the other. Each step goes a smaller way towards it, so that the players do not circle around it.
fn mixture(table: &[Vec<f32>], mut theirs: Vec<f32>, doubt: f32) -> Vec<f32> {
    let mut mine = vec![0.0; table.len()];
    for step in 1..=STEPS {
        let pace = 1.0 / f32::from(step);
        let values: Vec<f32> = table.iter().map(|row| expected(row, &theirs)).collect();
        approach(&mut mine, &likely(&values, doubt), pace);
        let values: Vec<f32> = (0..theirs.len())
            .map(|at| -table.iter().zip(&mine).map(|(row, weight)| row[at] * weight).sum::<f32>())
            .collect();
        approach(&mut theirs, &likely(&values, doubt), pace / 2.0);
    }
    theirs
}

/// How likely each answer is, by its value.
fn likely(values: &[f32], doubt: f32) -> Vec<f32> {
    let most = values.iter().copied().fold(f32::MIN, f32::max);
    let weights: Vec<f32> = values.iter().map(|value| ((value - most) / doubt).exp()).collect();
    let sum: f32 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

fn expected(values: &[f32], weights: &[f32]) -> f32 {
    values.iter().zip(weights).map(|(value, weight)| value * weight).sum()
}

fn approach(weights: &mut [f32], goal: &[f32], pace: f32) {
    for (weight, goal) in weights.iter_mut().zip(goal) {
        *weight += pace * (goal - *weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_can_rely_on_one_answer_where_each_has_an_answer() {
        let table = [vec![10.0, -10.0], vec![-10.0, 10.0]];
        let mixture = mixture(&table, vec![1.0, 0.0], 1.0);
        assert!(mixture.iter().all(|weight| (weight - 0.5).abs() < 0.1), "{mixture:?}");
    }

    #[test]
    fn an_answer_that_is_always_worse_is_hardly_expected() {
        let table = [vec![1.0, 9.0], vec![3.0, 12.0]];
        let mixture = mixture(&table, vec![0.5, 0.5], 1.0);
        assert!(mixture[0] > 0.95, "{mixture:?}");
    }

    #[test]
    fn weights_are_shares_whatever_the_values() {
        for values in [vec![f32::MIN, 3.0], vec![f32::MIN; 3], vec![-2000.0, 2000.0, 1999.0]] {
            let weights = likely(&values, 3.0);
            assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-3, "{values:?}: {weights:?}");
        }
    }
}
