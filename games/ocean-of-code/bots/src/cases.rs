//! Cases to train the network of `likelihood` with, and the measure of what an observer knows.

use game::{Dice, Game, Seat};
use ocean_of_code::{OceanOfCode, State, Submarine};

use super::champion::{ITS_HABITS, ITS_WEIGHTS};
use super::chart::Chart;
use super::inference::Inference;
use super::knowledge::Knowledge;
use super::likelihood::{FEATURES, Features};
use super::particles::Particle;
use super::policy::Asked;
use super::question::Report;
use super::tactics::Scene;
use bots::{Lines, Lost, Thinking};

/// The numbers of a row before its features: the mark of the first row of a place (one of the three below, else 0), the chance of the
/// place before the turn, whether this line was the one that was shown, and the factor for its target.
const HEAD: usize = 4;
/// The true place of a player.
const TRUTH: f32 = 2.0;
/// Another place in which it could have been.
const OTHER: f32 = 1.0;
/// The ways that its silence could have gone from the true place.
const SILENCE: f32 = 3.0;
/// Other places of each case, drawn by their chances.
const OTHERS: usize = 3;
/// The nodes of a turn of the observer.
const NODES: u64 = 40_000;

/// Observes a match from one seat as the champion does, and is told the truth afterwards.
pub struct Witness {
    seat: Seat,
    chart: Chart,
    knowledge: Knowledge,
    inference: Inference,
    before: Option<Report>,
    /// The other submarine at the question before.
    other: Option<Submarine>,
    lives_then: i32,
    turns: u16,
    dice: Dice,
}

impl std::fmt::Debug for Witness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Witness").field("seat", &self.seat).finish_non_exhaustive()
    }
}

impl Witness {
    /// The numbers of a row of the cases.
    pub const ROW: usize = HEAD + FEATURES;

    /// An observer of this game.
    pub fn new(game: &OceanOfCode, seat: Seat) -> Witness {
        let chart = Chart::new(game.rules().clone(), *game.map());
        Witness {
            seat,
            knowledge: Knowledge::new(&chart),
            inference: Inference::new(&chart),
            before: None,
            other: None,
            lives_then: i32::from(chart.rules().lives),
            turns: 0,
            dice: Dice::new(seat.0.into()),
            chart,
        }
    }

    /// The turn of this seat was played.
    pub fn played(&mut self, state: &State) {
        self.lives_then = state.submarine(self.seat).lives.into();
        self.turns += 1;
    }

    /// The turn of this seat begins. Adds rows to `rows`: the lines that the other player could have played in the turn before, those that
    /// look alike as one, from its true place and from other places; and the ways that its silence could have gone. Returns the bits by
    /// which its true cell is unexpected, by proof alone and by inference.
    ///
    /// # Errors
    ///
    /// When the question of the turn cannot be read.
    pub fn asked(&mut self, state: &State, rows: &mut Vec<f32>) -> Result<[f32; 2], Lost> {
        let mut text = String::new();
        OceanOfCode::write_turn(&self.chart.game.view(state, self.seat), &mut text);
        let report = Report::read(&mut Lines::new(&mut text.as_bytes()))?;
        let mut own = *state.submarine(self.seat);
        let said = own.shown;
        own.fresh_mine = None;
        let turns = self.chart.rules().max_turns / 2;
        let scene = Scene {
            chart: &self.chart,
            own: &own,
            report: &report,
            before: self.before.as_ref(),
            said: said.actions(),
            lives_then: self.lives_then,
            turns_left: turns.saturating_sub(self.turns).max(1),
        };
        let now = *state.opponent(self.seat);
        let then = self.other.replace(now);
        let mut truth = None;
        let mut others: [Option<Asked>; OTHERS] = [const { None }; OTHERS];
        let mut other_weight = 0.0;
        let dice = &mut self.dice;
        let mut hear = |place: &Particle, asked: Asked| {
            if then.is_some_and(|then| then.cell == place.cell && then.visited == place.visited) {
                truth = Some((asked, place.weight));
                return;
            }
            other_weight += place.weight;
            let chance = place.weight / other_weight;
            for other in &mut others {
                if dice.below(1 << 16) as f32 <= chance * 65_536.0 {
                    *other = Some(asked.clone());
                }
            }
        };
        let mut budget = Thinking::Nodes(NODES).begin(false);
        let knowledge = &mut self.knowledge;
        self.inference.update(&scene, knowledge, (&ITS_WEIGHTS, &ITS_HABITS), &mut budget, &mut hear);
        if let Some((truth, weight)) = truth
            && truth.shown.is_some()
        {
            let all = weight + other_weight;
            add(rows, TRUTH, weight / all, &truth, &truth.groups, truth.shown);
            for other in others.iter().flatten() {
                add(rows, OTHER, other_weight / OTHERS as f32 / all, other, &other.groups, other.shown);
            }
            let gone = truth.ways.iter().position(|way| way.end == now.cell && way.visited == now.visited);
            if gone.is_some() {
                let ways: Vec<Features> = truth.ways.iter().map(|way| way.features).collect();
                add(rows, SILENCE, 1.0, &truth, &ways, gone);
            }
        }
        let inferred = self.inference.chances(&self.chart, &self.knowledge);
        let cell = now.cell.index();
        let bits = [self.knowledge.enemy.chances()[cell], inferred[cell]].map(|chance| -chance.log2());
        self.before = Some(report);
        Ok(bits)
    }
}

/// Adds the rows of a place.
fn add(rows: &mut Vec<f32>, mark: f32, weight: f32, asked: &Asked, lines: &[Features], shown: Option<usize>) {
    for (i, features) in lines.iter().enumerate() {
        let is_shown = f32::from(u8::from(shown == Some(i)));
        rows.extend([if i == 0 { mark } else { 0.0 }, weight, is_shown, asked.aim]);
        rows.extend(features);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LADDER;
    use bots::Seating;
    use game::{Match, Selection};
    use ocean_of_code::Phase;

    #[test]
    fn the_true_cell_is_likelier_than_by_proof_alone() {
        let selected = OceanOfCode::info().select(&Selection::default()).unwrap();
        let bot = LADDER.iter().find(|bot| bot.name == "champion-1").unwrap();
        let (mut all, mut rows) = ([0.0; 2], Vec::new());
        for seed in 0..6 {
            let mut play = Match::<OceanOfCode>::new(OceanOfCode::rule_set(selected), seed);
            let mut minds = [0, 1].map(|seat| (bot.sit)(&Seating { selected, seed: seat }));
            let mut witness = Witness::new(play.game(), Seat(0));
            while let Some(seat) = play.awaited().into_iter().next() {
                let watched = seat == Seat(0) && play.state().phase == Phase::Turn;
                if watched {
                    let bits = witness.asked(play.state(), &mut rows).unwrap();
                    assert!(bits.iter().all(|bits| bits.is_finite()), "seed {seed} turn {}", play.turn());
                    all = [all[0] + bits[0], all[1] + bits[1]];
                }
                let mut question = String::new();
                play.question(seat, &mut question);
                let budget = Thinking::Nodes(2_000).begin(false);
                let answer =
                    minds[seat.index()].answer(&mut Lines::new(&mut question.as_bytes()), budget).unwrap();
                play.answer(seat, Some(&answer)).unwrap();
                if watched {
                    witness.played(play.state());
                }
            }
        }
        assert!(all[1] < 0.7 * all[0], "{all:?}");
        // Each place has one line that was shown, and cases have their true place.
        assert_eq!(rows.len() % Witness::ROW, 0);
        let marked = |mark: f32| rows.chunks(Witness::ROW).filter(|row| (row[0] - mark).abs() < 0.5).count();
        assert!(marked(TRUTH) > 100 && marked(OTHER) > 100 && marked(SILENCE) > 0);
    }
}
